/**
 * Says which build made a summary: a digest of all code and grammars that summaries depend on.
 *
 * A summary is a function of the text and of this code, so a cache from another build is foreign
 * even where the version number is the same. Code counts by its content. The wasm files, ten
 * megabytes whose digest would take longer than all else that is read at a restart, count by size
 * and time, and by the version of the package that brings them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageVersion } from '../process/build-identity.js';
import { GRAMMAR_FOLDER } from './grammar-bytes.js';

const COMPILED = fileURLToPath(new URL('../../', import.meta.url));
const CODE_FOLDERS = ['base', 'syntax', 'languages'] as const;
const CODE_FILES = ['io/index/summary-codec.js', 'io/disk/source-text.js'] as const;
const RELEVANT = /\.(?:js|wasm|scm)$/u;

export function buildFingerprint(): string {
  const hash = createHash('sha256').update(packageVersion());
  const add = (name: string, path: string): void => {
    const bytes = readFileSync(path);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  };
  const addBinary = (name: string, path: string): void => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${name}\0${size}\0${mtimeMs}\0`);
  };
  for (const folder of CODE_FOLDERS)
    for (const name of filesBelow(join(COMPILED, folder))) add(`${folder}/${name}`, join(COMPILED, folder, name));
  for (const name of CODE_FILES) add(name, join(COMPILED, name));
  for (const name of filesBelow(GRAMMAR_FOLDER)) addBinary(`grammars/${name}`, join(GRAMMAR_FOLDER, name));
  const runtime = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  addBinary('web-tree-sitter.wasm', runtime);
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => RELEVANT.test(name))
    .sort();
}
