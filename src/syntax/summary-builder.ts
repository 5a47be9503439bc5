/**
 * Collects the rows of a {@link Summary} while a language walks its tree.
 *
 * An extractor calls `scope`, `decl`, `expr` and the `…List` methods in any order and patches
 * declarations afterwards (`build.set(decl, 'type', expr)`); `finish` sorts the names, builds the
 * indexes and hashes the tokens of each block. One builder serves one file.
 */
import { hashText, RunningHash } from '../base/hash.js';
import { ERROR_KIND, EXTRA, kindOf, MISSING, type FlatTree } from './flat-tree.js';
import { D, E, F, isBlockKind, R, S, TYPE_ARGUMENT, type DeclKind, type ExportEntry, type ExprOp, type ImportEntry, type LanguageId, type Role, type Summary } from './summary.js';

/** A column that grows. */
class Column {
  data = new Int32Array(256);
  length = 0;
  push(value: number): void {
    if (this.length === this.data.length) {
      const grown = new Int32Array(this.data.length * 2);
      grown.set(this.data);
      this.data = grown;
    }
    this.data[this.length++] = value;
  }
  take(): Int32Array {
    return this.data.slice(0, this.length);
  }
}

const DECL_COLUMNS = ['kind', 'flags', 'name', 'nameStart', 'start', 'end', 'bodyStart', 'scope', 'inner', 'parent', 'type', 'value', 'params', 'parts', 'decorators', 'typeParams'] as const;
const EXPR_COLUMNS = ['op', 'role', 'a', 'b', 'name', 'start', 'end', 'scope'] as const;
type DeclColumn = (typeof DECL_COLUMNS)[number];

/** What `decl` needs; the rest starts as -1 and can be set later. */
export interface NewDecl {
  readonly kind: DeclKind;
  readonly name: string;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly scope: number;
  /** Enclosing block, -1 at module level. */
  readonly parent: number;
  readonly flags?: number;
  readonly bodyStart?: number;
  readonly type?: number;
  readonly value?: number;
}

/** One argument for `argumentList`. */
export interface NewArgument {
  readonly expr: number;
  readonly keyword?: string;
  readonly spread?: 'list' | 'keywords';
  readonly start: number;
}

export class SummaryBuilder {
  readonly text: string;
  package = '';
  isModule = true;
  private readonly nameRows = new Map<string, number>([['', 0]]);
  private readonly nameList: string[] = [''];
  private readonly decls = columns(DECL_COLUMNS);
  private readonly exprs = columns(EXPR_COLUMNS);
  private readonly scopes = columns(['kind', 'parent', 'owner', 'block'] as const);
  private readonly items = new Column();
  private readonly imports: ImportEntry[] = [];
  private readonly exports: ExportEntry[] = [];
  private readonly dynamic = new Column();
  /** Spans whose tokens count for no hash: docstrings, import statements. */
  private readonly unhashed: { start: number; end: number }[] = [];

  /** Starts with the module scope, row 0. */
  constructor(readonly tree: FlatTree) {
    this.text = tree.text;
    this.scope(S.module, -1, -1, -1);
  }

  /** Row of an identifier. Names starting with `@` (C#) or `#` must be given as other references spell them. */
  name(text: string): number {
    let row = this.nameRows.get(text);
    if (row === undefined) {
      row = this.nameList.length;
      this.nameRows.set(text, row);
      this.nameList.push(text);
    }
    return row;
  }

  /** Opens a scope. `owner`: the declaration whose scope it is, or that of the scope around; `block`: the innermost block. */
  scope(kind: (typeof S)[keyof typeof S], parent: number, owner: number, block: number): number {
    const c = this.scopes;
    c.kind.push(kind);
    c.parent.push(parent);
    c.owner.push(owner);
    c.block.push(block);
    return c.kind.length - 1;
  }

  scopeKind(scope: number): number {
    return this.scopes.kind.data[scope] as number;
  }
  scopeParent(scope: number): number {
    return this.scopes.parent.data[scope] as number;
  }
  scopeOwner(scope: number): number {
    return this.scopes.owner.data[scope] as number;
  }
  scopeBlock(scope: number): number {
    return this.scopes.block.data[scope] as number;
  }

  /** Adds a declaration and gives its row. */
  decl(d: NewDecl): number {
    const c = this.decls;
    c.kind.push(d.kind);
    c.flags.push(d.flags ?? 0);
    c.name.push(this.name(d.name));
    c.nameStart.push(d.nameStart);
    c.start.push(d.start);
    c.end.push(d.end);
    c.bodyStart.push(d.bodyStart ?? d.end);
    c.scope.push(d.scope);
    c.inner.push(-1);
    c.parent.push(d.parent);
    c.type.push(d.type ?? -1);
    c.value.push(d.value ?? -1);
    c.params.push(-1);
    c.parts.push(-1);
    c.decorators.push(-1);
    c.typeParams.push(-1);
    return c.kind.length - 1;
  }

