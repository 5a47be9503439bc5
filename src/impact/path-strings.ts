/**
 * Strings that name, by a path with dots, what stands elsewhere now: `patch("shop.store.load")` after `load`, or the
 * whole file of `shop.store`, moved; and `patch("shop.store.clock")` after a function moved that used `clock` there,
 * which goes on being replaced in the old module, and is not used from it any more.
 *
 * What reads such a string is not known, so that each is undecided.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isTableModule, writtenModule } from '../graph/resolve/import-table.js';
import { E } from '../syntax/summary.js';
import type { Undecided } from './affected.js';
import type { Graphs } from './graphs.js';
import { lastNamesOf, movedFiles } from './moved-files.js';

export function pathStrings(graphs: Graphs, changes: readonly AtomicChange[]): readonly Undecided[] {
  const { before, after } = graphs;
  const out = new Map<string, Undecided>();
  const add = ({ file, expr }: PathString, reason: string): void => {
    if (after.repo.hasFile(file) && !out.has(`${file}\0${expr}`)) out.set(`${file}\0${expr}`, { file, expr, reason });
  };
  const files = movedFiles(graphs, changes);
  for (const [from, to] of files) {
    for (const path of pathsOf(from))
      for (const mention of stringsIn(after, path))
        if (leadsTo(before, mention, path, from) && !leadsTo(after, mention, path, from))
          add(mention, `a string names ${path}, which moved to ${to}`);
    for (const { module, ...mention } of modulesIn(after, lastNamesOf([from])))
      if (
        leadsTo(before, mention, module, from) &&
        !leadsTo(after, mention, module, from) &&
        !isTableModule(before, mention.file, after.summary(mention.file), mention.expr)
      )
        add(mention, `a string names ${module}, which moved to ${to}`);
  }
  for (const { before: was, after: is, detail } of changes) {
    const isMoved = detail.move !== undefined && was !== undefined && is !== undefined && was.file !== is.file;
    if (!isMoved || files.has(was.file)) continue;
    const names = namesIn(before, was.file, was.decl);
    const own = before.summary(was.file).decls.nameOf(was.decl);
    for (const path of pathsOf(was.file))
      for (const mention of stringsIn(after, path)) {
        if (!leadsTo(before, mention, path, was.file)) continue;
        if (mention.name === own) add(mention, `a string names ${path}.${own}, which moved to ${is.file}`);
        else if (names.has(mention.name))
          add(
            mention,
            `a string names ${path}.${mention.name}, which ${own} used there, before it moved to ${is.file}`,
          );
      }
  }
  return [...out.values()];
}

/** A string, and the last name of its path. */
interface PathString {
  readonly file: string;
  readonly expr: number;
  readonly name: string;
}

/** Paths by which imports may name a file, the longest first: `src.shop.store`, `shop.store`, `store`. */
function pathsOf(file: string): string[] {
  const parts = file.replace(/\.\w+$/u, '').split('/');
  return parts.map((_, i) => parts.slice(i).join('.'));
}

/** Strings that say a name behind the path. */
function stringsIn(after: Resolver, path: string): readonly PathString[] {
  return after.repo.filesMentioning(path).flatMap((file) => {
    const { exprs } = after.summary(file);
    return exprs
      .ofOp(E.string)
      .filter((expr) => exprs.operandOf(expr) >= 0 && exprs.nameOf(exprs.operandOf(expr)) === path)
      .map((expr): PathString => ({ file, expr, name: exprs.nameOf(expr) }));
  });
}

/** Strings that are the name of a module and nothing else: `shop.store`, `.store`. */
function modulesIn(after: Resolver, names: ReadonlySet<string>): readonly (PathString & { readonly module: string })[] {
  return [...names].flatMap((name) =>
    after.repo.filesMentioning(name).flatMap((file) => {
      const summary = after.summary(file);
      return [...summary.exprs.ofOp(E.string), ...summary.exprs.ofOp(E.literal)].flatMap((expr) => {
        const written = writtenModule(summary, expr);
        return written?.module.endsWith(name) === true ? [{ file, expr, name, module: written.module }] : [];
      });
    }),
  );
}

/** Whether the path leads to the file from where the string stands. */
const leadsTo = (resolver: Resolver, { file }: PathString, path: string, to: string): boolean =>
  resolver.repo.hasFile(file) &&
  resolver
    .language(file)
    .resolveModule(path, file, resolver)
    .some((entity) => entity.kind === 'module' && entity.file === to);

/** Names that a definition says. */
function namesIn(resolver: Resolver, file: string, decl: number): ReadonlySet<string> {
  const { decls, exprs } = resolver.summary(file);
  const out = new Set<string>();
  for (let row = 0; row < exprs.count; row++)
    if (
      exprs.opOf(row) === E.name &&
      exprs.startOf(row) >= decls.startOf(decl) &&
      exprs.startOf(row) < decls.endOf(decl)
    )
      out.add(exprs.nameOf(row));
  return out;
}
