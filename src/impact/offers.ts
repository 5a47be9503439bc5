/**
 * Calls that still fit and could give a new optional parameter.
 *
 * Where they are few each may want to give it, and is named. Where they are many the parameter was
 * made optional so that they can stay: then only those are named that have something of its name
 * at hand.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import { hasAtHand } from './at-hand.js';
import type { AffectedSite } from './impact.js';

/** How many blocks one new parameter may name. */
const BLOCKS_MOST = 24;

interface Found {
  readonly file: string;
  readonly decl: number;
  readonly sites: AffectedSite[];
}

/** Drops offers to callers without a value, of parameters that are offered to many. `offered`: the parameter by site. */
export function withoutIdleOffers(
  after: Resolver,
  found: readonly Found[],
  offered: ReadonlyMap<AffectedSite, string>,
): readonly Found[] {
  const blocks = new Map<string, number>();
  const keyOf = (site: AffectedSite): string => `${site.cause.file}\0${site.cause.block}\0${offered.get(site) ?? ''}`;
  for (const { sites } of found)
    for (const key of new Set(sites.filter((site) => offered.has(site)).map(keyOf)))
      blocks.set(key, (blocks.get(key) ?? 0) + 1);
  return found
    .map((block) => ({
      ...block,
      sites: block.sites.filter((site) => {
        const param = offered.get(site);
        return (
          param === undefined ||
          (blocks.get(keyOf(site)) ?? 0) <= BLOCKS_MOST ||
          hasAtHand(block.file, after.summary(block.file), block.decl, param)
        );
      }),
    }))
    .filter(({ sites }) => sites.length > 0);
}
