/**
 * One round of a plan: affected blocks become steps, and rewrites edit all of them at once.
 *
 * Within a block the sites are rewritten from the last to the first, so that an edit of a call sees
 * the edits of the calls in its arguments and takes them along; the edit of the whole block comes
 * last. A file that would get a new syntax error keeps its text, and its steps stay open. Time is
 * linear in sites and in the text of the edited files.
 */
import { saidOfOutside } from '../base/outside.js';
import { shownName } from '../base/shown.js';
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockName, nextMemberName } from '../change/block-name.js';
import { generatedBy } from '../edit/generated.js';
import { layered, withLayer, type LayeredText, type LayerEdit } from '../edit/layered-text.js';
import type { GivenValues } from '../edit/mechanical/calls/given-values.js';
import type { RewriteSite } from '../edit/mechanical/rewrite.js';
import { rewriteSite } from '../edit/mechanical/rewrites.js';
import { placeOf, type AffectedBlock, type AffectedSite } from '../impact/affected.js';
import type { Acceptable, Cause, Plan, Step, Stub } from '../plan/plan-graph.js';
import { replaceStep, withObligation } from '../plan/plan-graph.js';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { lineAt } from '../syntax/line-at.js';
import type { Summary } from '../syntax/summary.js';
import { diffOfEdits, inHunks } from './step-diff.js';
import { factsOf } from './fact.js';
import { withJoinedImports } from './joined-imports.js';
import { nearnessOf } from './nearness.js';
import { blockKey } from './step-names.js';
import type { WorkingTree } from './working-tree.js';

export interface RoundOptions {
  readonly grammars: Grammars;
  readonly values: GivenValues;
  /** Absent: nothing. */
  readonly accepted?: ReadonlySet<Acceptable>;
  readonly isAsked: boolean;
  readonly stepsMost: number;
}

/** The part of a run's state that a round reads and changes. */
export interface RoundState {
  plan: Plan;
  before: WorkingTree;
  tree: WorkingTree;
  /** Which step made which block what it is, for causes. */
  madeBy: ReadonlyMap<string, number>;
  readonly cut: Set<string>;
  /** Of each edited file, which step made which edit. */
  readonly layers: Map<string, LayeredText>;
}

interface StepEdits {
  readonly step: number;
  readonly edits: readonly TextEdit[];
}

/** With the difference that the step had before, and what the edits add to it. */
interface Made extends StepEdits {
  readonly earlier: string;
  readonly diff: string;
}

/** The tree after the rewrites of the affected blocks; undefined if they changed nothing. */
export function* rewriteRound(
  state: RoundState,
  changes: readonly AtomicChange[],
  affected: readonly AffectedBlock[],
  options: RoundOptions,
): Turns<WorkingTree | undefined> {
  const edits = new Map<string, StepEdits[]>();
  for (const block of affected) {
    yield;
    const done = yield* rewriteBlock(state, changes, block, options);
    const step = raise(state, block, done, options);
    if (step === undefined || done.edits.length === 0) continue;
    const list = edits.get(block.file);
    if (list === undefined) edits.set(block.file, [{ step, edits: done.edits }]);
    else list.push({ step, edits: done.edits });
  }
  return yield* applyRewrites(state, edits, options);
}

// ---- one block

interface Rewritten {
  readonly edits: readonly TextEdit[];
  /** Ids of the rewrites that gave them. */
  readonly rules: readonly string[];
  readonly open: Step['open'];
  /** Whether the file is not written by people: its block is no model's business either. */
  readonly isGenerated: boolean;
  /** Sites that a rewrite found to need nothing. */
  readonly settled: number;
  /** Sites that break and that no rewrite is about. */
  readonly untouched: number;
  readonly stubs: readonly Stub[];
  /** Whether bodies of stubs are all that is open. */
  readonly isStubsAlone: boolean;
}

const NOTHING_DONE: Rewritten = {
  edits: [],
  rules: [],
  open: undefined,
  isGenerated: false,
  settled: 0,
  untouched: 0,
  stubs: [],
  isStubsAlone: false,
};

