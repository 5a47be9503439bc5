/**
 * Classes that a call makes, `Point = namedtuple("Point", "x y")`: what the call says of fields is no definition, so a
 * change of it is one of the variable's value.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, R } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { may, type JudgedSite, type Verdict } from './verdict.js';

/** Whether a variable holds a class that a call made before the edit and makes after it, of other words. */
export function isMadeOtherwise({ before: was, after: now, detail }: AtomicChange, { before, after }: Graphs): boolean {
  return (
    detail.valueOnly === true &&
    was !== undefined &&
    now !== undefined &&
    holdsMadeClass(before, was) &&
    holdsMadeClass(after, now)
  );
}

function holdsMadeClass(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls, exprs } = resolver.summary(file);
  const value = decl >= 0 && decls.kindOf(decl) === D.variable ? decls.valueOf(decl) : -1;
  const callee = value >= 0 && exprs.opOf(value) === E.call ? exprs.calleeOf(value) : -1;
  return callee >= 0 && resolver.language(file).classMakers?.has(exprs.nameOf(callee)) === true;
}

/** Who calls the class gives what its fields were. */
export function makesOther(_change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const isCall = site.expr >= 0 && after.summary(site.file).exprs.roleOf(site.expr) === R.callee;
  return isCall ? may('the class is made with other fields now') : 'fine';
}
