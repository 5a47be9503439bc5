/**
 * How element types flow through what ECMAScript and its type library define.
 *
 * `Array` comes first among the sequences and `Map` among the mappings: the resolver names results
 * after them. Members are listed once for all containers, so a name is here only if it means the
 * same on each; `get` gives a value on mappings and nothing else has it.
 */
import type { LibraryTypes } from '../language.js';
import { HOOKS } from './hooks.js';
import { CALLS } from './library-calls.js';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const LIBRARY: LibraryTypes = {
  sequences: new Set([
    'Array',
    'ReadonlyArray',
    'Set',
    'ReadonlySet',
    'WeakSet',
    'Iterable',
    'IterableIterator',
    'Iterator',
    'IteratorObject',
    'Generator',
    'ArrayIterator',
    'SetIterator',
    'AsyncIterable',
    'AsyncIterableIterator',
    'AsyncIterator',
    'AsyncGenerator',
    'ArrayLike',
    'NodeListOf',
    'HTMLCollectionOf',
    'ReadableStream',
    'Observable',
    'Subject',
    'BehaviorSubject',
    'list',
    'set',
    '[]',
  ]),
  mappings: new Set(['Map', 'ReadonlyMap', 'WeakMap', 'Record', 'dict']),
  records: new Set(['Record']),
  anyTypes: new Set(['any', 'unknown']),
  objectMembers: words('constructor toString toLocaleString valueOf hasOwnProperty isPrototypeOf propertyIsEnumerable'),
  commonMembers: words(`
    length charAt charCodeAt codePointAt concat endsWith includes indexOf lastIndexOf localeCompare match matchAll
    normalize padEnd padStart repeat replace replaceAll search slice
    split startsWith substr substring toLowerCase toUpperCase toLocaleLowerCase toLocaleUpperCase trim trimEnd trimStart
    at copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap forEach join keys map
    pop push reduce reduceRight reverse shift some sort splice
    toReversed toSorted toSpliced unshift values has size
    then catch finally apply call bind toFixed toPrecision toExponential toISOString getTime getDate getDay
    getFullYear getHours getMinutes getMonth getSeconds exec test
    addEventListener removeEventListener dispatchEvent`),
  iteratesPairs: true,
  wrappers: words(
    'Promise PromiseLike WeakRef RefObject MutableRefObject Ref ShallowRef ComputedRef IteratorResult Context',
  ),
  selections: new Set(['Extract', 'Exclude']),
  unions: new Set(['Required', 'Readonly', 'NonNullable', 'InstanceType', 'NoInfer']),
  awaitedType: 'Awaited',
  namedUnions: new Set(),
  parts: new Map([
    ['Partial', 'any'],
    ['Pick', 'named'],
    ['Omit', 'others'],
  ]),
  results: new Set(['ReturnType']),
  parameterLists: new Set(['Parameters']),
  constructorParameterLists: new Set(['ConstructorParameters']),
  tuples: new Set<string>(),
  pairs: new Set<string>(),
  pairKeys: new Set<string>(),
  pairValues: new Set<string>(),
  enumBases: new Set<string>(),
  keyed: { bases: new Set<string>(), members: new Set<string>() },
  checkedExceptions: new Set<string>(),
  closedTypes: new Map(),
  hooks: HOOKS,
  throwingInterfaces: new Map(),
  defaultMembers: new Set(),
  interfaceMembers: new Map([['Error', words('message name stack cause')]]),
  fieldlessBases: new Set<string>(),
  exceptions: undefined,
  tupleBases: new Set<string>(),
  binders: new Set<string>(),
  namingFunctions: new Set<string>(),
  conversions: new Map([
    ['String', 'string'],
    ['Number', 'number'],
    ['parseInt', 'number'],
    ['parseFloat', 'number'],
    ['Boolean', 'boolean'],
  ]),
  rootBases: new Set(['Object']),
  classObjects: new Set<string>(),
  elementMembers: words('find findLast pop shift at get deref current value'),
  testingMembers: words('filter find findLast'),
  sameMembers: new Set([
    'filter',
    'slice',
    'concat',
    'sort',
    'reverse',
    'splice',
    'toSorted',
    'toReversed',
    'toSpliced',
    'with',
    'fill',
    'copyWithin',
    'add',
    'finally',
    'catch',
    'take',
    'drop',
    'union',
    'intersection',
    'difference',
  ]),
  valueViews: new Set(['values']),
  keyViews: new Set(['keys']),
  pairViews: new Set(['entries']),
  components: words(`
    FC FunctionComponent VFC SFC ComponentType ComponentClass Component PureComponent ForwardRefExoticComponent
    MemoExoticComponent NamedExoticComponent ExoticComponent LazyExoticComponent`),
  calls: CALLS,
  mappingMembers: new Set(['map']),
  foldMembers: new Set(['reduce', 'reduceRight', 'sort', 'toSorted']),
  typedSequences: new Set(),
  typedMakers: new Set(),
  addingMembers: new Set(['push', 'unshift', 'add', 'set']),
  mergingMembers: new Set(),
  containerChanges: new Map(),
  callbackMembers: new Set([
    'map',
    'forEach',
    'filter',
    'find',
    'findLast',
    'findIndex',
    'findLastIndex',
    'some',
    'every',
    'flatMap',
    'sort',
    'toSorted',
    'then',
  ]),
};
