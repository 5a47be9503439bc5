/**
 * Which repositories' own commands and endpoints the person has allowed.
 *
 *     <state folder>/<root key>/trust.json    { root, digest }
 *
 * What is trusted is the exact content of the sections that need it, at this real path: any
 * change of them, by a pull for instance, has to be looked at again.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { ServiceError } from '../engine/service.js';
import type { TrustedSections } from '../engine/configuration.js';
import { isSystemError, realFileSystem, type FileSystem } from './file-system.js';
import { makePrivateFolder, rootKey } from './folders.js';
import { writeAtomically } from './write-atomically.js';

const FILE = 'trust.json';

export function isTrusted(
  stateFolder: string,
  realRoot: string,
  sections: TrustedSections,
  fs: FileSystem = realFileSystem,
): boolean {
  let text: string;
  try {
    text = fs.readFileSync(join(stateFolder, rootKey(realRoot), FILE), 'utf8');
  } catch (error) {
    // Never granted; and what cannot be read grants nothing.
    if (isSystemError(error)) return false;
    throw error;
  }
  return text === recordOf(realRoot, sections);
}

/** Throws ServiceError: settings, when the state folder cannot be written. */
export function grantTrust(
  stateFolder: string,
  realRoot: string,
  sections: TrustedSections,
  fs: FileSystem = realFileSystem,
): void {
  const folder = join(stateFolder, rootKey(realRoot));
  try {
    makePrivateFolder(folder, fs);
    writeAtomically(fs, join(folder, FILE), recordOf(realRoot, sections), { mode: 0o600, durable: true });
  } catch (error) {
    throw new ServiceError(
      'settings',
      `cannot remember the trust in ${folder}: ${error instanceof Error ? error.message : String(error)}; set XDG_STATE_HOME to a folder of yours`,
    );
  }
}

export function withdrawTrust(stateFolder: string, realRoot: string, fs: FileSystem = realFileSystem): void {
  fs.rmSync(join(stateFolder, rootKey(realRoot), FILE), { force: true });
}

function recordOf(realRoot: string, sections: TrustedSections): string {
  return `${JSON.stringify({ root: realRoot, digest: createHash('sha256').update(canonical(sections)).digest('hex') })}\n`;
}

/** The same text for the same value, whatever the order of its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`;
}
