/**
 * What values that are written out in place are made of (an object literal, a mapping, a tuple), where that changed:
 * nobody declares their keys and parts, and who takes one of them lives by it all the same.
 *
 *     def load():                        keys  rows, size  ->  rows
 *         found = {"rows": […], "size": 2}
 *         return found
 *
 * A key that is put into a local later is one of its own. Errs towards saying nothing: a result that is no such value,
 * something spread into one, a mapping that is filled later, and the whole has no shape.
 */
import { keysOfLiteral, membersOfLiteral } from '../graph/resolve/literal-keys.js';
import { E, F, isFunctionLike, type Summary } from '../syntax/summary.js';
import { otherwiseTaken, takenByValue } from './given-back.js';
import { localNamed } from './local-named.js';
import type { BlockVersion, Version } from './version.js';

/** UTF-16 units behind a value in which `as const` stands, if at all. */
const BEHIND_LENGTH = 40;

export interface ShapeChange {
  /** Whether the value's members are its keys (an object), its keys are asked by a string, or its parts by place. */
  readonly of: 'object' | 'mapping' | 'parts';
  /** Keys that it has no more; those that hold something else, or that not every result has. */
  readonly removed: readonly string[];
  readonly retyped: readonly string[];
  /** Of those that hold something else: functions that take other things now. */
  readonly calls?: readonly string[];
  /** How many parts it had, and has; the same number where one of them is another value. */
  readonly parts?: { readonly from: number; readonly to: number };
  /** Whether others are given the value before it is returned, and may put keys into it. */
  readonly isOpen?: true;
  /** Whether its members were what is written alone (`as const`), and are of wider types. */
  readonly isWider?: true;
}

interface Shape {
  readonly of: ShapeChange['of'];
  /** Text of what each key holds. Of parts the keys are the places. */
  readonly keys: ReadonlyMap<string, string>;
  readonly isOpen?: true;
  readonly isConst?: true;
}

/** Undefined where it did not change, or is not known on both sides. Of a generator, what it yields is no result. */
export function shapeChange(from: BlockVersion, to: BlockVersion): ShapeChange | undefined {
  const [old, now] = [shapesOf(from), shapesOf(to)];
  const of = old[0]?.of;
  if (of === undefined || now.length === 0 || [...old, ...now].some((shape) => shape.of !== of)) return undefined;
  if (of === 'parts') return partsChange(old, now);
  const removed: string[] = [];
  const retyped: string[] = [];
  for (const key of new Set(old.flatMap(({ keys }) => [...keys.keys()]))) {
    const held = (shapes: readonly Shape[]): Set<string | undefined> =>
      new Set(shapes.map(({ keys }) => keys.get(key)));
    const [was, is] = [held(old), held(now)];
    if (is.size === 1 && is.has(undefined)) removed.push(key);
    else if (was.size !== is.size || [...was].some((text) => !is.has(text))) retyped.push(key);
  }
  // Functions in a literal that a field holds are compared by themselves (literal-functions.ts).
  const taken = isHeldLiteral(to) ? [] : otherwiseTaken(from, to);
  const calls = new Set(taken.flatMap(({ at }) => at.split('.')[1] ?? []));
  const isWider = old.some(({ isConst }) => isConst) && !now.every(({ isConst }) => isConst);
  if (isSameSize(old, now) && removed.length + retyped.length === 0 && !isWider) return undefined;
  return {
    of,
    removed,
    retyped: isWider ? old.flatMap(({ keys }) => [...keys.keys()]).filter((key) => !removed.includes(key)) : retyped,
    ...(calls.size > 0 ? { calls: [...calls] } : {}),
    ...(now.some(({ isOpen }) => isOpen) ? { isOpen: true } : {}),
    ...(isWider ? { isWider } : {}),
  };
}

