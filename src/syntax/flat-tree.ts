/**
 * A syntax tree as columns of numbers, in pre-order.
 *
 * Extraction reads this and nothing of tree-sitter: an array read costs a nanosecond where a
 * call into the wasm module costs a microsecond, and the wasm tree can be freed at once.
 *
 *     index      0        1        2      3   ...
 *     kind       module   class    name   body
 *     end of     n        9        3      9        skip[i] is the first index after i's subtree
 *     subtree
 *
 * So the first child of `i` is `i + 1` if `i + 1 < skip[i]`, and the next sibling of `c` is
 * `skip[c]` as long as that is below `skip[parent]`. Offsets are UTF-16 code units, end exclusive.
 * The columns belong to one buffer which the next parse overwrites: keep no FlatTree.
 */
export interface FlatTree {
  /** The whole text. */
  readonly text: string;
  /** Number of nodes. */
  readonly length: number;
  /** Kind number of the grammar; `kindNames[kind[i]]` is the name tree-sitter gives it. */
  readonly kind: Uint16Array;
  /** Field number of the grammar, 0 for none. */
  readonly field: Uint16Array;
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly skip: Uint32Array;
  /** Index of the parent; the root is its own parent. */
  readonly parent: Uint32Array;
  /** Bits of {@link NAMED}, {@link MISSING}, {@link EXTRA}, {@link TOO_DEEP}, {@link TOO_COSTLY}. */
  readonly flags: Uint8Array;
  /** Whether there is no ERROR in it and nothing MISSING: most files need not be searched for either. */
  readonly isWhole: boolean;
  readonly kindNames: readonly string[];
  readonly fieldNames: readonly (string | null)[];
}

/** The node is named in the grammar (not punctuation or a keyword). */
export const NAMED = 1;
/** The parser made the node up to recover from an error; it has no text. */
export const MISSING = 2;
/** The node may stand anywhere (a comment). */
export const EXTRA = 4;

/**
 * An ERROR node that stands for a whole subtree which is nested too deep to be read (nesting.ts); it has no children.
 */
export const TOO_DEEP = 8;

/** The one node of a tree that the parser would have taken too long for. */
export const TOO_COSTLY = 16;

/** The kind number of ERROR nodes in every grammar. */
export const ERROR_KIND = 65535;

/** The tree of a text that could not be parsed at all: one ERROR node over all of it. No extractor need look at it. */
export function withoutNodes(text: string, flags = 0): FlatTree {
  return {
    text,
    length: 1,
    isWhole: false,
    kind: Uint16Array.of(ERROR_KIND),
    field: Uint16Array.of(0),
    start: Uint32Array.of(0),
    end: Uint32Array.of(text.length),
    skip: Uint32Array.of(1),
    parent: Uint32Array.of(0),
    flags: Uint8Array.of(flags),
    kindNames: [],
    fieldNames: [],
  };
}

/** Whether a tree is one of {@link withoutNodes}: those of a grammar have kinds. */
export const isUnparsed = (tree: FlatTree): boolean => tree.kindNames.length === 0;

/** Name of the node's kind; `ERROR` for what could not be parsed. */
export function kindOf(tree: FlatTree, node: number): string {
  const kind = tree.kind[node] as number;
  return kind === ERROR_KIND ? 'ERROR' : (tree.kindNames[kind] as string);
}

/** Name of the field by which the parent refers to this node, or undefined. */
export function fieldOf(tree: FlatTree, node: number): string | undefined {
  return tree.fieldNames[tree.field[node] as number] ?? undefined;
}

export function textOf(tree: FlatTree, node: number): string {
  return tree.text.slice(tree.start[node], tree.end[node]);
}

export function isNamed(tree: FlatTree, node: number): boolean {
  return ((tree.flags[node] as number) & NAMED) !== 0;
}

/** First child of any sort, or -1. */
export function firstChild(tree: FlatTree, node: number): number {
  return node + 1 < (tree.skip[node] as number) ? node + 1 : -1;
}

/** Next sibling of any sort, or -1. */
export function nextSibling(tree: FlatTree, node: number): number {
  const next = tree.skip[node] as number;
  return node !== 0 && next < (tree.skip[tree.parent[node] as number] as number) ? next : -1;
}

/** The child in the named field, or -1. The first one where the grammar allows several. */
export function childByField(tree: FlatTree, node: number, field: string): number {
  for (let c = firstChild(tree, node); c !== -1; c = nextSibling(tree, c)) if (fieldOf(tree, c) === field) return c;
  return -1;
}

/** The first child of the kind, or -1. Works for keywords too: `childOfKind(tree, n, 'async')`. */
export function childOfKind(tree: FlatTree, node: number, kind: string): number {
  for (let c = firstChild(tree, node); c !== -1; c = nextSibling(tree, c)) if (kindOf(tree, c) === kind) return c;
  return -1;
}

/** Named children that are not comments, in order. */
export function namedChildren(tree: FlatTree, node: number): number[] {
  const out: number[] = [];
  for (let c = firstChild(tree, node); c !== -1; c = nextSibling(tree, c)) {
    if (((tree.flags[c] as number) & (NAMED | EXTRA)) === NAMED) out.push(c);
  }
  return out;
}

/** First named child that is not a comment, or -1. */
export function firstNamed(tree: FlatTree, node: number): number {
  for (let c = firstChild(tree, node); c !== -1; c = nextSibling(tree, c)) {
    if (((tree.flags[c] as number) & (NAMED | EXTRA)) === NAMED) return c;
  }
  return -1;
}
