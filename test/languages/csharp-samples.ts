/** C# texts with every construct that extraction knows, for the tests of the language. */

/** Namespaces, usings, all sorts of types and members. */
export const DECLARATIONS = `global using System.Linq;
extern alias Old;
using static System.Math;
using Map = System.Collections.Generic.Dictionary<string, Shop.Item>;
using Pair = (int First, string Second);
[assembly: Marker(1, Name = nameof(Shop))]
namespace Shop.Core {
  using Shop.Events;
  /// <summary>See <see cref="Base{T}.Run(int, Item)"/> and <paramref name="seed"/>.</summary>
  /// <typeparam name="T">kind</typeparam>
  [Marker, Tags.Extra("x")]
  public abstract partial class Store<T>(int seed, Item first) : Base<T>(seed), IStore, IDisposable where T : Item, IStore, new()
  {
    private readonly int _a = seed, _b;
    const string Name = "store";
    public event EventHandler<Item> Sold, Bought;
    event Action IStore.Opened { add { _a.Foo(value); } remove => _b.Bar(value); }
    public required string Title { get; init; } = Name;
    public Item this[int index, string key] => Find(index);
    int IStore.Count { get { return _b; } }
    protected int Total { [Marker] get => _a; private set => _b = value; }
    static Store() { }
    public Store(int x) : this(x, new()) { _b = x; }
    ~Store() => Close();
    public static Store<T> operator +(Store<T> left, Item right) => left;
    public static implicit operator Item(Store<T> s) => s.first;
    void IDisposable.Dispose() { Close(); }
    /// <param name="items">all</param>
    [return: Marker] public virtual async Task<TOut> Sum<TOut>([Marker] TOut start, int times = Limits.Most, params Item[] items) where TOut : struct
    {
      int Local<U>(U u) where U : Item => u.Price;
      return await Task.Run(() => start);
    }
    public static int Twice(this Item item, ref int a, out int b, in int c) { b = a; return c; }
    partial void Hook();
    unsafe fixed int buffer[Limits.Most];
    private sealed class Nested : Store<T>.Inner { }
  }
  public enum Size : byte { Small = 1, [Marker] Large = Small << 1, }
  public delegate TOut Pick<in TIn, out TOut>(TIn value) where TIn : Item;
  public interface IStore { int Count { get; } event Action Opened; void Run(); int Twice() => Count * 2; static abstract int Zero(); }
  public record Item(int Price, [property: Marker] string Label = "x") : Thing(Price), IStore { public int Tax => Price / 5; }
  public readonly record struct Point(int X, int Y);
  struct @class { public int @int; }
}
`;

/** Statements, expressions, patterns, queries. */
export const BODIES = `namespace App;
class C : B {
  Store<Item> _store = new(3, null) { Title = "t" };
  Item Make(bool async) => async ? new() { Price = 1 } : new Item(2) { Label = "b", Parts = { 1, 2 }, Owner = { Name = "o" }, ["k"] = 3 };
  public async Task<Item> M(Item item, object o, Map map) {
    var (a, (b, _)) = Parts(item); (int c, item.Price) = (1, 2); a = b ??= c; a += b++; --c;
    if (map.TryGetValue("key", out var found) && found is { Price: > 3 and < Limits.Most, Owner.Name: var owner } match) Use(match, owner);
    if (o is not Item other || o is Kinds.Deep or null) return this.First ?? throw new Missing(nameof(item.Label));
    if (o is Point(1, var y) { X: 2 } p && o is (int z, Item w) && o is [var head, .., { } tail] && o is var (q1, q2)) Use(p, y, z, w, head, tail, q1, q2);
    switch (o) { case Item i when i.Price > 0: goto case Limits.Most; case Limits.Most: case "s": break; case { }: goto done; default: throw; }
    var picked = o switch { Item i => i.Price, Kinds.Deep d when d.Ok => d.Value, (Item l, _) => l.Price, _ => 0 };
    foreach (var x in _store) Use(x); foreach (Item typed in map.Values) { Use(typed); } foreach (var (k, v) in map) Use(k, v); await foreach (var s in Stream()) Use(s);
    for (int i = 0, j = 1; i < j; i++, j--) { } while (o != null) break; do { continue; } while (false);
    using var file = Open("a.b"); using (var second = Open(@"c\\d")) { } using (Lock()) Use(file); await using (var third = file) Use(third);
    try { checked { a++; } } catch (Oops e) when (e.Bad) { Use(e); } catch (Other) { } finally { Close(); }
    lock (_store) { } fixed (int* ptr = &a) { ptr->Use(); *ptr = 3; } unsafe { } yield return item;
    var made = new { item.Label, Twice = a * 2, b }; var list = new List<Item> { new(), { 1, 2 } }; Item[] arr = new Item[] { new() }; var two = new[] { item, this.Last };
    int[] nums = { 1, sizeof(int) }; var coll = Take([item, .. arr]); var st = stackalloc int[4]; Span<int> sp = stackalloc[] { 1 };
    var w2 = item with { Price = 3, Label = owner }; var d1 = default(Item); Item d2 = default; var t = typeof(Store<>); var ct = (Item)o; var at = o as Item; var neg = -a + ~b; var rng = arr[1..^1]; var el = map?["x"]?.Owner?.Name!.Length;
    Func<Item, int> f = x => x.Price; Action<int> g = delegate (int n) { Use(n); }; var h = async (Item x1, int n1) => { await Use(x1); return n1; }; var l0 = static int () => 1; var def = (int n2 = 1) => n2;
    var query = from x in list join y2 in arr on x.Id equals y2.Id into group1 let sum = group1.Count() where sum > 1 orderby x.Id descending, sum from Item z1 in group1 group z1 by z1.Id into g1 select new { g1.Key, First = g1.First() };
    var text = $"a {item.Label,10:x} {(a > b ? c : 1)}" + $@"v {b}" + $"""r {c}""" + """raw.name""" + 'c' + 1.5m + true; var fp = (delegate*<int, Item>)null; ref var rr = ref item.Price; Foo<Item>.Bar<int>(text); global::System.Console.Write(Map.Empty); base.M(item, async: o, map); ref readonly Item ri = ref arr[0];
    (int Left, Item Right) tuple = (Left: 1, Right: item); dynamic dyn = typeof(C).GetMethod("M"); dyn.Anything(); Activator.CreateInstance(t); int Fact(int n) => n < 2 ? 1 : n * Fact(n - 1); @if.@else();
    done: return Make(async);
  }
}
`;

/** Conditional parts, whole and torn. */
export const CONDITIONS = `#define X
namespace App {
#if NET
  using System.Net;
#else
  using Legacy;
#endif
  interface ILog {
#region all
    void Write(string text)
#if FEATURE
    { Sink.Take(text); }
#else
    ;
#endif
#pragma warning disable CS0618
    int Level { get; }
#endregion
#if DEBUG && !NET
    void Check() { Assert.True(Level); }
#elif TRACE
    void Trace() { }
#endif
    [Kept]
#if OLD
    [Obsolete]
#endif
    void Last(int a
#if WIDE
      , int b
#endif
    );
  }
}
`;

/** A program without a class. */
export const TOP_LEVEL = `using App;
var c = new C(args);
Run(c);
void Run(C it) { it.M(); }
record Made(int X);
`;

export const SAMPLES: readonly string[] = [DECLARATIONS, BODIES, CONDITIONS, TOP_LEVEL];
