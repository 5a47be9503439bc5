/**
 * Containers of `typing`, `collections` and the builtins: where their type arguments come out.
 * `typing` spells most of them with a capital; both spellings are listed.
 */
import type { LibraryTypes } from '../language.js';
import { CALLS } from './library-calls.js';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const PLAIN_EXCEPTIONS =
  'BaseException Exception ValueError TypeError RuntimeError RecursionError NotImplementedError LookupError KeyError ' +
  'IndexError ArithmeticError ZeroDivisionError AssertionError Warning UserWarning DeprecationWarning FutureWarning ' +
  'RuntimeWarning SyntaxWarning';
const ENUMS = 'Enum IntEnum StrEnum Flag IntFlag ReprEnum';

/** Members without underscores of classes that many derive from; those of the language are every object's. */
const MEMBERS_OF_BASES: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...['ABC', 'Generic', 'Protocol'].map((name) => [name, new Set<string>()] as const),
  ...[...words(PLAIN_EXCEPTIONS)].map((name) => [name, words('args with_traceback add_note')] as const),
  ['OSError', words('args with_traceback add_note errno strerror filename filename2 winerror')],
  ...[...words(ENUMS)].map((name) => [name, words('name value _missing_ _generate_next_value_ _ignore_')] as const),
  ['Thread', words('run start join name daemon ident native_id is_alive isDaemon setDaemon getName setName')],
]);

export const library: LibraryTypes = {
  // The first name is what the resolver calls a sequence that it makes itself.
  sequences: new Set([
    'list',
    'List',
    'Sequence',
    'MutableSequence',
    'Iterable',
    'Iterator',
    'Collection',
    'Container',
    'Reversible',
    'Set',
    'set',
    'MutableSet',
    'AbstractSet',
    'FrozenSet',
    'frozenset',
    'deque',
    'Deque',
    'Generator',
    'AsyncIterable',
    'AsyncIterator',
    'AsyncGenerator',
    'KeysView',
    'ValuesView',
    'Counter',
    'Queue',
    'PriorityQueue',
    'LifoQueue',
    'SimpleQueue',
    'WeakSet',
    'UserList',
    'array',
    'chain',
    'filter',
    'reversed',
    'cycle',
    'islice',
  ]),
  mappings: new Set([
    'dict',
    'Dict',
    'Mapping',
    'MutableMapping',
    'defaultdict',
    'DefaultDict',
    'OrderedDict',
    'ChainMap',
    'ItemsView',
    'MappingProxyType',
    'UserDict',
    'WeakValueDictionary',
    'WeakKeyDictionary',
  ]),
  records: new Set(),
  anyTypes: new Set(['Any', 'object', 'Incomplete']),
  objectMembers: words(`
    __class__ __dict__ __doc__ __module__ __name__ __qualname__ __init__ __new__ __eq__ __ne__
    __hash__ __str__ __repr__ __format__ __bool__ __sizeof__
    __getattribute__ __setattr__ __delattr__ __dir__ __reduce__ __reduce_ex__ __init_subclass__ __subclasshook__`),
  commonMembers: words(`
    capitalize casefold center encode decode endswith expandtabs find rfind format format_map isalnum isalpha isascii
    isdecimal isdigit isidentifier islower isnumeric isprintable
    isspace istitle isupper join ljust lower lstrip maketrans partition rpartition removeprefix removesuffix rindex
    rjust rsplit rstrip split splitlines startswith strip swapcase
    title translate upper zfill
    append extend insert sort reverse popitem setdefault keys values items discard issubset issuperset isdisjoint
    intersection difference symmetric_difference
    readline readlines writelines fileno isatty tell seek flush hex fromhex bit_length as_integer_ratio`),
  iteratesPairs: false,
  wrappers: new Set([
    'Awaitable',
    'Coroutine',
    'Future',
    'Task',
    'ContextManager',
    'AsyncContextManager',
    'AbstractContextManager',
    'AbstractAsyncContextManager',
    'ContextVar',
    'ref',
    'ReferenceType',
    'partial',
    'cached_property',
    'Annotated',
    'ClassVar',
    'Final',
    'InitVar',
    'Required',
    'NotRequired',
    'ReadOnly',
    'Mapped',
  ]),
  parts: new Set(),
  unions: new Set(['Union', 'Optional']),
  namedUnions: new Set(['Union', 'Optional', 'Literal']),
  selections: new Set(),
  results: new Set(),
  parameterLists: new Set(),
  tuples: new Set(['tuple', 'Tuple']),
  pairs: new Set(),
  checkedExceptions: new Set(),
  closedTypes: new Map(),
  throwingInterfaces: new Map(),
  interfaceMembers: MEMBERS_OF_BASES,
  fieldlessBases: new Set(['NamedTuple', 'TypedDict', 'BaseModel', 'Generic', 'Protocol', 'ABC', 'object', 'ABCMeta']),
  tupleBases: new Set(['NamedTuple']),
  binders: new Set(['partial', 'partialmethod']),
  rootBases: new Set(['object']),
  pairKeys: new Set(),
  keyed: { bases: new Set(['TypedDict']), members: new Set(['get', 'pop', 'setdefault']) },
  enumBases: new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum']),
  classObjects: new Set(['type', 'Type']),
  elementMembers: new Set([
    'pop',
    'popleft',
    'popitem',
    'get',
    'get_nowait',
    'setdefault',
    'result',
    '__getitem__',
    '__next__',
    '__anext__',
    '__enter__',
    '__aenter__',
    'send',
    'exception',
    'value',
  ]),
  sameMembers: new Set([
    'copy',
    '__copy__',
    '__deepcopy__',
    '__iter__',
    '__aiter__',
    '__add__',
    '__or__',
    '__and__',
    '__sub__',
    '__xor__',
    'union',
    'intersection',
    'difference',
    'symmetric_difference',
    '__reversed__',
    'new_child',
  ]),
  valueViews: new Set(['values', 'itervalues', 'viewvalues']),
  keyViews: new Set(['keys', 'iterkeys', 'viewkeys', '__iter__']),
  pairViews: new Set(['items', 'iteritems', 'viewitems']),
  components: new Set(),
  calls: CALLS,
  mappingMembers: new Set(),
  foldMembers: new Set(),
  typedSequences: new Set(),
  typedMakers: new Set(),
  addingMembers: new Set(['append', 'appendleft', 'add', 'insert', 'setdefault', 'put', 'put_nowait']),
  mergingMembers: new Set(['update', 'extend', 'extendleft']),
  callbackMembers: new Set(),
};
