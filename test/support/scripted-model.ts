/**
 * A model that answers by a script, for tests of what asks one: no endpoint, no chance.
 */
import type { AskOptions, Choice, Completion, Model, ModelRequest } from '#src/model/model.js';

export interface Told {
  readonly request: ModelRequest;
  readonly options: AskOptions;
  /** Everything that was said, as one text. */
  readonly prompt: string;
}

/** Texts of the choices, or a whole completion. */
export type Script = (told: Told, nth: number) => readonly string[] | Completion;

export interface ScriptedModel extends Model {
  readonly told: readonly Told[];
}

/** Each question is answered by the script of its kind; one that has none throws. */
export function scriptedModel(scripts: Readonly<Record<string, Script>>): ScriptedModel {
  const told: Told[] = [];
  return {
    name: 'script',
    told,
    complete(request, options): Promise<Completion> {
      options.signal.throwIfAborted();
      const script = scripts[request.kind];
      if (script === undefined) throw new Error(`the test scripted no answer to ${request.kind}`);
      const nth = told.filter((other) => other.request.kind === request.kind).length;
      const entry = { request, options, prompt: request.messages.map(({ content }) => content).join('\n') };
      told.push(entry);
      const answer = script(entry, nth);
      return Promise.resolve('ok' in answer ? answer : completionOf(answer));
    },
  };
}

export function completionOf(texts: readonly string[]): Completion {
  const choices = texts.map((text): Choice => ({ text, toolCalls: [], finish: 'stop' }));
  const usage = { calls: 1, promptTokens: 10, completionTokens: texts.length };
  if (choices.length > 0) return { ok: true, choices, usage };
  return { ok: false, error: { kind: 'bad-answer', message: 'the script gave no choice' }, usage };
}
