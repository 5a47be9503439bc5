/**
 * The walk over one file's flat tree: the tree and the builder, and what every handler shares.
 *
 * Handlers are grouped by what a node stands for (expression, type, statement) and looked up by
 * the grammar's kind number, so that three grammars (TypeScript, TSX, JavaScript) share one set
 * and dispatch costs an array read. A handler gives the row it made, or -1. What no handler
 * knows (ERROR nodes, punctuation, new syntax) is walked child by child, so that declarations
 * and uses inside broken code are kept.
 *
 * Nesting deeper than NESTING_MOST is read flat: its identifiers become rows without structure.
 */
import { EXTRA, NAMED, type FlatTree } from '../../syntax/flat-tree.js';
import type { SummaryBuilder } from '../../syntax/summary-builder.js';
import { E, R, S, type DeclKind, type Role } from '../../syntax/summary.js';
import { NarrowedPaths } from '../narrowed-paths.js';

export type Handler = (w: Walk, node: number, scope: number) => number;

export interface HandlerSet {
  readonly expressions: Readonly<Record<string, Handler>>;
  readonly types: Readonly<Record<string, Handler>>;
  readonly statements: Readonly<Record<string, Handler>>;
}

const FIELDS = [
  'alias',
  'alternative',
  'argument',
  'arguments',
  'body',
  'close_tag',
  'condition',
  'consequence',
  'constraint',
  'constructor',
  'declaration',
  'decorator',
  'function',
  'handler',
  'finalizer',
  'increment',
  'index',
  'index_type',
  'initializer',
  'key',
  'kind',
  'left',
  'module',
  'name',
  'object',
  'open_tag',
  'operator',
  'parameter',
  'parameters',
  'pattern',
  'property',
  'return_type',
  'right',
  'source',
  'type',
  'type_arguments',
  'type_parameters',
  'value',
] as const;
/** Field numbers of a grammar; -1 for a field that it does not have. */
export type FieldNumbers = Readonly<Record<(typeof FIELDS)[number], number>>;

/** Handlers and fields by the numbers of one grammar. */
export interface GrammarTables {
  readonly expressions: readonly (Handler | undefined)[];
  readonly types: readonly (Handler | undefined)[];
  readonly statements: readonly (Handler | undefined)[];
  readonly fields: FieldNumbers;
  /** Names of the kinds, as strings that compare by identity with those in the source. */
  readonly kinds: readonly string[];
  /** The grammar knows no types: plain JavaScript, where `this.x = v` declares a field. */
  readonly untyped: boolean;
}

export function tablesOf(
  kindNames: readonly string[],
  fieldNames: readonly (string | null)[],
  handlers: HandlerSet,
): GrammarTables {
  const byNumber = (set: Readonly<Record<string, Handler>>): (Handler | undefined)[] =>
    kindNames.map((name) => (Object.hasOwn(set, name) ? set[name] : undefined));
  return {
    expressions: byNumber(handlers.expressions),
    types: byNumber(handlers.types),
    statements: byNumber(handlers.statements),
    kinds: kindNames.map(internalized),
    fields: Object.fromEntries(FIELDS.map((field) => [field, fieldNames.indexOf(field)])) as FieldNumbers,
    untyped: !kindNames.includes('type_annotation'),
  };
}

/** The engine's one copy of a string: property keys are, decoded strings are not, and compare letter by letter. */
function internalized(text: string): string {
  return Object.keys({ [text]: 0 })[0] ?? text;
}

/** A `this.x = v` seen in a class of plain JavaScript, with its member row. */
export interface ThisAssignment {
  readonly name: string;
  readonly row: number;
  readonly value: number;
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly inConstructor: boolean;
}

/** What statements need to know of the function around them. */
export interface FunctionContext {
  /** Scope that `var` declares in. */
  readonly varScope: number;
  /** Rows returned, or yielded by a generator. */
  readonly results: number[];
  readonly generator: boolean;
  /** Where assignments to `this` are collected; undefined where `this` is not an instance. */
  readonly thisAssignments: ThisAssignment[] | undefined;
  readonly inConstructor: boolean;
}

/** Nesting of expressions and statements that is followed; some four stack frames each. */
const NESTING_MOST = 500;

export class Walk {
  readonly f: FieldNumbers;
  readonly text: string;
  context: FunctionContext = {
    varScope: 0,
    results: [],
    generator: false,
    thisAssignments: undefined,
    inConstructor: false,
  };
  /** Scope for the names that `infer` declares: that of the conditional type around. */
  inferScope = -1;
  /** The row of the right side of each `instanceof` node, for narrowing. */
  readonly instanceTests = new Map<number, number>();
  readonly narrowedPaths: NarrowedPaths;
  /** Scopes in which a name is declared by `let x;`, so that its type comes from assignments. */
  readonly unassigned = new Map<string, number[]>();
  /** Names in blocks are seen in the whole function: scripts of plain JavaScript. */
  sloppy = false;
  private readonly kinds: readonly string[];
  private nesting = 0;

  constructor(
    readonly tree: FlatTree,
    readonly build: SummaryBuilder,
    readonly tables: GrammarTables,
  ) {
    this.f = tables.fields;
    this.text = tree.text;
    this.kinds = tables.kinds;
    this.narrowedPaths = new NarrowedPaths({
      parentOf: (scope) => build.scopeParent(scope),
      hides: (scope, name) =>
        name === 'this' ? build.scopeKind(scope) === S.class : build.findDecl(scope, name) !== -1,
    });
  }

