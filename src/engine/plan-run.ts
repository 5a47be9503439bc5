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
import { saidOfOutside } from '../base/outside.js';
import { shownName } from '../base/shown.js';
import { lineEdits } from '../base/line-edits.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Edit } from '../change/edit.js';
import { blockName } from '../change/block-name.js';
import { respellingsOf, withoutRespelled, type Respelling } from '../change/respelled.js';
import type { GivenValues } from '../edit/mechanical/calls/given-values.js';
import type { LayeredText } from '../edit/layered-text.js';
import { inTurns, type Turns } from '../base/turns.js';
import { SharedAnswers } from '../graph/resolve/answers.js';
import type { Confidence } from '../graph/resolve/names.js';
import type { AffectedBlock, AffectedSite, Undecided } from '../impact/affected.js';
import { foundOn } from '../impact/finders.js';
import { impactOf } from '../impact/impact.js';
import { questionAbout, type Question } from '../impact/question.js';
import { RULES } from '../impact/rules.js';
import type { Unlisted } from '../impact/unlisted.js';
import type { Tier } from '../impact/verdict.js';
import type { Acceptable, Obligation, Plan, Step } from '../plan/plan-graph.js';
import { EMPTY_PLAN, pendingInOrder, PERSON, replaceStep, withObligation } from '../plan/plan-graph.js';
import type { Grammars } from '../syntax/grammar.js';
import { withPostponed } from '../plan/postpone.js';
import { adapted } from './adapted.js';
import { editInTurns } from './edit-between.js';
import { factsOf } from './fact.js';
import { definitionsFirst } from './definitions-first.js';
import { withHandedParameters } from './handed-parameters.js';
import type { MadeBlock } from './left.js';
import { withoutMade } from './made-blocks.js';
import { addLayer, causeKey, lineOf, rewriteRound, type RoundState } from './rewrite-round.js';
import { isReturn, withTextOf, type EarlierTexts } from './oscillation.js';
import { diffOf, inHunks } from './step-diff.js';
import { isWithin, withMembersAnswered } from './shown-members.js';
import { blockKey, renamedWith } from './step-names.js';
import type { WorkingTree } from './working-tree.js';

export interface PlanOptions {
  readonly grammars: Grammars;
  /** Answers steps that no rewrite does; absent: no model. */
  readonly asker?: StepAsker;
  /** False: nothing is planned, and only what an oracle reports is asked (the paper's oracle-guided repair). */
  readonly planning: boolean;
  /** Whether blocks are asked about although those like them needed no change. */
  readonly askAll: boolean;
  readonly values: GivenValues;
  /** Rewrites that are made only where the person agrees; absent: none. */
  readonly accepted?: ReadonlySet<Acceptable>;
  /** What earlier plans did to bodies, from which nothing follows. */
  readonly made?: readonly MadeBlock[];
  /** Only sites that resolve with certainty. */
  readonly certainOnly: boolean;
  /** False: callers that still fit are not named for a parameter that they could give. */
  readonly offers?: boolean;
  readonly stepsMost: number;
  readonly renames?: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
}

export type StepAnswer =
  /** `text` is the file's whole new text. */
  | {
      readonly kind: 'edit';
      readonly text: string;
      readonly how: 'model' | 'replay';
      /** What of the step is still to do, and why. */
      readonly left?: string;
      /** Blocks that had no body before: nothing relied on it. */
      readonly filled?: readonly string[];
      readonly sawMembers?: boolean;
    }
  /** `sawMembers`: whether a class was shown with all of its members. */
  | { readonly kind: 'noChange'; readonly how: 'model' | 'replay'; readonly sawMembers?: boolean }
  | { readonly kind: 'cannot'; readonly reason: string }
  /** A limit was reached: nothing was asked, and nothing more is to be asked. */
  | { readonly kind: 'stop'; readonly reason: string };

export interface StepAsker {
  /** Hears of all steps that wait, before the first one is asked. */
  estimate(steps: readonly Step[], tree: WorkingTree, plan: Plan): void;
  /** May begin to ask steps before their turn; their answers are taken by `answer`. */
  askAhead(steps: readonly Step[], tree: WorkingTree, plan: Plan): void;
  /** Asks an edit model for the first of the steps that wait, on the present tree; may ask for others with it. */
  answer(waiting: readonly [Step, ...Step[]], tree: WorkingTree, plan: Plan): Promise<StepAnswer>;
}

