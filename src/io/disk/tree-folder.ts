/**
 * A folder of the person's tree, held open while something in it is written.
 *
 * A path says where a folder is looked for, not which folder answers: any part of it may be a
 * link, or be replaced by one between a check and a write. So a folder is opened once, asked where
 * it really lies, and what is done in it goes through the open folder (`/proc/self/fd/<n>/name`),
 * which leads to the same folder wherever its path leads meanwhile. Where the system has no such
 * paths, the real path and the identity of the folder are compared instead, before and after each
 * write: what replaces the folder within a write is noticed then, and not prevented.
 */
import { constants } from 'node:fs';
import { join, sep } from 'node:path';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { isSystemError, NO_WAITING, type FileSystem } from './file-system.js';

const OPEN_FOLDERS = '/proc/self/fd';

export interface TreeFolder {
  /** How a file in it is reached. `name` has one part. */
  at(name: string): string;
  /** Right before a write. Throws ServiceError: write, unless the folder lies at its path, with no link on the way. */
  expectInPlace(): void;
  /** Right after a write: the same, where it did not go through the open folder. */
  expectStillInPlace(): void;
  sync(): void;
  close(): void;
}

/**
 * `path`: relative to the root, with `/`; empty: the root. Undefined where there is no such folder.
 * Throws ServiceError: write, when it lies behind a link or outside of the root.
 */
export function openFolder(fs: FileSystem, realRoot: string, path: string): TreeFolder | undefined {
  if (!staysInside(path))
    throw new ServiceError('write', `${shownName(path)} lies outside of ${shownName(realRoot)} and is not written`);
  const full = join(realRoot, path);
  const descriptor = process.platform === 'win32' ? undefined : opened(fs, full);
  if (descriptor === 'missing') {
    refuseLinks(fs, realRoot, path);
    return undefined;
  }
  const close = (): void => {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  };
  try {
    const place = descriptor === undefined ? undefined : placeOf(fs, descriptor);
    if (descriptor === undefined || place === undefined) return folderByPath(fs, realRoot, path, descriptor);
    if (place !== full) throw replaced(fs, realRoot, path);
    return {
      at: (name) => `${OPEN_FOLDERS}/${descriptor}/${name}`,
      expectInPlace: () => {
        if (placeOf(fs, descriptor) !== full) throw replaced(fs, realRoot, path);
      },
      expectStillInPlace: () => undefined,
      sync: () => fs.fsyncSync(descriptor),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** `descriptor`: to sync and close it; undefined on Windows, which cannot open folders. */
function folderByPath(fs: FileSystem, realRoot: string, path: string, descriptor: number | undefined): TreeFolder {
  const full = join(realRoot, path);
  const identity = (): string | undefined => {
    const stats = fs.statSync(full, { throwIfNoEntry: false });
    return stats === undefined || fs.realpathSync(full) !== full ? undefined : `${stats.dev}:${stats.ino}`;
  };
  const opened = identity();
  const expectInPlace = (): void => {
    if (opened === undefined || identity() !== opened) throw replaced(fs, realRoot, path);
  };
  expectInPlace();
  return {
    at: (name) => join(full, name),
    expectInPlace,
    expectStillInPlace: expectInPlace,
    sync: () => {
      if (descriptor !== undefined) fs.fsyncSync(descriptor);
    },
    close: () => {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    },
  };
}

function opened(fs: FileSystem, full: string): number | 'missing' {
  try {
    return fs.openSync(full, constants.O_RDONLY | constants.O_DIRECTORY | NO_WAITING);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return 'missing';
    throw error;
  }
}

/** Where an open folder really lies; undefined where the system does not say. */
function placeOf(fs: FileSystem, descriptor: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return fs.readlinkSync(`${OPEN_FOLDERS}/${descriptor}`);
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}

function staysInside(path: string): boolean {
  if (path === '') return true;
  const parts = path.split('/').flatMap((part) => (sep === '/' ? [part] : part.split(sep)));
  return !path.includes('\0') && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}

function replaced(fs: FileSystem, realRoot: string, path: string): ServiceError {
  refuseLinks(fs, realRoot, path);
  return new ServiceError('write', `${path === '' ? realRoot : path} was moved or replaced while it was written`);
}

/** Throws ServiceError: write, that says which part of the path is a link, or no folder. */
function refuseLinks(fs: FileSystem, realRoot: string, path: string): void {
  let known = '';
  for (const part of path === '' ? [] : path.split('/')) {
    known = known === '' ? part : `${known}/${part}`;
    const stats = fs.lstatSync(join(realRoot, known), { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (stats.isSymbolicLink())
      throw new ServiceError(
        'write',
        `${known} is a link, and nothing is written through links; edit what it leads to where it really lies`,
      );
    if (!stats.isDirectory()) throw new ServiceError('write', `${known} is no folder`);
  }
}
