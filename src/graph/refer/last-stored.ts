/**
 * Assignments to attributes and entries that end earlier ones: of `job.run = save` and `table['a'] = drop` those that
 * may have been made last in the very place that is read, found by what the statements of one body say.
 */
import { keptWith } from '../../base/turns.js';
import type { Use } from '../../syntax/parts.js';
import { E, R, type Summary } from '../../syntax/summary.js';
import { constantAt, SOME_STRING } from './held.js';
import { bodyAround, endOfValue, LastOf } from '../resolve/last-assignments.js';
import type { Resolver } from '../resolve/resolver.js';
import { usesOf } from './uses.js';

/**
 * The values that may have been stored last in the very place that an `index` or `member` row reads, where every way to
 * it leads through one of these stores.
 */
export function lastStored(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
): readonly number[] | undefined {
  const { exprs } = summary;
  if (exprs.stores.length === 0 || !resolver.language(file).ordersAssignments) return undefined;
  const stores = writesOf(summary).byPlace.get(wordingIn(summary, expr) ?? '') ?? [];
  const at = exprs.startOf(expr);
  const place = stores.some((store) => exprs.endOf(store) <= at) ? placePath(resolver, file, summary, expr) : undefined;
  if (place === undefined) return undefined;
  const same = stores.filter((store) => placePath(resolver, file, summary, exprs.placeOf(store)) === place);
  const { rows, isOpen } = new LastOf(
    summary.paths,
    same.map((row) => ({ row, at: exprs.startOf(row), done: endOfValue(summary, exprs.secondOf(row)) })),
  ).before(at);
  if (isOpen || rows.size === 0) return undefined;
  const from = Math.min(...[...rows].map((row) => endOfValue(summary, exprs.secondOf(row))));
  const to = exprs.startOf(rootOf(summary, expr));
  const mayChange =
    [...rows].some((row) => exprs.endOf(row) > at) ||
    mayChangeBetween(summary, rootOf(summary, expr), from, to) ||
    (place.includes('.') && isCalledBetween(summary, from, to));
  return mayChange ? undefined : [...rows].map((row) => exprs.secondOf(row));
}

/** The name that a chain of indices and members starts from. */
function rootOf({ exprs }: Summary, expr: number): number {
  let row = expr;
  while (exprs.opOf(row) === E.index || exprs.opOf(row) === E.member) row = exprs.operandOf(row);
  return row;
}

/** What is assigned and called in a file, found without a look at all its rows for each place that is read. */
interface Writes {
  /** Assignments by what they say of their place, in the order in which they stand. */
  readonly byPlace: ReadonlyMap<string, readonly number[]>;
  /** Calls in the order in which they begin. */
  readonly calls: readonly number[];
}

const writesMemo = new WeakMap<Summary, Writes>();

const writesOf = (summary: Summary): Writes => keptWith(writesMemo, summary, findWrites);

function findWrites(summary: Summary): Writes {
  const { exprs } = summary;
  const inOrder = (rows: readonly number[]): number[] => [...rows].sort((a, b) => exprs.startOf(a) - exprs.startOf(b));
  const byPlace = new Map<string, number[]>();
  for (const store of inOrder(exprs.stores)) {
    const wording = wordingIn(summary, exprs.placeOf(store), store);
    if (wording === undefined) continue;
    const same = byPlace.get(wording);
    if (same === undefined) byPlace.set(wording, [store]);
    else same.push(store);
  }
  return { byPlace, calls: inOrder(exprs.ofOp(E.call)) };
}

/** A place as it is written, with the body that `at` stands in; undefined for what is no place. */
function wordingIn(summary: Summary, place: number, at = place): string | undefined {
  const { exprs } = summary;
  const words: string[] = [];
  let row = place;
  for (; exprs.opOf(row) === E.index || exprs.opOf(row) === E.member; row = exprs.operandOf(row)) {
    const [key] = exprs.partsOf(row);
    words.push(
      exprs.opOf(row) === E.member ? exprs.nameOf(row) : key === undefined ? '' : `${constantAt(summary, key)}`,
    );
    if (exprs.operandOf(row) < 0) return undefined;
  }
  return [bodyAround(summary, exprs.scopeOf(at)), exprs.nameOf(row), ...words].join('\0');
}

/** Whether anything is called between two places: who knows what it does to an object's attributes. */
function isCalledBetween(summary: Summary, from: number, to: number): boolean {
  const { exprs } = summary;
  const { calls } = writesOf(summary);
  let first = 0;
  for (let end = calls.length; first < end;) {
    const middle = (first + end) >> 1;
    if (exprs.startOf(calls[middle] as number) < from) first = middle + 1;
    else end = middle;
  }
  for (let at = first; at < calls.length && exprs.startOf(calls[at] as number) < to; at++)
    if (exprs.endOf(calls[at] as number) <= to) return true;
  return false;
}

/**
 * Whether what a name holds may be changed between two places by anything but a store into one of its entries: a member
 * that is called, a callee that gets it.
 */
function mayChangeBetween(summary: Summary, name: number, from: number, to: number): boolean {
  const { exprs } = summary;
  return exprs.named(exprs.nameIdOf(name)).some((row) => {
    const at = exprs.startOf(row);
    return (
      at >= from &&
      at < to &&
      exprs.opOf(row) === E.name &&
      usesOf(summary, row).some(
        (use) =>
          !(use.kind === 'part' && exprs.opOf(use.row) === E.index) &&
          !(use.kind === 'operand' && exprs.roleOf(row) !== R.update) &&
          !isOnlyRead(summary, use),
      )
    );
  });
}

/** Whether a use takes an attribute, and does not call it. */
const isOnlyRead = (summary: Summary, use: Use): boolean =>
  use.kind === 'receiver' && usesOf(summary, use.row).every(({ kind }) => kind !== 'callee');

/** A variable and constant indices into it as text; undefined for anything else. */
function placePath(resolver: Resolver, file: string, summary: Summary, row: number): string | undefined {
  const { exprs } = summary;
  if (row < 0) return undefined;
  if (exprs.opOf(row) === E.name) {
    const [target, ...others] = resolver.resolve(file, row).targets;
    if (target === undefined || others.length > 0) return undefined;
    return target.decl < 0
      ? `${target.file}:`
      : `${target.file}:${target.decl}:${resolver.summary(target.file).decls.nameOf(target.decl)}`;
  }
  if (exprs.opOf(row) === E.member) {
    const of = exprs.operandOf(row) < 0 ? undefined : placePath(resolver, file, summary, exprs.operandOf(row));
    return of === undefined ? undefined : `${of}.${exprs.nameOf(row)}`;
  }
  if (exprs.opOf(row) !== E.index) return undefined;
  const [key, ...more] = exprs.partsOf(row);
  const text = key === undefined || more.length > 0 ? undefined : constantAt(summary, key);
  if (text === SOME_STRING) return undefined;
  const base = text === undefined ? undefined : placePath(resolver, file, summary, exprs.operandOf(row));
  return base === undefined ? undefined : `${base}[${text ?? ''}]`;
}
