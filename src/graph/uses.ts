/**
 * Where the value of each row goes in its own file: the other way round of the columns of a
 * summary, made for a file when it is first asked for and kept as long as its summary.
 */
import { argumentsOf, E, isFunctionLike, listAt, type Summary } from '../syntax/summary.js';

export type Use =
  /** `row` calls it: a call, an object creation, an implied call. */
  | { readonly kind: 'callee'; readonly row: number }
  | { readonly kind: 'argument'; readonly row: number; readonly index: number }
  /** Initial value, or default, of a declaration. */
  | { readonly kind: 'value'; readonly decl: number }
  /** Returned or yielded by a function. */
  | { readonly kind: 'result'; readonly decl: number }
  /** An entry of a list or mapping as written. */
  | { readonly kind: 'entry'; readonly row: number }
  /** `row` takes a part of it: an index, an element. */
  | { readonly kind: 'part'; readonly row: number }
  /** `row` is it, perhaps: a conditional, a cast. */
  | { readonly kind: 'same'; readonly row: number }
  /** The place, or the value, of the assignment `row`. */
  | { readonly kind: 'place' | 'stored'; readonly row: number }
  /** `row` is a member of it. */
  | { readonly kind: 'receiver'; readonly row: number }
  | { readonly kind: 'decorator'; readonly decl: number; readonly index: number };

export interface Uses {
  readonly of: ReadonlyMap<number, readonly Use[]>;
  /** The row of each lambda and anonymous class. */
  readonly closures: ReadonlyMap<number, number>;
  /** Rows of assignments to places. */
  readonly stores: readonly number[];
}

const memo = new WeakMap<Summary, Uses>();

export function usesIn(summary: Summary): Uses {
  let uses = memo.get(summary);
  if (uses === undefined) memo.set(summary, (uses = collect(summary)));
  return uses;
}

export const usesOf = (summary: Summary, row: number): readonly Use[] => usesIn(summary).of.get(row) ?? [];

function collect(summary: Summary): Uses {
  const { exprs, decls } = summary;
  const of = new Map<number, Use[]>();
  const closures = new Map<number, number>();
  const stores: number[] = [];
  const note = (row: number, use: Use): void => {
    if (row < 0) return;
    const known = of.get(row);
    if (known === undefined) of.set(row, [use]);
    else known.push(use);
  };
  for (let row = 0; row < exprs.count; row++) {
    const a = exprs.a[row] as number;
    const b = exprs.b[row] as number;
    switch (exprs.op[row]) {
      case E.call:
      case E.new:
        note(a, { kind: 'callee', row });
        argumentsOf(summary, row).forEach(({ expr }, index) => note(expr, { kind: 'argument', row, index }));
        break;
      case E.applied:
        note(a, { kind: 'callee', row });
        break;
      case E.list:
      case E.dict:
        for (const entry of listAt(summary, b)) note(entry, { kind: 'entry', row });
        break;
      case E.index:
      case E.element:
      case E.nth:
        note(a, { kind: 'part', row });
        break;
      case E.await:
      case E.cast:
        note(a, { kind: 'same', row });
        break;
      case E.union:
        for (const side of listAt(summary, b)) note(side, { kind: 'same', row });
        break;
      case E.member:
        note(a, { kind: 'receiver', row });
        break;
      case E.closure:
        closures.set(a, row);
        break;
      case E.store:
        note(a, { kind: 'place', row });
        note(b, { kind: 'stored', row });
        stores.push(row);
        break;
      default:
    }
  }
  for (let decl = 0; decl < decls.count; decl++) {
    listAt(summary, decls.decorators[decl] as number).forEach((row, index) =>
      note(row, { kind: 'decorator', decl, index }),
    );
    if (isFunctionLike(decls.kind[decl] as number))
      for (const part of listAt(summary, decls.parts[decl] as number)) note(part, { kind: 'result', decl });
    else note(decls.value[decl] as number, { kind: 'value', decl });
  }
  return { of, closures, stores };
}
