/**
 * Where a new member of an interface or abstract class has to be: in the classes below that can
 * have objects, also where interfaces and abstract classes stand between, and in classes without a
 * name. An abstract class that has to repeat the member ends the way down: what is below it lacks
 * the member once that is repeated.
 */
import { blockOf } from '../graph/refer/site.js';
import { derivedFrom, sitesByName } from '../graph/refer/sites-by-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, F, R, type Summary } from '../syntax/summary.js';
import type { Related } from './related.js';
import { sameDecl } from '../syntax/rows.js';

/**
 * The type, and the interfaces and abstract classes below it that need not have the member themselves. What an abstract
 * class asks for, no abstract class below it repeats.
 */
export function unfinishedTypes(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const { decls } = resolver.summary(type.file);
  const isRepeated = decls.kindOf(type.decl) === D.interface;
  const seen = new Set([`${type.file}\0${type.decl}`]);
  const out = [type];
  for (const next of out) {
    for (const below of derivedFrom(resolver, next)) {
      const key = `${below.file}\0${below.decl}`;
      if (seen.has(key) || !(mayLack(resolver, below) || (!isRepeated && isAbstract(resolver, below)))) continue;
      seen.add(key);
      out.push(below);
    }
  }
  return out;
}

/** Whether the type may be without a member that an interface above it asks for. */
export function mayLack(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  return (
    decls.kindOf(decl) === D.interface ||
    (decls.has(decl, F.abstract) && resolver.language(file).writing.repeatedMember === undefined)
  );
}

export const isAbstract = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  resolver.summary(file).decls.has(decl, F.abstract);

/** Rows at which a class without a name is made of the type. */
export function madeWithoutName(resolver: Resolver, type: DeclRef): readonly Related[] {
  return sitesByName(resolver, type, 'made').flatMap(({ file, expr, confidence, target }) =>
    sameDecl(target, type) ? [{ file, expr, block: blockOf(resolver.summary(file), expr), confidence }] : [],
  );
}

/** The class without a name whose base is named at a row behind `new`. */
export function classMadeAt(summary: Summary, expr: number): number | undefined {
  const { decls, exprs } = summary;
  if (expr < 0 || exprs.roleOf(expr) !== R.newCallee) return undefined;
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.kindOf(decl) === D.anonymousClass &&
      [...decls.basesOf(decl)].some((base) => base === expr || exprs.operandOf(base) === expr)
    )
      return decl;
  return undefined;
}
