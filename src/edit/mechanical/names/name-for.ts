/**
 * How a site can name a declaration at the top of its file: alone, where the file knows it; through
 * a module that the file imports as a whole; else alone, with an import.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { lookUp } from '../../../graph/resolve/names.js';
import type { DeclRef } from '../../../languages/language.js';
import { R } from '../../../syntax/summary.js';
import { addImport } from '../imports/add-import.js';
import { throughModule } from '../rewrites/import-form.js';
import { fileOf } from '../imports/module-name.js';
import type { RewriteSite } from '../rewrite.js';
import { sameDecl } from '../../../syntax/rows.js';

export type Named =
  { readonly text: string; readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

/** Refused where its name means something else at the site. */
export function nameFor(context: RewriteSite, target: DeclRef): Named {
  const { graphs, block, site, summary } = context;
  const scope = summary.exprs.scopeOf(site.expr);
  const name = graphs.after.summary(target.file).decls.nameOf(target.decl);
  const [found] = lookUp(graphs.after, block.file, summary, scope, name, R.read).targets;
  if (found !== undefined && sameDecl(found, target)) return { text: name, edits: [] };
  const listed = summary.imports.some(
    (entry) => entry.kind === 'name' && fileOf(graphs.after, entry.module, block.file) === target.file,
  );
  const whole = listed
    ? undefined
    : summary.imports.find(
        (entry) =>
          entry.kind === 'module' && entry.decl >= 0 && fileOf(graphs.after, entry.module, block.file) === target.file,
      );
  if (whole !== undefined) {
    const [module] = lookUp(graphs.after, block.file, summary, scope, summary.decls.nameOf(whole.decl), R.read).targets;
    if (module !== undefined && module.decl < 0) return { text: `${throughModule(summary, whole)}.${name}`, edits: [] };
  }
  if (found !== undefined)
    return {
      cannot:
        `${name} already means something else here: ` +
        (found.decl < 0 ? found.file : `${found.file}::${graphs.after.summary(found.file).decls.pathOf(found.decl)}`),
      needs: 'model',
    };
  const added = addImport(context, target);
  return 'cannot' in added ? added : { text: name, edits: added.edits };
}
