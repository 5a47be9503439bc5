/**
 * Functions and classes that are the whole value of a name: `const g = f`, `{ f }`, `{ g: f }`, `g: typeof f`. A call
 * of the name is a call of theirs, though an edit of their name need not reach it.
 *
 * For languages whose values are not followed in full (`flow.ts`). A name with another declared type is a place that
 * such a type is for, and stands with the values of function types. Errs towards nothing: what a name is assigned
 * later, or a parameter is given, is not looked at.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, TYPE_OF, type Summary } from '../../syntax/summary.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Expressions } from '../../syntax/expressions.js';
import type { ExprRow } from '../../syntax/rows.js';

/** The functions and classes that a declaration's whole value names, other names followed; none for most. */
export function aliasedBy(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRef[] {
  const held = heldBy(resolver.summary(file), decl);
  if (held < 0 || resolver.language(file).followsValues) return [];
  return resolver.answer<readonly DeclRef[]>('aliased', file, decl, [], () => {
    const { targets, confidence } = resolver.resolve(file, held);
    if (confidence !== 'certain') return [];
    return targets.flatMap((target) =>
      target.decl < 0 ? [] : isNamed(resolver, target) ? [target] : aliasedBy(resolver, target),
    );
  });
}

export const isAliasOf = (resolver: Resolver, alias: DeclRef, target: DeclRef): boolean =>
  aliasedBy(resolver, alias).some((one) => sameDecl(one, target));

/**
 * The row of the name that a declaration's value is, and nothing else, if it may not become another one without being
 * seen; -1 for most.
 */
export function heldBy({ decls, exprs }: Summary, decl: number): ExprRow | -1 {
  const type = decls.typeOf(decl);
  const held = type < 0 ? decls.valueOf(decl) : askedOf(exprs, type);
  if (held < 0 || decls.has(decl, F.reassigned)) return -1;
  const op = exprs.opOf(held);
  const kind = decls.kindOf(decl);
  const isHolder = isFieldLike(kind) || kind === D.local || (type >= 0 && kind === D.param);
  return (op === E.name || op === E.member) && isHolder ? held : -1;
}

/** The row of the name in `typeof Name`; -1 for other types. */
const askedOf = (exprs: Expressions, type: ExprRow): ExprRow | -1 =>
  exprs.opOf(type) === E.union && exprs.nameOf(type) === TYPE_OF ? (exprs.partsOf(type)[0] ?? -1) : -1;

function isNamed(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const kind = resolver.summary(file).decls.kindOf(decl);
  return (isFunctionLike(kind) || isClassLike(kind)) && kind !== D.lambda && kind !== D.anonymousClass;
}
