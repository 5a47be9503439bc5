/** One place that refers to a declaration. */
import type { DeclRef } from '../../languages/language.js';
import { isClassLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import type { Confidence } from '../resolve/names.js';
import type { EdgeKind } from './relation.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Way } from '../resolve/ways.js';

/** One place that refers to a declaration. */
export interface Site {
  readonly file: string;
  /** The named row, or the `super`/`this` row of a constructor call; -1 for an override. */
  readonly expr: number;
  /** Innermost block around the site; -1: the module. */
  readonly block: number;
  readonly target: DeclRef;
  readonly kind: EdgeKind;
  readonly confidence: Confidence;
  /** How the name was resolved. */
  readonly via: Way;
}

/** The block that a row belongs to, -1 for module level. */
export function blockOf(summary: Summary, expr: number): number {
  return summary.scopes.blockOf(summary.exprs.scopeOf(expr));
}

/** What kind of edge a row with this role makes to a declaration of this kind. */
export function edgeKind(resolver: Resolver, file: string, role: number, kind: number): EdgeKind {
  switch (role) {
    case R.import:
      return 'import';
    case R.base:
      return 'inherit';
    case R.newCallee:
      return 'instantiate';
    case R.callee:
      return isClassLike(kind) && resolver.language(file).callableClasses ? 'instantiate' : 'call';
    case R.decorator:
      return isFunctionLike(kind)
        ? 'call'
        : isClassLike(kind) && resolver.language(file).callableClasses
          ? 'instantiate'
          : 'use';
    default:
      return 'use';
  }
}
