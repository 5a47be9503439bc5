/**
 * What tells cheaply that the folders of a repository hold what they held when they were read.
 *
 * A folder's times change with every file and folder that is made in it, moved or removed. So one look a
 * folder finds what no event told of: above all what came into a folder that was made a
 * moment before, of which watchers hear too late. A write in place changes no folder.
 */
import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { isForeign } from './ignore-rules.js';

/** Times are that coarse on file systems in use (FAT). */
const CLOCK_RESOLUTION_MS = 2000;

interface FolderStamp {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /**
   * Of a folder that changed so shortly before that a later change may not show: its entries, until its times are old.
   */
  entries: string | undefined;
}

export class FolderStamps {
  private readonly stamps = new Map<string, FolderStamp>();
  /** Those that came since the first were taken. */
  private readonly late = new Set<string>();
  private hasFirst = false;

  constructor(private readonly root: string) {}

  get size(): number {
    return this.stamps.size;
  }

  /** Takes the stamps of the folders of these files, and of those above, that have none yet. */
  take(files: Iterable<string>): void {
    const wanted = new Set(['']);
    for (const file of files) {
      for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
        const folder = file.slice(0, end);
        if (wanted.has(folder)) break;
        wanted.add(folder);
      }
    }
    for (const folder of wanted) if (!this.stamps.has(folder)) this.note(folder);
    this.hasFirst = true;
  }

  /**
   * Folders that came, by being made or moved, since the first ones were taken. A watcher may have come too late to
   * such a folder, and then never hears of what is in it.
   */
  get cameLate(): ReadonlySet<string> {
    return this.late;
  }

  /**
   * The folders that are not as they were, with what lies right in them now; one that is gone has no entries.
   * Folders that are new in them are noted, with those below.
   */
  changed(): ReadonlyMap<string, readonly Dirent[]> {
    const out = new Map<string, readonly Dirent[]>();
    const changed: string[] = [];
    for (const [folder, known] of this.stamps) if (!isAsItWas(known)) changed.push(folder);
    for (const folder of changed) if (!out.has(folder)) this.look(folder, out);
    return out;
  }

  private look(folder: string, out: Map<string, readonly Dirent[]>): void {
    this.note(folder);
    const entries = entriesOf(join(this.root, folder));
    out.set(folder, entries);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !this.stamps.has(path) && !isForeign(path)) this.look(path, out);
    }
  }

  private note(folder: string): void {
    const stamp = stampOf(join(this.root, folder));
    const before = this.stamps.get(folder);
    if (stamp === undefined) {
      this.stamps.delete(folder);
      this.late.delete(folder);
      return;
    }
    this.stamps.set(folder, stamp);
    if (this.hasFirst && (before?.inode !== stamp.inode || before.device !== stamp.device)) this.late.add(folder);
  }
}

function stampOf(path: string): FolderStamp | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return undefined;
  const { dev: device, ino: inode, mtimeMs, ctimeMs } = stats;
  return { path, device, inode, mtimeMs, ctimeMs, entries: isFresh(stats) ? namesIn(path) : undefined };
}

/** Whether a change at this moment might leave the times as they are. */
const isFresh = ({ mtimeMs, ctimeMs }: Pick<FolderStamp, 'mtimeMs' | 'ctimeMs'>): boolean =>
  Date.now() - Math.max(mtimeMs, ctimeMs) <= CLOCK_RESOLUTION_MS;

/** One look, for hundreds of folders at each request: nothing is made but what it compares. */
function isAsItWas(known: FolderStamp): boolean {
  const now = statSync(known.path, { throwIfNoEntry: false });
  if (
    now?.isDirectory() !== true ||
    now.mtimeMs !== known.mtimeMs ||
    now.ctimeMs !== known.ctimeMs ||
    now.ino !== known.inode ||
    now.dev !== known.device
  )
    return false;
  if (known.entries === undefined) return true;
  if (known.entries !== namesIn(known.path)) return false;
  if (!isFresh(known)) known.entries = undefined;
  return true;
}

const namesIn = (folder: string): string =>
  entriesOf(folder)
    .map((entry) => entry.name)
    .sort()
    .join('\0');

/** Empty for a folder that cannot be read, or is gone. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
