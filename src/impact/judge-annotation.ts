/**
 * Judges uses of an annotation, one of whose elements must be given now, or is not the one any more that a bare value
 * means; and those that stand more than once where that is not allowed any more.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { contradicts } from '../graph/resolve/overloads.js';
import { D, E, R } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** The element that a value without a key is for. */
const BARE = 'value';

/** The site names the annotation; where it decorates nothing it is fine. */
export function lacksElement(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { exprs } = after.summary(site.file);
  if (change.after === undefined || site.expr < 0 || exprs.roleOf(site.expr) !== R.decorator) return 'fine';
  const call = exprs.callOf(site.expr);
  const args = call < 0 ? [] : exprs.argumentsOf(call);
  const hasBare = args.some(({ keyword }) => keyword === '');
  if (change.detail.rename?.from === BARE && hasBare)
    return breaks(`a value without a name is for ${BARE}, which is named ${change.detail.rename.to} now`);
  const { decls } = after.summary(change.after.file);
  const name = decls.nameOf(change.after.decl);
  if (args.some(({ keyword }) => keyword === name) || (name === BARE && hasBare)) return 'fine';
  // An element that keeps its name under another spelling at the site is the renaming rule's.
  return change.detail.rename !== undefined ? 'fine' : breaks(`it gives no ${name}`, `missing element: ${name}`);
}

/** Whether the element that a bare value is for is of another type now. */
export function isBareRetyped({ after: ref, detail: { signature } }: AtomicChange, { after }: Graphs): boolean {
  if (ref === undefined || ref.decl < 0 || signature?.returnType === undefined) return false;
  const { decls } = after.summary(ref.file);
  const owner = decls.parentOf(ref.decl);
  return owner >= 0 && decls.kindOf(owner) === D.annotation && decls.nameOf(ref.decl) === BARE;
}

/** The site names the annotation: fine where it gives no bare value. */
export function givesBare({ after: ref }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { exprs } = after.summary(site.file);
  if (ref === undefined || site.expr < 0 || exprs.roleOf(site.expr) !== R.decorator) return 'fine';
  const call = exprs.callOf(site.expr);
  const bare = (call < 0 ? [] : exprs.argumentsOf(call)).find(({ keyword }) => keyword === '');
  if (bare === undefined) return 'fine';
  const of = after.summary(ref.file);
  // One value may be given where an array of such is asked for.
  const isArray = of.exprs.opOf(of.decls.typeOf(ref.decl)) === E.array;
  return !isArray && contradicts(after, { file: ref.file, param: ref.decl }, { file: site.file, argument: bare.expr })
    ? breaks('it gives a value of another type', 'value of another type')
    : may('it gives a value for it without its name');
}

/** Whether an annotation may stand only once on what it annotates now. */
export const isRepeatableGone = ({ detail: { modifiers } }: AtomicChange): boolean =>
  modifiers?.removed.includes(REPEATABLE) === true && !modifiers.added.includes(REPEATABLE);

const REPEATABLE = '@Repeatable';

/** The site is one of several that annotate one declaration. */
export function repeats(_change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { decls, exprs } = after.summary(site.file);
  if (site.expr < 0 || exprs.roleOf(site.expr) !== R.decorator) return 'fine';
  const named = (row: number): number => exprs.nameIdOf(exprs.calleeOf(row) >= 0 ? exprs.calleeOf(row) : row);
  const call = exprs.callOf(site.expr);
  const isRepeated = exprs
    .holdersOf(call < 0 ? site.expr : call)
    .some((decl) => [...decls.decoratorsOf(decl)].filter((row) => named(row) === named(site.expr)).length > 1);
  return isRepeated ? breaks('it stands there more than once', 'annotated more than once') : 'fine';
}
