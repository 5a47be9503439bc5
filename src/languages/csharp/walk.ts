/**
 * The walk over one C# file: where it stands, and the few steps that all handlers share.
 *
 * A handler gets a node and the scope that the node's text is in, adds rows, and gives the row of
 * the value that the node stands for, or -1. Handlers reach each other only through `visit`, so
 * that any node may turn up anywhere, as it does in broken code. What the function around wants
 * to know of its body (returned values, `yield`) is state of the walk that the function's handler
 * saves and puts back.
 */
import { ERROR_KIND, EXTRA, MISSING, NAMED, type FlatTree } from '../../syntax/flat-tree.js';
import { D, E, R, S, type ExprOp, type Role } from '../../syntax/summary.js';
import type { SummaryBuilder } from '../../syntax/summary-builder.js';
import { kindsOf, T, type GrammarKinds } from './kinds.js';

export type Handler = (walk: Walk, node: number, scope: number) => number;

/** The function whose body is being walked. */
export interface Body {
  /** Its declaration, or that of the property; -1 for module code. */
  readonly decl: number;
  /** Rows that it returns or yields. */
  readonly returns: number[];
  /** Type that a target-typed `new()` in a return has; -1 if it must not be guessed. */
  readonly target: number;
}

/** Nesting beyond which a subtree is not analysed, only its names kept: keeps generated code from exhausting the stack. */
const DEPTH_MAX = 700;

export class Walk {
  readonly kinds: GrammarKinds;
  body: Body = { decl: -1, returns: [], target: -1 };
  /** First of the doc comments right before the node that is visited next, or -1. */
  pendingDoc = -1;
  /** First type argument of the generic type that was read last; see `functionTarget`. */
  lastTypeArgument = -1;
  /** The function type that was read last: its return type's row and the list of its parameters' types. */
  lastFunction = { returns: -1, params: -1 };
  /** Types that the context gives to target-typed `new()` nodes. */
  readonly targets = new Map<number, number>();
  private depth = 0;
  /** In a broken file the scope, plus one, of each node that was walked. */
  private readonly scopeAt: Int32Array | undefined;

  constructor(
    readonly tree: FlatTree,
    readonly build: SummaryBuilder,
    private readonly handlers: readonly Handler[],
  ) {
    this.kinds = kindsOf(tree);
    this.scopeAt = tree.kind.subarray(0, tree.length).includes(ERROR_KIND) ? new Int32Array(tree.length) : undefined;
  }

  tag(node: number): number {
    return this.kinds.tags[this.tree.kind[node] as number] as number;
  }
  start(node: number): number {
    return this.tree.start[node] as number;
  }
  end(node: number): number {
    return this.tree.end[node] as number;
  }

  /** First child of any sort, or -1. */
  first(node: number): number {
    return node + 1 < (this.tree.skip[node] as number) ? node + 1 : -1;
  }
  /** The sibling after `child`, or -1. */
  next(node: number, child: number): number {
    const at = this.tree.skip[child] as number;
    return at < (this.tree.skip[node] as number) ? at : -1;
  }
  /** Code that may have a value: named and no comment or directive, or the keywords `this` and `base`, which the grammar does not name. */
  counts(node: number): boolean {
    if (((this.tree.flags[node] as number) & (NAMED | EXTRA)) === NAMED) return true;
    const tag = this.tag(node);
    return tag === T.this || tag === T.base;
  }
  /** First child that counts, or -1. */
  firstNamed(node: number): number {
    for (let c = this.first(node); c !== -1; c = this.next(node, c)) if (this.counts(c)) return c;
    return -1;
  }
  /** The children that count, in order. */
  counted(node: number): number[] {
    const out: number[] = [];
    for (let c = this.first(node); c !== -1; c = this.next(node, c)) if (this.counts(c)) out.push(c);
    return out;
  }
  lastNamed(node: number): number {
    let last = -1;
    for (let c = this.first(node); c !== -1; c = this.next(node, c)) if (this.counts(c)) last = c;
    return last;
  }
  /** First child in the field (a number of `kinds.fields`), or -1. */
  inField(node: number, field: number): number {
    const { field: fields } = this.tree;
    for (let c = this.first(node); c !== -1; c = this.next(node, c)) if (fields[c] === field) return c;
    return -1;
  }
  /** First child with the tag, or -1. */
  ofTag(node: number, tag: number): number {
    for (let c = this.first(node); c !== -1; c = this.next(node, c)) if (this.tag(c) === tag) return c;
    return -1;
  }

  /** Where an identifier's name begins: after the `@` of a verbatim one, so that the name can be replaced alone. */
  nameStart(node: number): number {
    const start = this.start(node);
    return this.tree.text.charCodeAt(start) === 0x40 /* @ */ ? start + 1 : start;
  }
  /** An identifier without its `@`; '' for one that the parser made up. */
  name(node: number): string {
    return ((this.tree.flags[node] as number) & MISSING) !== 0
      ? ''
      : this.tree.text.slice(this.nameStart(node), this.end(node));
  }

