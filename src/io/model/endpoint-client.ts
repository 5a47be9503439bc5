/**
 * One question to an OpenAI-compatible endpoint: client, limits, retries, errors.
 *
 * What all adapters share, whatever they ask. An attempt is cut off by the caller's signal or by silence for
 * `timeoutMs`; failures that may pass are tried again, a bounded number of times, after the wait that the other
 * side asked for. All that can go wrong outside comes back as a {@link ModelError}; only an abort throws, with the
 * signal's reason.
 *
 * What leaves the machine: the prompt, the model's name and the key, to the one configured host.
 * Redirects are not followed, variables of the environment that the client library would read
 * are not used, and its identifying headers are dropped.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import OpenAI from 'openai';
import type { ModelError } from '../../model/model-error.js';
import { BodyTooLong, modelErrorOf, RedirectRefused } from './endpoint-error.js';
import { hostOf, type EndpointSettings } from './model-settings.js';

/** What came back, or what is wrong with its form, without its content. */
export type Got<T> = { readonly ok: true; readonly reply: T } | { readonly ok: false; readonly what: string };

/** Asks once. `progress` is to be called for every piece of an answer that arrives in pieces. */
export type Ask<T> = (client: OpenAI, signal: AbortSignal, progress: () => void) => Promise<Got<T>>;

/** `tries`: how often it was asked. */
export type Tried<T> =
  | { readonly ok: true; readonly reply: T; readonly tries: number }
  | { readonly ok: false; readonly error: ModelError; readonly tries: number };

/** Longest response that is read. */
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
/** How many times as long as it may be silent an answer may take, however steadily it trickles in. */
const WHOLE_ANSWER_TIMES = 10;
/** First wait before another try where the other side names none; doubles each time. */
const FIRST_WAIT_MS = 500;
const MAY_PASS: ReadonlySet<ModelError['kind']> = new Set(['unreachable', 'rate-limited', 'server']);
/** All headers that are sent. */
const HEADERS_SENT = ['accept', 'authorization', 'content-type'];

/** Asks until an answer comes, or a failure that will not pass, or tries run out. */
export async function askEndpoint<T>(settings: EndpointSettings, ask: Ask<T>, signal: AbortSignal): Promise<Tried<T>> {
  for (let tries = 1; ; tries++) {
    const result = await attempt(settings, ask, signal);
    if (result.ok) return { ...result, tries };
    const { error } = result;
    const waitMs = error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1);
    if (!MAY_PASS.has(error.kind) || tries > settings.retriesMax || waitMs > settings.retryWaitMsMax) {
      const message = tries === 1 ? error.message : `${error.message} (after ${tries} tries)`;
      return { ok: false, error: { ...error, message }, tries };
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

async function attempt<T>(
  settings: EndpointSettings,
  ask: Ask<T>,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly reply: T } | { readonly ok: false; readonly error: ModelError }> {
  const silence = new AbortController();
  const trickle = new AbortController();
  const either = AbortSignal.any([signal, silence.signal, trickle.signal]);
  const timer = setTimeout(() => silence.abort(), settings.timeoutMs);
  const wholeMs = settings.timeoutMs * WHOLE_ANSWER_TIMES;
  const end = setTimeout(() => trickle.abort(), wholeMs);
  try {
    const got = await abortable(
      ask(clientOf(settings, either), either, () => timer.refresh()),
      signal,
    );
    if (got.ok) return got;
    return {
      ok: false,
      error: {
        kind: 'bad-answer',
        message:
          `asked model ${settings.model} at ${hostOf(settings.baseUrl)}: ${got.what}; is this an ` +
          'OpenAI-compatible endpoint?',
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    const lateMs = silence.signal.aborted ? settings.timeoutMs : trickle.signal.aborted ? wholeMs : undefined;
    return { ok: false, error: modelErrorOf(error, settings, lateMs) };
  } finally {
    clearTimeout(timer);
    clearTimeout(end);
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
      if (bytes > RESPONSE_BYTES_MAX) controller.error(new BodyTooLong(`${RESPONSE_BYTES_MAX} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
