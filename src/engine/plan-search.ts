/**
 * A request in words as plans: what each mode does, what a search may cost, and the document that tells of it.
 *
 *     search, react          a model proposes, the index looks up, a scorer judges (src/search/)
 *     topk                   the request looked up once
 *     bm25                   the same with more symbols, by name alone
 *     full, instruction      whole files, or nothing: what a plan is compared with
 */
import type { PlanMode, PlanSearchParams, PlanSearchReport } from '#protocol/plan-search.js';
import type { BlockKind } from '#protocol/words.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { estimateTokens } from '../context/tokens.js';
import { metered, meteredEmbedder, type Ledger } from '../model/metered.js';
import type { Embedder, Model } from '../model/model.js';
import type { Plan, PlanStep, PlanSymbol } from '../search/plan.js';
import type { Material, Purpose } from '../search/questions.js';
import { firstQuestion } from '../search/successor.js';
import { planText } from '../search/plan-text.js';
import { filesPrompt, planPrompt } from '../search/plan-prompt.js';
import { shownScore } from '../search/ranking.js';
import { diversityOf, isJudged } from '../search/scorer.js';
import { LINEAR, SEARCH_DEFAULTS, type SearchSettings } from '../search/search-settings.js';
import { searchPlans, type PlanNode, type SearchResult } from '../search/search.js';
import type { Ground } from '../search/successor.js';
import { describedSymbols, describeParts } from './described.js';
import type { Effects } from './effects.js';
import { searchLedger } from './ledger-for.js';
import type { PlanSymbols } from './plan-symbols.js';
import { ServiceError, type Call } from './service.js';
import { embedderFor, vectorGround } from './vector-ground.js';

/** Symbols that a search begins with. */
const STARTING = 100;
/** Names alone take a few tokens each, so that more fit than of symbols with their text. */
const NAMES = 20;
/** As many as a person compares. */
const PLANS = 10;
/** Models that take 128,000 tokens are common; what is left is for the answer. */
const FULL_TOKENS = 120_000;
/** Of an intent so much is shown as progress, in characters. */
const PROGRESS_MOST = 60;

type Reported = PlanSearchReport['plans'][number];

export interface Searching {
  readonly symbols: PlanSymbols;
  readonly effects: Effects;
  readonly call: Call;
  /** Ends a search with what is best so far. */
  readonly stop: AbortSignal;
  /** `use` when not given. */
  readonly purpose?: Purpose;
}

const NOTHING_USED: PlanSearchReport['usage'] = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  samples: 0,
  expansions: 0,
  duplicates: 0,
  unusable: 0,
  grounded: 0,
};

/** Throws ServiceError: settings, where a mode lacks its model. */
export async function planSearchDocument(params: PlanSearchParams, searching: Searching): Promise<PlanSearchReport> {
  const mode = params.mode ?? 'search';
  const isSearch = mode === 'search' || mode === 'react';
  if (params.preview === true) return previewed(params, mode, searching);
  const report = isSearch ? await searched(params, mode, searching) : lookedUp(params, mode, searching);
  const steps = report.plans[0]?.steps;
  const text =
    params.prompt === undefined || (isSearch && steps === undefined)
      ? undefined
      : promptOf(params, mode, steps, searching);
  return {
    ...report,
    ...(text === undefined ? {} : { prompt: { text, tokens: estimateTokens(text) } }),
    notes: [...report.notes, ...notesOf(report, searching)],
  };
}

function notesOf({ mode, plans }: PlanSearchReport, { symbols }: Searching): string[] {
  if (symbols.isEmpty) return ['no file of the repository is indexed that a plan could name symbols of'];
  if (mode === 'full' || mode === 'instruction') return [];
  const bare = plans[0]?.steps.filter((step) => step.symbols.length === 0).length ?? 0;
  if (bare === 0) return [];
  return [bare === 1 ? 'nothing of the repository fits one step' : `nothing of the repository fits ${bare} steps`];
}

/** The first question, which is not sent. Throws ServiceError: settings, where the mode asks none. */
async function previewed(
  params: PlanSearchParams,
  mode: PlanMode,
  { symbols, effects, purpose }: Searching,
): Promise<PlanSearchReport> {
  if (mode !== 'search' && mode !== 'react')
    throw new ServiceError('settings', `no model is asked anything with the mode ${mode}; search and react ask`);
  const { request } = params;
  const material = materialFor(request, purpose ?? params.purpose, symbols);
  const { messages, tokens, parts } = firstQuestion(material, settingsOf(params, mode));
  const model = await effects.modelOf('plan');
  return {
    schema: SCHEMA_VERSION,
    request,
    mode,
    stop: 'done',
    plans: [],
    question: {
      to: model?.host ?? null,
      model: model?.name ?? null,
      messages: messages.map((message) => ({ ...message })),
      tokens,
      parts: parts.map((part) => ({ ...part })),
    },
    usage: NOTHING_USED,
    notes: [],
  };
}