export interface PlanResult {
  readonly plan: Plan;
  /** The tree with all edits. */
  readonly tree: WorkingTree;
  readonly undecided: readonly Undecided[];
  readonly unlisted: Unlisted;
  /** What bounds cut off, in words. */
  readonly cut: readonly string[];
  /** Whether a limit ended it while steps were waiting. */
  readonly stopped: boolean;
  /** Of each edited file, which step made which edit. */
  readonly layers: ReadonlyMap<string, LayeredText>;
  readonly earlierTexts: EarlierTexts;
  /** What the person's edit may affect, and no step is about. */
  readonly unplanned: readonly Unplanned[];
}

/** A block that impact lists, and for which the plan knows of nothing to do. */
export interface Unplanned {
  readonly file: string;
  readonly block: string;
  readonly line: number;
  readonly tier: Tier;
  readonly confidence: Confidence;
  readonly reason: string;
  readonly facts: readonly string[];
}

interface State extends RoundState {
  stopped: boolean;
  earlierTexts: EarlierTexts;
  readonly undecided: Undecided[];
  unlisted: Unlisted;
  readonly unplanned: Unplanned[];
  answers?: SharedAnswers;
}

/**
 * `before` is the tree without the person's edit, `edited` with it; `roots` are blocks that the person wants edited.
 */
export async function runPlan(
  before: WorkingTree,
  edited: WorkingTree,
  options: PlanOptions,
  roots: readonly Obligation[] = [],
): Promise<PlanResult> {
  const whole = await inTurns(editInTurns(before, edited, options.renames), options.signal);
  const edit = withoutMade(whole, edited, options.made ?? []);
  const byPerson = whole.changes
    .filter(({ after }) => after !== undefined && after.decl >= 0)
    .map((change): [string, number] => [causeKey({ before, tree: edited }, change), PERSON]);
  const state: State = {
    plan: EMPTY_PLAN,
    before,
    tree: edited,
    madeBy: new Map(byPerson),
    undecided: [],
    unlisted: {},
    unplanned: [],
    cut: new Set(),
    layers: new Map(),
    stopped: false,
    earlierTexts: new Map(),
  };
  for (const root of roots) state.plan = withObligation(state.plan, root, options.stepsMost).plan;
  if (options.planning) await inTurns(mechanicalRounds(state, edit, options, PERSON), options.signal);
  return finish(state, options);
}

/** Goes on with a plan to which pending steps were added (an oracle's errors). */
export async function resumePlan(earlier: PlanResult, options: PlanOptions): Promise<PlanResult> {
  const plan = {
    steps: earlier.plan.steps.map((step): Step =>
      step.rule === 'oracle' && step.status === 'pending' ? withoutOpen(step) : step,
    ),
  };
  return finish(
    {
      plan,
      before: earlier.tree,
      tree: earlier.tree,
      madeBy: new Map(),
      undecided: [...earlier.undecided],
      unlisted: earlier.unlisted,
      unplanned: [...earlier.unplanned],
      cut: new Set(earlier.cut),
      layers: new Map(earlier.layers),
      stopped: false,
      earlierTexts: earlier.earlierTexts,
    },
    options,
  );
}

function withoutOpen(step: Step): Step {
  const { open: _open, ...rest } = step;
  return rest;
}

async function finish(state: State, options: PlanOptions): Promise<PlanResult> {
  for (;;) {
    options.signal.throwIfAborted();
    state.plan = options.askAll ? state.plan : withPostponed(state.plan);
    const waiting = definitionsFirst(pendingInOrder(state.plan), state.tree);
    const [step, ...others] = waiting;
    if (step === undefined || options.asker === undefined) break;
    options.asker.estimate(waiting, state.tree, state.plan);
    options.asker.askAhead(waiting, state.tree, state.plan);
    state.stopped = !(await askModel(state, [step, ...others], options.asker, options));
    if (state.stopped) break;
  }
  return {
    plan: closeOpen(state.plan, options.asker !== undefined),
    tree: state.tree,
    undecided: state.undecided,
    unlisted: state.unlisted,
    unplanned: withoutPlanned(state),
    cut: [...state.cut],
    stopped: state.stopped,
    layers: state.layers,
    earlierTexts: state.earlierTexts,
  };
}

