/**
 * The `openai` edit model: chat completions of any OpenAI-compatible endpoint.
 *
 * One answer at temperature 0, no tools. Responses are parsed from `unknown`, since compatible
 * servers agree with the format only roughly. A stream counts as complete only when the model said
 * why it stopped; a connection that closes before is an error and is tried again as a whole.
 */
import type OpenAI from 'openai';
import { z } from 'zod';
import type { Prompt } from '../../context/prompt.js';
import { NO_USAGE, type EditModel, type Usage } from '../../edit/model/edit-model.js';
import { endpointModel, type Exchange, type Exchanged } from './endpoint-call.js';
import { StreamCut } from './endpoint-error.js';
import type { EndpointSettings } from './model-settings.js';

export function chatModel(settings: EndpointSettings): EditModel {
  return endpointModel('openai', settings, settings.streaming ? streamed(settings) : whole(settings));
}

const usageShape = z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish();

const completionShape = z.object({
  choices: z.array(
    z.object({
      message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: usageShape,
});

const chunkShape = z.object({
  choices: z.array(
    z.object({
      delta: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }).nullish(),
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

function parameters(settings: EndpointSettings, prompt: Prompt): OpenAI.ChatCompletionCreateParams {
  return {
    model: settings.model,
    messages: prompt.messages.map(({ role, content }) => ({ role, content })),
    temperature: 0,
    top_p: 1,
    n: 1,
  };
}

function whole(settings: EndpointSettings): Exchange {
  return async (client, prompt, signal): Promise<Exchanged> => {
    const response: unknown = await client.chat.completions.create(
      { ...parameters(settings, prompt), stream: false },
      { signal },
    );
    const parsed = completionShape.safeParse(response);
    if (!parsed.success) return { kind: 'malformed', what: 'the response is not a chat completion' };
    const choice = parsed.data.choices[0];
    if (choice === undefined) return { kind: 'malformed', what: 'the response has no choices' };
    const refusal = choice.message.refusal ?? undefined;
    return {
      kind: 'reply',
      text: choice.message.content ?? '',
      finish: choice.finish_reason ?? 'stop',
      usage: usageOf(parsed.data.usage),
      ...(refusal === undefined ? {} : { refusal }),
    };
  };
}

function streamed(settings: EndpointSettings): Exchange {
  return async (client, prompt, signal, progress): Promise<Exchanged> => {
    const stream = await client.chat.completions.create(
      { ...parameters(settings, prompt), stream: true, stream_options: { include_usage: true } },
      { signal },
    );
    let text = '';
    let refusal = '';
    let finish: string | undefined;
    let usage = NO_USAGE;
    let pieces = 0;
    for await (const piece of stream as AsyncIterable<unknown>) {
      progress();
      pieces++;
      const parsed = chunkShape.safeParse(piece);
      if (!parsed.success) return { kind: 'malformed', what: 'a piece of the stream is not part of a chat completion' };
      const choice = parsed.data.choices[0];
      text += choice?.delta?.content ?? '';
      refusal += choice?.delta?.refusal ?? '';
      finish = choice?.finish_reason ?? finish;
      if (parsed.data.usage) usage = usageOf(parsed.data.usage);
    }
    if (pieces === 0) return { kind: 'malformed', what: 'the stream is empty' };
    if (finish === undefined) throw new StreamCut();
    return { kind: 'reply', text, finish, usage, ...(refusal === '' ? {} : { refusal }) };
  };
}
