// Copies the grammars' ready-made wasm files beside the compiled program, so that an installed
// codeplan needs neither the grammar packages nor a compiler.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const grammars = {
  python: 'tree-sitter-python/tree-sitter-python.wasm',
  typescript: 'tree-sitter-typescript/tree-sitter-typescript.wasm',
  tsx: 'tree-sitter-typescript/tree-sitter-tsx.wasm',
  javascript: 'tree-sitter-javascript/tree-sitter-javascript.wasm',
  java: 'tree-sitter-java/tree-sitter-java.wasm',
  csharp: 'tree-sitter-c-sharp/tree-sitter-c_sharp.wasm',
};
const target = new URL('../dist/grammars/', import.meta.url);
mkdirSync(target, { recursive: true });
for (const [name, source] of Object.entries(grammars))
  copyFileSync(require.resolve(source), new URL(`${name}.wasm`, target));
