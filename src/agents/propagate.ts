/**
 * What follows from edits made by hand: counts first, what is open with its reasons, then the diff.
 */
import { z } from 'zod';
import type { PropagateReport } from '#protocol/propagate.js';
import { shownDiff, shownName } from '../base/shown.js';
import { agentTool, type AgentAnswer } from './agent-tool.js';
import { limited } from './answer-limit.js';
import { freshness } from './freshness.js';

export const propagate = agentTool({
  name: 'propagate',
  description:
    'After you edited code: what no longer fits elsewhere, and the edits that follow by rule, as a diff. ' +
    'Writes only with apply.',
  params: {
    base: z.string().min(1).optional().describe('revision the edit is measured against; HEAD if absent'),
    values: z
      .record(z.string(), z.string())
      .optional()
      .describe('what callers pass for a new parameter, by its name: {"timeout": "30"}'),
    apply: z.boolean().optional(),
  },
  writes: true,
  answer: async (service, { base, values, apply }, call): Promise<AgentAnswer> => {
    const report = await service.ask(
      'codeplan/plan',
      {
        model: 'none',
        ...(base === undefined ? {} : { base }),
        ...(values === undefined ? {} : { values }),
        ...(apply === undefined ? {} : { apply }),
      },
      call,
    );
    const end = [...written(report), freshness(await service.ask('codeplan/status', {}, call))];
    return {
      text: limited(
        sumOf(report),
        [...openLines(report), ...diffLines(report)],
        end,
        'apply and look at the files, or with a shell: codeplan propagate',
      ),
      structured: { ...report },
    };
  },
});

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
export function openLines(report: PropagateReport): string[] {
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
export function diffLines(report: PropagateReport): string[] {
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
