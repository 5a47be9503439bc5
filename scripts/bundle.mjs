// Puts the compiled program into few files: `dist/cli/main.js`, which a person runs, and what it loads beside it, in
// `dist/program/`. Hundreds of small files take longer to load than most commands take to answer.
// The names of the files in `dist/program/` hold a digest of what is in them: together they say which build it is.
import { build } from 'esbuild';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLE_OPTIONS } from './bundle-options.mjs';

const DIST = fileURLToPath(new URL('../dist/', import.meta.url));

const { metafile, outputFiles } = await build({
  ...BUNDLE_OPTIONS,
  entryPoints: [
    { in: join(DIST, 'cli/entry.js'), out: 'cli/main' },
    { in: join(DIST, 'io/index/parse-worker.js'), out: 'program/parse-worker' },
  ],
  outdir: DIST,
  chunkNames: 'program/[name]-[hash]',
  metafile: true,
  write: false,
});

const FOLDER = join(DIST, 'program');
const NOTICES = 'third-party-licences.txt';
mkdirSync(FOLDER, { recursive: true });
// What is there already stays untouched: a program that runs from it may be about to load it.
for (const { path, contents } of outputFiles)
  if (!existsSync(path) || !readFileSync(path).equals(contents)) writeFileSync(path, contents);
chmodSync(join(DIST, 'cli/main.js'), 0o755);
const made = new Set([NOTICES, ...outputFiles.map(({ path }) => basename(path))]);
for (const name of readdirSync(FOLDER)) if (!made.has(name)) rmSync(join(FOLDER, name));

/** The folder of the package that a file belongs to. */
const packageOf = (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(path)?.[0];
const packages = [...new Set(Object.keys(metafile.inputs).map(packageOf))].filter((folder) => folder !== undefined);
const notices = packages.sort().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/iu.test(entry));
  const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
});
writeFileSync(join(FOLDER, NOTICES), notices.join(`\n${'-'.repeat(80)}\n\n`));