  /** Walks a node; gives the row of its value, or -1 if it has none. No node (-1) has no value. */
  visit(node: number, scope: number): number {
    if (node === -1) return -1;
    if (this.scopeAt !== undefined) this.scopeAt[node] = scope + 1;
    if (this.depth >= DEPTH_MAX) return this.namesOnly(node, scope);
    this.depth++;
    const row = (this.handlers[this.tag(node)] as Handler)(this, node, scope);
    this.depth--;
    return row;
  }

  /** As `visit`, with a row for any node. */
  value(node: number, scope: number): number {
    const row = this.visit(node, scope);
    return row >= 0 || node === -1 ? row : this.expr(E.other, node, scope);
  }

  /**
   * Walks all children but those in the field `except`; doc comments are kept for the declaration
   * that they stand before. Gives the last value.
   */
  visitChildren(node: number, scope: number, except = -1): number {
    if (this.scopeAt !== undefined) this.scopeAt[node] = scope + 1;
    let last = -1;
    let doc = -1;
    for (let c = this.first(node); c !== -1; c = this.next(node, c)) {
      if (!this.counts(c)) {
        const tag = this.tag(c);
        if (tag === T.comment) {
          if (doc === -1 && this.isDocComment(c)) doc = c;
        } else if (tag === T.ERROR) this.visit(c, scope);
        continue;
      }
      if (this.tree.field[c] === except) continue;
      this.pendingDoc = doc;
      doc = -1;
      const row = this.visit(c, scope);
      if (row >= 0) last = row;
    }
    this.pendingDoc = -1;
    return last;
  }

  /**
   * Walks the ERROR nodes that no handler expected where they are, each in the scope of the
   * nearest node around it that was walked. Call it after the whole walk.
   */
  visitErrors(): void {
    const { scopeAt, tree } = this;
    if (scopeAt === undefined) return;
    for (let i = 0; i < tree.length; i++) {
      if (this.tag(i) !== T.ERROR || scopeAt[i] !== 0) continue;
      let around = i;
      while (around !== 0 && scopeAt[around] === 0) around = tree.parent[around] as number;
      this.visit(i, Math.max(0, (scopeAt[around] as number) - 1));
    }
  }

  /** `///` or `/**`, but no rulers of slashes or stars. */
  isDocComment(comment: number): boolean {
    const { text } = this.tree;
    const at = this.start(comment);
    const third = text.charCodeAt(at + 2);
    if (text.charCodeAt(at + 1) === 0x2f /* / */) return third === 0x2f && text.charCodeAt(at + 3) !== 0x2f;
    return third === 0x2a /* * */ && text.charCodeAt(at + 3) !== 0x2f;
  }

  /** The pending doc comment, which the declaration takes for itself. */
  takeDoc(): number {
    const doc = this.pendingDoc;
    this.pendingDoc = -1;
    return doc;
  }

  /** Adds a row for the node's whole span. */
  expr(op: ExprOp, node: number, scope: number, name = '', a = -1, b = -1, role: Role = R.read): number {
    return this.build.expr(op, this.start(node), this.end(node), scope, name, a, b, role);
  }

  /** A name row for an identifier node. */
  nameRow(identifier: number, scope: number, role: Role): number {
    return this.build.expr(
      E.name,
      this.nameStart(identifier),
      this.end(identifier),
      scope,
      this.name(identifier),
      -1,
      -1,
      role,
    );
  }
  /** A member row: `a.identifier`. */
  memberRow(identifier: number, a: number, scope: number, role: Role): number {
    return this.build.expr(
      E.member,
      this.nameStart(identifier),
      this.end(identifier),
      scope,
      this.name(identifier),
      a,
      -1,
      role,
    );
  }

  /** A scope of the same owner and block: statements that open one. */
  blockScope(parent: number): number {
    return this.build.scope(S.block, parent, this.build.scopeOwner(parent), this.build.scopeBlock(parent));
  }

  /** A local variable; `whole` is the node that declares it. */
  local(identifier: number, whole: number, scope: number, type: number, value: number, flags = 0): number {
    return this.build.decl({
      kind: D.local,
      name: this.name(identifier),
      nameStart: this.nameStart(identifier),
      start: this.start(whole),
      end: this.end(whole),
      scope,
      parent: this.build.scopeBlock(scope),
      flags,
      type,
      value,
    });
  }

  private namesOnly(node: number, scope: number): number {
    this.build.unreadTooDeep(this.start(node));
    const end = this.tree.skip[node] as number;
    for (let i = node; i < end; i++) if (this.tag(i) === T.identifier) this.nameRow(i, scope, R.read);
    return this.expr(E.other, node, scope);
  }
}
