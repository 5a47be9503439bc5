/**
 * What changed in an API: the atomic changes between its two trees, as far as somebody outside can name what changed,
 * and whether code that used it still fits.
 */
import type { Edit } from '../change/edit.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { ParameterNote, SignatureDelta } from '../change/signature-delta.js';
import type { PublicName } from './public-names.js';

export interface ApiChange {
  readonly change: AtomicChange;
  readonly name: string;
  readonly newName: string | undefined;
  readonly tier: 'breaks' | 'may';
  /** One sentence. */
  readonly reason: string;
}

export interface ApiSide {
  readonly names: readonly PublicName[];
}

/** In the order of the edit's changes. Additions alone are left out: nobody used them. */
export function apiChanges(edit: Edit, before: ApiSide, after: ApiSide): ApiChange[] {
  const [old, now] = [byPlace(before.names), byPlace(after.names)];
  return edit.changes.flatMap((change): ApiChange[] => {
    const was = change.before;
    const name = was === undefined ? undefined : old.get(`${was.file}\0${was.decl}`);
    if (name === undefined) return [];
    const newName = change.after === undefined ? undefined : now.get(`${change.after.file}\0${change.after.decl}`);
    const said = verdict(change, name, newName);
    return said === undefined
      ? []
      : [{ change, name, newName: newName === name ? undefined : newName, tier: said.tier, reason: said.reason }];
  });
}

const byPlace = (names: readonly PublicName[]): ReadonlyMap<string, string> =>
  new Map(names.map(({ file, decl, path }) => [`${file}\0${decl}`, path]));

interface Verdict {
  readonly tier: 'breaks' | 'may';
  readonly reason: string;
}

/** Undefined where users see no difference. */
function verdict(change: AtomicChange, name: string, newName: string | undefined): Verdict | undefined {
  const what = `${change.kind} ${name}`;
  if (change.after === undefined) return { tier: 'breaks', reason: `${what} is gone.` };
  if (newName === undefined) return { tier: 'breaks', reason: `${what} is not public any more.` };
  if (newName !== name) return { tier: 'breaks', reason: `${what} is ${newName} now.` };
  const { detail } = change;
  const breaking: string[] = [];
  const may: string[] = [];
  if (detail.signature !== undefined) {
    breaking.push(...breakingParts(detail.signature));
    may.push(...otherParts(detail.signature));
  }
  if (detail.bases !== undefined && detail.bases.removed.length > 0)
    breaking.push(`is no ${detail.bases.removed.join(' and no ')} any more`);
  if (detail.bases !== undefined && detail.bases.added.length > 0)
    may.push(`is a ${detail.bases.added.join(' and a ')} now`);
  if (detail.typeParams !== undefined)
    breaking.push(`has the type parameters <${detail.typeParams.to}> instead of <${detail.typeParams.from}>`);
  if (detail.type !== undefined)
    may.push(
      `has the type ${detail.type.to || 'that its value has'} instead of ${detail.type.from || 'that of its value'}`,
    );
  if (detail.modifiers !== undefined) {
    if (detail.modifiers.added.length > 0) may.push(`is ${detail.modifiers.added.join(' ')} now`);
    if (detail.modifiers.removed.length > 0) may.push(`is not ${detail.modifiers.removed.join(' ')} any more`);
  }
  const parts = [...breaking, ...may];
  if (parts.length === 0) return undefined;
  return { tier: breaking.length > 0 ? 'breaks' : 'may', reason: `${what} ${parts.join('; ')}.` };
}

const namesOf = (params: readonly ParameterNote[]): string => params.map(({ name }) => name).join(', ');

function breakingParts(delta: SignatureDelta): string[] {
  const required = delta.added.filter(({ optional, rest }) => !optional && !rest);
  return [
    ...(required.length > 0 ? [`needs ${namesOf(required)}`] : []),
    ...(delta.removed.length > 0 ? [`takes no ${namesOf(delta.removed)} any more`] : []),
    ...delta.renamed.map(({ from, to }) => `calls its parameter ${from} ${to} now`),
    ...(delta.moved.length > 0 ? [`takes ${delta.moved.map(({ name }) => name).join(', ')} at another place`] : []),
    ...(delta.madeRequired.length > 0 ? [`needs ${delta.madeRequired.join(', ')} now`] : []),
    ...delta.passing.map(({ name, to }) => `takes ${name} as ${to} now`),
    ...(delta.async === undefined ? [] : [delta.async ? 'has to be awaited' : 'is not awaited any more']),
    ...(delta.static === undefined ? [] : [delta.static ? 'is static now' : 'is not static any more']),
    ...(delta.abstract === true ? ['has to be implemented'] : []),
    ...(delta.visibility === undefined ? [] : [`is ${delta.visibility.to} now`]),
    ...(delta.throws !== undefined && delta.throws.added.length > 0 ? [`throws ${delta.throws.added.join(', ')}`] : []),
  ];
}

function otherParts(delta: SignatureDelta): string[] {
  const optional = delta.added.filter(({ optional: can, rest }) => can || rest);
  return [
    ...(optional.length > 0 ? [`can take ${namesOf(optional)}`] : []),
    ...delta.retyped.map(
      ({ name, from, to }) => `takes ${name} as ${to || 'anything'} instead of ${from || 'anything'}`,
    ),
    ...delta.defaultChanged.map(({ name, from, to }) => `takes ${to} for ${name} where it took ${from}`),
    ...(delta.returnType === undefined
      ? []
      : [`gives ${delta.returnType.to || 'what it will'} instead of ${delta.returnType.from || 'what it would'}`]),
  ];
}
