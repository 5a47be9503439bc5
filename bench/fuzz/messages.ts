/**
 * Random bytes of a client, made from one number each: valid messages of every method, of ours and of LSP, with
 * parameters, envelope, JSON, encoding, header or length made odd.
 *
 * Nothing asks the daemon to end, and nothing names a place outside of its root. Questions that cost much are rare, and
 * texts are flat: how long an answer takes is not what is looked for here.
 */
import { METHODS, type MethodName } from '#protocol/methods.js';
import { randomNumbers } from '../../test/support/random-numbers.js';
import { RENAMED_STORE, SHOP } from '../../test/support/shop.js';
import { oddValue } from './values.js';

export interface Bytes {
  readonly bytes: Buffer;
  /** Whether nothing can be read behind it. */
  readonly breaksFraming: boolean;
}

type Random = () => number;
interface Call {
  readonly method: string;
  readonly params: unknown;
  readonly isRequest: boolean;
}

const FILES = [...Object.keys(SHOP), 'new.py', 'A.java', 'b.ts', 'C.cs', 'nothing.txt'];
const TEXTS = [
  ...Object.values(SHOP),
  RENAMED_STORE,
  '',
  'class A { void f() { } }\n',
  'def f(:\n',
  'é𝒳\n\0\u2028x\r\n',
];
/** Dear: each reads git, or walks the whole graph. One in a hundred messages. */
const DEAR: ReadonlySet<string> = new Set<MethodName>([
  ...(['codeplan/impact', 'codeplan/plan', 'codeplan/prompt', 'codeplan/graph', 'codeplan/page'] as const),
  ...(['codeplan/execute', 'codeplan/undo', 'codeplan/log', 'codeplan/edits'] as const),
]);
const DEAR_SHARE = 0.01;
/** The first two open the session, and are no random message; the last ends the daemon, as it should. */
const LEFT_OUT: ReadonlySet<string> = new Set<MethodName>(['codeplan/handshake', 'codeplan/stop']);

const OWN: readonly Call[] = Object.entries(METHODS)
  .filter(([method]) => !LEFT_OUT.has(method))
  .map(([method, { kind, example }]) => ({ method, params: example.params, isRequest: kind === 'request' }));
const DEAR_CALLS = OWN.filter(({ method }) => DEAR.has(method));
const CHEAP_CALLS = OWN.filter(({ method }) => !DEAR.has(method));

/** The message that belongs to a number. `root`: a URI. */
export function messageOf(number: number, root: string): Bytes {
  const random = randomNumbers(number);
  const call = callOf(random, root);
  const odd = random();
  const params = odd < 0.45 ? oddValue(call.params, Math.floor(random() * 2 ** 31)) : call.params;
  const message = {
    jsonrpc: '2.0',
    ...(call.isRequest ? { id: Math.floor(random() * 1000) + 10 } : {}),
    method: call.method,
    params,
  };
  const envelope = odd < 0.6 ? message : odd < 0.75 ? oddEnvelope(message, random) : message;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- an odd envelope may be undefined
  const body = Buffer.from(JSON.stringify(envelope) ?? 'null');
  if (odd < 0.85) return framedAs(body, `Content-Length: ${body.length}\r\n\r\n`);
  if (odd < 0.93) {
    const changed = oddBytes(body, random);
    return framedAs(changed, `Content-Length: ${changed.length}\r\n\r\n`);
  }
  return oddFraming(body, random);
}

const framedAs = (body: Buffer, header: string, breaksFraming = false): Bytes => ({
  bytes: Buffer.concat([Buffer.from(header, 'latin1'), body]),
  breaksFraming,
});

function one<T>(list: readonly T[], random: Random): T {
  if (list.length === 0) throw new Error('nothing to choose from');
  return list[Math.floor(random() * list.length)] as T;
}

function callOf(random: Random, root: string): Call {
  if (random() < DEAR_SHARE) return one(DEAR_CALLS, random);
  const kind = random();
  if (kind < 0.35) return one(CHEAP_CALLS, random);
  if (kind < 0.9) return editorCall(random, root);
  return {
    method: one(
      ['', '$/nothing', '$/cancelRequest', 'codeplan/nothing', 'toString', '__proto__', 'initialize'],
      random,
    ),
    params: one([undefined, { id: 12 }, { id: {} }, [], { token: 1 }, { capabilities: {} }], random),
    isRequest: random() < 0.5,
  };
}

