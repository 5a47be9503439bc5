/**
 * Judges patterns that take an object apart by place (`case Point(x, y)`), where the parameters that the places stand
 * for changed: components of a record, fields of a data class.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { componentsOf } from '../graph/resolve/components.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { E, isClassLike, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** The site is the type's name. A pattern without parts, and every other use, is fine. */
export function takenApart(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const delta = change.detail.signature;
  const type = change.after;
  if (delta === undefined || type === undefined || site.expr < 0) return 'fine';
  if (!isClassLike(after.summary(type.file).decls.kindOf(type.decl))) return 'fine';
  const taken = partsTaken(after.summary(site.file), site.expr);
  if (taken === 0) return 'fine';
  const parts = componentsOf(after, type).params.filter((param) => !param.keywordOnly && !param.keywordRest);
  if (after.language(site.file).patternsTakeAll ? taken !== parts.length : taken > parts.length)
    return breaks(
      `the pattern takes ${taken} ${taken === 1 ? 'part' : 'parts'}, and there ` +
        (parts.length === 1 ? 'is 1' : `are ${parts.length}`),
      `pattern of ${taken} for ${parts.length}`,
    );
  const isShifted =
    [...delta.added, ...delta.removed].some(({ index, keywordOnly }) => !keywordOnly && index < taken) ||
    delta.moved.some(({ from, to }) => Math.min(from, to) < taken);
  return isShifted ? may('the places of the pattern stand for other parts') : 'fine';
}

/** The site is the name of a class that says itself what the places of its patterns stand for. */
export function takenByPattern({ after: places }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  if (site.expr < 0 || partsTaken(after.summary(site.file), site.expr) === 0) return 'fine';
  return places === undefined
    ? breaks('nothing says what its places stand for')
    : may('its places may stand for others');
}

/** The site is the first part of a value that is taken apart by a member which gives each part by a parameter. */
export function partsGiven({ after: is }: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { exprs } = after.summary(site.file);
  const whole = exprs.operandOf(site.expr);
  const parts = exprs.wholesOf(whole).filter((part) => exprs.opOf(part) === E.nth);
  const taken = parts.reduce((most, part) => Math.max(most, exprs.numberOf(part) + 1), 0);
  const given = is === undefined ? 0 : signatureOf(after.summary(is.file), is.decl).params.length;
  return given > 0 && given !== taken
    ? breaks(
        `it takes the object apart into ${taken}, and ${given} are given`,
        `taken apart into ${taken} for ${given}`,
      )
    : may('takes the object apart by it');
}

/** How many parts are taken of a value by the pattern whose type the row names; 0 for a row that is no such thing. */
function partsTaken({ exprs }: Summary, row: number): number {
  const wholes = [row, ...exprs.wholesOf(row).filter((whole) => exprs.opOf(whole) === E.cast)];
  const parts = wholes.flatMap((whole) => exprs.wholesOf(whole).filter((part) => exprs.opOf(part) === E.nth));
  return parts.reduce((most, part) => Math.max(most, exprs.numberOf(part) + 1), 0);
}
