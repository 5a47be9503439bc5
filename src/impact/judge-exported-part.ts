/**
 * Judges a function with several signatures of which one is exported and another is not, since the edit.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { partsOfFunction } from '../graph/resolve/hierarchy.js';
import { callOf } from '../graph/resolve/names.js';
import { mayTake } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { F } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { signaturesOf } from './judge-call.js';
import { breaks, type JudgedSite, type Verdict } from './verdict.js';

/** Whether one signature of a function with several came to be exported, or is not any more. */
export const isExportOfPart = ({ after: now, detail: { modifiers } }: AtomicChange, { after }: Graphs): boolean =>
  now !== undefined &&
  (modifiers?.added.includes('exported') === true || modifiers?.removed.includes('exported') === true) &&
  partsOfFunction(after, now).length > 0;

const isExported = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  resolver.summary(file).decls.has(decl, F.exported);

/** Another signature of the function, or the body behind it. */
export const exportedAlike = ({ after: now }: AtomicChange, { file, block }: JudgedSite, { after }: Graphs): Verdict =>
  now === undefined || isExported(after, now) === isExported(after, { file, decl: block })
    ? 'fine'
    : breaks('all of its signatures are exported, or none', 'not exported alike');

/** A call in another file: fine where one of the exported signatures takes what it gives. */
export function calledOutside({ after: now }: AtomicChange, { file, expr }: JudgedSite, { after }: Graphs): Verdict {
  const call = now === undefined || expr < 0 || file === now.file ? -1 : callOf(after.summary(file), expr);
  if (now === undefined || call < 0) return 'fine';
  const exported = signaturesOf(after, now).filter((each) => isExported(after, each));
  return exported.some((each) => mayTake(after, each, { file, expr: call }))
    ? 'fine'
    : breaks('the signature that takes what it gives is not exported any more', 'signature not exported');
}
