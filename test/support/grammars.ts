/**
 * The parser for tests, started once a process.
 *
 * Reads the grammar files that the build put beside the compiled program, as `io/` does for the
 * program itself.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Grammars } from '#src/syntax/grammar.js';

const require = createRequire(import.meta.url);
let started: Promise<Grammars> | undefined;

export async function testGrammars(): Promise<Grammars> {
  started ??= Grammars.start(readFileSync(require.resolve('web-tree-sitter/web-tree-sitter.wasm')), (name) =>
    readFileSync(new URL(`../../grammars/${name}.wasm`, import.meta.url)),
  );
  return started;
}
