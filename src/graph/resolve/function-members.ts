/**
 * Properties that a file puts on one of its functions: `parse.Parser = Parser`.
 *
 * Errs towards nothing: what is put there under a condition or by another file, and what is put on a function that a
 * parameter holds.
 */
import { sameDecl, type ExprRow } from '../../syntax/rows.js';
import { E } from '../../syntax/summary.js';
import type { DeclRef } from '../../languages/language.js';
import type { Resolver } from './resolver.js';

/** Rows of the values that a function has under a name. */
export function putOnFunction(resolver: Resolver, fn: DeclRef, name: string): readonly ExprRow[] {
  const summary = resolver.summary(fn.file);
  const { exprs } = summary;
  const id = summary.idOf(name);
  if (id < 0) return [];
  return exprs.stores.flatMap((store) => {
    const place = exprs.placeOf(store);
    if (place < 0 || exprs.opOf(place) !== E.member || exprs.nameIdOf(place) !== id) return [];
    const base = exprs.operandOf(place);
    if (base < 0 || exprs.opOf(base) !== E.name) return [];
    const isMeant = resolver.resolve(fn.file, base).targets.some((target) => sameDecl(target, fn));
    return isMeant ? [exprs.secondOf(store)] : [];
  });
}
