/**
 * The declarations of one file as others see them: blocks, locals, parameters and import bindings.
 *
 *     for `def put(self, key=1):`   decls.kindOf(decl) === D.method
 *                                   decls.nameOf(decl) === 'put'
 *                                   decls.has(decl, F.async)
 *                                   decls.paramsOf(decl)       rows of `self` and `key`
 *                                   decls.pathOf(decl)         'Store.put'
 */
import type { DeclRow, ExprRow, NameRow, RowList, ScopeRow } from './rows.js';
import type { SummaryColumns } from './summary.js';

const EMPTY = new Int32Array(0);

export class Declarations {
  readonly count: number;
  private readonly kind: Uint8Array;
  private readonly flags: Int32Array;
  private readonly name: Int32Array;
  private readonly nameStart: Int32Array;
  private readonly start: Int32Array;
  private readonly end: Int32Array;
  private readonly bodyStart: Int32Array;
  private readonly scope: Int32Array;
  private readonly inner: Int32Array;
  private readonly parent: Int32Array;
  private readonly type: Int32Array;
  private readonly value: Int32Array;
  private readonly params: Int32Array;
  private readonly parts: Int32Array;
  private readonly decorators: Int32Array;
  private readonly typeParams: Int32Array;
  private readonly headerHash: Float64Array;
  private readonly bodyHash: Float64Array;
  private readonly names: readonly string[];
  private readonly items: Int32Array;

  constructor(private readonly columns: SummaryColumns) {
    const { decls, names, items } = columns;
    this.names = names;
    this.items = items;
    this.count = decls.count;
    this.kind = decls.kind;
    this.flags = decls.flags;
    this.name = decls.name;
    this.nameStart = decls.nameStart;
    this.start = decls.start;
    this.end = decls.end;
    this.bodyStart = decls.bodyStart;
    this.scope = decls.scope;
    this.inner = decls.inner;
    this.parent = decls.parent;
    this.type = decls.type;
    this.value = decls.value;
    this.params = decls.params;
    this.parts = decls.parts;
    this.decorators = decls.decorators;
    this.typeParams = decls.typeParams;
    this.headerHash = decls.headerHash;
    this.bodyHash = decls.bodyHash;
  }

  /** One of {@link D}. */
  kindOf(decl: DeclRow): number {
    return this.kind[decl] as number;
  }
  /** All its bits of {@link F}. */
  flagsOf(decl: DeclRow): number {
    return this.flags[decl] as number;
  }
  /** Whether it has any of the bits. */
  has(decl: DeclRow, flags: number): boolean {
    return ((this.flags[decl] as number) & flags) !== 0;
  }
  nameOf(decl: DeclRow): string {
    return this.names[this.name[decl] as number] as string;
  }
  /** Its name as a number: 0 for none. */
  nameIdOf(decl: DeclRow): NameRow {
    return this.name[decl] as number;
  }
  /**
   * Dotted path of nested blocks, `Outer.inner`; `<module>` for -1. Constructors are spelled as the extractor names
   * them.
   */
  pathOf(decl: DeclRow): string {
    if (decl < 0) return '<module>';
    const parent = this.parent[decl] as number;
    return parent < 0 ? this.nameOf(decl) : `${this.pathOf(parent)}.${this.nameOf(decl)}`;
  }

  /** Offset of its name; -1 for what has none. */
  nameStartOf(decl: DeclRow): number {
    return this.nameStart[decl] as number;
  }
  /** The whole of it: modifiers, decorators and `export` included, comments above not. */
  startOf(decl: DeclRow): number {
    return this.start[decl] as number;
  }
  endOf(decl: DeclRow): number {
    return this.end[decl] as number;
  }
  /** Where the body begins; equal to the end for no body. */
  bodyStartOf(decl: DeclRow): number {
    return this.bodyStart[decl] as number;
  }

