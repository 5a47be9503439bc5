/**
 * Hashes of blocks: what tells whether an edit changed a block's header or body.
 */
import { RunningHash } from '../base/hash.js';
import { EXTRA, kindOf, type FlatTree } from './flat-tree.js';
import { D, F, isBlockKind } from './summary.js';

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

interface OpenBlock {
  readonly row: number;
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** Depth in the tree of the first token of the header and of the body; -1 before that. */
  headerDepth: number;
  bodyDepth: number;
  /** Whether the node that is the whole body has gone by. */
  inBody: boolean;
  readonly header: RunningHash;
  readonly body: RunningHash;
}

/**
 * Hashes each block's tokens and the shape of its tree, nested blocks left out. White space,
 * comments, trailing commas, optional semicolons and excluded spans do not count; the shape does,
 * so that a statement that leaves an `if` by its indentation alone is a change.
 * Gives the hash of what belongs to no block.
 */
export function hashBlocks(tree: FlatTree, decls: HashedDecls, unhashed: readonly { start: number; end: number }[], insignificant: string): number {
  const blocks: number[] = [];
  for (let d = 0; d < decls.count; d++) {
    const kind = decls.kind[d] as number;
    if (isBlockKind(kind) && kind !== D.namespace && ((decls.flags[d] as number) & (F.reassigned | F.parameterField)) === 0) blocks.push(d);
  }
  blocks.sort((x, y) => (decls.start[x] as number) - (decls.start[y] as number) || (decls.end[y] as number) - (decls.end[x] as number) || x - y);
  const excluded = [...unhashed].sort((x, y) => x.start - y.start);
  const moduleHash = new RunningHash();
  const depth = new Uint16Array(tree.length);
  const stack: OpenBlock[] = [];
  let nextBlock = 0;
  let nextExcluded = 0;
  const close = (): void => {
    const done = stack.pop() as OpenBlock;
    decls.headerHash[done.row] = done.header.value();
    decls.bodyHash[done.row] = done.body.value();
  };
  for (let i = 1; i < tree.length; i++) {
    const start = tree.start[i] as number;
    const end = tree.end[i] as number;
    depth[i] = (depth[tree.parent[i] as number] as number) + 1;
    if (start === end) continue;
    while (nextExcluded < excluded.length && (excluded[nextExcluded] as { end: number }).end <= start) nextExcluded++;
    const skipped = excluded[nextExcluded];
    if (skipped !== undefined && start >= skipped.start && end <= skipped.end) {
      i = (tree.skip[i] as number) - 1;
      continue;
    }
    if (((tree.flags[i] as number) & EXTRA) !== 0 && kindOf(tree, i).includes('comment')) {
      i = (tree.skip[i] as number) - 1;
      continue;
    }
    while (stack.length > 0 && start >= (stack[stack.length - 1] as OpenBlock).end) close();
    while (nextBlock < blocks.length && start >= (decls.start[blocks[nextBlock] as number] as number)) {
      const row = blocks[nextBlock++] as number;
      const bodyStart = decls.bodyStart[row] as number;
      stack.push({ row, start: decls.start[row] as number, end: decls.end[row] as number, bodyStart, headerDepth: -1, bodyDepth: -1, inBody: false, header: new RunningHash(), body: new RunningHash() });
      while (stack.length > 1 && (stack[stack.length - 2] as OpenBlock).end <= start) stack.splice(stack.length - 2, 1).forEach((done) => {
        decls.headerHash[done.row] = done.header.value();
        decls.bodyHash[done.row] = done.body.value();
      });
    }
    const top = stack[stack.length - 1];
    const hash = top === undefined ? moduleHash : start >= top.bodyStart ? top.body : top.header;
    const leaf = tree.skip[i] === i + 1;
    if (!leaf) {
      // The shape, but only of nodes that lie within the block's own part: a wrapper of several
      // blocks says nothing of its own. Nor does what spans the whole block, nor the body's own
      // node: the body of a class with one member begins and ends where that member does.
      if (top === undefined || end > top.end) continue;
      const isBody = !top.inBody && start === top.bodyStart && end === top.end;
      if (isBody) top.inBody = true;
      else if (start !== top.start || end !== top.end) hash.word(tree.kind[i] as number);
      continue;
    }
    if (end - start === 1) {
      const c = tree.text.charCodeAt(start);
      if (insignificant !== '' && insignificant.includes(tree.text[start] as string)) continue;
      if (c === 0x2c /* , */ && closesAfter(tree.text, end)) continue;
    }
    hash.token(tree.text, start, end);
    if (top !== undefined) {
      // Relative to the first token, so that it does not matter what surrounds the part.
      const own = depth[i] as number;
      if (start >= top.bodyStart) {
        if (top.bodyDepth === -1) top.bodyDepth = own;
        hash.word(own - top.bodyDepth);
      } else {
        if (top.headerDepth === -1) top.headerDepth = own;
        hash.word(own - top.headerDepth);
      }
    }
  }
  while (stack.length > 0) close();
  return moduleHash.value();
}

function closesAfter(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 32 || c === 10 || c === 13 || c === 9) continue;
    return c === 0x29 || c === 0x5d || c === 0x7d;
  }
  return false;
}
