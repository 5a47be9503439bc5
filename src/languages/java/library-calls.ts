/**
 * What generic functions of the library give, by their signatures.
 */
import { libraryCalls } from '../library-calls.js';

export const CALLS = libraryCalls(`
  List.of(T...) List<T>
  List.copyOf([T]) List<T>
  Set.of(T...) Set<T>
  Set.copyOf([T]) Set<T>
  Map.of(K,V,K?,V?,K?,V?,K?,V?,K?,V?) Map<K,V>
  Map.entry(K,V) Entry<K,V>
  Stream.of(T...) Stream<T>
  Stream.ofNullable(T) Stream<T>
  Stream.generate(()T) Stream<T>
  Stream.iterate(T,_...) Stream<T>
  Stream.concat([T],[T]) Stream<T>
  Optional.of(T) Optional<T>
  Optional.ofNullable(T) Optional<T>
  Objects.requireNonNull(T,_?) T
  Objects.requireNonNullElse(T,T) T
  Objects.requireNonNullElseGet(T,()T) T
  requireNonNull(T,_?) T
  checkNotNull(T,_...) T
  notNull(T,_...) T
  Arrays.asList(T...) List<T>
  Arrays.stream([T],_?,_?) Stream<T>
  Arrays.copyOf(T,_...) T
  Arrays.copyOfRange(T,_...) T
  Collections.singletonList(T) List<T>
  Collections.singleton(T) Set<T>
  Collections.singletonMap(K,V) Map<K,V>
  Collections.unmodifiableList([T]) List<T>
  Collections.unmodifiableSet([T]) Set<T>
  Collections.unmodifiableCollection([T]) Collection<T>
  Collections.unmodifiableMap(T) T
  Collections.synchronizedList([T]) List<T>
  Collections.synchronizedMap(T) T
  Collections.nCopies(_,T) List<T>
  Collections.max([T],_?) T
  Collections.min([T],_?) T
  Lists.newArrayList(T...) List<T>
  ImmutableList.of(T...) ImmutableList<T>
  ImmutableList.copyOf([T]) ImmutableList<T>
  ImmutableSet.of(T...) ImmutableSet<T>
  ImmutableSet.copyOf([T]) ImmutableSet<T>
  ImmutableMap.of(K,V,K?,V?,K?,V?,K?,V?) ImmutableMap<K,V>
  CompletableFuture.supplyAsync(()T,_?) CompletableFuture<T>
  CompletableFuture.completedFuture(T) CompletableFuture<T>
  ThreadLocal.withInitial(()T) ThreadLocal<T>
  Mono.just(T) Mono<T>
  Mono.fromCallable(()T) Mono<T>
  Flux.just(T...) Flux<T>
  mock([T],_?) T
  spy(T) T
  .cast([T]) T
  .add(_,E) ?
  .add(E) ?
  .addFirst(E) ?
  .addLast(E) ?
  .offer(E) ?
  .push(E) E
  .set(_,E) E
  .set(E) ?
  .put(_,M) M
  .putIfAbsent(_,M) M
  .getOrDefault(_,M) M
`);
