/**
 * A plan as rows of text, for editors that show it: grouped by file, edits that are alike as one row that unfolds, each
 * with its difference below it, and the sums in the head.
 */
import { counted } from '../base/counted.js';
import type { PropagateReport, Step } from '#protocol/propagate.js';
import type { PlanRow, RowsReport } from '#protocol/plan-rows.js';
import type { WorkEntry } from '#protocol/work.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { factFirst } from '../base/block-reason.js';
import { shownInLine, shownText } from '../base/shown.js';
import { unlistedWords } from '../impact/unlisted.js';
import { ALIKE_LEAST, changeIn } from './alike-edits.js';
import type { FileEdit } from './file-edit.js';
import type { Run } from './propagation.js';
import { howMade } from './how-made.js';
import { diffOf } from './step-diff.js';

/** Characters of a block's name in its column; longer ones push what follows. */
const BLOCK_MOST = 32;

/** A step of which a part is left out, or steps that differ, have `~`. */
const MARKS: Readonly<Partial<Record<Step['status'], string>>> = {
  accepted: '+',
  rejected: '-',
  blocked: '!',
  applied: '*',
  verified: '*',
};

export function planRows({ report, hunks, edits }: Pick<Run, 'report' | 'hunks' | 'edits'>): RowsReport {
  const rows: PlanRow[] = [];
  const done = report.steps.filter((step) => step.diff !== '');
  for (const [file, steps] of grouped(done, (step) => step.file)) {
    rows.push({
      key: `file ${file}`,
      kind: 'file',
      level: 0,
      text: `${shownInLine(file)}  ${sumOf(steps)}`,
      steps: ids(steps),
      place: { file, line: Math.min(...steps.map(lineOf)) },
      isFolded: false,
    });
    const width = Math.min(BLOCK_MOST, Math.max(...steps.map(({ block }) => block.length)));
    for (const [change, alike] of grouped(steps, changeIn)) {
      const isGroup = change !== '' && alike.length >= ALIKE_LEAST;
      if (isGroup)
        rows.push({
          key: `alike ${file} ${change}`,
          kind: 'alike',
          level: 1,
          text: `${markOf(alike)} ${String(alike.length).padStart(3)} × ${shownInLine(change)}`,
          steps: ids(alike),
          place: { file, line: Math.min(...alike.map(lineOf)) },
          isFolded: true,
        });
      for (const step of alike) rows.push(...stepRows(step, hunks.get(step.id), isGroup ? 2 : 1, width));
    }
  }
  const named = new Set(done.map(({ file }) => file));
  for (const edit of edits) if (!named.has(edit.file)) rows.push(...rowsWithoutStep(edit));
  const open = openRows(report);
  const text = `left for you  ${open.length}`;
  if (open.length > 0) rows.push({ key: 'open', kind: 'file', level: 0, text, steps: [], isFolded: false }, ...open);
  return { schema: SCHEMA_VERSION, run: report.run, head: headOf(report, done), rows };
}

/** `hunks`: those that can be left out by themselves. */
function stepRows(step: Step, hunks: ReadonlySet<number> | undefined, level: number, width: number): PlanRow[] {
  const place = { file: step.file, line: lineOf(step) };
  const how = step.how === 'mechanical' || step.how === 'seed' ? '' : `  (${howMade(step)})`;
  return [
    {
      key: `step ${step.id}`,
      kind: 'step',
      level,
      text:
        `${markOf([step])} ${String(step.id).padStart(3)}  line ${String(place.line).padEnd(5)} ` +
        `${shownInLine(step.block).padEnd(width)}  ${shownInLine(factFirst(step))}${how}`,
      steps: [step.id],
      place,
      isFolded: true,
    },
    ...diffRows(step, hunks, level + 1),
  ];
}

/** What no step stands for, such as a file that was written for the plan: it is made with the others. */
function rowsWithoutStep(edit: FileEdit): PlanRow[] {
  const { file, kind } = edit;
  const text = `${shownInLine(file)}  ${edit.kind === 'rename' ? `becomes ${shownInLine(edit.to)}` : `${kind}d`}`;
  const diff = diffOf(file, kind === 'create' ? '' : edit.before, kind === 'delete' ? '' : edit.after);
  const lines = diffLines(diff);
  const below = { level: 1, steps: [], isFolded: false };
  return [
    { key: `file ${file}`, kind: 'file', level: 0, text, steps: [], isFolded: true },
    ...lines.map((line, n) => ({ ...below, key: `line ${file} ${n}`, kind: kindOfLine(line), text: shownText(line) })),
  ];
}

