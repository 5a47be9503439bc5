/**
 * Parameter that must be passed in another way: `put(key, ttl)` became `put(key, *, ttl)`, so
 * `s.put(k, 60)` becomes `s.put(k, ttl=60)`.
 *
 * Also where an optional parameter was put in front of others: what was passed by position for
 * those goes on by keyword.
 */
import { rearrangeCall } from '../calls/call-arguments.js';
import type { Rewrite, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const keywordArguments: Rewrite = {
  id: 'keyword-arguments',
  does: 'passes by keyword what cannot be passed by position any more',
  rewrite: (context: RewriteSite) =>
    changedParameters(context, 'call', (delta) => delta.passing.length > 0 || delta.added.length > 0, rearrangeCall),
};
