/**
 * Calls that still fit and could give a new optional parameter.
 *
 * Where they are few each may want to give it, and is named. Where they are many the parameter was
 * made optional so that they can stay: then only those are named that have something of its name
 * at hand.
 */
import type { Resolver } from '../graph/resolver.js';
import { nameId, type Summary } from '../syntax/summary.js';
import type { AffectedSite } from './impact.js';

/** How many blocks one new parameter may name. */
const BLOCKS_MOST = 24;

interface Found {
  readonly file: string;
  readonly decl: number;
  readonly sites: AffectedSite[];
}

/** Drops offers to callers without a value, of parameters that are offered to many. `offered`: the parameter by site. */
export function withoutIdleOffers(after: Resolver, found: readonly Found[], offered: ReadonlyMap<AffectedSite, string>): readonly Found[] {
  const blocks = new Map<string, number>();
  const keyOf = (site: AffectedSite): string => `${site.cause.file}\0${site.cause.block}\0${offered.get(site) ?? ''}`;
  for (const { sites } of found) for (const key of new Set(sites.filter((site) => offered.has(site)).map(keyOf))) blocks.set(key, (blocks.get(key) ?? 0) + 1);
  return found.map((block) => ({
    ...block,
    sites: block.sites.filter((site) => {
      const param = offered.get(site);
      return param === undefined || (blocks.get(keyOf(site)) ?? 0) <= BLOCKS_MOST || says(after.summary(block.file), block.decl, param);
    }),
  })).filter(({ sites }) => sites.length > 0);
}

/** Whether a block says the name: a parameter, a local, a member, anything. */
function says(summary: Summary, decl: number, name: string): boolean {
  const row = nameId(summary, name);
  if (row < 0) return false;
  const { decls, exprs } = summary;
  const isInside = (at: number): boolean => decl < 0 || (at >= (decls.start[decl] as number) && at < (decls.end[decl] as number));
  return [...summary.refs.subarray(summary.refStart[row], summary.refStart[row + 1])].some((expr) => isInside(exprs.start[expr] as number))
    || [...summary.declsByName.subarray(summary.declStart[row], summary.declStart[row + 1])].some((other) => isInside(decls.start[other] as number));
}
