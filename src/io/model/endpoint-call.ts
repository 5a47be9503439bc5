/**
 * One question to an OpenAI-compatible endpoint: client, limits, retries, errors.
 *
 * What the two adapters (`model-endpoint.ts`, `completions-endpoint.ts`) share. An attempt is cut
 * off by the caller's signal or by silence for `timeoutMs`; failures that may pass are tried again,
 * a bounded number of times, after the wait that the other side asked for. All that can go wrong
 * outside comes back as a {@link ModelError}; only an abort throws, with the signal's reason.
 *
 * What leaves the machine: the prompt, the model's name and the key, to the one configured host.
 * Redirects are not followed, variables of the environment that the client library would read
 * are not used, and its identifying headers are dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { shownName } from '../../base/shown.js';
import OpenAI from 'openai';
import { wholeAnswer, type WholeAnswer } from '../../context/whole-answer.js';
import type { EditRequest } from '../../context/edit-request.js';
import { promptOf, type Prompt } from '../../context/prompt.js';
import { parsePick, pickPrompt, type PickRequest } from '../../context/pick.js';
import { findSecret, secretInPick, secretsIn } from '../../context/secrets.js';
import {
  NO_USAGE,
  type EditAnswer,
  type EditModel,
  type PickAnswer,
  type Usage,
  type Preview,
} from '../../edit/model/edit-model.js';
import type { ModelError } from '../../edit/model/model-error.js';
import { BodyTooLong, modelErrorOf, RedirectRefused } from './endpoint-error.js';
import { hostOf, type EndpointSettings } from './model-settings.js';

/** What an adapter makes of a response. */
export type Exchanged =
  | {
      readonly kind: 'reply';
      readonly text: string;
      readonly finish: string;
      readonly usage: Usage;
      readonly refusal?: string;
    }
  /** The response has not the form it should have; `what` says what is wrong, without its content. */
  | { readonly kind: 'malformed'; readonly what: string };

/** Asks once. `progress` is to be called for every piece of an answer that arrives in pieces. */
export type Exchange = (
  client: OpenAI,
  prompt: Prompt,
  signal: AbortSignal,
  progress: () => void,
) => Promise<Exchanged>;

/** Longest response that is read. */
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
/** First wait before another try where the other side names none; doubles each time. */
const FIRST_WAIT_MS = 500;
const MAY_PASS: ReadonlySet<ModelError['kind']> = new Set(['unreachable', 'rate-limited', 'server']);
/** All headers that are sent. */
const HEADERS_SENT = ['accept', 'authorization', 'content-type'];

/** How a request is said, and how the answer is read. */
export interface Form {
  readonly promptOf: (request: EditRequest) => Prompt;
  readonly parse: (answer: string, request: EditRequest) => WholeAnswer;
  /** Whether words are part of it: tasks, reasons, the question where to begin. */
  readonly hasWords: boolean;
}

export const IN_WORDS: Form = { promptOf, parse: wholeAnswer, hasWords: true };

/** The edit model that asks the endpoint in the way of `exchange`. */
export function endpointModel(
  id: string,
  settings: EndpointSettings,
  exchange: Exchange,
  form: Form = IN_WORDS,
): EditModel {
  return {
    id,
    ...(form.hasWords ? {} : { readsWords: false }),
    preview(request: EditRequest): Preview {
      const refused = refusalFor(request, settings);
      return {
        to: hostOf(settings.baseUrl),
        model: settings.model,
        prompt: form.promptOf(request),
        ...(refused === undefined ? {} : { refused }),
      };
    },
    ...(!form.hasWords
      ? {}
      : {
          pick: async (request: PickRequest, signal: AbortSignal): Promise<PickAnswer> => {
            signal.throwIfAborted();
            const prompt = pickPrompt(request);
            const message = pickRefusalFor(request, prompt, settings);
            if (message !== undefined)
              return { kind: 'cannot', usage: NO_USAGE, reason: message, error: { kind: 'secret', message } };
            const called = await call(settings, exchange, prompt, signal);
            if (!called.ok)
              return { kind: 'cannot', usage: NO_USAGE, reason: called.error.message, error: called.error };
            const { usage, text } = called.reply;
            const parsed = parsePick(text, request.candidates.length);
            return parsed.kind === 'picked' ? { ...parsed, usage } : { kind: 'cannot', usage, reason: parsed.reason };
          },
        }),
    async edit(request: EditRequest, signal: AbortSignal): Promise<EditAnswer> {
      signal.throwIfAborted();
      const message = refusalFor(request, settings);
      if (message !== undefined) {
        return {
          kind: 'cannot',
          model: id,
          usage: NO_USAGE,
          raw: '',
          reason: message,
          error: { kind: 'secret', message },
        };
      }
      const called = await call(settings, exchange, form.promptOf(request), signal);
      if (!called.ok)
        return {
          kind: 'cannot',
          model: id,
          usage: NO_USAGE,
          raw: '',
          reason: called.error.message,
          error: called.error,
        };
      return answerOf(id, settings, called.reply, (text) => form.parse(text, request));
    },
  };
}

/** At most so many are spelled out in one message. */
const SECRETS_NAMED_MOST = 3;

