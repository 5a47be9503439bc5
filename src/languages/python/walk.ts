/**
 * The state of one walk over a Python tree: tree access, the frame that assignments bind in,
 * and the table of what is declared so far.
 *
 * Two things move with the position: the `scope` (an argument of every function; comprehensions,
 * narrowed branches and headers open one) and the `frame` (module, class, function or lambda),
 * which says where a plain assignment binds. Bodies of functions wait in `jobs` until the code
 * around them is done, so that a `global` or `self.x` finds what the outer code declares.
 */
import { ERROR_KIND, EXTRA, NAMED, type FlatTree } from '../../syntax/flat-tree.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import { D, E, F, R, S, type Role } from '../../syntax/summary.js';
import { NarrowedPaths } from '../narrowed-paths.js';
import { ExportList } from './export-list.js';
import { vocabularyOf } from './kinds.js';

/** What surrounds a statement as far as binding of names goes. */
export interface Frame {
  readonly kind: 'module' | 'class' | 'function' | 'lambda';
  /** Where assignments bind. */
  readonly scope: number;
  /** Parent scope of functions, lambdas and comprehensions made here when the frame is a class: class names are not seen from them. */
  readonly around: number;
  /** The class or function; -1 for the module. */
  readonly decl: number;
  /** Innermost block, -1 for the module. */
  readonly block: number;
  readonly outer: Frame | undefined;
  /** The method whose receiver `self` means in this frame, also in functions nested in it. */
  readonly method: Method | undefined;
  /** Names that `global` and `nonlocal` send to another scope. */
  elsewhere: Map<string, number> | undefined;
  readonly returned: number[];
  readonly yielded: number[];
  /** What the class statement says of the fields below it. */
  readonly fields: FieldRules | undefined;
}

/** How a class turns annotated names of its body into constructor parameters, and plain ones into enumeration members. */
export interface FieldRules {
  readonly isEnum: boolean;
  /** Field declarations that are constructor parameters, in order; undefined for ordinary classes. */
  readonly components: number[] | undefined;
  /** Flags of the components from here on: a `KW_ONLY` marker changes them. */
  componentFlags: number;
}

export interface Method {
  readonly receiver: string;
  readonly classScope: number;
  readonly classDecl: number;
}

/** A body to walk later. */
export interface Job {
  readonly run: () => void;
  /** The class whose constructor this is, else -1: constructors declare fields before other methods do. */
  readonly constructorOf: number;
}

/** A narrowed name, in the block scope where the narrowing holds. */
interface Narrowed {
  readonly decl: number;
  readonly type: number;
}

/** Deeper nesting than this is recorded flat, without structure: a stack has an end. */
const DEPTH_MOST = 250;
/** Scopes times this plus the row of a name is a key. */
const NAMES_MOST = 2 ** 26;

export class Walk {
  readonly build: SummaryBuilder;
  readonly text: string;
  frame: Frame;
  /** Bodies that are still to be walked; may grow while they are. */
  readonly jobs: Job[] = [];
  /** Local names bound by imports to what they import: `cast` to `typing.cast`. */
  readonly imported = new Map<string, string>();
  /** Classes of this file whose bases make annotated fields constructor parameters (pydantic models and their like). */
  readonly modelClasses = new Set<string>();
  /** Module variables made by `TypeVar` and its kind. */
  readonly typeVars = new Map<string, number>();
  /** Type variables seen in the annotations under way, in order. */
  seenTypeVars: Set<number> | undefined;
  /** How many branches and loops of the frame are around: outside of all an assignment ends the earlier ones. */
  branches = 0;
  readonly exports = new ExportList();
  /** Starts of identifiers that have a row; only kept for trees with errors. */
  readonly covered: Set<number> | undefined;
  private readonly kinds: Uint8Array;
  private readonly fields: Uint8Array;
  private readonly declared = new Map<number, number>();
  private readonly narrowed = new Map<number, Narrowed>();
  readonly narrowedPaths: NarrowedPaths;
  private depth = 0;

  constructor(readonly tree: FlatTree) {
    this.build = new SummaryBuilder(tree);
    this.narrowedPaths = new NarrowedPaths({
      parentOf: (scope) => this.build.scopeParent(scope),
      hides: (scope, name) => this.declaredIn(scope, name) >= 0,
    });
    this.text = tree.text;
    const vocabulary = vocabularyOf(tree);
    this.kinds = vocabulary.kind;
    this.fields = vocabulary.field;
    this.covered = tree.kind.subarray(0, tree.length).includes(ERROR_KIND) ? new Set() : undefined;
    this.frame = {
      kind: 'module',
      scope: 0,
      around: 0,
      decl: -1,
      block: -1,
      outer: undefined,
      method: undefined,
      elsewhere: undefined,
      returned: [],
      yielded: [],
      fields: undefined,
    };
  }

  // ---- the tree

