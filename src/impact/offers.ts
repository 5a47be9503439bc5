/**
 * Calls that still fit and could give a new optional parameter.
 *
 * Where they are few each may want to give it, and is named. Where they are many the parameter was
 * made optional so that they can stay: then only those are named that have something of its name
 * at hand, or that hand on what they are given: what their own callers can say, they pass. A test calls
 * as people do who know nothing of the parameter, and goes on to show that they may: of tests only
 * those that hand on are named.
 */
import { E } from '../syntax/summary.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isTestFile } from '../languages/test-file.js';
import { hasAtHand } from './at-hand.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';

/** How many blocks one new parameter may name. */
const BLOCKS_MOST = 24;

/**
 * Drops offers that nobody waits for: to tests, and to callers without a value where many could give one. `offered`:
 * the parameter by site.
 */
export function withoutIdleOffers(
  after: Resolver,
  found: readonly AffectedBlock[],
  offered: ReadonlyMap<AffectedSite, string>,
): readonly AffectedBlock[] {
  if (offered.size === 0) return found;
  const blocks = new Map<string, number>();
  const keyOf = (site: AffectedSite): string => `${site.cause.file}\0${site.cause.block}\0${offered.get(site) ?? ''}`;
  for (const { sites } of found)
    for (const key of new Set(sites.filter((site) => offered.has(site)).map(keyOf)))
      blocks.set(key, (blocks.get(key) ?? 0) + 1);
  const isIdle = ({ file, decl }: AffectedBlock, site: AffectedSite): boolean => {
    const param = offered.get(site);
    if (param === undefined || handsOn(after, file, decl, site)) return false;
    if (isTestFile(file) && !isTestFile(site.cause.file)) return true;
    return (blocks.get(keyOf(site)) ?? 0) > BLOCKS_MOST && !hasAtHand(file, after.summary(file), decl, param);
  };
  const out = new AffectedBlocks();
  for (const block of found) out.add(block.file, block.decl, ...block.sites.filter((site) => !isIdle(block, site)));
  return out.found();
}

/** How many parameters, at the least, a caller that hands its own on passes. */
const HANDED_LEAST = 3;

/**
 * Whether a call hands on, under the same names, most of what the changed function takes: what wraps it has to offer
 * what it offers.
 */
function handsOn(after: Resolver, file: string, decl: number, { expr, cause }: AffectedSite): boolean {
  if (decl < 0 || expr < 0 || cause.after === undefined) return false;
  const { decls, exprs } = after.summary(file);
  const call = exprs.callOf(expr);
  if (call < 0) return false;
  const own = new Set([...decls.paramsOf(decl)].map((param) => decls.nameOf(param)));
  const handed = exprs
    .argumentsOf(call)
    .filter(({ expr: value }) => value >= 0 && exprs.opOf(value) === E.name && own.has(exprs.nameOf(value)));
  const taken = after.summary(cause.after.file).decls.paramsOf(cause.after.decl);
  return handed.length >= HANDED_LEAST && handed.length * 2 > taken.length;
}