/** Why a request is not sent: it holds what looks like a secret, and the person has not allowed just that. */
function refusalFor(request: EditRequest, { baseUrl, permits }: EndpointSettings): string | undefined {
  const fingerprintOf = permits?.fingerprintOf.bind(permits) ?? ((...parts) => JSON.stringify(parts));
  const held = secretsIn(request, fingerprintOf).filter(({ fingerprint }) => permits?.isAllowed(fingerprint) !== true);
  if (held.length === 0) return undefined;
  permits?.noteHeld(held.map(({ fingerprint }) => fingerprint));
  const named = held.slice(0, SECRETS_NAMED_MOST);
  const places = named.map(
    ({ part, line, file, block, what, rule }) =>
      `${part === 'the fragment' ? `${shownName(file)}:${line}` : `line ${line} of ${part} (${block} in ${shownName(file)})`} looks like ${what} (rule ${rule})`,
  );
  const rest = held.length === named.length ? '' : ` (and ${held.length - named.length} more)`;
  const anyway =
    permits === undefined
      ? ''
      : `; if it is none, send it with: codeplan propagate ${named.map(({ fingerprint }) => `--send-anyway ${fingerprint}`).join(' ')}`;
  return `nothing was sent to ${hostOf(baseUrl)}: ${places.join(', ')}${rest}; move it out of the code, or make this edit by hand${anyway}`;
}

function pickRefusalFor(request: PickRequest, prompt: Prompt, { baseUrl }: EndpointSettings): string | undefined {
  // As a whole as well: what is shortened or stands side by side may look like one only there.
  const own = secretInPick(request);
  const found = own ?? findSecret(prompt.messages.map((message) => message.content).join('\n'));
  if (found === undefined) return undefined;
  const place =
    own === undefined
      ? 'the list of blocks to choose from'
      : own.file === undefined
        ? `line ${own.line} of the task`
        : `${shownName(own.file)}:${own.line}, among the blocks to choose from,`;
  const advice =
    own?.file === undefined && own !== undefined ? 'leave it out of the task' : 'name the blocks to begin with instead';
  return `nothing was sent to ${hostOf(baseUrl)}: ${place} looks like ${found.what} (rule ${found.rule}); ${advice}`;
}

type Reply = Extract<Exchanged, { kind: 'reply' }>;
type Called = { readonly ok: true; readonly reply: Reply } | { readonly ok: false; readonly error: ModelError };

function answerOf(
  id: string,
  settings: EndpointSettings,
  reply: Reply,
  parse: (text: string) => WholeAnswer,
): EditAnswer {
  const answered = { model: id, usage: reply.usage, raw: reply.text };
  const host = hostOf(settings.baseUrl);
  const cannot = (error: ModelError): EditAnswer => ({ ...answered, kind: 'cannot', reason: error.message, error });
  if (reply.refusal !== undefined || reply.finish === 'content_filter') {
    return cannot({ kind: 'refused', message: `model ${settings.model} at ${host} declined to answer` });
  }
  if (reply.finish === 'length') {
    return cannot({
      kind: 'too-long',
      message: `the answer of model ${settings.model} at ${host} was cut off at its token limit; edit this block by hand, or use a model with a longer context`,
    });
  }
  const parsed = parse(reply.text);
  if (parsed.kind === 'refused') return { ...answered, kind: 'cannot', reason: parsed.reason };
  return { ...answered, ...parsed };
}

async function call(
  settings: EndpointSettings,
  exchange: Exchange,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<Called> {
  for (let tries = 1; ; tries++) {
    const result = await attempt(settings, exchange, prompt, signal);
    if (result.ok) return result;
    const { error } = result;
    const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1);
    if (!MAY_PASS.has(error.kind) || tries > settings.retriesMax || waitMs > settings.retryWaitMsMax) {
      const message = tries === 1 ? error.message : `${error.message} (after ${tries} tries)`;
      return { ok: false, error: { ...error, message } };
    }
    await abortable(sleep(waitMs, undefined, { signal }), signal);
  }
}

/** The promise, with the reason of the signal in the place of whatever an abort made it reject with. */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}

async function attempt(
  settings: EndpointSettings,
  exchange: Exchange,
  prompt: Prompt,
  signal: AbortSignal,
): Promise<Called> {
  const silence = new AbortController();
  const either = AbortSignal.any([signal, silence.signal]);
  const timer = setTimeout(() => silence.abort(), settings.timeoutMs);
  try {
    const exchanged = await abortable(
      exchange(clientOf(settings, either), prompt, either, () => timer.refresh()),
      signal,
    );
    if (exchanged.kind === 'reply') return { ok: true, reply: exchanged };
    return {
      ok: false,
      error: {
        kind: 'bad-answer',
        message: `asked model ${settings.model} at ${hostOf(settings.baseUrl)}: ${exchanged.what}; is this an OpenAI-compatible endpoint?`,
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, error: modelErrorOf(error, settings, silence.signal.aborted) };
  } finally {
    clearTimeout(timer);
  }
}

/** Placeholder that satisfies the client library; the header it would go to is not sent. */
const NO_KEY = 'none';
/** The library's own timer must not run out before ours. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

function clientOf(settings: EndpointSettings, signal: AbortSignal): OpenAI {
  return new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey ?? NO_KEY,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch: (input, init) => guardedFetch(input, init ?? {}, settings.apiKey !== undefined, signal),
  });
}

async function guardedFetch(
  input: string | URL | Request,
  init: RequestInit,
  withKey: boolean,
  signal: AbortSignal,
): Promise<Response> {
  const given = new Headers(init.headers);
  const headers = new Headers();
  for (const name of HEADERS_SENT) {
    const value = given.get(name);
    if (value !== null && (withKey || name !== 'authorization')) headers.set(name, value);
  }
  const response = await fetch(input, { ...init, headers, redirect: 'manual', signal });
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    throw new RedirectRefused(response.headers.get('location') ?? '');
  }
  const { status, statusText } = response;
  return new Response(response.body?.pipeThrough(limited()) ?? null, { status, statusText, headers: response.headers });
}

function limited(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > RESPONSE_BYTES_MAX) controller.error(new BodyTooLong(RESPONSE_BYTES_MAX));
      else controller.enqueue(chunk);
    },
  });
}