  /** Sets one column of a declaration: lists come from `list`. */
  set(decl: number, column: Exclude<DeclColumn, 'name'>, value: number): void {
    this.decls[column].data[decl] = value;
  }
  get(decl: number, column: DeclColumn): number {
    return this.decls[column].data[decl] as number;
  }
  addFlags(decl: number, flags: number): void {
    this.decls.flags.data[decl] = (this.decls.flags.data[decl] as number) | flags;
  }
  declCount(): number {
    return this.decls.kind.length;
  }
  declName(decl: number): string {
    return this.nameList[this.decls.name.data[decl] as number] as string;
  }

  /** Declarations of a name in a scope so far, oldest first: for reassigned names and fields assigned twice. Scans back from the newest. */
  findDecl(scope: number, name: string): number {
    const row = this.nameRows.get(name);
    if (row === undefined) return -1;
    const { scope: scopes, name: names } = this.decls;
    for (let d = scopes.length - 1; d >= 0; d--) if (scopes.data[d] === scope && names.data[d] === row) return d;
    return -1;
  }

  /** Adds an expression and gives its row. `name` is text; '' for none. */
  expr(op: ExprOp, start: number, end: number, scope: number, name = '', a = -1, b = -1, role: Role = R.read): number {
    const c = this.exprs;
    c.op.push(op);
    c.role.push(role);
    c.a.push(a);
    c.b.push(b);
    c.name.push(name === '' ? 0 : this.name(name));
    c.start.push(start);
    c.end.push(end);
    c.scope.push(scope);
    return c.op.length - 1;
  }

  exprOp(expr: number): number {
    return this.exprs.op.data[expr] as number;
  }
  exprName(expr: number): string {
    return this.nameList[this.exprs.name.data[expr] as number] as string;
  }
  exprRole(expr: number): number {
    return this.exprs.role.data[expr] as number;
  }
  exprA(expr: number): number {
    return this.exprs.a.data[expr] as number;
  }
  setRole(expr: number, role: Role): void {
    if (expr >= 0) this.exprs.role.data[expr] = role;
  }

  /** Stores a plain list of rows; -1 for an empty one. */
  list(rows: readonly number[]): number {
    if (rows.length === 0) return -1;
    const at = this.items.length;
    this.items.push(rows.length);
    for (const row of rows) this.items.push(row);
    return at;
  }

  /** Stores the arguments of a call, and its type arguments. Never -1: a call without arguments has an empty list. */
  argumentList(args: readonly NewArgument[], types: readonly number[] = []): number {
    const at = this.items.length;
    this.items.push(args.length + types.length);
    for (const arg of args) {
      this.items.push(arg.expr);
      this.items.push(arg.spread === 'list' ? -1 : arg.spread === 'keywords' ? -2 : arg.keyword !== undefined && arg.keyword !== '' ? this.name(arg.keyword) : 0);
      this.items.push(arg.start);
    }
    for (const type of types) {
      this.items.push(type);
      this.items.push(TYPE_ARGUMENT);
      this.items.push(0);
    }
    this.argumentLists.push(at);
    return at;
  }
  private readonly argumentLists: number[] = [];

  import(entry: ImportEntry): void {
    this.imports.push(entry);
    this.unhash(entry.statementStart, entry.statementEnd);
  }
  export(entry: ExportEntry): void {
    this.exports.push(entry);
  }
  /** Marks an expression that hides references from analysis (`getattr(x, name)`, `eval`, reflection). */
  undecidable(expr: number): void {
    this.dynamic.push(expr);
  }
  /** Tokens of this span are no code for change detection: docstrings, import statements. */
  unhash(start: number, end: number): void {
    const last = this.unhashed[this.unhashed.length - 1];
    if (last === undefined || last.start !== start) this.unhashed.push({ start, end });
  }

