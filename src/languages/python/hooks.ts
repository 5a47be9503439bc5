/**
 * Methods that classes of the standard library ask of those below them: the abstract ones of `collections.abc` and
 * `contextlib`, without which no object can be made, and those that a base calls and has its own of. Source: what
 * Python 3.11 says of each by `__abstractmethods__` and `dir`.
 */
import { hooksOf } from '../hooks.js';

export const HOOKS = hooksOf({
  AsyncGenerator: ['asend athrow', '__aiter__ __anext__ aclose'],
  AsyncIterable: ['__aiter__', ''],
  AsyncIterator: ['__anext__', '__aiter__'],
  Awaitable: ['__await__', ''],
  Collection: ['__contains__ __iter__ __len__', ''],
  Container: ['__contains__', ''],
  Coroutine: ['__await__ send throw', 'close'],
  Generator: ['send throw', '__iter__ __next__ close'],
  Iterable: ['__iter__', ''],
  Iterator: ['__next__', '__iter__'],
  Mapping: ['__getitem__ __iter__ __len__', '__contains__ get items keys values'],
  MutableMapping: [
    '__delitem__ __getitem__ __iter__ __len__ __setitem__',
    '__contains__ clear get items keys pop popitem setdefault update values',
  ],
  MutableSequence: [
    '__delitem__ __getitem__ __len__ __setitem__ insert',
    '__contains__ __iadd__ __iter__ __reversed__ append clear count extend index pop remove reverse',
  ],
  MutableSet: ['__contains__ __iter__ __len__ add discard', 'clear isdisjoint pop remove'],
  Reversible: ['__iter__ __reversed__', ''],
  Sequence: ['__getitem__ __len__', '__contains__ __iter__ __reversed__ count index'],
  Set: ['__contains__ __iter__ __len__', 'isdisjoint'],
  Sized: ['__len__', ''],
  AbstractContextManager: ['__exit__', '__enter__'],
  AbstractAsyncContextManager: ['__aexit__', '__aenter__'],
  Action: ['', '__call__ format_usage'],
  ArgumentParser: ['', 'convert_arg_line_to_args error exit format_help format_usage print_help print_usage'],
  BaseHTTPRequestHandler: [
    '',
    'do_DELETE do_GET do_HEAD do_OPTIONS do_PATCH do_POST do_PUT finish handle log_error log_message log_request ' +
      'setup version_string',
  ],
  BaseRequestHandler: ['', 'finish handle setup'],
  StreamRequestHandler: ['', 'finish handle setup'],
  Cmd: ['', 'completedefault default emptyline onecmd parseline postcmd postloop precmd preloop'],
  DatagramProtocol: ['', 'connection_lost connection_made datagram_received error_received'],
  Protocol: ['', 'connection_lost connection_made data_received eof_received pause_writing resume_writing'],
  Filter: ['', 'filter'],
  Formatter: [
    '',
    'format formatException formatMessage formatStack formatTime usesTime check_unused_args convert_field ' +
      'format_field get_field get_value',
  ],
  Handler: ['', 'close emit filter flush format handle handleError'],
  StreamHandler: ['', 'close emit filter flush format handle handleError'],
  FileHandler: ['', 'close emit filter flush format handle handleError'],
  HTMLParser: [
    '',
    'handle_charref handle_comment handle_data handle_decl handle_endtag handle_entityref handle_pi ' +
      'handle_startendtag handle_starttag reset unknown_decl',
  ],
  JSONDecoder: ['', 'decode raw_decode'],
  JSONEncoder: ['', 'default encode iterencode'],
  NodeTransformer: ['', 'generic_visit visit'],
  NodeVisitor: ['', 'generic_visit visit'],
  Pickler: ['', 'persistent_id reducer_override'],
  Unpickler: ['', 'find_class persistent_load'],
  Process: ['', 'run'],
  Thread: ['', 'run'],
  TestCase: ['', 'setUp setUpClass tearDown tearDownClass run shortDescription id'],
  IsolatedAsyncioTestCase: [
    '',
    'asyncSetUp asyncTearDown setUp setUpClass tearDown tearDownClass run shortDescription id',
  ],
  UserDict: [
    '',
    '__contains__ __delitem__ __getitem__ __iter__ __len__ __missing__ __setitem__ clear copy get items keys pop ' +
      'popitem setdefault update values',
  ],
  dict: ['', '__missing__'],
  defaultdict: ['', '__missing__'],
  OrderedDict: ['', '__missing__'],
  IOBase: ['', 'close fileno flush isatty readable readline readlines seek seekable tell truncate writable writelines'],
  RawIOBase: ['', 'close fileno flush readable readall readinto seek seekable tell truncate writable write'],
  BufferedIOBase: ['', 'close detach flush read read1 readable readinto seek seekable tell truncate writable write'],
  TextIOBase: ['', 'close detach flush read readable readline seek seekable tell truncate writable write'],
});
