/**
 * Compares the summaries that two builds of the program make of the same texts, to the byte.
 *
 *     node scripts/compare-summaries.mjs <dist of before> <dist of after> [--broken N] [--seed S] <file or folder>...
 *
 * With `--broken N` each file is also read N times with a random cut (the rest of it, or a piece of it,
 * is gone), so that the treatment of syntax errors is compared too. For texts that differ it says
 * how many names of the source have a row before and no longer after, and the other way round.
 * Exits with 1 where a text that parses differs, or where a name has lost its row.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const options = { broken: 0, seed: 1, paths: [] };
for (let i = 2; i < process.argv.length; i++) {
  const word = process.argv[i];
  if (word === '--broken') options.broken = Number(process.argv[++i]);
  else if (word === '--seed') options.seed = Number(process.argv[++i]);
  else options.paths.push(word);
}
const [before, after, ...roots] = options.paths;
if (roots.length === 0) {
  console.error('give two dist folders and what to compare them on');
  process.exit(2);
}

async function load(dist) {
  const part = (path) => import(pathToFileURL(resolve(dist, path)).href);
  const [bytes, languages, registry, codec, summary] = await Promise.all([
    part('io/index/grammar-bytes.js'),
    part('languages/summarise.js'),
    part('languages/registry.js'),
    part('io/index/summary-codec.js'),
    part('syntax/summary.js'),
  ]);
  const grammars = await bytes.grammarsOfThread();
  return {
    known: (file) => registry.languageOf(file) !== undefined,
    read: (file, text) => languages.summarise(grammars, file, text),
    encode: (made) => Buffer.from(codec.encodeSummary(made)),
    places: (made) => namedPlaces(made, summary.argumentsOf, new Set([summary.E.call, summary.E.new])),
  };
}

function* filesUnder(path) {
  if (statSync(path).isFile()) yield path;
  else
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.name === '.git' || entry.isSymbolicLink()) continue;
      yield* filesUnder(join(path, entry.name));
    }
}

let state = options.seed;
function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function* brokenTexts(text) {
  for (let i = 0; i < options.broken; i++) {
    const at = random(text.length + 1);
    yield i % 2 === 0 ? text.slice(0, at) : text.slice(0, at) + text.slice(at + 1 + random(40));
  }
}

/** Where a name of the source has a row, or is the keyword of an argument. */
function namedPlaces(summary, argumentsOf, calls) {
  const places = new Set();
  const { exprs, decls, names } = summary;
  for (let row = 0; row < exprs.count; row++)
    if (calls.has(exprs.op[row]))
      for (const { keyword, start } of argumentsOf(summary, row)) if (keyword !== '') places.add(start);
  for (let row = 0; row < exprs.count; row++)
    if (exprs.name[row] !== 0 && exprs.end[row] - exprs.start[row] === names[exprs.name[row]].length)
      places.add(exprs.start[row]);
  for (let row = 0; row < decls.count; row++) if (decls.nameStart[row] >= 0) places.add(decls.nameStart[row]);
  return places;
}

function firstDifference(a, b) {
  for (const part of [
    'names',
    'scopes',
    'decls',
    'exprs',
    'items',
    'imports',
    'exports',
    'errors',
    'dynamic',
    'paths',
  ]) {
    const [x, y] = [a[part], b[part]];
    if (JSON.stringify(x) === JSON.stringify(y)) continue;
    if (x.count !== undefined) {
      if (x.count !== y.count) return `${part}: ${x.count} rows, then ${y.count}`;
      for (const column of Object.keys(x))
        for (let i = 0; i < x.count; i++)
          if (x[column][i] !== y[column][i])
            return `${part}.${column}[${i}]: ${x[column][i]}, then ${y[column][i]} (at ${x.start?.[i]})`;
    }
    return part;
  }
  return 'hashes or flags';
}

const [old, now] = [await load(before), await load(after)];
const counts = { texts: 0, broken: 0, differing: 0, brokenDiffering: 0, lost: 0, gained: 0 };
const shown = [];
function compare(file, text, isBroken) {
  const [a, b] = [old.read(file, text), now.read(file, text)];
  const hasErrors = isBroken || a.errors.length > 0;
  counts[isBroken ? 'broken' : 'texts']++;
  if (old.encode(a).equals(now.encode(b))) return;
  counts[hasErrors ? 'brokenDiffering' : 'differing']++;
  const [was, is] = [old.places(a), now.places(b)];
  const lost = [...was].filter((at) => !is.has(at));
  counts.lost += lost.length;
  counts.gained += [...is].filter((at) => !was.has(at)).length;
  if (shown.length < 20 && (!hasErrors || lost.length > 0))
    shown.push(
      `${file}${hasErrors ? ' (with errors)' : ''}: ${firstDifference(a, b)}` +
        (lost.length > 0 ? `; lost ${lost.slice(0, 3).map((at) => JSON.stringify(text.slice(at - 20, at + 20)))}` : ''),
    );
}

for (const root of roots)
  for (const file of filesUnder(root)) {
    if (!old.known(file) || !now.known(file)) continue;
    const text = readFileSync(file, 'utf8');
    if (text.length > 2_000_000) continue;
    compare(file, text, false);
    for (const broken of brokenTexts(text)) compare(file, broken, true);
  }
for (const line of shown) console.log(line);
console.log(JSON.stringify(counts));
process.exitCode = counts.differing > 0 || counts.lost > 0 ? 1 : 0;
