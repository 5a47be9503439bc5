/**
 * Definition moved away from where it was used without an import: `helper` moved from `a.py` to
 * `b.py`, so `a.py`, which still calls it, gets `from .b import helper`; in Java and C# the same for
 * what was visible through its package or namespace.
 *
 * Refused where the new place imports the old one: the two would import each other.
 */
import { E, R } from '../../../syntax/summary.js';
import { movedFiles } from '../../../impact/moved-files.js';
import { followsWithStar } from '../../../impact/moved-types.js';
import { lookUp } from '../../../graph/resolve/names.js';
import type { DeclRef } from '../../../languages/language.js';
import { addImport } from '../imports/add-import.js';
import { importInto, importStatements, statementBelow } from '../imports/import-statement.js';
import { moduleNameOf } from '../imports/module-name.js';
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
    if (target.file !== block.file && summary.exprs.opOf(site.expr) === E.member) return throughModule(context);
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

/** `text.clean(x)`, where `text` is the module that the definition left: `clean(x)`, which is imported. */
function throughModule(context: RewriteSite): RewriteResult | undefined {
  const { graphs, site, summary, block, changes } = context;
  const { exprs } = summary;
  const { before, after: target } = site.cause;
  const base = exprs.baseOf(site.expr);
  if (base < 0 || before === undefined || target === undefined || site.confidence !== 'certain') return undefined;
  if (!graphs.after.language(block.file).importsFiles || exprs.roleOf(site.expr) === R.import) return undefined;
  const isOldModule = graphs.after
    .resolve(block.file, base)
    .targets.some((meant) => meant.decl < 0 && meant.file === before.file);
  if (!isOldModule || movedFiles(graphs, changes).has(before.file)) return undefined;
  const name = exprs.nameOf(site.expr);
  const { targets } = lookUp(
    graphs.after,
    block.file,
    summary,
    exprs.scopeOf(site.expr),
    name,
    exprs.roleOf(site.expr),
  );
  const isImported = targets.some((meant) => meant.file === target.file && meant.decl === target.decl);
  if (targets.length > 0 && !isImported)
    return (
      throughNewModule(context, base, target) ??
      throughNamedModule(context, base, target) ?? {
        cannot: `${name} means something else here, and ${before.file} has none any more`,
        needs: 'person',
      }
    );
  const added = isImported ? { edits: [] } : addImport(context, target);
  if ('cannot' in added) return added;
  let first = base;
  while (exprs.opOf(first) === E.member && exprs.baseOf(first) >= 0) first = exprs.baseOf(first);
  return { edits: [...added.edits, { start: exprs.startOf(first), end: exprs.startOf(site.expr), text: '' }] };
}

/**
 * The same where the name alone means something else and the module was imported by name: `from a import text`
 * becomes `from a import text, words`, and `text.clean(x)` `words.clean(x)`.
 */
function throughNamedModule(
  { graphs, site, summary, block, text }: RewriteSite,
  base: number,
  target: DeclRef,
): RewriteResult | undefined {
  const { exprs, decls } = summary;
  const bound = exprs.nameOf(base);
  const entry = summary.imports.find(
    (one) => one.kind === 'name' && one.decl >= 0 && one.name === bound && decls.nameOf(one.decl) === bound,
  );
  if (entry === undefined || exprs.opOf(base) !== E.name) return undefined;
  const module = moduleNameOf(graphs, block.file, block.file, target, entry.module);
  const [, parent = '', name = ''] = /^(.*?)\.?(\w+)$/.exec(module ?? '') ?? [];
  if (name === '' || module === name) return undefined;
  // `..words` stands in `..`.
  const above = /^\.*$/.test(parent) ? `${parent}.` : parent;
  const { targets } = lookUp(
    graphs.after,
    block.file,
    summary,
    exprs.scopeOf(site.expr),
    name,
    exprs.roleOf(site.expr),
  );
  const replaced = { start: exprs.startOf(base), end: exprs.endOf(base), text: name };
  if (targets.some((meant) => meant.decl < 0 && meant.file === target.file)) return { edits: [replaced] };
  const statement = importStatements(summary, text).find((one) => one.moduleStart === entry.moduleStart);
  if (targets.length > 0 || statement === undefined) return undefined;
  const joined = importInto(text, [statement], [name], above);
  if (joined !== undefined) return { edits: [...joined, replaced] };
  const { writing } = graphs.after.language(block.file);
  const line = statementBelow(text, statement, writing.importStatement(above, name, undefined, undefined));
  return line === undefined ? undefined : { edits: [line, replaced] };
}

/**
 * The same where the name alone means something else: `a.text.clean(x)` becomes `a.words.clean(x)`, with the import
 * that this needs beside the other.
 */
function throughNewModule(
  { graphs, site, summary, block, text }: RewriteSite,
  base: number,
  target: DeclRef,
): RewriteResult | undefined {
  const { exprs } = summary;
  let first = base;
  while (exprs.opOf(first) === E.member && exprs.baseOf(first) >= 0) first = exprs.baseOf(first);
  const start = exprs.startOf(first);
  const written = text.slice(start, exprs.endOf(base));
  const statement = importStatements(summary, text).findLast(
    (one) => one.module === written && one.names.length === 1 && one.start < exprs.startOf(site.expr),
  );
  const module = moduleNameOf(graphs, block.file, block.file, target, written);
  if (statement === undefined || module === undefined || module.startsWith('.')) return undefined;
  const head = module.slice(0, (module + '.').indexOf('.'));
  const scope = exprs.scopeOf(site.expr);
  const isBound = lookUp(graphs.after, block.file, summary, scope, head, exprs.roleOf(site.expr)).targets.length > 0;
  if (head !== exprs.nameOf(first) && isBound) return undefined;
  const line = statementBelow(text, statement, text.slice(statement.start, statement.end).replace(written, module));
  return line === undefined ? undefined : { edits: [line, { start, end: exprs.endOf(base), text: module }] };
}
