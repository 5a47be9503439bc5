/**
 * What stands in front of a member: `store` in `store.put(1)`.
 */
import { receiverAt } from '../../graph/resolve/overloads.js';
import type { Value } from '../../graph/resolve/value.js';
import { E, type Summary } from '../../syntax/summary.js';
import type { RewriteSite } from './rewrite.js';

/** What the site's member is called on; undefined for a bare name. What was renamed too resolves in the tree before alone. */
export function calledOn({ graphs, block, site, summary }: RewriteSite): Value | undefined {
  const before =
    graphs.before.repo.summary(block.file) === summary ? graphs.before.resolve(block.file, site.expr).self : undefined;
  return before ?? receiverAt(graphs.after, block.file, site.expr);
}

/** Where the expression of a row begins; the row of a member or of a call covers no more than its own end. */
export function startOfRow({ exprs }: Summary, expr: number): number {
  let first = expr;
  while (
    (exprs.op[first] === E.member || exprs.op[first] === E.call || exprs.op[first] === E.index) &&
    (exprs.a[first] as number) >= 0
  )
    first = exprs.a[first] as number;
  return Math.min(exprs.start[first] as number, exprs.start[expr] as number);
}

/** Whether nothing happens when the row is evaluated: a name, the instance itself, or members of these. */
export function isPlainRow({ exprs }: Summary, expr: number): boolean {
  const op = exprs.op[expr];
  return (
    op === E.name ||
    op === E.this ||
    op === E.super ||
    (op === E.member && (exprs.a[expr] as number) >= 0 && isPlainRow({ exprs } as Summary, exprs.a[expr] as number))
  );
}
