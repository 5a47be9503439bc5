/**
 * The edit of one entry of what is left, cut out of the plan: against the texts as they are after the steps that were
 * taken before it, and as lines that an editor can show beside the place.
 */
import type { LeftCounts, LeftEntry, PreviewLine } from '#protocol/left.js';
import type { Open } from '#protocol/propagate.js';
import { lineEdits } from '../base/line-edits.js';
import { shownInLine, shownName } from '../base/shown.js';
import type { FileEdit } from './file-edit.js';
import type { Run } from './propagation.js';

export interface EntryEdit {
  readonly step: number;
  readonly edits: readonly FileEdit[];
}

/** Undefined where the plan has no edit for the block that can be made by itself, on top of those taken. */
export function editOfEntry({ file, block }: LeftEntry, run: Run, taken: ReadonlySet<number>): EntryEdit | undefined {
  const step = run.report.steps.find(
    (one) => one.file === file && one.block === block && one.diff !== '' && !taken.has(one.id),
  );
  if (step === undefined) return undefined;
  const already = new Map(run.partOf(taken).edits.map((edit) => [edit.file, edit]));
  const part = run.partOf(new Set([...taken, step.id]));
  if (!part.steps.has(step.id)) return undefined;
  const edits = part.edits.flatMap((edit): FileEdit[] => {
    const done = already.get(edit.file);
    if (edit.kind !== 'change' || done?.kind !== 'change') return done === undefined ? [edit] : [];
    return done.after === edit.after ? [] : [{ ...edit, before: done.after }];
  });
  return edits.length === 0 ? undefined : { step: step.id, edits };
}

/** The lines of one file that change. */
export function previewOf(file: string, edits: readonly FileEdit[]): PreviewLine[] {
  const edit = edits.find((one) => one.file === file);
  if (edit?.kind !== 'change') return [];
  return lineEdits(edit.before, edit.after).map(({ start, end, text }) => ({
    line: lineOf(edit.before, start),
    removed: linesOf(edit.before.slice(start, end)),
    added: linesOf(text),
  }));
}

/** What is said where there is no place. */
export const saidAtEnd = ({ left }: LeftCounts): string =>
  left === 0 ? 'nothing is left' : 'all that is left was skipped';

/** What a plan has for a place. */
export interface Foreseen {
  readonly edits: readonly FileEdit[] | undefined;
  /** What it waits for. */
  readonly asks: Open | undefined;
}

/** What stands beside the place; `foreseen` is undefined until the plan stands. */
export function saidOf(entry: LeftEntry, foreseen: Foreseen | undefined): string[] {
  const doubt = entry.confidence === 'possible' ? ', possibly' : '';
  const lines = [`${entry.fact}${entry.state === 'rejected' ? ' (left out before)' : ''}${doubt}`];
  const elsewhere = (foreseen?.edits ?? []).filter(({ file }) => file !== entry.file);
  if (elsewhere.length > 0) lines.push(`also changes ${elsewhere.map(({ file }) => shownName(file)).join(', ')}`);
  if (foreseen?.edits === undefined) lines.push(foreseen === undefined ? UNPLANNED : withoutEdit(foreseen.asks));
  return lines.map(shownInLine);
}

const UNPLANNED = 'its edit is being worked out';

function withoutEdit(asks: Open | undefined): string {
  if (asks?.value !== undefined) return `waits for a value: ${asks.value}`;
  return asks?.accept !== undefined ? 'waits for your consent' : 'no rule has an edit: yours to do';
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/u, '').split(/\r?\n/u));
