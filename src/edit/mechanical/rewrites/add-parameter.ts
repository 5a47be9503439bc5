/**
 * Added parameter without a default: `put(key)` became `put(key, ttl)`, so with `--value ttl=60`
 * `s.put(k)` becomes `s.put(k, 60)`; a caller that has a variable `ttl` of a fitting type passes it.
 *
 * Also where a default was taken away. Without a value the call stays open and asks for one. A
 * parameter with a default needs nothing: a value that the person gives for it is passed on.
 */
import { isGiven, rearrangeCall } from '../calls/call-arguments.js';
import type { Rewrite, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const addParameter: Rewrite = {
  id: 'add-parameter',
  does: 'passes a value for a new required parameter',
  rewrite: (context: RewriteSite) =>
    changedParameters(
      context,
      'call',
      (delta) =>
        delta.added.some((param) => (!param.optional && !param.rest) || isGiven(context, param.name)) ||
        delta.madeRequired.length > 0,
      rearrangeCall,
    ),
};
