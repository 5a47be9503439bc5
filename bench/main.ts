/**
 * `npm run bench -- <dir> [--json]`: how fast and how large the engine is on a real repository,
 * beside what was asked of it.
 *
 * Figures are for people: they depend on the machine and on what else it does, so a missed bound
 * is printed and the exit code stays 0. Ratios come from one run, taken in turns.
 */
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { rootOf } from '#src/io/disk/root.js';
import { measureColdStart } from './cold-start.js';
import { measureEditing } from './editing.js';
import { tableOf, verdictOf, type Figure } from './figure.js';
import { measureFirstReferences } from './first-references.js';
import { measureHints } from './hints.js';
import { measureImpact } from './impact.js';
import { measureIndexing } from './indexing.js';
import { measureReferences } from './references.js';
import { signatureEdits } from './signature-edits.js';
import { readSources, sizeFigures } from './sources.js';
import { measureStart } from './start.js';

const args = process.argv.slice(2);
const json = args.includes('--json');
const folder = args.find((arg) => !arg.startsWith('--'));
if (folder === undefined) throw new Error('usage: npm run bench -- <dir> [--json]');
const root = rootOf(resolve(folder));

const figures: Figure[] = [];
const sources = await readSources(root);
figures.push(...sizeFigures(sources));
say('starting whole processes');
const started = await measureStart(root, sources);
try {
  const grammars = await grammarsOfThread();
  say('indexing in one thread');
  const { figures: ofIndexing, snapshot } = measureIndexing(sources, grammars);
  say('editing');
  const ofEditing = measureEditing(sources, snapshot, grammars);
  say('looking for references');
  const ofReferences = measureReferences(snapshot);
  say('asking for impact');
  const edits = signatureEdits(sources, snapshot, grammars);
  const ofImpact = await measureImpact(root, edits, started.environment);
  say('asking for references after edits');
  const ofFirst = await measureFirstReferences(root, edits, started.environment);
  say('typing in an editor');
  const ofHints = await measureHints(root, sources, edits, started.environment);
  say('starting in an editor');
  const ofCold = await measureColdStart(root, sources, edits);
  figures.push(...ofIndexing, ...started.figures, ...ofEditing, ...ofImpact, ...ofHints, ...ofCold);
  figures.push(...ofFirst, ...ofReferences);
} finally {
  rmSync(started.folder, { recursive: true, force: true });
}

const document = {
  schema: 1,
  node: process.version,
  processors: availableParallelism(),
  figures: figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) })),
};
if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
else
  process.stdout.write(
    `${root}, Node ${process.version}, ${availableParallelism()} processors\n${tableOf(figures).join('\n')}\n`,
  );

function say(what: string): void {
  process.stderr.write(`${what} ...\n`);
}
