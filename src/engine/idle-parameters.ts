/**
 * Functions whose rewrite left a parameter without a use: the argument that was dropped was all that
 * it was there for. Whether the parameter goes as well is a question for a model, since callers and
 * overrides would have to follow.
 */
import { blockNamed } from '../change/block-name.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { listAt, nameId, nameOf, type Summary } from '../syntax/summary.js';
import type { WorkingTree } from './working-tree.js';

/** The plan with such steps pending again, each with the parameter among its reasons. */
export function withIdleParameters(plan: Plan, before: WorkingTree, after: WorkingTree): Plan {
  return { steps: plan.steps.map((step): Step => {
    const name = step.how === 'mechanical' && step.status === 'proposed' ? idleParameter(step, before, after) : undefined;
    return name === undefined ? step : { ...step, status: 'pending', reasons: [...step.reasons, `Its parameter ${name} is not used any more.`] };
  }) };
}

function idleParameter(step: Step, before: WorkingTree, after: WorkingTree): string | undefined {
  const old = before.snapshot.summary(step.file);
  const now = after.snapshot.summary(step.file);
  if (old === undefined || now === undefined || old === now) return undefined;
  const was = blockNamed(old, step.nowBlock);
  const is = blockNamed(now, step.nowBlock);
  if (was === undefined || is === undefined) return undefined;
  return [...listAt(now, now.decls.params[is] as number)].map((param) => nameOf(now, param)).find((name) => name !== '' && usesIn(old, was, name) > 0 && usesIn(now, is, name) === 0);
}

/** How often a function's body says a name. */
function usesIn(summary: Summary, decl: number, name: string): number {
  const row = nameId(summary, name);
  if (row < 0) return 0;
  const { exprs, decls } = summary;
  return summary.refs.subarray(summary.refStart[row], summary.refStart[row + 1]).filter((expr) => (exprs.start[expr] as number) >= (decls.bodyStart[decl] as number) && (exprs.start[expr] as number) < (decls.end[decl] as number)).length;
}
