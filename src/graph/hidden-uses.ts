/**
 * Places that may refer to a declaration without any row that resolution could follow: strings
 * that spell its name, and code that reaches names at run time (`getattr`, reflection, `eval`).
 */
import type { DeclRef } from '../languages/language.js';
import { E, nameId, nameOf, R } from '../syntax/summary.js';
import { classOfMember } from './hierarchy.js';
import { sitesOf } from './references.js';
import type { Resolver } from './resolver.js';

export interface HiddenUse {
  readonly file: string;
  readonly expr: number;
  readonly reason: string;
}

/** Shorter names are in too many strings that mean something else. */
const SPELLED_LEAST = 3;

/** Strings anywhere that spell the name; those in lists of exported names are resolved, and left out. */
export function stringsSpelling(resolver: Resolver, name: string): { readonly file: string; readonly expr: number }[] {
  if (name.length < SPELLED_LEAST) return [];
  return resolver.repo.filesMentioning(name).flatMap((file) => resolver.answer<readonly { file: string; expr: number }[]>('q', file, name, [], () => {
    const summary = resolver.summary(file);
    const row = nameId(summary, name);
    const rows = row < 0 ? [] : [...summary.refs.subarray(summary.refStart[row], summary.refStart[row + 1])];
    return rows.filter((expr) => summary.exprs.op[expr] === E.string && summary.exprs.role[expr] !== R.doc && !summary.exports.some((entry) => entry.expr === expr)).map((expr) => ({ file, expr }));
  }));
}

/**
 * Strings that spell the declaration's name, and dynamic code in files that know the declaration
 * or the class that holds it: only there would an object of it be at hand.
 */
export function hiddenUses(resolver: Resolver, target: DeclRef): HiddenUse[] {
  const summary = resolver.summary(target.file);
  const name = nameOf(summary, target.decl);
  const owner = classOfMember(summary, target.decl);
  const knowing = new Set([target.file]);
  for (const ref of owner === undefined ? [target] : [target, { file: target.file, decl: owner }]) for (const site of sitesOf(resolver, ref)) knowing.add(site.file);
  const strings = stringsSpelling(resolver, name).map((place) => ({ ...place, reason: `a string spells ${name}` }));
  const dynamic = [...knowing].sort().flatMap((file) => [...resolver.summary(file).dynamic].map((expr) => ({ file, expr, reason: 'names are reached at run time here, and which ones cannot be told' })));
  const spelled = new Set(strings.map((place) => `${place.file}\0${place.expr}`));
  return [...strings, ...dynamic.filter((place) => !spelled.has(`${place.file}\0${place.expr}`))];
}
