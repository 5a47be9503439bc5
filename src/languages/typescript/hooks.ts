/**
 * Members that interfaces and classes of ECMAScript, of browsers, Node and React ask of those below them. Source: the
 * declarations of TypeScript's own library, of Node and of React; `HTMLElement` by the HTML standard's custom elements.
 */
import { hooksOf } from '../hooks.js';

const COMPONENT = [
  'render',
  'componentDidMount componentDidUpdate componentWillUnmount componentDidCatch shouldComponentUpdate ' +
    'getSnapshotBeforeUpdate componentWillMount componentWillReceiveProps componentWillUpdate ' +
    'UNSAFE_componentWillMount UNSAFE_componentWillReceiveProps UNSAFE_componentWillUpdate getChildContext',
] as const;
const STREAM = '_read _write _writev _transform _flush _final _destroy _construct';
const ELEMENT = 'connectedCallback disconnectedCallback adoptedCallback attributeChangedCallback formResetCallback';

export const HOOKS = hooksOf({
  Iterable: ['[Symbol.iterator]', ''],
  Iterator: ['next', 'return throw'],
  IterableIterator: ['[Symbol.iterator] next', 'return throw'],
  AsyncIterable: ['[Symbol.asyncIterator]', ''],
  AsyncIterator: ['next', 'return throw'],
  AsyncIterableIterator: ['[Symbol.asyncIterator] next', 'return throw'],
  PromiseLike: ['then', ''],
  Promise: ['then catch finally [Symbol.toStringTag]', ''],
  Disposable: ['[Symbol.dispose]', ''],
  AsyncDisposable: ['[Symbol.asyncDispose]', ''],
  EventListenerObject: ['handleEvent', ''],
  EventTarget: ['', 'addEventListener removeEventListener dispatchEvent'],
  EventEmitter: [
    '',
    'addListener on once removeListener off removeAllListeners setMaxListeners getMaxListeners listeners ' +
      'rawListeners emit listenerCount prependListener prependOnceListener eventNames',
  ],
  Readable: ['', STREAM],
  Writable: ['', STREAM],
  Duplex: ['', STREAM],
  Transform: ['', STREAM],
  Component: COMPONENT,
  PureComponent: COMPONENT,
  HTMLElement: ['', ELEMENT],
});
