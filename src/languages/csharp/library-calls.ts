/**
 * What generic functions of the library give, by their signatures.
 */
import { libraryCalls } from '../library-calls.js';

export const CALLS = libraryCalls(`
  Task.Run(()~T,_?) Task<T>
  Task.FromResult(T) Task<T>
  Task.WhenAll([~T]) Task<List<T>>
  Task.WhenAny([T]) Task<T>
  ValueTask.FromResult(T) ValueTask<T>
  Enumerable.Repeat(T,_) IEnumerable<T>
  Enumerable.Empty() IEnumerable<T>
  Tuple.Create(A,B?,C?,D?) (A,B,C,D)
  ValueTuple.Create(A,B?,C?,D?) (A,B,C,D)
  KeyValuePair.Create(K,V) KeyValuePair<K,V>
  Interlocked.Exchange(T,T) T
  Interlocked.CompareExchange(T,T,_) T
  Volatile.Read(T) T
  LazyInitializer.EnsureInitialized(T,()T?) T
  Array.Empty() List<T>
  Array.Find([T],_) T
  Array.FindAll([T],_) List<T>
  ImmutableArray.Create(T...) ImmutableArray<T>
  ImmutableList.Create(T...) ImmutableList<T>
  Activator.CreateInstance() T
  .GroupBy(()K) IEnumerable<List<E>>
  .GroupBy(()K,()V) IEnumerable<List<V>>
  .ToDictionary(()K) Dictionary<K,E>
  .ToDictionary(()K,()V,_?) Dictionary<K,V>
  .ToDictionaryAsync(()K) Task<Dictionary<K,E>>
  .ToLookup(()K) Lookup<K,List<E>>
  .ToLookup(()K,()V) Lookup<K,List<V>>
  .SelectMany(_,()V) IEnumerable<V>
  .SelectMany(([U])) IEnumerable<U>
  .Zip([U],()V) IEnumerable<V>
  .Zip([U]) IEnumerable<(E,U)>
  .Chunk(_) IEnumerable<List<E>>
  .Add(_,M) ?
  .Add(E) ?
  .Insert(_,E) ?
  .Enqueue(E) ?
  .Push(E) ?
  .TryAdd(_,M) ?
`);
