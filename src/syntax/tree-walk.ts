/**
 * The one walk over syntax trees: the door through which a language's text becomes rows.
 *
 *     languages/<x>/   tables: node kind ─► handler(walk, node, scope, role) ─► row of the value, or -1
 *                      a vocabulary, and a state record
 *
 * A `TreeWalk` is a cursor over a {@link FlatTree} and the summary under way. Handlers reach each
 * other only through it (`visit`, `value`, `type`, `children`), so that any node may turn up
 * anywhere, as it does in broken code, and so that depth and errors are dealt with once:
 *
 * - Nesting beyond {@link NESTING_MOST} is read flat: its names become rows without structure.
 * - An ERROR among the children of a body is walked where it stands, like any node. One that a
 *   handler passed over, since it knows its children, is walked at the end, in the scope of the
 *   nearest node around it that was walked: declarations and uses inside broken code are kept.
 * - A token that the parser made up (MISSING) has no text, so it is no name: its row is `other`.
 */
import { ERROR_KIND, EXTRA, MISSING, NAMED, type FlatTree } from './flat-tree.js';
import { NESTING_MOST } from './nesting.js';
import type { SummaryBuilder } from './summary-builder.js';
import { D, E, R, S, type DeclKind, type ExprOp, type Role } from './summary.js';
import { LEAF, type Vocabulary } from './vocabulary.js';

/**
 * Adds the rows of a node and gives the row of its value, or -1. `role` goes to the name that says what the value is.
 */
export type Handler<State> = (w: TreeWalk<State>, node: number, scope: number, role: Role) => number;

/** A language's handlers, by kind number. */
export interface Handlers<State> {
  readonly vocabulary: Vocabulary;
  /** Where a value, a statement or a declaration stands. */
  readonly values: readonly Handler<State>[];
  /** Where a type stands. */
  readonly types: readonly Handler<State>[];
}

/** Handlers by the names of their kinds. */
export type Table<State, Kind extends string> = Readonly<Partial<Record<Kind, Handler<State>>>>;

/**
 * The handlers of a language. `otherwise` is for kinds in no table; where a type stands and `types` has none, `values`
 * are asked.
 */
export function handlersOf<State, Kind extends string>(
  vocabulary: Vocabulary<Kind>,
  values: Table<State, Kind>,
  types: Table<State, Kind>,
  otherwise: Handler<State>,
): Handlers<State> {
  const byNumber = (table: Table<State, Kind>, rest: readonly Handler<State>[]): Handler<State>[] => {
    const out = [...rest];
    for (const name in table) out[vocabulary.kind[name]] = table[name] ?? otherwise;
    return out;
  };
  const all = byNumber(values, new Array<Handler<State>>(vocabulary.size).fill(otherwise));
  return { vocabulary, values: all, types: byNumber(types, all) };
}

/** What a declaration has besides its kind, name, span and scope. */
export interface NewDeclaration {
  readonly flags?: number;
  /** Node where the body begins; the declaration's end without one. */
  readonly body?: number;
  readonly type?: number;
  readonly value?: number;
  /** Offsets where the span is not that of the node. */
  readonly start?: number;
  readonly end?: number;
  readonly bodyStart?: number;
  /** The name where it is not that of its node. */
  readonly name?: string;
  readonly nameStart?: number;
}
const PLAIN: NewDeclaration = {};

export class TreeWalk<State> {
  readonly text: string;
  private readonly kinds: Uint8Array;
  private readonly fields: Uint8Array;
  private readonly valued: Uint8Array;
  private depth = 0;
  /** In a tree with errors the scope, plus one, of each node that was walked. */
  private readonly reached: Int32Array | undefined;

  constructor(
    readonly tree: FlatTree,
    readonly build: SummaryBuilder,
    private readonly handlers: Handlers<State>,
    /** What the language's handlers pass on to each other. */
    readonly state: State,
  ) {
    this.text = tree.text;
    const { kinds, fields } = handlers.vocabulary.numbersOf(tree);
    this.kinds = kinds;
    this.fields = fields;
    this.valued = handlers.vocabulary.valued;
    this.reached = hasErrors(tree) ? new Int32Array(tree.length) : undefined;
  }

  // ---- the tree

