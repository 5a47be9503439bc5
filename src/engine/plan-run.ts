/**
 * Runs a plan: from the person's edit to the edits that follow, on an overlay.
 *
 * Each round classifies what the last edits changed, asks the impact rules what that affects, and
 * lets the rewrites edit every affected block at once; what they leave is asked of the edit
 * model, one block at a time in the plan's order, and each answer starts a round of its own.
 * Nothing is written here: the result is a working tree and a plan.
 *
 * Source: CodePlan (arXiv 2309.12499), Algorithm 2.
 */
import { createTwoFilesPatch } from 'diff';
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { rewriteSite } from '../edit/mechanical/rewrites.js';
import { impactOf, type AffectedBlock, type Undecided } from '../impact/impact.js';
import type { Cause, Plan, Step } from '../plan/plan-graph.js';
import { EMPTY_PLAN, nextPending, replaceStep, withObligation } from '../plan/plan-graph.js';
import type { Grammars } from '../syntax/grammar.js';
import { blockPath, type Summary } from '../syntax/summary.js';
import { changesBetween } from './changes-between.js';
import { summarise } from '../languages/summarise.js';
import type { WorkingTree } from './working-tree.js';

export interface PlanOptions {
  readonly grammars: Grammars;
  /** Answers a step that no rewrite does; absent: no model. */
  readonly answer?: AnswerStep;
  readonly values: ReadonlyMap<string, string>;
  /** Only sites that resolve with certainty. */
  readonly certainOnly: boolean;
  readonly stepsMost: number;
  readonly callsMost: number;
  readonly renames?: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

/** Asks an edit model for one step on the present tree; `text` is the file's whole new text. */
export type AnswerStep = (step: Step, tree: WorkingTree, plan: Plan) => Promise<
  | { readonly kind: 'edit'; readonly text: string; readonly how: 'model' | 'replay' }
  | { readonly kind: 'noChange'; readonly how: 'model' | 'replay' }
  | { readonly kind: 'cannot'; readonly reason: string }
>;

export interface PlanResult {
  readonly plan: Plan;
  /** The tree with all edits. */
  readonly tree: WorkingTree;
  readonly undecided: readonly Undecided[];
  readonly calls: number;
  /** What bounds cut off, in words. */
  readonly cut: readonly string[];
}

interface State {
  plan: Plan;
  before: WorkingTree;
  tree: WorkingTree;
  /** Which step made which block what it is, for causes. */
  readonly madeBy: Map<string, number>;
  readonly undecided: Undecided[];
  calls: number;
  readonly cut: Set<string>;
}

/** `before` is the tree without the person's edit, `edited` with it. */
export async function runPlan(before: WorkingTree, edited: WorkingTree, options: PlanOptions): Promise<PlanResult> {
  const state: State = { plan: EMPTY_PLAN, before, tree: edited, madeBy: new Map(), undecided: [], calls: 0, cut: new Set() };
  mechanicalRounds(state, changesBetween(before, edited, options.renames), options);
  return finish(state, options);
}

/** Goes on with a plan to which pending steps were added (an oracle's errors). */
export async function resumePlan(earlier: PlanResult, options: PlanOptions): Promise<PlanResult> {
  const plan = { steps: earlier.plan.steps.map((step): Step => (step.rule === 'oracle' && step.status === 'pending' ? withoutOpen(step) : step)) };
  return finish({ plan, before: earlier.tree, tree: earlier.tree, madeBy: new Map(), undecided: [...earlier.undecided], calls: earlier.calls, cut: new Set(earlier.cut) }, options);
}

function withoutOpen(step: Step): Step {
  const { open: _open, ...rest } = step;
  return rest;
}

async function finish(state: State, options: PlanOptions): Promise<PlanResult> {
  for (;;) {
    options.signal.throwIfAborted();
    const step = nextPending(state.plan);
    if (step === undefined || options.answer === undefined) break;
    if (state.calls >= options.callsMost) {
      state.cut.add(`stopped after ${state.calls} model calls, the limit that was set`);
      break;
    }
    await askModel(state, step, options.answer, options);
  }
  return { plan: closeOpen(state.plan, options.answer !== undefined), tree: state.tree, undecided: state.undecided, calls: state.calls, cut: [...state.cut] };
}

/** Impact of the changes, then all rewrites at once, until the rewrites change nothing more. */
function mechanicalRounds(state: State, first: readonly AtomicChange[], options: PlanOptions): void {
  let changes = first;
  let isSeed = true;
  while (changes.length > 0) {
    options.signal.throwIfAborted();
    options.progress(`${changes.length} changes, ${state.plan.steps.length} steps`);
    const graphs = { before: state.before.resolver, after: state.tree.resolver };
    const textsOf = textsBetween(state.before, state.tree);
    const impact = impactOf(graphs, changes, textsOf);
    if (isSeed) state.undecided.push(...impact.undecided);
    isSeed = false;
    const affected = options.certainOnly ? impact.affected.filter((block) => block.confidence === 'certain') : impact.affected;
    const edits = new Map<string, { step: Step; edits: TextEdit[] }[]>();
    for (const block of affected) raise(state, block, graphs.after.summary(block.file), options, edits);
    const next = applyRewrites(state, edits, options);
    if (next === undefined) return;
    state.before = state.tree;
    state.tree = next;
    // A rewrite keeps the behaviour of the bodies that it touches: only declarations go on.
    changes = changesBetween(state.before, state.tree).filter((change) => change.label !== 'MMB');
  }
}

/** Makes or extends the step of an affected block, and collects what the rewrites do to it. */
function raise(state: State, block: AffectedBlock, summary: Summary, options: PlanOptions, edits: Map<string, { step: Step; edits: TextEdit[] }[]>): void {
  const path = blockPath(summary, block.decl);
  const causes = block.sites.map((site): Cause => ({ step: state.madeBy.get(`${site.cause.file}::${site.cause.block}`) ?? 0, relation: site.relation, label: site.cause.label }));
  const reasons = [...new Set(block.sites.map((site) => site.reason))];
  const firstSite = block.sites.find((site) => site.expr >= 0);
  const offset = block.decl >= 0 ? (summary.decls.start[block.decl] as number) : firstSite === undefined ? 0 : (summary.exprs.start[firstSite.expr] as number);
  const obligation = { file: block.file, block: path, tier: block.tier, causes, reasons, rule: block.sites[0]?.rule ?? '', line: lineAt(summary, offset) };
  const added = withObligation(state.plan, obligation, options.stepsMost);
  state.plan = added.plan;
  if (added.id === 0) {
    state.cut.add(`${path} in ${block.file} was affected again too often, or the plan reached ${options.stepsMost} steps`);
    return;
  }
  const step = state.plan.steps[added.id - 1] as Step;
  const text = state.tree.text(block.file);
  if (text === undefined) return;
  const graphs = { before: state.before.resolver, after: state.tree.resolver };
  const collected: TextEdit[] = [];
  const rules = new Set<string>();
  let refused: Step['open'];
  let untouched = 0;
  // Mentions first: what becomes of the declaration may depend on which mentions are left.
  for (const site of [...block.sites].sort((a, b) => Number(a.expr < 0) - Number(b.expr < 0))) {
    const done = rewriteSite({ graphs, block, site, summary, text, soFar: collected, values: options.values });
    if (done === undefined) untouched += site.tier === 'breaks' ? 1 : 0;
    else if ('edits' in done.result) {
      rules.add(done.rewrite.id);
      for (const edit of done.result.edits) if (!collected.some((known) => known.start === edit.start && known.end === edit.end && known.text === edit.text)) collected.push(edit);
    } else refused ??= { reason: done.result.cannot, needs: done.result.needs, ...(done.result.value === undefined ? {} : { value: done.result.value }) };
  }
  let now = step;
  if (refused !== undefined) now = { ...now, open: refused };
  if (collected.length > 0) now = { ...now, how: 'mechanical', rule: [...rules].join(', ') };
  const complete = collected.length > 0 && refused === undefined && untouched === 0;
  if (complete) now = { ...now, status: 'proposed' };
  state.plan = replaceStep(state.plan, now);
  if (collected.length > 0) {
    const list = edits.get(block.file);
    if (list === undefined) edits.set(block.file, [{ step: now, edits: collected }]);
    else list.push({ step: now, edits: collected });
  }
}

/** Applies the collected edits file by file; a file that would get a new syntax error keeps its text, and its steps stay open. */
function applyRewrites(state: State, edits: ReadonlyMap<string, readonly { step: Step; edits: TextEdit[] }[]>, options: PlanOptions): WorkingTree | undefined {
  const texts = new Map<string, string>();
  for (const [file, list] of edits) {
    const text = state.tree.text(file) as string;
    const after = editedText(text, list.flatMap((entry) => entry.edits));
    const errors = state.tree.snapshot.summary(file)?.errors.length ?? 0;
    const broken = after === undefined || (summarise(options.grammars, file, after)?.errors.length ?? 0) > errors;
    for (const entry of list) {
      const step = state.plan.steps[entry.step.id - 1] as Step;
      if (broken) {
        state.plan = replaceStep(state.plan, { ...step, status: 'pending', how: 'person', open: { reason: 'the rewritten text would not parse', needs: 'person' } });
        continue;
      }
      state.plan = replaceStep(state.plan, { ...step, diff: step.diff + diffOf(file, text, editedText(text, entry.edits) ?? text) });
      state.madeBy.set(`${file}::${step.block}`, step.id);
    }
    if (!broken && after !== text) texts.set(file, after);
  }
  return texts.size === 0 ? undefined : state.tree.with(texts, options.grammars);
}

/** Undefined when edits overlap: two rules wanted the same place. */
function editedText(text: string, edits: readonly TextEdit[]): string | undefined {
  const distinct = edits.filter((edit, i) => edits.findIndex((other) => other.start === edit.start && other.end === edit.end && other.text === edit.text) === i);
  try {
    return applyEdits(text, distinct);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function askModel(state: State, step: Step, answerStep: AnswerStep, options: PlanOptions): Promise<void> {
  state.calls++;
  options.progress(`asking the model about ${step.block} in ${step.file}`);
  const answer = await answerStep(step, state.tree, state.plan);
  if (answer.kind === 'cannot') {
    state.plan = replaceStep(state.plan, { ...step, status: 'failed', open: { reason: answer.reason, needs: 'person' } });
    return;
  }
  if (answer.kind === 'noChange') {
    state.plan = replaceStep(state.plan, { ...step, status: 'proposed', how: step.diff === '' ? answer.how : step.how });
    return;
  }
  const text = state.tree.text(step.file) ?? '';
  state.plan = replaceStep(state.plan, { ...step, status: 'proposed', how: answer.how, diff: step.diff + diffOf(step.file, text, answer.text) });
  state.madeBy.set(`${step.file}::${step.block}`, step.id);
  state.before = state.tree;
  state.tree = state.tree.with(new Map([[step.file, answer.text]]), options.grammars);
  mechanicalRounds(state, changesBetween(state.before, state.tree), options);
}

/** What is still pending in the end is open, with the reason why nobody did it. */
function closeOpen(plan: Plan, hadModel: boolean): Plan {
  return { steps: plan.steps.map((step) => (step.status !== 'pending' || step.open !== undefined ? step : { ...step, open: { reason: step.reasons[0] ?? 'affected', needs: step.tier === 'may' && !hadModel ? 'person' : 'model' } })) };
}

function textsBetween(before: WorkingTree, after: WorkingTree): (file: string) => { before?: string; after?: string } {
  return (file) => {
    const old = before.text(file);
    const now = after.text(file);
    return { ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) };
  };
}

const diffOf = (file: string, before: string, after: string): string => (before === after ? '' : createTwoFilesPatch(`a/${file}`, `b/${file}`, before, after, undefined, undefined, { context: 3 }).replace(/^=+\n/, ''));

/** 1-based line of an offset. */
export function lineAt(summary: Summary, offset: number): number {
  const { lineStarts } = summary;
  let low = 0;
  let high = lineStarts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
