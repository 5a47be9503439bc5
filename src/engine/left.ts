/**
 * What is left to do in a repository, as a value: the blocks that its edits affect, with what
 * became of each. Nothing here remembers that something was mended: a block that fits again is not
 * affected, so it is not in the list. What people said of entries is kept apart, as decisions.
 */
import type { Affected, Change, ImpactReport } from '#protocol/impact.js';
import type { LeftCounts, LeftEntry, LeftReport, NextParams } from '#protocol/left.js';
import type { Open } from '#protocol/propagate.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { hashText } from '../base/hash.js';
import { keptWith, type Turns } from '../base/turns.js';
import { AMONG_DECLARATIONS, type Acceptable } from '../plan/plan-graph.js';
import { leftSays } from './left-words.js';

/** What people said, and what plans made, on top of one commit. */
export interface Decisions {
  /** Ids of entries that need not follow. */
  readonly dismissed: readonly string[];
  /**
   * Blocks whose edit was left out, each with what it was for: something else that affects the block is not rejected.
   */
  readonly rejected: readonly Rejected[];
  /** Expressions to plan with. */
  readonly values: Readonly<Record<string, string>>;
  /** What plans do only where somebody agrees, and somebody did. */
  readonly accepted: readonly Acceptable[];
  /** Blocks as plans left them: whoever made these edits knew of what their bodies do. */
  readonly made: readonly MadeBlock[];
  /** Texts that count as settled in place of the commit's; null: no file. */
  readonly settled: { readonly commit: string; readonly texts: Readonly<Record<string, string | null>> } | null;
}

export interface PlaceOfBlock {
  readonly file: string;
  readonly block: string;
}

export interface Rejected extends PlaceOfBlock {
  /** The reasons of its step. */
  readonly reason: string;
}

export interface MadeBlock extends PlaceOfBlock {
  /** Of the block's text. */
  readonly hash: string;
}

export const NO_DECISIONS: Decisions = {
  dismissed: [],
  rejected: [],
  values: {},
  accepted: [],
  made: [],
  settled: null,
};

/**
 * A block at a time: there may be thousands. `open`: what a plan says of blocks that it could not edit; undefined while
 * there is no plan.
 */
export function* leftOf(report: ImpactReport, decisions: Decisions, open?: readonly Open[]): Turns<LeftReport> {
  const dismissed = new Set(decisions.dismissed);
  const waiting = new Map((open ?? []).map((one) => [keyOf(one), one]));
  const details = new Map(report.changes.map((change) => [causeKey(change), JSON.stringify(change.detail)]));
  const entryOf = (block: Affected): LeftEntry => {
    const id = idOf(block, details.get(causeKey(block.cause)) ?? '{}');
    const [first] = block.sites;
    const needs = waiting.get(keyOf(block))?.needs;
    const state = dismissed.has(id)
      ? 'dismissed'
      : isRejected(block, decisions.rejected)
        ? 'rejected'
        : needs !== undefined
          ? 'waiting'
          : 'open';
    return {
      ...block,
      id,
      line: first?.startLine ?? block.startLine,
      column: first?.startColumn ?? 0,
      state,
      ...(state === 'waiting' && needs !== undefined ? { needs } : {}),
      beside: besideOf(block, state),
    };
  };
  const entries: LeftEntry[] = [];
  for (const block of report.affected) {
    entries.push(entryOf(block));
    yield;
  }
  entries.sort(byWeight);
  const { root, base, changes, undecided, complete, problems } = report;
  return withEntries({ schema: SCHEMA_VERSION, root, base, changes, undecided, complete, problems }, entries);
}

/** A report of these entries, with what follows from them. */
export function withEntries(
  report: Omit<LeftReport, 'entries' | 'files' | 'counts' | 'says'>,
  entries: LeftReport['entries'],
): LeftReport {
  const counts = countsOf(entries, report.undecided.length);
  const files = new Map<string, string[]>();
  for (const { file, id, state } of entries) {
    if (state === 'dismissed') continue;
    const ids = files.get(file);
    if (ids === undefined) files.set(file, [id]);
    else ids.push(id);
  }
  return {
    ...report,
    entries,
    files: [...files].map(([file, ids]) => ({ file, ids })),
    counts,
    says: leftSays({ ...report, counts }),
  };
}

function besideOf({ confidence }: Affected, state: LeftEntry['state']): string {
  const words = [...(confidence === 'possible' ? ['possible'] : []), ...(state === 'open' ? [] : [state])];
  return words.join(', ');
}

