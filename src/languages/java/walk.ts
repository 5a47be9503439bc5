/**
 * One walk over a Java tree: what every handler gets in its hand.
 *
 * A handler is a function of the walk, a node and the scope that the node's names are looked up
 * in; it gives the expression row that stands for the node, or -1 where there is none (statements,
 * declarations, punctuation). `walk` picks the handler by kind number. A node without a handler
 * has its children walked, so ERROR nodes and whatever a newer grammar brings lose no names.
 *
 * What changes during the walk and is no scope lives here: the lists that `return` and `yield`
 * fill, and case labels whose meaning is known only after the whole file was seen.
 */
import { ERROR_KIND, EXTRA, MISSING, NAMED, type FlatTree } from '../../syntax/flat-tree.js';
import type { SummaryBuilder } from '../../syntax/summary-builder.js';
import { E, R, S, type DeclKind, type Role } from '../../syntax/summary.js';
import type { NodeKinds } from './node-kinds.js';

export type Handler = (x: Walk, node: number, scope: number) => number;

/**
 * Nested handlers before the walk stops descending and takes the identifiers below as bare names.
 * Hand-written code stays below 100, generated code below 500; the stack bears some 3,000.
 */
const DEPTH_MAX = 1000;

const walkParts: Handler = (x, node, scope) => x.parts(node, scope);

/** A `case NAME` label: a constant of the selector's type, or a constant in scope. */
export interface CaseLabel {
  readonly node: number;
  readonly scope: number;
  readonly selector: number;
}

export class Walk {
  /** Where `return` puts its expressions; undefined outside functions. */
  returns: number[] | undefined;
  /** Where `yield` and the arms of the innermost `switch` put theirs. */
  yields: number[] | undefined;
  readonly caseLabels: CaseLabel[] = [];
  /** Names of fields and of static imports of this file: what a `case` label can be if it is no enum constant. */
  readonly constants = new Set<string>();
  /** Start of a declaration's node to the scope in which its documentation is read. */
  readonly documented = new Map<number, number>();
  /** Whether the file imports from `java.lang.reflect`. */
  reflective = false;
  /** ERROR nodes that a handler came across. */
  readonly seenErrors = new Set<number>();
  private depth = 0;
  /** `instanceof` nodes that bind a name, ascending. */
  private readonly bindings: number[] = [];

  constructor(
    readonly tree: FlatTree,
    readonly build: SummaryBuilder,
    readonly kinds: NodeKinds,
    private readonly handlers: readonly (Handler | undefined)[],
  ) {
    const { kind } = tree;
    for (let n = 0; n < tree.length; n++) {
      if (
        kind[n] === kinds.instanceof &&
        (this.child(n, kinds.nameField) !== -1 || this.child(n, kinds.patternField) !== -1)
      )
        this.bindings.push(n);
    }
  }

  kind(node: number): number {
    return this.tree.kind[node] as number;
  }
  start(node: number): number {
    return this.tree.start[node] as number;
  }
  end(node: number): number {
    return this.tree.end[node] as number;
  }
  /** First index after the subtree: the next sibling, unless the node is the last one. */
  skip(node: number): number {
    return this.tree.skip[node] as number;
  }
  text(node: number): string {
    return this.tree.text.slice(this.tree.start[node], this.tree.end[node]);
  }
  /** Whether the node is there and has text: the parser makes up empty ones to recover from errors. */
  present(node: number): boolean {
    return (
      node !== -1 &&
      ((this.tree.flags[node] as number) & MISSING) === 0 &&
      this.tree.start[node] !== this.tree.end[node]
    );
  }
  /** Whether the node is named and no comment. */
  proper(node: number): boolean {
    return ((this.tree.flags[node] as number) & (NAMED | EXTRA)) === NAMED;
  }

  /** The first child in the field, or -1. */
  child(node: number, field: number): number {
    const { tree } = this;
    const stop = tree.skip[node] as number;
    for (let c = node + 1; c < stop; c = tree.skip[c] as number) if (tree.field[c] === field) return c;
    return -1;
  }
  /** The first child of the kind, or -1. */
  childOf(node: number, kind: number): number {
    const { tree } = this;
    const stop = tree.skip[node] as number;
    for (let c = node + 1; c < stop; c = tree.skip[c] as number) if (tree.kind[c] === kind) return c;
    return -1;
  }
  /** The first proper child, or -1. */
  first(node: number): number {
    const stop = this.skip(node);
    for (let c = node + 1; c < stop; c = this.skip(c)) if (this.proper(c)) return c;
    return -1;
  }
  /** The last proper child, or -1. */
  last(node: number): number {
    const stop = this.skip(node);
    let found = -1;
    for (let c = node + 1; c < stop; c = this.skip(c)) if (this.proper(c)) found = c;
    return found;
  }

