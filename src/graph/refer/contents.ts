/**
 * What stands in one place of a list or mapping that a body makes, changes and reads by itself: the statements are gone
 * through one after the other, as they run.
 *
 *     steps = [save]            [save]
 *     steps.append(drop)        [save, drop]
 *     steps.insert(0, load)     [load, save, drop]
 *     steps[1]                  save
 *
 * Known only where every change stands on the one way to the read, and nobody else can have the container: all rows of
 * its name between are changes of the language's table, or reads. Else nothing is said, and whoever asks takes any
 * entry.
 */
import { P, regionAt, type Region } from '../../syntax/paths.js';
import { E, R, SLICE, type Summary } from '../../syntax/summary.js';
import type { ContainerChange } from '../../languages/language.js';
import { constantAt, SOME_STRING } from './held.js';
import { bodyAround, isInside } from '../resolve/last-assignments.js';
import { lastGiven } from './made-at.js';
import type { Resolver } from '../resolve/resolver.js';

/** What is gone through: a file of the repository. */
interface Where {
  readonly resolver: Resolver;
  readonly file: string;
  readonly summary: Summary;
}

/** The rows of the values, by place in a list, by key in a mapping. */
type Contents = { readonly kind: 'list'; readonly rows: readonly number[] } | Mapping;
type Mapping = { readonly kind: 'mapping'; readonly rows: ReadonlyMap<string, number> };

/** How many names are followed to what they hold, one through another. */
const NAMES_MOST = 8;
/** A container that is changed more often is a register, of which any entry is taken. */
const CHANGES_MOST = 200;

/**
 * The row, in the same file, of what an index, or a member that gives an entry, gives of the container that a name
 * holds; undefined where that is not sure.
 */
export function placedAt(resolver: Resolver, file: string, expr: number): number | undefined {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const base = exprs.operandOf(expr);
  if (base < 0 || exprs.opOf(base) !== E.name || !resolver.language(file).ordersAssignments) return undefined;
  const where = { resolver, file, summary };
  const key = keyRead(where, expr);
  const contents = key === undefined ? undefined : namedContents(where, base, 0);
  return contents === undefined || key === undefined ? undefined : entryAt(contents, key);
}

function entryAt(contents: Contents, key: string): number | undefined {
  if (contents.kind === 'mapping') return contents.rows.get(key);
  return isPlace(key) ? contents.rows.at(Number(key)) : undefined;
}

const isPlace = (key: string): boolean => /^-?\d+$/.test(key);

/** The key or place that a row reads, as `constantAt` says it. */
function keyRead(where: Where, expr: number): string | undefined {
  const { resolver, file, summary } = where;
  const { exprs } = summary;
  if (exprs.opOf(expr) === E.nth) return String(exprs.secondOf(expr));
  if (exprs.opOf(expr) === E.index) return exprs.roleOf(expr) === R.write ? undefined : keyAt(summary, expr);
  const call = exprs.opOf(expr) === E.member ? exprs.callOf(expr) : -1;
  if (call < 0) return undefined;
  const { containerChanges, keyed } = resolver.language(file).library;
  const name = exprs.nameOf(expr);
  const change = containerChanges.get(name);
  const [first] = exprs.argumentsOf(call);
  if (change === 'take first') return '0';
  if (change === 'take' && first === undefined) return '-1';
  return first !== undefined && keyed.members.has(name) ? sureConstant(summary, first.expr) : undefined;
}

function keyAt(summary: Summary, index: number): string | undefined {
  const [key, ...more] = summary.exprs.partsOf(index);
  return key === undefined || more.length > 0 ? undefined : sureConstant(summary, key);
}

function sureConstant(summary: Summary, row: number): string | undefined {
  const text = constantAt(summary, row);
  return text === SOME_STRING ? undefined : text;
}

/** What the container that a name holds has in it where the row says the name. */
function namedContents(where: Where, row: number, depth: number): Contents | undefined {
  const { summary } = where;
  const { exprs } = summary;
  const begun = depth > NAMES_MOST ? undefined : beginningOf(where, row);
  if (begun === undefined) return undefined;
  const { value, scope, body, home, until } = begun;
  const to = exprs.startOf(row);
  let contents = madeContents(where, value, depth);
  let changes = 0;
  for (const use of contents === undefined ? [] : inOrder(summary, exprs.named(exprs.nameIdOf(row)))) {
    if (contents === undefined || changes > CHANGES_MOST) return undefined;
    if (exprs.opOf(use) !== E.name) continue;
    if (!isInside(summary, exprs.scopeOf(use), scope)) continue;
    // Who runs later, or at any time, may change it at any time.
    if (!runsIn(summary, exprs.scopeOf(use), body)) return undefined;
    const place = exprs.startOf(use);
    if (place < exprs.endOf(value) || place >= until || (use === row && until === to)) continue;
    const change = changeAt(where, use);
    if (change === 'none') continue;
    if (change === undefined || place >= to || regionAt(summary.paths, place) !== home) return undefined;
    changes++;
    contents = changed(where, contents, change, depth);
  }
  return contents;
}

