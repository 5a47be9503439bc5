/**
 * What generic functions of the library give, by their signatures.
 */
import { libraryCalls } from '../library-calls.js';

export const CALLS = libraryCalls(`
  Promise.all([~T]) Promise<Array<T>>
  Promise.allSettled([~T]) Promise<Array<T>>
  Promise.race([~T]) Promise<T>
  Promise.any([~T]) Promise<T>
  Promise.resolve(~T) Promise<T>
  Object.values({T}) Array<T>
  Object.entries({T}) Array<(str,T)>
  Object.fromEntries(_) ?
  Object.freeze(T) T
  Object.seal(T) T
  Object.preventExtensions(T) T
  Object.create(T,_?) T
  Object.assign(T,T...) T
  Object.setPrototypeOf(T,_) T
  Array.from([T]) Array<T>
  Array.from([T],()U) Array<U>
  Array.of(T...) Array<T>
  Reflect.construct(_,_...) ?
  structuredClone(T,_?) T
  queueMicrotask(_) ?
  useMemo(()T,_?) T
  useCallback(T,_?) T
  useDeferredValue(T,_?) T
  useContext(~T) T
  use(~T) T
  useRef(T?) RefObject<T>
  createRef(T?) RefObject<T>
  useState(()T?) (T,?)
  useReducer(_,T,_?) (T,?)
  createContext(T?) Context<T>
  memo(^P,_?) MemoExoticComponent<P>
  createElement(^P,P?,_...) ?
  h(^P,P?,_...) ?
  jsx(^P,P?,_...) ?
  jsxs(^P,P?,_...) ?
  forwardRef<R,P>(^P) ForwardRefExoticComponent<P>
  ref(T?) Ref<T>
  shallowRef(T?) Ref<T>
  reactive(T) T
  readonly(T) T
  computed(()T) Ref<T>
  toRaw(T) T
  markRaw(T) T
  .push(E...) ?
  .unshift(E...) ?
  .splice(_,_,E...) Array<E>
  .flatMap(([U]),_?) Array<U>
  .fill(E,_?,_?) Array<E>
  .with(_,E) Array<E>
  .add(E) Set<E>
  .set(_,M) ?
  .next(E) ?
  .emit(E) ?
`);