function* rewriteBlock(
  state: RoundState,
  changes: readonly AtomicChange[],
  block: AffectedBlock,
  options: RoundOptions,
): Turns<Rewritten> {
  const graphs = { before: state.before.resolver, after: state.tree.resolver };
  const summary = graphs.after.summary(block.file);
  const text = state.tree.text(block.file);
  if (text === undefined) return { ...NOTHING_DONE, untouched: block.sites.length };
  const generated = generatedBy(block.file, text);
  let open: Step['open'] = generated === undefined ? undefined : { reason: generated, needs: 'person' };
  const texts = { before: (file: string) => state.before.text(file), after: (file: string) => state.tree.text(file) };
  const parse = (other: string): Summary => summarise(options.grammars, block.file, other) ?? summary;
  let edits: TextEdit[] = [];
  const rules = new Set<string>();
  const stubs: Stub[] = [];
  let isStubsAlone = generated === undefined;
  let settled = 0;
  const unmet: AffectedSite[] = [];
  for (const site of fromLast(block.sites, summary)) {
    const context: RewriteSite = {
      graphs,
      changes,
      block,
      site,
      summary,
      text,
      texts,
      isChanged: ({ file, decl }) =>
        decl >= 0 && state.madeBy.has(blockKey(file, blockName(graphs.after.summary(file), decl))),
      summarise: parse,
      soFar: edits,
      values: options.values,
      accepted: options.accepted ?? new Set(),
      isAsked: options.isAsked,
    };
    const done = yield* piece(() => rewriteSite(context));
    yield;
    if (done === undefined) {
      if (site.tier === 'breaks') unmet.push(site);
    } else if ('edits' in done.result) {
      if (done.result.edits.length === 0) settled++;
      else if (generated === undefined) {
        rules.add(done.rewrite.id);
        edits = withEdits(edits, done.result.edits);
      }
      const { stub } = done.result;
      if (stub !== undefined && generated === undefined) stubs.push(stubOf(stub, site, block, summary, stubs));
      else if (done.result.open !== undefined) isStubsAlone = false;
      open ??= done.result.open;
    } else {
      const { cannot, ...rest } = done.result;
      isStubsAlone = false;
      // Values are asked for in the order of the text.
      if (open === undefined || (open.needs === 'value' && rest.needs === 'value')) open = { reason: cannot, ...rest };
    }
  }
  const untouched = unmet.filter((site) => !saysAnother(site, edits, summary)).length;
  return {
    edits,
    rules: [...rules],
    open: settled === block.sites.length && edits.length === 0 ? undefined : open,
    isGenerated: generated !== undefined,
    settled,
    untouched,
    stubs,
    isStubsAlone: isStubsAlone && untouched === 0 && block.sites.every(({ tier }) => tier === 'breaks'),
  };
}

/** Whether the place of a name that is exported no more was given another text: it leans on that export no longer. */
function saysAnother(site: AffectedSite, edits: readonly TextEdit[], summary: Summary): boolean {
  const place = placeOf(summary, site);
  return (
    site.cause.detail.export !== undefined &&
    place !== undefined &&
    edits.some(({ start, end }) => start < place.end && place.start < end)
  );
}

