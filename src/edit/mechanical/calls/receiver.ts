/**
 * What stands in front of a member: `store` in `store.put(1)`.
 */
import { receiverAt } from '../../../graph/resolve/overloads.js';
import type { Value } from '../../../graph/resolve/value.js';
import { E, type Summary } from '../../../syntax/summary.js';
import type { RewriteSite } from '../rewrite.js';

/**
 * What the site's member is called on; undefined for a bare name. What was renamed too resolves in the tree before
 * alone.
 */
export function calledOn({ graphs, block, site, summary }: RewriteSite): Value | undefined {
  const before =
    graphs.before.repo.summary(block.file) === summary ? graphs.before.resolve(block.file, site.expr).self : undefined;
  return before ?? receiverAt(graphs.after, block.file, site.expr);
}

/** Where the expression of a row begins; the row of a member or of a call covers no more than its own end. */
export function startOfRow({ exprs }: Summary, expr: number): number {
  let first = expr;
  while (
    (exprs.opOf(first) === E.member || exprs.opOf(first) === E.call || exprs.opOf(first) === E.index) &&
    exprs.baseOf(first) >= 0
  )
    first = exprs.operandOf(first);
  return Math.min(exprs.startOf(first), exprs.startOf(expr));
}

/** Whether nothing happens when the row is evaluated: a name, the instance itself, or members of these. */
export function isPlainRow(summary: Summary, expr: number): boolean {
  const { exprs } = summary;
  const op = exprs.opOf(expr);
  return (
    op === E.name ||
    op === E.this ||
    op === E.super ||
    (op === E.member && exprs.baseOf(expr) >= 0 && isPlainRow(summary, exprs.baseOf(expr)))
  );
}
