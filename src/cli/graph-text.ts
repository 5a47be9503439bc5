/** Answers about the graph for people: one line a place, with the path of resolution behind it. */
import type {
  BlockEntry,
  CallEntry,
  CallsReport,
  FactEntry,
  HierarchyReport,
  OtherMeaning,
  Reference,
  Relative,
  RefsReport,
  WhyReport,
} from '#protocol/graph.js';
import type { Problem } from '#protocol/words.js';
import { shownName, shownWord } from '../base/shown.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';
import { problemLines } from './problem-text.js';
import { shownOf, tallyLines } from './tally-text.js';
import { undecidedLines } from './undecided-text.js';

/** `limit`: how many references to show, certain ones first; undefined leaves it to their number. */
export function refsLines(report: RefsReport, paint: Paint, limit?: number): string[] {
  const { references } = report;
  const most = limit ?? shownOf(references.length);
  const isSure = ({ confidence }: Reference): number => (confidence === 'certain' ? 0 : 1);
  const shown = new Set([...references].sort((a, b) => isSure(a) - isSure(b)).slice(0, most));
  const left = references.length - shown.size;
  return [
    ...headLines(report.blocks, paint),
    ...references.filter((reference) => shown.has(reference)).map((reference) => referenceLine(reference, paint)),
    ...(left === 0
      ? []
      : [`… ${counted(left, 'more reference')} (--limit shows more)`, '', ...sums(report, paint), '']),
    ...report.denied.map((reference) => `${paint('denied', 'dim')}  ${referenceLine(reference, paint)}`),
    ...endLines(report, paint),
    total(report),
  ];
}

/** The sums alone: by relation, by file; then all in one line. */
export function refsStat(report: RefsReport, paint: Paint): string[] {
  return [
    ...headLines(report.blocks, paint),
    ...(report.references.length === 0 ? [] : [...sums(report, paint), '']),
    ...endLines(report, paint),
    total(report),
  ];
}

function sums({ references }: RefsReport, paint: Paint): string[] {
  const by = (title: string, names: readonly string[]): string[] => tallyLines(title, 'reference', names, paint);
  return [
    ...by(
      'by relation',
      references.map(({ relation }) => relation),
    ),
    ...by(
      'by file',
      references.map(({ file }) => shownName(file)),
    ),
  ];
}

function total({ references, denied }: RefsReport): string {
  const certain = references.filter((reference) => reference.confidence === 'certain').length;
  const more = denied.length === 0 ? '' : `; the language server denied ${denied.length} more`;
  return (
    `${counted(references.length, 'reference')}: ${certain} certain, ${references.length - certain} ` +
    `possible${more}.`
  );
}

export function callsLines(report: CallsReport, paint: Paint): string[] {
  const blocks = new Set(report.calls.map(({ file, block }) => `${file}\0${block}`));
  return [
    ...headLines(report.blocks, paint),
    ...report.calls.map((call) => callLine(call, paint)),
    ...report.throughBases.map(
      (base) =>
        `${paint('also through', 'yellow')}  ${shownName(base.file)}:${base.startLine}: ${base.block}, which ` +
        `it overrides: see: codeplan graph callers ${shownWord(`${base.file}:${base.block}`)}`,
    ),
    ...endLines(report, paint),
    `${counted(blocks.size, report.direction === 'callers' ? 'caller' : 'callee')}.`,
  ];
}

export function hierarchyLines(report: HierarchyReport, paint: Paint): string[] {
  const section = (title: string, relatives: readonly Relative[]): string[] =>
    relatives.length === 0 ? [] : [paint(title, 'cyan'), ...relatives.map((relative) => relativeLine(relative, paint))];
  return [
    ...headLines(report.blocks, paint),
    ...section('bases', report.bases),
    ...section('derived', report.derived),
    ...section('overrides', report.overrides),
    ...section('overridden by', report.overriddenBy),
    ...(report.searchOrder.length < 2
      ? []
      : [`${paint('members are searched in', 'cyan')}  ${report.searchOrder.map(({ block }) => block).join(', ')}`]),
    ...(report.unknownBase
      ? [paint('Some base could not be made out, so members may come from elsewhere.', 'yellow')]
      : []),
    ...problemLines(report.problems, paint),
    ...([report.bases, report.derived, report.overrides, report.overriddenBy].every((list) => list.length === 0)
      ? ['Nothing stands above or below it.']
      : []),
  ];
}