function stubOf(
  name: string,
  { cause: { file, block: path } }: AffectedSite,
  block: AffectedBlock,
  summary: Summary,
  known: readonly Stub[],
): Stub {
  const others = known.filter(({ member }) => member.replace(/#\d+$/, '') === name).length;
  return { member: nextMemberName(summary, block.decl, name, others), of: { file, block: path } };
}

/** Named rows from the end of the file to its start, then the block as a whole. */
function fromLast(sites: readonly AffectedSite[], { exprs }: Summary): AffectedSite[] {
  const at = (site: AffectedSite): number => (site.expr < 0 ? -1 : exprs.startOf(site.expr));
  return [...sites].sort((a, b) => at(b) - at(a));
}

/**
 * An edit replaces those within its span, which it has taken along; an equal one counts once. What is put in beside a
 * removal stays.
 */
function withEdits(known: readonly TextEdit[], added: readonly TextEdit[]): TextEdit[] {
  const isBeside = (edit: TextEdit, other: TextEdit): boolean =>
    other.text === '' && edit.start === edit.end && (edit.start === other.start || edit.start === other.end);
  const covered = (edit: TextEdit): boolean =>
    added.some(
      (other) =>
        other.start <= edit.start && edit.end <= other.end && other.start < other.end && !isBeside(edit, other),
    );
  const same = (a: TextEdit, b: TextEdit): boolean => a.start === b.start && a.end === b.end && a.text === b.text;
  const kept = known.filter((edit) => !covered(edit));
  return [...kept, ...added.filter((edit) => !kept.some((other) => same(other, edit)))];
}

/** Makes or extends the block's step. Undefined when nothing has to be done, or a bound dropped it. */
function raise(state: RoundState, block: AffectedBlock, done: Rewritten, options: RoundOptions): number | undefined {
  if (done.edits.length === 0 && done.open === undefined && done.settled === block.sites.length) return undefined;
  const summary = state.tree.resolver.summary(block.file);
  const path = blockName(summary, block.decl);
  const causes = block.sites.map((site): Cause => ({
    step: state.madeBy.get(causeKey(state, site.cause)) ?? 0,
    relation: site.relation,
    label: site.cause.label,
    file: site.cause.file,
    block: site.cause.block,
  }));
  const reasons = [...new Set(block.sites.map((site) => saidOfOutside(site.reason)))];
  const obligation = {
    file: block.file,
    block: path,
    tier: block.tier,
    causes,
    reasons,
    facts: factsOf(block.sites),
    rule: block.sites[0]?.rule ?? '',
    line: lineOf(block, summary),
    nearness: nearnessOf(block, summary),
  };
  const added = withObligation(state.plan, obligation, options.stepsMost);
  // A step that was there was left incomplete by an earlier round.
  const isNew = added.plan.steps.length > state.plan.steps.length;
  state.plan = added.plan;
  if (added.id === 0) {
    state.cut.add(
      `${path} in ${shownName(block.file)} was affected again too often, or the plan reached ` +
        `${options.stepsMost} steps`,
    );
    return undefined;
  }
  const step = state.plan.steps[added.id - 1] as Step;
  const isComplete = isNew && done.edits.length > 0 && done.open === undefined && done.untouched === 0;
  state.plan = replaceStep(state.plan, {
    ...step,
    ...(done.open === undefined ? {} : { open: done.open }),
    ...(done.edits.length === 0 ? {} : { how: 'mechanical', rule: done.rules.join(', ') }),
    ...(isComplete ? { status: 'proposed' } : done.isGenerated ? { status: 'blocked' } : {}),
    ...(done.stubs.length === 0 && step.stubs === undefined
      ? {}
      : {
          stubs: [...(step.stubs ?? []), ...done.stubs],
          isStubsAlone: done.isStubsAlone && (isNew || step.isStubsAlone === true),
        }),
  });
  return added.id;
}

/** The changed block by its name now, or, of one that is gone, by its name before. */
export function causeKey(
  state: Pick<RoundState, 'before' | 'tree'>,
  { before, after, file, block }: AtomicChange,
): string {
  const [tree, ref] = after !== undefined ? ([state.tree, after] as const) : ([state.before, before] as const);
  const summary = ref === undefined || ref.decl < 0 ? undefined : tree.snapshot.summary(ref.file);
  return blockKey(file, summary === undefined || ref === undefined ? block : blockName(summary, ref.decl));
}

/** Of its first site, as an impact says it, or of its declaration where it has none; from 1. */
export function lineOf(block: AffectedBlock, summary: Summary): number {
  return lineAt(summary, offsetOf(block, summary));
}

function offsetOf(block: AffectedBlock, summary: Summary): number {
  const [first] = block.sites.flatMap((site) => placeOf(summary, site)?.start ?? []);
  return first ?? (block.decl >= 0 ? summary.decls.startOf(block.decl) : 0);
}

// ---- all files

function* applyRewrites(
  state: RoundState,
  editsOf: ReadonlyMap<string, readonly StepEdits[]>,
  options: RoundOptions,
): Turns<WorkingTree | undefined> {
  const texts = new Map<string, string>();
  const summaries = new Map<string, Summary>();
  const madeBy = new Map(state.madeBy);
  for (const [file, list] of editsOf) {
    yield;
    const text = state.tree.text(file) as string;
    const made = list.map((entry): Made => {
      const { diff } = state.plan.steps[entry.step - 1] as Step;
      // One step's own edits may want the same place as well.
      const isWhole = editedText(text, entry.edits) !== undefined;
      const added = isWhole ? diffOfEdits(file, text, entry.edits) : '';
      return { step: entry.step, edits: entry.edits, earlier: diff, diff: added };
    });
    const shared = sharedEdits(made.flatMap((one) => inHunks(one.step, one, text, one.edits)));
    const edits = withJoinedImports(shared, (other) => summarise(options.grammars, file, other));
    const after = editedText(text, edits);
    const errors = state.tree.snapshot.summary(file)?.errors.length ?? 0;
    const summary = after === undefined ? undefined : summarise(options.grammars, file, after);
    const broken = after === undefined || (summary?.errors.length ?? 0) > errors;
    for (const entry of made) {
      const step = state.plan.steps[entry.step - 1] as Step;
      if (broken) {
        const { stubs: _stubs, isStubsAlone: _alone, ...rest } = step;
        state.plan = replaceStep(state.plan, {
          ...rest,
          status: 'pending',
          how: 'person',
          open: {
            reason:
              after === undefined ? 'two rewrites want to change the same place' : 'the rewritten text would not parse',
            needs: 'person',
          },
        });
        continue;
      }
      state.plan = replaceStep(state.plan, { ...step, diff: step.diff + entry.diff });
      madeBy.set(blockKey(file, step.nowBlock), step.id);
    }
    if (broken || after === text) continue;
    texts.set(file, after);
    if (summary !== undefined) summaries.set(file, summary);
    addLayer(state, file, text, edits);
  }
  if (texts.size === 0) return undefined;
  state.madeBy = madeBy;
  return state.tree.withRead(texts, summaries);
}

/** Adds what steps just did to a file whose text was `text`. */
export function addLayer({ layers }: RoundState, file: string, text: string, edits: readonly LayerEdit[]): void {
  layers.set(file, withLayer(layers.get(file) ?? layered(text), edits));
}

/** Every edit once, with all that make it. */
function sharedEdits(edits: readonly LayerEdit[]): LayerEdit[] {
  const distinct = new Map<string, LayerEdit>();
  for (const edit of edits) {
    const key = `${edit.start} ${edit.end} ${edit.text}`;
    distinct.set(key, { ...edit, by: [...(distinct.get(key)?.by ?? []), ...edit.by] });
  }
  return [...distinct.values()];
}

/** Undefined when edits overlap: two rules wanted the same place. */
function editedText(text: string, edits: readonly TextEdit[]): string | undefined {
  try {
    return applyEdits(text, edits);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
