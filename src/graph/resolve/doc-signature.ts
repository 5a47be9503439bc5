/**
 * Overloads in documentation: `{@link #put(int)}` and `cref="Put(int)"` name one of several
 * functions by the types of its parameters.
 *
 * Types are compared by their last names, and a parameter of a type parameter's type is any. Where
 * no overload has the types, those with as many parameters are meant.
 */
import type { DeclRef } from '../../languages/language.js';
import { isFunctionLike, type Summary } from '../../syntax/summary.js';
import { isTypeParameter, typeName } from './hierarchy.js';
import type { Resolver } from './resolver.js';

/** Whether a documentation row writes parameter types, and the function has these. */
export function isDocumentedAs(
  resolver: Resolver,
  file: string,
  expr: number,
  { file: inFile, decl }: DeclRef,
): boolean {
  const written = typesAt(resolver.summary(file), expr);
  const of = resolver.summary(inFile);
  if (written === undefined || decl < 0 || !isFunctionLike(of.decls.kindOf(decl))) return false;
  const params = of.decls.paramsOf(decl);
  return (
    params.length === written.length &&
    written.every(
      (name, i) =>
        isTypeParameter(of, params[i] as number) || plain(typeName(of, params[i] as number) ?? name) === plain(name),
    )
  );
}

/** Of the functions that a documentation row names those whose parameters it writes. */
export function documentedAmong(
  resolver: Resolver,
  file: string,
  expr: number,
  targets: readonly DeclRef[],
): readonly DeclRef[] {
  const written = typesAt(resolver.summary(file), expr);
  if (written === undefined || targets.length < 2) return targets;
  const exact = targets.filter((target) => isDocumentedAs(resolver, file, expr, target));
  if (exact.length > 0) return exact;
  const countOf = ({ file: inFile, decl }: DeclRef): number =>
    decl < 0 ? -1 : resolver.summary(inFile).decls.paramsOf(decl).length;
  const alike = targets.filter((target) => countOf(target) === written.length);
  return alike.length > 0 ? alike : targets;
}

/** `String` and `string` are one type, brackets and the number of type arguments do not count. */
const plain = (name: string): string => name.replace(/\[\]|`\d+$/g, '').toLowerCase();

function typesAt(summary: Summary, expr: number): readonly string[] | undefined {
  return summary.exprs.documentedTypesOf(expr)?.map((row) => summary.exprs.nameOf(row));
}
