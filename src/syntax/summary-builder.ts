/**
 * Collects the rows of a {@link Summary} while a language walks its tree.
 *
 * An extractor calls `scope`, `decl`, `expr` and the `…List` methods in any order and patches
 * declarations afterwards (`build.set(decl, 'type', expr)`); `finish` sorts the names, builds the
 * indexes and hashes the tokens of each block. One builder serves one file, and a thread has one
 * at a time, as it has one flat tree.
 */
import { hashText } from '../base/hash.js';
import { hashBlocks } from './block-hashes.js';
import { grouped, List, Pack, Table } from './columns.js';
import { ERROR_KIND, MISSING, TOO_COSTLY, TOO_DEEP, type FlatTree } from './flat-tree.js';
import { NESTING_MOST } from './nesting.js';
import type { PathKind } from './paths.js';
import { Source } from './source.js';
import {
  E,
  NO_PARAMETERS,
  R,
  S,
  TYPE_ARGUMENT,
  type DeclColumns,
  type DeclKind,
  type ExportEntry,
  type ExprColumns,
  type ExprOp,
  type ImportEntry,
  type LanguageId,
  type Role,
  type ScopeColumns,
  type Summary,
  type Unread,
} from './summary.js';

const DECL_COLUMNS = [
  'kind',
  'flags',
  'name',
  'nameStart',
  'start',
  'end',
  'bodyStart',
  'scope',
  'inner',
  'parent',
  'type',
  'value',
  'params',
  'parts',
  'decorators',
  'typeParams',
] as const;
const EXPR_COLUMNS = ['op', 'role', 'a', 'b', 'name', 'start', 'end', 'scope'] as const;
const SCOPE_COLUMNS = ['kind', 'parent', 'owner', 'block'] as const;
type DeclColumn = (typeof DECL_COLUMNS)[number];

