/**
 * The expressions of one file as others see them: what a row is, what it says, what it is made of
 * and what it is part of. Rows are numbers; the columns that they index are nobody else's.
 *
 *     for `store.put(1)`, row 2:   exprs.opOf(2) === E.call
 *                                  exprs.calleeOf(2)          the row of `put`
 *                                  exprs.argumentsOf(2)       [{ expr: the row of `1`, keyword: '' … }]
 *     and for the row of `put`:    exprs.nameOf(row) === 'put'
 *                                  exprs.baseOf(row)          the row of `store`
 *                                  exprs.callOf(row)          2
 *
 * Of a row that is none (-1) every question is answered by nothing that equals an answer.
 */
import { Parts, type Use } from './parts.js';
import type { DeclRow, ExprRow, NameRow, RowList, ScopeRow } from './rows.js';
import { E, LABEL, NO_PARAMETERS, R, REFERENCE, TYPE_ARGUMENT, type Argument, type SummaryColumns } from './summary.js';

const EMPTY = new Int32Array(0);

export class Expressions {
  readonly count: number;
  private readonly op: Uint8Array;
  private readonly role: Uint8Array;
  private readonly a: Int32Array;
  private readonly b: Int32Array;
  private readonly name: Int32Array;
  private readonly start: Int32Array;
  private readonly end: Int32Array;
  private readonly scope: Int32Array;
  private readonly names: readonly string[];
  private readonly items: Int32Array;
  /** Not a plain field: two files are equal whether or not one was asked what its rows are part of. */
  #parts: Parts | undefined;

  constructor(private readonly columns: SummaryColumns) {
    const { exprs, names, items } = columns;
    this.names = names;
    this.items = items;
    this.count = exprs.count;
    this.op = exprs.op;
    this.role = exprs.role;
    this.a = exprs.a;
    this.b = exprs.b;
    this.name = exprs.name;
    this.start = exprs.start;
    this.end = exprs.end;
    this.scope = exprs.scope;
  }

  // What a row is and says.

  /** One of {@link E}. */
  opOf(row: ExprRow): number {
    return this.op[row] as number;
  }
  /** One of {@link R}. */
  roleOf(row: ExprRow): number {
    return this.role[row] as number;
  }
  /** The identifier, operator or sort of literal that it says; '' for none. */
  nameOf(row: ExprRow): string {
    return this.names[this.name[row] as number] ?? '';
  }
  /** The same as a number: 0 for none. */
  nameIdOf(row: ExprRow): NameRow {
    return this.name[row] as number;
  }
  /** Where it stands: the identifier alone for what says one, else the whole expression. */
  startOf(row: ExprRow): number {
    return this.start[row] as number;
  }
  endOf(row: ExprRow): number {
    return this.end[row] as number;
  }
  scopeOf(row: ExprRow): ScopeRow {
    return this.scope[row] as number;
  }

  // What it is made of.

  /** What a call, an object creation or an implied call calls. */
  calleeOf(row: ExprRow): ExprRow {
    return this.a[row] as number;
  }
  /** What a member is taken of, an index into, an initializer's object. */
  baseOf(row: ExprRow): ExprRow {
    return this.a[row] as number;
  }
  /**
   * What it is made from, by its only or first operand: the value that is awaited, cast, iterated. -1 for none,
   * also for what is made from a declaration (closures, injected names) or a list (keys of a mapping).
   */
  operandOf(row: ExprRow): ExprRow {
    const op = this.op[row];
    return op === E.closure || op === E.injected || op === E.dict ? -1 : (this.a[row] as number);
  }
  /** Its second operand: of an operator, the type of a cast, the value of a store. */
  secondOf(row: ExprRow): ExprRow {
    return this.b[row] as number;
  }
  /** The place that a store assigns to, and the value. */
  placeOf(row: ExprRow): ExprRow {
    return this.a[row] as number;
  }
  storedOf(row: ExprRow): ExprRow {
    return this.b[row] as number;
  }
  /** The type that a cast is to. */
  castTypeOf(row: ExprRow): ExprRow {
    return this.b[row] as number;
  }
  /** Which part `nth` takes, or the worth of an `int` literal that is an index; -1 where it is not said. */
  numberOf(row: ExprRow): number {
    return this.b[row] as number;
  }
  /** The declaration of a lambda, or of an anonymous class, or of the parameter that is injected. */
  closureOf(row: ExprRow): DeclRow {
    return this.a[row] as number;
  }
  /** Whether a member is the label of a `switch`. */
  isLabel(row: ExprRow): boolean {
    return this.b[row] === LABEL;
  }
  /** Whether a member is a method reference. */
  isReference(row: ExprRow): boolean {
    return this.b[row] === REFERENCE;
  }
  /**
   * Elements of a list, values of a mapping, indices, type arguments, sides of a union, parameters of a function type.
   */
  partsOf(row: ExprRow): RowList<ExprRow> {
    return this.listAt(this.b[row] as number);
  }
  /** Whether it has a list of parts at all: a function type whose parameters are not known has none. */
  hasParts(row: ExprRow): boolean {
    return (this.b[row] as number) >= 0;
  }
  /**
   * Keys of a mapping literal beside its values, -1 among them for what is spread in; empty where the extractor says
   * none.
   */
  keysOf(row: ExprRow): RowList<ExprRow> {
    return this.listAt(this.a[row] as number);
  }
  /**
   * Where a slice begins and ends, -1 for the end of what it is cut from, -2 for the place before; empty where they are
   * no plain numbers.
   */
  boundsOf(row: ExprRow): RowList<number> {
    return this.listAt(this.a[row] as number);
  }
  /** Arguments of a call or object creation, without its type arguments. */
  argumentsOf(row: ExprRow): Argument[] {
    const { items, names } = this;
    const at = this.b[row] as number;
    const out: Argument[] = [];
    const count = at < 0 ? 0 : (items[at] as number);
    for (let i = 0; i < count; i++) {
      const base = at + 1 + i * 3;
      const name = items[base + 1] as number;
      if (name === TYPE_ARGUMENT) break;
      out.push({
        expr: items[base] as number,
        keyword: name > 0 ? (names[name] as string) : '',
        spread: name === -1 ? 'list' : name === -2 ? 'keywords' : 'none',
        start: items[base + 2] as number,
      });
    }
    return out;
  }
  /** Rows of all that a call writes, values first, then type arguments. */
  passedTo(row: ExprRow): ExprRow[] {
    const { items } = this;
    const at = this.b[row] as number;
    const out: number[] = [];
    const count = at < 0 ? 0 : (items[at] as number);
    for (let i = 0; i < count; i++) out.push(items[at + 1 + i * 3] as number);
    return out;
  }
  /** Type arguments written in a call: `f<A, B>(x)`. */
  typeArgumentsOf(row: ExprRow): ExprRow[] {
    const { items } = this;
    const at = this.b[row] as number;
    const out: number[] = [];
    if (at < 0) return out;
    for (let i = (items[at] as number) - 1; i >= 0 && items[at + 2 + i * 3] === TYPE_ARGUMENT; i--)
      out.unshift(items[at + 1 + i * 3] as number);
    return out;
  }
  /**
   * Parameter types that a name in documentation is written with: `{@link #put(int)}`; undefined where it has no list
   * of them.
   */
  documentedTypesOf(row: ExprRow): readonly ExprRow[] | undefined {
    const b = this.b[row] as number;
    if (this.role[row] !== R.doc || b === -1) return undefined;
    return b === NO_PARAMETERS ? [] : [...this.listAt(b)];
  }

