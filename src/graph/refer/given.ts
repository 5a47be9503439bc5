/**
 * What is given for a parameter, or where a type is expected.
 */
import type { DeclRef } from '../../languages/language.js';
import type { Expressions } from '../../syntax/expressions.js';
import type { Use } from '../../syntax/parts.js';
import { sameDecl } from '../../syntax/rows.js';
import { expectedWhere } from '../resolve/expected.js';
import { D, E, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { fittingCalls } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Value } from '../resolve/value.js';
import { sitesOf, sitesSaidIn } from './references.js';

/** An expression that is given for something. */
export interface Given {
  readonly file: string;
  readonly expr: number;
}

/** The function whose parameter a declaration is. */
export function takerOf({ decls, scopes }: Summary, decl: number): number | undefined {
  const owner = decls.kindOf(decl) === D.param ? scopes.ownerOf(decls.scopeOf(decl)) : -1;
  return owner >= 0 && isFunctionLike(decls.kindOf(owner)) ? owner : undefined;
}

/** What calls of the parameter's function pass for it; with `files`, calls in those by its name alone. */
export function argumentsFor(
  resolver: Resolver,
  file: string,
  summary: Summary,
  param: number,
  files?: ReadonlySet<string>,
): Given[] {
  const owner = takerOf(summary, param);
  if (owner === undefined) return [];
  const target = { file, decl: owner, self: undefined };
  const sites = files === undefined ? sitesOf(resolver, target) : sitesSaidIn(resolver, target, files);
  return sites.flatMap((site): Given[] => {
    if (site.expr < 0 || (site.kind !== 'call' && site.kind !== 'instantiate')) return [];
    const of = resolver.summary(site.file);
    const call = of.exprs.callOf(site.expr);
    if (call < 0) return [];
    return fittingCalls
      .pair(resolver, target, { file: site.file, expr: call })
      .flatMap(({ param: taken, argument }) =>
        taken === param && argument >= 0 ? [{ file: site.file, expr: argument }] : [],
      );
  });
}

/** In a file that says the type, what stands where it is expected, as far as types are written there. */
export const expectedAs = (resolver: Resolver, file: string, type: DeclRef): Given[] =>
  givenWhere(resolver, file, (value) => value.kind === 'instance' && sameDecl(value, type));

/** In a file, what stands where a written type means one of the values that are asked for. */
export function givenWhere(resolver: Resolver, file: string, isAsked: (value: Value) => boolean): Given[] {
  const { exprs } = resolver.summary(file);
  const out: Given[] = [];
  for (let expr = 0; expr < exprs.count; expr++) {
    if (!GIVEN.has(exprs.opOf(expr)) || exprs.roleOf(expr) !== R.read) continue;
    // A cast says what it makes of a value, and asks for none.
    const isGiven = exprs.usesOf(expr).some((use) => PLACES.has(use.kind) || isSide(exprs, use));
    const expected = isGiven ? expectedWhere(resolver, file, expr)?.values : undefined;
    if (expected?.some(isAsked) === true) out.push({ file, expr });
  }
  return out;
}

const GIVEN: ReadonlySet<number> = new Set([E.name, E.member, E.call, E.new, E.this]);
const PLACES: ReadonlySet<string> = new Set(['argument', 'entry', 'stored', 'value', 'result']);
const isSide = (exprs: Expressions, use: Use): boolean => use.kind === 'same' && exprs.opOf(use.row) === E.union;
