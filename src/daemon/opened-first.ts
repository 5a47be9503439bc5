/**
 * Files that clients open while the repository is still being listed: a worker reads them meanwhile, and is awake
 * when the others are known.
 */
import type { DiskFile } from '../engine/event.js';
import type { ParsePool } from '../io/index/parse-pool.js';
import type { Reading } from '../io/index/read-sources.js';
import type { Summary } from '../syntax/summary.js';

/** Editors bring back dozens of files at once; the one that is looked at is among the first. */
const FILES_MOST = 8;

export class OpenedFirst {
  private readonly read = new Map<string, Promise<DiskFile | undefined>>();

  constructor(
    private readonly root: string,
    private readonly pool: ParsePool,
    private readonly signal: AbortSignal,
  ) {}

  /** `path` is relative to the root; whether it belongs to the repository is not known yet. */
  begin(path: string): void {
    if (this.read.size < FILES_MOST && !this.read.has(path)) this.read.set(path, this.reading(path));
  }

  /** What lay on the disk when the file was opened first; undefined where it was not read. */
  fileOf(path: string): Promise<DiskFile | undefined> {
    return this.read.get(path) ?? NOT_READ;
  }

  forget(): void {
    this.read.clear();
  }

  private async reading(path: string): Promise<DiskFile | undefined> {
    let file: DiskFile | undefined;
    const read = this.pool.readAhead(this.root, path, (some) => (file = filesOf(some).get(path)), this.signal);
    // It is given up when the engine ends, and nobody may be waiting.
    await read.catch(() => undefined);
    return file;
  }
}

const NOT_READ = Promise.resolve(undefined);

export function filesOf(readings: readonly Reading<Summary>[]): Map<string, DiskFile> {
  return new Map(
    readings.flatMap((reading): [string, DiskFile][] => {
      if (reading.kind !== 'summary') return [];
      const { path, summary, digest, byteOrderMark } = reading;
      return [[path, { summary, digest, byteOrderMark }]];
    }),
  );
}
