/**
 * Which sites of a changed signature a rewrite is about: calls, the function's own body, or the
 * members that override it or are overridden by it.
 */
import type { SignatureDelta } from '../../../change/signature-delta.js';
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
  return rewrite(context);
}

function sortOf({ site }: RewriteSite): SignatureSite {
  if (site.relation === 'Uses') return 'body';
  return site.expr < 0 ? 'override' : 'call';
}
