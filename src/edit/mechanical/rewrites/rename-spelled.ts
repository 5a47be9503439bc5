/**
 * Renamed declaration or parameter that is spelled outside of code: `:param key:` becomes
 * `:param name:`, `{@link Store#put}` becomes `{@link Store#insert}`, `__all__ = ["put"]` becomes
 * `__all__ = ["insert"]`.
 *
 * Free text is never touched: only names that the language's conventions mark as such.
 */
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const renameSpelled: Rewrite = {
  id: 'rename-spelled',
  does: 'writes the new name in documentation comments and export lists',
  rewrite({ site, summary, text }: RewriteSite): RewriteResult | undefined {
    const names = site.cause.detail.rename;
    if ((site.rule !== 'documentation' && site.rule !== 'export-list') || names === undefined) return undefined;
    const start = summary.exprs.startOf(site.expr);
    const end = summary.exprs.endOf(site.expr);
    return text.slice(start, end) === names.from
      ? { edits: [{ start, end, text: names.to }] }
      : { cannot: `${names.from} is written in another way here`, needs: 'person' };
  },
};
