/**
 * What is affected in the order in which a reader needs it, and the sums that stand in for what is left out: by change,
 * by what is wrong, by file. Every form of a review begins from these.
 */
import type { Affected, ImpactReport } from '#protocol/impact.js';

/** A count of blocks by tier. */
export interface Tally {
  readonly name: string;
  breaks: number;
  may: number;
}

export interface Sums {
  readonly all: Tally;
  readonly possible: number;
  readonly files: readonly Tally[];
  readonly changes: readonly Tally[];
  readonly facts: readonly Tally[];
}

/** What breaks before what may, what is certain before what is possible; by place within. */
export function ranked(affected: readonly Affected[]): Affected[] {
  const rank = ({ tier, confidence }: Affected): number =>
    (tier === 'breaks' ? 0 : 2) + (confidence === 'certain' ? 0 : 1);
  return [...affected].sort(
    (a, b) => rank(a) - rank(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : lineOf(a) - lineOf(b)),
  );
}

/** Where to look: the first place that does not fit. */
export const lineOf = ({ sites: [first], startLine }: Affected): number => first?.startLine ?? startLine;

export function sumsOf({ affected }: Pick<ImpactReport, 'affected'>): Sums {
  const all: Tally = { name: '', breaks: 0, may: 0 };
  for (const { tier } of affected) all[tier]++;
  return {
    all,
    possible: affected.filter(({ confidence }) => confidence === 'possible').length,
    files: tallied(affected, ({ file }) => file),
    changes: tallied(affected, ({ cause }) => `${cause.file}: ${cause.block}`),
    facts: tallied(affected, ({ fact }) => fact),
  };
}

/** The most breaking first. */
function tallied(affected: readonly Affected[], nameOf: (block: Affected) => string): Tally[] {
  const tallies = new Map<string, Tally>();
  for (const block of affected) {
    const name = nameOf(block);
    let tally = tallies.get(name);
    if (tally === undefined) tallies.set(name, (tally = { name, breaks: 0, may: 0 }));
    tally[block.tier]++;
  }
  return [...tallies.values()].sort(
    (a, b) => b.breaks - a.breaks || b.may - a.may || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
}

/** `2 break, 3 may have to follow`. */
export function tallyWords({ breaks, may }: Tally): string {
  const parts = [
    ...(breaks > 0 ? [`${breaks} ${breaks === 1 ? 'breaks' : 'break'}`] : []),
    ...(may > 0 ? [`${may} may have to follow`] : []),
  ];
  return parts.join(', ');
}
