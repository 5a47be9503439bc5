/**
 * Where the parser's wasm files lie: the runtime in its package, the grammars beside the compiled
 * program. And this thread's one `Grammars`, which everything in the thread shares.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Grammars, type GrammarName } from '../../syntax/grammar.js';

/** Folder of the grammars' wasm files, `<name>.wasm`. */
export const GRAMMAR_FOLDER = fileURLToPath(new URL('../../grammars/', import.meta.url));

let started: Promise<Grammars> | undefined;

/** The grammars of this thread. Rejects if the installation lacks the runtime. */
export function grammarsOfThread(): Promise<Grammars> {
  started ??= Grammars.start(
    readFileSync(createRequire(import.meta.url).resolve('web-tree-sitter/web-tree-sitter.wasm')),
    grammarBytes,
  );
  return started;
}

function grammarBytes(name: GrammarName): Uint8Array {
  return readFileSync(`${GRAMMAR_FOLDER}${name}.wasm`);
}
