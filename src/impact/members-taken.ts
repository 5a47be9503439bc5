/**
 * What code takes of a value that nobody declared part by part: `timings.phases.wait`, `const { wait } = phases`,
 * `load()["rows"]`, `a, b = pair()`. Where the type of the value is written out in place, or the value itself is, its
 * keys and parts are no declarations, and this says which of them a site lives by.
 * What goes on whole (an argument, a result, what is stored) may have anything taken of it.
 */
import type { SignatureDelta } from '../change/signature-delta.js';
import type { ShapeChange } from '../change/value-shape.js';
import { changedKeys, keyWords, type ChangedKeys } from '../change/written-object.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { E, type Summary } from '../syntax/summary.js';
import { usesOfValue, type ValuePlace } from './value-uses.js';
import { breaks, may, type Verdict } from './verdict.js';

interface Taken {
  /** Members, by name. */
  readonly names: Set<string>;
  /** What is asked for by a string: `a["x"]`. */
  readonly keys: Set<string>;
  /** What a mapping is asked for and may lack: `a.get("x")`. */
  readonly asked: Set<string>;
  /** Parts, by place: by an index, and by being taken apart. */
  readonly places: Set<number>;
  readonly parts: Set<number>;
}

/** Undefined where the value goes on whole, or nothing is known to be taken of it. */
function takenOf(resolver: Resolver, place: ValuePlace): Taken | undefined {
  const summary = resolver.summary(place.file);
  const taken: Taken = { names: new Set(), keys: new Set(), asked: new Set(), places: new Set(), parts: new Set() };
  for (const use of usesOfValue(resolver, place) ?? []) {
    if (use.kind === 'receiver') noteMember(resolver, place.file, use.row, taken);
    else if (use.kind !== 'part' || !notePart(summary, use.row, taken)) return undefined;
  }
  return Object.values(taken).every(({ size }: ReadonlySet<unknown>) => size === 0) ? undefined : taken;
}

function noteMember(resolver: Resolver, file: string, member: number, { names, asked }: Taken): void {
  const { exprs } = resolver.summary(file);
  const { keyed } = resolver.language(file).library;
  const call = exprs.usesOf(member).find(({ kind }) => kind === 'callee');
  const first = call !== undefined && 'row' in call ? exprs.argumentsOf(call.row)[0]?.expr : undefined;
  if (first !== undefined && keyed.members.has(exprs.nameOf(member)) && saysName(exprs, first))
    asked.add(exprs.nameOf(first));
  else names.add(exprs.nameOf(member));
}

/** Whether it is known which part is taken. */
function notePart({ exprs }: Summary, part: number, { keys, places, parts }: Taken): boolean {
  if (exprs.opOf(part) === E.nth) {
    parts.add(exprs.numberOf(part));
    return true;
  }
  const [by, ...others] = exprs.opOf(part) === E.index ? exprs.partsOf(part) : [];
  if (by === undefined || others.length > 0) return false;
  if (saysName(exprs, by)) keys.add(exprs.nameOf(by));
  else if (exprs.opOf(by) === E.literal && exprs.nameOf(by) === 'int' && exprs.numberOf(by) >= 0)
    places.add(exprs.numberOf(by));
  else return false;
  return true;
}

/** A string that spells a name, whole. */
const saysName = (exprs: Summary['exprs'], row: number): boolean =>
  row >= 0 && exprs.opOf(row) === E.string && exprs.operandOf(row) < 0;

/** Of a use, or a call, of what has a type that is written out in place; undefined where that cannot be told. */
export function ofKeysTaken(
  keys: ChangedKeys,
  resolver: Resolver,
  place: ValuePlace,
  whose: string,
): Verdict | undefined {
  // What it may lack is nothing that anybody has to take.
  if (keys.removed.length + keys.retyped.length === 0 && keys.added.every(({ optional }) => optional)) return 'fine';
  const taken = keys.isWhole ? takenOf(resolver, place) : undefined;
  return taken === undefined || taken.places.size + taken.parts.size > 0 ? undefined : saidOfKeys(keys, taken, whose);
}

