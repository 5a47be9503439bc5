/**
 * What each expression is part of: the one answer to "which call, whose argument, whose value".
 *
 * The columns lead down, from a call to its callee and arguments, from a declaration to its value;
 * this leads up. It is made for a file when it is first asked for and costs one number a row. Most
 * rows are part of one thing; what a loop runs over is also what its elements come from, and the
 * few such rows have a list.
 *
 *     first   for each row: the expression it is part of, or the declaration d as -2 - d, or -1
 *     more    all of them, for the rows that are part of several
 */
import type { DeclRow, ExprRow } from './rows.js';
import { E, isFunctionLike, R, TYPE_ARGUMENT, type SummaryColumns } from './summary.js';

/** What a row is to the expression `row`, or to the declaration `decl`, that it is part of. */
export type Use =
  /** `row` calls it: a call, an object creation, an implied call. */
  | { readonly kind: 'callee'; readonly row: ExprRow }
  | { readonly kind: 'argument' | 'typeArgument'; readonly row: ExprRow; readonly index: number }
  /** An entry of a list or mapping as written, or the key of one. */
  | { readonly kind: 'entry' | 'key'; readonly row: ExprRow }
  /** `row` takes a part of it: an index, an element. */
  | { readonly kind: 'part'; readonly row: ExprRow }
  /** What `row` takes a part by: the index itself, or a type argument. */
  | { readonly kind: 'subscript'; readonly row: ExprRow }
  /** `row` is it, perhaps: a conditional, a cast. */
  | { readonly kind: 'same'; readonly row: ExprRow }
  /** The place, or the value, of the assignment `row`. */
  | { readonly kind: 'place' | 'stored'; readonly row: ExprRow }
  /** `row` is a member of it. */
  | { readonly kind: 'receiver'; readonly row: ExprRow }
  | { readonly kind: 'operand'; readonly row: ExprRow }
  /** A part of a type, or of something that has no word here. */
  | { readonly kind: 'component'; readonly row: ExprRow }
  /** Initial value, or default, of a declaration. */
  | { readonly kind: 'value'; readonly decl: DeclRow }
  /** Its declared type. */
  | { readonly kind: 'type'; readonly decl: DeclRow }
  /** The declared type of the variable that holds the function `decl`. */
  | { readonly kind: 'held'; readonly decl: DeclRow }
  /** Returned or yielded by a function. */
  | { readonly kind: 'result'; readonly decl: DeclRow }
  /** In a class's list of bases. */
  | { readonly kind: 'base'; readonly decl: DeclRow }
  | { readonly kind: 'decorator'; readonly decl: DeclRow; readonly index: number };

export class Parts {
  private readonly first: Int32Array;
  private readonly more = new Map<number, number[]>();
  /** The row of each lambda and anonymous class. */
  private readonly closures = new Map<number, number>();
  /** Rows of assignments to places. */
  readonly stores: readonly ExprRow[];

  constructor(private readonly columns: SummaryColumns) {
    const { exprs, decls } = columns;
    this.first = new Int32Array(exprs.count).fill(-1);
    const stores: ExprRow[] = [];
    for (let row = 0; row < exprs.count; row++) {
      const op = exprs.op[row];
      if (op === E.closure) this.closures.set(exprs.a[row] as number, row);
      if (op === E.store) stores.push(row);
      eachPart(columns, row, (part) => this.note(part, row));
    }
    this.stores = stores;
    for (let decl = 0; decl < decls.count; decl++) {
      const note = (part: number): void => this.note(part, -2 - decl);
      eachOf(columns.items, decls.decorators[decl] as number, note);
      eachOf(columns.items, decls.parts[decl] as number, note);
      note(decls.value[decl] as number);
      note(decls.type[decl] as number);
    }
  }

  /** The row that stands for a lambda or an anonymous class where it is written. */
  rowOfClosure(decl: DeclRow): ExprRow | undefined {
    return this.closures.get(decl);
  }

  /** All that a row is part of: expressions in their order, then declarations. */
  usesOf(row: ExprRow): Use[] {
    return this.wholes(row).map((whole) => (whole >= 0 ? this.inExpr(row, whole) : this.ofDecl(row, -2 - whole)));
  }

  /** Expressions that a row is part of, in their order. */
  wholesOf(row: ExprRow): readonly ExprRow[] {
    return this.wholes(row).filter((whole) => whole >= 0);
  }

  /** Declarations whose value, type, result, base or decorator a row is. */
  holdersOf(row: ExprRow): readonly DeclRow[] {
    return this.wholes(row).flatMap((whole) => (whole < -1 ? [-2 - whole] : []));
  }

  private wholes(row: number): readonly number[] {
    const several = this.more.get(row);
    if (several !== undefined) return several;
    const whole = this.first[row] ?? -1;
    return whole === -1 ? [] : [whole];
  }

