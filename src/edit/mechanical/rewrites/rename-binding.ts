/**
 * Import alias changed: `import numpy as np` became `import numpy`, so `np.zeros(3)` in the file
 * becomes `numpy.zeros(3)`.
 *
 * Refused where the new name already means something at the use, and where the old one is assigned otherwise too.
 */
import { declarationsOfName } from '../../../graph/resolve/names.js';
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
    const isImport = (decl: number): boolean => summary.decls.kindOf(decl) === D.importBinding;
    const now = declarationsOfName(graphs.after, block.file, site.expr, to);
    if (now.length === 0 || !now.every(isImport)) return { cannot: `${to} means something else here`, needs: 'person' };
    return declarationsOfName(graphs.after, block.file, site.expr).every(isImport)
      ? { edits: [mentionEdit(summary, site.expr, names)] }
      : { cannot: `another branch assigns ${names.from}, and not ${to}`, needs: 'person' };
  },
};
