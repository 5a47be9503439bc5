/**
 * Names that mean something of the language or its library in any file: predefined types,
 * contextual names, and common types of the namespaces that SDK projects use without saying so.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

const NAMES = new Set([
  ...words(
    'bool byte char decimal double float int long object sbyte short string uint ulong ushort nint nuint ' +
      'void dynamic var nameof args field',
  ),
  ...words(`
    Action AggregateException AppDomain ArgumentException ArgumentNullException ArgumentOutOfRangeException Array
    ArraySegment Attribute AttributeTargets AttributeUsage
    AttributeUsageAttribute BitConverter Boolean Buffer Byte Char Comparison Console Convert DateOnly DateTime
    DateTimeKind DateTimeOffset DayOfWeek Decimal Delegate
    DivideByZeroException Double Enum Environment EventArgs EventHandler Exception Flags FlagsAttribute
    FormatException Func GC Guid HashCode IAsyncDisposable
    ICloneable IComparable IConvertible IDisposable IEquatable IFormatProvider IFormattable IndexOutOfRangeException
    Index Int16 Int32 Int64 IntPtr InvalidCastException
    InvalidOperationException IServiceProvider Lazy Math MathF Memory MemoryExtensions MulticastDelegate
    NotImplementedException NotSupportedException Nullable
    NullReferenceException Object ObjectDisposedException Obsolete ObsoleteAttribute OperationCanceledException
    OverflowException ParamArray Predicate Random Range
    ReadOnlyMemory ReadOnlySpan SByte Serializable SerializableAttribute Single Span String StringComparer
    StringComparison StringSplitOptions ThreadStatic TimeOnly
    TimeoutException TimeSpan TimeZoneInfo Tuple Type TypeCode UInt16 UInt32 UInt64 UnauthorizedAccessException Uri
    UriKind ValueTuple ValueType Version WeakReference
    Activator Assembly
    Comparer Dictionary EqualityComparer HashSet ICollection IComparer IDictionary IEnumerable IEnumerator
    IEqualityComparer IList IReadOnlyCollection IReadOnlyDictionary
    IReadOnlyList ISet KeyNotFoundException KeyValuePair LinkedList List Queue SortedDictionary SortedList SortedSet
    Stack IAsyncEnumerable IAsyncEnumerator
    Directory DirectoryInfo File FileInfo FileMode FileStream IOException MemoryStream Path Stream StreamReader
    StreamWriter StringReader StringWriter TextReader TextWriter
    Enumerable IGrouping ILookup IOrderedEnumerable IOrderedQueryable IQueryable Queryable
    HttpClient HttpMethod HttpRequestMessage HttpResponseMessage
    CancellationToken CancellationTokenSource Interlocked Monitor SemaphoreSlim Thread Timer Volatile
    Parallel Task TaskCompletionSource TaskScheduler ValueTask System`),
]);

export function isLibraryName(name: string): boolean {
  return NAMES.has(name);
}

/** Namespaces that always have more in them than the repository declares. */
export function isLibraryNamespace(name: string): boolean {
  return /^(?:System|Microsoft|Windows)(?:\.|$)/.test(name);
}
