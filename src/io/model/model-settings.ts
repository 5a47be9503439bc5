/**
 * Which model endpoint to ask, from the environment; nothing is asked unless it is named there.
 *
 * `CODEPLAN_*` come first and `OPENAI_*` second, each on its own, so that a person may point
 * `CODEPLAN_BASE_URL` to a server of their own and keep the rest. There is no default address: no
 * code leaves the machine because a key happened to be set. The key may be missing, for servers on
 * the own machine.
 */
import type { Permits } from '../settings/secret-permits.js';

export interface EndpointSettings {
  /** Without a slash at the end: `https://host/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Whether the answer is read as it is written; keeps slow models from running into the time limit. */
  readonly streaming: boolean;
  /** Longest wait for the answer, or, streaming, for its next piece. */
  readonly timeoutMs: number;
  /** Tries after the first. */
  readonly retriesMax: number;
  /** Longest wait between two tries; an endpoint that asks for more is given up on. */
  readonly retryWaitMsMax: number;
  /** What the person lets be sent although it looks like a secret; without it, nothing. */
  readonly permits?: Permits;
}

export type SettingsResult =
  { readonly ok: true; readonly settings: EndpointSettings } | { readonly ok: false; readonly message: string };

export const ENDPOINT_DEFAULTS = {
  streaming: true,
  timeoutMs: 120_000,
  retriesMax: 3,
  retryWaitMsMax: 60_000,
} as const;

export function settingsFromEnvironment(environment: Readonly<Record<string, string | undefined>>): SettingsResult {
  const value = (name: string): string | undefined =>
    given(environment[`CODEPLAN_${name}`]) ?? given(environment[`OPENAI_${name}`]);
  const baseUrl = value('BASE_URL');
  const model = value('MODEL');
  if (baseUrl === undefined) {
    return {
      ok: false,
      message:
        'no model endpoint is configured: set CODEPLAN_BASE_URL (or OPENAI_BASE_URL) to an OpenAI-compatible ' +
        'address such as http://127.0.0.1:11434/v1',
    };
  }
  const url = checkedUrl(baseUrl);
  if (!url.ok) return url;
  if (model === undefined)
    return { ok: false, message: `no model is named for ${hostOf(url.baseUrl)}: set CODEPLAN_MODEL` };
  return { ok: true, settings: { ...ENDPOINT_DEFAULTS, baseUrl: url.baseUrl, apiKey: value('API_KEY'), model } };
}

/** Host and port of an address, all of it that messages show. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

function given(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function checkedUrl(
  text: string,
): { readonly ok: true; readonly baseUrl: string } | { readonly ok: false; readonly message: string } {
  if (!URL.canParse(text))
    return { ok: false, message: 'the base URL of the model endpoint is not a URL; it looks like https://host/v1' };
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return {
      ok: false,
      message: `the base URL of the model endpoint must begin with https:// or http://, not ${url.protocol}//`,
    };
  }
  if (url.username !== '' || url.password !== '') {
    return {
      ok: false,
      message:
        `the base URL of the model endpoint ${url.host} holds a user or password; put the key into ` +
        'CODEPLAN_API_KEY',
    };
  }
  if (url.search !== '')
    return {
      ok: false,
      message: `the base URL of the model endpoint ${url.host} has a query; only the path up to /v1 belongs there`,
    };
  return { ok: true, baseUrl: `${url.origin}${url.pathname.replace(/\/+$/, '')}` };
}
