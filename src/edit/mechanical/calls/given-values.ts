/**
 * What the person gives for new parameters: for all calls, or for those at one place.
 *
 *     ttl                               wherever a value for `ttl` is needed
 *     ttl#put                           at calls of what is written `put`
 *     ttl@src/jobs                      in the files of a folder
 *     ttl@src/jobs/a.py                 in one file
 *     ttl@src/jobs/a.py:Job.run         in one block, and what lies in it
 *     ttl@src/jobs/a.py:Job.run#put.2   at its second call of `put`, in the order of the text
 *
 * The most specific holds: first by place, then by call. A call is named as it is written there
 * (`super` and `this` count as names), so that its number is the same in every round of a plan,
 * however many of its neighbours have their value already.
 */
import { blockName, blockNamed } from '../../../change/block-name.js';
import { blockOf } from '../../../graph/refer/site.js';
import { E, type Summary } from '../../../syntax/summary.js';

interface Given {
  readonly key: string;
  readonly name: string;
  /** '' for every file. */
  readonly path: string;
  /** '' for the whole file. */
  readonly block: string;
  readonly call: string;
  /** 0 for every call of that name. */
  readonly nth: number;
  readonly value: string;
}

export interface GivenValue {
  readonly text: string;
  /** Whether it was given for a place, not for all. */
  readonly isForPlace: boolean;
}

/** A call that a value can be given for. */
export interface CallPlace {
  readonly file: string;
  readonly summary: Summary;
  /** The row that names what is called. */
  readonly callee: number;
}

/** What is left to say of a file's text, of a value that nothing took. */
export interface KnownFiles {
  readonly paths: () => Iterable<string>;
  readonly summary: (file: string) => Summary | undefined;
}

const KEY =
  /^(?<name>[^@#]+)(?:@(?<path>.*?)(?::(?<block>[^:]*?))?)??(?:(?<![.:])#(?<call>#?[\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\.(?<nth>\d+))?)?$/su;

/** The values of one run. It notes which of them were asked for, so that the others can be told. */
export class GivenValues {
  private readonly all: readonly Given[];
  private readonly taken = new Set<Given>();

  constructor(values: Readonly<Record<string, string>>) {
    this.all = Object.entries(values)
      .map(([key, value]) => read(key, value))
      .sort(moreSpecific);
  }

  /** The value to pass for a parameter at a call; undefined if none was given for it. */
  at(name: string, place: CallPlace): GivenValue | undefined {
    const found = this.find(name, place);
    if (found === undefined) return undefined;
    this.taken.add(found);
    return { text: found.value, isForPlace: found.path !== '' };
  }

  /** All values that are given for the parameter at calls in the same block. */
  beside(name: string, { file, summary, callee }: CallPlace): readonly string[] {
    const block = blockAround({ file, summary, callee });
    return this.all
      .filter((given) => given.name === name && given.path === file && given.block === block)
      .map((given) => given.value);
  }

  has(name: string, place: CallPlace): boolean {
    return this.find(name, place) !== undefined;
  }

  private find(name: string, place: CallPlace): Given | undefined {
    return this.all.find((given) => given.name === name && covers(given, place));
  }

  /** One sentence for each of the `keys` that no call took. */
  untaken(keys: Iterable<string>, files: KnownFiles): string[] {
    const asked = new Set(keys);
    return this.all
      .filter((given) => asked.has(given.key) && !this.taken.has(given))
      .map((given) => `the value for ${given.key} was not used: ${whyNot(given, files)}`);
  }
}

/**
 * How a value for `name` at this call alone is given: its place as a key, with the call's number where its block has
 * several of that name.
 */
export function keyFor(name: string, place: CallPlace): string {
  const calls = callsNamedAs(place);
  const call = calls.length < 2 ? '' : `#${calledName(place.summary, place.callee)}.${calls.indexOf(place.callee) + 1}`;
  return `${name}@${place.file}:${blockAround(place)}${call}`;
}

/** Whether a key of `keyFor` is that of one call among several in its block. */
export const isOneOfSeveral = (key: string): boolean => read(key, '').nth > 0;

function read(key: string, value: string): Given {
  const { name = key, path = '', block = '', call = '', nth = '0' } = KEY.exec(key)?.groups ?? {};
  return { key, name, path, block, call, nth: Number(nth), value };
}

function moreSpecific(a: Given, b: Given): number {
  return (
    b.path.length - a.path.length ||
    b.block.length - a.block.length ||
    Number(b.call !== '') - Number(a.call !== '') ||
    b.nth - a.nth
  );
}

function covers(given: Given, place: CallPlace): boolean {
  if (given.path !== '' && given.path !== place.file && !isInFolder(place.file, given.path)) return false;
  if (given.block !== '' && !isBlockIn(blockAround(place), given.block)) return false;
  if (given.call !== '' && given.call !== calledName(place.summary, place.callee)) return false;
  return given.nth === 0 || callsNamedAs(place)[given.nth - 1] === place.callee;
}

const blockAround = ({ summary, callee }: CallPlace): string => blockName(summary, blockOf(summary, callee));

const isInFolder = (file: string, folder: string): boolean =>
  file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

const isBlockIn = (block: string, outer: string): boolean => block === outer || block.startsWith(`${outer}.`);

/** As it is written: `put` of `store.put(k)`, `Store` of `new Store(k)`, `super` of `super(k)`. */
function calledName({ exprs }: Summary, callee: number): string {
  const op = exprs.opOf(callee);
  return op === E.super ? 'super' : op === E.this ? 'this' : exprs.nameOf(callee);
}

/** Callees of that name in the block, in the order of the text. */
function callsNamedAs({ summary, callee }: CallPlace): number[] {
  const { exprs } = summary;
  const block = blockOf(summary, callee);
  const name = calledName(summary, callee);
  const found = new Set<number>();
  for (let row = 0; row < exprs.count; row++) {
    if (exprs.opOf(row) !== E.call && exprs.opOf(row) !== E.new) continue;
    const called = exprs.operandOf(row);
    if (called >= 0 && calledName(summary, called) === name && blockOf(summary, called) === block) found.add(called);
  }
  return [...found].sort((a, b) => exprs.startOf(a) - exprs.startOf(b));
}

function whyNot({ name, path, block, call }: Given, files: KnownFiles): string {
  const inside = path === '' ? [] : [...files.paths()].filter((file) => file === path || isInFolder(file, path));
  if (path !== '' && inside.length === 0) return `there is no file ${path}`;
  const summary = block === '' ? undefined : files.summary(path);
  if (summary !== undefined && block !== '<module>' && blockNamed(summary, block) === undefined)
    return `${path} has no block ${block}`;
  return `no call${call === '' ? '' : ` of ${call}`}${path === '' ? '' : ' there'} needed ${name}`;
}
