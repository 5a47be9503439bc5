/**
 * The edit model that asks an endpoint: a request in words, refused where it holds a secret, and its answer read.
 *
 * What the two adapters (`model-endpoint.ts`, `completions-endpoint.ts`) share; how an endpoint is reached stands in
 * `endpoint-client.ts`.
 */
import { shownName } from '../../base/shown.js';
import { answersTogether, wholeAnswer, type WholeAnswer } from '../../context/whole-answer.js';
import type { EditRequest } from '../../context/edit-request.js';
import { promptOf, type Prompt } from '../../context/prompt.js';
import { parsePick, pickPrompt, type PickRequest } from '../../context/pick.js';
import { findSecret, secretInPick, secretsIn } from '../../context/secrets.js';
import type { EditAnswer, EditModel, PickAnswer, Preview } from '../../edit/model/edit-model.js';
import { NO_USAGE, type Usage } from '../../model/usage.js';
import type { ModelError } from '../../model/model-error.js';
import { hostOf, type EndpointSettings } from './model-settings.js';

/** What an adapter makes of a response. */
export interface Reply {
  readonly text: string;
  readonly finish: string;
  readonly usage: Usage;
  readonly refusal?: string;
}

/** Asks, as often as it takes. */
export type Exchange = (prompt: Prompt, signal: AbortSignal) => Promise<Called>;

export type Called = { readonly ok: true; readonly reply: Reply } | { readonly ok: false; readonly error: ModelError };

/** How a request is said, and how the answer is read. */
export interface Form {
  readonly promptOf: (request: EditRequest, company?: readonly EditRequest[]) => Prompt;
  readonly parse: (answer: string, request: EditRequest) => WholeAnswer;
  /** The answers to several requests of one prompt; absent where each is asked on its own. */
  readonly parseTogether?: (answer: string, requests: readonly EditRequest[]) => readonly WholeAnswer[];
  /** Whether words are part of it: tasks, reasons, the question where to begin. */
  readonly hasWords: boolean;
}

export const IN_WORDS: Form = { promptOf, parse: wholeAnswer, hasWords: true };
export const CONVERSING: Form = { ...IN_WORDS, parseTogether: answersTogether };

/** The edit model that asks the endpoint in the way of `exchange`. */
export function endpointModel(
  id: string,
  settings: EndpointSettings,
  exchange: Exchange,
  form: Form = IN_WORDS,
): EditModel {
  const ask = async (requests: readonly EditRequest[], signal: AbortSignal): Promise<Called> => {
    signal.throwIfAborted();
    const message = refusalFor(requests, settings);
    if (message !== undefined) return { ok: false, error: { kind: 'secret', message } };
    const [first, ...company] = requests;
    return first === undefined
      ? { ok: false, error: { kind: 'bad-answer', message: 'nothing was asked' } }
      : exchange(form.promptOf(first, company), signal);
  };
  return {
    id,
    ...(form.hasWords ? {} : { readsWords: false }),
    preview(request: EditRequest, company: readonly EditRequest[] = []): Preview {
      const refused = refusalFor([request, ...company], settings);
      return {
        to: hostOf(settings.baseUrl),
        model: settings.model,
        prompt: form.promptOf(request, company),
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
            const called = await exchange(prompt, signal);
            if (!called.ok)
              return { kind: 'cannot', usage: NO_USAGE, reason: called.error.message, error: called.error };
            const { usage, text } = called.reply;
            const parsed = parsePick(text, request.candidates.length);
            return parsed.kind === 'picked' ? { ...parsed, usage } : { kind: 'cannot', usage, reason: parsed.reason };
          },
        }),
    ...(form.parseTogether === undefined
      ? {}
      : {
          editTogether: async (requests: readonly EditRequest[], signal: AbortSignal): Promise<EditAnswer[]> => {
            const asked = await ask(requests, signal);
            if (!asked.ok) return requests.map(() => notAnswered(id, asked.error));
            const read = form.parseTogether?.(asked.reply.text, requests) ?? [];
            return requests.map((_, at) =>
              answerOf(
                id,
                settings,
                at === 0 ? asked.reply : { ...asked.reply, usage: NO_USAGE },
                () => read[at] ?? { kind: 'refused', reason: 'the answer is empty' },
              ),
            );
          },
        }),
    async edit(request: EditRequest, signal: AbortSignal): Promise<EditAnswer> {
      const asked = await ask([request], signal);
      return asked.ok
        ? answerOf(id, settings, asked.reply, (text) => form.parse(text, request))
        : notAnswered(id, asked.error);
    },
  };
}

const notAnswered = (model: string, error: ModelError): EditAnswer => ({
  kind: 'cannot',
  model,
  usage: NO_USAGE,
  raw: '',
  reason: error.message,
  error,
});

/** At most so many are spelled out in one message. */
const SECRETS_NAMED_MOST = 3;

/** Why requests are not sent: they hold what looks like a secret, and the person has not allowed just that. */
function refusalFor(requests: readonly EditRequest[], { baseUrl, permits }: EndpointSettings): string | undefined {
  const fingerprintOf = permits?.fingerprintOf.bind(permits) ?? ((...parts) => JSON.stringify(parts));
  const held = requests
    .flatMap((request) => secretsIn(request, fingerprintOf))
    .filter(({ fingerprint }) => permits?.isAllowed(fingerprint) !== true);
  if (held.length === 0) return undefined;
  permits?.noteHeld(held.map(({ fingerprint }) => fingerprint));
  const named = held.slice(0, SECRETS_NAMED_MOST);
  const places = named.map(
    ({ part, line, file, block, what, rule }) =>
      (part === 'the fragment'
        ? `${shownName(file)}:${line}`
        : `line ${line} of ${part} (${block} in ${shownName(file)})`) + ` looks like ${what} (rule ${rule})`,
  );
  const rest = held.length === named.length ? '' : ` (and ${held.length - named.length} more)`;
  const anyway =
    permits === undefined
      ? ''
      : '; if it is none, send it with: codeplan propagate ' +
        named.map(({ fingerprint }) => `--send-anyway ${fingerprint}`).join(' ');
  return (
    `nothing was sent to ${hostOf(baseUrl)}: ${places.join(', ')}${rest}; move it out of the code, or make ` +
    `this edit by hand${anyway}`
  );
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
      message:
        `the answer of model ${settings.model} at ${host} was cut off at its token limit; edit this block by ` +
        'hand, or use a model with a longer context',
    });
  }
  const parsed = parse(reply.text);
  if (parsed.kind === 'refused') return { ...answered, kind: 'cannot', reason: parsed.reason };
  return { ...answered, ...parsed };
}
