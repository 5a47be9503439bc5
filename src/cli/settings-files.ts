/**
 * Settings of other programs on the disk: put an entry in, take it out, show it, and say in a line what became of each
 * file.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingsText } from '../agents/hosts.js';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { isSystemError, realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';

/** A file, and how our entry is put into its text; both throw SettingsText where it is not what it should be. */
export interface SettingsFile {
  /** Absolute. */
  readonly path: string;
  readonly put: (text: string | undefined) => string;
  /** Undefined: nothing is left. */
  readonly taken: (text: string) => string | undefined;
}

/** Throws ServiceError: settings, write. */
export function putInto({ path, put }: SettingsFile): string {
  const before = textAt(path);
  const after = changed(path, () => put(before));
  if (after === before) return `${shownName(path)} has it already`;
  write(path, after);
  return `${before === undefined ? 'written' : 'added to'} ${shownName(path)}`;
}

/** Throws ServiceError: settings, write. */
export function takeOutOf({ path, taken }: SettingsFile): string {
  const before = textAt(path);
  const after = before === undefined ? undefined : changed(path, () => taken(before));
  if (before === undefined || after === before) return `${shownName(path)} does not have it`;
  if (after === undefined) rmSync(path);
  else write(path, after);
  return `${after === undefined ? 'removed' : 'taken out of'} ${shownName(path)}`;
}

/** The file's name, and what it would hold if it held nothing else. */
export const shownFile = ({ path, put }: SettingsFile, comment = '#'): string[] => [
  `${comment} ${shownName(path)}`,
  put(undefined),
];

/** Undefined where there is no file. Throws ServiceError: settings. */
export function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw new ServiceError('settings', `${shownName(path)} cannot be read: ${saidBy(error)}`);
  }
}

function changed<T>(path: string, change: () => T): T {
  try {
    return change();
  } catch (error) {
    if (error instanceof SettingsText) throw new ServiceError('settings', `${shownName(path)} ${error.message}`);
    throw error;
  }
}

function write(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeAtomically(realFileSystem, path, text, { mode: undefined, durable: false });
  } catch (error) {
    throw new ServiceError('write', `${shownName(path)} cannot be written: ${saidBy(error)}`);
  }
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error));