  /** The summary. `insignificant`: one-character tokens that change nothing in this language (`;` where it is optional). */
  finish(language: LanguageId, insignificant = ''): Summary {
    const order = this.sortNames();
    const decls = {
      count: this.decls.kind.length,
      kind: Uint8Array.from(this.decls.kind.take()), flags: this.decls.flags.take(), name: this.decls.name.take(), nameStart: this.decls.nameStart.take(),
      start: this.decls.start.take(), end: this.decls.end.take(), bodyStart: this.decls.bodyStart.take(), scope: this.decls.scope.take(), inner: this.decls.inner.take(),
      parent: this.decls.parent.take(), type: this.decls.type.take(), value: this.decls.value.take(), params: this.decls.params.take(), parts: this.decls.parts.take(),
      decorators: this.decls.decorators.take(), typeParams: this.decls.typeParams.take(),
      headerHash: new Float64Array(this.decls.kind.length), bodyHash: new Float64Array(this.decls.kind.length),
    };
    const exprs = {
      count: this.exprs.op.length,
      op: Uint8Array.from(this.exprs.op.take()), role: Uint8Array.from(this.exprs.role.take()), a: this.exprs.a.take(), b: this.exprs.b.take(),
      name: this.exprs.name.take(), start: this.exprs.start.take(), end: this.exprs.end.take(), scope: this.exprs.scope.take(),
    };
    const names = order.map((row) => this.nameList[row] as string);
    const moduleHash = hashBlocks(this.tree, decls, this.unhashed, insignificant);
    return {
      language, hash: hashText(this.text), textLength: this.text.length, lineStarts: lineStartsOf(this.text), names,
      scopes: { count: this.scopes.kind.length, kind: Uint8Array.from(this.scopes.kind.take()), parent: this.scopes.parent.take(), owner: this.scopes.owner.take(), block: this.scopes.block.take() },
      decls, exprs, items: this.items.take(), imports: this.imports, exports: this.exports, package: this.package, isModule: this.isModule, moduleHash,
      errors: errorSpans(this.tree), dynamic: this.dynamic.take(),
      ...indexByName(names.length, exprs.count, (row) => (isNamedOp(exprs.op[row] as number) ? (exprs.name[row] as number) : 0), 'refStart', 'refs'),
      ...indexByName(names.length, decls.count, (row) => decls.name[row] as number, 'declStart', 'declsByName'),
      declsByScope: Uint32Array.from({ length: decls.count }, (_, i) => i).sort((x, y) => (decls.scope[x] as number) - (decls.scope[y] as number) || (decls.name[x] as number) - (decls.name[y] as number) || x - y),
    };
  }

  /** Sorts the names and rewrites every column that holds one; gives the old rows in the new order. */
  private sortNames(): number[] {
    const list = this.nameList;
    const order = list.map((_, i) => i).sort((x, y) => ((list[x] as string) < (list[y] as string) ? -1 : 1));
    const moved = new Int32Array(list.length);
    order.forEach((row, i) => (moved[row] = i));
    for (const column of [this.decls.name, this.exprs.name]) for (let i = 0; i < column.length; i++) column.data[i] = moved[column.data[i] as number] as number;
    for (const at of this.argumentLists) {
      const count = this.items.data[at] as number;
      for (let i = 0; i < count; i++) {
        const slot = at + 2 + i * 3;
        const name = this.items.data[slot] as number;
        if (name > 0) this.items.data[slot] = moved[name] as number;
      }
    }
    return order;
  }
}

function columns<K extends string>(names: readonly K[]): Record<K, Column> {
  return Object.fromEntries(names.map((name) => [name, new Column()])) as Record<K, Column>;
}

const isNamedOp = (op: number): boolean => op === E.name || op === E.member || op === E.initializer || op === E.string;

/** Rows grouped by name, as offsets and one array (compressed sparse rows); name 0 is left out. */
function indexByName<A extends string, B extends string>(nameCount: number, rowCount: number, nameOfRow: (row: number) => number, startKey: A, rowsKey: B): Record<A | B, Uint32Array> {
  const start = new Uint32Array(nameCount + 1);
  let total = 0;
  for (let row = 0; row < rowCount; row++) {
    const name = nameOfRow(row);
    if (name === 0) continue;
    start[name + 1] = (start[name + 1] as number) + 1;
    total++;
  }
  for (let n = 0; n < nameCount; n++) start[n + 1] = (start[n + 1] as number) + (start[n] as number);
  const fill = start.slice();
  const rows = new Uint32Array(total);
  for (let row = 0; row < rowCount; row++) {
    const name = nameOfRow(row);
    if (name === 0) continue;
    const at = fill[name] as number;
    rows[at] = row;
    fill[name] = at + 1;
  }
  return { [startKey]: start, [rowsKey]: rows } as Record<A | B, Uint32Array>;
}

export function lineStartsOf(text: string): Uint32Array {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return Uint32Array.from(starts);
}

function errorSpans(tree: FlatTree): Int32Array {
  const spans: number[] = [];
  for (let i = 0; i < tree.length; ) {
    if (tree.kind[i] === ERROR_KIND || ((tree.flags[i] as number) & MISSING) !== 0) {
      spans.push(tree.start[i] as number, tree.end[i] as number);
      i = tree.skip[i] as number;
    } else i++;
  }
  return Int32Array.from(spans);
}

interface HashedDecls {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly bodyStart: Int32Array;
  readonly flags: Int32Array;
  readonly headerHash: Float64Array;
  readonly bodyHash: Float64Array;
}

