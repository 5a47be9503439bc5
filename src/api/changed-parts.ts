/**
 * What of a changed declaration its users meet, in words: what no longer fits, and what may mean something else.
 */
import { kindName, type AtomicChange } from '../change/atomic-change.js';
import type { ParameterNote, SignatureDelta } from '../change/signature-delta.js';
import type { Language } from '../languages/language.js';
import { D } from '../syntax/summary.js';

/** Each part goes on from the name of what changed: `needs ttl`. */
export interface Parts {
  readonly breaking: readonly string[];
  readonly may: readonly string[];
}

/** From the most hidden to what everybody sees; what is not listed stands between. */
const VISIBILITIES = ['private', 'internal', 'protected', 'public'];
/** What a signature's difference tells in words of its own. */
const SAID_OF_SIGNATURES: ReadonlySet<string> = new Set([...VISIBILITIES, 'static', 'async', 'abstract', 'extension']);
/** What the paths tell under which a name is reached, and what users cannot see. */
const SAID_BY_PATHS: ReadonlySet<string> = new Set(['exported', 'default', 'override', '@Override', '@override']);
/** Modifiers whose coming forbids what was done before: making one, deriving from it, seeing it. */
const FORBIDDING: ReadonlySet<string> = new Set(['abstract', 'final', '@final', ...VISIBILITIES.slice(0, -1)]);

/** A member that is read, whatever computes it. */
const READ: ReadonlySet<string> = new Set(['getter', 'setter', '@property', '@cached_property']);

/** Whether a method is read now where it was called, or called where it was read. */
function accessPart({ kind, detail: { modifiers } }: AtomicChange): string | undefined {
  if (kind !== kindName(D.method) || modifiers === undefined) return undefined;
  if (modifiers.added.includes('getter')) return 'is read now, and not called';
  return modifiers.removed.includes('getter') ? 'has to be called now' : undefined;
}

export function changedParts(change: AtomicChange, language: Language): Parts {
  const { detail } = change;
  const breaking: string[] = [];
  const may: string[] = [];
  const { signature, bases, typeParams, type, modifiers } = detail;
  if (signature !== undefined) {
    breaking.push(...breakingParts(signature, language));
    may.push(...otherParts(signature));
  }
  if (bases !== undefined && bases.removed.length > 0)
    breaking.push(`is no ${bases.removed.join(' and no ')} any more`);
  if (bases !== undefined && bases.added.length > 0) may.push(`derives from ${bases.added.join(' and ')} now`);
  if (typeParams !== undefined)
    breaking.push(`has the type parameters <${typeParams.to}> instead of <${typeParams.from}>`);
  if (type !== undefined && isToldOf(type)) may.push(`has the type ${type.to} instead of ${type.from}`);
  const access = accessPart(change);
  if (access !== undefined) breaking.push(access);
  const isSaid = (name: string): boolean =>
    SAID_BY_PATHS.has(name) || READ.has(name) || (signature !== undefined && SAID_OF_SIGNATURES.has(name));
  for (const name of modifiers?.added ?? [])
    if (!isSaid(name)) (FORBIDDING.has(name) ? breaking : may).push(`is ${name} now`);
  for (const name of modifiers?.removed ?? [])
    if (!isSaid(name) && !VISIBILITIES.includes(name))
      (name === 'optional' ? breaking : may).push(`is not ${name} any more`);
  return { breaking, may };
}

/** A type that was not written before, or is not any more, is none that users lean on. */
const isToldOf = ({ from, to }: { readonly from: string; readonly to: string }): boolean => from !== '' && to !== '';

const namesOf = (params: readonly ParameterNote[]): string => params.map(({ name }) => name).join(', ');

const isNarrower = ({ from, to }: { readonly from: string; readonly to: string }): boolean =>
  VISIBILITIES.indexOf(to) < VISIBILITIES.indexOf(from);

function breakingParts(delta: SignatureDelta, language: Language): string[] {
  const required = delta.added.filter(({ optional, rest }) => !optional && !rest);
  const renamed = language.writing.keywordArgument === undefined ? [] : delta.renamed;
  return [
    ...(required.length > 0 ? [`needs ${namesOf(required)}`] : []),
    ...(delta.removed.length > 0 ? [`takes no ${namesOf(delta.removed)} any more`] : []),
    ...renamed.map(({ from, to }) => `calls its parameter ${from} ${to} now`),
    ...(delta.moved.length > 0 ? [`takes ${delta.moved.map(({ name }) => name).join(', ')} at another place`] : []),
    ...(delta.madeRequired.length > 0 ? [`needs ${delta.madeRequired.join(', ')} now`] : []),
    ...delta.passing.map(({ name, to }) => `takes ${name} as ${to} now`),
    ...(delta.async === undefined ? [] : [delta.async ? 'has to be awaited' : 'is not awaited any more']),
    ...(delta.static === undefined ? [] : [delta.static ? 'is static now' : 'is not static any more']),
    ...(delta.extension === false ? ['is no extension method any more'] : []),
    ...(delta.abstract === true ? ['has to be implemented'] : []),
    ...(delta.visibility !== undefined && isNarrower(delta.visibility) ? [`is ${delta.visibility.to} now`] : []),
    ...(delta.throws !== undefined && delta.throws.added.length > 0 ? [`throws ${delta.throws.added.join(', ')}`] : []),
  ];
}

function otherParts(delta: SignatureDelta): string[] {
  const optional = delta.added.filter(({ optional: can, rest }) => can || rest);
  const fewer = delta.throws?.removed ?? [];
  return [
    ...(optional.length > 0 ? [`can take ${namesOf(optional)}`] : []),
    ...delta.retyped.filter(isToldOf).map(({ name, from, to }) => `takes ${name} as ${to} instead of ${from}`),
    ...delta.defaultChanged.map(({ name, from, to }) => `takes ${to} for ${name} where it took ${from}`),
    ...(delta.returnType === undefined || !isToldOf(delta.returnType)
      ? []
      : [`gives ${delta.returnType.to} instead of ${delta.returnType.from}`]),
    ...(delta.visibility === undefined || isNarrower(delta.visibility) ? [] : [`is ${delta.visibility.to} now`]),
    ...(fewer.length > 0 ? [`throws no ${fewer.join(', ')} any more`] : []),
  ];
}
