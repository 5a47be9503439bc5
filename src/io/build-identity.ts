/**
 * Which program this is: its version, and a stamp that another build does not share.
 *
 * A daemon outlives an upgrade of the package and a rebuild of a checkout. Client and daemon of
 * different builds never meet, because the stamp is part of the socket's name. The stamp is made
 * from sizes and times of the compiled files; reading them all would delay every command.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BuildIdentity {
  readonly version: string;
  /** 16 hexadecimal digits. */
  readonly stamp: string;
}

const COMPILED = fileURLToPath(new URL('../', import.meta.url));
/** Tests and benchmarks are compiled beside the program and are no part of it. */
const FOLDERS = ['base', 'syntax', 'languages', 'graph', 'retrieve', 'change', 'impact', 'context', 'plan', 'edit', 'oracle', 'engine', 'io', 'daemon', 'cli', 'protocol'];

export function buildIdentity(): BuildIdentity {
  const hash = createHash('sha256').update(COMPILED).update(process.version);
  for (const folder of FOLDERS) addFolder(hash, join(COMPILED, folder));
  return { version: packageVersion(), stamp: hash.digest('hex').slice(0, 16) };
}

function addFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.js')) continue;
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`${folder}/${name}\0${size}\0${mtimeMs}\0`);
  }
}

function packageVersion(): string {
  const text = readFileSync(join(dirname(COMPILED), 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version?: unknown };
  if (typeof version !== 'string') throw new Error(`no version in ${join(dirname(COMPILED), 'package.json')}`);
  return version;
}