  walk(node: number, scope: number): number {
    const handler = this.handlers[this.kind(node)];
    if (handler === undefined && this.skip(node) === node + 1) return -1;
    if (this.kind(node) === ERROR_KIND) this.seenErrors.add(node);
    return this.nested(node, scope, handler ?? walkParts);
  }

  /** Runs a handler one level down; beyond the limit the identifiers below `node` become bare names. Whatever recurses without `walk` goes through here. */
  nested(node: number, scope: number, handler: Handler): number {
    if (this.depth >= DEPTH_MAX) return this.flatNames(node, scope);
    this.depth++;
    const row = handler(this, node, scope);
    this.depth--;
    return row;
  }

  /** Walks the children; -1, as they together are no expression. */
  parts(node: number, scope: number): number {
    const stop = this.skip(node);
    for (let c = node + 1; c < stop; c = this.skip(c)) this.walk(c, scope);
    return -1;
  }

  /** As `walk`, for a place where the summary wants a row: what is not modelled becomes `other`. */
  value(node: number, scope: number): number {
    const row = this.walk(node, scope);
    return row === -1 ? this.build.expr(E.other, this.start(node), this.end(node), scope) : row;
  }

  /** A `name` row for an identifier. */
  name(node: number, scope: number, role: Role = R.read): number {
    const { build, tree } = this;
    if (tree.start[node] === tree.end[node])
      return build.expr(E.other, tree.start[node] as number, tree.end[node] as number, scope);
    return build.expr(
      E.name,
      tree.start[node] as number,
      tree.end[node] as number,
      scope,
      this.text(node),
      -1,
      -1,
      role,
    );
  }

  /** A `member` row for the identifier `node` of the expression `base`. */
  member(base: number, node: number, scope: number, role: Role = R.read): number {
    const { build, tree } = this;
    if (tree.start[node] === tree.end[node])
      return build.expr(E.other, tree.start[node] as number, tree.end[node] as number, scope, '', base);
    return build.expr(
      E.member,
      tree.start[node] as number,
      tree.end[node] as number,
      scope,
      this.text(node),
      base,
      -1,
      role,
    );
  }

  /** A scope inside `scope` with the same owner and block. */
  blockScope(scope: number): number {
    const { build } = this;
    return build.scope(S.block, scope, build.scopeOwner(scope), build.scopeBlock(scope));
  }

  /** A scope of its own for a statement that binds names by `instanceof`, else `scope`: such names end with the statement. */
  statementScope(node: number, scope: number): number {
    return this.binds(node) ? this.blockScope(scope) : scope;
  }

  /** Whether an `instanceof` inside the node binds a name. */
  binds(node: number): boolean {
    const { bindings } = this;
    if (bindings.length === 0) return false;
    let low = 0;
    let high = bindings.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((bindings[middle] as number) < node) low = middle + 1;
      else high = middle;
    }
    return low < bindings.length && (bindings[low] as number) < this.skip(node);
  }

  /** Kind of the declaration whose scope it is; 0 for the module. */
  ownerKind(scope: number): DeclKind | 0 {
    const owner = this.build.scopeOwner(scope);
    return owner === -1 ? 0 : (this.build.get(owner, 'kind') as DeclKind);
  }

  /** Runs `body` with fresh lists for `return` and `yield`, and gives what was returned. */
  returned(body: () => unknown): readonly number[] {
    const { returns, yields } = this;
    const found: number[] = [];
    this.returns = found;
    this.yields = undefined;
    body();
    this.returns = returns;
    this.yields = yields;
    return found;
  }

  private flatNames(node: number, scope: number): number {
    this.build.unreadTooDeep(this.start(node));
    const stop = this.skip(node);
    for (let n = node; n < stop; n++) {
      const kind = this.kind(n);
      if (kind === this.kinds.identifier || kind === this.kinds.typeIdentifier) this.name(n, scope);
    }
    return -1;
  }
}
