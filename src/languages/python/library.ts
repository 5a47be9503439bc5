/**
 * Containers of `typing`, `collections` and the builtins: where their type arguments come out.
 * `typing` spells most of them with a capital; both spellings are listed.
 */
import type { LibraryTypes } from '../language.js';

export const library: LibraryTypes = {
  // The first name is what the resolver calls a sequence that it makes itself.
  sequences: new Set([
    'list', 'List', 'Sequence', 'MutableSequence', 'Iterable', 'Iterator', 'Collection', 'Container', 'Reversible', 'Set', 'set', 'MutableSet', 'AbstractSet', 'FrozenSet', 'frozenset',
    'deque', 'Deque', 'Generator', 'AsyncIterable', 'AsyncIterator', 'AsyncGenerator', 'KeysView', 'ValuesView', 'Counter', 'Queue', 'PriorityQueue', 'LifoQueue', 'SimpleQueue', 'WeakSet',
    'UserList', 'array', 'chain', 'filter', 'reversed', 'cycle', 'islice',
  ]),
  mappings: new Set([
    'dict', 'Dict', 'Mapping', 'MutableMapping', 'defaultdict', 'DefaultDict', 'OrderedDict', 'ChainMap', 'ItemsView', 'MappingProxyType', 'UserDict', 'WeakValueDictionary', 'WeakKeyDictionary',
  ]),
  iteratesPairs: false,
  wrappers: new Set([
    'Awaitable', 'Coroutine', 'Future', 'Task', 'ContextManager', 'AsyncContextManager', 'AbstractContextManager', 'AbstractAsyncContextManager', 'ContextVar', 'ref', 'ReferenceType', 'partial',
    'cached_property', 'Annotated', 'ClassVar', 'Final', 'InitVar', 'Required', 'NotRequired', 'ReadOnly', 'Mapped',
  ]),
  unions: new Set(['Union', 'Optional']),
  tuples: new Set(['tuple', 'Tuple']),
  pairs: new Set(),
  enumBases: new Set(['Enum', 'IntEnum', 'StrEnum', 'Flag', 'IntFlag', 'ReprEnum']),
  classObjects: new Set(['type', 'Type']),
  anything: new Set(['Any']),
  elementMembers: new Set(['pop', 'popleft', 'popitem', 'get', 'get_nowait', 'setdefault', 'result', '__getitem__', '__next__', '__anext__', '__enter__', '__aenter__', 'send', 'exception', 'value']),
  sameMembers: new Set([
    'copy', '__copy__', '__deepcopy__', '__iter__', '__aiter__', '__add__', '__or__', '__and__', '__sub__', '__xor__', 'union', 'intersection', 'difference', 'symmetric_difference', '__reversed__', 'new_child',
  ]),
  valueViews: new Set(['values', 'itervalues', 'viewvalues']),
  keyViews: new Set(['keys', 'iterkeys', 'viewkeys', '__iter__']),
  pairViews: new Set(['items', 'iteritems', 'viewitems']),
  callbackMembers: new Set(),
};
