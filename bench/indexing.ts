/**
 * What the index costs above mere parsing, in one thread and in CPU time.
 *
 * The files are taken in pieces, and each piece is parsed and indexed in turn, so that what else
 * the machine does falls on both alike. The first round includes the compiling of the code; the
 * median of the rounds is what is judged.
 */
import { WorkingTree } from '#src/engine/working-tree.js';
import { Snapshot } from '#src/graph/files/snapshot.js';
import { languageById } from '#src/languages/registry.js';
import type { Grammars } from '#src/syntax/grammar.js';
import type { Summary } from '#src/syntax/summary.js';
import type { Figure } from './figure.js';
import type { Source, Sources } from './sources.js';
import { cpuMs, median } from './timing.js';

/** Small, so that both halves of a comparison run under the same conditions. */
const PIECE_BYTES = 150 * 1024;
const ROUNDS_MOST = 5;
/** No further round is begun after this much CPU time. */
const ENOUGH_MS = 60_000;

export interface Indexed {
  readonly figures: readonly Figure[];
  readonly snapshot: Snapshot;
}

export function measureIndexing(sources: Sources, grammars: Grammars): Indexed {
  const pieces = inPieces(sources.files);
  const rounds: { parse: number; index: number }[] = [];
  let snapshot = Snapshot.empty();
  for (let spent = 0; rounds.length < ROUNDS_MOST && spent < ENOUGH_MS;) {
    const summaries = new Map<string, Summary>();
    let parse = 0;
    let index = 0;
    pieces.forEach((piece, i) => {
      // Parsing is measured on the text that the parser reads when it indexes.
      const seen = piece.map(({ path, text, language: id }) => ({
        grammar: languageById(id).grammarFor(path),
        text: languageById(id).parserText?.(text) ?? text,
      }));
      const parsing = (): void =>
        void (parse += cpuMs(() => seen.forEach(({ grammar, text }) => grammars.parseOnly(grammar, text))));
      const indexing = (): void =>
        void (index += cpuMs(() => piece.forEach((source) => summaries.set(source.path, summaryOf(source, grammars)))));
      // Whichever comes second finds its data in the processor's caches.
      for (const work of (i + rounds.length) % 2 === 0 ? [parsing, indexing] : [indexing, parsing]) work();
    });
    index += cpuMs(() => (snapshot = Snapshot.empty().with(summaries, sources.configs)));
    rounds.push({ parse, index });
    spent += parse + index;
  }
  return { figures: figuresOf(rounds, sources.bytes), snapshot };
}

export function summaryOf(
  { path, text, language: id }: Pick<Source, 'path' | 'text' | 'language'>,
  grammars: Grammars,
): Summary {
  const language = languageById(id);
  const grammar = language.grammarFor(path);
  return language.extract(grammars.parse(grammar, text, language.parserText?.(text), language.secondReading), grammar);
}

function figuresOf(rounds: readonly { parse: number; index: number }[], bytes: number): Figure[] {
  const group = 'Indexing in one thread, CPU time';
  const parse = median(rounds.map((round) => round.parse));
  const index = median(rounds.map((round) => round.index));
  const [cold] = rounds as [{ parse: number; index: number }];
  return [
    { group, name: 'parse and free', value: parse, unit: 'ms', on: `median of ${rounds.length}` },
    { group, name: 'parse, extract, snapshot', value: index, unit: 'ms', on: `median of ${rounds.length}` },
    { group, name: 'speed of the latter', value: bytes / 1000 / index, unit: 'MB/s' },
    {
      group,
      name: 'ratio',
      value: median(rounds.map((round) => round.index / round.parse)),
      unit: 'x',
      bound: 2,
      aim: 1.5,
    },
    { group, name: 'ratio of the first round', value: cold.index / cold.parse, unit: 'x', on: 'code not compiled yet' },
  ];
}

function inPieces(files: readonly Source[]): Source[][] {
  const pieces: Source[][] = [];
  let bytes = Infinity;
  for (const file of files) {
    if (bytes > PIECE_BYTES) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(file);
    bytes += file.bytes;
  }
  return pieces;
}

/** A repository whose texts are in memory, as a tree to edit. */
export function treeOf(sources: Sources, grammars: Grammars): WorkingTree {
  const texts = new Map(sources.files.map((source) => [source.path, source.text]));
  return new WorkingTree(
    Snapshot.empty().with(
      new Map(sources.files.map((source) => [source.path, summaryOf(source, grammars)])),
      sources.configs,
    ),
    (file) => texts.get(file),
  );
}
