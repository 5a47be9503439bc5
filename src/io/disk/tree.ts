/**
 * The one way in which files of the person's tree are written.
 *
 *     prepare   a new file of a random name in the target's folder, opened exclusively
 *     replace   the target still holds what is expected ──► the new file takes its name
 *     remove    the target still holds what is expected ──► it goes
 *     discard   what was prepared and not used goes
 *
 * Who calls has noted the random name before, so that it can be found after a kill. A target is a
 * regular file of one name, in a folder that lies inside the root with no link on the way: behind
 * a link or a second name stands something that nobody asked to change. A new file appears only
 * where nothing is. Permissions are kept, the owner where the system lets us.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { posix } from 'node:path';
import { isPathInside } from '../../base/paths.js';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { isSystemError, NO_LINKS, NO_WAITING, type FileSystem } from './file-system.js';
import { openFolder, type TreeFolder } from './tree-folder.js';
import { writeNewFile } from './write-atomically.js';

export type Standing =
  | { readonly kind: 'nothing' }
  /** `reason`: a sentence that names the path. */
  | { readonly kind: 'refused'; readonly reason: string }
  | ({ readonly kind: 'file'; readonly bytes: Buffer } & Attributes);

export interface Attributes {
  readonly mode: number;
  readonly owner: { readonly uid: number; readonly gid: number };
}

interface NewAttributes {
  readonly mode: number;
  readonly owner?: Attributes['owner'] | undefined;
}

/** SHA-256 of a content; null: there is no file. */
export type Digest = string | null;

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Every method throws the file system's error, or ServiceError: write, for a path that is not written. */
export class Tree {
  constructor(
    private readonly fs: FileSystem,
    private readonly realRoot: string,
  ) {}

  look(path: string): Standing {
    try {
      return this.within(path, (folder, name) => this.standing(folder, name, path)) ?? { kind: 'nothing' };
    } catch (error) {
      if (error instanceof ServiceError) return { kind: 'refused', reason: error.message };
      throw error;
    }
  }

  /** Whether exactly this stands at the path. */
  holds(path: string, content: Digest): boolean {
    return isContent(this.look(path), content);
  }

  /**
   * Makes the folders on the way. `like`: the permissions and, if it is known, the owner that it gets; undefined: those
   * of any new file.
   */
  prepare(path: string, temporary: string, bytes: Uint8Array, like: NewAttributes | undefined): void {
    this.inFolderMadeFor(path, (folder) =>
      writeNewFile(this.fs, folder.at(temporary), bytes, { mode: like?.mode, owner: like?.owner, durable: true }),
    );
  }

  /** False, and nothing is done, if the target is not what is expected. */
  replace(path: string, temporary: string, expected: Digest): boolean {
    return this.inFolderOf(path, (folder, name) => {
      if (!this.isStill(folder, name, path, expected)) return false;
      if (expected !== null) this.fs.renameSync(folder.at(temporary), folder.at(name));
      else if (!this.appears(folder, temporary, name)) return false;
      folder.expectStillInPlace();
      return true;
    });
  }

  /** False, and nothing is done, if the target is not what is expected. */
  remove(path: string, expected: Digest): boolean {
    return this.inFolderOf(path, (folder, name) => {
      if (!this.isStill(folder, name, path, expected)) return false;
      this.fs.unlinkSync(folder.at(name));
      folder.expectStillInPlace();
      return true;
    });
  }

  discard(path: string, temporary: string): void {
    this.within(path, (folder) => this.fs.rmSync(folder.at(temporary), { force: true }));
  }