/** What asks nothing of others. */
interface Known {
  /** Changes of bodies of which callers see nothing. */
  readonly unseen: ReadonlySet<AtomicChange>;
  /** The step that made the edit, where it was asked about a whole class. */
  readonly shown?: Step | undefined;
}
const NOTHING_KNOWN: Known = { unseen: new Set() };

/**
 * Impact of the changes that a step (or the person) made, then all rewrites at once, until the rewrites change
 * nothing more.
 */
function* mechanicalRounds(
  state: State,
  first: Edit,
  options: PlanOptions,
  maker: number,
  { unseen, shown }: Known = NOTHING_KNOWN,
): Turns<void> {
  let edit = first;
  let isFirst = true;
  let brought: readonly AffectedBlock[] = [];
  const respellings: Respelling[] = [];
  while (edit.changes.length + brought.length > 0) {
    options.progress(`${edit.changes.length} changes, ${state.plan.steps.length} steps`);
    const graphs = { before: state.before.resolver, after: state.tree.resolver };
    respellings.push(
      ...respellingsOf(
        edit.changes,
        (file) => graphs.before.summary(file),
        (file) => graphs.after.summary(file),
      ),
    );
    const question: Question = {
      ...questionAbout(graphs, edit),
      ...(options.offers === undefined ? {} : { offers: options.offers }),
      isGiven: (param, { file, expr }) =>
        options.values.has(param, { file, summary: graphs.after.summary(file), callee: expr }),
    };
    const impact = yield* impactOf(question);
    if (isFirst) state.undecided.push(...impact.undecided);
    const isPersons = isFirst && maker === PERSON;
    if (isPersons) state.unlisted = impact.unlisted;
    const beside =
      isPersons && !options.certainOnly ? yield* foundOn('beside', { ...question, known: impact.affected }) : [];
    // Nothing leads there from the edit: only somebody who can be asked may say whether it follows.
    const listed = [...impact.affected, ...(options.asker === undefined ? [] : beside)];
    const reached = reachedOf(state, listed, { unseen, shown });
    if (isPersons) state.unplanned.push(...unplannedOf(state.tree, [...impact.affected, ...beside], reached, options));
    const affected = options.certainOnly ? reached.filter((block) => block.confidence === 'certain') : reached;
    const next = yield* rewriteRound(
      state,
      edit.changes,
      joined(affected, [
        ...brought,
        ...(yield* foundOn('plan', question)),
        ...(maker !== PERSON && isFirst ? yield* foundOn('answer', question) : []),
      ]),
      { ...options, isAsked: options.asker !== undefined },
    );
    isFirst = false;
    if (next === undefined) return;
    yield* advance(state, next);
    if (options.asker !== undefined) state.plan = withHandedParameters(state.plan, state.before, state.tree);
    const made = yield* editInTurns(state.before, state.tree);
    const about = questionAbout({ before: state.before.resolver, after: state.tree.resolver }, made);
    const isAsked = options.asker !== undefined && options.accepted?.has('drop-unread') !== true;
    brought = [...(yield* foundOn('imports', about)), ...(isAsked ? [] : yield* foundOn('rewrites', about))];
    // A rewrite keeps the behaviour of the bodies that it touches, and the imports right: only declarations go on.
    edit = {
      matches: made.matches,
      changes: withoutRespelled(
        made.changes.filter((change) => change.label !== 'MMB' && change.kind !== 'import'),
        respellings,
      ),
    };
  }
}

/** Of the blocks that impact lists, those of which something has to become. */
const reachedOf = (state: State, listed: readonly AffectedBlock[], { unseen, shown }: Known): AffectedBlock[] =>
  listed
    .flatMap((block) => withoutSites(block, ({ rule }) => FAMILY_RULES.has(rule)))
    .flatMap((block) => withoutSites(block, ({ rule, cause }) => rule === 'MMB/CalledBy' && unseen.has(cause)))
    .filter((block) => !isSettled(state, block) && !(shown !== undefined && wasShown(state, block, shown)));

