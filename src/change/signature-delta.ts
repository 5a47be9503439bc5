/**
 * How a signature differs from the one before: the parameters one by one, and what stands around them.
 */
import { E, F, R } from '../syntax/summary.js';
import { isAwaitable, parametersInFull, signatureOf, type Parameter } from '../graph/resolve/signature.js';
import type { Language } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import { renamedTypeParameters, respelled } from './type-parameters.js';
import { saysSame, saysSameType, type Version } from './version.js';
import { isPartOf, splitAt } from './written-union.js';

export interface ParameterNote {
  readonly name: string;
  /** Position among the parameters without receivers; in the new signature, for removed ones in the old. */
  readonly index: number;
  readonly optional: boolean;
  /** Type as written, '' for none. */
  readonly type: string;
  /** Default as written, '' for none. */
  readonly value: string;
  readonly keywordOnly: boolean;
  readonly rest: boolean;
}

/** How a parameter takes its argument: `place`, by place alone; `updated` and `written`, a variable to be so. */
export type Passing = 'rest' | 'keyword' | 'positional' | 'place' | 'updated' | 'written';

/** A type parameter that takes fewer types; `bounds`: what an argument must be and need not have been, as written. */
export interface Narrowed {
  readonly name: string;
  /** Among the type parameters. */
  readonly place: number;
  readonly bounds: readonly string[];
}

export interface SignatureDelta {
  readonly added: readonly ParameterNote[];
  readonly removed: readonly ParameterNote[];
  readonly renamed: readonly { readonly from: string; readonly to: string; readonly index: number }[];
  /** Parameters whose order among the kept ones changed: old and new position. */
  readonly moved: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  readonly retyped: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  readonly madeRequired: readonly string[];
  readonly madeOptional: readonly string[];
  readonly defaultChanged: readonly { readonly name: string; readonly from: string; readonly to: string }[];
  /** Parameters that take their argument in another way. */
  readonly passing: readonly { readonly name: string; readonly from: Passing; readonly to: Passing }[];
  readonly returnType?: { readonly from: string; readonly to: string };
  /** Whether its callers have to await it, where that changed. */
  readonly async?: boolean;
  /** Whether it can be called without an object, where that changed: Python's class methods too. */
  readonly static?: boolean;
  /**
   * Whether it can be called on its first argument (C#), where that changed; the parameter counts among the others
   * then.
   */
  readonly extension?: boolean;
  /** What it is called on, where it stays a function that is called so, and that is of another type (C#). */
  readonly receiver?: { readonly from: string; readonly to: string };
  readonly abstract?: boolean;
  readonly visibility?: { readonly from: string; readonly to: string };
  readonly typeParams?: boolean;
  /** Type parameters that take fewer types than those at their places did; absent for none. */
  readonly narrowed?: readonly Narrowed[];
  /** Type parameters that stand by themselves for another type than those at their places did, or for none. */
  readonly defaults?: readonly string[];
  /**
   * The first type parameter in front of whose name other words stand, whatever types it takes, with those that stand
   * there now: `const T`.
   */
  readonly worded?: string;
  /** Exceptions as the header names them, where it says what it throws (Java). */
  readonly throws?: { readonly added: readonly string[]; readonly removed: readonly string[] };
}

/** Whether parameters have other names, and nothing else of them, of what is given back, or of the way to call it. */
export const isOnlyRenamed = (delta: SignatureDelta): boolean =>
  delta.renamed.length > 0 &&
  [delta.removed, delta.added, delta.moved, delta.retyped, delta.madeOptional, delta.madeRequired, delta.passing].every(
    (changed) => changed.length === 0,
  ) &&
  [delta.returnType, delta.async, delta.static, delta.extension].every((changed) => changed === undefined);

/** What can be called without an object. */
const OF_CLASS = F.static | F.classMethod;
const isOfClass = (flags: number): boolean => (flags & OF_CLASS) !== 0;

