/**
 * What comes out of lists and mappings, as far as their entries are followed: those that are
 * written, by key where the key is, and those that are put in wherever the container goes.
 */
import type { ContainerChange } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, R, SLICE, type Summary } from '../../syntax/summary.js';
import { Finding, type Answer, type Ask, type Question } from './fixpoint.js';
import { decorated, held, only, resultOf, resultOfValue } from './flow.js';
import { gathered, givenIn } from './flow-arguments.js';
import { callsOf, reached } from './flow-forward.js';
import { placedAt } from './contents.js';
import { constantAt, findingHeld, keyOfSeveral, SOME_STRING, sumOf, type Held } from './held.js';
import { findMember } from '../resolve/hierarchy.js';
import { membersRunBy } from './implied-calls.js';
import { lastStored } from './last-stored.js';
import { callGiving, lastGiven } from './made-at.js';
import type { Resolver } from '../resolve/resolver.js';
import { usesOf } from './uses.js';

/** Keys that are asked for; undefined: any. */
export type Keys = ReadonlySet<string> | undefined;

/** What an `index`, `nth` or `element` row gives, or a member that gives an entry of its receiver. */
export function entriesOf(resolver: Resolver, file: string, summary: Summary, expr: number, ask: Ask): Answer<Held> {
  const { exprs } = summary;
  const isIndex = exprs.opOf(expr) === E.index;
  const last = isIndex ? lastStored(resolver, file, summary, expr) : undefined;
  const placed = last !== undefined || exprs.opOf(expr) === E.element ? undefined : placedAt(resolver, file, expr);
  if (placed !== undefined) return ask(held(resolver, file, placed));
  const base = ask(held(resolver, file, exprs.operandOf(expr)));
  const keys = keysOf(resolver, file, summary, expr, ask);
  const out = findingHeld();
  out.open = base.open;
  if (last !== undefined) out.join(anyHeld(resolver, file, last, ask));
  for (const value of base.values.values()) {
    // An object of a class of the repository gives what its own member makes of what was put in.
    if (last !== undefined && value.kind !== 'instance') continue;
    if (value.kind === 'yields') out.join(yielded(resolver, { file, expr: exprs.operandOf(expr) }, value, ask));
    else if (exprs.opOf(expr) === E.element)
      out.join(iterated(resolver, value, membersRunBy(resolver.language(file), summary, expr), ask));
    else if (value.kind === 'holder' && value.as === 'pair') out.join(sideOf(resolver, value, keys, ask));
    else if (value.kind === 'holder') out.join(entry(resolver, value, keysWithin(resolver, value, keys), ask));
    else if (value.kind === 'gathered') out.join(ask(gathered(resolver, value, keys)));
    else if (value.kind === 'class' && isIndex) out.add(value);
    else if (value.kind === 'instance')
      for (const name of resolver.language(value.file).operatorMembers['index'] ?? [])
        out.join(resultsOfMember(resolver, value, name, ask));
    else out.add({ kind: 'outside' });
  }
  return out;
}

/** What a generator yields: where the call of it is in sight, of what it is passed only what this call passes. */
function yielded(
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  generator: Held & { kind: 'yields' },
  ask: Ask,
): Answer<Held> {
  const call = callGiving(resolver, file, expr);
  const callee = call === undefined ? -1 : resolver.summary(call.file).exprs.operandOf(call.expr);
  // The call may be of what hands a generator on.
  const isOwn =
    call !== undefined && resolver.resolve(call.file, callee).targets.some((target) => sameDecl(target, generator));
  if (!isOwn) return ask(resultOf(resolver, generator));
  const { file: home, decl } = generator;
  const out = findingHeld();
  for (const row of resolver.summary(home).decls.resultsOf(decl))
    out.join(givenIn(resolver, call, { file: home, decl }, row, ask));
  return out;
}

/** What any of some rows gives. */
export function anyHeld(resolver: Resolver, file: string, rows: readonly number[], ask: Ask): Answer<Held> {
  const out = findingHeld();
  for (const row of rows) out.join(ask(held(resolver, file, row)));
  return out;
}

