/**
 * How deep nested a text may be that is read, and what counts as nesting.
 *
 * Both flattenings make one ERROR node without children of what is nested deeper than
 * {@link NESTING_MOST}. So whatever walks a flat tree may recurse once a level.
 *
 * Chains are ordinary code, however long, and nested only in the tree: all links of one count as one level.
 * Whoever follows a chain without the walk's own limit does so in a loop.
 *
 *     a + b + c     a.b().c()     A | B | C         a link begins where the link around it begins
 *     if … else if … else if …                      a link is what comes after an `else`
 */

/**
 * Levels that are read. Hand-written code stays below 100. The smallest stack, that of the main thread, bears
 * three times as many in every walk.
 */
export const NESTING_MOST = 500;

/** Kinds whose left operand may be one of them in turn. */
const LEANING: ReadonlySet<string> = new Set([
  'array_access',
  'attribute',
  'binary_expression',
  'binary_operator',
  'boolean_operator',
  'call',
  'call_expression',
  'element_access_expression',
  'field_access',
  'invocation_expression',
  'member_access_expression',
  'member_expression',
  'method_invocation',
  'or_pattern',
  'subscript',
  'subscript_expression',
  'union_type',
]);

/** What of a grammar says which nodes are links of chains. */
export interface Chains {
  /** 1 for the kinds that lean on their left operand. */
  readonly leans: Uint8Array;
  /** Kind numbers; -1 where the grammar has none. */
  readonly branch: number;
  readonly elseBranch: number;
  /** Field of what comes after an `else`, or -1. */
  readonly alternative: number;
}

export function chainsOf(kindNames: readonly string[], fieldNames: readonly (string | null)[]): Chains {
  return {
    leans: Uint8Array.from(kindNames, (name) => (LEANING.has(name) ? 1 : 0)),
    branch: kindNames.indexOf('if_statement'),
    elseBranch: kindNames.indexOf('else_clause'),
    alternative: fieldNames.indexOf('alternative'),
  };
}

/** What `isLink` has to know of a node. */
interface Node {
  readonly kind: Uint16Array;
  readonly field: Uint16Array;
  readonly start: Uint32Array;
}

/** Whether a node goes on with the chain that its parent is a link of, so that it is nested no deeper. */
export function isLink({ kind, field, start }: Node, node: number, parent: number, chains: Chains): boolean {
  const own = kind[node] as number;
  const around = kind[parent] as number;
  if (chains.leans[own] === 1) return chains.leans[around] === 1 && start[node] === start[parent];
  if (own === chains.elseBranch) return around === chains.branch;
  return (
    own === chains.branch &&
    (around === chains.elseBranch || (around === chains.branch && field[node] === chains.alternative))
  );
}
