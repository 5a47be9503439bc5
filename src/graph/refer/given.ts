/**
 * What is given for a parameter.
 */
import { isFunctionLike, type Summary } from '../../syntax/summary.js';
import { fittingCalls } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import { sitesOf } from './references.js';

/** An expression that is given for something. */
export interface Given {
  readonly file: string;
  readonly expr: number;
}

/** What calls of the parameter's function pass for it. */
export function argumentsFor(resolver: Resolver, file: string, summary: Summary, param: number): Given[] {
  const owner = summary.scopes.ownerOf(summary.decls.scopeOf(param));
  if (owner < 0 || !isFunctionLike(summary.decls.kindOf(owner))) return [];
  const target = { file, decl: owner, self: undefined };
  return sitesOf(resolver, target).flatMap((site): Given[] => {
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