function keysOf(resolver: Resolver, file: string, summary: Summary, expr: number, ask: Ask): Keys {
  const { exprs } = summary;
  if (exprs.opOf(expr) === E.nth) return new Set([String(exprs.secondOf(expr))]);
  const call = exprs.opOf(expr) === E.member ? summary.exprs.callOf(expr) : -1;
  const [first, ...more] =
    exprs.opOf(expr) === E.index
      ? exprs.partsOf(expr)
      : call < 0
        ? []
        : exprs
            .argumentsOf(call)
            .slice(0, 1)
            .map((given) => given.expr);
  if (first === undefined) return undefined;
  if (more.length === 0) return keysAt(resolver, file, summary, first, ask);
  const several = keyOfSeveral(summary, [first, ...more]);
  return several === undefined ? undefined : new Set([several]);
}

/** The keys that a row can give: constants, or a tuple of such. */
function keysAt(resolver: Resolver, file: string, summary: Summary, row: number, ask: Ask): Keys {
  const { exprs } = summary;
  const one =
    exprs.opOf(row) === E.list
      ? keyOfSeveral(summary, [...exprs.partsOf(row)])
      : folded(resolver, file, summary, row, 0);
  return one === undefined ? constants(ask(held(resolver, file, row))) : new Set([one]);
}

/** What an addition of constants gives, where names of the body hold them: `'on_' + name`. */
function folded(resolver: Resolver, file: string, summary: Summary, row: number, depth: number): string | undefined {
  const { decls, exprs } = summary;
  const plain = constantAt(summary, row);
  if (plain !== undefined || row < 0 || depth > FOLDS_MOST) return plain;
  if (exprs.opOf(row) === E.operator && exprs.nameOf(row) === '+') {
    const first = folded(resolver, file, summary, exprs.operandOf(row), depth + 1);
    return first === undefined
      ? undefined
      : sumOf(first, folded(resolver, file, summary, exprs.secondOf(row), depth + 1));
  }
  if (exprs.opOf(row) !== E.name || depth === 0) return undefined;
  const last = lastGiven(resolver, file, summary, row);
  return last === undefined ? undefined : folded(resolver, file, summary, decls.valueOf(last), depth + 1);
}

/** How many additions and names are followed to constants. */
const FOLDS_MOST = 8;

function constants(answer: Answer<Held>): Keys {
  const out = new Set<string>();
  for (const value of answer.values.values()) {
    if (value.kind !== 'constant') return undefined;
    out.add(value.text);
  }
  return answer.open ? undefined : out;
}

export const meet = (a: Keys, b: Keys): boolean =>
  a === undefined ||
  b === undefined ||
  [...a].some((key) =>
    [...b].some(
      (other) => key === other || (isString(key) && isString(other) && (key === SOME_STRING || other === SOME_STRING)),
    ),
  );

/** Keys of a slice as keys of what it is cut from. */
export function keysWithin(resolver: Resolver, holder: Held & { kind: 'holder' }, keys: Keys): Keys {
  if (holder.as === undefined) return keys;
  const { exprs } = resolver.summary(holder.file);
  if (holder.ends === undefined || exprs.opOf(holder.expr) !== E.list) return undefined;
  const parts = [...exprs.partsOf(holder.expr)];
  if (parts.some((row) => exprs.opOf(row) === E.element)) return undefined;
  const [from, to] = holder.ends;
  const end = to < 0 ? parts.length + 1 + to : Math.min(to, parts.length);
  const places = Array.from({ length: Math.max(0, end - from) }, (_, i) => String(from + i));
  if (keys === undefined) return new Set(places);
  return new Set([...keys].map((key) => places.at(Number(key)) ?? key));
}

const isString = (key: string): boolean => key.startsWith(SOME_STRING);

