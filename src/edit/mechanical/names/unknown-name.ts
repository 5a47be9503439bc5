/**
 * Whether a header can be copied to another file: the names in it must mean there what they mean
 * where it comes from.
 */
import { lookUp } from '../../../graph/resolve/names.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { D, E, R, type Summary } from '../../../syntax/summary.js';
import { sameDecl } from '../../../syntax/rows.js';

/** A name among `words` in the header of `of` that means something else, or nothing, at `place`. */
export function unknownName(
  resolver: Resolver,
  of: DeclRef,
  words: ReadonlySet<string>,
  place: { readonly file: string; readonly scope: number },
): string | undefined {
  const from = resolver.summary(of.file);
  const there = resolver.summary(place.file);
  const { decls, exprs } = from;
  for (let expr = 0; expr < exprs.count; expr++) {
    const at = exprs.startOf(expr);
    if (exprs.opOf(expr) !== E.name || at < decls.startOf(of.decl) || at >= decls.bodyStartOf(of.decl)) continue;
    const name = exprs.nameOf(expr);
    if (!words.has(name)) continue;
    const means = resolver.resolve(of.file, expr);
    const imported = isImported(from, name);
    if (means.targets.length === 0 && !imported) continue;
    // A type parameter of the header itself goes along.
    if (
      means.targets.some(
        (target) => target.file === of.file && target.decl >= 0 && decls.kindOf(target.decl) === D.typeParam,
      )
    )
      continue;
    const here = lookUp(resolver, place.file, there, place.scope, name, R.type);
    const isKnown =
      means.targets.length > 0
        ? means.targets.some((target) => here.targets.some((other) => sameDecl(other, target)))
        : isImported(there, name);
    if (!isKnown) return name;
  }
  return undefined;
}

function isImported(summary: Summary, name: string): boolean {
  const row = summary.idOf(name);
  return row >= 0 && summary.decls.inScope(0, row).some((decl) => summary.decls.kindOf(decl) === D.importBinding);
}