const materialFor = (request: string, purpose: Purpose | undefined, symbols: PlanSymbols): Material => ({
  request,
  purpose: purpose ?? 'use',
  starting: symbols.ground(request, STARTING),
  files: symbols.files(),
});

// ---- without a model

function lookedUp(params: PlanSearchParams, mode: PlanMode, { symbols }: Searching): PlanSearchReport {
  const { request } = params;
  const most = mode === 'bm25' ? NAMES : (params.symbols ?? SEARCH_DEFAULTS.symbolsEach);
  const step: PlanStep = { intent: request, symbols: symbols.ground(request, most) };
  const plan: Plan = { steps: [step] };
  const isLookedUp = mode === 'topk' || mode === 'bm25';
  return {
    schema: SCHEMA_VERSION,
    request,
    mode,
    stop: 'done',
    plans: isLookedUp
      ? [
          {
            score: diversityOf(plan),
            diversity: diversityOf(plan),
            steps: stepEntries(plan),
            text: planText(request, plan.steps),
          },
        ]
      : [],
    usage: isLookedUp ? { ...NOTHING_USED, grounded: 1 } : NOTHING_USED,
    notes: [],
  };
}

function promptOf(
  params: PlanSearchParams,
  mode: PlanMode,
  steps: readonly Reported['steps'][number][] | undefined,
  { symbols }: Searching,
): string {
  const { request } = params;
  if (mode === 'instruction') return request;
  if (mode === 'full') return filesPrompt(request, filesThatFit(request, params.promptTokens ?? FULL_TOKENS, symbols));
  const style = mode === 'bm25' ? 'names' : (params.prompt ?? 'full');
  return planPrompt(request, (steps ?? []).map(stepOf), style, (symbol) => symbols.definitionOf(symbol));
}

const stepOf = ({ intent, symbols }: Reported['steps'][number]): PlanStep => ({
  intent,
  symbols: symbols.map((symbol): PlanSymbol => ({ ...symbol, id: `${symbol.file}:${symbol.block}` })),
});

/** Whole files, those that the request's words lead to first, then by path, as long as they fit. */
function filesThatFit(
  request: string,
  tokensMost: number,
  symbols: PlanSymbols,
): { readonly file: string; readonly text: string }[] {
  const found = symbols.grounded(request, 1000).map(({ file }) => file);
  const shown: { file: string; text: string }[] = [];
  let tokens = 0;
  for (const file of new Set([...found, ...symbols.files()])) {
    const text = symbols.textOf(file);
    const takes = text === undefined ? 0 : estimateTokens(text);
    if (text === undefined || tokens + takes > tokensMost) continue;
    tokens += takes;
    shown.push({ file, text });
  }
  return shown;
}

// ---- with a model

async function searched(params: PlanSearchParams, mode: PlanMode, searching: Searching): Promise<PlanSearchReport> {
  const { call, stop } = searching;
  const settings = settingsOf(params, mode);
  const { model, judge, embedder, describer, ledger } = await modelsOf(params, settings, searching.effects);
  const { request } = params;
  const { symbols, problem: undescribed } =
    params.describe === undefined || describer === undefined
      ? { symbols: searching.symbols, problem: undefined }
      : await describedSymbols(
          searching.symbols,
          [request],
          params.describe,
          describeParts(describer, searching.effects, call, stop),
        );
  const vectors =
    embedder === undefined
      ? undefined
      : vectorGround(
          { sentences: [request], intents: [] },
          {
            symbols,
            embedder,
            kept: searching.effects.madeOfTexts.vectors,
            which: params.vectors ?? 'found',
            call,
            stop,
          },
        );
  const byWords: Ground = (intent, most) => Promise.resolve(symbols.ground(intent, most));
  const result = await searchPlans(materialFor(request, searching.purpose ?? params.purpose, symbols), settings, {
    model,
    judge,
    ground: vectors?.ground ?? byWords,
    definitionOf: (symbol) => symbols.definitionOf(symbol),
    signal: AbortSignal.any([call.signal, stop]),
    progress: (nodes, best) => call.progress(...progressOf(nodes, best, settings)),
  });
  call.signal.throwIfAborted();
  const report = reportOf(params, mode, result, settings);
  const notes = [undescribed, vectors?.problem()].filter((problem) => problem !== undefined);
  // All that was asked: also what describing and vectors took.
  return { ...report, usage: { ...report.usage, ...ledger.spent }, notes };
}

