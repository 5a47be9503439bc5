/**
 * The transitive view: what may follow once the affected blocks themselves are edited.
 *
 * A caller that lacks a value may have to ask its own callers for it; a caller of something that
 * became async may become async itself; an override that follows changes what its callers see.
 * Nobody knows yet whether it will, so every level beyond the first is a forecast: tier `may`,
 * and only along sites that resolve with certainty.
 */
import type { DeclRef } from '../languages/language.js';
import { isCalledBySyntax } from '../graph/references.js';
import { blockPath, D, isFunctionLike, nameOf } from '../syntax/summary.js';
import type { AffectedBlock, AffectedSite } from './impact.js';
import type { Graphs } from './predicates.js';
import { related } from './related.js';
import type { Relation } from '../graph/relation.js';

/** How far `--all` looks. */
export const DEPTH_MOST = 8;
/** How many blocks a forecast may add. */
const FORECAST_MOST = 2000;
/** A name that more files say than this is not followed: nobody changes what everything uses on the way. */
const FILES_MOST = 100;

/** Blocks beyond the first level, each with its depth; those of the first level are not repeated. */
export function forecast(graphs: Graphs, affected: readonly AffectedBlock[], depthMost: number): AffectedBlock[] {
  const out: AffectedBlock[] = [];
  const seen = new Set(affected.map((block) => `${block.file}\0${block.decl}`));
  let level = affected.filter((block) => block.confidence === 'certain' && passesOn(graphs, block));
  for (let depth = 2; depth <= depthMost && level.length > 0 && out.length < FORECAST_MOST; depth++) {
    const next: AffectedBlock[] = [];
    for (const block of level) {
      for (const found of followers(graphs, block, depth)) {
        const key = `${found.file}\0${found.decl}`;
        if (seen.has(key)) continue;
        seen.add(key);
        next.push(found);
      }
    }
    out.push(...next);
    level = next.filter((block) => block.decl >= 0);
  }
  return out;
}

/** Whether the block's own signature may have to change: a function that a changed signature reaches. */
function passesOn({ after }: Graphs, block: AffectedBlock): boolean {
  if (block.decl < 0 || !isFunctionLike(after.summary(block.file).decls.kind[block.decl] as number)) return false;
  return block.sites.some(({ cause, relation }) => {
    const delta = cause.detail.signature;
    if (delta === undefined || cause.detail.rename !== undefined) return false;
    if (relation === 'Overrides' || relation === 'OverriddenBy') return true;
    return delta.added.length > 0 || delta.madeRequired.length > 0 || delta.removed.length > 0 || delta.async !== undefined || delta.returnType !== undefined || delta.retyped.length > 0;
  });
}

function followers(graphs: Graphs, block: AffectedBlock, depth: number): AffectedBlock[] {
  const { after } = graphs;
  const ref: DeclRef = { file: block.file, decl: block.decl };
  const summary = after.summary(block.file);
  const isConstructor = summary.decls.kind[block.decl] === D.constructor;
  const owner = summary.decls.parent[block.decl] as number;
  const name = nameOf(summary, owner >= 0 && (isConstructor || isCalledBySyntax(after, ref)) ? owner : block.decl);
  if (after.repo.filesMentioning(name).length > FILES_MOST) return [];
  const relations: readonly Relation[] = isConstructor ? ['InstantiatedBy', 'CalledBy'] : ['CalledBy', 'OverriddenBy', 'Overrides'];
  const origin = block.sites[0] as AffectedSite;
  const byBlock = new Map<string, AffectedBlock & { sites: AffectedSite[] }>();
  for (const relation of relations) {
    for (const found of related(after, ref, relation)) {
      if (found.confidence !== 'certain') continue;
      const key = `${found.file}\0${found.block}`;
      const reason = `${blockPath(after.summary(found.file), found.block)} may follow: it ${relation === 'CalledBy' ? 'calls' : relation === 'InstantiatedBy' ? 'makes an instance through' : relation === 'Overrides' ? 'is overridden by' : 'overrides'} ${blockPath(summary, block.decl)}, which is affected itself.`;
      const site: AffectedSite = { ...origin, expr: found.expr, tier: 'may', confidence: 'certain', relation, rule: 'forecast', reason };
      const known = byBlock.get(key);
      if (known === undefined) byBlock.set(key, { file: found.file, decl: found.block, tier: 'may', confidence: 'certain', depth, sites: [site] });
      else if (!known.sites.some((other) => other.expr === site.expr)) known.sites.push(site);
    }
  }
  return [...byBlock.values()];
}
