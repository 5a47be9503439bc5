/**
 * A name that a module offered as one that may change, and that it offers without the mark from the edit on:
 *
 *     import { unstable_open } from 'shop'    ->    import { open } from 'shop'
 *     unstable_open('a')                            open('a')
 *
 * Only where the one goes and the other comes with the edit, and all calls in the file fit what came. The old name
 * stays as an alias where the new one means something else in the file.
 */
import { usesOfBinding } from '../../../impact/related.js';
import { R, type ImportEntry } from '../../../syntax/summary.js';
import { fileOf } from '../imports/module-name.js';
import { takesCall } from '../imports/named-parts.js';
import { otherMeaning } from '../names/name-collision.js';
import { mentionEdit } from '../names/shorthand.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const dropMark: Rewrite = {
  id: 'drop-mark',
  does: 'names without its mark what was offered as unstable and is offered as stable now',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { graphs, block, site, summary, text } = context;
    const { exprs, decls, imports } = summary;
    if (site.expr < 0 || site.tier !== 'breaks' || site.confidence !== 'certain') return undefined;
    const said = exprs.nameOf(site.expr);
    const entry = imports.find(
      (each) => each.decl >= 0 && (each.expr === site.expr || decls.nameOf(each.decl) === said),
    );
    const name = entry === undefined ? undefined : unmarkedNow(context, entry);
    if (entry === undefined || name === undefined) return undefined;
    const uses = usesIn(context, entry);
    const isOther = [{ scope: decls.scopeOf(entry.decl), role: R.import }, ...uses].some(
      ({ scope, role }) => otherMeaning(graphs.after, block.file, scope, name, role, undefined) !== undefined,
    );
    const isAlias = decls.nameOf(entry.decl) !== entry.name;
    if (entry.expr !== site.expr)
      return !uses.some(({ expr }) => expr === site.expr)
        ? undefined
        : { edits: isAlias || isOther ? [] : [mentionEdit(summary, site.expr, { from: said, to: name })] };
    const [start, end] = [exprs.startOf(site.expr), exprs.endOf(site.expr)];
    if (text.slice(start, end) !== entry.name) return undefined;
    return { edits: [{ start, end, text: isOther && !isAlias ? `${name} as ${entry.name}` : name }] };
  },
};

/** Words that say of a name that it may change. */
const MARK = /^(?:unstable|unsafe|experimental|alpha|beta|preview)(?:_(.+)|([A-Z].*))$/iu;

/** What the entry's name is without its mark, if that came in its place. */
function unmarkedNow(context: RewriteSite, entry: ImportEntry): string | undefined {
  const { graphs, block } = context;
  const [, snake, camel] = MARK.exec(entry.name) ?? [];
  const name = snake ?? (camel === undefined ? undefined : camel.slice(0, 1).toLowerCase() + camel.slice(1));
  const [old, now] = [graphs.before, graphs.after].map((side) => fileOf(side, entry.module, block.file));
  if (name === undefined || old === undefined || now === undefined) return undefined;
  const offered = graphs.after.exported(now, name);
  const isInItsPlace =
    offered.length > 0 &&
    graphs.after.exported(now, entry.name).length === 0 &&
    graphs.before.exported(old, entry.name).length > 0 &&
    graphs.before.exported(old, name).length === 0;
  return isInItsPlace && usesIn(context, entry).every(({ expr }) => takesCall(context, offered, expr))
    ? name
    : undefined;
}

interface UseOfName {
  readonly expr: number;
  readonly scope: number;
  readonly role: number;
}

function usesIn({ graphs, block, summary: { exprs, decls } }: RewriteSite, entry: ImportEntry): UseOfName[] {
  return usesOfBinding(graphs.after, block.file, decls.nameOf(entry.decl))
    .map(({ expr }) => ({ expr, scope: exprs.scopeOf(expr), role: exprs.roleOf(expr) }))
    .filter(({ role }) => role !== R.import && role !== R.doc);
}