/** The entries of a list or mapping under the keys. */
export function entry(resolver: Resolver, holder: Held & { kind: 'holder' }, keys: Keys, ask: Ask): Answer<Held> {
  const { file, expr } = holder;
  const summary = resolver.summary(file);
  const out = findingHeld();
  const added = ask(addedTo(resolver, file, expr));
  const isList = summary.exprs.opOf(expr) === E.list;
  const changes = [...added.values.values()];
  const grows = changes.some((store) => !store.isStored);
  const fromEnd = !isList
    ? keys
    : changes.some((store) => store.rearranges)
      ? undefined
      : grows
        ? keys
        : counted(summary, expr, keys);
  const cut = cutFrom(summary, expr);
  if (summary.exprs.opOf(expr) === E.dict) out.join(entriesOfDict(resolver, file, expr, keys, ask));
  else if (cut !== undefined) out.join(entriesUnder(resolver, ask(held(resolver, file, cut)), keys, ask));
  else out.join(anyHeld(resolver, file, writtenEntries(summary, expr, fromEnd), ask));
  out.open ||= added.open;
  for (const store of changes) {
    const { decorated: put } = store;
    if (put !== undefined) out.join(ask(decorated(resolver, { file: store.file, decl: put.decl }, put.index + 1)));
    if (store.value < 0) continue;
    if (store.merges) {
      for (const value of ask(held(resolver, store.file, store.value)).values.values())
        if (value.kind === 'holder') out.join(ask(merged(resolver, value, keys)));
    } else out.join(addedUnder(resolver, store, keys, ask));
  }
  return out;
}

/** What is put in under the keys; where a function is passed both key and value, for each call by itself. */
function addedUnder(resolver: Resolver, store: Added, keys: Keys, ask: Ask): Answer<Held> {
  const { file, key, value } = store;
  const by = keys === undefined ? -1 : functionPassed(resolver, file, key);
  const calls =
    by < 0 || functionPassed(resolver, file, value) !== by ? undefined : ask(callsOf(resolver, { file, decl: by }));
  const out = findingHeld();
  if (calls === undefined || calls.open) {
    if (meet(keys, keysOfAdded(resolver, store, ask))) out.join(ask(held(resolver, file, value)));
    return out;
  }
  for (const call of calls.values.values())
    if (meet(keys, constants(givenIn(resolver, call, { file, decl: by }, key, ask))))
      out.join(givenIn(resolver, call, { file, decl: by }, value, ask));
  return out;
}

/** The function that a row names a parameter of; -1 if there is none. */
function functionPassed(resolver: Resolver, file: string, row: number): number {
  const { decls, exprs, scopes } = resolver.summary(file);
  const [target, ...others] = row >= 0 && exprs.opOf(row) === E.name ? resolver.resolve(file, row).targets : [];
  const isParam = target !== undefined && others.length === 0 && target.file === file && target.decl >= 0;
  return isParam && decls.kindOf(target.decl) === D.param ? scopes.ownerOf(decls.scopeOf(target.decl)) : -1;
}

/** The slice whose elements are all that a list is made of: `*rest`. */
function cutFrom({ exprs }: Summary, expr: number): number | undefined {
  const [part, ...others] = exprs.opOf(expr) === E.list ? exprs.partsOf(expr) : [];
  const operand =
    part === undefined || others.length > 0 || exprs.opOf(part) !== E.element ? -1 : exprs.operandOf(part);
  return operand >= 0 && exprs.opOf(operand) === E.union && exprs.nameOf(operand) === SLICE ? operand : undefined;
}

/** What containers hold under the keys; anything, where something else may be one. */
export function entriesUnder(resolver: Resolver, answer: Answer<Held>, keys: Keys, ask: Ask): Answer<Held> {
  const out = findingHeld();
  out.open = answer.open;
  for (const value of answer.values.values()) {
    if (value.kind === 'holder') out.join(entry(resolver, value, keysWithin(resolver, value, keys), ask));
    else if (value.kind === 'gathered') out.join(ask(gathered(resolver, value, keys)));
    else out.open = true;
  }
  return out;
}

const keysOfAdded = (resolver: Resolver, { file, key, keyword }: Added, ask: Ask): Keys =>
  keyword !== ''
    ? new Set([`'${keyword}`])
    : key < 0
      ? undefined
      : keysAt(resolver, file, resolver.summary(file), key, ask);

/** Places that are counted from the end, counted from the start, in a list that nothing is put into. */
function counted(summary: Summary, expr: number, keys: Keys): Keys {
  const length = [...summary.exprs.partsOf(expr)].length;
  return keys === undefined
    ? keys
    : new Set([...keys].map((key) => (/^-\d+$/.test(key) ? String(length + Number(key)) : key)));
}

function merged(resolver: Resolver, holder: Held & { kind: 'holder' }, keys: Keys): Question<Held> {
  return {
    key: `e${holder.file}\0${holder.expr}\0${keys === undefined ? '' : [...keys].join()}`,
    find: (ask) => entry(resolver, holder, keys, ask),
  };
}