function isHeldLiteral({ version: { summary }, decl }: BlockVersion): boolean {
  const value = isFunctionLike(summary.decls.kindOf(decl)) ? -1 : summary.decls.valueOf(decl);
  return value >= 0 && summary.exprs.opOf(value) !== E.call;
}

function partsChange(old: readonly Shape[], now: readonly Shape[]): ShapeChange | undefined {
  const [from, to] = [old[0]?.keys.size ?? 0, now[0]?.keys.size ?? 0];
  const areAll = (shapes: readonly Shape[], count: number): boolean => shapes.every(({ keys }) => keys.size === count);
  return from !== to && areAll(old, from) && areAll(now, to)
    ? { of: 'parts', removed: [], retyped: [], parts: { from, to } }
    : undefined;
}

const isSameSize = (old: readonly Shape[], now: readonly Shape[]): boolean =>
  new Set([...old, ...now].map(({ keys }) => keys.size)).size === 1;

/** What a function returns, or a field holds; empty where that is not known of all of it. */
function shapesOf({ version, decl }: BlockVersion): readonly Shape[] {
  const { decls, exprs } = version.summary;
  // What has a declared type has the members that the type declares.
  if (decls.typeOf(decl) >= 0) return [];
  const isFunction = isFunctionLike(decls.kindOf(decl));
  if (isFunction && decls.has(decl, F.generator)) return [];
  const rows = isFunction ? decls.resultsOf(decl) : [decls.valueOf(decl)];
  const shapes: Shape[] = [];
  for (const row of rows) {
    if (row >= 0 && exprs.opOf(row) === E.literal && exprs.nameOf(row) === 'null') continue;
    const place = { row, owner: isFunction ? decl : -1 };
    const shape = row < 0 ? undefined : shapeOf(version, place, isFunction);
    if (shape === undefined) return [];
    shapes.push(shape);
  }
  return shapes;
}

/** A value with the function whose locals it may name, -1 for none. */
interface Place {
  readonly row: number;
  readonly owner: number;
}

/** `isFollowed`: whether a local that it names is looked into. */
function shapeOf(version: Version, { row, owner }: Place, isFollowed: boolean): Shape | undefined {
  const { exprs } = version.summary;
  switch (exprs.opOf(row)) {
    case E.cast:
      return shapeOf(version, { row: exprs.operandOf(row), owner }, isFollowed);
    case E.closure:
      return keysOfLiteral(version.summary, row) === undefined ? undefined : objectShape(version, row, owner);
    case E.call:
      return shapeOfCalled(version, row);
    case E.dict:
      return mappingShape(version, row);
    case E.list:
      return exprs.nameOf(row) === 'set' ? undefined : partsShape(version, row);
    case E.name:
      return isFollowed ? shapeOfLocal(version, row, owner) : undefined;
    default:
      return undefined;
  }
}

/** What a function gives that is called where it stands: `const store = (() => { …; return { … }; })()`. */
function shapeOfCalled(version: Version, call: number): Shape | undefined {
  const { exprs, decls } = version.summary;
  const callee = exprs.calleeOf(call);
  const owner = callee >= 0 && exprs.opOf(callee) === E.closure ? exprs.closureOf(callee) : -1;
  if (owner < 0 || !isFunctionLike(decls.kindOf(owner)) || decls.typeOf(owner) >= 0) return undefined;
  const [row, more] = decls.resultsOf(owner);
  return row === undefined || more !== undefined ? undefined : shapeOf(version, { row, owner }, true);
}

