/**
 * One run of propagate: plan, oracle, and the document that tells of both.
 */
import type { LimitsSection } from '#protocol/configuration.js';
import type { Open, OracleVerdict, PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { SCHEMA_VERSION, type Problem } from '#protocol/words.js';
import { inTurns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Grammars } from '../syntax/grammar.js';
import { LayeredTexts, separableHunks, standing, type HunksLeftOut } from '../edit/layered-text.js';
import { GivenValues, isOneOfSeveral } from '../edit/mechanical/calls/given-values.js';
import type { Obligation, Plan, Step } from '../plan/plan-graph.js';
import { STEPS_MOST, withoutOrphans } from '../plan/plan-graph.js';
import type { EditModel } from '../edit/model/edit-model.js';
import { ModelSession, type SessionOptions } from './answer-step.js';
import { ToolRound } from './tool-round.js';
import { pricesIn, type Budget, type Prices } from '../model/budget.js';
import { atAGlance } from './fact.js';
import { editInTurns } from './edit-between.js';
import type { Effects, KeptAnswer, WrittenFile } from './effects.js';
import { undecidedEntries, unlistedEntries } from './impact-document.js';
import type { FileEdit } from './file-edit.js';
import type { MadeBlock } from './left.js';
import { madeBlocks } from './made-blocks.js';
import { untilClean, type Checked } from './oracle-rounds.js';
import { runPlan, type PlanOptions, type PlanResult } from './plan-run.js';
import { seedEdits } from './seed-edits.js';
import { PROMPT_TOKENS } from './step-request.js';
import { NOWHERE, taskRoots } from './task-roots.js';
import type { SearchMemory } from './search-memory.js';
import type { Call } from './service.js';
import { StubWriter } from './stub-writer.js';
import type { TreePair } from './trees.js';
import {
  changesSpokenOf,
  mentionEntries,
  mentionsOf,
  rewriteMentions,
  wantedNames,
  type WithMentions,
} from './mentions.js';
import { withStillBroken } from './still-broken.js';
import { sourceEdits } from './source-edits.js';
import { QuestionCosts } from '../context/question-cost.js';

export interface Run {
  readonly id: string;
  readonly title: string;
  readonly report: PropagateReport;
  /** All edits of the run, against the texts that were planned on. */
  readonly edits: readonly FileEdit[];
  /** Blocks that its edits alone changed. */
  readonly made: readonly MadeBlock[];
  /** By step, the hunks of its difference (from 1) that can be left out by themselves, where it has several. */
  readonly hunks: ReadonlyMap<number, ReadonlySet<number>>;
  /** Of these steps, those that can be made without the others and without these hunks, and their edits. */
  readonly partOf: (steps: ReadonlySet<number>, without?: HunksLeftOut) => RunPart;
}

export interface RunPart {
  readonly steps: ReadonlySet<number>;
  readonly edits: readonly FileEdit[];
}

/**
 * What a run may ask where neither the caller nor the settings say it: a change that takes more questions wants a
 * person's look first, and what the checks still find after so many rounds another round rarely mends.
 */
const CALLS_MOST = 200;
const ITERATIONS_MOST = 5;
/** Questions on their way at once, where nothing else is said. */
const PARALLEL = 4;

/** What a run is asked for, on which trees, with what at hand. */
export interface Asked {
  readonly id: string;
  readonly trees: TreePair;
  readonly params: PropagateParams;
  readonly effects: Effects;
  readonly grammars: Grammars;
  readonly search: SearchMemory;
  readonly call: Call;
  /** Answers of the run that this one goes on with. */
  readonly known: ReadonlyMap<string, KeptAnswer>;
  /** New code that stands in the tree already, and is kept with the answers. */
  readonly written?: readonly WrittenFile[];
}

export async function propagation(asked: Asked): Promise<Run> {
  const { id, trees, params, effects, grammars, call } = asked;
  const model = params.rulesOnly === true ? undefined : await effects.model(params.model);
  const { configuration } = effects;
  const { changes } = await inTurns(editInTurns(trees.before, trees.after, trees.renames), call.signal);
  const { roots, usage: picking, isNowhere } = await taskRoots(trees, params, model, call);
  // What never leaves this process is asked again at no cost.
  const isSent = model?.preview !== undefined;
  if (isSent) beginNotes(asked, roots);
  const costs = params.questions === true ? new QuestionCosts() : undefined;
  const session =
    model === undefined ? undefined : new ModelSession(await sessionOptions(asked, model, isSent, changes, costs));
  session?.count(picking);
  const options = planOptions(asked, session);
  const planned = await runPlan(trees.before, trees.after, options, roots);
  const { result: checked, verdict, iterations } = await checkedByOracle(asked, planned, options);
  const judged = isSent ? await withJudged(checked, asked) : checked;
  const mentioned = await mentionsAfter(params, trees, judged, effects, grammars, call);
  const result =
    mentioned === undefined
      ? judged
      : { ...judged, plan: mentioned.plan, tree: mentioned.tree, layers: mentioned.layers };
  const isOpen = isSent && (result.stopped || session?.failed === true);
  if (isSent && !isOpen) effects.notes.end(id);
  const problems = [
    ...(isNowhere === true ? [{ message: NOWHERE }] : []),
    ...(isSent ? problemsOfBudget(budgetOf(params, configuration.limits), pricesIn(configuration.model)) : []),
    ...problemsOfValues(params, options.values, result),
  ];
  const made = await inTurns(madeBlocks(trees.before, trees.after, result.tree), call.signal);
  const run = runOf(id, editedBlocks(changes), trees, result, made, mentioned, verdict, iterations, session, problems);
  return { ...run, report: { ...run.report, ...questionEntries(costs), ...resumeEntry(isOpen, id) } };
}

function beginNotes({ id, params, effects, known, written }: Asked, roots: readonly Obligation[]): void {
  const blocks = roots.map(({ file, block }) => `${file}:${block}`);
  effects.notes.begin(id, roots.length === 0 ? params : { ...params, blocks }, written);
  for (const [key, answer] of known) effects.notes.answered(id, key, answer);
}

/** `isSent`: whether questions leave this process, so that they cost something and answers are kept. */
async function sessionOptions(
  { id, trees, params, effects, grammars, search, call, known }: Asked,
  model: EditModel,
  isSent: boolean,
  changes: readonly AtomicChange[],
  costs: QuestionCosts | undefined,
): Promise<SessionOptions> {
  const { model: settings, limits } = effects.configuration;
  const { signal } = call;
  const instruction = params.instruction ?? '';
  const looksUp = isSent && (params.toolsOnFailure ?? settings.toolsOnFailure) === true;
  const writer = isSent && model.readsWords !== false ? await effects.modelOf('edit') : undefined;
  const helper = looksUp ? await effects.modelOf('edit') : undefined;
  const parts = { effects, grammars, search };
  const keep = (key: string, answer: KeptAnswer): void => effects.notes.answered(id, key, answer);
  return {
    model,
    instruction,
    seeds: seedEdits(trees, changes),
    without: new Set(params.without),
    promptTokensMost: isSent ? (settings.promptTokens ?? PROMPT_TOKENS) : Infinity,
    grammars,
    budget: budgetOf(params, limits),
    prices: pricesIn(settings),
    // A replay answers at once, and is counted by its questions.
    parallel: model.id === 'replay' ? 1 : (params.parallel ?? settings.parallel ?? PARALLEL),
    oneByOne: params.oneByOne ?? settings.oneByOne ?? false,
    signal,
    ...(helper === undefined ? {} : { tools: new ToolRound(helper, effects.withheld, grammars, signal) }),
    ...(writer === undefined
      ? {}
      : { stubs: new StubWriter(parts, writer, trees[trees.present], params.oracle, instruction, call) }),
    ...(costs === undefined ? {} : { costs }),
    ...(isSent ? { notes: { known, keep } } : {}),
  };
}

function planOptions(
  { trees, params, effects, grammars, call }: Asked,
  session: ModelSession | undefined,
): PlanOptions {
  const { configuration, left } = effects;
  return {
    grammars,
    values: new GivenValues({ ...configuration.values, ...params.values }),
    accepted: new Set(params.accept),
    made: left.read().made,
    certainOnly: params.strict ?? configuration.strict,
    stepsMost: params.maxSteps ?? configuration.limits.steps ?? STEPS_MOST,
    planning: params.repairOnly !== true && trees.isClosed !== true,
    ...(trees.present === 'before' ? { offers: false } : {}),
    askAll: params.askAll === true,
    renames: trees.renames,
    signal: call.signal,
    progress: (message) => call.progress(message),
    ...(session === undefined ? {} : { asker: session }),
  };
}

async function checkedByOracle(
  { trees, params, effects, call }: Asked,
  result: PlanResult,
  options: PlanOptions,
): Promise<Checked> {
  const oracle =
    params.oracle === false
      ? undefined
      : await effects.oracle(typeof params.oracle === 'string' ? params.oracle : undefined);
  if (oracle === undefined) return { result, verdict: null, iterations: 1 };
  call.progress(`asking ${oracle.name}`);
  const roundsMost = params.maxIterations ?? effects.configuration.limits.iterations ?? ITERATIONS_MOST;
  return untilClean(oracle, trees, result, options, roundsMost, call);
}

async function withJudged(result: PlanResult, { trees, call }: Asked): Promise<PlanResult> {
  const judged = withStillBroken(result.plan, trees.before, result.tree, trees.renames);
  return { ...result, plan: await inTurns(judged, call.signal) };
}

const questionEntries = (costs: QuestionCosts | undefined): Pick<PropagateReport, 'questions'> =>
  costs === undefined
    ? {}
    : { questions: costs.all.map((cost) => ({ ...cost, steps: [...cost.steps], parts: [...cost.parts] })) };

const resumeEntry = (isOpen: boolean, id: string): Pick<PropagateReport, 'resume'> =>
  isOpen ? { resume: `codeplan propagate --resume ${id}` } : {};

/** What the whole plan renamed, moved or deleted, mentioned outside of code; undefined where nobody asked. */
async function mentionsAfter(
  { mentions: kinds }: PropagateParams,
  trees: TreePair,
  result: PlanResult,
  effects: Effects,
  grammars: Grammars,
  call: Call,
): Promise<WithMentions | undefined> {
  if (kinds === undefined) return undefined;
  const { changes } = await inTurns(editInTurns(trees.before, result.tree, trees.renames), call.signal);
  const changed = changesSpokenOf(
    changes,
    result.plan.steps.flatMap(({ causes }) => causes),
  );
  const found = await mentionsOf(wantedNames(trees, result.tree, changed), result.tree, effects, call);
  return rewriteMentions(result, found, new Set(kinds), grammars);
}

const seedFiles = ({ before, after }: TreePair): string[] => [...after.snapshot.differingFrom(before.snapshot)];

function problemsOfBudget({ money }: Budget, { prompt, completion }: Prices): Problem[] {
  return money === Infinity || prompt + completion > 0
    ? []
    : [
        {
          message:
            'the limit of cost has no effect: the settings have no prices (model.promptPrice, model.completionPrice)',
        },
      ];
}

/** Values of this request that nothing took; those of the settings wait for an edit that they are meant for. */
function problemsOfValues(
  { values = {} }: PropagateParams,
  given: GivenValues,
  { tree: { snapshot } }: PlanResult,
): Problem[] {
  return given
    .untaken(Object.keys(values), { paths: () => snapshot.files.keys(), summary: (file) => snapshot.summary(file) })
    .map((message) => ({ message }));
}

function budgetOf(params: PropagateParams, limits: LimitsSection): Budget {
  return {
    calls: params.maxCalls ?? limits.modelCalls ?? CALLS_MOST,
    tokens: params.maxTokens ?? limits.tokens ?? Infinity,
    money: params.maxCost ?? limits.cost ?? Infinity,
    seconds: params.maxSeconds ?? limits.seconds ?? Infinity,
    files: params.maxFiles ?? limits.files ?? Infinity,
  };
}

function runOf(
  id: string,
  edited: readonly string[],
  trees: TreePair,
  result: PlanResult,
  // Of the texts that were planned on.
  made: readonly MadeBlock[],
  mentioned: WithMentions | undefined,
  oracle: OracleVerdict | null,
  iterations: number,
  session: ModelSession | undefined,
  problems: readonly Problem[],
): Run {
  const edits = [...sourceEdits(trees, result.tree), ...(mentioned?.edits ?? [])];
  const texts = new LayeredTexts();
  const { money, ...usage } = session?.usage() ?? { calls: 0, promptTokens: 0, completionTokens: 0, money: 0 };
  const report: PropagateReport = {
    schema: SCHEMA_VERSION,
    run: id,
    applied: false,
    iterations,
    ...(edited.length === 0 ? {} : { edited: [...edited] }),
    steps: result.plan.steps.filter((step) => !isWaiting(step) || step.diff !== '').map(stepEntry),
    open: [
      ...result.plan.steps
        .filter((step) => step.open !== undefined)
        .map((step) => ({
          file: step.file,
          block: step.block,
          reason: step.open?.reason ?? '',
          ...factEntry(step.facts),
          needs: step.open?.needs ?? 'person',
          tier: step.tier,
          line: step.line,
          ...valueNeeded(step.open, result.plan),
          ...(step.open?.accept === undefined ? {} : { accept: step.open.accept }),
        })),
      ...result.unplanned.map(({ file, block, reason, facts, tier, line, confidence }) => ({
        file,
        block,
        reason,
        ...factEntry(facts),
        needs: 'person' as const,
        tier,
        line,
        confidence,
      })),
    ],
    undecided: undecidedEntries(trees.after, result.undecided),
    ...unlistedEntries(result.unlisted),
    ...(mentioned === undefined ? {} : { mentions: mentionEntries(mentioned.left, seedFiles(trees)) }),
    oracle,
    usage: { ...usage, ...(money > 0 ? { cost: money } : {}) },
    complete: trees.problems.length === 0,
    problems: [...trees.problems, ...problems, ...result.cut.map((message): Problem => ({ message }))],
  };
  return {
    id,
    title: titleOf(edited),
    report,
    edits,
    made,
    hunks: separableHunks(result.layers.values()),
    partOf: (steps, without) => partOf(result, edits, texts, steps, without),
  };
}

/**
 * The value that an open step needs: what would do at every step that needs it, and, if it is not the only place, what
 * would do at this one alone.
 */
function valueNeeded(
  open: Step['open'],
  plan: Plan,
): Pick<PropagateReport['open'][number], 'value' | 'key' | 'choices' | 'choicesHere'> {
  if (open?.value === undefined || open.key === undefined) return {};
  const { value, key, choices = [] } = open;
  const lists = plan.steps.flatMap((step) => (step.open?.value === value ? [step.open.choices ?? []] : []));
  const isOnlyPlace = lists.length === 1 && !isOneOfSeveral(key);
  const doesEverywhere = (choice: string): boolean => lists.every((list) => list.includes(choice));
  return {
    value,
    choices: choices.filter(doesEverywhere),
    ...(isOnlyPlace ? {} : { key, choicesHere: choices.filter((choice) => !doesEverywhere(choice)) }),
  };
}

function partOf(
  { plan, layers }: PlanResult,
  edits: readonly FileEdit[],
  texts: LayeredTexts,
  wanted: ReadonlySet<number>,
  without: HunksLeftOut = new Map(),
): RunPart {
  let steps = wanted;
  for (let before = -1; before !== steps.size;) {
    before = steps.size;
    steps = standing(layers.values(), withoutOrphans(plan, steps), without);
  }
  return {
    steps,
    edits: edits.flatMap((edit): FileEdit[] => {
      const layersOfFile = layers.get(edit.kind === 'rename' ? edit.to : edit.file);
      if (edit.kind === 'delete' || layersOfFile === undefined) return [edit];
      const after = texts.with(layersOfFile, steps, without);
      return edit.kind === 'change' && after === edit.before ? [] : [{ ...edit, after }];
    }),
  };
}

const isWaiting = ({ status }: Step): boolean => status === 'pending' || status === 'postponed';

function stepEntry(step: Step): PropagateReport['steps'][number] {
  return {
    id: step.id,
    file: step.file,
    block: step.block,
    how: step.how,
    rule: step.rule,
    status: step.status === 'pending' || step.status === 'postponed' ? 'proposed' : step.status,
    causes: step.causes.map(({ step: cause, relation, label }) => ({ step: cause, relation, label })),
    tier: step.tier,
    diff: step.diff,
    reason: step.reasons.join(' ') || step.rule,
    ...factEntry(step.facts),
    startLine: step.line,
  };
}

function factEntry(facts: readonly string[]): Pick<Open, 'fact'> {
  const fact = atAGlance(facts);
  return fact === undefined ? {} : { fact };
}

function editedBlocks(changes: readonly AtomicChange[]): readonly string[] {
  const names = changes
    .filter((change) => change.kind !== 'import')
    .map((change) =>
      change.detail.rename === undefined ? change.block : `${change.detail.rename.from} -> ${change.detail.rename.to}`,
    );
  return [...new Set(names)];
}

function titleOf(edited: readonly string[]): string {
  return edited.length === 0
    ? 'nothing'
    : edited.slice(0, 3).join(', ') + (edited.length > 3 ? `, and ${edited.length - 3} more` : '');
}