  /** Kind of a node, a number of the language's vocabulary. */
  kind(node: number): number {
    return this.kinds[this.tree.kind[node] as number] as number;
  }
  /** Field by which the parent refers to the node, 0 for none. */
  field(node: number): number {
    return this.fields[this.tree.field[node] as number] as number;
  }
  start(node: number): number {
    return this.tree.start[node] as number;
  }
  end(node: number): number {
    return this.tree.end[node] as number;
  }
  textOf(node: number): string {
    return this.text.slice(this.tree.start[node], this.tree.end[node]);
  }
  parent(node: number): number {
    return this.tree.parent[node] as number;
  }
  /** First index after the node's subtree. */
  after(node: number): number {
    return this.tree.skip[node] as number;
  }
  /** Whether the node is there and has text. */
  isPresent(node: number): boolean {
    return node !== -1 && this.tree.start[node] !== this.tree.end[node];
  }
  isError(node: number): boolean {
    return this.tree.kind[node] === ERROR_KIND;
  }

  /** First child of any sort, or -1. */
  firstChild(node: number): number {
    return node + 1 < (this.tree.skip[node] as number) ? node + 1 : -1;
  }
  /** Next sibling of any sort, or -1. */
  nextChild(node: number): number {
    const { skip, parent } = this.tree;
    const next = skip[node] as number;
    return next < (skip[parent[node] as number] as number) ? next : -1;
  }
  /** Whether the node is one of its parent's parts: named and no comment, or a keyword that has a value. */
  isPart(node: number): boolean {
    const { flags, kind } = this.tree;
    return (
      ((flags[node] as number) & (NAMED | EXTRA)) === NAMED ||
      this.valued[this.kinds[kind[node] as number] as number] === 1
    );
  }
  /** First part, or -1. */
  first(node: number): number {
    return this.partFrom(node + 1, this.tree.skip[node] as number);
  }
  /** Next part of the same parent, or -1. */
  next(node: number): number {
    const { skip, parent } = this.tree;
    return this.partFrom(skip[node] as number, skip[parent[node] as number] as number);
  }
  /** Last part, or -1. */
  last(node: number): number {
    let last = -1;
    for (let c = this.first(node); c !== -1; c = this.next(c)) last = c;
    return last;
  }
  private partFrom(from: number, stop: number): number {
    const { skip } = this.tree;
    for (let c = from; c < stop; c = skip[c] as number) if (this.isPart(c)) return c;
    return -1;
  }
  /** First child in the field, or -1. */
  child(node: number, field: number): number {
    const { skip, field: numbers } = this.tree;
    const { fields } = this;
    const stop = skip[node] as number;
    for (let c = node + 1; c < stop; c = skip[c] as number) if (fields[numbers[c] as number] === field) return c;
    return -1;
  }
  /** First child of the kind, keywords and signs included, or -1. */
  childOf(node: number, kind: number): number {
    const { skip, kind: numbers } = this.tree;
    const { kinds } = this;
    const stop = skip[node] as number;
    for (let c = node + 1; c < stop; c = skip[c] as number) if (kinds[numbers[c] as number] === kind) return c;
    return -1;
  }
  has(node: number, kind: number): boolean {
    return this.childOf(node, kind) !== -1;
  }
  /** Text of the operator or other sign in a field, '' for none. */
  textIn(node: number, field: number): string {
    const sign = this.child(node, field);
    return sign === -1 ? '' : this.textOf(sign);
  }
  /**
   * The nodes down the left side, outermost first, as long as they are of the node's own kind. Chains of
   * operators lean to that side and are thousands long in generated code: they are followed without recursion.
   */
  leftSpine(node: number, left: (node: number) => number): number[] {
    const kind = this.kind(node);
    const spine = [node];
    for (let at = left(node); at !== -1 && this.kind(at) === kind; at = left(at)) spine.push(at);
    return spine;
  }

  // ---- the walk

