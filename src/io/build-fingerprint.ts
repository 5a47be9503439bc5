/**
 * Says which build made a summary: a digest of all code and grammars that summaries depend on.
 *
 * A summary is a function of the text and of this code, so a cache from another build is foreign
 * even where the version number is the same.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GRAMMAR_FOLDER } from './grammar-bytes.js';

const COMPILED = fileURLToPath(new URL('../', import.meta.url));
const CODE_FOLDERS = ['base', 'syntax', 'languages'] as const;
const CODE_FILES = ['io/summary-codec.js', 'io/source-text.js'] as const;
const RELEVANT = /\.(?:js|wasm|scm)$/u;

export function buildFingerprint(): string {
  const hash = createHash('sha256');
  const add = (name: string, path: string): void => {
    const bytes = readFileSync(path);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
  };
  for (const folder of CODE_FOLDERS) for (const name of filesBelow(join(COMPILED, folder))) add(`${folder}/${name}`, join(COMPILED, folder, name));
  for (const name of CODE_FILES) add(name, join(COMPILED, name));
  for (const name of filesBelow(GRAMMAR_FOLDER)) add(`grammars/${name}`, join(GRAMMAR_FOLDER, name));
  const runtime = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');
  add('web-tree-sitter.wasm', runtime);
  return hash.digest('hex');
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => RELEVANT.test(name)).sort();
}
