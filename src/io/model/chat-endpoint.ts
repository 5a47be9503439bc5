/**
 * Chat completions of any OpenAI-compatible endpoint, as they come: messages in, choices out.
 *
 * Responses are parsed from `unknown`, since compatible servers agree with the format only roughly. A stream counts
 * as complete only when the model said of each choice why it stopped; a connection that closes before is an error
 * and is tried again as a whole.
 */
import type OpenAI from 'openai';
import * as z from 'zod';
import type { Message, ToolCall } from '../../model/model.js';
import { NO_USAGE, type Usage } from '../../model/usage.js';
import { askEndpoint, type Ask, type Tried } from './endpoint-client.js';
import { boundedAnswer, StreamCut } from './endpoint-error.js';
import type { EndpointSettings } from './model-settings.js';

export interface ChatChoice {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** As the endpoint says it: `stop`, `length`, `tool_calls`, `content_filter`. */
  readonly finish: string;
  readonly refusal?: string;
}

export interface ChatReply {
  /** At least one. */
  readonly choices: readonly ChatChoice[];
  readonly usage: Usage;
}

/**
 * What of a request is ours to say; messages, model and streaming are added. `seed` and `max_tokens` are what
 * compatible servers know, whatever became of them at the first of their kind.
 */
export interface ChatParameters extends Pick<
  OpenAI.ChatCompletionCreateParams,
  'n' | 'temperature' | 'top_p' | 'response_format' | 'tools' | 'tool_choice'
> {
  readonly seed?: number;
  readonly max_tokens?: number;
}

export function askChat(
  settings: EndpointSettings,
  messages: readonly Message[],
  parameters: ChatParameters,
  signal: AbortSignal,
): Promise<Tried<ChatReply>> {
  const body = { ...parameters, model: settings.model, messages: messages.map(onTheWire) };
  return askEndpoint(settings, settings.streaming ? streamed(body) : whole(body), signal);
}

type Body = ChatParameters & Pick<OpenAI.ChatCompletionCreateParams, 'model' | 'messages'>;

function onTheWire(message: Message): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content };
  if (message.role !== 'assistant' || message.toolCalls === undefined || message.toolCalls.length === 0)
    return { role: message.role, content: message.content };
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: message.toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
    })),
  };
}

/** A server that takes tokens back would have a budget without an end. */
const tokens = z.number().transform((count) => Math.max(0, count));
export const usageShape = z.object({ prompt_tokens: tokens, completion_tokens: tokens }).nullish();

/** Some servers give arguments as an object. */
const argumentsShape = z.union([z.string(), z.record(z.string(), z.unknown())]).nullish();
const functionShape = z.object({ name: z.string().nullish(), arguments: argumentsShape }).nullish();

const completionShape = z.object({
  choices: z.array(
    z.object({
      message: z.object({
        content: z.string().nullish(),
        refusal: z.string().nullish(),
        tool_calls: z.array(z.object({ id: z.string().nullish(), function: functionShape })).nullish(),
      }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: usageShape,
});

const chunkShape = z.object({
  choices: z.array(
    z.object({
      index: z.number().int().min(0).max(1000).nullish(),
      delta: z
        .object({
          content: z.string().nullish(),
          refusal: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                index: z.number().int().min(0).max(1000).nullish(),
                id: z.string().nullish(),
                function: functionShape,
              }),
            )
            .nullish(),
        })
        .nullish(),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: usageShape,
});

export function usageOf(usage: z.infer<typeof usageShape>): Usage {
  return usage === null || usage === undefined
    ? NO_USAGE
    : { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
}

const argumentsText = (given: z.infer<typeof argumentsShape>): string =>
  typeof given === 'string' ? given : given === null || given === undefined ? '' : JSON.stringify(given);

function whole(body: Body): Ask<ChatReply> {
  return async (client, signal) => {
    const response: unknown = await client.chat.completions.create({ ...body, stream: false }, { signal });
    const parsed = completionShape.safeParse(response);
    if (!parsed.success) return { ok: false, what: 'the response is not a chat completion' };
    if (parsed.data.choices.length === 0) return { ok: false, what: 'the response has no choices' };
    const choices = parsed.data.choices.map(({ message, finish_reason: finish }): ChatChoice => {
      const refusal = message.refusal ?? undefined;
      return {
        text: boundedAnswer(message.content ?? ''),
        toolCalls: (message.tool_calls ?? []).map((call, at) => ({
          id: call.id ?? `call_${at}`,
          name: call.function?.name ?? '',
          arguments: boundedAnswer(argumentsText(call.function?.arguments)),
        })),
        finish: finish ?? 'stop',
        ...(refusal === undefined ? {} : { refusal }),
      };
    });
    return { ok: true, reply: { choices, usage: usageOf(parsed.data.usage) } };
  };
}

/** A choice under way. */
interface Growing {
  text: string;
  refusal: string;
  finish: string | undefined;
  readonly calls: { id: string; name: string; arguments: string }[];
}

function streamed(body: Body): Ask<ChatReply> {
  return async (client, signal, progress) => {
    const stream = await client.chat.completions.create(
      { ...body, stream: true, stream_options: { include_usage: true } },
      { signal },
    );
    const growing = new Map<number, Growing>();
    let usage = NO_USAGE;
    let pieces = 0;
    for await (const piece of stream as AsyncIterable<unknown>) {
      progress();
      pieces++;
      const parsed = chunkShape.safeParse(piece);
      if (!parsed.success) return { ok: false, what: 'a piece of the stream is not part of a chat completion' };
      for (const part of parsed.data.choices) grow(growing, part);
      if (parsed.data.usage) usage = usageOf(parsed.data.usage);
    }
    if (pieces === 0) return { ok: false, what: 'the stream is empty' };
    const choices = [...growing]
      .sort(([a], [b]) => a - b)
      .map(([, { text, refusal, finish, calls }]): ChatChoice => {
        if (finish === undefined) throw new StreamCut();
        return { text, toolCalls: calls, finish, ...(refusal === '' ? {} : { refusal }) };
      });
    if (choices.length === 0) throw new StreamCut();
    return { ok: true, reply: { choices, usage } };
  };
}

function grow(growing: Map<number, Growing>, part: z.infer<typeof chunkShape>['choices'][number]): void {
  const at = part.index ?? 0;
  let choice = growing.get(at);
  if (choice === undefined) growing.set(at, (choice = { text: '', refusal: '', finish: undefined, calls: [] }));
  choice.text = boundedAnswer(choice.text + (part.delta?.content ?? ''));
  choice.refusal += part.delta?.refusal ?? '';
  choice.finish = part.finish_reason ?? choice.finish;
  for (const call of part.delta?.tool_calls ?? []) {
    const place = call.index ?? choice.calls.length;
    while (choice.calls.length <= place)
      choice.calls.push({ id: `call_${choice.calls.length}`, name: '', arguments: '' });
    const known = choice.calls[place] as Growing['calls'][number];
    if (typeof call.id === 'string' && call.id !== '') known.id = call.id;
    known.name += call.function?.name ?? '';
    known.arguments = boundedAnswer(known.arguments + argumentsText(call.function?.arguments));
  }
}
