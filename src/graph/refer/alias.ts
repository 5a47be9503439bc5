/**
 * Functions and classes that are the whole value of a name: `const g = f`, `{ f }`, `{ g: f }`. A call of the name is a
 * call of theirs, though an edit of their name need not reach it.
 *
 * For languages whose values are not followed in full (`flow.ts`). A name with a declared type is a place that such a
 * type is for, and stands with the values of function types. Errs towards nothing: what a name is assigned later, or a
 * parameter is given, is not looked at.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../../syntax/summary.js';
import type { Resolver } from '../resolve/resolver.js';

/** The functions and classes that a declaration's whole value names, other names followed; none for most. */
export function aliasedBy(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(file);
  if (!isAlias(summary, decl) || resolver.language(file).followsValues) return [];
  return resolver.answer<readonly DeclRef[]>('aliased', file, decl, [], () => {
    const { targets, confidence } = resolver.resolve(file, summary.decls.valueOf(decl));
    if (confidence !== 'certain') return [];
    return targets.flatMap((target) =>
      target.decl < 0 ? [] : isNamed(resolver, target) ? [target] : aliasedBy(resolver, target),
    );
  });
}

export const isAliasOf = (resolver: Resolver, alias: DeclRef, target: DeclRef): boolean =>
  aliasedBy(resolver, alias).some((one) => sameDecl(one, target));

/** Whether the declaration's value is a name and nothing else, and may not become another one without being seen. */
export function isAlias({ decls, exprs }: Summary, decl: number): boolean {
  const value = decls.valueOf(decl);
  if (value < 0 || decls.typeOf(decl) >= 0 || decls.has(decl, F.reassigned)) return false;
  const op = exprs.opOf(value);
  return (op === E.name || op === E.member) && (isFieldLike(decls.kindOf(decl)) || decls.kindOf(decl) === D.local);
}

function isNamed(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const kind = resolver.summary(file).decls.kindOf(decl);
  return (isFunctionLike(kind) || isClassLike(kind)) && kind !== D.lambda && kind !== D.anonymousClass;
}