/** What a mapping literal holds under the keys: what is written behind ends what is written, or spread in, before. */
function entriesOfDict(resolver: Resolver, file: string, expr: number, keys: Keys, ask: Ask): Answer<Held> {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const values = [...exprs.partsOf(expr)];
  const written = exprs.keysOf(expr);
  const out = findingHeld();
  for (let i = values.length - 1; i >= 0; i--) {
    const [key, value] = [written[i] ?? -1, values[i] as number];
    const own = key < 0 ? undefined : keysAt(resolver, file, summary, key, ask);
    if (key < 0 && isSpreadIn(exprs, value)) out.join(spreadIn(resolver, file, value, keys, ask));
    else if (meet(keys, own)) {
      out.join(ask(held(resolver, file, value)));
      if (keys?.size === 1 && own?.size === 1 && !own.has(SOME_STRING) && !keys.has(SOME_STRING)) break;
    }
  }
  return out;
}

/** `**more` in a mapping: all that an index without a key gives. */
const isSpreadIn = (exprs: Summary['exprs'], value: number): boolean =>
  exprs.opOf(value) === E.index && exprs.partsOf(value).length === 0;

function spreadIn(resolver: Resolver, file: string, value: number, keys: Keys, ask: Ask): Answer<Held> {
  const base = ask(held(resolver, file, resolver.summary(file).exprs.operandOf(value)));
  const out = findingHeld();
  out.open = base.open;
  for (const each of base.values.values()) {
    if (each.kind === 'holder' && each.as === undefined) out.join(ask(merged(resolver, each, keys)));
    else if (each.kind === 'gathered') out.join(ask(gathered(resolver, each, keys)));
    else out.add({ kind: 'outside' });
  }
  return out;
}

function writtenEntries(summary: Summary, expr: number, keys: Keys): readonly number[] {
  const { exprs } = summary;
  const values = [...exprs.partsOf(expr)];
  const isCounted =
    keys !== undefined &&
    !values.some((row) => exprs.opOf(row) === E.element) &&
    [...keys].every((key) => values[Number(key)] !== undefined);
  return isCounted ? [...keys].map((key) => values[Number(key)] as number) : values;
}

/**
 * What is put into a container: the value, under a key (-1: none is known), or with `merges` all that the value holds.
 */
interface Added {
  readonly file: string;
  readonly key: number;
  /** The key where it is a keyword. */
  readonly keyword: string;
  readonly value: number;
  /** Instead of a value: what a member that is a decorator is put before. */
  readonly decorated?: { readonly decl: number; readonly index: number };
  readonly merges: boolean;
  /** Put in the place of another one, so that the container is as long as before. */
  readonly isStored: boolean;
  /** What stood at a place of a list may stand at another one behind it; `value` is -1 where nothing is put in. */
  readonly rearranges: boolean;
}

/** A change that puts nothing in. */
const REARRANGED = { key: -1, keyword: '', value: -1, merges: false, isStored: false, rearranges: true } as const;

/** Changes behind which what stands in a list may have another place. */
const MOVING: ReadonlySet<ContainerChange> = new Set<ContainerChange>([
  'first',
  'at',
  'take',
  'take first',
  'reverse',
  'clear',
]);

function addedTo(resolver: Resolver, file: string, expr: number): Question<Added> {
  return {
    key: `s${file}\0${expr}`,
    find: (ask) => {
      const rows = ask(reached(resolver, file, expr, 0));
      const out = new Finding<Added>(
        (added) => `${added.file}\0${added.value}\0${added.rearranges}\0${added.decorated?.decl ?? ''}`,
      );
      out.open = rows.open;
      for (const row of rows.values.values())
        if (row.depth === 0) for (const added of addedAt(resolver, row.file, row.expr)) out.add(added);
      return out;
    },
  };
}