function countsOf(entries: readonly LeftEntry[], undecided: number): LeftCounts {
  const left = entries.filter(({ state }) => state !== 'dismissed');
  const inState = (state: LeftEntry['state']): number => entries.filter((entry) => entry.state === state).length;
  return {
    left: left.length,
    breaks: left.filter(({ tier }) => tier === 'breaks').length,
    waiting: inState('waiting'),
    rejected: inState('rejected'),
    dismissed: inState('dismissed'),
    undecided,
  };
}

/** Where a person is: at a line and a column of a file, or nowhere. */
type Cursor = Pick<NextParams, 'file' | 'line' | 'column'>;

/**
 * The entries that are left, in the order in which a person comes by them: what breaks, in this file, definitions
 * before uses, from the cursor on; then the same in the other files; then what only may be affected; what was rejected
 * comes last.
 */
export function inOrderFrom(entries: readonly LeftEntry[], { file, line = 1, column = 0 }: Cursor): LeftEntry[] {
  const groups = new Map<number, { readonly here: LeftEntry[]; readonly elsewhere: LeftEntry[] }>();
  for (const entry of keptWith(orderedMemo, entries, ordered)) {
    const weight = weightOf(entry);
    let group = groups.get(weight);
    if (group === undefined) groups.set(weight, (group = { here: [], elsewhere: [] }));
    (entry.file === file ? group.here : group.elsewhere).push(entry);
  }
  const isBehind = (entry: LeftEntry): boolean => entry.line < line || (entry.line === line && entry.column < column);
  return [...groups.values()].flatMap(({ here, elsewhere }) => [
    ...here.sort((a, b) => Number(isUse(a)) - Number(isUse(b)) || Number(isBehind(a)) - Number(isBehind(b))),
    ...elsewhere,
  ]);
}

/** Thousands of entries are put in order once; from where a person is then only their file's have to be. */
const orderedMemo = new WeakMap<readonly LeftEntry[], readonly LeftEntry[]>();

const ordered = (entries: readonly LeftEntry[]): LeftEntry[] =>
  entries
    .filter(({ state }) => state !== 'dismissed')
    .sort(
      (a, b) =>
        weightOf(a) - weightOf(b) ||
        (a.file === b.file ? 0 : a.file < b.file ? -1 : 1) ||
        Number(isUse(a)) - Number(isUse(b)) ||
        a.line - b.line ||
        a.column - b.column,
    );

const weightOf = ({ state, tier }: LeftEntry): number => (state === 'rejected' ? 2 : 0) + (tier === 'may' ? 1 : 0);

/** Decisions without those that are about nothing any more, once the commit below them is another one. */
export function stillMeant(decisions: Decisions, { entries }: LeftReport): Decisions {
  const ids = new Set(entries.map(({ id }) => id));
  return {
    ...decisions,
    dismissed: decisions.dismissed.filter((id) => ids.has(id)),
    rejected: decisions.rejected.filter((one) => entries.some((entry) => isRejected(entry, [one]))),
    ...(entries.length === 0 ? { values: {}, accepted: [] } : {}),
    settled: null,
  };
}

/** Whether what affects a block, or an edit of it, was left out before; of several reasons some may be gone since. */
export const isRejected = (
  { file, block, reason }: PlaceOfBlock & { readonly reason: string },
  rejected: readonly Rejected[],
): boolean => rejected.some((one) => one.file === file && one.block === block && one.reason.includes(reason));

/**
 * Names a block as it stands and a cause as it is: it is another one when something else affects the block, when the
 * change becomes another one, or when the block's lines or the places in it do. `detail`: the cause's, as JSON.
 */
function idOf(block: Affected, detail: string): string {
  const places = block.sites.map((site) => `${site.startLine - block.startLine}:${site.startColumn}-${site.endColumn}`);
  // A digest: clients carry it in JSON, and some cannot read every character there.
  return hashText(
    [
      block.file,
      block.block,
      block.endLine - block.startLine,
      ...places,
      block.cause.file,
      block.cause.block,
      block.cause.label,
      detail,
    ].join('\0'),
  );
}

const byWeight = (a: LeftEntry, b: LeftEntry): number =>
  Number(a.tier === 'may') - Number(b.tier === 'may') ||
  (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column);

const isUse = ({ relation }: LeftEntry): boolean => !AMONG_DECLARATIONS.has(relation);

const keyOf = ({ file, block }: PlaceOfBlock): string => `${file}\0${block}`;
const causeKey = ({ file, block, label }: Pick<Change, 'file' | 'block' | 'label'>): string =>
  `${file}\0${block}\0${label}`;
