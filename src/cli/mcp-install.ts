/**
 * Makes codeplan known to a host of agents: writes its settings, shows them, or takes them out again.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { HOSTS, SettingsText, type Host, type HostFile } from '../agents/hosts.js';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { isSystemError, realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';

export interface Installation {
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Lines that say what stands where now. Throws ServiceError: settings, write. */
export function install(name: string, place: Installation): string[] {
  return hostNamed(name).files.map((file) => {
    const path = pathOf(file, place);
    const before = textAt(path);
    const after = changed(path, () => file.put(before));
    if (after === before) return `${shownName(path)} has it already`;
    write(path, after);
    return `${before === undefined ? 'written' : 'added to'} ${shownName(path)}`;
  });
}

export function uninstall(name: string, place: Installation): string[] {
  return hostNamed(name).files.map((file) => {
    const path = pathOf(file, place);
    const before = textAt(path);
    const after = before === undefined ? undefined : changed(path, () => file.taken(before));
    if (before === undefined || after === before) return `${shownName(path)} does not have it`;
    if (after === undefined) rmSync(path);
    else write(path, after);
    return `${after === undefined ? 'removed' : 'taken out of'} ${shownName(path)}`;
  });
}

/** Each file with what it would hold if it held nothing else. */
export function printed(name: string, place: Installation): string[] {
  return hostNamed(name).files.flatMap((file) => [`# ${shownName(pathOf(file, place))}`, file.put(undefined)]);
}

function hostNamed(name: string): Host {
  const host = HOSTS.find((known) => known.name === name);
  if (host !== undefined) return host;
  const known = HOSTS.map((one) => `${one.name} (${one.title})`).join(', ');
  throw new ServiceError('settings', `${shownName(name)} is no host that is known; give one of ${known}`);
}

const pathOf = (file: HostFile, { root, environment }: Installation): string =>
  join(file.in === 'root' ? root : (environment['HOME'] ?? homedir()), file.path);

function textAt(path: string): string | undefined {
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
