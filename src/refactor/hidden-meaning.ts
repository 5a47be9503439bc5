/**
 * What a definition would hide under the name that it is about to have in a scope: code there that says the name and
 * means something from further out, as a function `set` of its own at the top of a Python file takes `set(…)` from the
 * builtin.
 *
 * A name of which nothing is known hides nothing: it is broken as it is, and the new definition may well mend it.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, isClassLike, isFunctionLike, R, S, type Summary } from '../syntax/summary.js';

/** A definition as it would stand in the scope of a file; `refs` are the definitions that it is now. */
export interface Coming {
  readonly file: string;
  readonly scope: number;
  readonly kind: number;
  readonly name: string;
  readonly refs: readonly DeclRef[];
}

/** The first place that would mean another thing; undefined where there is none. */
export function hiddenMeaning(resolver: Resolver, { file, scope, kind, name, refs }: Coming): number | undefined {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  return [...exprs.named(summary.idOf(name))].find((expr) => {
    const role = exprs.roleOf(expr);
    if (exprs.opOf(expr) !== E.name || role === R.import || role === R.doc) return false;
    if (!couldMean(resolver, file, kind, role) || !reaches(resolver, file, expr, scope)) return false;
    const { targets, external } = resolver.resolve(file, expr);
    return targets.length === 0 ? external : !targets.some((target) => refs.some((ref) => sameDecl(ref, target)));
  });
}

/** Whether a name in the role can mean a definition of the kind. */
function couldMean(resolver: Resolver, file: string, kind: number, role: number): boolean {
  const { typesOnlyRoles, methodsApart } = resolver.language(file);
  if (typesOnlyRoles.has(role)) return isClassLike(kind) || kind === D.typeAlias;
  return !methodsApart || isFunctionLike(kind) === (role === R.callee);
}

/** Whether the search for a name that starts at the row comes to the scope, and is not answered before. */
function reaches(resolver: Resolver, file: string, expr: number, scope: number): boolean {
  const summary: Summary = resolver.summary(file);
  const { exprs, scopes, decls } = summary;
  const { bareMembers, classBodyNames } = resolver.language(file);
  const from = exprs.scopeOf(expr);
  for (let s = from; s >= 0; s = scopes.parentOf(s)) {
    const isSeen = scopes.kindOf(s) !== S.class || bareMembers || (classBodyNames && s === from);
    if (s === scope) return isSeen;
    if (isSeen && decls.inScope(s, exprs.nameIdOf(expr)).length > 0) return false;
  }
  return false;
}
