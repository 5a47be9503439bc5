/**
 * Flattens a tree through tree-sitter's public cursor: slow, and right by definition.
 * It checks `memory-walk.ts` and stands in for it where the two disagree.
 */
import type { Tree, TreeCursor } from 'web-tree-sitter';
import { ERROR_KIND, EXTRA, MISSING, NAMED, TOO_DEEP, type FlatTree } from './flat-tree.js';
import type { FlatTreeBuffer } from './memory-walk.js';
import { chainsOf, isLink, NESTING_MOST } from './nesting.js';

/** Same result as `walkMemory`. Linear in the nodes, about fifteen times slower. */
export function walkCursor(
  tree: Tree,
  kindNames: readonly string[],
  fieldNames: readonly (string | null)[],
  text: string,
  buffer: FlatTreeBuffer,
): FlatTree {
  const cursor = tree.walk();
  const chains = chainsOf(kindNames, fieldNames);
  /** The nodes around, and the levels of nesting that each is below the root. */
  const open: number[] = [];
  const levels: number[] = [];
  let length = 0;
  let isWhole = true;
  for (;;) {
    while (length >= buffer.capacity) buffer.grow();
    const index = length++;
    const parent = open[open.length - 1] ?? 0;
    write(buffer, cursor, index, parent);
    if (cursor.nodeTypeId === ERROR_KIND || cursor.nodeIsMissing) isWhole = false;
    if (cursor.gotoFirstChild()) {
      const around = levels[levels.length - 1] ?? -1;
      const level = open.length > 0 && isLink(buffer, index, parent, chains) ? around : around + 1;
      if (level <= NESTING_MOST) {
        open.push(index);
        levels.push(level);
        continue;
      }
      cursor.gotoParent();
      buffer.kind[index] = ERROR_KIND;
      isWhole = false;
      buffer.flags[index] = (buffer.flags[index] as number) | TOO_DEEP;
    }
    buffer.skip[index] = length;
    while (!cursor.gotoNextSibling()) {
      const closed = open.pop();
      if (closed === undefined) {
        cursor.delete();
        return buffer.view(text, length, isWhole, kindNames, fieldNames);
      }
      levels.pop();
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
