/**
 * What of a library the language hides from those outside, and a use can seem to mean all the same: a constructor is
 * chosen by its arguments and an extension method by its name, so that neither use says that it is meant.
 *
 * Other hidden things are said by name; who says them is known to see them, as friends of a C# assembly are.
 */
import { isOutside } from '../base/outside.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { DeclRow } from '../syntax/rows.js';
import { D, F, isClassLike, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';

export function isHiddenFromUsers({ before, after }: Graphs, change: AtomicChange): boolean {
  const [resolver, ref] =
    change.before === undefined ? ([after, change.after] as const) : ([before, change.before] as const);
  if (!isOutside(change.file) || ref === undefined || ref.decl < 0) return false;
  const { publishedBy } = resolver.language(ref.file);
  const summary = resolver.summary(ref.file);
  const isChosen = summary.decls.kindOf(ref.decl) === D.constructor || summary.decls.has(ref.decl, F.extension);
  if (publishedBy === undefined || !isChosen) return false;
  return !isPublishedWhole(summary, ref.decl, publishedBy);
}

/** Whether a declaration and all that it lies in can be named by code of other packages. */
export function isPublishedWhole(summary: Summary, ref: DeclRow, publishedBy: number): boolean {
  for (let decl = ref; decl >= 0; decl = summary.decls.parentOf(decl))
    if (!isPublished(summary, decl, publishedBy)) return false;
  return true;
}

function isPublished({ decls }: Summary, decl: number, publishedBy: number): boolean {
  const kind = decls.kindOf(decl);
  if (kind === D.namespace || decls.has(decl, publishedBy)) return true;
  // Another part may say it.
  if (isClassLike(kind) && decls.has(decl, F.partial)) return true;
  const owner = decls.parentOf(decl);
  return owner >= 0 && decls.kindOf(owner) === D.interface;
}