function editorCall(random: Random, root: string): Call {
  const uri = `${root}/${one(FILES, random)}`;
  const line = Math.floor(random() * 12);
  const character = Math.floor(random() * 30);
  const range = { start: { line, character }, end: { line: line + Math.floor(random() * 3), character } };
  const version = Math.floor(random() * 20);
  const tell = (method: string, params: object): Call => ({ method, params, isRequest: false });
  const ask = (method: string, params: object): Call => ({ method, params, isRequest: true });
  const makers: readonly (() => Call)[] = [
    () =>
      tell('textDocument/didOpen', { textDocument: { uri, languageId: 'python', version, text: one(TEXTS, random) } }),
    () =>
      tell('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ range, text: one(['x', '\n', '(', ')', '    pass\n', '', '𝒳', 'def f():\n'], random) }],
      }),
    () =>
      tell('textDocument/didChange', {
        textDocument: { uri, version },
        contentChanges: [{ text: one(TEXTS, random) }],
      }),
    () => tell('textDocument/didClose', { textDocument: { uri } }),
    () => tell('textDocument/didSave', { textDocument: { uri } }),
    () => tell('workspace/didCreateFiles', { files: [{ uri }] }),
    () => tell('workspace/didRenameFiles', { files: [{ oldUri: uri, newUri: `${uri}2` }] }),
    () => tell('initialized', {}),
    () => tell('$/cancelRequest', { id: Math.floor(random() * 1000) + 10 }),
    () => tell('window/workDoneProgress/cancel', { token: 1 }),
    () => ask('textDocument/codeLens', { textDocument: { uri } }),
    () => ask('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [] } }),
    () =>
      ask('workspace/executeCommand', { command: 'codeplan.dismiss', arguments: [{ file: 'job.py', block: 'save' }] }),
  ];
  return one(makers, random)();
}

function oddEnvelope(message: Readonly<Record<string, unknown>>, random: Random): unknown {
  const makers: readonly (() => unknown)[] = [
    () => oddValue(message, Math.floor(random() * 2 ** 31)),
    () => ({ ...message, id: one([null, {}, [], '', 'x'.repeat(300), 1.5, -1, true, 2 ** 60], random) }),
    () => ({ ...message, jsonrpc: one([undefined, '1.0', 2, null], random) }),
    () => [message, message],
    () => ({ jsonrpc: '2.0', id: message['id'], result: message['params'] }),
    () => ({ jsonrpc: '2.0', id: message['id'], error: { code: 'x', message: 7 } }),
    () => one([null, 7, 'x', [], {}, [[]], true], random),
  ];
  return one(makers, random)();
}

/** Flipped, lost, doubled and foreign bytes. */
function oddBytes(body: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * body.length);
  const [head, tail] = [body.subarray(0, at), body.subarray(at)];
  const makers: readonly (() => Buffer)[] = [
    () => Buffer.concat([head, Buffer.from([Math.floor(random() * 256)]), tail.subarray(1)]),
    () => Buffer.concat([head, tail.subarray(Math.floor(random() * 20))]),
    () => Buffer.concat([head, Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0]), tail]),
    () => Buffer.from(body.toString('utf8'), 'utf16le'),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.concat([head, head, tail]),
    () => Buffer.from('['.repeat(Math.floor(random() * 3000))),
    () => Buffer.alloc(0),
  ];
  return one(makers, random)();
}

function oddFraming(body: Buffer, random: Random): Bytes {
  const length = body.length;
  const makers: readonly (() => Bytes)[] = [
    () => framedAs(body, `content-length:${length}\r\n\r\n`),
    () =>
      framedAs(
        body,
        `X-Other: 1\r\nContent-Length: ${length}\r\nContent-Type: application/json; charset=utf-8\r\n\r\n`,
      ),
    () => framedAs(body, `Content-Length: ${length}\r\nContent-Type: application/json; charset=utf-99\r\n\r\n`, true),
    () => framedAs(body, `Content-Length: ${Math.floor(random() * length)}\r\n\r\n`, true),
    () => framedAs(body, `Content-Length: ${length + Math.floor(random() * 2000)}\r\n\r\n`, true),
    () =>
      framedAs(body, `Content-Length: ${one(['-1', '0x10', '1e3', '', 'x', '9'.repeat(30)], random)}\r\n\r\n`, true),
    () => framedAs(body, `Content-Length: 5\r\nContent-Length: ${length}\r\n\r\n`, true),
    () => framedAs(body, `Content-Length: ${length}\n\n`, true),
    () => framedAs(body, one(['Hello: world\r\n\r\n', '\r\n\r\n', 'x'.repeat(6000), '\0\0\0\0'], random), true),
    () => framedAs(body.subarray(0, Math.floor(length / 2)), `Content-Length: ${length}\r\n\r\n`, true),
  ];
  // What breaks the framing ends its connection: rare, or few messages would be read.
  return random() < 0.6 ? one(makers.slice(0, 2), random)() : one(makers, random)();
}
