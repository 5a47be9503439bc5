/**
 * Places that turn a value into an object of another type, or ask whether it is one: casts, tests, comparisons.
 */
import type { DeclRef } from '../../languages/language.js';
import type { ExprRow } from '../../syntax/rows.js';
import { E, NARROWED } from '../../syntax/summary.js';
import type { Confidence } from '../resolve/names.js';
import type { Resolver } from '../resolve/resolver.js';
import { sitesOf } from './references.js';

export interface Conversion {
  readonly file: string;
  /** The row that names the type. */
  readonly expr: ExprRow;
  readonly block: number;
  readonly confidence: Confidence;
  /** What is turned, or asked. */
  readonly value: ExprRow;
  /** Only asked: what is not of the type goes another way. */
  readonly isTest: boolean;
}

/** Casts to the type, and tests for it. */
export function conversionsTo(resolver: Resolver, type: DeclRef): readonly Conversion[] {
  return sitesOf(resolver, type).flatMap(({ file, expr, block, confidence }): Conversion[] => {
    if (expr < 0) return [];
    const { exprs } = resolver.summary(file);
    const generic = exprs.wholeBy(expr, E.index);
    const written = generic >= 0 && exprs.operandOf(generic) === expr ? generic : expr;
    return exprs.wholesOf(written).flatMap((whole): Conversion[] => {
      const op = exprs.opOf(whole);
      const value = exprs.operandOf(whole);
      if (
        value < 0 ||
        value === written ||
        (op !== E.cast && !(op === E.operator && exprs.nameOf(whole) === TYPE_TEST))
      )
        return [];
      const isTest = op === E.operator || exprs.nameOf(whole) === NARROWED;
      return [{ file, expr, block, confidence, value, isTest }];
    });
  });
}

/** The operator by which an object is asked for its type. */
export const TYPE_TEST = 'instanceof';