/** Compares two versions of a function's header. All lists empty and nothing set: callers see no difference. */
export function signatureDelta(before: Version, oldDecl: number, after: Version, newDecl: number): SignatureDelta {
  const flags = (version: Version, decl: number): number => version.summary.decls.flagsOf(decl);
  const differs = (bit: number): boolean => (flags(before, oldDecl) & bit) !== (flags(after, newDecl) & bit);
  const paramsOf = ({ summary }: Version, decl: number): readonly Parameter[] =>
    differs(F.extension) ? parametersInFull(summary, decl) : signatureOf(summary, decl).params;
  const [oldParams, newParams] = [paramsOf(before, oldDecl), paramsOf(after, newDecl)];
  const old = oldParams.map((param, index) => note(before, param, index));
  const now = newParams.map((param, index) => note(after, param, index));
  const passed = (version: Version, params: readonly Parameter[], { index }: ParameterNote): Passing => {
    const param = params[index];
    return param === undefined ? 'positional' : passingOf(version, param);
  };
  const renamedTypes = new Map(
    renamedTypeParameters(before.summary, oldDecl, after.summary, newDecl).map(({ from, to }) => [from, to]),
  );
  const language = languageById(before.summary.language);
  /** A type parameter by another name is the same. */
  const isOneType = (from: string, to: string): boolean =>
    saysSameType(before, from, after, to) || saysSameType(before, respelled(from, renamedTypes), after, to);
  /** Whether a parameter that took an array gathers its elements now, so that it takes what it took. */
  const isGatheredNow = (from: ParameterNote, to: ParameterNote): boolean =>
    language.gathersWhole && to.rest && !from.rest && isOneType(elementText(before, oldParams[from.index]), to.type);
  const pairs = pairUp(old, now, newNamesTold(before, oldDecl), {
    respell: (type) => (renamedTypes.size > 0 ? respelled(type, renamedTypes) : type),
    byPlace: isByPlace(language),
  });
  const added = now.filter((param) => !pairs.some(([, to]) => to === param));
  const removed = old.filter((param) => !pairs.some(([from]) => from === param));
  const has = (bit: number): boolean => (flags(after, newDecl) & bit) !== 0;
  const returns = { from: typeText(before, oldDecl), to: typeText(after, newDecl) };
  const seen = { from: visibility(flags(before, oldDecl)), to: visibility(flags(after, newDecl)) };
  const thrown = { from: thrownBy(before, oldDecl), to: thrownBy(after, newDecl) };
  const throws = {
    added: thrown.to.filter((name) => !thrown.from.includes(name)),
    removed: thrown.from.filter((name) => !thrown.to.includes(name)),
  };
  return {
    added,
    removed,
    renamed: pairs
      .filter(([from, to]) => from.name !== to.name)
      .map(([from, to]) => ({ from: from.name, to: to.name, index: to.index })),
    moved: moves(pairs),
    retyped: pairs
      .filter(([from, to]) => !isOneType(from.type, to.type) && !isGatheredNow(from, to))
      .map(([from, to]) => ({ name: to.name, from: from.type, to: to.type })),
    madeRequired: pairs.filter(([from, to]) => from.optional && !to.optional).map(([, to]) => to.name),
    madeOptional: pairs.filter(([from, to]) => !from.optional && to.optional).map(([, to]) => to.name),
    defaultChanged: pairs
      .filter(([from, to]) => from.optional && to.optional && !saysSame(before, from.value, to.value))
      .map(([from, to]) => ({ name: to.name, from: from.value, to: to.value })),
    passing: pairs
      .map(([from, to]) => ({ name: to.name, from: passed(before, oldParams, from), to: passed(after, newParams, to) }))
      .filter(({ from, to }) => from !== to),
    ...(isOneType(returns.from, returns.to) ? {} : { returnType: returns }),
    ...(isAwaitable(before.summary, oldDecl) !== isAwaitable(after.summary, newDecl)
      ? { async: isAwaitable(after.summary, newDecl) }
      : {}),
    ...(isOfClass(flags(before, oldDecl)) !== isOfClass(flags(after, newDecl)) ? { static: has(OF_CLASS) } : {}),
    ...(differs(F.extension) ? { extension: has(F.extension) } : {}),
    ...receiverDelta(before, oldDecl, after, newDecl),
    ...(differs(F.abstract) ? { abstract: has(F.abstract) } : {}),
    ...(seen.from !== seen.to ? { visibility: seen } : {}),
    ...typeParameterDelta(before, oldDecl, after, newDecl),
    ...(throws.added.length + throws.removed.length > 0 ? { throws } : {}),
  };
}

function typeParameterDelta(
  before: Version,
  oldDecl: number,
  after: Version,
  newDecl: number,
): Pick<SignatureDelta, 'typeParams' | 'narrowed' | 'defaults' | 'worded'> {
  const narrowed = narrowedParameters(before, oldDecl, after, newDecl);
  const defaults = otherDefaults(before, oldDecl, after, newDecl);
  const worded = wordedParameter(before, oldDecl, after, newDecl);
  return {
    ...(typeParametersText(before, oldDecl) === typeParametersText(after, newDecl) ? {} : { typeParams: true }),
    ...(narrowed.length === 0 ? {} : { narrowed }),
    ...(defaults.length === 0 ? {} : { defaults }),
    ...(worded === undefined ? {} : { worded }),
  };
}

