/**
 * Definition moved away from where it was used without an import: `helper` moved from `a.py` to
 * `b.py`, so `a.py`, which still calls it, gets `from .b import helper`; in Java and C# the same for
 * what was visible through its package or namespace.
 *
 * Refused where the new place imports the old one: the two would import each other.
 */
import { E, R } from '../../../syntax/summary.js';
import { followsWithStar } from '../../../impact/moved-types.js';
import { addImport } from '../imports/add-import.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const importMoved: Rewrite = {
  id: 'import-moved',
  does: 'imports a moved definition where it was visible without an import',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { graphs, site, summary, block } = context;
    const { move, rename } = site.cause.detail;
    const target = site.cause.after;
    if (move === undefined || rename !== undefined || target === undefined || site.expr < 0 || site.tier !== 'breaks')
      return undefined;
    // A member is reached through its class, which has not moved with it.
    if (graphs.after.summary(target.file).decls.parentOf(target.decl) >= 0) return undefined;
    if (
      summary.exprs.opOf(site.expr) !== E.name ||
      summary.exprs.roleOf(site.expr) === R.import ||
      target.file === block.file
    )
      return undefined;
    if (site.confidence !== 'certain')
      return { cannot: 'whether this is the moved definition is not certain', needs: 'person' };
    if (
      site.cause.before !== undefined &&
      followsWithStar(context.graphs, context.changes, block.file, site.cause.before)
    )
      return { edits: [] };
    return addImport(context, target);
  },
};
