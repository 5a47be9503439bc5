/**
 * Sizes of a snapshot, for status.
 */
import { keptWith } from '../base/turns.js';
import { isOwnBlock } from '../change/match-blocks.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { LanguageId, Summary } from '../syntax/summary.js';

export interface SnapshotCounts {
  readonly files: number;
  readonly blocks: number;
  readonly bytes: number;
  readonly languages: { language: LanguageId; files: number; blocks: number; lines: number }[];
}

interface Sizes {
  readonly blocks: number;
  readonly bytes: number;
}

/** Status is asked for again and again while a repository is read. */
const sizesMemo = new WeakMap<Summary, Sizes>();

const sizesOf = (summary: Summary): Sizes => keptWith(sizesMemo, summary, findSizes);

function findSizes(summary: Summary): Sizes {
  let blocks = 0;
  for (let decl = 0; decl < summary.decls.count; decl++) if (isOwnBlock(summary, decl)) blocks++;
  return { blocks, bytes: summary.columnBytes };
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
    const sizes = sizesOf(summary);
    entry.blocks += sizes.blocks;
    entry.lines += summary.lineStarts.length;
    blocks += sizes.blocks;
    bytes += sizes.bytes;
  }
  return {
    files: snapshot.files.size,
    blocks,
    bytes,
    languages: [...languages.values()].sort((a, b) => (a.language < b.language ? -1 : 1)),
  };
}