export function whyLines(report: WhyReport, paint: Paint): string[] {
  return [
    paint(report.summary, 'bold'),
    ...report.references.flatMap((reference) => [
      `  ${place(reference)}: ${reference.block}  ${reference.relation} ${reference.confidence}, ${reference.via}`,
      ...factLines(reference.path ?? []),
    ]),
    ...report.others.flatMap((other) => [
      `  ${place(other)}: ${other.block}  ${outcome(other)}`,
      ...factLines(other.path),
    ]),
    ...problemLines(report.problems, paint),
  ];
}

const place = ({
  file,
  startLine,
  startColumn,
}: {
  readonly file: string;
  readonly startLine: number;
  readonly startColumn: number;
}): string => `${shownName(file)}:${startLine}:${startColumn}`;

function headLines(blocks: readonly BlockEntry[], paint: Paint): string[] {
  return [
    ...blocks.map((block) =>
      paint(`${shownName(block.file)}:${block.startLine}: ${block.block}  ${block.kind}`, 'bold'),
    ),
  ];
}

function referenceLine(reference: Reference, paint: Paint): string {
  return (
    `  ${shownName(reference.file)}:${reference.startLine}: ${reference.block}  ${reference.relation} ` +
    `${confidence(reference.confidence, paint)} – ${pathWords(reference.file, reference.via, reference.path)}`
  );
}

function callLine(call: CallEntry, paint: Paint): string {
  const lines = call.sites.map((site) => site.startLine);
  const again =
    call.repeated === undefined ? '' : paint(call.repeated === 'cycle' ? '  (cycle)' : '  (shown above)', 'dim');
  // The lines are the caller's: of the callee itself its name is enough.
  const where =
    call.relation === 'CalledBy' || call.relation === 'InstantiatedBy'
      ? `${shownName(call.file)}:${lines.join(',')}: ${call.block}`
      : `${shownName(call.file)}: ${call.block}  line ${lines.join(',')}`;
  const file = call.relation === 'CalledBy' || call.relation === 'InstantiatedBy' ? call.file : call.of.file;
  return (
    `${'  '.repeat(call.depth)}${where}  ${call.relation} ${confidence(call.confidence, paint)}${again} – ` +
    pathWords(file, call.via, call.path)
  );
}

function relativeLine(relative: Relative, paint: Paint): string {
  const indent = '  '.repeat(relative.depth);
  if (relative.file === undefined) return `${indent}${relative.name}  ${paint('from outside', 'dim')}`;
  return (
    `${indent}${shownName(relative.file)}:${relative.line}: ` +
    (relative.block ?? '') +
    (relative.depth > 1 ? paint(`  through ${relative.of.block}`, 'dim') : '') +
    (relative.via === undefined ? '' : paint(`  ${relative.via}`, 'dim'))
  );
}

const confidence = (word: 'certain' | 'possible', paint: Paint): string =>
  word === 'certain' ? word : paint(word, 'yellow');

/** How many steps of a path fit in a line: with `--why` all are shown. */
const STEPS_MOST = 4;

/** The path in one line, the middle of a long one left out; files are named where they are not the reference's own. */
function pathWords(file: string, via: string, path: readonly FactEntry[] | undefined): string {
  if (path === undefined || path.length === 0) return via;
  const words = path.map(
    (fact) => `${fact.words} (${fact.file === file ? '' : `${shownName(fact.file)}:`}${fact.line})`,
  );
  return (
    words.length <= STEPS_MOST ? words : [...words.slice(0, STEPS_MOST / 2), '…', ...words.slice(-STEPS_MOST / 2)]
  ).join('; ');
}

const factLines = (path: readonly FactEntry[]): string[] =>
  path.map((fact) => `      ${shownName(fact.file)}:${fact.line}: ${fact.words}`);

function outcome(other: OtherMeaning): string {
  const means = other.means.map(({ file, block }) => `${shownName(file)}:${block}`).join(', ');
  switch (other.outcome) {
    case 'other':
      return `means ${means}`;
    case 'external':
      return 'comes from outside of the repository';
    case 'unresolved':
      return 'is not resolved';
    case 'excluded':
      return means === '' ? 'is not resolved, and cannot be this one' : `may mean ${means}, but not this one`;
    case 'string':
      return 'is a string';
  }
}

function endLines(
  report: {
    readonly undecided: readonly { readonly file: string; readonly line: number; readonly reason: string }[];
    readonly problems: readonly Problem[];
  },
  paint: Paint,
): string[] {
  return [...undecidedLines(report.undecided, paint), ...problemLines([...report.problems], paint)];
}