/** What the builder of the moment fills; the next one starts them anew. */
const DECLS = new Table(DECL_COLUMNS);
const EXPRS = new Table(EXPR_COLUMNS);
const SCOPES = new Table(SCOPE_COLUMNS);
/** For each declaration the one of the same name before it, or -1. */
const EARLIER = new List();
const ITEMS = new List();
const DYNAMIC = new List();
const PATHS = new List();
const LINES = new List();

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
  /** For each name its newest declaration. */
  private readonly newest: number[] = [];
  private readonly imports: ImportEntry[] = [];
  private readonly exports: ExportEntry[] = [];
  /** Spans whose tokens count for no hash: docstrings, import statements. */
  private readonly unhashed: { start: number; end: number }[] = [];

  /** Starts with the module scope, row 0. */
  constructor(readonly tree: FlatTree) {
    this.text = tree.text;
    for (const each of [DECLS, EXPRS, SCOPES, EARLIER, ITEMS, DYNAMIC, PATHS]) each.clear();
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

  /**
   * Opens a scope. `owner`: the declaration whose scope it is, or that of the scope around; `block`: the innermost
   * block.
   */
  scope(kind: (typeof S)[keyof typeof S], parent: number, owner: number, block: number): number {
    const row = SCOPES.add();
    const c = SCOPES.columns;
    c.kind[row] = kind;
    c.parent[row] = parent;
    c.owner[row] = owner;
    c.block[row] = block;
    return row;
  }

  scopeKind(scope: number): number {
    return SCOPES.columns.kind[scope] as number;
  }
  scopeParent(scope: number): number {
    return SCOPES.columns.parent[scope] as number;
  }
  scopeOwner(scope: number): number {
    return SCOPES.columns.owner[scope] as number;
  }
  scopeBlock(scope: number): number {
    return SCOPES.columns.block[scope] as number;
  }

  /** Adds a declaration and gives its row. */
  decl(d: NewDecl): number {
    const row = DECLS.add();
    const name = this.name(d.name);
    const c = DECLS.columns;
    c.kind[row] = d.kind;
    c.flags[row] = d.flags ?? 0;
    c.name[row] = name;
    c.nameStart[row] = d.nameStart;
    c.start[row] = d.start;
    c.end[row] = d.end;
    c.bodyStart[row] = d.bodyStart ?? d.end;
    c.scope[row] = d.scope;
    c.inner[row] = -1;
    c.parent[row] = d.parent;
    c.type[row] = d.type ?? -1;
    c.value[row] = d.value ?? -1;
    c.params[row] = -1;
    c.parts[row] = -1;
    c.decorators[row] = -1;
    c.typeParams[row] = -1;
    EARLIER.push(this.newest[name] ?? -1);
    this.newest[name] = row;
    return row;
  }

  /** Sets one column of a declaration: lists come from `list`. */
  set(decl: number, column: Exclude<DeclColumn, 'name'>, value: number): void {
    DECLS.columns[column][decl] = value;
  }
  get(decl: number, column: DeclColumn): number {
    return DECLS.columns[column][decl] as number;
  }
  addFlags(decl: number, flags: number): void {
    DECLS.columns.flags[decl] = (DECLS.columns.flags[decl] as number) | flags;
  }
  declCount(): number {
    return DECLS.count;
  }
  /** The module that an import binds to the name as a whole, as it is written. */
  moduleBoundTo(name: string): string | undefined {
    return this.imports.find(({ kind, decl }) => kind === 'module' && decl >= 0 && this.declName(decl) === name)
      ?.module;
  }
  declName(decl: number): string {
    return this.nameList[DECLS.columns.name[decl] as number] as string;
  }

  /** The newest declaration of a name in a scope, or -1: for reassigned names and fields assigned twice. */
  findDecl(scope: number, name: string): number {
    const row = this.nameRows.get(name);
    if (row === undefined) return -1;
    let decl = this.newest[row] ?? -1;
    while (decl >= 0 && DECLS.columns.scope[decl] !== scope) decl = EARLIER.data[decl] as number;
    return decl;
  }

  /** Adds an expression and gives its row. `name` is text; '' for none. */
  expr(op: ExprOp, start: number, end: number, scope: number, name = '', a = -1, b = -1, role: Role = R.read): number {
    const row = EXPRS.add();
    const c = EXPRS.columns;
    c.op[row] = op;
    c.role[row] = role;
    c.a[row] = a;
    c.b[row] = b;
    c.name[row] = name === '' ? 0 : this.name(name);
    c.start[row] = start;
    c.end[row] = end;
    c.scope[row] = scope;
    return row;
  }

  exprOp(expr: number): number {
    return EXPRS.columns.op[expr] as number;
  }
  exprName(expr: number): string {
    return this.nameList[EXPRS.columns.name[expr] as number] as string;
  }
  exprRole(expr: number): number {
    return EXPRS.columns.role[expr] as number;
  }
  exprA(expr: number): number {
    return EXPRS.columns.a[expr] as number;
  }
  exprB(expr: number): number {
    return EXPRS.columns.b[expr] as number;
  }
  /** The rows that a call gives, in order. */
  argumentsOf(call: number): readonly number[] {
    const at = this.exprB(call);
    return Array.from({ length: ITEMS.data[at] as number }, (_, i) => ITEMS.data[at + 1 + i * 3] as number);
  }
  setScope(expr: number, scope: number): void {
    EXPRS.columns.scope[expr] = scope;
  }
  setRole(expr: number, role: Role): void {
    if (expr >= 0) EXPRS.columns.role[expr] = role;
  }

  /** The parameter types that a name in documentation is written with. */
  setDocumentedTypes(expr: number, types: readonly number[]): void {
    if (expr >= 0) EXPRS.columns.b[expr] = types.length === 0 ? NO_PARAMETERS : this.list(types);
  }

  /** Stores a plain list of rows; -1 for an empty one. */
  list(rows: readonly number[]): number {
    if (rows.length === 0) return -1;
    const at = ITEMS.length;
    ITEMS.push(rows.length);
    for (const row of rows) ITEMS.push(row);
    return at;
  }

  /** Stores the arguments of a call, and its type arguments. Never -1: a call without arguments has an empty list. */
  argumentList(args: readonly NewArgument[], types: readonly number[] = []): number {
    const at = ITEMS.length;
    ITEMS.push(args.length + types.length);
    for (const arg of args) {
      ITEMS.push(arg.expr);
      ITEMS.push(
        arg.spread === 'list'
          ? -1
          : arg.spread === 'keywords'
            ? -2
            : arg.keyword !== undefined && arg.keyword !== ''
              ? this.name(arg.keyword)
              : 0,
      );
      ITEMS.push(arg.start);
    }
    for (const type of types) {
      ITEMS.push(type);
      ITEMS.push(TYPE_ARGUMENT);
      ITEMS.push(0);
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
    DYNAMIC.push(expr);
  }
  /** A way that control may take, or where it leaves. */
  path(kind: PathKind, start: number, end: number): void {
    PATHS.push(kind);
    PATHS.push(start);
    PATHS.push(end);
  }
  /** Tokens of this span are no code for change detection: docstrings, import statements. */
  unhash(start: number, end: number): void {
    const last = this.unhashed[this.unhashed.length - 1];
    if (last === undefined || last.start !== start) this.unhashed.push({ start, end });
  }

  /** Says that the text from `at` on was not read as it should be; the first one said stays. */
  unread(at: number, reason: string): void {
    this.notRead ??= { at, reason };
  }
  /** As `unread`, for what is nested deeper than the walk follows. */
  unreadTooDeep(at: number): void {
    this.unread(at, TOO_DEEP_REASON);
  }
  private notRead: Unread | null = null;

  /**
   * The summary. `insignificant`: the one-character token that changes nothing in this language (`;` where it is
   * optional), or ''.
   */
  finish(language: LanguageId, insignificant = ''): Summary {
    const names = this.sortNames();
    const count = DECLS.count;
    const pack = new Pack(
      count * (DECL_COLUMNS.length - 1) +
        EXPRS.count * (EXPR_COLUMNS.length - 2) +
        SCOPES.count * (SCOPE_COLUMNS.length - 1) +
        ITEMS.length +
        DYNAMIC.length +
        PATHS.length,
    );
    const decls = takeDecls(pack);
    const exprs = takeExprs(pack);
    const scopes = takeScopes(pack);
    const refs = grouped(
      names.length,
      exprs.name,
      rowsWhere(exprs.count, (row) => IS_NAMED[exprs.op[row] as number] === 1 && exprs.name[row] !== 0),
    );
    const byName = grouped(
      names.length,
      decls.name,
      rowsWhere(count, () => true),
    );
    const moduleHash = hashBlocks(
      this.tree,
      decls,
      this.unhashed,
      insignificant === '' ? -1 : insignificant.charCodeAt(0),
    );
    return new Source({
      language,
      hash: hashText(this.text),
      textLength: this.text.length,
      lineStarts: lineStartsOf(this.text),
      names,
      scopes,
      decls,
      exprs,
      items: ITEMS.take(pack),
      imports: this.imports,
      exports: this.exports,
      package: this.package,
      isModule: this.isModule,
      moduleHash,
      errors: errorSpans(this.tree),
      unread: this.notRead ?? tooDeep(this.tree),
      dynamic: DYNAMIC.take(pack),
      paths: PATHS.take(pack),
      refStart: refs.start,
      refs: refs.rows,
      ...withoutNameless(byName),
      declsByScope: grouped(scopes.count, decls.scope, byName.rows).rows,
    });
  }

  /** The names, sorted; every column that holds one is rewritten. */
  private sortNames(): string[] {
    const names = [...this.nameList].sort();
    const moved = new Int32Array(names.length);
    names.forEach((name, row) => (moved[this.nameRows.get(name) as number] = row));
    for (const table of [DECLS, EXPRS]) {
      const column = table.columns.name;
      for (let i = 0; i < table.count; i++) column[i] = moved[column[i] as number] as number;
    }
    for (const at of this.argumentLists) {
      const count = ITEMS.data[at] as number;
      for (let i = 0; i < count; i++) {
        const slot = at + 2 + i * 3;
        const name = ITEMS.data[slot] as number;
        if (name > 0) ITEMS.data[slot] = moved[name] as number;
      }
    }
    return names;
  }
}

function takeDecls(pack: Pack): DeclColumns {
  return {
    count: DECLS.count,
    kind: DECLS.takeBytes('kind'),
    flags: DECLS.take('flags', pack),
    name: DECLS.take('name', pack),
    nameStart: DECLS.take('nameStart', pack),
    start: DECLS.take('start', pack),
    end: DECLS.take('end', pack),
    bodyStart: DECLS.take('bodyStart', pack),
    scope: DECLS.take('scope', pack),
    inner: DECLS.take('inner', pack),
    parent: DECLS.take('parent', pack),
    type: DECLS.take('type', pack),
    value: DECLS.take('value', pack),
    params: DECLS.take('params', pack),
    parts: DECLS.take('parts', pack),
    decorators: DECLS.take('decorators', pack),
    typeParams: DECLS.take('typeParams', pack),
    headerHash: new Float64Array(DECLS.count),
    bodyHash: new Float64Array(DECLS.count),
  };
}

function takeExprs(pack: Pack): ExprColumns {
  return {
    count: EXPRS.count,
    op: EXPRS.takeBytes('op'),
    role: EXPRS.takeBytes('role'),
    a: EXPRS.take('a', pack),
    b: EXPRS.take('b', pack),
    name: EXPRS.take('name', pack),
    start: EXPRS.take('start', pack),
    end: EXPRS.take('end', pack),
    scope: EXPRS.take('scope', pack),
  };
}

function takeScopes(pack: Pack): ScopeColumns {
  return {
    count: SCOPES.count,
    kind: SCOPES.takeBytes('kind'),
    parent: SCOPES.take('parent', pack),
    owner: SCOPES.take('owner', pack),
    block: SCOPES.take('block', pack),
  };
}

/** 1 for the operators whose rows say a name that could refer to something. */
const IS_NAMED = new Uint8Array(256);
for (const op of [E.name, E.member, E.initializer, E.string, E.injected]) IS_NAMED[op] = 1;

function rowsWhere(count: number, counts: (row: number) => boolean): Uint32Array {
  const rows = new Uint32Array(count);
  let length = 0;
  for (let row = 0; row < count; row++) if (counts(row)) rows[length++] = row;
  return rows.subarray(0, length);
}

/** Declarations by name, less those that have none. */
function withoutNameless({ start, rows }: { start: Uint32Array; rows: Uint32Array }): {
  declStart: Uint32Array;
  declsByName: Uint32Array;
} {
  const nameless = start[1] ?? 0;
  return { declStart: start.map((at, row) => (row === 0 ? 0 : at - nameless)), declsByName: rows.slice(nameless) };
}

export function lineStartsOf(text: string): Uint32Array {
  LINES.clear();
  LINES.push(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) LINES.push(at + 1);
  return new Uint32Array(LINES.data.subarray(0, LINES.length));
}

const TOO_COSTLY_REASON = 'takes the parser many times as long as other texts; nothing of it is read';
const TOO_DEEP_REASON = `is nested deeper than ${NESTING_MOST} levels here; what is below is not read`;

function tooDeep(tree: FlatTree): Unread | null {
  if (tree.isWhole) return null;
  for (let i = 0; i < tree.length; i++) {
    if (((tree.flags[i] as number) & TOO_DEEP) !== 0) return { at: tree.start[i] as number, reason: TOO_DEEP_REASON };
    if (((tree.flags[i] as number) & TOO_COSTLY) !== 0) return { at: 0, reason: TOO_COSTLY_REASON };
  }
  return null;
}

const NONE = new Int32Array(0);

function errorSpans(tree: FlatTree): Int32Array {
  if (tree.isWhole) return NONE;
  const spans: number[] = [];
  for (let i = 0; i < tree.length;) {
    if (tree.kind[i] === ERROR_KIND || ((tree.flags[i] as number) & MISSING) !== 0) {
      spans.push(tree.start[i] as number, tree.end[i] as number);
      i = tree.skip[i] as number;
    } else i++;
  }
  return Int32Array.from(spans);
}