  /** Walks a node; gives the row of its value, or -1 if it has none. No node (-1) has no value. */
  visit(node: number, scope: number, role: Role = R.read): number {
    return node === -1 ? -1 : this.run(this.handlers.values, node, scope, role);
  }
  /** As `visit`, for a place where the summary wants a row: what has no value becomes `other`. */
  value(node: number, scope: number, role: Role = R.read): number {
    const row = this.visit(node, scope, role);
    return row !== -1 || node === -1 ? row : this.other(node, scope);
  }
  /** Walks a node that stands where a type does. */
  type(node: number, scope: number, role: Role = R.type): number {
    return node === -1 ? -1 : this.run(this.handlers.types, node, scope, role);
  }
  private run(handlers: readonly Handler<State>[], node: number, scope: number, role: Role): number {
    if (this.reached !== undefined) this.reached[node] = scope + 1;
    if (this.depth >= NESTING_MOST) return this.namesOnly(node, scope);
    this.depth++;
    const row = (handlers[this.kind(node)] as Handler<State>)(this, node, scope, role);
    this.depth--;
    return row;
  }
  /** Runs what recurses by itself one level down; beyond the limit only the names below the node become rows. */
  nested(node: number, scope: number, walk: () => number): number {
    if (this.depth >= NESTING_MOST) return this.namesOnly(node, scope);
    this.depth++;
    const row = walk();
    this.depth--;
    return row;
  }
  /** Walks the parts of a body, and the errors among them; together they are no value: -1. */
  children(node: number, scope: number): -1 {
    this.lastOf(node, scope);
    return -1;
  }
  /** As `children`; gives the last value, or -1. */
  lastOf(node: number, scope: number): number {
    if (this.reached !== undefined) this.reached[node] = scope + 1;
    let last = -1;
    for (let c = this.firstCode(node); c !== -1; c = this.nextCode(c)) {
      const row = this.visit(c, scope);
      if (row !== -1) last = row;
    }
    return last;
  }
  /** As `lastOf`, for an expression in a statement's place; `calls`: kinds of nodes that are nothing but a call. */
  droppedIn(node: number, scope: number, calls: ReadonlySet<number>): number {
    const row = this.lastOf(node, scope);
    // The value of an assignment is a call as well, and is kept.
    return calls.has(this.kind(this.firstCode(node))) ? this.dropped(row) : row;
  }
  /** Notes of a call that nobody takes what it gives. */
  dropped(row: number): number {
    const op = row < 0 ? E.other : this.build.exprOp(row);
    if (op === E.call || op === E.await) this.build.setRole(row, R.dropped);
    return row;
  }
  /** First part or error among the children, or -1: what a body consists of. */
  firstCode(node: number): number {
    return this.codeFrom(node + 1, this.tree.skip[node] as number);
  }
  nextCode(node: number): number {
    const { skip, parent } = this.tree;
    return this.codeFrom(skip[node] as number, skip[parent[node] as number] as number);
  }
  private codeFrom(from: number, stop: number): number {
    const { skip } = this.tree;
    for (let c = from; c < stop; c = skip[c] as number) if (this.isPart(c) || this.isError(c)) return c;
    return -1;
  }
  /**
   * Walks what handlers passed over in a tree with errors; after all else. An ERROR that none walked is
   * walked in the scope of the nearest node around it that was; a name in an error that none read becomes
   * a row there. `enter` may set the state to what it is in a scope.
   */
  unreached(enter?: (scope: number) => void): void {
    const { reached, tree } = this;
    if (reached === undefined) return;
    const { leaves } = this.handlers.vocabulary;
    let errorsEnd = 0;
    for (let node = 0; node < tree.length; node++) {
      if (this.isError(node)) errorsEnd = Math.max(errorsEnd, this.after(node));
      if (reached[node] !== 0 || node >= errorsEnd) continue;
      if (!this.isError(node) && leaves[this.kind(node)] === LEAF.none) continue;
      let around = node;
      while (around !== 0 && (reached[around] as number) <= 0) around = tree.parent[around] as number;
      const scope = Math.max(0, (reached[around] as number) - 1);
      enter?.(scope);
      if (this.isError(node)) this.visit(node, scope);
      else this.leafRow(node, scope);
    }
  }
  private namesOnly(node: number, scope: number): number {
    this.build.unreadTooDeep(this.start(node));
    const stop = this.after(node);
    for (let n = node; n < stop; n++) this.leafRow(n, scope);
    return this.other(node, scope);
  }
  private leafRow(node: number, scope: number): void {
    const { leaves, memberField } = this.handlers.vocabulary;
    const leaf = leaves[this.kind(node)];
    if (leaf === LEAF.none) return;
    if (leaf === LEAF.member || this.field(node) === memberField) this.memberRow(node, -1, scope);
    else this.nameRow(node, scope);
  }

  // ---- names

  /**
   * Where an identifier's name begins: after the `@` of a verbatim one (C#), so that the name can be replaced alone.
   */
  nameStart(node: number): number {
    const start = this.tree.start[node] as number;
    return this.text.charCodeAt(start) === 0x40 /* @ */ ? start + 1 : start;
  }
  /** The name that an identifier says; '' for one that the parser made up. */
  nameOf(node: number): string {
    return this.nameFrom(node, this.nameStart(node));
  }
  private nameFrom(node: number, start: number): string {
    if (this.reached !== undefined) this.markRead(node);
    return ((this.tree.flags[node] as number) & MISSING) !== 0 ? '' : this.text.slice(start, this.tree.end[node]);
  }
  /** Says that a row says this name. */
  private markRead(node: number): void {
    if (this.reached?.[node] === 0) this.reached[node] = -1;
  }
  /** Says that one row says all the names below the node: a dotted path in an import. */
  markNames(node: number): void {
    if (this.reached !== undefined) for (let n = node; n < this.after(node); n++) this.markRead(n);
  }
  /** Row of an identifier that stands for itself. */
  nameRow(node: number, scope: number, role: Role = R.read): number {
    if (!this.isPresent(node)) return this.other(node, scope);
    const start = this.nameStart(node);
    return this.build.expr(E.name, start, this.end(node), scope, this.nameFrom(node, start), -1, -1, role);
  }
  /** Row of `object.name`. */
  memberRow(node: number, object: number, scope: number, role: Role = R.read): number {
    if (!this.isPresent(node)) return this.expr(E.other, node, scope, '', object);
    const start = this.nameStart(node);
    return this.build.expr(E.member, start, this.end(node), scope, this.nameFrom(node, start), object, -1, role);
  }
  /** Row of a key that names a member of `made`: in a literal, an attribute, a pattern. */
  keyRow(node: number, made: number, scope: number, role: Role = R.read): number {
    return this.build.expr(
      E.initializer,
      this.nameStart(node),
      this.end(node),
      scope,
      this.nameOf(node),
      made,
      -1,
      role,
    );
  }