function settingsOf(params: PlanSearchParams, mode: PlanMode): SearchSettings {
  const linear = mode === 'react' ? LINEAR : {};
  return {
    successor: params.successor ?? SEARCH_DEFAULTS.successor,
    scorer: params.scorer ?? SEARCH_DEFAULTS.scorer,
    strategy: params.strategy ?? SEARCH_DEFAULTS.strategy,
    branching: params.branching ?? SEARCH_DEFAULTS.branching,
    budget: {
      unit: params.budgetUnit ?? SEARCH_DEFAULTS.budget.unit,
      most: params.budget ?? SEARCH_DEFAULTS.budget.most,
    },
    depthMost: params.depth ?? SEARCH_DEFAULTS.depthMost,
    stepsMost: params.steps ?? SEARCH_DEFAULTS.stepsMost,
    symbolsEach: params.symbols ?? SEARCH_DEFAULTS.symbolsEach,
    stopsAtGoal: params.goal ?? SEARCH_DEFAULTS.stopsAtGoal,
    temperature: params.temperature,
    seed: params.seed ?? SEARCH_DEFAULTS.seed,
    truth: params.truth ?? SEARCH_DEFAULTS.truth,
    ...linear,
  };
}

interface Models {
  readonly model: Model;
  readonly judge: Model | undefined;
  readonly embedder: Embedder | undefined;
  readonly describer: Model | undefined;
  readonly ledger: Ledger;
}

/** Planner, judge, who describes, and who gives vectors, on one account. */
async function modelsOf(params: PlanSearchParams, settings: SearchSettings, effects: Effects): Promise<Models> {
  const model = await effects.modelOf('plan');
  if (model === undefined)
    throw new ServiceError(
      'settings',
      'a plan is searched with a model, and none is configured: set model.baseUrl and model.model in your ' +
        'settings, or CODEPLAN_BASE_URL and CODEPLAN_MODEL; or choose a mode that needs none: topk, bm25, ' +
        'full, instruction',
    );
  if (settings.scorer === 'oracle' && settings.truth.length === 0)
    throw new ServiceError('settings', 'the scorer oracle needs the names of the right symbols (`truth`)');
  if (settings.stopsAtGoal && !isJudged(settings.scorer))
    throw new ServiceError('settings', 'to stop at a complete plan takes a judge: choose the scorer likert or blend');
  const ledger = searchLedger(params, effects.configuration);
  const judge = isJudged(settings.scorer) ? ((await effects.modelOf('judge')) ?? model) : undefined;
  const embedder = await embedderFor(params.vectors, effects);
  const describer = params.describe === undefined ? undefined : ((await effects.modelOf('describe')) ?? model);
  return {
    ledger,
    describer: describer === undefined ? undefined : metered(describer, ledger),
    model: metered(model, ledger),
    judge: judge === undefined ? undefined : metered(judge, ledger),
    embedder: embedder === undefined ? undefined : meteredEmbedder(embedder, ledger),
  };
}

function progressOf(
  nodes: readonly PlanNode[],
  best: PlanNode | undefined,
  { budget }: SearchSettings,
): [message: string, fraction?: number] {
  const first = best?.plan.steps[0]?.intent.slice(0, PROGRESS_MOST);
  const shown =
    best === undefined || first === undefined
      ? 'none yet'
      : `the best has ${best.plan.steps.length} steps with ${best.scores.diversity} symbols: ${first}`;
  const message = `${nodes.length - 1} plans, ${shown}`;
  return budget.unit === 'created' ? [message, Math.min(1, nodes.length / budget.most)] : [message];
}

function reportOf(
  params: PlanSearchParams,
  mode: PlanMode,
  { stop, message, nodes, ranked, usage }: SearchResult,
  { scorer }: SearchSettings,
): PlanSearchReport {
  const plans = ranked.slice(0, params.plans ?? PLANS).map((id): Reported => {
    const node = nodes[id] as PlanNode;
    const { recall, judgement } = node.scores;
    const { rationale } = node.plan;
    return {
      score: shownScore(node, scorer) ?? null,
      diversity: node.scores.diversity,
      ...(recall === undefined ? {} : { recall }),
      ...(judgement === undefined ? {} : { judgement: { plan: judgement.plan, steps: [...judgement.steps] } }),
      ...(rationale === undefined ? {} : { rationale }),
      steps: stepEntries(node.plan),
      text: planText(params.request, node.plan.steps),
    };
  });
  return {
    schema: SCHEMA_VERSION,
    request: params.request,
    mode,
    stop,
    ...(message === undefined ? {} : { message }),
    plans,
    ...(params.trace === true ? { tree: treeOf(nodes) } : {}),
    usage: { ...usage },
    notes: [],
  };
}

const treeOf = (nodes: readonly PlanNode[]): NonNullable<PlanSearchReport['tree']> =>
  nodes.map(({ id, parent, depth, state, scores, plan }) => ({
    id,
    parent: parent ?? null,
    depth,
    state,
    diversity: scores.diversity,
    intents: plan.steps.map(({ intent }) => intent),
  }));

export const stepEntries = ({ steps }: Plan): Reported['steps'] =>
  steps.map(({ intent, symbols }) => ({
    intent,
    symbols: symbols.map(({ id: _id, kind, ...symbol }) => ({ ...symbol, kind: kind as BlockKind })),
  }));