  start(node: number): number {
    return this.tree.start[node] as number;
  }
  end(node: number): number {
    return this.tree.end[node] as number;
  }
  /** The first node after the subtree: `for (let c = n + 1, stop = w.skip(n); c < stop; c = w.skip(c))` visits the children. */
  skip(node: number): number {
    return this.tree.skip[node] as number;
  }
  kind(node: number): string {
    return this.kinds[this.tree.kind[node] as number] ?? 'ERROR';
  }
  textOf(node: number): string {
    return this.text.slice(this.tree.start[node], this.tree.end[node]);
  }
  /** Named and no comment. */
  isPart(node: number): boolean {
    return ((this.tree.flags[node] as number) & (NAMED | EXTRA)) === NAMED;
  }
  /** First child in the field, or -1. */
  child(node: number, field: number): number {
    const { skip, field: fields } = this.tree;
    const stop = skip[node] as number;
    for (let c = node + 1; c < stop; c = skip[c] as number) if (fields[c] === field) return c;
    return -1;
  }
  childOf(node: number, kind: string): number {
    const stop = this.skip(node);
    for (let c = node + 1; c < stop; c = this.skip(c)) if (this.kind(c) === kind) return c;
    return -1;
  }
  /** First named child that is no comment, or -1. */
  part(node: number): number {
    const stop = this.skip(node);
    for (let c = node + 1; c < stop; c = this.skip(c)) if (this.isPart(c)) return c;
    return -1;
  }

  expression(node: number, scope: number): number {
    if (node < 0) return -1;
    const handler = this.tables.expressions[this.tree.kind[node] as number];
    return this.run(handler ?? walkParts, node, scope);
  }

  /** A type expression; its names get role `type`. */
  type(node: number, scope: number): number {
    if (node < 0) return -1;
    const handler = this.tables.types[this.tree.kind[node] as number];
    return this.run(handler ?? walkParts, node, scope);
  }

  /** A statement, or anything that stands where one may: the general entry. */
  statement(node: number, scope: number): number {
    const kind = this.tree.kind[node] as number;
    const { statements, expressions, types } = this.tables;
    return this.run(statements[kind] ?? expressions[kind] ?? types[kind] ?? walkParts, node, scope);
  }

  /** The children of a block, in its own scope. */
  statements(node: number, scope: number): void {
    const stop = this.skip(node);
    for (let c = node + 1; c < stop; c = this.skip(c)) if (this.isPart(c)) this.statement(c, scope);
  }

  private run(handler: Handler, node: number, scope: number): number {
    if (this.nesting >= NESTING_MOST) return readFlat(this, node, scope);
    this.nesting++;
    const row = handler(this, node, scope);
    this.nesting--;
    return row;
  }

  /** Adds a declaration whose parent is the block of its scope; `bodyStart` is its end. One place makes the object, so that it has one shape. */
  declare(
    kind: DeclKind,
    name: string,
    nameStart: number,
    start: number,
    end: number,
    scope: number,
    flags = 0,
    value = -1,
  ): number {
    return this.build.decl({
      kind,
      name,
      nameStart,
      start,
      end,
      scope,
      parent: this.build.scopeBlock(scope),
      flags,
      bodyStart: end,
      type: -1,
      value,
    });
  }
  /** Declares a name whose whole declaration is the node of the name. */
  declareNode(kind: DeclKind, node: number, scope: number, flags = 0, value = -1): number {
    const start = this.start(node);
    return this.declare(kind, this.textOf(node), start, start, this.end(node), scope, flags, value);
  }

  /** Row of an identifier that stands for itself. */
  name(node: number, scope: number, role: Role = R.read): number {
    return this.build.expr(E.name, this.start(node), this.end(node), scope, this.textOf(node), -1, -1, role);
  }
  /** Row of `object.name`. */
  member(node: number, object: number, scope: number, role: Role = R.read): number {
    return this.build.expr(E.member, this.start(node), this.end(node), scope, this.textOf(node), object, -1, role);
  }
  other(node: number, scope: number): number {
    return this.build.expr(E.other, this.start(node), this.end(node), scope);
  }

  /** Sets the role on the name that a type or callee expression begins with: under type arguments and calls of it. */
  setHeadRole(row: number, role: Role): void {
    let head = row;
    while (head >= 0 && this.build.exprOp(head) === E.index) head = this.build.exprA(head);
    this.build.setRole(head, role);
  }

  blockScope(scope: number): number {
    return this.build.scope(S.block, scope, this.build.scopeOwner(scope), this.build.scopeBlock(scope));
  }
  /** Scope whose text belongs to `block` but which sees the names of `scope`. */
  headerScope(scope: number, block: number): number {
    return this.build.scope(S.header, scope, this.build.scopeOwner(scope), block);
  }
}

/** Walks the children of a node that has no meaning of its own. */
export function walkParts(w: Walk, node: number, scope: number): number {
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.isPart(c)) w.statement(c, scope);
  return stop > node + 1 ? w.other(node, scope) : -1;
}

const NAME_KINDS: ReadonlySet<string> = new Set([
  'identifier',
  'type_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
]);
const MEMBER_KINDS: ReadonlySet<string> = new Set(['property_identifier', 'private_property_identifier']);

function readFlat(w: Walk, node: number, scope: number): number {
  w.build.unreadTooDeep(w.start(node));
  const stop = w.skip(node);
  for (let n = node; n < stop; n++) {
    const kind = w.kind(n);
    if (NAME_KINDS.has(kind)) w.name(n, scope);
    else if (MEMBER_KINDS.has(kind)) w.member(n, -1, scope);
  }
  return w.other(node, scope);
}