interface OpenBlock {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** Depth in the tree of the first token of the header and of the body; -1 before that. */
  headerDepth: number;
  bodyDepth: number;
  /** Whether the node that is the whole body has gone by. */
  inBody: boolean;
  readonly header: RunningHash;
  readonly body: RunningHash;
}

/**
 * Hashes each block's tokens and the shape of its tree, nested blocks left out. White space,
 * comments, trailing commas, optional semicolons and excluded spans do not count; the shape does,
 * so that a statement that leaves an `if` by its indentation alone is a change.
 * Gives the hash of what belongs to no block.
 */
function hashBlocks(tree: FlatTree, decls: HashedDecls, unhashed: readonly { start: number; end: number }[], insignificant: string): number {
  const blocks: number[] = [];
  for (let d = 0; d < decls.count; d++) {
    const kind = decls.kind[d] as number;
    if (isBlockKind(kind) && kind !== D.namespace && ((decls.flags[d] as number) & (F.reassigned | F.parameterField)) === 0) blocks.push(d);
  }
  blocks.sort((x, y) => (decls.start[x] as number) - (decls.start[y] as number) || (decls.end[y] as number) - (decls.end[x] as number) || x - y);
  const excluded = [...unhashed].sort((x, y) => x.start - y.start);
  const moduleHash = new RunningHash();
  const depth = new Uint16Array(tree.length);
  const stack: OpenBlock[] = [];
  let nextBlock = 0;
  let nextExcluded = 0;
  const close = (): void => {
    const done = stack.pop() as OpenBlock;
    decls.headerHash[done.row] = done.header.value();
    decls.bodyHash[done.row] = done.body.value();
  };
  for (let i = 1; i < tree.length; i++) {
    const start = tree.start[i] as number;
    const end = tree.end[i] as number;
    depth[i] = (depth[tree.parent[i] as number] as number) + 1;
    if (start === end) continue;
    while (nextExcluded < excluded.length && (excluded[nextExcluded] as { end: number }).end <= start) nextExcluded++;
    const skipped = excluded[nextExcluded];
    if (skipped !== undefined && start >= skipped.start && end <= skipped.end) {
      i = (tree.skip[i] as number) - 1;
      continue;
    }
    if (((tree.flags[i] as number) & EXTRA) !== 0 && kindOf(tree, i).includes('comment')) {
      i = (tree.skip[i] as number) - 1;
      continue;
    }
    while (stack.length > 0 && start >= (stack[stack.length - 1] as OpenBlock).end) close();
    while (nextBlock < blocks.length && start >= (decls.start[blocks[nextBlock] as number] as number)) {
      const row = blocks[nextBlock++] as number;
      const bodyStart = decls.bodyStart[row] as number;
      stack.push({ row, start: decls.start[row] as number, end: decls.end[row] as number, bodyStart, headerDepth: -1, bodyDepth: -1, inBody: false, header: new RunningHash(), body: new RunningHash() });
      while (stack.length > 1 && (stack[stack.length - 2] as OpenBlock).end <= start) stack.splice(stack.length - 2, 1).forEach((done) => {
        decls.headerHash[done.row] = done.header.value();
        decls.bodyHash[done.row] = done.body.value();
      });
    }
    const top = stack[stack.length - 1];
    const hash = top === undefined ? moduleHash : start >= top.bodyStart ? top.body : top.header;
    const leaf = tree.skip[i] === i + 1;
    if (!leaf) {
      // The shape, but only of nodes that lie within the block's own part: a wrapper of several
      // blocks says nothing of its own. Nor does what spans the whole block, nor the body's own
      // node: the body of a class with one member begins and ends where that member does.
      if (top === undefined || end > top.end) continue;
      const isBody = !top.inBody && start === top.bodyStart && end === top.end;
      if (isBody) top.inBody = true;
      else if (start !== top.start || end !== top.end) hash.word(tree.kind[i] as number);
      continue;
    }
    if (end - start === 1) {
      const c = tree.text.charCodeAt(start);
      if (insignificant.includes(tree.text[start] as string)) continue;
      if (c === 0x2c /* , */ && closesAfter(tree.text, end)) continue;
    }
    hash.token(tree.text, start, end);
    if (top !== undefined) {
      // Relative to the first token, so that it does not matter what surrounds the part.
      const own = depth[i] as number;
      if (start >= top.bodyStart) {
        if (top.bodyDepth === -1) top.bodyDepth = own;
        hash.word(own - top.bodyDepth);
      } else {
        if (top.headerDepth === -1) top.headerDepth = own;
        hash.word(own - top.headerDepth);
      }
    }
  }
  while (stack.length > 0) close();
  return moduleHash.value();
}

function closesAfter(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 32 || c === 10 || c === 13 || c === 9) continue;
    return c === 0x29 || c === 0x5d || c === 0x7d;
  }
  return false;
}
