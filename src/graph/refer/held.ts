/**
 * What a place can hold at run time, as far as values are followed: finer than a type for
 * functions, which know no classes, and for lists and mappings, which are told apart by where
 * they are written.
 */
import { D, E, F, isClassLike, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { Finding, type Answer } from './fixpoint.js';
import type { Resolver } from '../resolve/resolver.js';
import { keyOf, type Type, type Value } from '../resolve/value.js';

export type Held =
  /** `self`: the receiver it was taken from. `isBound`: it was given arguments before, so that calls give the rest. */
  | {
      readonly kind: 'function';
      readonly file: string;
      readonly decl: number;
      readonly self: Value | undefined;
      readonly isBound?: boolean;
    }
  | { readonly kind: 'class'; readonly file: string; readonly decl: number }
  | { readonly kind: 'instance'; readonly file: string; readonly decl: number }
  /** What the list or mapping at this row makes; its pairs of key and value, or one such pair; a part cut out of it. */
  | {
      readonly kind: 'holder';
      readonly file: string;
      readonly expr: number;
      readonly as?: 'pairs' | 'pair' | 'slice';
      /** Of a slice whose ends are known: its first place, and the one behind its last, counted from -1 for the end. */
      readonly ends?: readonly [number, number];
    }
  /** What this parameter gathers of a call's arguments. */
  | { readonly kind: 'gathered'; readonly file: string; readonly decl: number }
  /** What iterating over a call of the generator gives. */
  | { readonly kind: 'yields'; readonly file: string; readonly decl: number }
  /** A string or a small number: an index. */
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'module'; readonly file: string }
  /** Something from outside the repository, or nothing that could be called. */
  | { readonly kind: 'outside' };

export function heldKey(held: Held): string {
  switch (held.kind) {
    case 'function':
      return (
        `${held.isBound === true ? 'b' : 'f'}${held.file}:${held.decl}` +
        (held.self === undefined ? '' : keyOf(held.self))
      );
    case 'class':
      return `c${held.file}:${held.decl}`;
    case 'instance':
      return `i${held.file}:${held.decl}`;
    case 'holder':
      return `h${held.as ?? ''}${held.ends?.join() ?? ''}${held.file}:${held.expr}`;
    case 'gathered':
      return `x${held.file}:${held.decl}`;
    case 'yields':
      return `y${held.file}:${held.decl}`;
    case 'constant':
      return `k${held.text}`;
    case 'module':
      return `m${held.file}`;
    case 'outside':
      return 'o';
  }
}

export const findingHeld = (): Finding<Held> => new Finding<Held>(heldKey);

/** Some string of which nothing more is known. */
export const SOME_STRING = "'";

/**
 * A constant as it is written, or undefined. Of a dotted string only the last part is known, of other text that it is a
 * string.
 */
export function constantAt(summary: Summary, row: number): string | undefined {
  const { exprs } = summary;
  if (row < 0) return undefined;
  if (exprs.opOf(row) === E.string || (exprs.opOf(row) === E.other && exprs.nameOf(row) !== ''))
    return `'${exprs.nameOf(row)}`;
  if (exprs.opOf(row) === E.literal && exprs.nameOf(row) === 'str') return SOME_STRING;
  if (exprs.opOf(row) === E.literal && exprs.nameOf(row) === 'int' && exprs.secondOf(row) >= 0)
    return String(exprs.secondOf(row));
  if (exprs.opOf(row) !== E.operator) return undefined;
  const first = constantAt(summary, exprs.operandOf(row));
  if (first === undefined) return undefined;
  if (exprs.nameOf(row) === '-@') return /^\d+$/.test(first) ? `-${first}` : undefined;
  return exprs.nameOf(row) === '+' ? sumOf(first, constantAt(summary, exprs.secondOf(row))) : undefined;
}

/** What two constants give that are added: one string behind the other, a number. */
export function sumOf(first: string, second: string | undefined): string | undefined {
  const isString = first.startsWith(SOME_STRING);
  if (second === undefined || isString !== second.startsWith(SOME_STRING)) return undefined;
  if (!isString) return String(Number(first) + Number(second));
  return first === SOME_STRING || second === SOME_STRING ? SOME_STRING : first + second.slice(SOME_STRING.length);
}

/** What rows say that are a key together: `table[1, 2]` and a tuple; undefined where one of them is no constant. */
export function keyOfSeveral(summary: Summary, rows: readonly number[]): string | undefined {
  const texts = rows.map((row) => constantAt(summary, row));
  return texts.includes(undefined) || texts.includes(SOME_STRING) ? undefined : `(${texts.join()})`;
}

/**
 * The values of a type; what has none of its own here leaves the answer open: also a class that is only declared, since
 * any below it may be meant.
 */
export function heldOfType(resolver: Resolver, type: Type): Answer<Held> {
  const out = findingHeld();
  out.open = type.unknown;
  for (const value of type.values) {
    if (value.kind === 'instance') out.add({ kind: 'instance', file: value.file, decl: value.decl });
    else if (value.kind === 'module') out.add(value);
    else if (value.kind === 'function' && !isGenerator(resolver.summary(value.file), value.decl)) out.add(value);
    else if (value.kind === 'external') out.add({ kind: 'outside' });
    else out.open = true;
  }
  return out;
}

export const isGenerator = (summary: Summary, decl: number): boolean => summary.decls.has(decl, F.generator);

/** Whether the declaration is a place that values are put into. */
export function isPlace(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return kind === D.variable || kind === D.local || kind === D.param || kind === D.field;
}

/** Whether a row only names a function or class, so that its value needs no following. */
export function namesCallable(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return (
    (isClassLike(kind) || (isFunctionLike(kind) && summary.decls.decoratorsOf(decl).length === 0)) &&
    !isAssignedTo(summary, decl)
  );
}

/** Whether the name of a function or class is assigned to as well: `f = traced(f)`. */
export function isAssignedTo(summary: Summary, decl: number): boolean {
  const { decls } = summary;
  const scope = decls.scopeOf(decl);
  for (const other of decls.named(decls.nameIdOf(decl))) {
    const kind = decls.kindOf(other);
    if ((kind === D.variable || kind === D.local) && decls.scopeOf(other) === scope) return true;
  }
  return false;
}
