/**
 * What an edit affects: all that its relations lead to, and what cannot be decided.
 */
import { isOutside } from '../base/outside.js';
import { piece, type Turns } from '../base/turns.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite, type Undecided } from './affected.js';
import { isReachedThroughClass } from './deleted-classes.js';
import { foundOn, merged } from './finders.js';
import { affectedByRules } from './rule-table.js';
import { withoutIdleOffers } from './offers.js';
import { pathStrings } from './path-strings.js';
import type { Question } from './question.js';
import { undecided } from './undecided.js';
import { undescribedPaths } from './undescribed-paths.js';
import type { Unlisted } from './unlisted.js';
import { unsearched } from './unsearched.js';

export interface Impact {
  /** Sorted by file and position. */
  readonly affected: readonly AffectedBlock[];
  readonly undecided: readonly Undecided[];
  readonly unlisted: Unlisted;
}

/** The first level: what the edit itself affects. */
export function* impactOf(question: Question): Turns<Impact> {
  const { graphs, edit } = question;
  const all = merged(yield* foundOn('edit', question));
  const { affected: found, idle } = yield* withoutIdleOffers(graphs.after, all);
  const left = yield* piece(() => unsearched(graphs, edit.changes));
  const direct = edit.changes.filter((change) => !isReachedThroughClass(graphs.before, change, edit.changes));
  const hidden = yield* undecided(graphs, direct);
  const strings = yield* piece(() => pathStrings(graphs, edit.changes));
  const paths = yield* undescribedPaths(graphs);
  const { affected, unsure } = apart(found);
  const listed = new Set(affected.flatMap(({ file, sites }) => sites.map(({ expr }) => `${file}\0${expr}`)));
  const said = [...hidden, ...strings.filter(({ file, expr }) => !hidden.some(isAt(file, expr)))].filter(
    ({ file, expr }) => !listed.has(`${file}\0${expr}`),
  );
  const known = new Set(said.map(({ file, expr }) => `${file}\0${expr}`));
  return {
    affected,
    unlisted: { ...(left === undefined ? {} : { unsearched: left }), ...(idle.length === 0 ? {} : { offers: idle }) },
    undecided: [...said, ...paths, ...unsure.filter(({ file, expr }) => !known.has(`${file}\0${expr}`))],
  };
}

const isAt =
  (file: string, expr: number) =>
  (other: Undecided): boolean =>
    other.file === file && other.expr === expr;

/**
 * What of the first level says a changed name in the question's files: there at once however much the edit affects
 * elsewhere, and no more than the whole answer has. Offers are left out: which of them are idle hangs on how many there
 * are everywhere.
 */
export function* impactInFiles(question: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const { file, decl, sites } of merged(yield* affectedByRules(question)))
    out.add(file, decl, ...sites.filter((site) => site.offers === undefined && !isOutside(site.cause.file)));
  return out.sorted().filter(({ file }) => !isOutside(file));
}

/**
 * Takes out the sites of which it is unknown whether the edit asks anything of them: they may fit, and it is not sure
 * that they mean what changed. Of what has another type, any read of a common name on a value of unknown type is such a
 * site; of what changed in a library, any use, and those that do something else now.
 */
function apart(found: readonly AffectedBlock[]): { affected: readonly AffectedBlock[]; unsure: Undecided[] } {
  const isUnsure = ({ expr, tier, confidence, cause, behaves, relation }: AffectedSite): boolean => {
    if (tier !== 'may' || expr < 0) return false;
    if (isOutside(cause.file)) return confidence === 'possible' || behaves === true;
    return (
      confidence === 'possible' && relation === 'UsedBy' && cause.label === 'MF' && cause.detail.type !== undefined
    );
  };
  if (!found.some(({ sites }) => sites.some(isUnsure))) return { affected: found, unsure: [] };
  const affected = new AffectedBlocks();
  const unsure: Undecided[] = [];
  for (const { file, decl, sites } of found) {
    const kept = sites.filter((site) => !isUnsure(site));
    if (kept.length > 0) affected.add(file, decl, ...kept);
    for (const { expr, reason } of sites.filter(isUnsure)) unsure.push({ file, expr, reason });
  }
  return { affected: affected.sorted(), unsure };
}