function receiverDelta(
  before: Version,
  oldDecl: number,
  after: Version,
  newDecl: number,
): Pick<SignatureDelta, 'receiver'> {
  const typeOf = (version: Version, decl: number): string | undefined => {
    const { receiver } = signatureOf(version.summary, decl);
    return receiver === undefined || !version.summary.decls.has(decl, F.extension)
      ? undefined
      : typeText(version, receiver.decl);
  };
  const [from, to] = [typeOf(before, oldDecl), typeOf(after, newDecl)];
  if (from === undefined || to === undefined || saysSameType(before, from, after, to)) return {};
  // What can be called on anything can be called on what it was.
  const { decls } = after.summary;
  if ([...decls.typeParamsOf(newDecl)].some((param) => decls.nameOf(param) === to)) return {};
  return { receiver: { from, to } };
}

/** Exceptions that a header declares, as written; empty in languages whose headers declare none. */
export const thrownBy = ({ summary, text }: Version, decl: number): readonly string[] =>
  languageById(summary.language).writing.throws?.declared(
    text.slice(summary.decls.startOf(decl), summary.decls.bodyStartOf(decl)),
  ) ?? [];

/** Whether the delta says anything at all. */
export function isEmptyDelta(delta: SignatureDelta): boolean {
  return Object.values(delta).every((value: unknown) =>
    Array.isArray(value) ? value.length === 0 : value === undefined,
  );
}

function note(version: Version, param: Parameter, index: number): ParameterNote {
  const value = version.summary.decls.valueOf(param.decl);
  return {
    name: param.name,
    index,
    optional: param.optional,
    type: typeText(version, param.decl),
    value: value < 0 ? '' : rowText(version, value),
    keywordOnly: param.keywordOnly,
    rest: param.rest || param.keywordRest,
  };
}

const passing = (param: ParameterNote): 'rest' | 'keyword' | 'positional' =>
  param.rest ? 'rest' : param.keywordOnly ? 'keyword' : 'positional';

/** The same of the parameter itself, with all that a call has to know. */
function passingOf({ summary }: Version, { decl, positionalOnly, ...param }: Parameter): Passing {
  if (param.rest || param.keywordRest) return 'rest';
  if (param.keywordOnly) return 'keyword';
  if (positionalOnly) return 'place';
  if (summary.decls.has(decl, F.updated)) return 'updated';
  return summary.decls.has(decl, F.written) ? 'written' : 'positional';
}

const visibility = (flags: number): string =>
  (flags & F.private) !== 0
    ? 'private'
    : (flags & F.protected) !== 0
      ? 'protected'
      : (flags & F.public) !== 0
        ? 'public'
        : 'default';

/** Type parameters with their bounds and defaults as written, white space normalised; '' for none. */
export const typeParametersText = (version: Version, decl: number): string =>
  [...version.summary.decls.typeParamsOf(decl)].map((row) => typeParameterText(version, decl, row)).join(', ');

function typeParameterText(version: Version, decl: number, row: number): string {
  const { summary, text } = version;
  const { decls } = summary;
  const written = text.slice(decls.startOf(row), decls.endOf(row)).replace(/\s+/g, ' ').trim();
  const behind = constraintsBehind(version, decl, row);
  return behind === '' ? written : `${written}: ${behind}`;
}

/** What stands behind the parameters about a type parameter. */
function constraintsBehind({ summary, text }: Version, decl: number, row: number): string {
  const { decls } = summary;
  const { constraintsIn } = languageById(summary.language).writing;
  return constraintsIn?.(text.slice(decls.startOf(decl), decls.bodyStartOf(decl)), decls.nameOf(row)) ?? '';
}

/** Type parameters that take fewer types than those at their places did, as far as their texts tell. */
export function narrowedParameters(
  before: Version,
  oldDecl: number,
  after: Version,
  newDecl: number,
): readonly Narrowed[] {
  const old = [...before.summary.decls.typeParamsOf(oldDecl)];
  return [...after.summary.decls.typeParamsOf(newDecl)].flatMap((row, place): Narrowed[] => {
    const had = old[place];
    if (had === undefined) return [];
    const were = boundsOf(before, oldDecl, had);
    const isKept = (bound: string): boolean =>
      were.some((other) => saysSame(before, other, bound) || isPartOf(other, bound));
    const bounds = boundsOf(after, newDecl, row).filter((bound) => !isKept(bound));
    return bounds.length === 0 ? [] : [{ name: after.summary.decls.nameOf(row), place, bounds }];
  });
}

