/**
 * What the handlers of Python pass on to each other: the frame that assignments bind in, and what
 * is declared so far.
 *
 * Two things move with the position: the `scope` (an argument of every handler; comprehensions,
 * narrowed branches and headers open one) and the `frame` (module, class, function or lambda),
 * which says where a plain assignment binds. Bodies of functions wait in `jobs` until the code
 * around them is done, so that a `global` or `self.x` finds what the outer code declares.
 */
import type { SummaryBuilder } from '../../syntax/summary-builder.js';
import { D, E, F, R } from '../../syntax/summary.js';
import type * as walk from '../../syntax/tree-walk.js';
import { NarrowedPaths } from '../narrowed-paths.js';
import { ExportList } from './export-list.js';
import type { PythonKind } from './kinds.js';

export type Walk = walk.TreeWalk<PythonState>;
export type Handler = walk.Handler<PythonState>;
export type Table = walk.Table<PythonState, PythonKind>;

/** What surrounds a statement as far as binding of names goes. */
export interface Frame {
  readonly kind: 'module' | 'class' | 'function' | 'lambda';
  /** Where assignments bind. */
  readonly scope: number;
  /**
   * Parent scope of functions, lambdas and comprehensions made here when the frame is a class: class names are not seen
   * from them.
   */
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

/**
 * How a class turns annotated names of its body into constructor parameters, and plain ones into enumeration members.
 */
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

/** Scopes times this plus the row of a name is a key. */
const NAMES_MOST = 2 ** 26;

export class PythonState {
  frame: Frame = {
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
  /** How many `break` statements were read. */
  breaks = 0;
  readonly exports = new ExportList();
  readonly narrowedPaths: NarrowedPaths;
  /** Frames by the scope in which they bind. */
  private readonly frames = new Map([[0, this.frame]]);
  private readonly declared = new Map<number, number>();
  private readonly narrowed = new Map<number, Narrowed>();
  private narrowing = { node: -1, scope: -1 };

  constructor(private readonly build: SummaryBuilder) {
    this.narrowedPaths = new NarrowedPaths({
      parentOf: (scope) => build.scopeParent(scope),
      hides: (scope, name) => this.declaredIn(scope, name) >= 0,
    });
  }

  // ---- frames

  /** Parent for the scope of a function, lambda or comprehension that stands in `scope`. */
  closureParent(scope: number): number {
    return this.frame.kind === 'class' ? this.frame.around : scope;
  }
  within(frame: Frame, walk: () => void): void {
    const outer = this.frame;
    const { branches } = this;
    this.frames.set(frame.scope, frame);
    this.frame = frame;
    this.branches = 0;
    walk();
    this.frame = outer;
    this.branches = branches;
  }
  /** Goes back to the frame that text in the scope binds in, for what is walked at the end. */
  enterFrameOf(scope: number): void {
    for (let s = scope; s >= 0; s = this.build.scopeParent(s)) {
      const frame = this.frames.get(s);
      if (frame === undefined) continue;
      this.frame = frame;
      return;
    }
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

  /** Says that the statements behind `node` in its block are in a scope of their own. */
  narrowBehind(node: number, scope: number): void {
    this.narrowing = { node, scope };
  }
  /** The scope of what stands behind a statement that was just walked; undefined for that of the statement. */
  behind(node: number): number | undefined {
    return this.narrowing.node === node ? this.narrowing.scope : undefined;
  }

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