/** What a local holds that is returned, with what is put into it by name. */
function shapeOfLocal(version: Version, row: number, owner: number): Shape | undefined {
  const { exprs, decls } = version.summary;
  const local = localNamed(version.summary, row, owner);
  const value = local === undefined ? -1 : decls.valueOf(local);
  const shape = value < 0 || exprs.opOf(value) === E.name ? undefined : shapeOf(version, { row: value, owner }, false);
  if (local === undefined || shape === undefined) return undefined;
  const keys = new Map(shape.keys);
  let isOpen = false;
  for (const mention of mentionsOf(version.summary, local, owner))
    for (const use of exprs.usesOf(mention)) {
      if (use.kind === 'result' || use.kind === 'value' || use.kind === 'operand') continue;
      if (shape.of !== 'object') return undefined;
      if (use.kind === 'receiver') {
        const isPut = exprs.usesOf(use.row).some(({ kind }) => kind === 'place');
        if (isPut && !keys.has(exprs.nameOf(use.row))) keys.set(exprs.nameOf(use.row), '');
      } else isOpen = true;
    }
  return { ...shape, keys, ...(isOpen ? { isOpen } : {}) };
}

function objectShape(version: Version, row: number, owner: number): Shape {
  const { decls, exprs } = version.summary;
  const isConst = /^\s*as\s+const\b/u.test(version.text.slice(exprs.endOf(row), exprs.endOf(row) + BEHIND_LENGTH));
  return {
    of: 'object',
    keys: new Map(
      membersOfLiteral(version.summary, exprs.closureOf(row)).map((member) => [
        decls.nameOf(member),
        textOf(version, decls.startOf(member), decls.endOf(member)) + takenUnder(version, member, owner),
      ]),
    ),
    ...(isConst ? { isConst } : {}),
  };
}

/** What functions take that a key holds by the name of a local: `return { add }`. */
function takenUnder(version: Version, key: number, owner: number): string {
  const { decls, exprs } = version.summary;
  const value = decls.valueOf(key);
  if (owner < 0 || value < 0 || exprs.opOf(value) !== E.name || decls.typeOf(key) >= 0) return '';
  return [...takenByValue(version, value, owner)].map(([at, taken]) => ` ${at}${taken}`).join('');
}

function mappingShape(version: Version, row: number): Shape | undefined {
  const { exprs } = version.summary;
  const values = exprs.partsOf(row);
  const keys = new Map<string, string>();
  for (const [at, key] of exprs.keysOf(row).entries()) {
    const value = values[at] ?? -1;
    const name = key < 0 ? undefined : stringText(version, key);
    if (name === undefined || value < 0) return undefined;
    keys.set(name, textOf(version, exprs.startOf(value), exprs.endOf(value)));
  }
  return keys.size === values.length ? { of: 'mapping', keys } : undefined;
}

function partsShape(version: Version, row: number): Shape | undefined {
  const { exprs } = version.summary;
  const keys = new Map<string, string>();
  for (const part of exprs.partsOf(row)) {
    const start = exprs.startOf(part);
    if (exprs.opOf(part) === E.element || version.text[start - 1] === '*') return undefined;
    keys.set(String(keys.size), textOf(version, start, exprs.endOf(part)));
  }
  return { of: 'parts', keys };
}

/** What a plain string says; a string that spells a name has a row of the name alone. */
function stringText(version: Version, row: number): string | undefined {
  const { exprs } = version.summary;
  if (exprs.opOf(row) === E.string) return exprs.operandOf(row) < 0 ? exprs.nameOf(row) : undefined;
  if (exprs.opOf(row) !== E.literal || exprs.nameOf(row) !== 'str') return undefined;
  const text = textOf(version, exprs.startOf(row), exprs.endOf(row));
  return /^(?<quote>["'])(?<inside>[^"'\\]*)\k<quote>$/u.exec(text)?.groups?.inside;
}

/** Where the local is named in its function, behind its declaration. */
const mentionsOf = ({ exprs, decls }: Summary, local: number, owner: number): number[] =>
  [...exprs.named(decls.nameIdOf(local))].filter((row) => {
    const at = exprs.startOf(row);
    return exprs.opOf(row) === E.name && at >= decls.endOf(local) && at < decls.endOf(owner);
  });

const textOf = ({ text }: Version, start: number, end: number): string => text.slice(start, end).replace(/\s+/gu, ' ');
