/**
 * Answers of a given form from a model that may or may not be held to one.
 *
 *     schema   the endpoint itself holds the model to a JSON schema
 *     tool     the model must call a tool whose arguments have that schema
 *     text     the form is told in words, and read from whatever comes
 *
 * The first that the endpoint takes is used, and remembered for the model. Whatever it was, the answer is read the
 * same tolerant way, since compatible servers accept a schema and ignore it. A question none of whose answers can
 * be read is asked once more with the reason, if the caller wants that.
 */
import { jsonInText } from './json-in-text.js';
import {
  addSpending,
  NO_SPENDING,
  type AskOptions,
  type Choice,
  type Completion,
  type JsonSchema,
  type Message,
  type Model,
  type ModelRequest,
  type Spending,
} from './model.js';
import type { ModelError } from './model-error.js';

export type Read<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** What an answer is to be. */
export interface Form<T> {
  /** Letters, digits, `_` and `-`: name of the schema and of the tool. */
  readonly name: string;
  /** For a person and for the tool. */
  readonly description: string;
  /** Schema of an object. */
  readonly schema: JsonSchema;
  /** How to write it without a schema, told to models that are not held to one. */
  readonly inWords: string;
  fromJson(value: unknown): Read<T>;
  /** What else than JSON is understood: a list, tags. */
  fromText(text: string): Read<T>;
}

export interface Structured<T> {
  /** In the order of the choices. */
  readonly values: readonly T[];
  /** Why each of the other choices could not be read. */
  readonly refusals: readonly string[];
  readonly usage: Spending;
  /** What ended it before an answer came. */
  readonly error?: ModelError;
}

type Way = 'schema' | 'tool' | 'text';
const WAYS: readonly Way[] = ['schema', 'tool', 'text'];
/** By which a request was refused for how it was put, not for what it asks. */
const NOT_UNDERSTOOD: ReadonlySet<number> = new Set([400, 415, 422, 501]);

/** The way that a model has been found to take. */
const ways = new WeakMap<Model, Way>();

/** `isRepaired`: whether to ask once more where nothing of the answer could be read. */
export async function structured<T>(
  model: Model,
  request: ModelRequest,
  form: Form<T>,
  options: Omit<AskOptions, 'schema' | 'tools' | 'toolChoice'>,
  isRepaired: boolean,
): Promise<Structured<T>> {
  const { completion, usage } = await asked(model, request, form, options);
  if (!completion.ok) return { values: [], refusals: [], usage, error: completion.error };
  const first = readAll(completion.choices, form);
  if (first.values.length > 0 || !isRepaired) return { ...first, usage };
  const again = await asked(model, repairing(request, completion.choices, first.refusals, form), form, {
    ...options,
    n: 1,
  });
  const both = addSpending(usage, again.usage);
  if (!again.completion.ok) return { ...first, usage: both, error: again.completion.error };
  const second = readAll(again.completion.choices, form);
  return { values: second.values, refusals: [...first.refusals, ...second.refusals], usage: both };
}

/** In the first way that the endpoint understands. */
async function asked<T>(
  model: Model,
  request: ModelRequest,
  form: Form<T>,
  options: AskOptions,
): Promise<{ readonly completion: Completion; readonly usage: Spending }> {
  let usage = NO_SPENDING;
  const known = ways.get(model);
  for (const way of known === undefined ? WAYS : [known]) {
    const completion = await model.complete(put(request, form, way), { ...options, ...optionsOf(form, way) });
    usage = addSpending(usage, completion.usage);
    const isLast = way === 'text' || known !== undefined;
    if (!completion.ok && !isLast && isNotUnderstood(completion.error)) continue;
    if (completion.ok) ways.set(model, way);
    return { completion, usage };
  }
  throw new Error('the last way returns');
}

const isNotUnderstood = ({ kind, status }: ModelError): boolean =>
  status !== undefined && NOT_UNDERSTOOD.has(status) && kind !== 'too-long';

function put<T>(request: ModelRequest, form: Form<T>, way: Way): ModelRequest {
  if (way === 'tool') return request;
  const [last, ...before] = [...request.messages].reverse();
  if (last?.role !== 'user') return request;
  // Told even where a schema is given along: a server may take it and leave the model to guess.
  const told: Message = { role: 'user', content: `${last.content}\n\n${form.inWords}` };
  return { ...request, messages: [...before.reverse(), told] };
}

function optionsOf<T>(form: Form<T>, way: Way): Partial<AskOptions> {
  const { name, description, schema } = form;
  if (way === 'schema') return { schema: { name, schema } };
  if (way === 'tool') return { tools: [{ name, description, parameters: schema }], toolChoice: { tool: name } };
  return {};
}

function readAll<T>(choices: readonly Choice[], form: Form<T>): { values: T[]; refusals: string[] } {
  const values: T[] = [];
  const refusals: string[] = [];
  for (const choice of choices) {
    const read = readChoice(choice, form);
    if (read.ok) values.push(read.value);
    else refusals.push(read.reason);
  }
  return { values, refusals };
}

/** What one choice says in the form. */
export function readChoice<T>(choice: Choice, form: Form<T>): Read<T> {
  if (choice.finish === 'refused') return { ok: false, reason: 'the model declined to answer' };
  const said = choice.toolCalls.find(({ name }) => name === form.name)?.arguments ?? choice.text;
  if (said.trim() === '') return { ok: false, reason: 'the answer is empty' };
  const value = jsonInText(said);
  const read = value === undefined ? form.fromText(said) : form.fromJson(value);
  if (read.ok || value === undefined) return read;
  const asText = form.fromText(said);
  return asText.ok ? asText : read;
}

/** Of a broken answer only so much is said again, in characters. */
const ECHO_MOST = 4000;

function repairing<T>(
  request: ModelRequest,
  choices: readonly Choice[],
  refusals: readonly string[],
  form: Form<T>,
): ModelRequest {
  const text = choices[0]?.text.slice(0, ECHO_MOST) ?? '';
  return {
    ...request,
    messages: [
      ...request.messages,
      ...(text === '' ? [] : [{ role: 'assistant', content: text } as const]),
      {
        role: 'user',
        content: [
          `Your answer could not be read: ${refusals[0] ?? 'it is empty'}.`,
          `Answer again, and only in the form that was asked for: ${form.description}`,
        ].join(' '),
      },
    ],
  };
}