/** Blocks that impact lists and that the rounds leave aside. */
function unplannedOf(
  { resolver }: WorkingTree,
  listed: readonly AffectedBlock[],
  reached: readonly AffectedBlock[],
  { certainOnly }: PlanOptions,
): Unplanned[] {
  const keyOf = ({ file, decl }: AffectedBlock): string => `${file}\0${decl}`;
  const keys = new Set(reached.map(keyOf));
  return listed
    .filter((block) => !keys.has(keyOf(block)) && (!certainOnly || block.confidence === 'certain'))
    .map((block): Unplanned => {
      const summary = resolver.summary(block.file);
      const { file, tier, confidence } = block;
      const reason = saidOfOutside(block.sites[0]?.reason ?? 'It may be affected.');
      const name = blockName(summary, block.decl);
      const facts = factsOf(block.sites);
      return { file, block: name, line: lineOf(block, summary), tier, confidence, reason, facts };
    });
}

/** What was left aside at first may have got a step by an edit of the plan. */
function withoutPlanned({ unplanned, plan }: State): Unplanned[] {
  const planned = new Set(plan.steps.map((step) => blockKey(step.file, step.block)));
  return unplanned.filter(({ file, block }) => !planned.has(blockKey(file, block)));
}

/** The block without some of its sites; none where no other is left. */
function withoutSites(block: AffectedBlock, isLeftOut: (site: AffectedSite) => boolean): AffectedBlock[] {
  const sites = block.sites.filter((site) => !isLeftOut(site));
  return sites.length === block.sites.length
    ? [block]
    : sites.length === 0
      ? []
      : [{ ...block, sites, tier: sites.some((site) => site.tier === 'breaks') ? 'breaks' : 'may' }];
}

/**
 * What only follows once an overridden or overriding member has followed: the plan edits that member
 * first, and its callers because of that edit, once.
 */
const FAMILY_RULES: ReadonlySet<string> = new Set(RULES.filter((rule) => rule.of === 'family').map((rule) => rule.id));

/**
 * Whether whoever made a block what it is knew of all that may affect it: the person, of everything
 * that follows from the person's own edits; a step, of the edits that were made because of it. What
 * breaks is never settled, nor what a value was given for.
 */
function isSettled(state: State, block: AffectedBlock): boolean {
  if (block.tier === 'breaks' || block.decl < 0) return false;
  const maker = state.madeBy.get(blockKey(block.file, blockName(state.tree.resolver.summary(block.file), block.decl)));
  if (maker === undefined || maker === PERSON) return maker === PERSON;
  if (block.sites.some((site) => site.isWanted)) return false;
  return block.sites.every((site) =>
    isBehind(state.plan, state.madeBy.get(causeKey(state, site.cause)) ?? PERSON, maker),
  );
}

/** Whether it is a member that only may be affected, by what the step's own answer did to its class. */
function wasShown(state: State, { file, decl, tier, sites }: AffectedBlock, step: Step): boolean {
  if (tier === 'breaks' || decl < 0) return false;
  const block = blockName(state.tree.resolver.summary(file), decl);
  return (
    isWithin(step, file, block) &&
    sites.every(({ cause, isWanted }) => isWanted !== true && state.madeBy.get(causeKey(state, cause)) === step.id)
  );
}

/** Whether `step` came about through `cause`. */
function isBehind(plan: Plan, step: number, cause: number): boolean {
  const seen = new Set<number>();
  const open = [step];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === cause) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(plan.steps[id - 1]?.causes.map((known) => known.step) ?? []));
  }
  return false;
}

/** What no rule of the table reaches joins the blocks that are affected anyway. */
function joined(affected: readonly AffectedBlock[], further: readonly AffectedBlock[]): AffectedBlock[] {
  const out = new Map(affected.map((block) => [`${block.file}\0${block.decl}`, block]));
  for (const block of further) {
    const key = `${block.file}\0${block.decl}`;
    const known = out.get(key);
    if (known === undefined) out.set(key, block);
    else
      out.set(key, {
        ...known,
        tier: block.tier === 'breaks' ? 'breaks' : known.tier,
        confidence: 'certain',
        sites: [...known.sites, ...block.sites],
      });
  }
  return [...out.values()];
}

