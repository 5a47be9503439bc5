/**
 * How element types flow through .NET's library: collections, LINQ, tasks, wrappers of one value.
 *
 * Names are without arity and namespace; a type of the repository with such a name is found as a
 * declaration before these are asked. A `KeyValuePair` is a mapping of one entry, whose `Value` is
 * the second argument. `Func`, `Action` and the like are function types already in the summary.
 */
import type { LibraryTypes } from '../language.js';
import { CALLS } from './library-calls.js';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const LIBRARY: LibraryTypes = {
  sequences: words(`
    IEnumerable List IList ICollection IReadOnlyList IReadOnlyCollection Collection ReadOnlyCollection
    ObservableCollection HashSet ISet IReadOnlySet SortedSet
    Queue Stack LinkedList LinkedListNode ConcurrentBag ConcurrentQueue ConcurrentStack BlockingCollection
    IProducerConsumerCollection
    ImmutableArray ImmutableList ImmutableHashSet ImmutableSortedSet ImmutableQueue ImmutableStack IImmutableList
    IImmutableSet IImmutableQueue IImmutableStack FrozenSet
    IQueryable IOrderedQueryable IOrderedEnumerable IAsyncEnumerable IAsyncEnumerator IEnumerator ParallelQuery
    Span ReadOnlySpan Memory ReadOnlyMemory ArraySegment ReadOnlySequence Array DbSet KeyedCollection PriorityQueue
    ChannelReader`),
  mappings: words(`
    Dictionary IDictionary IReadOnlyDictionary SortedDictionary SortedList ConcurrentDictionary ReadOnlyDictionary
    OrderedDictionary
    ImmutableDictionary ImmutableSortedDictionary IImmutableDictionary FrozenDictionary ConditionalWeakTable ILookup
    Lookup KeyValuePair`),
  records: new Set(),
  anyTypes: words('dynamic'),
  objectMembers: words('ToString Equals GetHashCode GetType ReferenceEquals MemberwiseClone Finalize'),
  delegates: words('Action EventHandler ThreadStart ParameterizedThreadStart AsyncCallback TimerCallback WaitCallback'),
  objectCalls: new Map([
    ['ToString', [0]],
    ['Equals', [1, 2]],
    ['GetHashCode', [0]],
    ['GetType', [0]],
    ['ReferenceEquals', [2]],
    ['MemberwiseClone', [0]],
  ]),
  commonMembers: words(`
    Length Count Substring IndexOf LastIndexOf StartsWith EndsWith Trim TrimStart TrimEnd Split ToLower ToUpper
    ToLowerInvariant ToUpperInvariant PadLeft PadRight CompareTo
    Contains ContainsKey AddRange RemoveAt RemoveAll Clear CopyTo ToArray ToList Keys Values TryGetValue
    GetEnumerator MoveNext
    Where Select SelectMany OrderBy OrderByDescending ThenBy GroupBy Any All First FirstOrDefault Single
    SingleOrDefault Last LastOrDefault Skip Take Sum Distinct Concat
    HasValue GetAwaiter GetResult ConfigureAwait ContinueWith Invoke BeginInvoke EndInvoke Message StackTrace
    InnerException`),
  iteratesPairs: true,
  wrappers: words(
    'Task ValueTask ConfiguredTaskAwaitable Nullable Lazy WeakReference ThreadLocal AsyncLocal StrongBox ' +
      'IOptions IOptionsMonitor IOptionsSnapshot TaskCompletionSource',
  ),
  parts: new Map(),
  unions: new Set(),
  namedUnions: new Set(),
  selections: new Set(),
  results: new Set(),
  parameterLists: new Set(),
  constructorParameterLists: new Set(),
  tuples: words('ValueTuple Tuple'),
  pairs: words('KeyValuePair'),
  pairKeys: words('Key'),
  pairValues: words('Value'),
  enumBases: new Set(),
  keyed: { bases: new Set(), members: new Set() },
  checkedExceptions: new Set(),
  closedTypes: new Map(),
  hooks: new Map(),
  throwingInterfaces: new Map(),
  defaultMembers: new Set(),
  interfaceMembers: new Map(
    Object.entries({
      IDisposable: words('Dispose'),
      IAsyncDisposable: words('DisposeAsync'),
      IComparable: words('CompareTo'),
      IComparer: words('Compare'),
      IEquatable: words('Equals'),
      IEqualityComparer: words('Equals GetHashCode'),
      ICloneable: words('Clone'),
      IFormattable: words('ToString'),
      IConvertible: words('GetTypeCode ToBoolean ToInt32 ToString'),
      IEnumerable: words('GetEnumerator'),
      IAsyncEnumerable: words('GetAsyncEnumerator'),
      IEnumerator: words('MoveNext Reset Current'),
      IAsyncEnumerator: words('MoveNextAsync Current'),
      ICollection: words('Add Clear Contains CopyTo Remove Count IsReadOnly'),
      IList: words('Insert IndexOf RemoveAt'),
      IDictionary: words('ContainsKey TryGetValue Keys Values'),
      IServiceProvider: words('GetService'),
      IHostedService: words('StartAsync StopAsync'),
      ICommand: words('Execute CanExecute CanExecuteChanged'),
      INotifyPropertyChanged: words('PropertyChanged'),
      Exception: words('Message InnerException StackTrace Data Source HelpLink HResult TargetSite GetBaseException'),
    }),
  ),
  fieldlessBases: new Set(),
  exceptions: /Exception$/,
  tupleBases: new Set(),
  binders: new Set(),
  namingFunctions: new Set(['nameof']),
  conversions: new Map(),
  rootBases: new Set(['object', 'Object']),
  classObjects: words('Type'),
  elementMembers: words(`
    First FirstOrDefault Single SingleOrDefault Last LastOrDefault ElementAt ElementAtOrDefault Min Max MinBy MaxBy
    Aggregate
    FirstAsync FirstOrDefaultAsync SingleAsync SingleOrDefaultAsync LastAsync LastOrDefaultAsync FindAsync
    Find FindLast Pop Peek Dequeue Current Value Result Target GetValueOrDefault GetResult GetOrAdd AddOrUpdate
    GetValue get_Item CurrentValue`),
  testingMembers: new Set(),
  sameMembers: words(`
    Where OrderBy OrderByDescending ThenBy ThenByDescending Order OrderDescending Distinct DistinctBy Skip SkipLast
    SkipWhile Take TakeLast TakeWhile Reverse
    Concat Union UnionBy Except ExceptBy Intersect IntersectBy Append Prepend DefaultIfEmpty AsEnumerable AsQueryable
    AsParallel AsReadOnly
    ToList ToArray ToHashSet ToImmutableArray ToImmutableList ToImmutableHashSet ToQueue ToListAsync ToArrayAsync
    AsSpan Slice
    FindAll GetRange GetEnumerator GetAsyncEnumerator AsNoTracking AsTracking Include AsAsyncEnumerable
    WithCancellation ConfigureAwait GetAwaiter`),
  valueViews: words('Values'),
  keyViews: words('Keys'),
  pairViews: words('AsEnumerable ToList ToArray Where OrderBy OrderByDescending'),
  components: new Set(),
  calls: CALLS,
  mappingMembers: new Set(['Select', 'ConvertAll']),
  foldMembers: words('Aggregate Sort'),
  typedSequences: words('OfType Cast GetServices GetCustomAttributes'),
  typedMakers: words(
    'GetService GetRequiredService GetKeyedService GetRequiredKeyedService CreateInstance ' +
      'GetServiceOrCreateInstance GetCustomAttribute',
  ),
  addingMembers: new Set(['Add', 'TryAdd', 'Insert', 'Enqueue', 'Push', 'AddLast', 'AddFirst']),
  mergingMembers: new Set(['AddRange', 'UnionWith']),
  containerChanges: new Map(),
  callbackMembers: words(`
    Select SelectMany Zip Any All Count Sum Average ForEach Sort Exists FindIndex FindLastIndex TrueForAll RemoveAll
    ConvertAll ToDictionary ToLookup GroupBy Join GroupJoin
    ForEachAsync AnyAsync AllAsync CountAsync ToDictionaryAsync ContinueWith Then`),
};