/** Type parameters that stand by themselves for another type than those at their places did, or for none. */
export function otherDefaults(before: Version, oldDecl: number, after: Version, newDecl: number): readonly string[] {
  const old = [...before.summary.decls.typeParamsOf(oldDecl)];
  return [...after.summary.decls.typeParamsOf(newDecl)].flatMap((row, place) => {
    const had = old[place];
    const [was, is] = [had === undefined ? -1 : before.summary.decls.valueOf(had), after.summary.decls.valueOf(row)];
    const isOther = was >= 0 && (is < 0 || !saysSame(before, rowText(before, was), rowText(after, is)));
    return isOther ? [after.summary.decls.nameOf(row)] : [];
  });
}

/** The first type parameter that has another word in front of its name than the one at its place had. */
function wordedParameter(before: Version, oldDecl: number, after: Version, newDecl: number): string | undefined {
  const wordsOf = ({ summary: { decls }, text }: Version, row: number): string =>
    (/^(?:[a-z]+\s+)+$/.exec(text.slice(decls.startOf(row), decls.nameStartOf(row)))?.[0] ?? '').trim();
  const old = [...before.summary.decls.typeParamsOf(oldDecl)];
  return [...after.summary.decls.typeParamsOf(newDecl)].flatMap((row, i) => {
    const had = old[i];
    const words = wordsOf(after, row);
    return had === undefined || wordsOf(before, had) === words
      ? []
      : [`${words} ${after.summary.decls.nameOf(row)}`.trimStart()];
  })[0];
}

/** All that an argument for the type parameter must be, each as written. */
export function boundsOf(version: Version, decl: number, row: number): string[] {
  const behind = constraintsBehind(version, decl, row);
  const bounds = behind === '' ? splitAt(typeText(version, row), '&') : splitAt(behind, ',');
  return bounds.map((bound) => bound.trim()).filter((bound) => bound !== '');
}

/** Declared type (or return type) as written, white space normalised; '' for none. */
export function typeText(version: Version, decl: number): string {
  const { summary, text } = version;
  const type = summary.decls.typeOf(decl);
  if (type < 0) return '';
  const { orNone } = languageById(summary.language).writing;
  const isOrNone = orNone !== '' && text.startsWith(orNone, spanOf(version, type)[1]);
  return rowText(version, type) + (isOrNone ? orNone : '');
}

/** What an array that a parameter is declared as holds, as written; '' for what is no array. */
function elementText(version: Version, param: Parameter | undefined): string {
  const { decls, exprs } = version.summary;
  const type = param === undefined ? -1 : decls.typeOf(param.decl);
  return type < 0 || exprs.opOf(type) !== E.array ? '' : rowText(version, exprs.operandOf(type));
}

export const rowText = (version: Version, expr: number): string =>
  version.text
    .slice(...spanOf(version, expr))
    .replace(/\s+/g, ' ')
    .trim();

