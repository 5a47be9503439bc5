/**
 * A `Model` behind an OpenAI-compatible endpoint.
 *
 * What a server does not know is found out by asking: a parameter that it names as unknown is left out from then on,
 * and where it gives fewer choices than were wanted, the rest is asked for one by one, each with a seed of its own.
 * What looks like a secret is taken out of every message before it leaves.
 */
import type OpenAI from 'openai';
import { withoutSecrets } from '../../context/secrets.js';
import {
  addSpending,
  NO_SPENDING,
  type AskOptions,
  type Choice,
  type Completion,
  type Message,
  type Model,
  type Spending,
} from '../../model/model.js';
import type { ModelError } from '../../model/model-error.js';
import { askChat, type ChatChoice, type ChatParameters } from './chat-endpoint.js';
import { hostOf, type EndpointSettings } from './model-settings.js';

/** What an answer can do without. */
const OPTIONAL = ['n', 'seed', 'temperature', 'max_tokens', 'parallel_tool_calls'] as const;
type Optional = (typeof OPTIONAL)[number];

export function endpointClient(settings: EndpointSettings): Model {
  /** What this endpoint has been found not to take. */
  const unknown = new Set<Optional>();
  return {
    name: settings.model,
    host: hostOf(settings.baseUrl),
    async complete(request, options): Promise<Completion> {
      options.signal.throwIfAborted();
      const messages = request.messages.map(withoutSecretsIn);
      const wanted = options.n ?? 1;
      const choices: Choice[] = [];
      let usage: Spending = NO_SPENDING;
      while (choices.length < wanted) {
        const stopped = usage.calls === 0 ? undefined : options.permit?.(usage);
        if (stopped !== undefined) return ended({ kind: 'budget', message: stopped }, choices, usage);
        const parameters = parametersOf(options, wanted - choices.length, choices.length, unknown);
        const tried = await askChat(settings, messages, parameters, options.signal);
        usage = addSpending(usage, { calls: 1, ...(tried.ok ? tried.reply.usage : NO_USED) });
        if (tried.ok) {
          if (tried.reply.choices.length < (parameters.n ?? 1)) unknown.add('n');
          choices.push(...tried.reply.choices.slice(0, wanted - choices.length).map(choiceOf));
          continue;
        }
        const left = leftOut(tried.error, parameters);
        if (left === undefined) return ended(tried.error, choices, usage);
        unknown.add(left);
      }
      return { ok: true, choices, usage };
    },
  };
}

const NO_USED = { promptTokens: 0, completionTokens: 0 };

/** What came before an error is an answer too. */
const ended = (error: ModelError, choices: readonly Choice[], usage: Spending): Completion =>
  choices.length > 0 ? { ok: true, choices, usage } : { ok: false, error, usage };

function withoutSecretsIn(message: Message): Message {
  const content = withoutSecrets(message.content);
  if (message.role !== 'assistant' || message.toolCalls === undefined) return { ...message, content };
  return {
    ...message,
    content,
    toolCalls: message.toolCalls.map((call) => ({ ...call, arguments: withoutSecrets(call.arguments) })),
  };
}

function parametersOf(
  { temperature, seed, tokensMost, schema, tools, toolChoice }: AskOptions,
  missing: number,
  had: number,
  unknown: ReadonlySet<Optional>,
): ChatParameters {
  const all: ChatParameters = {
    ...(missing > 1 ? { n: missing } : {}),
    ...(temperature === undefined ? {} : { temperature }),
    ...(seed === undefined && had === 0 ? {} : { seed: (seed ?? 0) + had }),
    ...(tokensMost === undefined ? {} : { max_tokens: tokensMost }),
    ...(schema === undefined
      ? {}
      : {
          response_format: {
            type: 'json_schema',
            json_schema: { name: schema.name, schema: { ...schema.schema }, strict: true },
          },
        }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map(offered), ...choiceOfTool(toolChoice) }),
  };
  for (const name of unknown) Reflect.deleteProperty(all, name);
  return all;
}

const offered = ({
  name,
  description,
  parameters,
}: NonNullable<AskOptions['tools']>[number]): OpenAI.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...parameters } },
});

function choiceOfTool(choice: AskOptions['toolChoice']): Pick<ChatParameters, 'tool_choice'> {
  if (choice === undefined) return {};
  return { tool_choice: choice === 'none' ? 'none' : { type: 'function', function: { name: choice.tool } } };
}

/** The parameter that the endpoint refused by name, if an answer can do without it. */
function leftOut(error: ModelError, parameters: ChatParameters): Optional | undefined {
  if (error.status !== 400 && error.status !== 422) return undefined;
  return OPTIONAL.find(
    (name) =>
      name in parameters && (error.parameter === name || new RegExp(`['"\`]${name}['"\`]`, 'u').test(error.message)),
  );
}

function choiceOf({ text, toolCalls, finish, refusal }: ChatChoice): Choice {
  return {
    text: text === '' && refusal !== undefined ? refusal : text,
    toolCalls,
    finish: refusal !== undefined || finish === 'content_filter' ? 'refused' : finish === 'length' ? 'length' : 'stop',
  };
}