const inOrder = ({ exprs }: Summary, rows: Iterable<number>): number[] =>
  [...rows].sort((a, b) => exprs.startOf(a) - exprs.startOf(b));

interface Beginning {
  /** What the name was given last before the read, on every way. */
  readonly value: number;
  /** Where the name is declared. */
  readonly scope: number;
  readonly body: number;
  /** The statements among which that stands. */
  readonly home: Region;
  /** Where what may have been run before the read ends: behind it, where a loop comes back to it. */
  readonly until: number;
}

function beginningOf(where: Where, row: number): Beginning | undefined {
  const { summary } = where;
  const { decls, exprs } = summary;
  const decl = lastGiven(where.resolver, where.file, summary, row);
  if (decl === undefined || decls.nameIdOf(decl) !== exprs.nameIdOf(row)) return undefined;
  const value = decls.valueOf(decl);
  const scope = decls.scopeOf(decl);
  const body = bodyAround(summary, scope);
  const to = exprs.startOf(row);
  if (value < 0 || exprs.endOf(value) > to || !runsIn(summary, exprs.scopeOf(row), body)) return undefined;
  // `steps = others = []`
  if (exprs.usesOf(value).length > 1) return undefined;
  const home = regionAt(summary.paths, exprs.startOf(value));
  const inside = regionsWithin(regionAt(summary.paths, to), home);
  if (inside === undefined) return undefined;
  const loops = inside.filter(({ kind }) => kind === P.loop);
  return { value, scope, body, home, until: Math.max(to, ...loops.map(({ end }) => end)) };
}

/** Whether what stands in a scope runs in the body itself: in none of its functions. */
const runsIn = (summary: Summary, scope: number, body: number): boolean => bodyAround(summary, scope) === body;

/** The regions from one out to another one around it, that one left out; undefined where it is not around. */
function regionsWithin(inner: Region, outer: Region): readonly Region[] | undefined {
  const out: Region[] = [];
  for (let region: Region | undefined = inner; region !== undefined; region = region.around) {
    if (region === outer) return out;
    out.push(region);
  }
  return undefined;
}

/** What a row makes: a literal, lists that are added, what another name holds. */
function madeContents(where: Where, row: number, depth: number): Contents | undefined {
  const { summary } = where;
  const { exprs } = summary;
  switch (exprs.opOf(row)) {
    case E.list:
      return listed(where, row, depth);
    case E.dict:
      return mapped(summary, row);
    case E.operator: {
      if (exprs.nameOf(row) !== '+') return undefined;
      const left = madeContents(where, exprs.operandOf(row), depth + 1);
      const right = left === undefined ? undefined : madeContents(where, exprs.secondOf(row), depth + 1);
      return left?.kind === 'list' && right?.kind === 'list'
        ? { kind: 'list', rows: [...left.rows, ...right.rows] }
        : undefined;
    }
    case E.name:
      // A second name of the container is one more way to change it.
      return isTakenApart(summary, row) ? namedContents(where, row, depth + 1) : undefined;
    default:
      return undefined;
  }
}

/** Whether a row gives its entries alone: it is spread, or added to another list. */
const isTakenApart = ({ exprs }: Summary, row: number): boolean =>
  exprs
    .usesOf(row)
    .some(
      (use) =>
        use.kind === 'operand' || (use.kind === 'part' && exprs.opOf(use.row) === E.element) || use.kind === 'argument',
    );

function listed(where: Where, row: number, depth: number): Contents | undefined {
  const { summary } = where;
  const { exprs } = summary;
  const rows: number[] = [];
  for (const part of exprs.partsOf(row)) {
    if (exprs.opOf(part) !== E.element) {
      rows.push(part);
      continue;
    }
    const spread = exprs.operandOf(part);
    const inner = spread < 0 || exprs.nameOf(spread) === SLICE ? undefined : madeContents(where, spread, depth + 1);
    if (inner?.kind !== 'list') return undefined;
    rows.push(...inner.rows);
  }
  return { kind: 'list', rows };
}

function mapped(summary: Summary, row: number): Mapping | undefined {
  const { exprs } = summary;
  const values = [...exprs.partsOf(row)];
  const keys = exprs.keysOf(row);
  const rows = new Map<string, number>();
  for (const [i, value] of values.entries()) {
    const key = keys[i] === undefined || keys[i] < 0 ? undefined : sureConstant(summary, keys[i]);
    if (key === undefined) return undefined;
    rows.set(key, value);
  }
  return { kind: 'mapping', rows };
}

/** A change of a container, with the rows that it takes. */
interface Change {
  readonly kind: Exclude<ContainerChange, 'none'> | 'store';
  /** The key or place; undefined where there is none. */
  readonly key?: string | undefined;
  /** The value, or for `all` what holds the values; -1 where there is none. */
  readonly value: number;
  /** Values by keyword. */
  readonly keywords: ReadonlyMap<string, number>;
}

const NO_KEYWORDS: ReadonlyMap<string, number> = new Map();

