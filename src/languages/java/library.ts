/**
 * How element types flow through the Java library: collections, streams, maps, and the wrappers
 * around one value. Types and members are known by their simple names, so a type of the
 * repository that is called `List` shares the behaviour of the library's.
 */
import { EXCEPTIONS } from './throws-writing.js';
import type { LibraryTypes } from '../language.js';
import { CALLS } from './library-calls.js';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const each = (taken: number, names: string): [string, number][] => names.split(' ').map((name) => [name, taken]);

const THROWABLE = words(`
  getMessage getLocalizedMessage getCause initCause printStackTrace fillInStackTrace getStackTrace setStackTrace
  addSuppressed getSuppressed`);
const NONE: ReadonlySet<string> = new Set();

export const LIBRARY: LibraryTypes = {
  sequences: words(`
    Iterable Collection SequencedCollection List ArrayList LinkedList CopyOnWriteArrayList AbstractList
    AbstractCollection AbstractSequentialList Vector Stack
    Set HashSet LinkedHashSet TreeSet SortedSet NavigableSet SequencedSet EnumSet AbstractSet CopyOnWriteArraySet
    ConcurrentSkipListSet
    Queue Deque ArrayDeque PriorityQueue AbstractQueue BlockingQueue BlockingDeque TransferQueue
    ConcurrentLinkedQueue ConcurrentLinkedDeque
    ArrayBlockingQueue LinkedBlockingQueue LinkedBlockingDeque LinkedTransferQueue PriorityBlockingQueue DelayQueue
    SynchronousQueue
    Iterator ListIterator Enumeration Spliterator Stream ServiceLoader
    ImmutableList ImmutableSet ImmutableSortedSet ImmutableCollection Multiset Flux Flowable Observable`),
  mappings: words(`
    Map HashMap LinkedHashMap TreeMap SortedMap NavigableMap SequencedMap EnumMap WeakHashMap IdentityHashMap
    Hashtable AbstractMap
    ConcurrentMap ConcurrentHashMap ConcurrentNavigableMap ConcurrentSkipListMap Dictionary Entry SimpleEntry
    SimpleImmutableEntry
    ImmutableMap ImmutableSortedMap BiMap ImmutableBiMap`),
  records: NONE,
  anyTypes: NONE,
  objectMembers: words('toString equals hashCode getClass notify notifyAll wait clone finalize'),
  objectCalls: new Map([
    ['toString', [0]],
    ['equals', [1]],
    ['hashCode', [0]],
    ['getClass', [0]],
    ['notify', [0]],
    ['notifyAll', [0]],
    ['wait', [0, 1, 2]],
    ['clone', [0]],
    ['finalize', [0]],
  ]),
  commonMembers: words(`
    length charAt substring indexOf lastIndexOf startsWith endsWith trim strip split replace replaceAll toLowerCase
    toUpperCase isBlank chars compareTo equalsIgnoreCase append
    size isEmpty contains containsKey containsValue containsAll addAll removeAll retainAll putAll keySet entrySet
    values toArray forEach iterator hasNext
    stream filter map flatMap collect anyMatch allMatch noneMatch findFirst findAny orElse orElseThrow orElseGet
    isPresent ifPresent
    intValue longValue doubleValue floatValue booleanValue getMessage printStackTrace getCause`),
  iteratesPairs: false,
  wrappers: words(`
    Optional Supplier Callable Future CompletableFuture CompletionStage ScheduledFuture RunnableFuture FutureTask
    ForkJoinTask RecursiveTask
    AtomicReference AtomicReferenceArray ThreadLocal InheritableThreadLocal ScopedValue Reference WeakReference
    SoftReference PhantomReference
    Provider ObjectProvider ObjectFactory Lazy ListenableFuture Mono Single Maybe`),
  functions: new Map([
    ...each(0, 'Supplier Callable ThrowingSupplier ThrowingCallable CheckedSupplier'),
    ...each(1, 'Function IntFunction LongFunction DoubleFunction UnaryOperator ThrowingFunction CheckedFunction'),
    ...each(2, 'BiFunction BinaryOperator'),
  ]),
  parts: new Map(),
  unions: NONE,
  namedUnions: NONE,
  selections: NONE,
  results: NONE,
  parameterLists: NONE,
  constructorParameterLists: NONE,
  tuples: NONE,
  pairs: words('Entry SimpleEntry SimpleImmutableEntry'),
  pairKeys: words('getKey'),
  pairValues: words('getValue setValue'),
  enumBases: NONE,
  keyed: { bases: NONE, members: NONE },
  defaultMembers: words('forEach spliterator remove clone'),
  interfaceMembers: new Map(
    Object.entries({
      Runnable: words('run'),
      Callable: words('call'),
      Comparator: words('compare'),
      Comparable: words('compareTo'),
      Iterable: words('iterator forEach spliterator'),
      Iterator: words('hasNext next remove'),
      AutoCloseable: words('close'),
      Closeable: words('close'),
      Flushable: words('flush'),
      Cloneable: words('clone'),
      CharSequence: words('length charAt subSequence'),
      Supplier: words('get'),
      Consumer: words('accept'),
      BiConsumer: words('accept'),
      Function: words('apply'),
      BiFunction: words('apply'),
      UnaryOperator: words('apply'),
      BinaryOperator: words('apply'),
      Predicate: words('test'),
      BiPredicate: words('test'),
      Executor: words('execute'),
      ThreadFactory: words('newThread'),
      InvocationHandler: words('invoke'),
      ActionListener: words('actionPerformed'),
      PropertyChangeListener: words('propertyChange'),
      Map: words('get put remove containsKey size entrySet keySet values'),
      Collection: words('add remove contains size isEmpty iterator'),
      List: words('get set add remove size indexOf'),
      Set: words('add remove contains size'),
      Throwable: THROWABLE,
      Exception: THROWABLE,
      RuntimeException: THROWABLE,
      Error: THROWABLE,
    }),
  ),
  hooks: new Map(),
  throwingInterfaces: new Map(
    Object.entries({
      Callable: 'Exception',
      AutoCloseable: 'Exception',
      Closeable: 'IOException',
      Flushable: 'IOException',
      PrivilegedExceptionAction: 'Exception',
      Executable: 'Throwable',
      ThrowingSupplier: 'Throwable',
      ThrowingConsumer: 'Throwable',
      ThrowingCallable: 'Throwable',
      ThrowingRunnable: 'Throwable',
    }),
  ),
  checkedExceptions: words(`
    Throwable Exception IOException FileNotFoundException EOFException UnsupportedEncodingException
    MalformedURLException UnknownHostException SocketException SocketTimeoutException
    NoSuchFileException FileAlreadyExistsException CharacterCodingException InterruptedException TimeoutException
    ExecutionException BrokenBarrierException URISyntaxException ParseException
    ClassNotFoundException CloneNotSupportedException NoSuchMethodException NoSuchFieldException
    IllegalAccessException InstantiationException InvocationTargetException ReflectiveOperationException
    SQLException GeneralSecurityException NoSuchAlgorithmException InvalidKeyException KeyStoreException
    CertificateException SignatureException DataFormatException
    NamingException SAXException ParserConfigurationException TransformerException JAXBException XMLStreamException
    RemoteException BackingStoreException`),
  closedTypes: new Map([
    ...['boolean', 'byte', 'char', 'short', 'int', 'long', 'float', 'double', 'void'].map(
      (name) => [name, NONE] as const,
    ),
    [
      'Optional',
      words(`
        get isPresent isEmpty ifPresent ifPresentOrElse filter map flatMap or stream orElse orElseGet orElseThrow
        toString equals hashCode getClass notify notifyAll wait`),
    ],
  ]),
  fieldlessBases: NONE,
  exceptions: EXCEPTIONS,
  tupleBases: NONE,
  binders: NONE,
  namingFunctions: NONE,
  conversions: new Map(),
  rootBases: new Set(['Object']),
  classObjects: words('Class'),
  elementMembers: words(`
    get getFirst getLast first last head element peek peekFirst peekLast poll pollFirst pollLast pop remove
    removeFirst removeLast take takeFirst takeLast
    next previous nextElement floor ceiling higher lower set elementAt firstElement lastElement
    orElse orElseGet orElseThrow findFirst findAny min max reduce
    getOrDefault put putIfAbsent computeIfAbsent computeIfPresent compute merge replace getValue setValue
    call join resultNow getNow getPlain getAcquire getAndSet getAndUpdate updateAndGet getIfAvailable getObject block
    blockFirst blockLast`),
  testingMembers: new Set(),
  sameMembers: words(`
    stream parallelStream parallel sequential unordered onClose iterator listIterator descendingIterator spliterator
    elements clone
    filter distinct sorted peek limit skip takeWhile dropWhile or toList reversed
    subList subSet headSet tailSet subMap headMap tailMap descendingSet descendingMap
    copyOf of unmodifiableList unmodifiableSet unmodifiableCollection unmodifiableMap synchronizedList synchronizedMap
    exceptionally whenComplete toCompletableFuture`),
  valueViews: words('values'),
  keyViews: words('keySet navigableKeySet descendingKeySet keys'),
  pairViews: words('entrySet'),
  components: NONE,
  calls: CALLS,
  mappingMembers: new Set(['map', 'mapToObj']),
  foldMembers: words('sort sorted min max reduce'),
  typedSequences: new Set(),
  typedMakers: new Set(),
  addingMembers: new Set(['add', 'addFirst', 'addLast', 'put', 'putIfAbsent', 'push', 'offer']),
  mergingMembers: new Set(['addAll', 'putAll']),
  containerChanges: new Map(),
  callbackMembers: words(`
    forEach forEachOrdered forEachRemaining map mapToInt mapToLong mapToDouble mapToObj mapMulti flatMap flatMapToInt
    flatMapToLong flatMapToDouble
    filter peek takeWhile dropWhile anyMatch allMatch noneMatch sorted sort min max reduce removeIf replaceAll
    collect iterate
    ifPresent ifPresentOrElse thenApply thenApplyAsync thenAccept thenAcceptAsync thenCompose thenComposeAsync
    whenComplete handle
    updateAndGet getAndUpdate accumulateAndGet doOnNext doOnSuccess subscribe`),
};
