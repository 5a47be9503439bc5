/**
 * What the handlers of Java pass on to each other: the lists that `return` and `yield` fill, what
 * is known only once the whole file was seen, and which statements bind names by `instanceof`.
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import type { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { DeclKind } from '../../syntax/summary.js';
import type * as walk from '../../syntax/tree-walk.js';
import type { JavaKind } from './kinds.js';

export type Walk = walk.TreeWalk<JavaState>;
export type Handler = walk.Handler<JavaState>;
export type Table = walk.Table<JavaState, JavaKind>;

/** A `case NAME` label: a constant of the selector's type, or a constant in scope. */
export interface CaseLabel {
  readonly node: number;
  readonly scope: number;
  readonly selector: number;
}

export class JavaState {
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
  /** `instanceof` nodes that bind a name, ascending; set before the walk. */
  bindings: readonly number[] = [];

  constructor(
    private readonly tree: FlatTree,
    private readonly build: SummaryBuilder,
  ) {}

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
    return low < bindings.length && (bindings[low] as number) < (this.tree.skip[node] as number);
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
}
