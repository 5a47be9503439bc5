/**
 * Hashes of blocks: what tells whether an edit changed a block's header or body.
 */
import { feedA, feedB, FIRST_A, FIRST_B, hashOfLanes, wordOf } from '../base/hash.js';
import { ERROR_KIND, EXTRA, kindOf, NAMED, type FlatTree } from './flat-tree.js';
import { D, F, isBlockKind, isClassLike } from './summary.js';

interface HashedDecls {
  readonly count: number;
  readonly kind: Uint8Array;
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly bodyStart: Int32Array;
  readonly flags: Int32Array;
  readonly headerHash: Float64Array;
  readonly bodyHash: Float64Array;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The running hash of a header or a body. */
interface Part {
  a: number;
  b: number;
  /** Depth in the tree of its first token; -1 before that. */
  depth: number;
}

interface OpenBlock {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** Whether its body is a list of members: what separates them is no code. */
  readonly listsMembers: boolean;
  /** Whether the node that is the whole body has gone by. */
  inBody: boolean;
  readonly header: Part;
  readonly body: Part;
}

const emptyPart = (): Part => ({ a: FIRST_A, b: FIRST_B, depth: -1 });

/** Depth of each node; used again for each tree of a thread. */
let depths = new Uint16Array(0);

/**
 * Of each kind's name the length and a word; 0 for numbers that the grammar does not use. By name, so that grammars
 * which share most of their kinds hash alike.
 */
interface KindWords {
  readonly length: Uint16Array;
  readonly word: Int32Array;
}

const known = new WeakMap<readonly string[], KindWords>();
function wordsOfKinds(names: readonly string[]): KindWords {
  let words = known.get(names);
  if (words === undefined) {
    words = { length: new Uint16Array(names.length), word: new Int32Array(names.length) };
    for (const [kind, name] of names.entries()) {
      // The list has holes.
      if ((name as string | undefined) === undefined) continue;
      words.length[kind] = name.length;
      words.word[kind] = wordOf(name, 0, name.length);
    }
    known.set(names, words);
  }
  return words;
}

/** Told apart from a token that is spelled as the kind is called. */
const SHAPE = 0x5bd1e995;

/**
 * Hashes each block's tokens and the shape of its tree, nested blocks left out. White space,
 * comments, trailing commas, optional semicolons and excluded spans do not count; the shape does,
 * so that a statement that leaves an `if` by its indentation alone is a change.
 * `insignificant` is the code of one such semicolon, -1 for none. Gives the hash of what belongs to no block.
 */
// eslint-disable-next-line complexity -- runs for every node or entry: its state lives in local variables
export function hashBlocks(
  tree: FlatTree,
  decls: HashedDecls,
  unhashed: readonly Span[],
  insignificant: number,
): number {
  const blocks = hashedBlocks(decls);
  const excluded = [...unhashed].sort((x, y) => x.start - y.start);
  const { text, start: starts, end: ends, skip: skips, parent: parents, kind: kinds, flags } = tree;
  const kindWords = wordsOfKinds(tree.kindNames);
  if (depths.length < tree.length) depths = new Uint16Array(starts.length);
  const depth = depths;
  const stack: OpenBlock[] = [];
  let nextBlock = 0;
  let nextExcluded = 0;
  const outside = emptyPart();
  // What the node at hand belongs to, up to the next offset at which that may change.
  let top: OpenBlock | undefined;
  let part = outside;
  let { a, b } = part;
  let until = 0;
  for (let i = 1; i < tree.length; i++) {
    const start = starts[i] as number;
    const end = ends[i] as number;
    const own = (depth[parents[i] as number] as number) + 1;
    depth[i] = own;
    if (start === end) continue;
    if (start >= until) {
      while (nextExcluded < excluded.length && (excluded[nextExcluded] as Span).end <= start) nextExcluded++;
      const skipped = excluded[nextExcluded];
      if (skipped !== undefined && start >= skipped.start && end <= skipped.end) {
        i = (skips[i] as number) - 1;
        continue;
      }
      part.a = a;
      part.b = b;
      for (;;) {
        while (top !== undefined && start >= top.end) {
          close(stack.pop() as OpenBlock, decls);
          top = stack.at(-1);
        }
        if (nextBlock === blocks.length || start < (decls.start[blocks[nextBlock] as number] as number)) break;
        stack.push((top = openBlock(decls, blocks[nextBlock++] as number)));
      }
      part = top === undefined ? outside : start >= top.bodyStart ? top.body : top.header;
      ({ a, b } = part);
      until = Math.min(
        nextBlock === blocks.length ? Infinity : (decls.start[blocks[nextBlock] as number] as number),
        top?.end ?? Infinity,
        part === top?.header ? top.bodyStart : Infinity,
        skipped?.start ?? Infinity,
      );
    }
    if (((flags[i] as number) & EXTRA) !== 0 && kindOf(tree, i).includes('comment')) {
      i = (skips[i] as number) - 1;
      continue;
    }
    const kind = kinds[i] as number;
    if (skips[i] !== i + 1) {
      // The shape, but only of nodes that lie within the block's own part: a wrapper of several
      // blocks says nothing of its own. Nor does what spans the whole block, nor the body's own
      // node: the body of a class with one member begins and ends where that member does.
      if (top === undefined || end > top.end) continue;
      if (!top.inBody && start === top.bodyStart && end === top.end) {
        top.inBody = true;
        continue;
      }
      if (start === top.start && end === top.end) continue;
      const word = (kindWords.word[kind] ?? ERROR_KIND) ^ SHAPE;
      a = feedA(a, word);
      b = feedB(b, word, a);
      continue;
    }
    if (end - start === 1) {
      const c = text.charCodeAt(start);
      if (c === insignificant || (c === 0x2c /* , */ && closesAfter(text, end))) continue;
      if ((c === 0x2c || c === 0x3b) /* , ; */ && top?.listsMembers === true && part === top.body) continue;
    }
    // What has no name in the grammar, a keyword or a bracket, is spelled as its kind is called.
    const spelled = ((flags[i] as number) & NAMED) === 0 && kindWords.length[kind] === end - start;
    const word = spelled ? (kindWords.word[kind] as number) : wordOf(text, start, end);
    a = feedA(a, end - start);
    b = feedB(b, end - start, a);
    a = feedA(a, word);
    b = feedB(b, word, a);
    if (top === undefined) continue;
    // Relative to the first token, so that it does not matter what surrounds the part.
    if (part.depth === -1) part.depth = own;
    a = feedA(a, own - part.depth);
    b = feedB(b, own - part.depth, a);
  }
  part.a = a;
  part.b = b;
  for (let open = stack.pop(); open !== undefined; open = stack.pop()) close(open, decls);
  return hashOfLanes(outside.a, outside.b);
}

/** Rows of the declarations that have hashes, outer ones before inner ones. */
function hashedBlocks(decls: HashedDecls): number[] {
  const blocks: number[] = [];
  for (let d = 0; d < decls.count; d++) {
    const kind = decls.kind[d] as number;
    if (
      isBlockKind(kind) &&
      kind !== D.namespace &&
      ((decls.flags[d] as number) & (F.reassigned | F.parameterField)) === 0
    )
      blocks.push(d);
  }
  return blocks.sort(
    (x, y) =>
      (decls.start[x] as number) - (decls.start[y] as number) ||
      (decls.end[y] as number) - (decls.end[x] as number) ||
      x - y,
  );
}

function openBlock(decls: HashedDecls, row: number): OpenBlock {
  const kind = decls.kind[row] as number;
  return {
    row,
    start: decls.start[row] as number,
    end: decls.end[row] as number,
    bodyStart: decls.bodyStart[row] as number,
    listsMembers: isClassLike(kind) || kind === D.typeAlias,
    inBody: false,
    header: emptyPart(),
    body: emptyPart(),
  };
}

function close({ row, header, body }: OpenBlock, decls: HashedDecls): void {
  decls.headerHash[row] = hashOfLanes(header.a, header.b);
  decls.bodyHash[row] = hashOfLanes(body.a, body.b);
}

function closesAfter(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 32 || c === 10 || c === 13 || c === 9) continue;
    return c === 0x29 || c === 0x5d || c === 0x7d;
  }
  return false;
}
