/**
 * The `completions` and `fill-in` edit models: endpoints that continue a text (`/v1/completions`).
 *
 * For models without a conversation format. The prompt is the same, as one text that ends where
 * the answer begins. Such models go on to write further tasks for themselves, so the headings of
 * the prompt stop them; and servers stop after a few tokens unless told how many are wanted.
 */
import * as z from 'zod';
import type { WholeAnswer } from '../../context/whole-answer.js';
import type { EditRequest } from '../../context/edit-request.js';
import { LINE_EDIT_STOP, lineEditPrompt, parseLineEdits } from '../../context/line-edit.js';
import { promptText, type Prompt } from '../../context/prompt.js';
import { estimateTokens } from '../../context/tokens.js';
import type { EditModel } from '../../edit/model/edit-model.js';
import { NO_USAGE } from '../../model/usage.js';
import { askEndpoint, type Ask } from './endpoint-client.js';
import { endpointModel, type Exchange, type Reply } from './endpoint-call.js';
import { boundedAnswer, StreamCut } from './endpoint-error.js';
import { usageOf, usageShape } from './chat-endpoint.js';
import type { EndpointSettings } from './model-settings.js';

export function completionsModel(settings: EndpointSettings): EditModel {
  return endpointModel('completions', settings, exchangeOf(settings, AS_TEXT));
}

/** For models that continue edits (`context/line-edit.ts`). */
export function fillInModel(settings: EndpointSettings): EditModel {
  const form = {
    promptOf: lineEditPrompt,
    parse: (answer: string, request: EditRequest): WholeAnswer => parseLineEdits(answer, request.fragment),
    hasWords: false,
  };
  return endpointModel('fill-in', settings, exchangeOf(settings, AS_LINES), form);
}

const exchangeOf =
  (settings: EndpointSettings, written: Written): Exchange =>
  (prompt, signal) => {
    const asked = parameters(settings, written, prompt);
    return askEndpoint(settings, settings.streaming ? streamed(asked) : whole(asked), signal);
  };

/** How a prompt becomes a text, and where its continuation stops. */
interface Written {
  readonly textOf: (prompt: Prompt) => string;
  readonly stop: readonly string[];
}

/** Beginnings of the prompt's parts; four is what servers allow. */
const STOP = ['\n# Task\n', '\n# Edits so far', '\n# The fragment:', '\n# Answer\n'];
const AS_TEXT: Written = { textOf: promptText, stop: STOP };
const AS_LINES: Written = {
  textOf: (prompt) => prompt.messages.map((message) => message.content).join('\n'),
  stop: LINE_EDIT_STOP,
};
/** An answer repeats the fragment, which is the larger part of a prompt only when there is little context. */
const ANSWER_TOKENS_MIN = 1024;

const completionShape = z.object({
  choices: z.array(z.object({ text: z.string(), finish_reason: z.string().nullish() })),
  usage: usageShape,
});

interface Parameters {
  readonly model: string;
  readonly prompt: string;
  readonly temperature: number;
  readonly max_tokens: number;
  readonly stop: string[];
}

function parameters(settings: EndpointSettings, written: Written, prompt: Prompt): Parameters {
  const text = written.textOf(prompt);
  return {
    model: settings.model,
    prompt: text,
    temperature: 0,
    max_tokens: Math.max(ANSWER_TOKENS_MIN, Math.ceil(estimateTokens(text) / 2)),
    stop: [...written.stop],
  };
}

function whole(asked: Parameters): Ask<Reply> {
  return async (client, signal) => {
    const response: unknown = await client.completions.create({ ...asked, stream: false }, { signal });
    const parsed = completionShape.safeParse(response);
    if (!parsed.success) return { ok: false, what: 'the response is not a completion' };
    const choice = parsed.data.choices[0];
    if (choice === undefined) return { ok: false, what: 'the response has no choices' };
    return {
      ok: true,
      reply: {
        text: boundedAnswer(choice.text),
        finish: choice.finish_reason ?? 'stop',
        usage: usageOf(parsed.data.usage),
      },
    };
  };
}

function streamed(asked: Parameters): Ask<Reply> {
  return async (client, signal, progress) => {
    const stream = await client.completions.create(
      { ...asked, stream: true, stream_options: { include_usage: true } },
      { signal },
    );
    let text = '';
    let finish: string | undefined;
    let usage = NO_USAGE;
    let pieces = 0;
    for await (const piece of stream as AsyncIterable<unknown>) {
      progress();
      pieces++;
      const parsed = completionShape.safeParse(piece);
      if (!parsed.success) return { ok: false, what: 'a piece of the stream is not part of a completion' };
      const choice = parsed.data.choices[0];
      text = boundedAnswer(text + (choice?.text ?? ''));
      finish = choice?.finish_reason ?? finish;
      if (parsed.data.usage) usage = usageOf(parsed.data.usage);
    }
    if (pieces === 0) return { ok: false, what: 'the stream is empty' };
    if (finish === undefined) throw new StreamCut();
    return { ok: true, reply: { text, finish, usage } };
  };
}
