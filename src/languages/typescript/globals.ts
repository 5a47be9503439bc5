/**
 * Names that ECMAScript, its type library, browsers and Node define for every file.
 *
 * Only needed so that a declaration of the repository is not taken for one of them; a name that is
 * missing here and declared nowhere is from outside all the same.
 */
export const PLATFORM_NAMES: ReadonlySet<string> = new Set(
  `Array ArrayBuffer ArrayLike AsyncGenerator AsyncIterable AsyncIterableIterator AsyncIterator Atomics Awaited
  BigInt BigInt64Array BigUint64Array Boolean
  Capitalize ConstructorParameters DataView Date Disposable AsyncDisposable Error EvalError AggregateError Exclude
  Extract FinalizationRegistry Float32Array Float64Array Function
  Generator GeneratorFunction Infinity InstanceType Int16Array Int32Array Int8Array Intl Iterable IterableIterator
  Iterator JSON Lowercase Map Math NaN NoInfer NonNullable
  Number Object Omit OmitThisParameter Parameters Partial Pick Promise PromiseLike PromiseSettledResult
  PropertyDescriptor PropertyKey Proxy RangeError Readonly
  ReadonlyArray ReadonlyMap ReadonlySet Record ReferenceError Reflect RegExp RegExpExecArray RegExpMatchArray
  Required ReturnType Set SharedArrayBuffer String Symbol SyntaxError
  TemplateStringsArray ThisParameterType ThisType TypeError TypedPropertyDescriptor URIError Uint16Array Uint32Array
  Uint8Array Uint8ClampedArray Uncapitalize Uppercase
  WeakMap WeakRef WeakSet arguments decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis
  isFinite isNaN parseFloat parseInt undefined unescape
  AbortController AbortSignal Blob BroadcastChannel ByteLengthQueuingStrategy CSS CanvasRenderingContext2D
  CustomEvent DOMException DOMParser DOMRect Document Element Event
  EventSource EventTarget File FileList FileReader FormData HTMLElement HTMLInputElement Headers History Image
  ImageData IntersectionObserver KeyboardEvent Location
  MessageChannel MessageEvent MessagePort MouseEvent MutationObserver Navigator Node NodeList Notification
  Performance ReadableStream Request ResizeObserver Response
  Storage TextDecoder TextEncoder TransformStream URL URLSearchParams WebAssembly WebSocket Window Worker
  WritableStream XMLHttpRequest
  addEventListener alert atob btoa cancelAnimationFrame clearInterval clearTimeout confirm console crypto
  customElements dispatchEvent document fetch history indexedDB
  localStorage location matchMedia navigator performance postMessage prompt queueMicrotask removeEventListener
  requestAnimationFrame requestIdleCallback screen self
  sessionStorage setInterval setTimeout structuredClone window
  Buffer BufferEncoding NodeJS __dirname __filename clearImmediate exports global module process
  require setImmediate`.split(/\s+/),
);