/** Whether the run may go on. */
async function askModel(
  state: State,
  waiting: readonly [Step, ...Step[]],
  asker: StepAsker,
  options: PlanOptions,
): Promise<boolean> {
  const [step] = waiting;
  options.progress(`asking the model about ${step.block} in ${shownName(step.file)}`);
  const answer = await asker.answer(waiting, state.tree, state.plan);
  if (answer.kind === 'stop') {
    state.cut.add(answer.reason);
    return false;
  }
  if (answer.kind === 'cannot') {
    state.plan = replaceStep(state.plan, {
      ...step,
      status: 'failed',
      open: { reason: answer.reason, needs: 'person' },
    });
    return true;
  }
  if (answer.kind === 'noChange') {
    state.plan = withoutChange(state.plan, step, answer);
    return true;
  }
  const text = state.tree.text(step.file) ?? '';
  const edited = state.tree.with(new Map([[step.file, answer.text]]), options.grammars);
  if (isReturn(state.earlierTexts, step, edited)) {
    state.plan = replaceStep(state.plan, {
      ...step,
      status: 'failed',
      open: {
        reason:
          `the answer gives ${step.nowBlock} back a text that it had before in this plan: two causes pull it ` +
          `to and fro (${step.reasons.join(' ')})`,
        needs: 'person',
      },
    });
    return true;
  }
  state.earlierTexts = withTextOf(state.earlierTexts, step, state.tree);
  const diff = diffOf(step.file, text, answer.text);
  state.plan = replaceStep(state.plan, {
    ...withoutOpen(step),
    ...(answer.left === undefined
      ? { status: 'proposed' }
      : { status: 'failed', open: { reason: answer.left, needs: 'person' } }),
    how: answer.how,
    diff: step.diff + diff,
  });
  const edits = inHunks(step.id, { earlier: step.diff, diff }, text, lineEdits(text, answer.text));
  addLayer(state, step.file, text, edits);
  await inTurns(advance(state, edited), options.signal);
  const edit = await inTurns(editInTurns(state.before, state.tree), options.signal);
  state.madeBy = new Map([
    ...state.madeBy,
    ...edit.changes.map((change): [string, number] => [causeKey(state, change), step.id]),
  ]);
  const filled = new Set(answer.filled);
  const unseen = new Set([
    ...adapted(edit.changes, step, state.before, state.tree),
    ...edit.changes.filter(({ file, block }) => file === step.file && filled.has(block)),
  ]);
  const shown = answer.sawMembers === true ? state.plan.steps[step.id - 1] : undefined;
  if (shown !== undefined) state.plan = withMembersAnswered(state.plan, shown);
  if (options.planning)
    await inTurns(mechanicalRounds(state, edit, options, step.id, { unseen, shown }), options.signal);
  return true;
}

function withoutChange(
  plan: Plan,
  step: Step,
  { how, sawMembers }: Extract<StepAnswer, { readonly kind: 'noChange' }>,
): Plan {
  const next = replaceStep(plan, { ...withoutOpen(step), status: 'proposed', how: step.diff === '' ? how : step.how });
  return sawMembers === true ? withMembersAnswered(next, step) : next;
}

/**
 * The next tree, with the plan's names as they are in it. Answers that no file of the plan touches are kept from tree
 * to tree.
 */
function* advance(state: State, next: WorkingTree): Turns<void> {
  if (state.answers?.covers(next.editedFiles) !== true || !state.answers.admits(next.snapshot)) {
    state.answers = new SharedAnswers(
      next.snapshot,
      new Set([...next.editedFiles, ...state.plan.steps.map((step) => step.file)]),
    );
  }
  state.before = state.tree;
  state.tree = next.sharing(state.answers);
  const { plan, madeBy } = yield* renamedWith(state, state.before, state.tree);
  state.plan = plan;
  state.madeBy = madeBy;
}

/** What is still pending in the end is open, with the reason why nobody did it. */
function closeOpen(plan: Plan, hadModel: boolean): Plan {
  return {
    steps: plan.steps.map((step) =>
      step.status !== 'pending' || step.open !== undefined
        ? step
        : {
            ...step,
            open: {
              reason: step.reasons[0] ?? 'affected',
              needs: step.tier === 'may' && !hadModel ? 'person' : 'model',
            },
          },
    ),
  };
}