const diffLines = (diff: string): string[] =>
  diff.split('\n').filter((text) => text !== '' && !/^(?:---|\+\+\+) /u.test(text));

const kindOfLine = (text: string): 'hunk' | 'added' | 'removed' | 'context' =>
  text.startsWith('@@ -') ? 'hunk' : text.startsWith('+') ? 'added' : text.startsWith('-') ? 'removed' : 'context';

function diffRows(step: Step, hunks: ReadonlySet<number> | undefined, level: number): PlanRow[] {
  let line = lineOf(step);
  let hunk = 0;
  return diffLines(step.diff).map((text, n): PlanRow => {
    const at = /^@@ -\d+(?:,\d+)? \+(\d+)/u.exec(text);
    if (at !== null) {
      line = Number(at[1]);
      hunk++;
    }
    const isOne = hunks?.has(hunk) === true;
    const mark = isOne && at !== null ? `${markOfHunk(step, hunk)} ` : '';
    const kind = kindOfLine(text);
    const place = { file: step.file, line: Math.max(line, 1) };
    if (at === null && kind !== 'removed') line++;
    return {
      key: `line ${step.id} ${n}`,
      kind,
      level,
      text: mark + shownText(text),
      steps: [step.id],
      ...(isOne ? { hunk } : {}),
      place,
      isFolded: false,
    };
  });
}

const markOfHunk = ({ status, leftOut = [] }: Step, hunk: number): string =>
  leftOut.includes(hunk) ? '-' : (MARKS[status] ?? ' ');

function openRows(report: PropagateReport): PlanRow[] {
  const places = report.open.map((one, n): PlanRow => {
    const place = { file: one.file, line: one.line ?? 1 };
    const needs = one.value === undefined ? '' : `  (a value for ${one.value})`;
    return {
      key: `open ${n}`,
      kind: 'open',
      level: 1,
      text: shownInLine(`${one.file}:${place.line}  ${one.block}  ${factFirst(one)}${needs}`),
      steps: [],
      place,
      isFolded: false,
    };
  });
  const works = openWork(report).map(({ step, reason = '' }): PlanRow => {
    const intent = report.task?.steps[step - 1]?.intent ?? '';
    const text = shownInLine(`step ${step} of the plan  ${intent}: ${reason}`);
    return { key: `work ${step}`, kind: 'open', level: 1, text, steps: [], isFolded: false };
  });
  return [...works, ...places];
}

/** Steps of the plan in words that came to nothing; whose block was not edited has a place of its own. */
const openWork = ({ task }: PropagateReport): WorkEntry[] =>
  task?.work.filter(({ state, kind }) => state === 'open' && kind !== 'edit') ?? [];

function headOf(report: PropagateReport, steps: readonly Step[]): string[] {
  const { undecided } = report;
  const open = report.open.length + openWork(report).length;
  const files = new Set(steps.map(({ file }) => file)).size;
  const in_ = (status: Step['status']): number => steps.filter((step) => step.status === status).length;
  const inPart = steps.filter(({ leftOut }) => leftOut !== undefined).length;
  const parts = [
    `${counted(steps.length, 'edit')} in ${counted(files, 'file')}`,
    ...(in_('accepted') > 0 ? [`${in_('accepted')} accepted`] : []),
    ...(in_('rejected') > 0 ? [`${in_('rejected')} rejected`] : []),
    ...(inPart > 0 ? [`${inPart} in part`] : []),
    ...(in_('blocked') > 0 ? [`${in_('blocked')} hang on rejected ones`] : []),
    ...(open > 0 ? [`${open} left for you`] : []),
    ...(undecided.length > 0 ? [`${counted(undecided.length, 'place')} undecided`] : []),
  ];
  return [parts.join(', '), ...unlistedWords(report).map(({ words }) => words)];
}

function sumOf(steps: readonly Step[]): string {
  const rejected = steps.filter(({ status }) => status === 'rejected').length;
  return rejected === 0 ? String(steps.length) : `${steps.length - rejected} of ${steps.length}`;
}

function markOf(steps: readonly Step[]): string {
  const marks = new Set(steps.map(({ status, leftOut }) => (leftOut === undefined ? (MARKS[status] ?? ' ') : '~')));
  const [only] = marks;
  return marks.size === 1 && only !== undefined ? only : '~';
}

export function grouped<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

const ids = (steps: readonly Step[]): number[] => steps.map(({ id }) => id);
const lineOf = ({ startLine }: Step): number => startLine ?? 1;
