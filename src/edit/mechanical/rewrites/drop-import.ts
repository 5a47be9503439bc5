/**
 * Deleted definition: `helper` was deleted, so `from .a import helper, other` becomes
 * `from .a import other`.
 *
 * The import cannot stay whatever becomes of the uses; those are obligations of their own. Where nobody is asked about
 * them in the same run, an import that is still used stays with them, so that it goes on to say what they meant.
 * Refused where a definition of that name came into being elsewhere in the same edit, or another exists that the file
 * may now mean: then the import has to lead there, and a rule cannot know.
 */
import { usesOfBinding } from '../../../impact/related.js';
import { D, R } from '../../../syntax/summary.js';
import { importStatements, withoutNames } from '../imports/import-statement.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const dropImport: Rewrite = {
  id: 'drop-import',
  does: 'drops the import of a deleted definition',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary, text, block } = context;
    if (site.cause.after !== undefined || site.expr < 0 || summary.exprs.roleOf(site.expr) !== R.import)
      return undefined;
    if (site.confidence !== 'certain')
      return { cannot: 'whether this imports the deleted definition is not certain', needs: 'person' };
    const name = summary.exprs.nameOf(site.expr);
    if (isDefinedElsewhere(context, name)) return { cannot: `${name} is defined in another place`, needs: 'model' };
    if (!context.isAsked && isUsed(context))
      return { cannot: `${name} is still used here, and nothing says what takes its place`, needs: 'model' };
    const statement = importStatements(summary, text).find((candidate) =>
      candidate.names.some((listed) => listed.expr === site.expr),
    );
    if (statement === undefined) return undefined;
    const gone = new Set(block.sites.filter((other) => other.cause.after === undefined).map((other) => other.expr));
    const edits = withoutNames(
      text,
      statement,
      statement.names.filter((listed) => listed.expr >= 0 && gone.has(listed.expr)),
    );
    return edits === undefined
      ? { cannot: 'the import shares its line or its braces with something else', needs: 'model' }
      : { edits };
  },
};

/** Whether a name that the import binds is said in the file besides. */
function isUsed({ graphs, block, site, summary }: RewriteSite): boolean {
  const { exprs, decls, imports } = summary;
  const entry = imports.find((each) => each.expr === site.expr);
  return (
    entry !== undefined &&
    entry.decl >= 0 &&
    usesOfBinding(graphs.after, block.file, decls.nameOf(entry.decl)).some(
      ({ expr }) => exprs.roleOf(expr) !== R.import && exprs.roleOf(expr) !== R.doc,
    )
  );
}

/** A declaration at the top of some file of the language that has the name. */
function isDefinedElsewhere({ graphs, summary }: RewriteSite, name: string): boolean {
  return graphs.after.repo.filesDeclaring(summary.language, name).some((file) => {
    const other = graphs.after.summary(file);
    const row = other.idOf(name);
    for (const decl of other.decls.named(row)) {
      if (
        other.decls.parentOf(decl) === -1 &&
        other.decls.scopeOf(decl) === 0 &&
        other.decls.kindOf(decl) !== D.importBinding
      )
        return true;
    }
    return false;
  });
}
