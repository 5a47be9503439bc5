/**
 * Flattens a tree through tree-sitter's public cursor: slow, and right by definition.
 * It checks `memory-walk.ts` and stands in for it where the two disagree.
 */
import type { Tree, TreeCursor } from 'web-tree-sitter';
import { EXTRA, MISSING, NAMED, type FlatTree } from './flat-tree.js';
import type { FlatTreeBuffer } from './memory-walk.js';

/** Same result as `walkMemory`. Linear in the nodes, about fifteen times slower. */
export function walkCursor(
  tree: Tree,
  kindNames: readonly string[],
  fieldNames: readonly (string | null)[],
  text: string,
  buffer: FlatTreeBuffer,
): FlatTree {
  const cursor = tree.walk();
  const open: number[] = [];
  let length = 0;
  for (;;) {
    while (length >= buffer.capacity) buffer.grow();
    const index = length++;
    write(buffer, cursor, index, open[open.length - 1] ?? 0);
    if (cursor.gotoFirstChild()) {
      open.push(index);
      continue;
    }
    buffer.skip[index] = length;
    while (!cursor.gotoNextSibling()) {
      const closed = open.pop();
      if (closed === undefined) {
        cursor.delete();
        return buffer.view(text, length, kindNames, fieldNames);
      }
      buffer.skip[closed] = length;
      cursor.gotoParent();
    }
  }
}

function write(buffer: FlatTreeBuffer, cursor: TreeCursor, index: number, parent: number): void {
  const node = cursor.currentNode;
  buffer.kind[index] = cursor.nodeTypeId;
  buffer.field[index] = cursor.currentFieldId;
  buffer.start[index] = cursor.startIndex;
  buffer.end[index] = cursor.endIndex;
  buffer.parent[index] = parent;
  buffer.flags[index] =
    (cursor.nodeIsNamed ? NAMED : 0) | (cursor.nodeIsMissing ? MISSING : 0) | (node.isExtra ? EXTRA : 0);
}