function saidOfKeys(
  { removed, retyped }: Pick<ChangedKeys, 'removed' | 'retyped'>,
  { names, keys, asked }: Taken,
  whose: string,
): Verdict {
  const gone = removed.filter((key) => names.has(key) || keys.has(key));
  if (gone.length > 0) return breaks(`${whose} ${keyWords({ added: [], removed: gone, retyped: [] })}`);
  const other = {
    added: [],
    removed: removed.filter((key) => asked.has(key)),
    retyped: retyped.filter((key) => names.has(key) || keys.has(key) || asked.has(key)),
  };
  return other.removed.length + other.retyped.length > 0 ? may(`${whose} ${keyWords(other)}`) : 'fine';
}

/** What a call hears of a result whose type is written out in place; undefined where that cannot be told. */
export function ofResultTaken(
  { from, to }: NonNullable<SignatureDelta['returnType']>,
  resolver: Resolver,
  file: string,
  call: number,
): Verdict | undefined {
  const awaited = resolver.summary(file).exprs.wholeBy(call, E.await);
  const keys = awaited < 0 ? changedKeys(from, to) : changedKeys(argumentOf(from), argumentOf(to));
  return keys === undefined
    ? undefined
    : ofKeysTaken(keys, resolver, { file, expr: awaited < 0 ? call : awaited }, 'what it returns');
}

/** The one argument of a written type: what awaiting it gives. */
const argumentOf = (type: string): string => /^\s*[\w.]+<(?<inside>[^]*)>\s*$/u.exec(type)?.groups?.inside ?? type;

/**
 * Of a value that is itself written out in place; undefined where that cannot be told. `isAsync`: who does not await it
 * gets something else.
 */
export function ofShape(
  shape: ShapeChange,
  resolver: Resolver,
  place: ValuePlace,
  whose: string,
  isAsync = false,
): Verdict | undefined {
  const awaited = resolver.summary(place.file).exprs.wholeBy(place.expr, E.await);
  const taken =
    isAsync && awaited < 0 ? undefined : takenOf(resolver, awaited < 0 ? place : { ...place, expr: awaited });
  if (taken === undefined) return undefined;
  const { names, keys, asked, places, parts } = taken;
  if (shape.of === 'parts')
    return names.size + keys.size + asked.size > 0 ? undefined : ofParts(shape, taken, resolver, place.file, whose);
  if (places.size + parts.size > 0 || (shape.of === 'mapping' && names.size > 0)) return undefined;
  const said = saidOfKeys(shape, taken, whose);
  return shape.isOpen === true && said !== 'fine' ? { ...said, tier: 'may' } : said;
}

function ofParts(
  { parts: count }: ShapeChange,
  { places, parts }: Taken,
  resolver: Resolver,
  file: string,
  whose: string,
): Verdict | undefined {
  if (count === undefined) return undefined;
  const beyond = [...places].some((place) => place >= count.to);
  const apart = parts.size === 0 ? count.to : Math.max(...parts) + 1;
  if (beyond || apart > count.to || (apart !== count.to && resolver.language(file).unpacksWhole))
    return breaks(`${whose} ${partWords(count)}`);
  // Which of the parts went, nobody says.
  return count.to < count.from ? may(`${whose} ${partWords(count)}`) : 'fine';
}

const partWords = ({ from, to }: NonNullable<ShapeChange['parts']>): string =>
  `has ${to} ${to === 1 ? 'part' : 'parts'} now, and had ${from}`;

/** What shape a value has now, in words that follow what it is to the site. */
export const shapeWords = ({ removed, retyped, parts }: ShapeChange): string =>
  parts === undefined ? keyWords({ added: [], removed, retyped }) : partWords(parts);
