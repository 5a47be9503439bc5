/**
 * What a member stands for gives nothing any more when it is awaited, where it gave a value:
 *
 *     public async Task<Unit> Handle(Order order) { Save(order); return Unit.Value; }
 *     public async Task Handle(Order order) { Save(order); }
 *
 * What is returned goes with the type where it is a value that does nothing; else the body is left to somebody.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { losesResult } from '../../../impact/judge-override.js';
import { F } from '../../../syntax/summary.js';
import { isPlainRow, startOfRow } from '../calls/receiver.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const dropResult: Rewrite = {
  id: 'drop-result',
  does: 'gives nothing where what a member stands for gives nothing any more',
  rewrite({ graphs, site, block, summary, text }: RewriteSite): RewriteResult | undefined {
    const { after } = site.cause;
    if (after === undefined || site.expr >= 0 || site.relation !== 'OverriddenBy' || site.confidence !== 'certain')
      return undefined;
    const { decls, exprs } = summary;
    const own = decls.typeOf(block.decl);
    if (site.tier !== 'breaks' || !losesResult(graphs.after, block, after)) return undefined;
    const named = exprs.operandOf(own);
    const type = { start: exprs.endOf(named), end: exprs.endOf(own), text: '' };
    const returned = [...decls.resultsOf(block.decl)].map((expr) => withoutValue(summary, text, block.decl, expr));
    const bare = returned.flatMap((edit) => edit ?? []);
    return decls.has(block.decl, F.async) && bare.length === returned.length
      ? { edits: [type, ...bare] }
      : { edits: [type], open: { reason: 'its body returns what was asked for before', needs: 'model' } };
  },
};

/** The edit of `return value;`, which goes where nothing follows it; undefined where that does more. */
function withoutValue(summary: RewriteSite['summary'], text: string, decl: number, expr: number): TextEdit | undefined {
  if (!isPlainRow(summary, expr)) return undefined;
  const [start, end] = [startOfRow(summary, expr), summary.exprs.endOf(expr)];
  const [word] = /\breturn\s+$/u.exec(text.slice(0, start)) ?? [];
  const [semicolon] = /^\s*;/u.exec(text.slice(end)) ?? [];
  if (word === undefined || semicolon === undefined) return undefined;
  const isLast = /^\s*\}$/u.test(text.slice(end + semicolon.length, summary.decls.endOf(decl)));
  return isLast
    ? { start: text.slice(0, start - word.length).trimEnd().length, end: end + semicolon.length, text: '' }
    : { start: start - word.length + 'return'.length, end, text: '' };
}
