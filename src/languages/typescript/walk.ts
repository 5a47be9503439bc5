/**
 * What the handlers of TypeScript and JavaScript pass on to each other: the function around, and
 * what tests and assignments said of names so far.
 */
import type { SummaryBuilder } from '../../syntax/summary-builder.js';
import { S } from '../../syntax/summary.js';
import type * as walk from '../../syntax/tree-walk.js';
import { NarrowedPaths } from '../narrowed-paths.js';
import { constructorNames } from './constructor-names.js';
import type { TypeScriptKind } from './kinds.js';

export type Walk = walk.TreeWalk<TypeScriptState>;
export type Handler = walk.Handler<TypeScriptState>;
export type Table = walk.Table<TypeScriptState, TypeScriptKind>;

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

/** A thing on which members can be put after its declaration: a class that is written as a function, or an object. */
export interface PutOn {
  readonly decl: number;
  /** Scope that its members are declared in, and the one that their text sees. */
  readonly members: number;
  readonly around: number;
  readonly isClass: boolean;
  /** What a class's methods assign to `this`. */
  readonly assigned: ThisAssignment[] | undefined;
}

/** An object literal whose members are blocks. */
interface MemberLiteral {
  readonly node: number;
  readonly owner: number;
  /** Whether a module exports it as a whole: its functions alone are blocks. */
  readonly isOffered?: boolean;
  /** The class whose prototype gets the members. */
  readonly on?: PutOn;
}

/** What statements need to know of the function around them. */
interface FunctionContext {
  /** Scope that `var` declares in. */
  readonly varScope: number;
  /** Rows returned, or yielded by a generator. */
  readonly results: number[];
  readonly generator: boolean;
  /** Where assignments to `this` are collected; undefined where `this` is not an instance. */
  readonly thisAssignments: ThisAssignment[] | undefined;
  readonly inConstructor: boolean;
}

export class TypeScriptState {
  context: FunctionContext = contextOf(0);
  /** Scope for the names that `infer` declares: that of the conditional type around. */
  inferScope = -1;
  /** The row of the right side of each `instanceof` node, for narrowing. */
  readonly instanceTests = new Map<number, number>();
  readonly narrowedPaths: NarrowedPaths;
  /**
   * The object literal that is the whole value of a module's variable without a declared type, whose members are blocks
   * of the variable, or that holds members for a prototype.
   */
  memberLiteral: MemberLiteral | undefined;
  /** Names of the object that a CommonJS file exports. */
  readonly exportsNames = new Set(['exports']);
  /** Names of functions that are classes, and by their declarations the things that members can be put on. */
  readonly constructors: ReadonlySet<string>;
  readonly putOn = new Map<number, PutOn>();
  /** Prefix operators that are put around the node which ends a chain, and where the links of such a chain begin. */
  readonly prefixes = new Map<number, readonly number[]>();
  readonly chainStarts = new Map<number, number>();
  /** Scopes in which a name is declared by `let x;`, so that its type comes from assignments. */
  readonly unassigned = new Map<string, number[]>();

  constructor(
    build: SummaryBuilder,
    /** JavaScript, with Flow's types perhaps, where `this.x = v` declares a field. */
    readonly untyped: boolean,
    /** Names in blocks are seen in the whole function: scripts of plain JavaScript. */
    readonly sloppy: boolean,
  ) {
    this.constructors = untyped ? constructorNames(build.text) : new Set();
    this.narrowedPaths = new NarrowedPaths({
      parentOf: (scope) => build.scopeParent(scope),
      hides: (scope, name) =>
        name === 'this' ? build.scopeKind(scope) === S.class : build.findDecl(scope, name) !== -1,
    });
  }
}

/** The context of code outside functions, where `var` declares in the scope. */
export function contextOf(varScope: number): FunctionContext {
  return { varScope, results: [], generator: false, thisAssignments: undefined, inConstructor: false };
}

/** A node that has no meaning of its own, whose parts count. */
export const walkParts: Handler = (w, node, scope) => {
  w.children(node, scope);
  return w.firstChild(node) === -1 ? -1 : w.other(node, scope);
};
