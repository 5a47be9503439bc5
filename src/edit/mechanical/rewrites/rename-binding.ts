/**
 * Import alias changed: `import numpy as np` became `import numpy`, so `np.zeros(3)` in the file
 * becomes `numpy.zeros(3)`.
 *
 * Refused where the new name already means something at the use.
 */
import { lookUp } from '../../../graph/resolve/names.js';
import { D } from '../../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { mentionEdit } from '../names/shorthand.js';

export const renameBinding: Rewrite = {
  id: 'rename-binding',
  does: 'writes the new name that an import binds at the uses in its file',
  rewrite({ graphs, block, site, summary, text }: RewriteSite): RewriteResult | undefined {
    const detail = site.cause.detail.import;
    const to = detail?.newBinding;
    if (detail === undefined || to === undefined || to === '' || site.expr < 0) return undefined;
    const names = { from: detail.binding, to };
    if (text.slice(summary.exprs.startOf(site.expr), summary.exprs.endOf(site.expr)) !== names.from) return undefined;
    const found = lookUp(
      graphs.after,
      block.file,
      summary,
      summary.exprs.scopeOf(site.expr),
      to,
      summary.exprs.roleOf(site.expr),
    );
    const isBinding = summary.imports.some(
      (entry) => entry.decl >= 0 && summary.decls.nameOf(entry.decl) === to && summary.decls.scopeOf(entry.decl) === 0,
    );
    const isShadowed =
      isBinding &&
      found.via === 'scope' &&
      found.targets.some(
        (target) =>
          target.decl >= 0 && target.file === block.file && summary.decls.kindOf(target.decl) !== D.importBinding,
      );
    return isBinding && !isShadowed
      ? { edits: [mentionEdit(summary, site.expr, names)] }
      : { cannot: `${to} means something else here`, needs: 'person' };
  },
};
