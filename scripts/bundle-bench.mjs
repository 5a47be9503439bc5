// Puts the process whose start `npm run bench` measures into few files, as the program that people start is.
import { build } from 'esbuild';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';

const BENCH = fileURLToPath(new URL('../dist/bench/', import.meta.url));

await build({ ...BUNDLE_OPTIONS, entryPoints: [join(BENCH, 'start-process.js')], outdir: join(BENCH, 'bundled') });
