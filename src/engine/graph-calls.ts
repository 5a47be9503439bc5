/**
 * Who calls a block, or what it calls, some calls deep.
 *
 * A block that was followed before is named again and not followed again, so that recursion ends.
 */
import type { CallEntry, CallsParams, CallsReport } from '#protocol/graph.js';
import { SCHEMA_VERSION, type Problem } from '#protocol/words.js';
import { inTurns } from '../base/turns.js';
import { hiddenUses } from '../graph/refer/hidden-uses.js';
import { overriddenBy } from '../graph/resolve/hierarchy.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import { sitesIn } from '../graph/refer/sites-in.js';
import { INVERSE, RELATION_OF_EDGE } from '../graph/refer/relation.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { isClassLike } from '../syntax/summary.js';
import type { Confirmation } from './confirmation.js';
import { findBlock, withoutModule } from './block-names.js';
import { blockEntry, endEntry, hiddenEntries, Paths, spanOfSite, type GraphQuestion } from './graph-entries.js';

/** Entries of a document; what lies behind is left out, and said. */
const CALLS_MOST = 5000;

export async function callsDocument(
  { resolver, problems, signal, confirmation }: GraphQuestion,
  params: CallsParams,
): Promise<CallsReport> {
  const found = findBlock(resolver, params.block);
  const isUp = params.direction === 'callers';
  const blocks = isUp ? withoutModule(found, params.block) : found;
  const walk = new CallWalk(resolver, params, signal, confirmation);
  await walk.from(blocks);
  const own: Problem[] = walk.isCut
    ? [{ message: `only the first ${CALLS_MOST} calls are listed; ask with a smaller depth` }]
    : [];
  return {
    schema: SCHEMA_VERSION,
    blocks: blocks.map((block) => blockEntry(resolver, block)),
    direction: params.direction,
    calls: walk.entries,
    throughBases: isUp
      ? blocks.flatMap((block) => overriddenBy(resolver, block)).map((base) => blockEntry(resolver, base))
      : [],
    undecided: isUp
      ? hiddenEntries(
          resolver,
          blocks.flatMap((block) => hiddenUses(resolver, block)),
        )
      : [],
    complete: problems.length + own.length === 0,
    problems: [...problems, ...own, ...(confirmation?.problems ?? [])],
  };
}

/** Sites between two blocks, in one way. */
interface Calls {
  readonly other: DeclRef;
  readonly sites: readonly [Site, ...Site[]];
}

class CallWalk {
  readonly entries: CallEntry[] = [];
  isCut = false;
  private readonly paths: Paths;
  private readonly followed = new Set<string>();
  private readonly sitesByFile = new Map<string, readonly Site[]>();

  constructor(
    private readonly resolver: Resolver,
    private readonly params: CallsParams,
    private readonly signal: AbortSignal,
    private readonly confirmation: Confirmation | undefined,
  ) {
    this.paths = new Paths(resolver);
  }

  async from(blocks: readonly DeclRef[]): Promise<void> {
    for (const block of blocks) this.followed.add(keyOf(block));
    for (const block of blocks) await this.follow(block, 1, [keyOf(block)]);
  }

  private async follow(block: DeclRef, depth: number, way: readonly string[]): Promise<void> {
    this.signal.throwIfAborted();
    for (const { other, sites } of await this.callsOf(block)) {
      if (this.entries.length >= CALLS_MOST) {
        this.isCut = true;
        return;
      }
      const key = keyOf(other);
      const repeated = way.includes(key) ? 'cycle' : this.followed.has(key) ? 'shown' : undefined;
      this.entries.push(this.entry(block, { other, sites }, depth, repeated));
      if (repeated !== undefined || depth >= (this.params.depth ?? 1)) continue;
      this.followed.add(key);
      // Nothing calls a module, and what it calls was not asked.
      if (other.decl >= 0) await this.follow(other, depth + 1, [...way, key]);
    }
  }

  private entry(
    block: DeclRef,
    { other, sites }: Calls,
    depth: number,
    repeated: 'cycle' | 'shown' | undefined,
  ): CallEntry {
    const first = sites.find((site) => site.confidence === 'certain') ?? sites[0];
    const relation = RELATION_OF_EDGE[first.kind];
    return {
      depth,
      ...endEntry(this.resolver, other),
      relation: this.params.direction === 'callers' ? relation : INVERSE[relation],
      confidence: first.confidence,
      via: first.via,
      of: endEntry(this.resolver, block),
      sites: sites.map((site) => spanOfSite(this.resolver, site)),
      ...(repeated === undefined ? {} : { repeated }),
      ...this.paths.of(first),
    };
  }

  /** Calls of the block, or in it, by the block on the other side. */
  private async callsOf(block: DeclRef): Promise<Calls[]> {
    const isUp = this.params.direction === 'callers';
    const found = isUp ? await inTurns(sitesInTurns(this.resolver, block), this.signal) : this.sitesWithin(block);
    const all =
      this.confirmation === undefined
        ? found
        : isUp
          ? (await this.confirmation.of([block], found)).sites
          : await this.confirmation.callees(block, found);
    const sites = all.filter(
      (site) =>
        (site.kind === 'call' || site.kind === 'instantiate') &&
        (this.params.certain !== true || site.confidence === 'certain'),
    );
    const groups = new Map<string, { other: DeclRef; sites: [Site, ...Site[]] }>();
    for (const site of sites) {
      const other = isUp ? { file: site.file, decl: site.block } : site.target;
      const group = groups.get(keyOf(other));
      if (group === undefined) groups.set(keyOf(other), { other, sites: [site] });
      else group.sites.push(site);
    }
    return [...groups.values()];
  }

  /** Of a class what its members do, of anything else its own text alone. */
  private sitesWithin({ file, decl }: DeclRef): readonly Site[] {
    let all = this.sitesByFile.get(file);
    if (all === undefined) this.sitesByFile.set(file, (all = sitesIn(this.resolver, file)));
    const { decls, exprs } = this.resolver.summary(file);
    if (decl < 0 || !isClassLike(decls.kindOf(decl))) return all.filter((site) => site.block === decl);
    return all.filter(
      (site) =>
        site.expr >= 0 &&
        exprs.startOf(site.expr) >= decls.startOf(decl) &&
        exprs.startOf(site.expr) < decls.endOf(decl),
    );
  }
}

const keyOf = ({ file, decl }: DeclRef): string => `${file}\0${decl}`;
