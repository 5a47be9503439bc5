/**
 * What tells without reading that a file is still the one that was read: size, times, inode.
 *
 * Times have the resolution of the file system's clock, so a file that was written again within
 * that resolution keeps its stamp. A stamp taken so soon after the last write therefore counts
 * as unsettled, and whoever trusts stamps has to look at the content instead.
 */
import type { Stats } from 'node:fs';

export interface FileStamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

/** The coarsest clock of a file system in use (FAT). */
const CLOCK_RESOLUTION_MS = 2000;

export function stampOf(stats: Stats): FileStamp {
  return { size: stats.size, mtimeMs: stats.mtimeMs, ctimeMs: stats.ctimeMs, inode: stats.ino };
}

export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.inode === b.inode;
}

/** Whether a later write must show in the stamp, if the stamp was taken at `takenMs`. */
export function isSettled(stamp: FileStamp, takenMs: number): boolean {
  return takenMs - Math.max(stamp.mtimeMs, stamp.ctimeMs) > CLOCK_RESOLUTION_MS;
}
