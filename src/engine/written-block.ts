/**
 * The generation loop on a place of a tree: what it is given of the repository, and the code that a plan's steps want
 * made.
 */
import type { GenerateParams } from '#protocol/generate.js';
import type { Prompt } from '../context/prompt.js';
import { placed } from '../generate/placed.js';
import { ORACLE_CALLS_MOST, SWITCHES } from '../generate/task.js';
import { languageOf } from '../languages/registry.js';
import { metered } from '../model/metered.js';
import { NO_SPENDING, type Model } from '../model/model.js';
import type { WriteNew } from './do-run.js';
import type { Oracle } from './effects.js';
import { generated, type Generated } from './generation-loop.js';
import { lookerFor } from './generation-oracle.js';
import { lookedUp, placeOf, snippetsFor, summaryOf, type GenerateParts, type Place } from './generation-place.js';
import type { Call } from './service.js';
import { diffOf } from './step-diff.js';

/** A screen of errors with their lines: with the task it fits into the context of a small model. */
const FEEDBACK_TOKENS = 2000;
/** Low, since it is to be code that passes; above zero, so that a second try is another one. */
const TEMPERATURE = 0.2;

/** `model` is metered. `heard` is told of each question before it is asked. */
export async function writtenBlock(
  parts: GenerateParts,
  place: Place,
  model: Model,
  oracle: Oracle | undefined,
  params: GenerateParams,
  call: Call,
  heard?: (prompt: Prompt) => void,
): Promise<Generated> {
  const { task } = place;
  const { hasOracle } = SWITCHES[params.mode ?? 'rrr'];
  const refusal = hasOracle ? await oracle?.refusal?.() : undefined;
  if (refusal !== undefined) return unasked(refusal);
  const look = await lookerFor(parts, place, oracle, params, call);
  return generated(
    {
      task,
      around: place.around,
      mode: params.mode ?? 'rrr',
      oracleCallsMost: params.oracleCalls ?? ORACLE_CALLS_MOST,
      feedbackTokensMost: FEEDBACK_TOKENS,
      showTestSource: params.showTestSource ?? true,
      temperature: TEMPERATURE,
    },
    {
      model,
      signal: call.signal,
      progress: (message) => call.progress(message),
      ...(heard === undefined ? {} : { heard }),
      place: (code) => placed(task, { text: place.text, summarise: (text) => summaryOf(parts, task, text) }, code),
      look,
      lookUp: (wished, code, thought) => lookedUp(parts, place, wished, code, thought, call),
      snippets: (query) => snippetsFor(parts, place, query, call),
    },
  );
}

/** Nothing was asked: no code could have been judged. */
const unasked = (message: string): Generated => ({
  outcome: 'oracle',
  message,
  error: undefined,
  attempts: [],
  best: undefined,
  oracleCalls: 0,
  usage: NO_SPENDING,
});

/**
 * Writes what steps of a plan want made, one after the other, each on the tree with what was made before it. The parser
 * and the names are its check: what the whole comes to is judged with the edits that follow.
 */
export function writerOfNew(parts: Omit<GenerateParts, 'problems'>, model: Model): WriteNew {
  return async ({ request, intent, file, name, related }, texts, ledger, call) => {
    if (file === undefined || languageOf(file) === undefined)
      return { ok: false, reason: 'it is not clear where it goes: mark the step [create path:Name] in the plan' };
    const tree = texts.size === 0 ? parts.tree : parts.tree.with(texts, parts.grammars);
    const hints = related.map(({ id }) => `- ${id}`);
    const params: GenerateParams = {
      file,
      ...(name === undefined ? {} : { name }),
      description: [
        intent,
        `It is a part of: ${request}`,
        ...(hints.length === 0 ? [] : ['What may serve for it:', ...hints]),
      ].join('\n'),
      oracle: false,
    };
    const own = { ...parts, tree, problems: [] };
    const result = await writtenBlock(own, placeOf(own, params), metered(model, ledger), undefined, params, call);
    return result.outcome === 'passed' && result.best !== undefined
      ? {
          ok: true,
          texts: new Map([[file, result.best.text]]),
          diff: diffOf(file, tree.text(file) ?? '', result.best.text),
        }
      : {
          ok: false,
          reason: `what the model wrote is not used (${result.message ?? result.outcome}): codeplan generate shows it`,
        };
  };
}
