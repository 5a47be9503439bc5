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

/** A row, and what hangs below it where that is to be seen. */
type WithBelow = (row: PlanRow, below: () => PlanRow[]) => PlanRow[];

/**
 * `folded`: what a person folded or unfolded by hand; then without the rows that are hidden. A plan of hundreds of
 * steps has thousands of lines of differences, of which few are looked at.
 */
export function planRows(
  { report, hunks, edits }: Pick<Run, 'report' | 'hunks' | 'edits'>,
  folded?: Readonly<Record<string, boolean>>,
): RowsReport {
  const byHand = new Map(Object.entries(folded ?? {}));
  const withBelow: WithBelow = (row, below) =>
    folded !== undefined && (byHand.get(row.key) ?? row.isFolded) ? [row] : [row, ...below()];
  const changeOf = changesIn(edits);
  const done = report.steps.filter((step) => step.diff !== '');
  const files = [...grouped(done, (step) => step.file)].flatMap(([file, steps]) => {
    const row: PlanRow = {
      key: `file ${file}`,
      kind: 'file',
      level: 0,
      text: `${shownInLine(file)}  ${sumOf(steps)}`,
      steps: ids(steps),
      place: { file, line: Math.min(...steps.map(lineOf)) },
      isFolded: false,
    };
    const width = Math.min(BLOCK_MOST, Math.max(...steps.map(({ block }) => block.length)));
    return withBelow(row, () =>
      [...grouped(steps, changeOf)].flatMap(([change, alike]) => {
        const isGroup = change !== '' && alike.length >= ALIKE_LEAST;
        const below = (): PlanRow[] =>
          alike.flatMap((step) => stepRows(step, hunks.get(step.id), isGroup ? 2 : 1, width, withBelow));
        return isGroup ? withBelow(alikeRow(file, change, alike), below) : below();
      }),
    );
  });
  const named = new Set(done.map(({ file }) => file));
  const others = edits.filter(({ file }) => !named.has(file)).flatMap((edit) => rowsWithoutStep(edit, withBelow));
  const open = openRows(report);
  const text = `left for you  ${open.length}`;
  const left: PlanRow = { key: 'open', kind: 'file', level: 0, text, steps: [], isFolded: false };
  const rows = [...files, ...others, ...(open.length > 0 ? withBelow(left, () => open) : [])];
  return { schema: SCHEMA_VERSION, run: report.run, head: headOf(report, done), rows };
}

/** What `changeIn` says of differences, as long as the edits of a run are there: a review leaves these as they are. */
const KNOWN_CHANGES = new WeakMap<Run['edits'], Map<string, string>>();

function changesIn(edits: Run['edits']): (step: Step) => string {
  const known = KNOWN_CHANGES.get(edits) ?? new Map<string, string>();
  KNOWN_CHANGES.set(edits, known);
  return (step) => {
    const change = known.get(step.diff) ?? changeIn(step);
    known.set(step.diff, change);
    return change;
  };
}

const alikeRow = (file: string, change: string, alike: readonly Step[]): PlanRow => ({
  key: `alike ${file} ${change}`,
  kind: 'alike',
  level: 1,
  text: `${markOf(alike)} ${String(alike.length).padStart(3)} × ${shownInLine(change)}`,
  steps: ids(alike),
  place: { file, line: Math.min(...alike.map(lineOf)) },
  isFolded: true,
});

/** `hunks`: those that can be left out by themselves. */
function stepRows(
  step: Step,
  hunks: ReadonlySet<number> | undefined,
  level: number,
  width: number,
  withBelow: WithBelow,
): PlanRow[] {
  const place = { file: step.file, line: lineOf(step) };
  const how = step.how === 'mechanical' || step.how === 'seed' ? '' : `  (${howMade(step)})`;
  const row: PlanRow = {
    key: `step ${step.id}`,
    kind: 'step',
    level,
    text:
      `${markOf([step])} ${String(step.id).padStart(3)}  line ${String(place.line).padEnd(5)} ` +
      `${shownInLine(step.block).padEnd(width)}  ${shownInLine(factFirst(step))}${how}`,
    steps: [step.id],
    place,
    isFolded: true,
  };
  return withBelow(row, () => diffRows(step, hunks, level + 1));
}

/** What no step stands for, such as a file that was written for the plan: it is made with the others. */
function rowsWithoutStep(edit: FileEdit, withBelow: WithBelow): PlanRow[] {
  const { file, kind } = edit;
  const text = `${shownInLine(file)}  ${edit.kind === 'rename' ? `becomes ${shownInLine(edit.to)}` : `${kind}d`}`;
  return withBelow({ key: `file ${file}`, kind: 'file', level: 0, text, steps: [], isFolded: true }, () => {
    const diff = diffOf(file, kind === 'create' ? '' : edit.before, kind === 'delete' ? '' : edit.after);
    const below = { level: 1, steps: [], isFolded: false };
    return diffLines(diff).map((line, n) => ({
      ...below,
      key: `line ${file} ${n}`,
      kind: kindOfLine(line),
      text: shownText(line),
    }));
  });
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