  /** Kind of a node, one of `K`. */
  kind(node: number): number {
    return this.kinds[this.tree.kind[node] as number] as number;
  }
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
  isEmpty(node: number): boolean {
    return this.tree.start[node] === this.tree.end[node];
  }
  /** First named child that is no comment, or -1. */
  first(node: number): number {
    return this.namedFrom(node + 1, this.tree.skip[node] as number);
  }
  /** Next named sibling that is no comment, or -1. Not for the root. */
  next(node: number): number {
    return this.namedFrom(this.tree.skip[node] as number, this.tree.skip[this.tree.parent[node] as number] as number);
  }
  private namedFrom(from: number, stop: number): number {
    const { flags, kind, skip } = this.tree;
    for (let c = from; c < stop; c = skip[c] as number) {
      if (((flags[c] as number) & (NAMED | EXTRA)) === NAMED || kind[c] === ERROR_KIND) return c;
    }
    return -1;
  }
  /** Whether a child is an expression rather than a token or comment. */
  isOperand(child: number): boolean {
    return ((this.tree.flags[child] as number) & (NAMED | EXTRA)) === NAMED || this.tree.kind[child] === ERROR_KIND;
  }
  /** The named child in a field, or -1. */
  child(node: number, field: number): number {
    for (let c = this.first(node); c !== -1; c = this.next(c)) if (this.field(c) === field) return c;
    return -1;
  }
  /** First child of a kind, tokens included, or -1. */
  childOf(node: number, kind: number): number {
    const { skip } = this.tree;
    const stop = skip[node] as number;
    for (let c = node + 1; c < stop; c = skip[c] as number) if (this.kind(c) === kind) return c;
    return -1;
  }
  /** False where the nesting is too deep to go on; else `leaveLevel` must follow. */
  enterLevel(): boolean {
    if (this.depth >= DEPTH_MOST) return false;
    this.depth++;
    return true;
  }
  leaveLevel(): void {
    this.depth--;
  }

  // ---- rows

  nameRow(node: number, scope: number, role: Role): number {
    const start = this.start(node);
    if (this.isEmpty(node)) return this.build.expr(E.other, start, start, scope);
    this.covered?.add(start);
    return this.build.expr(E.name, start, this.end(node), scope, this.textOf(node), -1, -1, role);
  }
  memberRow(node: number, receiver: number, scope: number, role: Role): number {
    const start = this.start(node);
    if (this.isEmpty(node)) return this.build.expr(E.other, start, start, scope);
    this.covered?.add(start);
    return this.build.expr(E.member, start, this.end(node), scope, this.textOf(node), receiver, -1, role);
  }
  other(node: number, scope: number): number {
    return this.build.expr(E.other, this.start(node), this.end(node), scope);
  }

  // ---- scopes and frames

  /** Parent for the scope of a function, lambda or comprehension that stands in `scope`. */
  closureParent(scope: number): number {
    return this.frame.kind === 'class' ? this.frame.around : scope;
  }
  blockScope(scope: number): number {
    return this.build.scope(S.block, scope, this.build.scopeOwner(scope), this.build.scopeBlock(scope));
  }
  within(frame: Frame, walk: () => void): void {
    const outer = this.frame;
    const { branches } = this;
    this.frame = frame;
    this.branches = 0;
    walk();
    this.frame = outer;
    this.branches = branches;
  }
  runJobs(): void {
    for (let i = 0; i < this.jobs.length; i++) (this.jobs[i] as Job).run();
  }

  // ---- declarations so far

  /** First declaration of a name in a scope, or -1. */
  declaredIn(scope: number, name: string): number {
    return this.declared.get(scope * NAMES_MOST + this.build.name(name)) ?? -1;
  }
  /** Remembers a declaration; the first of a name stays. */
  remember(scope: number, name: string, decl: number): void {
    const key = scope * NAMES_MOST + this.build.name(name);
    if (!this.declared.has(key)) this.declared.set(key, decl);
  }
  /** Whether the file declares the name in a scope that is seen from `scope`. */
  isBound(scope: number, name: string): boolean {
    for (let s = scope; s >= 0; s = this.build.scopeParent(s)) if (this.declaredIn(s, name) >= 0) return true;
    return false;
  }
  /** Whether a bare name stands for the builtin of that name. */
  isBuiltin(node: number, scope: number): boolean {
    return !this.isBound(scope, this.textOf(node));
  }
  /** Whether the name is a parameter or local variable seen from `scope`. */
  isLocal(scope: number, name: string): boolean {
    for (let s = scope; s >= 0; s = this.build.scopeParent(s)) {
      const decl = this.declaredIn(s, name);
      if (decl < 0) continue;
      const kind = this.build.get(decl, 'kind');
      return kind === D.param || kind === D.local;
    }
    return false;
  }

  // ---- narrowing

  /** Declares that a local name has a type in a block scope. */
  narrow(scope: number, name: string, nameStart: number, type: number): void {
    const end = nameStart + name.length;
    const decl = this.build.decl({
      kind: D.local,
      name,
      nameStart,
      start: nameStart,
      end,
      scope,
      parent: this.build.scopeBlock(scope),
      flags: F.narrowing,
      type,
    });
    this.narrowed.set(scope * NAMES_MOST + this.build.name(name), { decl, type });
  }

  /**
   * An assignment ends a narrowing. The block then has a variable of its own, which has the
   * values of both; the narrowing itself becomes a cast.
   */
  endNarrowings(
    name: string,
    scope: number,
    bound: { readonly nameStart: number; readonly type: number; readonly value: number },
  ): void {
    if (this.narrowed.size === 0) return;
    const row = this.build.name(name);
    for (let s = scope; s >= 0 && s !== this.frame.scope; s = this.build.scopeParent(s)) {
      const key = s * NAMES_MOST + row;
      const known = this.narrowed.get(key);
      if (known === undefined) continue;
      if (this.build.get(known.decl, 'value') < 0) {
        const at = this.build.get(known.decl, 'nameStart');
        this.build.set(known.decl, 'flags', 0);
        this.build.set(known.decl, 'value', this.build.expr(E.cast, at, at, s, '', -1, known.type, R.read));
        this.build.set(known.decl, 'type', -1);
      }
      this.build.decl({
        kind: D.local,
        name,
        nameStart: bound.nameStart,
        start: bound.nameStart,
        end: bound.nameStart + name.length,
        scope: s,
        parent: this.build.scopeBlock(s),
        flags: F.reassigned,
        type: bound.type,
        value: bound.value,
      });
    }
  }
}
