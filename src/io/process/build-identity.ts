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

const COMPILED = fileURLToPath(new URL('../../', import.meta.url));
/** Compiled beside the program, and no part of it. */
const NOT_THE_PROGRAM: ReadonlySet<string> = new Set(['test', 'bench', 'grammars']);

export function buildIdentity(): BuildIdentity {
  const hash = createHash('sha256').update(COMPILED).update(process.version);
  for (const entry of readdirSync(COMPILED, { withFileTypes: true }))
    if (entry.isDirectory() && !NOT_THE_PROGRAM.has(entry.name)) addFolder(hash, join(COMPILED, entry.name));
  return { version: packageVersion(), stamp: hash.digest('hex').slice(0, 16) };
}

function addFolder(hash: ReturnType<typeof createHash>, folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.js')) continue;
    const { size, mtimeMs } = statSync(join(folder, name));
    hash.update(`${folder}/${name}\0${size}\0${mtimeMs}\0`);
  }
}

/** As the package's own description says it. */
export function packageVersion(): string {
  const text = readFileSync(join(dirname(COMPILED), 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version?: unknown };
  if (typeof version !== 'string') throw new Error(`no version in ${join(dirname(COMPILED), 'package.json')}`);
  return version;
}