  /** Folders on the way to a path that are not there, outermost first. */
  missingFolders(path: string): readonly string[] {
    const missing: string[] = [];
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const open = openFolder(this.fs, this.realRoot, folder);
      if (open === undefined) missing.unshift(folder);
      else {
        open.close();
        break;
      }
    }
    return missing;
  }

  /** Leaves one that is not empty, or is no folder any more. */
  removeFolder(path: string): void {
    this.within(path, (folder, name) => {
      try {
        this.fs.rmdirSync(folder.at(name));
      } catch (error) {
        if (!isSystemError(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR')) throw error;
      }
    });
  }

  /** Waits until what happened in a folder is on the disk; a folder that is gone has nothing to wait for. */
  sync(folder: string): void {
    const open = openFolder(this.fs, this.realRoot, folder);
    if (open === undefined) return;
    try {
      open.sync();
    } finally {
      open.close();
    }
  }

  private within<T>(path: string, work: (folder: TreeFolder, name: string) => T): T | undefined {
    const name = posix.basename(path);
    const folder = openFolder(this.fs, this.realRoot, folderOf(path));
    if (folder === undefined) return undefined;
    try {
      if (!isPathInside(path))
        throw new ServiceError('write', `${shownName(path)} is no name of a file in ${shownName(this.realRoot)}`);
      return work(folder, name);
    } finally {
      folder.close();
    }
  }

  private inFolderOf<T>(path: string, work: (folder: TreeFolder, name: string) => T): T {
    let result: { readonly value: T } | undefined;
    this.within(path, (folder, name) => (result = { value: work(folder, name) }));
    if (result === undefined) throw new ServiceError('write', `the folder of ${shownName(path)} is gone`);
    return result.value;
  }

  private inFolderMadeFor(path: string, work: (folder: TreeFolder) => void): void {
    if (this.within(path, (folder) => (work(folder), true)) === true) return;
    for (const missing of this.missingFolders(path)) this.makeFolder(missing);
    this.inFolderOf(path, work);
  }

  private makeFolder(path: string): void {
    this.inFolderOf(path, (folder, name) => {
      try {
        this.fs.mkdirSync(folder.at(name));
      } catch (error) {
        if (!isSystemError(error, 'EEXIST')) throw error;
      }
    });
  }

  private isStill(folder: TreeFolder, name: string, path: string, expected: Digest): boolean {
    const now = this.standing(folder, name, path);
    if (now.kind === 'refused') throw new ServiceError('write', now.reason, [path]);
    folder.expectInPlace();
    return isContent(now, expected);
  }

  private standing(folder: TreeFolder, name: string, path: string): Standing {
    const place = folder.at(name);
    const found = this.fs.lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'nothing' };
    if (found.isSymbolicLink())
      return refused(
        `${shownName(path)} is a link, and nothing is written through links; edit what it leads to where it ` +
          'really lies',
      );
    if (!found.isFile()) return refused(`${shownName(path)} is no regular file`);
    const descriptor = this.fs.openSync(place, constants.O_RDONLY | NO_LINKS | NO_WAITING);
    try {
      const stats = this.fs.fstatSync(descriptor);
      if (stats.dev !== found.dev || stats.ino !== found.ino)
        return refused(`${shownName(path)} was replaced while it was read`);
      if (stats.nlink > 1)
        return refused(
          `${shownName(path)} has ${stats.nlink} names (hard links), and writing one would part it from the ` +
            'others; make it a file of its own first, by copying it and moving the copy over it',
        );
      return {
        kind: 'file',
        bytes: this.fs.readFileSync(descriptor),
        mode: stats.mode & 0o7777,
        owner: { uid: stats.uid, gid: stats.gid },
      };
    } finally {
      this.fs.closeSync(descriptor);
    }
  }

  /** A second name appears only where there is none, which a rename does not promise. False if there is one. */
  private appears(folder: TreeFolder, temporary: string, name: string): boolean {
    try {
      this.fs.linkSync(folder.at(temporary), folder.at(name));
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return false;
      if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
      // A file system without second names; that nothing was here was seen just before.
      this.fs.renameSync(folder.at(temporary), folder.at(name));
      return true;
    }
    this.fs.unlinkSync(folder.at(temporary));
    return true;
  }
}

/** Folder of a path relative to the root; empty: the root. */
export function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === '.' ? '' : folder;
}

function isContent(standing: Standing, content: Digest): boolean {
  return standing.kind === 'file'
    ? digestOf(standing.bytes) === content
    : standing.kind === 'nothing' && content === null;
}

function refused(reason: string): Standing {
  return { kind: 'refused', reason };
}
