/**
 * Sizes of a snapshot, for status.
 */
import { isOwnBlock } from '../change/match-blocks.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { LanguageId, Summary } from '../syntax/summary.js';

export interface SnapshotCounts {
  readonly files: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly languages: { language: LanguageId; files: number; blocks: number; lines: number }[];
}

const blocksMemo = new WeakMap<Summary, number>();

function blocksOf(summary: Summary): number {
  let blocks = blocksMemo.get(summary);
  if (blocks === undefined) {
    blocks = 0;
    for (let decl = 0; decl < summary.decls.count; decl++) if (isOwnBlock(summary, decl)) blocks++;
    blocksMemo.set(summary, blocks);
  }
  return blocks;
}

export function countsOf(snapshot: Snapshot): SnapshotCounts {
  const languages = new Map<LanguageId, { language: LanguageId; files: number; blocks: number; lines: number }>();
  let blocks = 0;
  let bytes = 0;
  for (const summary of snapshot.files.values()) {
    let entry = languages.get(summary.language);
    if (entry === undefined)
      languages.set(summary.language, (entry = { language: summary.language, files: 0, blocks: 0, lines: 0 }));
    entry.files++;
    entry.blocks += blocksOf(summary);
    entry.lines += summary.lineStarts.length;
    blocks += blocksOf(summary);
    bytes += summary.columnBytes;
  }
  return {
    files: snapshot.files.size,
    blocks,
    bytes,
    languages: [...languages.values()].sort((a, b) => (a.language < b.language ? -1 : 1)),
  };
}
