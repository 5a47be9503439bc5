/**
 * From a keystroke to the next snapshot: the text of an open file goes to the host as an
 * editor's unsaved text, and the client's snapshot is read back.
 *
 * Each edit makes one identifier longer by a letter, from the end of the file to its start, so
 * every text is new and none is broken; then the same behind a syntax error, where each text is parsed as a whole
 * (what it says must not hang on what was there before).
 */
import { Host } from '#src/engine/host.js';
import type { DiskFile } from '#src/engine/event.js';
import type { Snapshot } from '#src/graph/files/snapshot.js';
import type { Grammars } from '#src/syntax/grammar.js';
import { E, R, type Summary } from '#src/syntax/summary.js';
import type { Figure } from './figure.js';
import { summaryOf } from './indexing.js';
import type { Source, Sources } from './sources.js';
import { percentile, spread, wallMs } from './timing.js';

const EDITS = 100;
/** The first edits find code that is not compiled and no tree to start from. */
const WARM_UP = 10;
/** Roles of the names that may be misspelt without harm to the syntax. */
const EDITABLE: ReadonlySet<number> = new Set([R.read, R.callee, R.type]);
const CLIENT = 'bench';

export function measureEditing(sources: Sources, snapshot: Snapshot, grammars: Grammars): Figure[] {
  const group = 'Edit to snapshot';
  const host = new Host(grammars);
  const files = new Map(
    [...snapshot.files].map(([path, summary]): [string, DiskFile] => [
      path,
      { summary, digest: '', byteOrderMark: false },
    ]),
  );
  host.post({ kind: 'disk', files, configs: sources.configs, refused: new Map() });
  const figures: Figure[] = [];
  for (const { lines, bound } of [
    { lines: 500, bound: 20 },
    { lines: 5000, bound: 80 },
  ]) {
    const source = sourceOfLength(sources, snapshot, lines);
    const summary = summaryOf(source, grammars);
    const times = editTimes(host, source, summary);
    const on = `${source.path}, ${source.lines} lines`;
    figures.push(
      { group, name: `${lines} lines, median`, value: percentile(times, 0.5), unit: 'ms', bound, on },
      { group, name: `${lines} lines, p95`, value: percentile(times, 0.95), unit: 'ms', bound },
    );
    const broken = editTimes(host, { ...source, text: `${source.text}\n)\n` }, summary);
    figures.push(
      { group, name: `${lines} lines with an error, median`, value: percentile(broken, 0.5), unit: 'ms', bound },
      { group, name: `${lines} lines with an error, p95`, value: percentile(broken, 0.95), unit: 'ms', bound },
    );
  }
  return figures;
}

function editTimes(host: Host, source: Source, summary: Summary): number[] {
  const places: number[] = [];
  for (let row = 0; row < summary.exprs.count; row++)
    if (summary.exprs.opOf(row) === E.name && EDITABLE.has(summary.exprs.roleOf(row)))
      places.push(summary.exprs.endOf(row));
  places.sort((a, b) => b - a);
  let text = source.text;
  host.post({ kind: 'overlay', client: CLIENT, path: source.path, text, version: 0 });
  host.snapshot(CLIENT);
  const times = spread(places, EDITS).map((place, i) => {
    text = `${text.slice(0, place)}x${text.slice(place)}`;
    return wallMs(() => {
      host.post({ kind: 'overlay', client: CLIENT, path: source.path, text, version: i + 1 });
      host.snapshot(CLIENT);
    });
  });
  host.post({ kind: 'overlayClosed', client: CLIENT, path: source.path });
  if (times.length <= WARM_UP) throw new Error(`${source.path} has too few names to edit`);
  return times.slice(WARM_UP);
}

/** The file without syntax errors whose length is nearest. */
function sourceOfLength({ files, language }: Sources, snapshot: Snapshot, lines: number): Source {
  const distance = (file: Source): number => Math.abs(file.lines - lines);
  return files
    .filter((file) => file.language === language && snapshot.summary(file.path)?.errors.length === 0)
    .reduce((best, file) => (distance(file) < distance(best) ? file : best));
}
