/**
 * `npm run bench:ground -- <dir>… [--digest]`: what it costs to ask which blocks could implement a sentence: the index
 * of all folders together, beside parsing them, and a question's CPU time.
 *
 * Questions are what the repository says of itself, the first sentences of documentation comments, evenly
 * taken; a hundred are asked before any is measured. `--digest` prints a hash of all answers, so that two versions of
 * the program can be compared.
 */
import { basename, resolve } from 'node:path';
import { hashText } from '#src/base/hash.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { grammarsOfThread } from '#src/io/index/grammar-bytes.js';
import { documentationOf } from '#src/languages/documentation.js';
import { languageById } from '#src/languages/registry.js';
import { isDocument } from '#src/retrieve/documents.js';
import { ground } from '#src/retrieve/ground.js';
import { SearchIndex, type IndexedFile } from '#src/retrieve/search-index.js';
import type { Summary } from '#src/syntax/summary.js';
import { summaryOf } from './indexing.js';
import { readSources } from './sources.js';
import { cpuMs, median, percentile, spread } from './timing.js';

const QUESTIONS = 300;
const BEFORE = 100;
const ANSWERS = 20;
const WORDS = { least: 5, most: 40 };

const args = process.argv.slice(2);
const roots = args.filter((argument) => !argument.startsWith('-')).map((root) => resolve(root));
if (roots.length === 0) throw new Error('usage: npm run bench:ground -- <dir>… [--digest]');
const grammars = await grammarsOfThread();
const summaries = new Map<string, Summary>();
const read = new Map<string, IndexedFile>();
const sentences: string[] = [];
let [parse, index] = [0, 0];
let searched = SearchIndex.empty();
for (const [i, root] of roots.entries()) {
  const { files } = await readSources(root);
  for (const source of files) {
    const path = roots.length === 1 ? source.path : `${basename(root)}-${i}/${source.path}`;
    const language = languageById(source.language);
    const parsed = language.parserText?.(source.text) ?? source.text;
    parse += cpuMs(() => grammars.parseOnly(language.grammarFor(source.path), parsed));
    const summary = summaryOf(source, grammars);
    summaries.set(path, summary);
    index += cpuMs(() => void read.set(path, searched.read(path, { summary, text: source.text })));
    sentences.push(...saidIn(source.text, summary));
  }
}
const snapshot = Snapshot.empty().with(summaries, new Map());
index += cpuMs(() => void (searched = searched.withDocuments(read)));
const questions = spread(sentences, QUESTIONS + BEFORE);
const asked: number[] = [];
const answers: string[] = [];
for (const [i, question] of [...questions.filter((_, at) => at % 4 === 0), ...questions].entries()) {
  const taken = cpuMs(() => void answers.push(JSON.stringify(ground(searched, snapshot, question, ANSWERS))));
  if (i >= BEFORE) asked.push(taken);
}
const mean = asked.reduce((sum, ms) => sum + ms, 0) / asked.length;
console.log(
  [
    `blocks            ${searched.size.toLocaleString('en')} in ${summaries.size.toLocaleString('en')} files`,
    `index             ${Math.round(index)} ms CPU, ${(index / parse).toFixed(2)} of parsing (${Math.round(parse)} ms)`,
    `memory of it      ${(searched.bytes / 1e6).toFixed(1)} MB without its words`,
    `a question        ${[
      `${mean.toFixed(1)} ms CPU on average`,
      `${median(asked).toFixed(1)} median`,
      `${percentile(asked, 0.95).toFixed(1)} p95`,
    ].join(', ')} (${asked.length} sentences of its own documentation, ${ANSWERS} answers each)`,
    `for 100,000       ${((mean * 100_000) / searched.size).toFixed(1)} ms on average, had it so many blocks`,
    ...(args.includes('--digest') ? [`answers           ${hashText(answers.join('\n'))}`] : []),
  ].join('\n'),
);

/** First sentences of what is documented in a file, where they are sentences. */
function saidIn(text: string, summary: Summary): string[] {
  const out: string[] = [];
  for (let decl = 0; decl < summary.decls.count; decl++) {
    if (!isDocument(summary, decl)) continue;
    const said = documentationOf(text, summary, decl).replace(/[\s/*#"]+/g, ' ');
    const sentence = /^[^.]*/.exec(said.trim())?.[0] ?? '';
    const words = sentence.split(' ').length;
    if (words >= WORDS.least && words <= WORDS.most) out.push(sentence);
  }
  return out;
}