/** What a row of the name does to the container; undefined where that is not known. */
function changeAt(where: Where, row: number): Change | 'none' | undefined {
  const { summary } = where;
  const { exprs } = summary;
  let found: Change | 'none' = 'none';
  for (const use of exprs.usesOf(row)) {
    let change: Change | 'none' | undefined;
    switch (use.kind) {
      case 'receiver':
        change = changeByMember(where, use.row);
        break;
      case 'part':
        change = changeByIndex(summary, use.row);
        break;
      case 'operand':
        change =
          exprs.roleOf(row) === R.update && exprs.operandOf(use.row) === row
            ? { kind: 'all', value: exprs.secondOf(use.row), keywords: NO_KEYWORDS }
            : 'none';
        break;
      default:
        return undefined;
    }
    if (change === undefined) return undefined;
    if (change !== 'none') found = change;
  }
  return found;
}

function changeByIndex(summary: Summary, index: number): Change | 'none' | undefined {
  const { exprs } = summary;
  if (exprs.opOf(index) !== E.index || exprs.roleOf(index) === R.read || exprs.roleOf(index) === R.callee)
    return 'none';
  const store = exprs.usesOf(index).find((use) => use.kind === 'place');
  const key = keyAt(summary, index);
  // `del steps[0]`
  if (store === undefined && key !== undefined && exprs.roleOf(index) === R.write)
    return { kind: 'take', key, value: -1, keywords: NO_KEYWORDS };
  return store?.kind === 'place' && key !== undefined
    ? { kind: 'store', key, value: exprs.secondOf(store.row), keywords: NO_KEYWORDS }
    : undefined;
}

function changeByMember(where: Where, member: number): Change | 'none' | undefined {
  const { resolver, file, summary } = where;
  const { exprs } = summary;
  const kind = resolver.language(file).library.containerChanges.get(exprs.nameOf(member));
  const call = exprs.callOf(member);
  if (kind === undefined || call < 0) return undefined;
  if (kind === 'none') return 'none';
  const given = exprs.argumentsOf(call);
  if (given.some(({ spread }) => spread !== 'none')) return undefined;
  const plain = given.filter(({ keyword }) => keyword === '').map(({ expr }) => expr);
  const keywords = new Map(
    given.flatMap(({ keyword, expr }) => (keyword === '' ? [] : [[`'${keyword}`, expr] as const])),
  );
  const [first, second] = plain;
  const key = first === undefined ? undefined : sureConstant(summary, first);
  switch (kind) {
    case 'at':
    case 'default':
      return key === undefined ? undefined : { kind, key, value: second ?? -1, keywords };
    case 'take':
      return first !== undefined && key === undefined ? undefined : { kind, key, value: -1, keywords };
    case 'take first':
    case 'reverse':
    case 'clear':
      return { kind, value: -1, keywords };
    default:
      return plain.length > 1 ? undefined : { kind, value: first ?? -1, keywords };
  }
}

/** The contents after a change; undefined where it cannot be told what they are. */
function changed(where: Where, contents: Contents, change: Change, depth: number): Contents | undefined {
  if (contents.kind === 'mapping') return changedMapping(where, contents, change, depth);
  const rows = [...contents.rows];
  const place = change.key === undefined || !isPlace(change.key) ? undefined : Number(change.key);
  switch (change.kind) {
    case 'last':
      rows.push(change.value);
      break;
    case 'first':
      rows.unshift(change.value);
      break;
    case 'at':
      if (place === undefined) return undefined;
      rows.splice(place, 0, change.value);
      break;
    case 'all': {
      const more = change.value < 0 ? undefined : madeContents(where, change.value, depth + 1);
      if (more?.kind !== 'list') return undefined;
      rows.push(...more.rows);
      break;
    }
    case 'take':
      if (rows.length === 0 || (change.key !== undefined && place === undefined)) return undefined;
      rows.splice(place ?? -1, 1);
      break;
    case 'take first':
      rows.shift();
      break;
    case 'reverse':
      return { kind: 'list', rows: rows.reverse() };
    case 'clear':
      return { kind: 'list', rows: [] };
    case 'store':
      if (place === undefined || rows.at(place) === undefined) return undefined;
      rows[place < 0 ? rows.length + place : place] = change.value;
      break;
    default:
      return undefined;
  }
  return rows.includes(-1) ? undefined : { kind: 'list', rows };
}

function changedMapping(
  where: Where,
  contents: Mapping,
  { kind, key, value, keywords }: Change,
  depth: number,
): Mapping | undefined {
  const rows = new Map(contents.rows);
  switch (kind) {
    case 'all': {
      const more = value < 0 ? undefined : madeContents(where, value, depth + 1);
      if (value >= 0 && more?.kind !== 'mapping') return undefined;
      for (const [name, row] of more?.kind === 'mapping' ? more.rows : []) rows.set(name, row);
      for (const [name, row] of keywords) rows.set(name, row);
      break;
    }
    case 'store':
      if (key === undefined) return undefined;
      rows.set(key, value);
      break;
    case 'default':
      if (key === undefined || value < 0) return undefined;
      if (!rows.has(key)) rows.set(key, value);
      break;
    case 'take':
      if (key === undefined) return undefined;
      rows.delete(key);
      break;
    case 'clear':
      rows.clear();
      break;
    default:
      return undefined;
  }
  return { kind: 'mapping', rows };
}