  private note(part: number, whole: number): void {
    if (part < 0) return;
    const first = this.first[part] as number;
    if (first === -1) {
      this.first[part] = whole;
      return;
    }
    const several = this.more.get(part);
    if (several === undefined) {
      if (first !== whole) this.more.set(part, [first, whole]);
    } else if (several.at(-1) !== whole) several.push(whole);
  }

  private inExpr(part: number, row: number): Use {
    const { exprs, items } = this.columns;
    const isFirst = exprs.a[row] === part;
    switch (exprs.op[row]) {
      case E.call:
      case E.new:
        return isFirst ? { kind: 'callee', row } : argumentUse(items, exprs.b[row] as number, part, row);
      case E.applied:
        return { kind: 'callee', row };
      case E.list:
        return { kind: 'entry', row };
      case E.dict:
        return { kind: contains(items, exprs.b[row] as number, part) ? 'entry' : 'key', row };
      case E.index:
        return { kind: isFirst ? 'part' : 'subscript', row };
      case E.element:
      case E.nth:
        return { kind: 'part', row };
      case E.cast:
        return { kind: isFirst ? 'same' : 'component', row };
      case E.await:
      case E.union:
        return { kind: 'same', row };
      case E.member:
        return { kind: isFirst ? 'receiver' : 'component', row };
      case E.store:
        return { kind: isFirst ? 'place' : 'stored', row };
      case E.operator:
        return { kind: 'operand', row };
      default:
        return { kind: 'component', row };
    }
  }

  private ofDecl(part: number, decl: number): Use {
    const { decls, exprs, items } = this.columns;
    const index = indexIn(items, decls.decorators[decl] as number, part);
    if (index >= 0) return { kind: 'decorator', decl, index };
    const isFunction = isFunctionLike(decls.kind[decl] as number);
    if (contains(items, decls.parts[decl] as number, part)) return { kind: isFunction ? 'result' : 'base', decl };
    if (decls.value[decl] !== part) return { kind: 'type', decl };
    // The element of an annotation has its default there.
    return { kind: isFunction && exprs.role[part] === R.type ? 'held' : 'value', decl };
  }
}

/** Which operators have a row in `a`, a row in `b`, a list of rows in `b`. */
const ROW_IN_A = new Uint8Array(64);
const ROW_IN_B = new Uint8Array(64);
const LIST_IN_B = new Uint8Array(64);
for (const op of [
  E.other,
  E.member,
  E.call,
  E.new,
  E.index,
  E.await,
  E.array,
  E.element,
  E.nth,
  E.enter,
  E.cast,
  E.functionType,
  E.operator,
  E.initializer,
  E.classOf,
  E.applied,
  E.store,
])
  ROW_IN_A[op] = 1;
for (const op of [E.cast, E.operator, E.store]) ROW_IN_B[op] = 1;
for (const op of [E.index, E.list, E.dict, E.union, E.functionType]) LIST_IN_B[op] = 1;

/** What a row is made of: the one place that knows what `a` and `b` lead to. */
function eachPart({ exprs, items }: SummaryColumns, row: number, visit: (part: number) => void): void {
  const op = exprs.op[row] as number;
  const b = exprs.b[row] as number;
  if (ROW_IN_A[op] === 1) visit(exprs.a[row] as number);
  else if (op === E.dict) eachOf(items, exprs.a[row] as number, visit);
  if (ROW_IN_B[op] === 1) visit(b);
  else if (LIST_IN_B[op] === 1) eachOf(items, b, visit);
  else if (op === E.call || op === E.new) {
    const count = b < 0 ? 0 : (items[b] as number);
    for (let i = 0; i < count; i++) visit(items[b + 1 + i * 3] as number);
  } else if (exprs.role[row] === R.doc && b >= 0) eachOf(items, b, visit);
}

function eachOf(items: Int32Array, at: number, visit: (part: number) => void): void {
  const count = at < 0 ? 0 : (items[at] as number);
  for (let i = 1; i <= count; i++) visit(items[at + i] as number);
}

function indexIn(items: Int32Array, at: number, part: number): number {
  const count = at < 0 ? 0 : (items[at] as number);
  for (let i = 0; i < count; i++) if (items[at + 1 + i] === part) return i;
  return -1;
}

const contains = (items: Int32Array, at: number, part: number): boolean => indexIn(items, at, part) >= 0;

/** An argument by its place among the arguments, a type argument by its place among those. */
function argumentUse(items: Int32Array, at: number, part: number, row: number): Use {
  const count = items[at] as number;
  let values = 0;
  for (let i = 0; i < count; i++) {
    const isType = items[at + 2 + i * 3] === TYPE_ARGUMENT;
    if (items[at + 1 + i * 3] === part)
      return isType ? { kind: 'typeArgument', row, index: i - values } : { kind: 'argument', row, index: i };
    if (!isType) values++;
  }
  return { kind: 'component', row };
}
