// Writes the JSON Schemas and the page of methods from the tables in protocol/; run after a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from '../dist/protocol/generated.js';

for (const [path, content] of generatedFiles()) {
  const target = fileURLToPath(new URL(`../protocol/${path}`, import.meta.url));
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}
