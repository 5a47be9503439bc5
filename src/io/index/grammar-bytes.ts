/**
 * Where the parser's wasm files lie: the runtime in its package, the grammars beside the compiled
 * program. And this thread's one `Grammars`, which everything in the thread shares.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Grammars, type GrammarName } from '../../syntax/grammar.js';
import { BUILT_FOLDER } from '../process/installed.js';

/** Folder of the grammars' wasm files, `<name>.wasm`. */
export const GRAMMAR_FOLDER = join(BUILT_FOLDER, 'grammars');
export const RUNTIME_FILE = createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm');

let started: Promise<Grammars> | undefined;

/** The grammars of this thread. Rejects if the installation lacks the runtime. */
export function grammarsOfThread(): Promise<Grammars> {
  started ??= Grammars.start(readFileSync(RUNTIME_FILE), grammarBytes);
  return started;
}

function grammarBytes(name: GrammarName): Uint8Array {
  return readFileSync(join(GRAMMAR_FOLDER, `${name}.wasm`));
}
