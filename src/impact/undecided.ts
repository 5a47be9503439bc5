/**
 * Places that may refer to what an edit took away, and that no analysis can decide.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { inTable } from '../graph/resolve/import-table.js';
import { keysSpelling, stringsInTurns } from '../graph/refer/hidden-uses.js';
import type { Undecided } from './affected.js';
import type { Graphs } from './graphs.js';
import { undecidedMadeNames } from './made-names.js';

/** Strings and keys that spell a name which is gone. */
export function* undecided({ before, after }: Graphs, changes: readonly AtomicChange[]): Turns<Undecided[]> {
  const out: Undecided[] = [];
  const seen = new Set<string>();
  for (const change of changes) {
    const name =
      change.detail.rename?.from ??
      (change.label.startsWith('D') && change.before !== undefined && change.before.decl >= 0
        ? change.block.slice(change.block.lastIndexOf('.') + 1)
        : undefined);
    if (name === undefined) continue;
    const now = change.detail.rename !== undefined ? `is named ${change.detail.rename.to} now` : 'is deleted';
    const { before: member } = change;
    const keys = member === undefined ? [] : yield* piece(() => keysSpelling(after, member, before));
    const strings = yield* stringsInTurns(after, name);
    for (const { file, expr, reason } of [
      ...strings
        // Beside its module a name is one for sure, and is listed as such; so is the key of a type that says its keys.
        .filter(({ file, expr }) => inTable(before, file, after.summary(file), expr) === undefined)
        .filter(({ file, expr }) => !namesKey({ before, after }, file, expr))
        .map((place) => ({ ...place, reason: `a string spells ${name}, which ${now}` })),
      ...keys.map((place) => ({
        ...place,
        reason: `an object that is passed to something unknown sets ${name}, which ${now}`,
      })),
    ]) {
      if (seen.has(`${file}\0${expr}`)) continue;
      seen.add(`${file}\0${expr}`);
      out.push({ file, expr, reason });
    }
  }
  return [...out, ...(yield* piece(() => undecidedMadeNames({ before, after }, changes)))];
}

/** Whether the tree before knew what the string of an unchanged file names: the name that is gone, or another one. */
const namesKey = ({ before, after }: Graphs, file: string, expr: number): boolean =>
  before.repo.summary(file) === after.repo.summary(file) && before.resolve(file, expr).targets.length > 0;
