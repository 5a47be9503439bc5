/**
 * What generic functions of the library give, by their signatures.
 */
import { libraryCalls } from '../library-calls.js';

export const CALLS = libraryCalls(`
  copy.copy(T) T
  copy.deepcopy(T,_?) T
  copy(T) T
  deepcopy(T,_?) T
  replace(T,_...) T
  dataclasses.replace(T,_...) T
  chain([T]...) list<T>
  islice([T],_...) list<T>
  cycle([T]) list<T>
  takewhile(_,[T]) list<T>
  dropwhile(_,[T]) list<T>
  accumulate([T],_?) list<T>
  groupby([T],_?) list<(?,list<T>)>
  .append(E) ?
  .appendleft(E) ?
  .insert(_,E) ?
  .put(E,_...) ?
  .put_nowait(E) ?
  .setdefault(_,M) M
`);
