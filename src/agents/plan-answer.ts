/**
 * A plan as an agent reads it: counts first, what is open with its reasons, then the diff.
 */
import type { PropagateReport } from '#protocol/propagate.js';
import type { Status } from '#protocol/status.js';
import { shownDiff, shownName } from '../base/shown.js';
import type { AgentAnswer } from './agent-tool.js';
import { limited } from './answer-limit.js';
import { freshness } from './freshness.js';

/** The answer to a plan that was made or written. */
export function planAnswer(report: PropagateReport, status: Status): AgentAnswer {
  return {
    text: limited(
      sumOf(report),
      [...openLines(report), ...diffLines(report)],
      [...written(report), freshness(status)],
      'apply and look at the files, or with a shell: codeplan propagate',
    ),
    structured: { ...report },
  };
}

function sumOf(report: PropagateReport): string {
  const edits = report.steps.filter(({ diff }) => diff !== '');
  const breaks = new Set(
    [...report.steps, ...report.open].filter((place) => 'tier' in place && place.tier === 'breaks').map(key),
  ).size;
  const total = new Set([...report.steps, ...report.open].map(key)).size;
  if (total + report.undecided.length === 0 && report.problems.length === 0)
    return 'Nothing else has to change for these edits.';
  const possible = report.open.filter(({ confidence }) => confidence === 'possible').length;
  return (
    `${total} blocks follow: ${breaks} break, ${total - breaks} may change; ` +
    `${edits.length} ${report.applied ? 'edited' : 'edits by rule'}, ${report.open.length} open` +
    (possible === 0 ? '' : ` (${possible} only possibly)`) +
    (report.undecided.length === 0 ? '' : `, ${report.undecided.length} places undecided`) +
    (report.problems.length === 0 ? '' : `; ${report.problems.length} problems: the answer may lack some`)
  );
}

const key = ({ file, block }: { readonly file: string; readonly block: string }): string => `${file}\0${block}`;

/** What breaks for sure first; what is possible is one line. */
function openLines(report: PropagateReport): string[] {
  const certain = report.open.filter(({ confidence }) => confidence !== 'possible');
  const possible = report.open.length - certain.length;
  return [
    ...certain.map(({ file, line, block, reason, needs, value }) => {
      const at = line === undefined ? shownName(file) : `${shownName(file)}:${line}`;
      const how = needs === 'value' && value !== undefined ? ` [values: {"${value}": …}]` : '';
      return `open ${at} ${shownName(block)}: ${reason}${how}`;
    }),
    ...(possible === 0 ? [] : [`open, only possibly: ${possible} (see refs with possible: true)`]),
    ...report.undecided.map(({ file, line, reason }) => `undecided ${shownName(file)}:${line}: ${reason}`),
    ...report.problems.map(
      ({ file, message }) => `problem ${file === undefined ? '' : `${shownName(file)} `}${message}`,
    ),
  ];
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