  // ---- rows over the span of a node

  expr(op: ExprOp, node: number, scope: number, name = '', a = -1, b = -1, role: Role = R.read): number {
    return this.build.expr(op, this.start(node), this.end(node), scope, name, a, b, role);
  }
  other(node: number, scope: number): number {
    return this.expr(E.other, node, scope);
  }
  /** A row of one of several values. */
  union(node: number, scope: number, rows: readonly number[], role: Role = R.read): number {
    return this.expr(E.union, node, scope, '', -1, this.build.list(rows), role);
  }
  /** A row of a list or tuple, by `name`. */
  list(node: number, scope: number, name: string, rows: readonly number[], role: Role = R.read): number {
    return this.expr(E.list, node, scope, name, -1, this.build.list(rows), role);
  }
  /** A row of `base[rows]`, or of a generic type with its arguments. */
  index(node: number, scope: number, base: number, rows: readonly number[], role: Role = R.read): number {
    return this.expr(E.index, node, scope, '', base, this.build.list(rows), role);
  }
  /** Values of the parts of a node, each walked. */
  values(node: number, scope: number): number[] {
    const rows: number[] = [];
    for (let c = this.first(node); c !== -1; c = this.next(c)) rows.push(this.value(c, scope));
    return rows;
  }
  /** Rows of the types that are the parts of a node: type arguments, bases. */
  typesIn(node: number, scope: number, role: Role = R.type): number[] {
    const rows: number[] = [];
    for (let c = this.first(node); c !== -1; c = this.next(c)) rows.push(this.type(c, scope, role));
    return rows;
  }

  /** The row that says what a type or callee is: that under its type arguments. */
  headOf(row: number): number {
    let head = row;
    while (head >= 0 && this.build.exprOp(head) === E.index) head = this.build.exprA(head);
    return head;
  }
  setHeadRole(row: number, role: Role): void {
    this.build.setRole(this.headOf(row), role);
  }

  // ---- scopes and declarations

  /** A scope of the same owner and block. */
  blockScope(scope: number): number {
    const { build } = this;
    return build.scope(S.block, scope, build.scopeOwner(scope), build.scopeBlock(scope));
  }
  /** A scope that sees what `scope` sees and whose text belongs to `block`. */
  headerScope(scope: number, block: number): number {
    return this.build.scope(S.header, scope, this.build.scopeOwner(scope), block);
  }
  /** Declares what `node` declares under the name at `name` (-1 for none); its parent is the block of the scope. */
  declare(kind: DeclKind, name: number, node: number, scope: number, more: NewDeclaration = PLAIN): number {
    const end = more.end ?? this.end(node);
    const body = more.body ?? -1;
    return this.build.decl({
      kind,
      name: more.name ?? (name === -1 ? '' : this.nameOf(name)),
      nameStart: more.nameStart ?? (name === -1 ? -1 : this.nameStart(name)),
      start: more.start ?? this.start(node),
      end,
      bodyStart: more.bodyStart ?? (body === -1 ? end : this.start(body)),
      scope,
      parent: this.build.scopeBlock(scope),
      flags: more.flags ?? 0,
      type: more.type ?? -1,
      value: more.value ?? -1,
    });
  }
  /** Declares a local variable whose whole declaration is the node. */
  local(name: number, node: number, scope: number, type: number, value: number, flags = 0): number {
    return this.declare(D.local, name, node, scope, { flags, type, value });
  }
}

function hasErrors(tree: FlatTree): boolean {
  if (tree.isWhole) return false;
  for (let node = 0; node < tree.length; node++) if (tree.kind[node] === ERROR_KIND) return true;
  return false;
}