/** Where an expression stands: a qualified name is taken with the rows it hangs on. */
function spanOf({ summary: { exprs }, text }: Version, expr: number): readonly [number, number] {
  // What a closure (an object type) leads to is a declaration.
  const isClosure = exprs.roleOf(expr) === R.declares || exprs.opOf(expr) === E.closure;
  const part = isClosure ? -1 : exprs.operandOf(expr);
  if (part < 0) return [exprs.startOf(expr), exprs.endOf(expr)];
  const end = Math.max(exprs.endOf(expr), exprs.endOf(part));
  // The name of a member may stand in quotes: `T['key']`.
  const isQuoted = /^["']\]/u.test(text.slice(end, end + 2));
  return [Math.min(exprs.startOf(expr), exprs.startOf(part)), isQuoted ? end + 2 : end];
}

/** New names of parameters, where it is known which are which. */
const newNamesTold = ({ summary, told }: Version, decl: number): ReadonlyMap<string, string> =>
  new Map(
    [...summary.decls.paramsOf(decl)].flatMap((row): [string, string][] => {
      const name = told?.parameters.get(summary.decls.nameStartOf(row));
      return name === undefined ? [] : [[summary.decls.nameOf(row), name]];
    }),
  );

type Pair = readonly [ParameterNote, ParameterNote];

/**
 * A parameter that got a new name while the old one stays behind as another parameter, as for those who still say it:
 * the new name stands at its place with its type and its default, the old one elsewhere with another default.
 */
function keptBehind(old: readonly ParameterNote[], now: readonly ParameterNote[]): Pair[] {
  return old.flatMap((from): Pair[] => {
    const [same, to] = [now.find(({ name }) => name === from.name), now[from.index]];
    if (same === undefined || to === undefined || to === same || from.value === '' || from.rest) return [];
    const isTaken = old.some(({ name }) => name === to.name);
    const isOther = same.optional && same.value !== from.value && same.index >= old.length;
    return !isTaken && isOther && to.type === from.type && to.value === from.value && passing(to) === passing(from)
      ? [[from, to]]
      : [];
  });
}

/** Whether calls give their arguments by place, and none picks its function by their types. */
const isByPlace = ({ writing, overloads }: Language): boolean => writing.keywordArgument === undefined && !overloads;

interface Reading {
  /** A type with the names that type parameters have now. */
  readonly respell: (type: string) => string;
  /** Whether the place alone says which parameter an argument is for. */
  readonly byPlace: boolean;
}

/**
 * Same names first, but for those that were left behind; then what is left at the same place between kept neighbours,
 * if type or default speak for it, or, where calls give all by place, if none came or went.
 */
function pairUp(
  old: readonly ParameterNote[],
  now: readonly ParameterNote[],
  told: ReadonlyMap<string, string>,
  { respell, byPlace }: Reading,
): Pair[] {
  const pairs: Pair[] = [];
  for (const from of old) {
    const name = told.get(from.name);
    const to = name === undefined ? undefined : now.find((candidate) => candidate.name === name);
    if (to !== undefined) pairs.push([from, to]);
  }
  pairs.push(...keptBehind(old, now).filter((pair) => !pairs.some(([from, to]) => from === pair[0] || to === pair[1])));
  // The same word in other letters, `maxSize` and `max_size`, is the same name.
  for (const same of [
    (name: string): string => name,
    (name: string): string => name.replaceAll('_', '').toLowerCase(),
  ]) {
    for (const from of old) {
      const to = pairs.some(([taken]) => taken === from)
        ? undefined
        : now.find(
            (candidate) => same(candidate.name) === same(from.name) && !pairs.some(([, taken]) => taken === candidate),
          );
      if (to !== undefined) pairs.push([from, to]);
    }
  }
  const freeOld = old.filter((param) => !pairs.some(([from]) => from === param));
  const freeNow = now.filter((param) => !pairs.some(([, to]) => to === param));
  const rank = (list: readonly ParameterNote[], param: ParameterNote, side: 0 | 1): number =>
    list.slice(0, list.indexOf(param)).filter((other) => pairs.some((pair) => pair[side] === other)).length;
  const isSameLength = old.length === now.length;
  /** Whether the parameters behind both are one. */
  const isBeforeKept = (from: ParameterNote, to: ParameterNote): boolean =>
    pairs.some((pair) => pair[0] === old[old.indexOf(from) + 1] && pair[1] === now[now.indexOf(to) + 1]);
  // One that takes less now, or more, is the same where none came or went; a type that is not written says nothing.
  for (const isAlike of [
    (from: string, to: string): boolean => from === to && (isSameLength || to !== ''),
    (from: string, to: string): boolean =>
      isSameLength && from !== '' && to !== '' && (isPartOf(from, to) || isPartOf(to, from)),
    (from: string, to: string, isKept: boolean): boolean => (isSameLength || isKept) && (from === '') !== (to === ''),
    (): boolean => isSameLength && byPlace,
  ])
    for (const from of freeOld) {
      const to = pairs.some(([taken]) => taken === from)
        ? undefined
        : freeNow.find(
            (candidate) =>
              !pairs.some(([, taken]) => taken === candidate) &&
              rank(now, candidate, 1) === rank(old, from, 0) &&
              passing(candidate) === passing(from) &&
              candidate.optional === from.optional &&
              [from.type, respell(from.type)].some((type) =>
                isAlike(type, candidate.type, isBeforeKept(from, candidate)),
              ),
          );
      if (to !== undefined) pairs.push([from, to]);
    }
  return pairs.sort((a, b) => a[1].index - b[1].index);
}

/** Kept positional parameters whose order among each other changed. */
function moves(pairs: readonly Pair[]): { name: string; from: number; to: number }[] {
  const positional = pairs.filter(([from, to]) => passing(from) === 'positional' && passing(to) === 'positional');
  const oldOrder = [...positional].sort((a, b) => a[0].index - b[0].index);
  return positional
    .filter((pair, i) => oldOrder[i] !== pair)
    .map(([from, to]) => ({ name: to.name, from: from.index, to: to.index }));
}
