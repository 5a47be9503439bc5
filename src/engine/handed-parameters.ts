/**
 * Functions whose rewrite changed what becomes of their own parameters: an argument that was dropped
 * was one of them, or two that are handed on changed places. Whether the function's own signature
 * follows is a question for a model, since callers and overrides would have to follow that.
 */
import { blockNamed } from '../change/block-name.js';
import type { Plan, Step } from '../plan/plan-graph.js';
import { E, type Summary } from '../syntax/summary.js';
import type { WorkingTree } from './working-tree.js';

/** The plan with such steps pending again, each with what became of the parameter among its reasons. */
export function withHandedParameters(plan: Plan, before: WorkingTree, after: WorkingTree): Plan {
  return {
    steps: plan.steps.map((step): Step => {
      const reason =
        step.how === 'mechanical' && step.status === 'proposed' ? reasonOf(step, before, after) : undefined;
      return reason === undefined ? step : { ...step, status: 'pending', reasons: [...step.reasons, reason] };
    }),
  };
}

function reasonOf(step: Step, before: WorkingTree, after: WorkingTree): string | undefined {
  const old = before.snapshot.summary(step.file);
  const now = after.snapshot.summary(step.file);
  if (old === undefined || now === undefined || old === now) return undefined;
  const was = blockNamed(old, step.nowBlock);
  const is = blockNamed(now, step.nowBlock);
  if (was === undefined || is === undefined) return undefined;
  const kept = parametersOf(now, is).filter((name) => parametersOf(old, was).includes(name));
  const [earlier, later] = [mentionsIn(old, was, kept), mentionsIn(now, is, kept)];
  const count = (names: readonly string[], name: string): number => names.filter((other) => other === name).length;
  const less = kept.find((name) => count(later, name) < count(earlier, name));
  if (less !== undefined)
    return later.includes(less)
      ? `Its parameter ${less} is used less than it was.`
      : `Its parameter ${less} is not used any more.`;
  const moved = earlier.length === later.length ? later.findIndex((name, i) => name !== earlier[i]) : -1;
  return moved < 0
    ? undefined
    : `Its parameters ${earlier[moved] ?? ''} and ${later[moved] ?? ''} are handed on in another order.`;
}

const parametersOf = (summary: Summary, decl: number): string[] =>
  [...summary.decls.paramsOf(decl)].map((param) => summary.decls.nameOf(param)).filter((name) => name !== '');

/** The names that a function's body says, in the order of its text. */
function mentionsIn(summary: Summary, decl: number, names: readonly string[]): string[] {
  const { exprs, decls } = summary;
  const rows = names.flatMap((name) => {
    const row = summary.idOf(name);
    return row < 0 ? [] : [...summary.exprs.named(row)].map((expr) => ({ name, expr, at: exprs.startOf(expr) }));
  });
  return rows
    .filter(({ expr, at }) => exprs.opOf(expr) === E.name && at >= decls.bodyStartOf(decl) && at < decls.endOf(decl))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name);
}
