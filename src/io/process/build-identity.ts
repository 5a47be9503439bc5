/**
 * Which program this is: its version, and a stamp that another build does not share.
 *
 * A daemon outlives an upgrade of the package and a rebuild of a checkout. Client and daemon of
 * different builds never meet, because the stamp is part of the socket's name.
 */
import { createHash, type Hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILT_FOLDER, MAIN_MODULE, PACKAGE_FOLDER, PARSE_WORKER } from './installed.js';

export interface BuildIdentity {
  readonly version: string;
  /** 16 hexadecimal digits. */
  readonly stamp: string;
}

export function buildIdentity(): BuildIdentity {
  const hash = createHash('sha256').update(BUILT_FOLDER).update(process.version);
  addCode(hash);
  return { version: packageVersion(), stamp: hash.digest('hex').slice(0, 16) };
}

/** Adds the code of this build: its two first files, in which all others stand by names that hold their digest. */
export function addCode(hash: Hash): void {
  for (const file of [MAIN_MODULE, PARSE_WORKER]) hash.update(readFileSync(file));
}

/** As the package's own description says it. */
export function packageVersion(): string {
  const path = join(PACKAGE_FOLDER, 'package.json');
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version?: unknown };
  if (typeof version !== 'string') throw new Error(`no version in ${path}`);
  return version;
}
