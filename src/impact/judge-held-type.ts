/**
 * Judges fields and properties that stand for one whose type changed, or that it stands for: an implementation, an
 * override, a member of an interface below.
 *
 * What is read through the upper one is of its type, so that the type of the lower one has to lie in it. Where a
 * language tells members apart by their types, the two are the same, or one is a class below the other.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { isSurelyTaken, mayBeGiven } from '../graph/resolve/overloads.js';
import { isWithin, type PlacedType } from '../graph/resolve/type-inclusion.js';
import type { Type } from '../graph/resolve/value.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import { instanceOf, isBelow } from '../graph/resolve/written-types.js';
import { F } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** One that stands for what changed. */
export const heldBelow = (change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict =>
  heldType(change, site, graphs, true);

/** One that what changed stands for. */
export const heldAbove = (change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict =>
  heldType(change, site, graphs, false);

function heldType(change: AtomicChange, site: JudgedSite, graphs: Graphs, isBelowIt: boolean): Verdict {
  const { before: was, after: now, detail } = change;
  if (was === undefined || now === undefined || site.block < 0) return 'fine';
  const { after } = graphs;
  const other = { file: site.file, decl: site.block };
  const [upper, lower] = isBelowIt ? [now, other] : [other, now];
  const { structural, overloads } = after.language(site.file);
  if (structural && mayLack(graphs, lower) && !mayLack(graphs, upper)) return breaks('it may be missing now');
  if (detail.type === undefined) return 'fine';
  const said = may(
    `the type of ${change.block} changed from ${detail.type.from || 'none'} to ${detail.type.to || 'none'}`,
  );
  const [own, its] = [placed(graphs, now), placed(graphs, other)];
  const [summary, others] = [after.summary(own.file), after.summary(its.file)];
  if (structural) return typesFit(graphs, upper, lower, said);
  if (sameWritten(summary, own.row, others, its.row)) return 'fine';
  if (own.row < 0 || its.row < 0) return said;
  const old = graphs.before.summary(was.file);
  const isLeftBehind = sameWritten(old, old.decls.typeOf(was.decl), others, its.row);
  const isNarrower = isBelow(after, own, its) || isBelow(after, its, own);
  return overloads && isLeftBehind && !isNarrower ? breaks('it is of another type now') : said;
}

/**
 * Whether what one member holds is of the type of another, where types count by what they are made of; `said`: where
 * that cannot be told.
 */
export function typesFit(graphs: Graphs, upper: Placed, lower: Placed, said: Verdict): Verdict {
  const [whole, part] = [placed(graphs, upper), placed(graphs, lower)];
  const { after } = graphs;
  if (sameWritten(after.summary(whole.file), whole.row, after.summary(part.file), part.row)) return 'fine';
  if (isWithin(part, whole)) return 'fine';
  return ofValues(graphs, upper, lower, said);
}

const placed = ({ after }: Graphs, { file, decl }: Placed): PlacedType => ({
  resolver: after,
  file,
  row: after.summary(file).decls.typeOf(decl),
});

interface Placed {
  readonly file: string;
  readonly decl: number;
}

/** What has a value of its own need not be given one, and is there all the same. */
function mayLack({ after }: Graphs, { file, decl }: Placed): boolean {
  const { decls } = after.summary(file);
  return decls.has(decl, F.optional) && decls.valueOf(decl) < 0;
}

/** Of types of which one is not written, or not known to lie in the other: plain values are told apart all the same. */
function ofValues({ after }: Graphs, upper: Placed, lower: Placed, said: Verdict): Verdict {
  const typeOf = ({ file, decl }: Placed): Type => {
    const row = after.summary(file).decls.typeOf(decl);
    return row < 0 ? after.typeOfDecl(file, decl) : instanceOf(after, file, row);
  };
  const [wanted, given] = [typeOf(upper), typeOf(lower)];
  const arePlain = [wanted, given].every(
    ({ values, unknown }) => !unknown && values.length > 0 && values.every(({ kind }) => kind === 'external'),
  );
  if (
    after.summary(lower.file).decls.typeOf(lower.decl) < 0 &&
    isSurelyTaken(after, after.language(lower.file), wanted, given)
  )
    return 'fine';
  return arePlain && !mayBeGiven(after, after.language(lower.file), wanted, given)
    ? breaks('it is of another type now')
    : said;
}
