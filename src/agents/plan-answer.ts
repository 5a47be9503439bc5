/**
 * A plan as an agent reads it: counts first, what is open with its reasons, then the diff.
 */
import type { PropagateReport } from '#protocol/propagate.js';
import type { Status } from '#protocol/status.js';
import { factAndCause } from '../base/block-reason.js';
import { counted, namesInWords } from '../base/counted.js';
import { shownDiff, shownName } from '../base/shown.js';
import { unlistedWords } from '../impact/unlisted.js';
import type { AgentAnswer } from './agent-tool.js';
import { limited } from './answer-limit.js';
import { freshness } from './freshness.js';

/** One line of paths: mentions are counted, and only say where to look. */
const FILES_OF_MENTIONS_MOST = 8;

/** The answer to a plan that was made or written. `before`: what has to be said above all else. */
export function planAnswer(report: PropagateReport, status: Status, before: readonly string[] = []): AgentAnswer {
  return {
    text: limited(
      [...before, sumOf(report)].join('\n'),
      [...openLines(report), ...diffLines(report)],
      [...written(report), freshness(status)],
      'apply and look at the files, or with a shell: codeplan propagate',
    ),
    structured: { ...report },
  };
}

function sumOf(report: PropagateReport): string {
  const seeds = report.steps.filter(({ how }) => how === 'seed');
  const followers = report.steps.filter(({ how }) => how !== 'seed');
  const places = [...followers, ...report.open];
  const itself =
    seeds.length === 0 ? '' : `${report.applied ? 'Edited' : 'The edit itself'}: ${counted(seeds.length, 'file')}; `;
  if (places.length + report.undecided.length + report.problems.length === 0 && report.unsearched === undefined)
    return seeds.length === 0
      ? 'Nothing else has to change for these edits.'
      : `${itself}nothing else has to change for it.`;
  const edits = followers.filter(({ diff }) => diff !== '');
  const breaks = new Set(places.filter(({ tier }) => tier === 'breaks').map(key)).size;
  const total = new Set(places.map(key)).size;
  const possible = report.open.filter(({ confidence }) => confidence === 'possible').length;
  return (
    `${itself}${counted(total, 'block')} ${total === 1 ? 'follows' : 'follow'}: ` +
    `${breaks} ${breaks === 1 ? 'breaks' : 'break'}, ${total - breaks} may change; ` +
    `${report.applied ? `${edits.length} edited` : counted(edits.length, 'edit by rule', 'edits by rule')}, ` +
    `${report.open.length} open` +
    (possible === 0 ? '' : ` (${possible} only possibly)`) +
    (report.undecided.length === 0 ? '' : `, ${counted(report.undecided.length, 'place')} undecided`) +
    (report.problems.length === 0 ? '' : `; ${counted(report.problems.length, 'problem')}: the answer may lack some`)
  );
}

const key = ({ file, block }: { readonly file: string; readonly block: string }): string => `${file}\0${block}`;

/** What breaks for sure first; what is possible is one line. */
function openLines(report: PropagateReport): string[] {
  const certain = report.open
    .filter(({ confidence }) => confidence !== 'possible')
    .sort((a, b) => Number(b.tier === 'breaks') - Number(a.tier === 'breaks'));
  const possible = report.open.length - certain.length;
  return [
    ...certain.map((one) => {
      const { file, line, block, needs, value } = one;
      const at = line === undefined ? shownName(file) : `${shownName(file)}:${line}`;
      const how = needs === 'value' && value !== undefined ? ` [values: {"${value}": …}]` : '';
      return `open ${at} ${shownName(block)}: ${factAndCause(one)}${how}`;
    }),
    ...(possible === 0 ? [] : [`open, only possibly: ${possible} (see refs with possible: true)`]),
    ...report.undecided.map(({ file, line, reason }) => `undecided ${shownName(file)}:${line}: ${reason}`),
    ...unlistedWords(report).map(({ head, words }) => `${head}: ${words}`),
    ...mentionLines(report),
    ...report.problems.map(
      ({ file, message }) => `problem ${file === undefined ? '' : `${shownName(file)} `}${message}`,
    ),
  ];
}

/** What says the name outside of code and stays as it is. */
function mentionLines({ mentions = [] }: PropagateReport): string[] {
  if (mentions.length === 0) return [];
  const files = [...new Set(mentions.map(({ file }) => shownName(file)))];
  const named = namesInWords(files, FILES_OF_MENTIONS_MOST, 'file');
  const say = mentions.length === 1 ? 'says' : 'say';
  return [`not edited: ${counted(mentions.length, 'place')} outside of code that ${say} the name: ${named}`];
}

/** Diffs of the steps, without the names of one file twice in a row. */
function diffLines(report: PropagateReport): string[] {
  let last = '';
  return report.steps
    .filter(({ diff }) => diff !== '')
    .flatMap(({ file, diff }) => {
      const hunks = shownDiff(diff).filter((line) => !line.startsWith('--- ') && !line.startsWith('+++ '));
      const head = file === last ? [] : [`--- ${shownName(file)}`];
      last = file;
      return [...head, ...hunks];
    });
}

function written(report: PropagateReport): string[] {
  if (report.applied) return [`written; undo: run ${report.run}`];
  return report.steps.some(({ diff }) => diff !== '') ? ['nothing was written; call again with apply: true'] : [];
}
