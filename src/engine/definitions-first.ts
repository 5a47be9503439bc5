/**
 * Puts a definition before its uses among the steps that wait: a block that calls, makes or derives
 * from another waiting block is asked about once that has its new shape, so once and not twice.
 *
 * Only the next step is looked for, since its answer may change all others. Blocks that use each
 * other in a circle have no such order: the search stops where it would come round. Linear in the
 * steps for each one that it comes by.
 */
import { blockNamed } from '../change/block-name.js';
import { overriddenBy } from '../graph/resolve/hierarchy.js';
import type { Step } from '../plan/plan-graph.js';
import { D } from '../syntax/summary.js';
import { isWithin } from './shown-members.js';
import type { WorkingTree } from './working-tree.js';

/**
 * The steps, given in order, with one in front that uses no other of them. What only may be affected goes before what
 * breaks where that uses it: edited later, it would have that asked again.
 */
export function definitionsFirst(waiting: readonly Step[], tree: WorkingTree): readonly Step[] {
  const [first] = waiting;
  if (first === undefined) return waiting;
  const next = innermost(first, waiting, tree, new Set());
  return next === first ? waiting : [next, ...waiting.filter((step) => step !== next)];
}

/** Where following uses from the step ends: at one that uses none which the search has not come by. */
function innermost(step: Step, waiting: readonly Step[], tree: WorkingTree, seen: Set<Step>): Step {
  seen.add(step);
  const used = waiting.find((other) => !seen.has(other) && (uses(step, other, tree) || isAnsweredWith(step, other)));
  return used === undefined ? step : innermost(used, waiting, tree, seen);
}

/** Whether the answer about a class may be one about its member too. */
const isAnsweredWith = (member: Step, type: Step): boolean =>
  member.tier === 'may' && isWithin(type, member.file, member.nowBlock);

/** Whether the block of one step refers to the block of the other, or overrides it. */
export function uses(step: Step, other: Step, tree: WorkingTree): boolean {
  const summary = tree.snapshot.summary(step.file);
  const named = tree.snapshot.summary(other.file);
  const block = summary === undefined ? undefined : blockNamed(summary, step.nowBlock);
  const meant = named === undefined ? undefined : blockNamed(named, other.nowBlock);
  if (summary === undefined || named === undefined || block === undefined || meant === undefined) return false;
  if (
    overriddenBy(tree.resolver, { file: step.file, decl: block }).some(
      ({ file, decl }) => file === other.file && decl === meant,
    )
  )
    return true;
  // A constructor is named by its class.
  const target = named.decls.kindOf(meant) === D.constructor ? named.decls.parentOf(meant) : meant;
  const isWithin = (decl: number, at: number): boolean =>
    at >= summary.decls.startOf(decl) && at < summary.decls.endOf(decl);
  const row = summary.idOf(named.decls.nameOf(target));
  if (row < 0 || (step.file === other.file && isWithin(block, named.decls.startOf(meant)))) return false;
  return [...summary.exprs.named(row)].some(
    (expr) =>
      isWithin(block, summary.exprs.startOf(expr)) &&
      tree.resolver.resolve(step.file, expr).targets.some(({ file, decl }) => file === other.file && decl === target),
  );
}
