/**
 * Sentences grounded by words and by what models add: what symbols could be asked for by, and vectors.
 *
 * The sentences of one question are one request: what is said of the symbols that one of them leads to is there for
 * all, and so are vectors. Files whose text is never sent are found by their own words alone.
 */
import type { GroundParams, GroundReport } from '#protocol/tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { inTurns } from '../base/turns.js';
import { metered, meteredEmbedder, type Ledger } from '../model/metered.js';
import type { Embedder, Model } from '../model/model.js';
import { SYMBOLS_UNLESS_SAID } from '../tools/ground-tool.js';
import { describedSymbols, describeParts } from './described.js';
import type { Effects } from './effects.js';
import { entriesOf, left } from './ground-document.js';
import { searchLedger } from './ledger-for.js';
import { PlanSymbols } from './plan-symbols.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, type Call } from './service.js';
import { embedderFor, vectorGround } from './vector-ground.js';
import type { WorkingTree } from './working-tree.js';

export interface Grounding {
  readonly tree: WorkingTree;
  readonly memory: SearchMemory;
  readonly effects: Effects;
  readonly call: Call;
}

/** Throws ServiceError: settings, where nobody is configured who could be asked. */
export async function groundWithModels(params: GroundParams, grounding: Grounding): Promise<GroundReport> {
  const { tree, memory, effects, call } = grounding;
  const { intents, k = SYMBOLS_UNLESS_SAID, exclude } = params;
  const ledger = searchLedger(params, effects.configuration);
  const { describer, embedder } = await modelsOf(params, effects, ledger);
  const index = left(await inTurns(memory.of(tree), call.signal), exclude);
  const plain = PlanSymbols.over(tree, index, effects.withheld);
  const { symbols, problem } =
    params.describe === undefined || describer === undefined
      ? { symbols: plain, problem: undefined }
      : await describedSymbols(plain, intents, params.describe, describeParts(describer, effects, call, call.signal));
  const vectors =
    embedder === undefined
      ? undefined
      : vectorGround(
          { sentences: intents, intents },
          {
            symbols,
            embedder,
            kept: effects.madeOfTexts.vectors,
            which: params.vectors ?? 'found',
            call,
            stop: call.signal,
          },
        );
  const results: GroundReport['results'] = [];
  for (const intent of intents) {
    call.signal.throwIfAborted();
    const found = vectors === undefined ? symbols.grounded(intent, k) : await vectors.grounded(intent, k);
    results.push({ intent, symbols: entriesOf(tree, found) });
  }
  const { calls, promptTokens, completionTokens } = ledger.spent;
  const notes = [problem, vectors?.problem()].filter((note) => note !== undefined);
  return { schema: SCHEMA_VERSION, results, usage: { calls, promptTokens, completionTokens }, notes };
}

interface Models {
  readonly describer: Model | undefined;
  readonly embedder: Embedder | undefined;
}

async function modelsOf({ describe, vectors }: GroundParams, effects: Effects, ledger: Ledger): Promise<Models> {
  const describer =
    describe === undefined ? undefined : ((await effects.modelOf('describe')) ?? (await effects.modelOf('plan')));
  if (describe !== undefined && describer === undefined)
    throw new ServiceError(
      'settings',
      'symbols are described by a model, and none is configured: set model.baseUrl and model.model in your settings, ' +
        'or CODEPLAN_BASE_URL and CODEPLAN_MODEL',
    );
  const embedder = vectors === undefined ? undefined : await embedderFor(vectors, effects);
  return {
    describer: describer === undefined ? undefined : metered(describer, ledger),
    embedder: embedder === undefined ? undefined : meteredEmbedder(embedder, ledger),
  };
}
