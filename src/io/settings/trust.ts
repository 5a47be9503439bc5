/**
 * What the person has allowed for a repository.
 *
 *     <state folder>/<root key>/trust.json    { version, root, grants: { name: { item: digest } } }
 *
 * A grant names everything that it switches on, each with a digest of its content: sections of the
 * settings, a command, the files that say what it runs, the user whose the repository is. It holds
 * for this real path, and only as long as all of that is what it was; anything that was added,
 * removed or changed has to be looked at again.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import type { TrustedSections } from '../../engine/configuration.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder, rootKey } from '../disk/folders.js';
import { writeAtomically } from '../disk/write-atomically.js';

/** One thing that trust switches on. */
export interface Grant {
  /** `settings`, `owner`, `oracle tsc`, … */
  readonly name: string;
  /** Digest by what it is of: mostly the path of a file. */
  readonly items: ReadonlyMap<string, string>;
}

export type Standing =
  | { readonly kind: 'granted' }
  | { readonly kind: 'never' }
  /** Allowed once, and these items are others since. */
  | { readonly kind: 'changed'; readonly items: readonly string[] };

const FILE = 'trust.json';
/** Of the form of the file: what was said under another one has to be said again. */
const VERSION = 2;

const record = z.strictObject({
  version: z.literal(VERSION),
  root: z.string(),
  grants: z.record(z.string(), z.record(z.string(), z.string())),
});
type Grants = z.infer<typeof record>['grants'];

export function standingOf(
  stateFolder: string,
  realRoot: string,
  grant: Grant,
  fs: FileSystem = realFileSystem,
): Standing {
  const grants = granted(stateFolder, realRoot, fs);
  const known = Object.hasOwn(grants, grant.name) ? grants[grant.name] : undefined;
  if (known === undefined) return { kind: 'never' };
  const before = new Map(Object.entries(known));
  const items = [...new Set([...before.keys(), ...grant.items.keys()])].filter(
    (item) => before.get(item) !== grant.items.get(item),
  );
  return items.length === 0 ? { kind: 'granted' } : { kind: 'changed', items };
}

/** Allows these and nothing else. Throws ServiceError: settings, when the state folder cannot be written. */
export function grantTrust(
  stateFolder: string,
  realRoot: string,
  grants: readonly Grant[],
  fs: FileSystem = realFileSystem,
): void {
  const folder = join(stateFolder, rootKey(realRoot));
  const text = JSON.stringify({
    version: VERSION,
    root: realRoot,
    grants: Object.fromEntries(grants.map(({ name, items }) => [name, Object.fromEntries(items)])),
  });
  try {
    makePrivateFolder(folder, fs);
    writeAtomically(fs, join(folder, FILE), `${text}\n`, { mode: 0o600, durable: true });
  } catch (error) {
    throw new ServiceError(
      'settings',
      `cannot remember the trust in ${shownName(folder)}: ` +
        `${error instanceof Error ? error.message : String(error)}; set XDG_STATE_HOME to a folder of yours`,
    );
  }
}

export function withdrawTrust(stateFolder: string, realRoot: string, fs: FileSystem = realFileSystem): void {
  fs.rmSync(join(stateFolder, rootKey(realRoot), FILE), { force: true });
}

/** What of a repository's settings runs commands, sends code or costs money. */
export function grantOfSettings(sections: TrustedSections): Grant {
  const items = Object.entries(sections).map(([name, section]) => [name, digestOfText(canonical(section))] as const);
  return { name: 'settings', items: new Map(items) };
}

/** That the repository is somebody else's. */
export function grantOfOwner(user: number): Grant {
  return { name: 'owner', items: new Map([['user', String(user)]]) };
}

export function digestOfText(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** What cannot be read, or is none of our records, grants nothing. */
function granted(stateFolder: string, realRoot: string, fs: FileSystem): Grants {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(join(stateFolder, rootKey(realRoot), FILE), 'utf8'));
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return {};
    throw error;
  }
  const parsed = record.safeParse(value);
  return parsed.success && parsed.data.root === realRoot ? parsed.data.grants : {};
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