  /** The scope in which its name is declared. */
  scopeOf(decl: DeclRow): ScopeRow {
    return this.scope[decl] as number;
  }
  /** The scope that it opens, -1 for none. */
  innerOf(decl: DeclRow): ScopeRow {
    return this.inner[decl] as number;
  }
  /** The enclosing block, -1 at module level. Namespaces are no parents. */
  parentOf(decl: DeclRow): DeclRow {
    return this.parent[decl] as number;
  }

  /** Declared type, return type, or aliased type; -1 for none. */
  typeOf(decl: DeclRow): ExprRow {
    return this.type[decl] as number;
  }
  /** Initial value or default; -1 for none. */
  valueOf(decl: DeclRow): ExprRow {
    return this.value[decl] as number;
  }
  /** Parameters, receivers included; the components of a record or primary constructor. */
  paramsOf(decl: DeclRow): RowList<DeclRow> {
    return this.listAt(this.params[decl] as number);
  }
  /** Whether it writes a list of parameters at all. */
  hasParams(decl: DeclRow): boolean {
    return (this.params[decl] as number) >= 0;
  }
  /** Of a class the bases. */
  basesOf(decl: DeclRow): RowList<ExprRow> {
    return this.listAt(this.parts[decl] as number);
  }
  /** Of a function what it returns, or yields. */
  resultsOf(decl: DeclRow): RowList<ExprRow> {
    return this.listAt(this.parts[decl] as number);
  }
  decoratorsOf(decl: DeclRow): RowList<ExprRow> {
    return this.listAt(this.decorators[decl] as number);
  }
  typeParamsOf(decl: DeclRow): RowList<DeclRow> {
    return this.listAt(this.typeParams[decl] as number);
  }

  /** Hash of the header's tokens: comments, blanks, docstrings and trailing commas do not count. */
  headerHashOf(decl: DeclRow): number {
    return this.headerHash[decl] as number;
  }
  /** Hash of the body's tokens outside nested blocks. */
  bodyHashOf(decl: DeclRow): number {
    return this.bodyHash[decl] as number;
  }

  /** Declarations of a name anywhere in the file, in order of appearance. */
  named(id: NameRow): RowList<DeclRow> {
    const { declsByName, declStart } = this.columns;
    return id < 0 ? EMPTY : declsByName.subarray(declStart[id], declStart[id + 1]);
  }
  /** Whether the file declares the name anywhere. */
  declares(id: NameRow): boolean {
    const { declStart } = this.columns;
    return id >= 0 && (declStart[id] as number) < (declStart[id + 1] as number);
  }
  /** Declarations of a name in a scope, in order of appearance. */
  inScope(scope: ScopeRow, id: NameRow): RowList<DeclRow> {
    const { declsByScope } = this.columns;
    const low = this.firstAt(scope, id);
    let end = low;
    while (end < declsByScope.length) {
      const row = declsByScope[end] as number;
      if (this.scope[row] !== scope || this.name[row] !== id) break;
      end++;
    }
    return declsByScope.subarray(low, end);
  }
  /** All declarations of a scope, sorted by name. */
  allInScope(scope: ScopeRow): RowList<DeclRow> {
    const { declsByScope } = this.columns;
    const low = this.firstAt(scope, 0);
    let end = low;
    while (end < declsByScope.length && this.scope[declsByScope[end] as number] === scope) end++;
    return declsByScope.subarray(low, end);
  }

  /** Where the declarations of a scope that are called so, or anything behind it, begin in the index. */
  private firstAt(scope: number, id: number): number {
    const { declsByScope } = this.columns;
    let low = 0;
    let high = declsByScope.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = declsByScope[middle] as number;
      const at = this.scope[row] as number;
      if (at < scope || (at === scope && (this.name[row] as number) < id)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  private listAt(at: number): RowList<number> {
    const { items } = this;
    return at < 0 ? EMPTY : items.subarray(at + 1, at + 1 + (items[at] as number));
  }
}
