/**
 * Calls that still fit and could give a new optional parameter.
 *
 * Where they are few each may want to give it, and is named. Where they are many the parameter was made optional so
 * that they can stay: then only those are named that have something of its name at hand, or that hand on what they
 * are given: what their own callers can say, they pass. A test, which nobody calls, does as people do who know
 * nothing of the parameter, and goes on to show that they may: of tests only those that hand on are named. So is a
 * type that got its first type parameter and may be named without, in Java; elsewhere than in tests each such name is
 * listed. So is what uses a thing of which only a type is written otherwise: where uses are few, they may be meant to
 * be written so as well. What tests call, such as what sets up their objects, is a caller like any other. The others
 * are counted.
 */
import { E } from '../syntax/summary.js';
import { sitesOf } from '../graph/refer/references.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { counted } from '../base/counted.js';
import { piece, type Turns } from '../base/turns.js';
import { isTestFile } from '../languages/test-file.js';
import { hasAtHand } from './at-hand.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';

/**
 * How many blocks are few. Of 80 blocks with such a call in the mined commits of docs/evaluation.md 50 followed, and no
 * smaller number parts those that did from the others.
 */
const FEW_BLOCKS = 24;

/** Calls that could give one new parameter, or names of types one new type parameter, and that nothing speaks for. */
export interface IdleOffer {
  readonly parameter: string;
  /** What has the parameter. */
  readonly block: string;
  readonly uses: number;
  readonly files: number;
  /** The parameter is a type parameter that these uses leave to be inferred, which goes another way now. */
  readonly infers?: true | undefined;
  /** The parameter is not new, and has another type now, which takes what they give. */
  readonly widens?: true | undefined;
  /** No parameter is new: a type is written otherwise, and what runs is what it was. */
  readonly retold?: true | undefined;
}

/** The same as a clause of a sentence. */
export function idleOfferWords({ parameter, block, uses, files, infers, widens, retold }: IdleOffer): string {
  const where = counted(files, 'file');
  if (infers === true)
    return `${counted(uses, 'use')} of ${block} in ${where}, for which ${parameter} is inferred in another way now`;
  if (retold === true) {
    const same = uses === 1 ? 'does what it did' : 'do what they did';
    return `${counted(uses, 'use')} of ${block} in ${where} ${same}: only a type is written otherwise`;
  }
  const fit = uses === 1 ? 'fits as it is' : 'fit as they are';
  const why = widens === true ? `the type of ${parameter} takes what they give` : `without ${parameter}, which is new`;
  return `${counted(uses, 'use')} of ${block} in ${where} ${fit}${widens === true ? ': ' : ', '}${why}`;
}

/** One new parameter of one declaration. */
const keyOf = ({ cause, offers = '' }: AffectedSite): string => `${cause.file}\0${cause.block}\0${offers}`;

/** Takes out offers that nobody waits for: to tests, and to callers that have no value at hand. */
export function* withoutIdleOffers(
  after: Resolver,
  found: readonly AffectedBlock[],
): Turns<{ readonly affected: readonly AffectedBlock[]; readonly idle: readonly IdleOffer[] }> {
  const blocks = new Map<string, number>();
  for (const { sites } of found)
    for (const key of new Set(sites.flatMap((site) => (site.offers === undefined ? [] : [keyOf(site)]))))
      blocks.set(key, (blocks.get(key) ?? 0) + 1);
  if (blocks.size === 0) return { affected: found, idle: [] };
  const idle = new Map<string, Omit<IdleOffer, 'files'> & { files: Set<string> }>();
  const isIdle = ({ file, decl }: AffectedBlock, site: AffectedSite): boolean => {
    const { offers: param, cause } = site;
    if (param === undefined || (site.retold !== true && handsOn(after, file, decl, site))) return false;
    const isUnasked = isTestFile(file) && !isTestFile(cause.file) && !isUsedElsewhere(after, file, decl);
    const areFew = (blocks.get(keyOf(site)) ?? 0) <= FEW_BLOCKS;
    const isAtHand = site.retold !== true && hasAtHand(file, after.summary(file), decl, param);
    return isUnasked || !(site.tier === 'breaks' || areFew || isAtHand);
  };
  const kept = new AffectedBlocks();
  for (const block of found) {
    const { file, decl, sites } = block;
    const left = new Set(yield* piece(() => sites.filter((site) => isIdle(block, site))));
    yield;
    kept.add(file, decl, ...sites.filter((site) => !left.has(site)));
    for (const site of left) {
      const { cause, offers: parameter = '', infers, widens, retold } = site;
      const key = keyOf(site);
      const known = idle.get(key) ?? {
        parameter,
        block: cause.block,
        uses: 0,
        files: new Set(),
        infers,
        widens,
        retold,
      };
      idle.set(key, { ...known, uses: known.uses + 1, files: known.files.add(file) });
    }
  }
  return {
    affected: idle.size === 0 ? found : kept.found(),
    idle: [...idle.values()].map(({ infers, widens, retold, ...offer }) => ({
      ...offer,
      files: offer.files.size,
      ...(infers === true ? { infers } : {}),
      ...(widens === true ? { widens } : {}),
      ...(retold === true ? { retold } : {}),
    })),
  };
}

/** Whether something beside the block is sure to refer to it: a test is found by what runs it. */
const isUsedElsewhere = (after: Resolver, file: string, decl: number): boolean =>
  decl >= 0 &&
  sitesOf(after, { file, decl }).some(
    (site) =>
      site.confidence === 'certain' &&
      site.kind !== 'override' &&
      site.kind !== 'import' &&
      (site.file !== file || site.block !== decl),
  );

/** How many parameters, at the least, a caller that hands its own on passes. */
const HANDED_LEAST = 3;

/**
 * Whether a call hands on, under the same names, most of what the changed function takes: what wraps it has to offer
 * what it offers, and what copies an object by its members (`A(name=self.name, size=self.size)`) has to copy that too.
 */
function handsOn(after: Resolver, file: string, decl: number, { expr, cause }: AffectedSite): boolean {
  if (decl < 0 || expr < 0 || cause.after === undefined) return false;
  const { decls, exprs } = after.summary(file);
  const call = exprs.callOf(expr);
  if (call < 0) return false;
  const of = after.summary(cause.after.file).decls;
  const taken = of.paramsOf(cause.after.decl);
  const own = new Set([...decls.paramsOf(decl)].map((param) => decls.nameOf(param)));
  const asked = new Set([...taken].map((param) => of.nameOf(param)));
  const handed = exprs.argumentsOf(call).filter(({ expr: value }) => {
    const op = value < 0 ? -1 : exprs.opOf(value);
    return (op === E.name && own.has(exprs.nameOf(value))) || (op === E.member && asked.has(exprs.nameOf(value)));
  });
  return handed.length >= HANDED_LEAST && handed.length * 2 > taken.length;
}
