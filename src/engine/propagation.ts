/**
 * One run of propagate: plan, oracle, and the document that tells of both.
 *
 * After the plan has nothing pending, the oracle checks the resulting tree. Errors that the tree
 * before the person's edit did not have become open obligations, or with a model the seeds of the
 * next round; it ends when nothing new is left, when two rounds bring no progress, or at the limit.
 */
import type { LimitsSection } from '#protocol/configuration.js';
import type { OracleVerdict, PropagateParams, PropagateReport } from '#protocol/propagate.js';
import { SCHEMA_VERSION, type Diagnostic, type Problem } from '#protocol/words.js';
import { isOutside } from '../base/outside.js';
import { inTurns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockName } from '../change/block-name.js';
import type { Summary } from '../syntax/summary.js';
import type { Grammars } from '../syntax/grammar.js';
import { LayeredTexts, separableHunks, standing, type HunksLeftOut } from '../edit/layered-text.js';
import { GivenValues, isOneOfSeveral } from '../edit/mechanical/calls/given-values.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { STEPS_MOST, withoutOrphans } from '../plan/plan-graph.js';
import { isOwnBlock } from '../change/match-blocks.js';
import { ModelSession } from './answer-step.js';
import { ToolRound } from './tool-round.js';
import { pricesIn, type Budget, type Prices } from '../model/budget.js';
import { editInTurns } from './edit-between.js';
import type { Effects, KeptAnswer, Oracle } from './effects.js';
import { undecidedEntries, unsearchedEntry } from './impact-document.js';
import type { FileEdit } from './file-edit.js';
import type { MadeBlock } from './left.js';
import { madeBlocks } from './made-blocks.js';
import { resumePlan, runPlan, type PlanOptions, type PlanResult } from './plan-run.js';
import { seedEdits } from './seed-edits.js';
import { PROMPT_TOKENS } from './step-request.js';
import { NOWHERE, taskRoots } from './task-roots.js';
import type { Call } from './service.js';
import type { TreePair } from './trees.js';
import { mentionEntries, mentionsOf, rewriteMentions, wantedNames, type WithMentions } from './mentions.js';
import { withStillBroken } from './still-broken.js';
import { sourceEdits } from './source-edits.js';
import type { WorkingTree } from './working-tree.js';
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

const CALLS_MOST = 200;
const ITERATIONS_MOST = 5;
/** How many rounds in a row may leave as many errors as there were. */
const STAGNANT_MOST = 2;
/** Questions on their way at once, where nothing else is said. */
const PARALLEL = 4;

