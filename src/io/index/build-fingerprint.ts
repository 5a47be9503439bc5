/**
 * Says which build made a summary: a digest of all code and grammars that summaries depend on.
 *
 * A summary is a function of the text and of this code, so a cache from another build is foreign
 * even where the version number is the same. The wasm files, ten megabytes whose digest would take
 * longer than all else that is read at a restart, count by size and time, and by the version of the
 * package that brings them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addCode, packageVersion } from '../process/build-identity.js';
import { GRAMMAR_FOLDER, RUNTIME_FILE } from './grammar-bytes.js';

export function buildFingerprint(): string {
  const hash = createHash('sha256').update(packageVersion());
  addCode(hash);
  const addBinary = (name: string, path: string): void => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${name}\0${size}\0${mtimeMs}\0`);
  };
  for (const name of readdirSync(GRAMMAR_FOLDER).sort()) addBinary(name, join(GRAMMAR_FOLDER, name));
  addBinary('runtime', RUNTIME_FILE);
  return hash.digest('hex');
}
