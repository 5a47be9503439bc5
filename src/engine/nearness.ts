/**
 * How close an affected block stands to what changed: who is likeliest to have to follow is asked
 * first, so that what is learnt from the answers spares the others.
 */
import { hasAtHand } from '../impact/at-hand.js';
import type { AffectedBlock, AffectedSite } from '../impact/affected.js';
import { type Summary } from '../syntax/summary.js';

/**
 * A block that has something of the name of a changed parameter, or has the name of what changed itself, comes before
 * any that only stands near.
 */
const SAYS_IT = 1;

/** From 0 to 2; the nearest of its sites counts. */
export function nearnessOf(block: AffectedBlock, summary: Summary): number {
  return Math.max(
    0,
    ...block.sites.map(
      (site) =>
        alongPath(block.file, site.cause.file) +
        (isNamesake(block, summary, site) ||
        namesIn(site).some((name) => hasAtHand(block.file, summary, block.decl, name))
          ? SAYS_IT
          : 0),
    ),
  );
}

/** Share of the folders that two paths have in common; 1 for one file. */
function alongPath(a: string, b: string): number {
  if (a === b) return 1;
  const [left, right] = [a.split('/'), b.split('/')];
  let common = 0;
  while (common < left.length - 1 && left[common] === right[common]) common++;
  return common / Math.max(left.length, right.length);
}

/** An overload of what changed, or a member that hands its call on: the two go together. */
function isNamesake({ decl }: AffectedBlock, summary: Summary, { cause: { block } }: AffectedSite): boolean {
  return decl >= 0 && shortName(summary.decls.pathOf(decl)) === shortName(block.replace(/#\d+$/, ''));
}

const shortName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Names of the parameters that the cause added, took away or changed, and of its type parameters. */
function namesIn({
  cause: {
    detail: { signature, typeParams },
  },
}: AffectedSite): readonly string[] {
  // Written as `Name bound`.
  const types = typeParams?.to.split(', ').flatMap((param) => param.split(' ', 1)) ?? [];
  if (signature === undefined) return types;
  return [
    ...types,
    ...signature.added.map(({ name }) => name),
    ...signature.removed.map(({ name }) => name),
    ...signature.renamed.flatMap(({ from, to }) => [from, to]),
    ...signature.retyped.map(({ name }) => name),
  ];
}
