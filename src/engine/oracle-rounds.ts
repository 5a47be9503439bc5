/**
 * What the oracle says of a plan, and the rounds that follow from it: errors that the tree before the person's edit did
 * not have become pending steps of the blocks that have them, until none is new, no round brings progress, or the
 * limit is reached.
 */
import type { OracleVerdict } from '#protocol/propagate.js';
import type { Diagnostic } from '#protocol/words.js';
import { isOutside } from '../base/outside.js';
import { blockName } from '../change/block-name.js';
import { isOwnBlock } from '../change/match-blocks.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import type { Summary } from '../syntax/summary.js';
import type { Oracle } from './effects.js';
import { resumePlan, type PlanOptions, type PlanResult } from './plan-run.js';
import type { Call } from './service.js';
import type { TreePair } from './trees.js';
import type { WorkingTree } from './working-tree.js';

/** How many rounds in a row may leave as many errors as there were. */
const STAGNANT_MOST = 2;

/** A plan with what the oracle says of it; null where none was asked. */
export interface Checked {
  readonly result: PlanResult;
  readonly verdict: OracleVerdict | null;
  readonly iterations: number;
}

/** Asks the oracle, and goes on with the plan where a model can answer for new errors; `roundsMost` times at most. */
export async function untilClean(
  oracle: Oracle,
  trees: TreePair,
  first: PlanResult,
  options: PlanOptions,
  roundsMost: number,
  call: Call,
): Promise<Checked> {
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
      facts: [],
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
export function overlayOf(disk: WorkingTree, tree: WorkingTree): ReadonlyMap<string, string | undefined> {
  const texts = new Map<string, string | undefined>();
  for (const file of tree.snapshot.differingFrom(disk.snapshot))
    if (!isOutside(file)) texts.set(file, tree.snapshot.hasFile(file) ? tree.text(file) : undefined);
  return texts;
}
