/**
 * Settings of other programs on the disk: put an entry in, take it out, show it, and say in a line what became of each
 * file.
 */
import { basename, dirname, sep } from 'node:path';
import { SettingsText } from '../agents/hosts.js';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { realFileSystem, type FileSystem } from '../io/disk/file-system.js';
import {
  pathBelow,
  readRepositoryFile,
  readWhereItLeads,
  SETTINGS_BYTES_MOST,
  type RepositoryFile,
} from '../io/disk/repository-file.js';
import { openFolder } from '../io/disk/tree-folder.js';
import { writeAtomically } from '../io/disk/write-atomically.js';

/** A file, and how our entry is put into its text; both throw SettingsText where it is not what it should be. */
export interface SettingsFile {
  /** Absolute. */
  readonly path: string;
  /**
   * The real path of the repository that it belongs to: what lies there is somebody else's, so no link is followed.
   * Undefined for a file of the person's own, which may be a link.
   */
  readonly root?: string | undefined;
  /** The person's folder below which those that the file leaves empty go with it, as they came with it. */
  readonly within?: string;
  readonly put: (text: string | undefined) => string;
  /** Undefined: nothing is left. */
  readonly taken: (text: string) => string | undefined;
}

const HOW = { mode: undefined, durable: false } as const;

/** Throws ServiceError: settings, write. */
export function putInto(file: SettingsFile, fs: FileSystem = realFileSystem): string {
  const { path, put } = file;
  const before = textAt(file);
  const after = changed(path, () => put(before));
  if (after === before) return `${shownName(path)} has it already`;
  write(file, after, fs);
  return `${before === undefined ? 'written' : 'added to'} ${shownName(path)}`;
}

/** Throws ServiceError: settings, write. */
export function takeOutOf(file: SettingsFile, fs: FileSystem = realFileSystem): string {
  const { path, taken } = file;
  const before = textAt(file);
  const after = before === undefined ? undefined : changed(path, () => taken(before));
  if (before === undefined || after === before) return `${shownName(path)} does not have it`;
  if (after === undefined) {
    remove(path, fs);
    if (file.within !== undefined) removeEmptyAbove(path, file.within, fs);
  } else write(file, after, fs);
  return `${after === undefined ? 'removed' : 'taken out of'} ${shownName(path)}`;
}

/** The file's name, and what it would hold if it held nothing else. */
export const shownFile = ({ path, put }: SettingsFile, comment = '#'): string[] => [
  `${comment} ${shownName(path)}`,
  put(undefined),
];

/** Undefined where there is no file. Throws ServiceError: settings. */
function textAt({ path, root }: SettingsFile): string | undefined {
  const refuse = (reason: string): ServiceError => new ServiceError('settings', `${shownName(path)} ${reason}`);
  let file: RepositoryFile;
  try {
    file =
      root === undefined
        ? readWhereItLeads(path, SETTINGS_BYTES_MOST)
        : readRepositoryFile(root, pathBelow(root, path), { bytesMost: SETTINGS_BYTES_MOST, links: 'none' });
  } catch (error) {
    throw refuse(`cannot be read: ${saidBy(error)}`);
  }
  if (file.kind === 'refused') throw refuse(file.reason);
  return file.kind === 'file' ? file.bytes.toString('utf8') : undefined;
}

function changed<T>(path: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (error instanceof SettingsText) throw new ServiceError('settings', `${shownName(path)} ${error.message}`);
    throw error;
  }
}

function remove(path: string, fs: FileSystem): void {
  try {
    fs.rmSync(path);
  } catch (error) {
    throw new ServiceError('write', `${shownName(path)} cannot be removed: ${saidBy(error)}`);
  }
}

function removeEmptyAbove(path: string, within: string, fs: FileSystem): void {
  for (let folder = dirname(path); folder.startsWith(within + sep); folder = dirname(folder)) {
    try {
      fs.rmdirSync(folder);
    } catch {
      // Something else lies there, or it is not ours to remove: it stays, with all above it.
      return;
    }
  }
}

function write({ path, root }: SettingsFile, text: string, fs: FileSystem): void {
  try {
    if (root === undefined) {
      fs.mkdirSync(dirname(path), { recursive: true });
      writeAtomically(fs, path, text, HOW);
    } else writeInside(root, path, text, fs);
  } catch (error) {
    throw new ServiceError('write', `${shownName(path)} cannot be written: ${saidBy(error)}`);
  }
}

function writeInside(root: string, path: string, text: string, fs: FileSystem): void {
  const above = dirname(path);
  const open = (): ReturnType<typeof openFolder> => openFolder(fs, root, pathBelow(root, above));
  let folder = open();
  if (folder === undefined) {
    fs.mkdirSync(above, { recursive: true });
    folder = open();
  }
  if (folder === undefined) throw new Error('its folder went while it was written');
  try {
    folder.expectInPlace();
    writeAtomically(fs, folder.at(basename(path)), text, HOW);
    folder.expectStillInPlace();
  } finally {
    folder.close();
  }
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error));
