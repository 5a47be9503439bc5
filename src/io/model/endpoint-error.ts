/**
 * Whatever a call to a model endpoint threw, as one of the closed union of model errors.
 *
 * Messages name the host, the model and what to do. What the other side wrote is quoted in short,
 * with keys taken out; for a refused key it is not quoted at all, because servers like to repeat
 * the key there.
 */
import OpenAI from 'openai';
import { withoutSecrets } from '../../context/secrets.js';
import type { ModelError } from '../../model/model-error.js';
import { hostOf, type EndpointSettings } from './model-settings.js';

/** The endpoint answered with a redirect. */
export class RedirectRefused extends Error {
  constructor(readonly location: string) {
    super('redirect refused');
  }
}

/** More would be no answer: what it is read with takes time, and the memory of many may be asked for at once. */
const ANSWER_CHARACTERS_MOST = 500_000;

/** The same text, or it is too long for an answer. */
export function boundedAnswer(text: string): string {
  if (text.length > ANSWER_CHARACTERS_MOST) throw new BodyTooLong(`${ANSWER_CHARACTERS_MOST} characters`);
  return text;
}

/** The response went on beyond the bound; `most` has its unit. */
export class BodyTooLong extends Error {
  constructor(readonly most: string) {
    super('response too long');
  }
}

/** A stream that ended before the model was done. */
export class StreamCut extends Error {
  constructor() {
    super('the connection was closed in the middle of the answer');
  }
}

/** Two lines: an endpoint says what is wrong first, or answers with a whole page. */
const QUOTE_CHARACTERS_MAX = 200;

/** `lateMs`: the time limit by which the attempt was cut off, if it was. */
export function modelErrorOf(error: unknown, settings: EndpointSettings, lateMs: number | undefined): ModelError {
  const asked = `asked model ${settings.model} at ${hostOf(settings.baseUrl)}`;
  if (lateMs !== undefined)
    return {
      kind: 'timeout',
      message:
        `${asked}: no answer within ${Math.round(lateMs / 100) / 10} s; try a smaller model or a longer time ` +
        'limit',
    };
  const chain = causesOf(error);
  const redirect = chain.find((cause) => cause instanceof RedirectRefused);
  if (redirect !== undefined) {
    return {
      kind: 'refused',
      message:
        `${asked}: it redirects${placeOf(redirect.location, settings.baseUrl)}, which is not followed; set the ` +
        'base URL to the address that answers itself',
    };
  }
  const long = chain.find((cause) => cause instanceof BodyTooLong);
  if (long !== undefined) return { kind: 'bad-answer', message: `${asked}: the response is longer than ${long.most}` };
  if (error instanceof OpenAI.APIConnectionTimeoutError || chain.some((cause) => codeOf(cause).endsWith('_TIMEOUT'))) {
    return { kind: 'timeout', message: `${asked}: the connection timed out; is the server busy?` };
  }
  if (error instanceof OpenAI.APIError && typeof error.status === 'number') {
    const { status, param } = error as ApiError;
    const parameter = typeof param === 'string' ? { parameter: param } : {};
    return { ...statusError(error as ApiError, error.status, asked, settings), status: status as number, ...parameter };
  }
  if (chain.some((cause) => cause instanceof SyntaxError)) {
    return {
      kind: 'bad-answer',
      message: `${asked}: the response is not JSON; does the base URL end with the path of the API, such as /v1?`,
    };
  }
  const why =
    chain.map((cause) => codeOf(cause)).find((code) => code !== '') ?? chain.at(-1)?.message ?? 'unknown error';
  return {
    kind: 'unreachable',
    message: `${asked}: ${quoted(explained(why), settings)}; is the server running, and is the address right?`,
  };
}

type ApiError = InstanceType<typeof OpenAI.APIError>;

function statusError(error: ApiError, status: number, asked: string, settings: EndpointSettings): ModelError {
  const said = quoted(saidBy(error), settings);
  const because = said === '' ? `status ${status}` : `status ${status}, "${said}"`;
  if (status === 401 || status === 403) {
    const key =
      settings.apiKey === undefined
        ? 'no key was sent; set CODEPLAN_API_KEY'
        : 'the key was not accepted; check CODEPLAN_API_KEY';
    return { kind: 'unauthorised', message: `${asked}: status ${status}, ${key}` };
  }
  if (status === 404)
    return {
      kind: 'not-found',
      message:
        `${asked}: ${because}; check the model's name and that the base URL ends with the path of the API, ` +
        'such as /v1',
    };
  if (
    status === 413 ||
    error.code === 'context_length_exceeded' ||
    /context (?:length|window|size)|too many tokens|maximum context/i.test(said)
  ) {
    return {
      kind: 'too-long',
      message: `${asked}: the prompt does not fit (${because}); use a model with a longer context`,
    };
  }
  if (status === 429) {
    if (error.code === 'insufficient_quota')
      return { kind: 'refused', message: `${asked}: the account's quota is used up (status 429)` };
    const wait = retryAfterMs(error.headers);
    const when = wait === undefined ? 'try again later' : `try again in ${Math.ceil(wait / 1000)} s`;
    return {
      kind: 'rate-limited',
      message: `${asked}: too many requests (status 429); ${when}`,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  if (status >= 500 || status === 408 || status === 409) {
    const wait = retryAfterMs(error.headers);
    return {
      kind: 'server',
      message: `${asked}: the server failed (${because}); try again later`,
      ...(wait === undefined ? {} : { retryAfterMs: wait }),
    };
  }
  return { kind: 'refused', message: `${asked}: the request was refused (${because})` };
}

/** `Retry-After` in seconds or as a date, or the finer `retry-after-ms`; undefined if absent or unreadable. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const fine = headers?.get('retry-after-ms')?.trim();
  if (fine !== undefined && /^\d+(?:\.\d+)?$/.test(fine)) return Number(fine);
  const coarse = headers?.get('retry-after')?.trim();
  if (coarse === undefined) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(coarse)) return Number(coarse) * 1000;
  const date = Date.parse(coarse);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** What the server itself said: the message in its error document, else what the library made of the body. */
function saidBy(error: ApiError): string {
  const body: unknown = error.error;
  const inner = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)['message'] : body;
  return typeof inner === 'string' ? inner : error.message.replace(/^\d{3} (?:status code )?/, '');
}

/** One short line without keys. */
function quoted(text: string, settings: EndpointSettings): string {
  const key = settings.apiKey ?? '';
  const clean = withoutSecrets(key === '' ? text : text.replaceAll(key, '***'))
    .replace(/\s+/g, ' ')
    .trim();
  return clean.length > QUOTE_CHARACTERS_MAX ? `${clean.slice(0, QUOTE_CHARACTERS_MAX)}…` : clean;
}

function placeOf(location: string, baseUrl: string): string {
  if (!URL.canParse(location, baseUrl)) return '';
  return ` to ${new URL(location, baseUrl).host}`;
}

function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 8; at = at.cause) chain.push(at);
  return chain;
}

function codeOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === 'string' ? code : '';
}

const EXPLANATIONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there (ECONNREFUSED)',
  ENOTFOUND: 'there is no host of that name (ENOTFOUND)',
  EAI_AGAIN: 'the host name could not be looked up (EAI_AGAIN)',
  ECONNRESET: 'the connection was reset (ECONNRESET)',
  UND_ERR_SOCKET: 'the connection was closed early',
};

function explained(code: string): string {
  return EXPLANATIONS[code] ?? code;
}
