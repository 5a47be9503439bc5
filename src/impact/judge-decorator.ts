/**
 * Judges a decorator without arguments, `@logged`: it is called with what it decorates, and in TypeScript with where
 * that is, by nobody who writes the call.
 *
 * Errs towards possible: how much a decorator of TypeScript is given depends on the compiler's settings.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { factOfCall, saidOfCall, type Misfit } from '../graph/resolve/misfit.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import type { Argument } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

const DECORATED: Argument = { expr: -1, keyword: '', spread: 'none', start: -1 };

/** `now`: what the decorator may mean after the edit. */
export function decorates(
  { before: was }: AtomicChange,
  { file, expr }: JudgedSite,
  { before, after }: Graphs,
  now: readonly DeclRef[],
): Verdict {
  const summary = after.summary(file);
  const use = summary.exprs.usesOf(expr).find(({ kind }) => kind === 'decorator');
  const kind = use?.kind === 'decorator' ? summary.decls.kindOf(use.decl) : -1;
  const counts = after.language(file).decoratorGives?.(kind) ?? [];
  const most = counts.at(-1);
  if (most === undefined || now.length === 0) return 'fine';
  const takes = (resolver: Resolver, functions: readonly DeclRef[], count: number): boolean =>
    functions.some((each) => misfitOf(resolver, each, count) === undefined);
  const taken = counts.filter((count) => takes(after, now, count));
  if (taken.length === 0) {
    const misfits = now.flatMap((each) => misfitOf(after, each, most) ?? []);
    const [first] = misfits;
    if (first === undefined) return 'fine';
    // TypeScript leaves it to its settings whether a decorator may take less than it is given.
    const isSure = after.language(file).decoratorsReplace || misfits.every((misfit) => misfit.kind === 'lacking');
    const given = most === 1 ? 'what it decorates alone' : `${most} arguments at most`;
    const words = `it is called with ${given}, and ${saidOfCall(first)}`;
    return isSure ? breaks(words, factOfCall(first)) : may(words);
  }
  const isFewer = was !== undefined && counts.some((count) => !taken.includes(count) && takes(before, [was], count));
  return isFewer ? may('whether it is given as many arguments depends on the settings of the compiler') : 'fine';
}

const misfitOf = (resolver: Resolver, { file, decl }: DeclRef, count: number): Misfit | undefined => {
  const found = fit(signatureOf(resolver.summary(file), decl), Array<Argument>(count).fill(DECORATED), false);
  return found.fits ? undefined : found.misfit;
};
