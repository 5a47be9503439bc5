/**
 * Added parameter without a default: `put(key)` became `put(key, ttl)`, so with `--value ttl=60`
 * `s.put(k)` becomes `s.put(k, 60)`; a caller that has a variable `ttl` of a fitting type passes it.
 *
 * Also where a default was taken away, and at a call that gives too little to a function that is new: it may have been
 * led over to it from another one. Without a value the call stays open and asks for one. A parameter with a default
 * needs nothing: a value that the person gives for it is passed on.
 */
import { completeCall, isGiven, rearrangeCall } from '../calls/call-arguments.js';
import type { Rewrite, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const addParameter: Rewrite = {
  id: 'add-parameter',
  does: 'passes a value for a new required parameter',
  rewrite: (context: RewriteSite) =>
    (isOfNew(context) ? completeCall(context) : undefined) ??
    changedParameters(
      context,
      'call',
      (delta) =>
        delta.added.some((param) => (!param.optional && !param.rest) || isGiven(context, param.name)) ||
        delta.madeRequired.length > 0,
      rearrangeCall,
    ),
};

/** Whether the site is a call of a function that came with the edit, and does not fit it. */
const isOfNew = ({ site: { cause, tier, confidence, relation } }: RewriteSite): boolean =>
  cause.label === 'AM' && relation === 'CalledBy' && tier === 'breaks' && confidence === 'certain';
