/**
 * Type moved to another package or namespace: `using Shop;` becomes `using Depot;` where nothing
 * else of Shop is used, `import static shop.Store.most` and a name written in full follow, and the
 * file that moved imports what it knew through the place that it left.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { qualifiedName } from '../../../graph/resolve/hierarchy.js';
import { lookUp } from '../../../graph/resolve/names.js';
import { importNeeds } from '../../../impact/moved-types.js';
import { sameDecl } from '../../../syntax/rows.js';
import { E, R } from '../../../syntax/summary.js';
import { addImport } from '../imports/add-import.js';
import { importStatements, withModule, withoutNames } from '../imports/import-statement.js';
import { nameFor } from '../names/name-for.js';
import { startOfRow } from '../calls/receiver.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const followSpace: Rewrite = {
  id: 'follow-space',
  does: 'names the package or namespace in which a moved type stands now',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    if (context.site.rule === 'moved-type/ImportedBy') return imports(context);
    return inFull(context);
  },
};

function imports(context: RewriteSite): RewriteResult {
  const { graphs, changes, block, summary, text } = context;
  const { dropped, renamed, missing } = importNeeds(graphs, changes, block.file);
  const statements = importStatements(summary, text);
  const edits: TextEdit[] = [];
  for (const entry of dropped) {
    const statement = statements.find((candidate) => candidate.moduleStart === entry.moduleStart);
    const gone = statement === undefined ? undefined : withoutNames(text, statement, statement.names);
    if (gone === undefined) return { cannot: 'the import shares its line with something else', needs: 'model' };
    edits.push(...gone);
  }
  for (const { entry, module } of renamed) edits.push(withModule(entry, module));
  const left: string[] = [];
  for (const target of missing) {
    const added = addImport(context, target);
    if ('cannot' in added) {
      left.push(added.cannot);
      continue;
    }
    edits.push(
      ...added.edits.filter(
        (edit) =>
          !edits.some((other) => other.start === edit.start && other.end === edit.end && other.text === edit.text),
      ),
    );
  }
  const open = { reason: left.join('; '), needs: 'model' } as const;
  if (left.length === 0) return { edits };
  return edits.length === 0 ? { cannot: open.reason, needs: open.needs } : { edits, open };
}

/**
 * `shop.Store`, written with its package or namespace where it is used, and `Store.join` of a member that moved to
 * another type: by the type's own name where that means it or can be imported, and in full elsewhere.
 */
function inFull(context: RewriteSite): RewriteResult | undefined {
  const { graphs, site, block, summary, text } = context;
  const { before, after, detail } = site.cause;
  const { exprs } = summary;
  if (
    detail.move === undefined ||
    before === undefined ||
    after === undefined ||
    site.expr < 0 ||
    site.confidence !== 'certain'
  )
    return undefined;
  if (exprs.opOf(site.expr) !== E.member || exprs.roleOf(site.expr) === R.import || exprs.baseOf(site.expr) < 0)
    return undefined;
  const base = exprs.operandOf(site.expr);
  const start = startOfRow(summary, base);
  const end = exprs.endOf(base);
  const written = text.slice(start, end);
  const spaces = [
    qualifiedName(graphs.before.summary(before.file), before.decl),
    qualifiedName(graphs.after.summary(after.file), after.decl),
  ].map((full) => full.slice(0, Math.max(0, full.lastIndexOf('.'))));
  const [from = '', to = ''] = spaces;
  const now = graphs.after.summary(after.file).decls.nameOf(after.decl);
  if (to === '' || from === to || (detail.rename?.from ?? now) !== exprs.nameOf(site.expr)) return undefined;
  if (written !== from && !from.endsWith(`.${written}`)) return undefined;
  const owner = { file: after.file, decl: graphs.after.summary(after.file).decls.parentOf(after.decl) };
  const name = to.slice(to.lastIndexOf('.') + 1);
  const isKnown = lookUp(graphs.after, block.file, summary, exprs.scopeOf(base), name, exprs.roleOf(base)).targets.some(
    (target) => sameDecl(target, owner),
  );
  const renamed =
    detail.rename === undefined ? [] : [{ start: exprs.startOf(site.expr), end: exprs.endOf(site.expr), text: now }];
  const named = isKnown ? { text: name, edits: [] } : owner.decl < 0 ? undefined : nameFor(context, owner);
  const isShort = named !== undefined && !('cannot' in named) && !written.includes('.');
  return { edits: [{ start, end, text: isShort ? named.text : to }, ...renamed, ...(isShort ? named.edits : [])] };
}
