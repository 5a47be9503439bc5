/**
 * What a file exported as its default, or as the whole of it, has a name outside now: `import Store from './store'`
 * becomes `import { Store } from './store'`, and so in lists that pass it on. The name that the import binds stays, and
 * with it the uses; a member of it that has become a name of the module goes by that, and is imported beside it or in
 * its place (named-parts.ts).
 *
 * Refused where the statement imports the module as a whole besides.
 */
import type { AtomicChange } from '../../../change/atomic-change.js';
import { isDefaultName } from '../../../change/compare-exports.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import { leavesCompanion } from '../../../impact/companion.js';
import type { Entity } from '../../../languages/language.js';
import { sameDecl } from '../../../syntax/rows.js';
import { E, WHOLE_MODULE, type ImportEntry, type Summary } from '../../../syntax/summary.js';
import { fileOf } from '../imports/module-name.js';
import { namedParts, takesCall } from '../imports/named-parts.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const defaultImport: Rewrite = {
  id: 'default-import',
  does: 'imports by its name what a file exported as its default, and what were its members beside it',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary, text } = context;
    if (site.expr < 0) return undefined;
    const entry = summary.imports.find((each) => each.expr >= 0 && each.expr === site.expr);
    if (entry === undefined) return passedOn(context) ?? useOf(context) ?? throughList(context, site.expr);
    if (!isDefault(entry)) return throughList(context, site.expr);
    const name = nameOf(context, entry);
    if (name === undefined) return undefined;
    const edit = editOf(text, entry, namedParts(context, entry, name).listed.join(', '));
    return edit === undefined
      ? { cannot: `${name} has to be imported by its name, beside the module as a whole`, needs: 'person' }
      : { edits: [edit] };
  },
};

const isDefault = ({ decl, name }: ImportEntry): boolean => decl >= 0 && isDefaultName(name);

/** `export { default as Store } from './store'`. */
function passedOn(context: RewriteSite): RewriteResult | undefined {
  const entry = context.summary.exports.find((each) => each.expr >= 0 && each.expr === context.site.expr);
  if (entry?.module === undefined || !isDefaultName(entry.local)) return undefined;
  const { name, module, start, end } = entry;
  const now = nameOf(context, { module });
  return now === undefined ? undefined : { edits: [{ start, end, text: now === name ? now : `${now} as ${name}` }] };
}

/** What comes by its own name from a list that passes the default on: the list is rewritten itself. */
function throughList(
  { graphs: { before }, block, site, summary }: RewriteSite,
  expr: number,
): RewriteResult | undefined {
  const { exprs, decls } = summary;
  const home = site.cause.before?.file;
  if (home === undefined || site.cause.detail.export === undefined) return undefined;
  const entry = summary.imports.find(
    (each) => each.expr === expr || (each.decl >= 0 && decls.nameOf(each.decl) === exprs.nameOf(expr)),
  );
  const from = entry === undefined ? undefined : fileOf(before, entry.module, block.file);
  return entry !== undefined && from !== undefined && listsDefault(before, from, entry.name, home)
    ? { edits: [] }
    : undefined;
}

/** Whether a file's lists, or those that they pass on, give the default of `home` under a name. */
function listsDefault(before: Resolver, file: string, name: string, home: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return before.summary(file).exports.some((entry) => {
    const from = entry.name === name && entry.module !== undefined ? fileOf(before, entry.module, file) : undefined;
    if (from === undefined) return false;
    return (isDefaultName(entry.local) && from === home) || listsDefault(before, from, entry.local, home, seen);
  });
}

/** A use of the binding, whatever of the former default the change is about. */
function useOf(context: RewriteSite): RewriteResult | undefined {
  const { graphs, block, site, summary, text } = context;
  const { exprs, decls } = summary;
  const row = exprs.opOf(site.expr) === E.member ? exprs.baseOf(site.expr) : site.expr;
  if (row < 0 || exprs.opOf(row) !== E.name || site.confidence !== 'certain' || site.tier !== 'breaks')
    return undefined;
  const binding = exprs.nameOf(row);
  const entry = summary.imports.find((each) => isDefault(each) && decls.nameOf(each.decl) === binding);
  if (entry === undefined || editOf(text, entry, binding) === undefined) return undefined;
  const name = nameOf(context, entry);
  const parts = name === undefined ? undefined : namedParts(context, entry, name);
  if (name === undefined || parts === undefined || !parts.uses.has(row)) return undefined;
  const edit = parts.uses.get(row);
  if (edit !== undefined) return { edits: [edit] };
  const module = fileOf(graphs.after, entry.module, block.file);
  const isTaken = module !== undefined && takesCall(context, graphs.after.exported(module, name), row);
  return exprs.wholeBy(row, E.member) < 0 && isTaken ? { edits: [] } : undefined;
}

/** The name outside of what the entry imports as the default, by any of the changes. */
const nameOf = (context: RewriteSite, entry: Pick<ImportEntry, 'module'>): string | undefined =>
  context.changes.map((change) => nameNow(context, entry, change)).find((known) => known !== undefined);

/** Undefined where the change is another one. */
function nameNow(
  { graphs, block }: RewriteSite,
  entry: Pick<ImportEntry, 'module'>,
  cause: AtomicChange,
): string | undefined {
  const { before, after } = graphs;
  const [old, now] = [fileOf(before, entry.module, block.file), fileOf(after, entry.module, block.file)];
  if (old === undefined || now === undefined) return undefined;
  const { export: list } = cause.detail;
  if (list !== undefined) return isDefaultName(list.name) && cause.before?.file === old ? list.newName : undefined;
  // A value of the old name is the default still, where the type of that name got another one.
  if (leavesCompanion(graphs, cause)) return undefined;
  const [was, is] = [cause.before, cause.after];
  const means = (found: readonly Entity[], ref: typeof is): boolean =>
    ref !== undefined && found.some((entity) => entity.kind === 'decl' && sameDecl(entity, ref));
  if (
    is === undefined ||
    is.decl < 0 ||
    saysDefault(after.summary(now), cause) ||
    !DEFAULTS.some((name) => means(before.exported(old, name), was))
  )
    return undefined;
  const name = after.summary(is.file).decls.nameOf(is.decl);
  return means(after.exported(now, name), is) && !DEFAULTS.some((each) => means(after.exported(now, each), is))
    ? name
    : undefined;
}

const DEFAULTS = ['default', WHOLE_MODULE] as const;

/** `export default Store;` behind a class that got another name follows as a use of it, and stays the default. */
const saysDefault = ({ exports }: Summary, { detail }: AtomicChange): boolean =>
  exports.some(
    ({ name, local, module }) => isDefaultName(name) && module === undefined && local === detail.rename?.from,
  );

function editOf(
  text: string,
  entry: ImportEntry,
  listed: string,
): { start: number; end: number; text: string } | undefined {
  const { start, end, statementStart, statementEnd } = entry;
  const before = text.slice(statementStart, start);
  if (before.includes('{')) return { start, end, text: listed };
  const rest = text.slice(end, statementEnd);
  const list = /^\s*,\s*\{\s*/u.exec(rest);
  if (list !== null) return { start, end: end + list[0].length, text: `{ ${listed}, ` };
  // `import Store = require('./store')`
  const required = /^\s*=\s*require\s*\(\s*((['"])[^'"\n]*\2)\s*\)/u.exec(rest);
  if (required !== null)
    return { start, end: end + required[0].length, text: `{ ${listed} } from ${required[1] ?? ''}` };
  return /^\s*from\b/u.test(rest) ? { start, end, text: `{ ${listed} }` } : undefined;
}
