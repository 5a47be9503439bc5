/**
 * Symbols with what a model says they could be asked for by, as part of what is searched.
 *
 * Described are those that sentences lead to by their words, or all. What was described once is kept by the symbol's
 * own text, so that an edit costs the symbols that it changed and a moved file none; a symbol that is not described is
 * found by its words as ever. What the model does not give is left out, and said.
 */
import { createHash } from 'node:crypto';
import type { Model } from '../model/model.js';
import type { ModelError } from '../model/model-error.js';
import { structured } from '../model/structured.js';
import { describedBy, describeRequest, intentsForm, type Describable } from '../search/describe.js';
import type { Effects, Kept } from './effects.js';
import type { PlanSymbols } from './plan-symbols.js';
import type { Call } from './service.js';

/** Symbols that are described for one sentence. */
const FOUND_MOST = 200;
/** Failures after which nobody is asked any more. */
const FAILURES_MOST = 3;
/** Questions on their way at once, where nothing else is said. */
const PARALLEL = 4;

export interface DescribeParts {
  readonly model: Model;
  readonly kept: Kept<readonly string[]>;
  /** As people call it. */
  readonly repository: string;
  /** Questions on their way at once. */
  readonly parallel: number;
  readonly call: Call;
  /** Ends the asking with what there is so far. */
  readonly stop: AbortSignal;
}

export const describeParts = (model: Model, effects: Effects, call: Call, stop: AbortSignal): DescribeParts => ({
  model,
  kept: effects.madeOfTexts.intents,
  repository: effects.root.split(/[\\/]/).at(-1) ?? '',
  parallel: effects.configuration.model.parallel ?? PARALLEL,
  call,
  stop,
});

export interface Described {
  readonly symbols: PlanSymbols;
  /** Why some are not described, in words. */
  readonly problem: string | undefined;
}

interface Wanted {
  readonly file: string;
  readonly decl: number;
  readonly symbol: Describable;
  readonly key: string;
}

export async function describedSymbols(
  symbols: PlanSymbols,
  sentences: readonly string[],
  which: 'found' | 'all',
  parts: DescribeParts,
): Promise<Described> {
  const blocks =
    which === 'all' ? symbols.documents() : sentences.flatMap((sentence) => symbols.grounded(sentence, FOUND_MOST));
  const sent = blocks.filter(({ file }) => symbols.isSent(file));
  const wanted = sent.map(({ file, decl }): Wanted => {
    const symbol = symbols.describable({ file, decl });
    const key = createHash('sha256').update(describedBy(symbol, parts.model.name)).digest('hex');
    return { file, decl, symbol, key };
  });
  const problem = await describe(wanted, parts);
  const said = new Map<string, Map<number, readonly string[]>>();
  for (const { file, decl, key } of wanted) {
    const intents = parts.kept.get(key);
    if (intents === undefined) continue;
    const ofFile = said.get(file) ?? new Map<number, readonly string[]>();
    said.set(file, ofFile.set(decl, intents));
  }
  return { symbols: symbols.saying(said), problem };
}

/** Asks for what is not known yet, each text once. Gives why not all of it came. */
async function describe(wanted: readonly Wanted[], parts: DescribeParts): Promise<string | undefined> {
  const { model, kept, repository, parallel, call, stop } = parts;
  const missing = [...new Map(wanted.map((one) => [one.key, one.symbol]))].filter(
    ([key]) => kept.get(key) === undefined,
  );
  const signal = AbortSignal.any([call.signal, stop]);
  let [next, done, failures]: [number, number, number] = [0, 0, 0];
  let error: ModelError | undefined;
  const ask = async (): Promise<void> => {
    for (let one = missing[next++]; one !== undefined && failures < FAILURES_MOST; one = missing[next++]) {
      if (signal.aborted) return;
      const [key, symbol] = one;
      const answer = await structured(model, describeRequest(symbol, repository), intentsForm, { signal }, true);
      const [intents] = answer.values;
      if (intents !== undefined) kept.put(key, intents);
      else {
        error = answer.error ?? error;
        failures = answer.error?.kind === 'budget' ? FAILURES_MOST : failures + 1;
      }
      call.progress(`described ${++done} of ${missing.length} symbols`, done / missing.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(parallel, missing.length) }, ask));
  } catch (reason) {
    // Whoever ends a search goes on with what is there.
    if (!stop.aborted || call.signal.aborted) throw reason;
  }
  if (failures === 0) return undefined;
  return `some symbols were not described: ${error?.message ?? 'what the model wrote could not be read'}`;
}
