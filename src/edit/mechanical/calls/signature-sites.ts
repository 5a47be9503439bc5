/**
 * Which sites of a changed signature a rewrite is about: calls, the function's own body, or the
 * members that override it or are overridden by it.
 */
import type { SignatureDelta } from '../../../change/signature-delta.js';
import { familyOf } from '../../../impact/family.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { sameDecl } from '../../../syntax/rows.js';
import { isFunctionLike } from '../../../syntax/summary.js';
import type { RewriteResult, RewriteSite } from '../rewrite.js';

export type SignatureSite = 'call' | 'body' | 'override';

/** Runs `rewrite` where the site is of that sort and the delta asks for it; refuses what is not certain. */
export function changedParameters(
  context: RewriteSite,
  sort: SignatureSite,
  asksForIt: (delta: SignatureDelta) => boolean,
  rewrite: (context: RewriteSite) => RewriteResult | undefined,
): RewriteResult | undefined {
  const { site } = context;
  const delta = site.cause.detail.signature;
  if (delta === undefined || sortOf(context) !== sort || !asksForIt(delta)) return undefined;
  if (site.confidence !== 'certain')
    return site.tier === 'breaks'
      ? {
          cannot:
            `whether this is ${sort === 'override' ? 'an override of' : 'a call of'} the changed function is ` +
            'not certain',
          needs: 'model',
        }
      : undefined;
  const other = sort === 'call' ? calledAsWell(context) : undefined;
  return other === undefined ? rewrite(context) : { cannot: `it may call ${other} as well`, needs: 'person' };
}

/**
 * A member of an unrelated class that a call means as well, as where what it is called on is of one of two types: it
 * keeps its parameters. What overrides the changed one, or is overridden with it, follows as the call does.
 */
function calledAsWell({ graphs: { before, after }, block, site }: RewriteSite): string | undefined {
  const { before: was, after: changed } = site.cause;
  const { targets } = after.resolve(block.file, site.expr);
  if (was === undefined || changed === undefined || changed.decl < 0 || targets.length < 2) return undefined;
  const { decls } = after.summary(changed.file);
  const isBeside = ({ file, decl }: DeclRef): boolean =>
    file === changed.file && decls.parentOf(decl) === decls.parentOf(changed.decl);
  const others = targets.filter(
    (target) =>
      target.decl >= 0 &&
      isFunctionLike(after.summary(target.file).decls.kindOf(target.decl)) &&
      !isBeside(target) &&
      !sameDecl(target, changed),
  );
  if (others.length === 0) return undefined;
  // With overloads a member overrides the changed one no more until it has followed.
  const placeOf = (resolver: Resolver, { file, decl }: DeclRef): string =>
    `${file}\0${resolver.summary(file).decls.pathOf(decl)}`;
  const family = new Set([
    ...familyOf(after, changed).map((one) => placeOf(after, one)),
    ...familyOf(before, was).map((one) => placeOf(before, one)),
  ]);
  const other = others.find((target) => !family.has(placeOf(after, target)));
  return other === undefined ? undefined : after.summary(other.file).decls.pathOf(other.decl);
}

function sortOf({ site }: RewriteSite): SignatureSite {
  if (site.relation === 'Uses') return 'body';
  return site.expr < 0 ? 'override' : 'call';
}
