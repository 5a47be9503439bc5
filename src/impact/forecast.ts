/**
 * The transitive view: what may follow once the affected blocks themselves are edited.
 *
 * Three edits go on from block to block. A changed signature: a caller that lacks a value may have
 * to ask its own callers for it, a caller of something that became async may become async itself,
 * an override that follows changes what its callers see. Type parameters: a class that names a
 * generic type may become generic itself. A deletion: what overrides a deleted member may go too.
 * Nobody knows yet whether they will, so every level beyond the first is a forecast: tier `may`,
 * and only along sites that resolve with certainty.
 */
import type { Turns } from '../base/turns.js';
import type { DeclRef } from '../languages/language.js';
import { isCalledBySyntax } from '../graph/refer/special-sites.js';
import type { Relation } from '../graph/refer/relation.js';
import { D, isClassLike, isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import type { Graphs } from './graphs.js';
import { relatedInTurns, type Related } from './related.js';

/** How far `--all` looks: of the edits that commits show to have followed, none in a thousand lies further. */
export const DEPTH_MOST = 4;
/** How many blocks a forecast may add. */
const FORECAST_MOST = 2000;
/** A name that more files say than this is not followed: nobody changes what everything uses on the way. */
const FILES_MOST = 100;

/** What the edit of a block may be, so that more follows from it. */
type Edit = 'signature' | 'typeParameters' | 'deletion';

interface Edited {
  readonly block: AffectedBlock;
  readonly edit: Edit;
}

/** Blocks beyond the first level, each with its depth; those of the first level are not repeated. */
export function* forecast(
  graphs: Graphs,
  affected: readonly AffectedBlock[],
  depthMost: number,
): Turns<AffectedBlock[]> {
  const out: AffectedBlock[] = [];
  if (depthMost < 2) return out;
  const seen = new Set(affected.map((block) => `${block.file}\0${block.decl}`));
  let level = affected.flatMap((block) =>
    block.confidence === 'certain' ? editsOf(graphs, block).map((edit): Edited => ({ block, edit })) : [],
  );
  for (let depth = 2; depth <= depthMost && level.length > 0 && out.length < FORECAST_MOST; depth++) {
    const next: Edited[] = [];
    for (const { block, edit } of level) {
      yield;
      for (const found of yield* followers(graphs, block, edit, depth)) {
        const key = `${found.file}\0${found.decl}`;
        if (seen.has(key)) continue;
        seen.add(key);
        next.push({ block: found, edit });
      }
    }
    out.push(...next.map(({ block }) => block));
    level = next.filter(({ block, edit }) => block.decl >= 0 && goesOn(graphs, block, edit));
  }
  return out;
}

/** Which edits of a first-level block others may have to follow. */
function editsOf({ after }: Graphs, block: AffectedBlock): Edit[] {
  if (block.decl < 0) return [];
  const kind = after.summary(block.file).decls.kindOf(block.decl);
  const isEdit: Record<Edit, (site: AffectedSite) => boolean> = {
    signature: ({ cause, relation }) => {
      const delta = cause.detail.signature;
      if (!isFunctionLike(kind) || delta === undefined || cause.detail.rename !== undefined) return false;
      if (relation === 'Overrides' || relation === 'OverriddenBy') return true;
      return (
        delta.added.length > 0 ||
        delta.madeRequired.length > 0 ||
        delta.removed.length > 0 ||
        delta.async !== undefined ||
        delta.returnType !== undefined ||
        delta.retyped.length > 0
      );
    },
    typeParameters: ({ cause, tier }) =>
      isClassLike(kind) && cause.detail.typeParams !== undefined && tier === 'breaks',
    deletion: ({ cause, relation }) => relation === 'OverriddenBy' && cause.label.startsWith('D'),
  };
  return (Object.keys(isEdit) as Edit[]).filter((edit) => block.sites.some(isEdit[edit]));
}

/** Whether a forecast block may be edited in the same way. */
function goesOn({ after }: Graphs, block: AffectedBlock, edit: Edit): boolean {
  const kind = after.summary(block.file).decls.kindOf(block.decl);
  if (edit === 'signature') return true;
  return edit === 'typeParameters'
    ? isClassLike(kind)
    : block.sites.some(({ relation }) => relation === 'OverriddenBy');
}

/** What follows which edit, and in which words. */
const FOLLOWED: Readonly<Record<Edit, Partial<Record<Relation, string>>>> = {
  signature: {
    CalledBy: 'calls',
    InstantiatedBy: 'makes an instance through',
    OverriddenBy: 'overrides',
    Overrides: 'is overridden by',
  },
  typeParameters: { UsedBy: 'names', InstantiatedBy: 'makes an instance of', BaseClassOf: 'derives from' },
  deletion: { CalledBy: 'calls', UsedBy: 'uses', OverriddenBy: 'overrides' },
};

function* followers({ after }: Graphs, block: AffectedBlock, edit: Edit, depth: number): Turns<AffectedBlock[]> {
  const ref: DeclRef = { file: block.file, decl: block.decl };
  const summary = after.summary(block.file);
  const owner = summary.decls.parentOf(block.decl);
  const isConstructor = summary.decls.kindOf(block.decl) === D.constructor;
  const name = summary.decls.nameOf(owner >= 0 && (isConstructor || isCalledBySyntax(after, ref)) ? owner : block.decl);
  if (after.repo.filesMentioning(name).length > FILES_MOST) return [];
  const origin = block.sites[0] as AffectedSite;
  const out = new AffectedBlocks(depth);
  for (const [relation, words] of Object.entries(FOLLOWED[edit]) as [Relation, string][]) {
    for (const found of yield* relatedInTurns(after, ref, relation)) {
      if (found.confidence !== 'certain' || (edit === 'typeParameters' && !namesAsType(after, found))) continue;
      const reason =
        `${after.summary(found.file).decls.pathOf(found.block)} may follow: it ${words} ` +
        `${summary.decls.pathOf(block.decl)}, which is affected itself.`;
      const site: AffectedSite = {
        ...origin,
        expr: found.expr,
        tier: 'may',
        confidence: 'certain',
        relation,
        rule: 'forecast',
        reason,
      };
      out.addOnce(found.file, found.block, site);
    }
  }
  return out.found();
}

/** Whether type arguments would stand at the mention. */
const namesAsType = (after: Graphs['after'], { file, expr }: Related): boolean =>
  after.language(file).typeArgumentRoles.has(after.summary(file).exprs.roleOf(expr));