/** What is put into the container that a row gives, right there: `row[k] = v`, `row.append(v)`, `row.update(v)`. */
function addedAt(resolver: Resolver, file: string, row: number): Added[] {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const library = resolver.language(file).library;
  return usesOf(summary, row).flatMap((use): Added[] => {
    if (use.kind === 'part' && exprs.opOf(use.row) === E.index) {
      const key = exprs.partsOf(use.row)[0] ?? -1;
      const stores = usesOf(summary, use.row).filter(({ kind }) => kind === 'place');
      // `del list[0]`
      if (stores.length === 0 && exprs.roleOf(use.row) === R.write) return [{ file, ...REARRANGED }];
      return stores.flatMap((place) =>
        place.kind === 'place'
          ? [{ ...REARRANGED, file, key, value: exprs.secondOf(place.row), isStored: true, rearranges: false }]
          : [],
      );
    }
    // `list += more`
    if (use.kind === 'operand' && exprs.roleOf(row) === R.update && exprs.operandOf(use.row) === row)
      return exprs.secondOf(use.row) < 0
        ? []
        : [{ ...REARRANGED, file, value: exprs.secondOf(use.row), merges: true, rearranges: false }];
    if (use.kind !== 'receiver') return [];
    const name = exprs.nameOf(use.row);
    const merges = library.mergingMembers.has(name);
    const change = library.containerChanges.get(name);
    const rearranges = change === undefined || MOVING.has(change);
    if (!merges && !library.addingMembers.has(name))
      return rearranges && exprs.callOf(use.row) >= 0 ? [{ file, ...REARRANGED }] : [];
    return usesOf(summary, use.row).flatMap((called): Added[] => {
      if (called.kind === 'decorator')
        return [{ ...REARRANGED, file, rearranges, decorated: { decl: called.decl, index: called.index } }];
      if (called.kind !== 'callee') return [];
      const given = exprs.argumentsOf(called.row);
      const [key = -1] = resolver.language(file).library.keyed.members.has(name) ? given.map(({ expr }) => expr) : [];
      return (merges ? given : given.slice(-1)).map(({ expr, keyword }) => ({
        file,
        key,
        keyword,
        value: expr,
        merges: merges && keyword === '',
        isStored: false,
        rearranges,
      }));
    });
  });
}

/** `key` or `value` of one of a mapping's pairs. */
function sideOf(resolver: Resolver, pair: Held & { kind: 'holder' }, keys: Keys, ask: Ask): Answer<Held> {
  const { as: _, ...holder } = pair;
  const out = findingHeld();
  if (keys?.has('1') !== false) out.join(entry(resolver, holder, undefined, ask));
  if (keys?.has('0') !== false) out.join(iterated(resolver, holder, [], ask));
  return out;
}

/** What iterating gives; `names`: the members that it runs. */
function iterated(resolver: Resolver, value: Held, names: readonly string[], ask: Ask): Answer<Held> {
  const out = findingHeld();
  switch (value.kind) {
    case 'holder': {
      if (value.as === 'pairs') return only({ ...value, as: 'pair' });
      const summary = resolver.summary(value.file);
      if (
        value.as === undefined &&
        summary.exprs.opOf(value.expr) === E.dict &&
        !resolver.language(value.file).library.iteratesPairs
      ) {
        for (const key of summary.exprs.keysOf(value.expr))
          if (key >= 0) out.join(ask(held(resolver, value.file, key)));
        return out;
      }
      return entry(resolver, value, value.as === 'slice' ? keysWithin(resolver, value, undefined) : undefined, ask);
    }
    case 'gathered':
      return resolver.summary(value.file).decls.has(value.decl, F.keywordRest)
        ? out
        : ask(gathered(resolver, value, undefined));
    case 'yields':
      return ask(resultOf(resolver, value));
    case 'instance':
      // The first member gives an iterator, the other its elements; an object may be its own iterator.
      for (const name of names.slice(1)) out.join(resultsOfMember(resolver, value, name, ask));
      for (const result of names[0] === undefined
        ? []
        : resultsOfMember(resolver, value, names[0], ask).values.values()) {
        if (result.kind === 'yields' || result.kind === 'holder') out.join(iterated(resolver, result, names, ask));
        else if (result.kind === 'instance')
          for (const next of names.slice(1)) out.join(resultsOfMember(resolver, result, next, ask));
      }
      return out;
    default:
      return only({ kind: 'outside' });
  }
}

function resultsOfMember(resolver: Resolver, value: Held & { kind: 'instance' }, name: string, ask: Ask): Answer<Held> {
  const out = findingHeld();
  for (const member of findMember(resolver, value, name).found)
    out.join(resultOfValue(resolver, { kind: 'function', ...member, self: undefined }, ask));
  return out;
}
