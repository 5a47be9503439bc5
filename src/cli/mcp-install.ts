/**
 * Makes codeplan known to a host of agents: writes its settings, shows them, or takes them out again.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { HOSTS } from '../agents/hosts.js';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { putInto, shownFile, takeOutOf, type SettingsFile } from './settings-files.js';

export interface Installation {
  /** A real path. */
  readonly root: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Lines that say what stands where now. Throws ServiceError: settings, write. */
export const install = (name: string, place: Installation): string[] =>
  filesOf(name, place).map((file) => putInto(file));

export const uninstall = (name: string, place: Installation): string[] =>
  filesOf(name, place).map((file) => takeOutOf(file));

/** Each file with what it would hold if it held nothing else. */
export const printed = (name: string, place: Installation): string[] =>
  filesOf(name, place).flatMap((file) => shownFile(file));

function filesOf(name: string, { root, environment }: Installation): SettingsFile[] {
  const host = HOSTS.find((known) => known.name === name);
  if (host !== undefined)
    return host.files.map((file) => ({
      ...file,
      path: join(file.in === 'root' ? root : (environment['HOME'] ?? homedir()), file.path),
      root: file.in === 'root' ? root : undefined,
    }));
  const known = HOSTS.map((one) => `${one.name} (${one.title})`).join(', ');
  throw new ServiceError('settings', `${shownName(name)} is no host that is known; give one of ${known}`);
}