  // What it is part of.

  /** All that it is part of, and as what: expressions in their order, then declarations. */
  usesOf(row: ExprRow): Use[] {
    return this.parts.usesOf(row);
  }
  /** Expressions that it is part of, in their order. */
  wholesOf(row: ExprRow): readonly ExprRow[] {
    return this.parts.wholesOf(row);
  }
  /**
   * The first expression of an operator that is made from it by its first operand: the member taken of it, its `await`;
   * -1 for none.
   */
  wholeBy(row: ExprRow, op: number): ExprRow {
    for (const whole of this.parts.wholesOf(row)) if (this.op[whole] === op && this.a[whole] === row) return whole;
    return -1;
  }
  /** The call or object creation whose callee it is, with type arguments (`new Box<T>(…)`) or without; -1 for none. */
  callOf(row: ExprRow): ExprRow {
    for (const whole of this.parts.wholesOf(row)) {
      if (this.a[whole] !== row) continue;
      const op = this.op[whole];
      if (op === E.call || op === E.new) return whole;
      // `Box[int](x)`: the row of the class has the role of the whole.
      if (op === E.index && (this.role[whole] === R.type || this.role[row] === R.callee)) {
        const call = this.callOf(whole);
        if (call >= 0) return call;
      }
    }
    return -1;
  }
  /** Declarations whose value, type, result, base or decorator it is. */
  holdersOf(row: ExprRow): readonly DeclRow[] {
    return this.parts.holdersOf(row);
  }
  /** The row that stands for a lambda or an anonymous class where it is written. */
  rowOfClosure(decl: DeclRow): ExprRow | undefined {
    return this.parts.rowOfClosure(decl);
  }

  // All of some sort.

  /** Rows of ops name, member, initializer, string and injected that say an identifier, in their order. */
  named(id: NameRow): RowList<ExprRow> {
    const { refs, refStart } = this.columns;
    return id < 0 ? EMPTY : refs.subarray(refStart[id], refStart[id + 1]);
  }
  /** Rows of assignments to members and indexed places, in their order. */
  get stores(): readonly ExprRow[] {
    return this.parts.stores;
  }
  /** All rows of an operator, in their order. */
  ofOp(op: number): ExprRow[] {
    const out: number[] = [];
    for (let row = this.op.indexOf(op); row >= 0; row = this.op.indexOf(op, row + 1)) out.push(row);
    return out;
  }
  /** All rows that a span of the text holds as a whole, in their order. */
  within(start: number, end: number): ExprRow[] {
    const out: number[] = [];
    for (let row = 0; row < this.count; row++)
      if ((this.start[row] as number) >= start && (this.end[row] as number) <= end) out.push(row);
    return out;
  }

  private get parts(): Parts {
    return (this.#parts ??= new Parts(this.columns));
  }
  private listAt(at: number): RowList<ExprRow> {
    const { items } = this;
    return at < 0 ? EMPTY : items.subarray(at + 1, at + 1 + (items[at] as number));
  }
}