/** `known`: answers of the run that this one goes on with. */
export async function propagation(
  id: string,
  trees: TreePair,
  params: PropagateParams,
  effects: Effects,
  grammars: Grammars,
  call: Call,
  known: ReadonlyMap<string, KeptAnswer> = new Map(),
): Promise<Run> {
  const model = params.rulesOnly === true ? undefined : await effects.model(params.model);
  const { configuration } = effects;
  const { changes } = await inTurns(editInTurns(trees.before, trees.after, trees.renames), call.signal);
  const seeds = seedEdits(trees, changes);
  const prices = pricesIn(configuration.model);
  const { roots, usage: picking, isNowhere } = await taskRoots(trees, params, model, call);
  // What never leaves this process is asked again at no cost.
  const isSent = model?.preview !== undefined;
  if (isSent) {
    effects.notes.begin(
      id,
      roots.length === 0 ? params : { ...params, blocks: roots.map(({ file, block }) => `${file}:${block}`) },
    );
    for (const [key, answer] of known) effects.notes.answered(id, key, answer);
  }
  const helper =
    isSent && (params.toolsOnFailure ?? configuration.model.toolsOnFailure) === true
      ? await effects.modelOf('edit')
      : undefined;
  const costs = params.questions === true ? new QuestionCosts() : undefined;
  const session =
    model === undefined
      ? undefined
      : new ModelSession({
          model,
          instruction: params.instruction ?? '',
          seeds,
          without: new Set(params.without),
          promptTokensMost: isSent ? (configuration.model.promptTokens ?? PROMPT_TOKENS) : Infinity,
          grammars,
          budget: budgetOf(params, configuration.limits),
          prices,
          // A replay answers at once, and is counted by its questions.
          parallel: model.id === 'replay' ? 1 : (params.parallel ?? configuration.model.parallel ?? PARALLEL),
          oneByOne: params.oneByOne ?? configuration.model.oneByOne ?? false,
          signal: call.signal,
          ...(helper === undefined ? {} : { tools: new ToolRound(helper, effects.withheld, grammars, call.signal) }),
          ...(costs === undefined ? {} : { costs }),
          ...(isSent
            ? {
                notes: {
                  known,
                  keep: (key: string, answer: KeptAnswer): void => effects.notes.answered(id, key, answer),
                },
              }
            : {}),
        });
  session?.count(picking);
  const options: PlanOptions = {
    grammars,
    values: new GivenValues({ ...configuration.values, ...params.values }),
    accepted: new Set(params.accept),
    made: effects.left.read().made,
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
  let result = await runPlan(trees.before, trees.after, options, roots);
  const oracle =
    params.oracle === false
      ? undefined
      : await effects.oracle(typeof params.oracle === 'string' ? params.oracle : undefined);
  let verdict: OracleVerdict | null = null;
  let iterations = 1;
  if (oracle !== undefined) {
    call.progress(`asking ${oracle.name}`);
    const checked = await untilClean(
      oracle,
      trees,
      result,
      options,
      params.maxIterations ?? configuration.limits.iterations ?? ITERATIONS_MOST,
      call,
    );
    ({ result, verdict, iterations } = checked);
  }
  if (isSent) {
    const judged = withStillBroken(result.plan, trees.before, result.tree, trees.renames);
    result = { ...result, plan: await inTurns(judged, call.signal) };
  }
  const mentioned = await mentionsAfter(params, trees, result, effects, grammars, call);
  if (mentioned !== undefined)
    result = { ...result, plan: mentioned.plan, tree: mentioned.tree, layers: mentioned.layers };
  const isOpen = isSent && (result.stopped || session?.failed === true);
  if (isSent && !isOpen) effects.notes.end(id);
  const run = runOf(id, titleOf(changes), trees, result, mentioned, verdict, iterations, session, [
    ...(isNowhere === true ? [{ message: NOWHERE }] : []),
    ...(isSent ? problemsOfBudget(budgetOf(params, configuration.limits), prices) : []),
    ...problemsOfValues(params, options.values, result),
  ]);
  return {
    ...run,
    report: {
      ...run.report,
      ...(costs === undefined
        ? {}
        : { questions: costs.all.map((cost) => ({ ...cost, steps: [...cost.steps], parts: [...cost.parts] })) }),
      ...(isOpen ? { resume: `codeplan propagate --resume ${id}` } : {}),
    },
  };
}

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
  const found = await mentionsOf(wantedNames(trees, result.tree, changes), result.tree, effects, call);
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

async function untilClean(
  oracle: Oracle,
  trees: TreePair,
  first: PlanResult,
  options: PlanOptions,
  roundsMost: number,
  call: Call,
): Promise<{ result: PlanResult; verdict: OracleVerdict; iterations: number }> {
  let result = first;
  let near = filesNear(trees, result);
  let baseline = await oracle.run(overlayOf(trees[trees.present], trees.before), near, call.signal);
  let iterations = 1;
  let fewest = Infinity;
  let stagnant = 0;
  for (;;) {
    const now = filesNear(trees, result);
    // Both runs must have looked at the same files.
    if (baseline.partly !== undefined && now.size > near.size)
      baseline = await oracle.run(overlayOf(trees[trees.present], trees.before), now, call.signal);
    near = now;
    const run = await oracle.run(overlayOf(trees[trees.present], result.tree), near, call.signal);
    if (baseline.errors === undefined || run.errors === undefined) {
      const message = baseline.message ?? run.message ?? 'it gave no answer';
      return {
        result,
        iterations,
        verdict: {
          name: oracle.name,
          baseline: baseline.errors?.length ?? null,
          after: run.errors?.length ?? null,
          new: [],
          message,
        },
      };
    }
    const fresh = oracle.fresh(
      baseline.errors,
      run.errors,
      (file) => trees.before.text(file),
      (file) => result.tree.text(file),
    );
    const verdict: OracleVerdict = {
      name: oracle.name,
      baseline: baseline.errors.length,
      after: run.errors.length,
      new: [...fresh],
      ...(run.partly === undefined ? {} : { message: `it looked at ${run.partly}, those that the plan is about` }),
    };
    stagnant = fresh.length < fewest ? 0 : stagnant + 1;
    if (fresh.length === 0 || stagnant >= STAGNANT_MOST || iterations >= roundsMost || options.asker === undefined) {
      return { result: { ...result, plan: withOracleErrors(result, fresh).plan }, iterations, verdict };
    }
    fewest = Math.min(fewest, fresh.length);
    iterations++;
    const raised = withOracleErrors(result, fresh);
    result = await resumePlan({ ...result, plan: raised.plan }, options);
  }
}

/** Files that the person or the plan edited, or that have a step. */
function filesNear(trees: TreePair, { plan, tree }: PlanResult): ReadonlySet<string> {
  return new Set([
    ...trees.after.snapshot.differingFrom(trees.before.snapshot),
    ...tree.editedFiles,
    ...plan.steps.map((step) => step.file),
  ]);
}

/** The plan with a pending step for each block that has new errors. */
function withOracleErrors(result: PlanResult, errors: readonly Diagnostic[]): { plan: Plan } {
  let { plan } = result;
  const byBlock = new Map<string, { file: string; block: string; line: number; messages: string[] }>();
  for (const error of errors) {
    const summary = result.tree.snapshot.summary(error.file);
    const block = summary === undefined ? '<module>' : blockAtLine(summary, error.line);
    const key = `${error.file}\0${block}`;
    const entry = byBlock.get(key) ?? { file: error.file, block, line: error.line, messages: [] };
    entry.messages.push(`${error.message} (line ${error.line}${error.code === undefined ? '' : `, ${error.code}`})`);
    byBlock.set(key, entry);
  }
  for (const { file, block, line, messages } of byBlock.values()) {
    const pending = plan.steps.find(
      (step) =>
        step.file === file &&
        step.nowBlock === block &&
        step.status !== 'postponed' &&
        (step.status === 'pending' || step.open !== undefined),
    );
    if (pending !== undefined) continue;
    const step: Step = {
      id: plan.steps.length + 1,
      file,
      block,
      nowBlock: block,
      tier: 'breaks',
      causes: [],
      reasons: messages,
      status: 'pending',
      how: 'person',
      rule: 'oracle',
      diff: '',
      line,
      nearness: 0,
      open: { reason: messages.join('; '), needs: 'model' },
    };
    plan = { steps: [...plan.steps, step] };
  }
  return { plan };
}

/** Innermost block that holds a line. */
function blockAtLine(summary: Summary, line: number): string {
  const offset = summary.lineStarts[Math.min(line, summary.lineStarts.length) - 1] ?? 0;
  const end = summary.lineStarts[line] ?? summary.textLength;
  let best = -1;
  for (let decl = 0; decl < summary.decls.count; decl++) {
    if (!isOwnBlock(summary, decl) || summary.decls.startOf(decl) >= end || summary.decls.endOf(decl) <= offset)
      continue;
    if (best < 0 || summary.decls.startOf(decl) >= summary.decls.startOf(best)) best = decl;
  }
  return blockName(summary, best);
}

/** What must be laid over the disk's tree `disk` to have `tree`. */
function overlayOf(disk: WorkingTree, tree: WorkingTree): ReadonlyMap<string, string | undefined> {
  const texts = new Map<string, string | undefined>();
  for (const file of tree.snapshot.differingFrom(disk.snapshot))
    if (!isOutside(file)) texts.set(file, tree.snapshot.hasFile(file) ? tree.text(file) : undefined);
  return texts;
}

function runOf(
  id: string,
  title: string,
  trees: TreePair,
  result: PlanResult,
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
    steps: result.plan.steps.filter((step) => !isWaiting(step) || step.diff !== '').map(stepEntry),
    open: [
      ...result.plan.steps
        .filter((step) => step.open !== undefined)
        .map((step) => ({
          file: step.file,
          block: step.block,
          reason: step.open?.reason ?? '',
          needs: step.open?.needs ?? 'person',
          tier: step.tier,
          line: step.line,
          ...valueNeeded(step.open, result.plan),
          ...(step.open?.accept === undefined ? {} : { accept: step.open.accept }),
        })),
      ...result.unplanned.map(({ file, block, reason, tier, line, confidence }) => ({
        file,
        block,
        reason,
        needs: 'person' as const,
        tier,
        line,
        confidence,
      })),
    ],
    undecided: undecidedEntries(trees.after, result.undecided),
    ...unsearchedEntry(result.unsearched),
    ...(mentioned === undefined ? {} : { mentions: mentionEntries(mentioned.left, seedFiles(trees)) }),
    oracle,
    usage: { ...usage, ...(money > 0 ? { cost: money } : {}) },
    complete: trees.problems.length === 0,
    problems: [...trees.problems, ...problems, ...result.cut.map((message): Problem => ({ message }))],
  };
  return {
    id,
    title,
    report,
    edits,
    // Now, while the texts are those that were planned on.
    made: madeBlocks(trees.before, trees.after, result.tree),
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
    startLine: step.line,
  };
}

function titleOf(changes: readonly AtomicChange[]): string {
  const names = changes
    .filter((change) => change.kind !== 'import')
    .map((change) =>
      change.detail.rename === undefined ? change.block : `${change.detail.rename.from} -> ${change.detail.rename.to}`,
    );
  const distinct = [...new Set(names)];
  return distinct.length === 0
    ? 'nothing'
    : distinct.slice(0, 3).join(', ') + (distinct.length > 3 ? `, and ${distinct.length - 3} more` : '');
}
