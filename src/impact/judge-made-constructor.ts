/**
 * Judges object creations of an annotated class that writes no constructor: where they pass values, a generator made
 * one of the fields (Lombok and its like), and what it takes follows them.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { F, isClassLike, isFieldLike } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { may, type JudgedSite, type Verdict } from './verdict.js';

/** Whether the change is of a field that a made constructor may take: it came, went, or has another type. */
export function isOfMadeConstructor(change: AtomicChange, { before, after }: Graphs): boolean {
  if (change.label === 'MF' && change.detail.type === undefined) return false;
  const [resolver, ref] = change.after === undefined ? [before, change.before] : [after, change.after];
  return ref !== undefined && ref.decl >= 0 && mayBeTaken(resolver, ref);
}

function mayBeTaken(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  const owner = decls.parentOf(decl);
  return (
    resolver.language(file).madeAccessors !== undefined &&
    owner >= 0 &&
    isClassLike(decls.kindOf(owner)) &&
    isFieldLike(decls.kindOf(decl)) &&
    !decls.has(decl, F.static) &&
    decls.decoratorsOf(owner).length > 0 &&
    constructorsOf(resolver, { file, decl: owner }).length === 0
  );
}

/** The site makes an instance. Without values it is that of every class. */
export function madeWithValues(_change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { exprs } = after.summary(site.file);
  const call = site.expr < 0 ? -1 : exprs.callOf(site.expr);
  return call >= 0 && exprs.argumentsOf(call).length > 0
    ? may('a generator may have made the constructor of the fields')
    : 'fine';
}
