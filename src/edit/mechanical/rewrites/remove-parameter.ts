/**
 * Removed parameter: `def put(self, key, ttl)` became `def put(self, key)`, so `s.put(k, 60)`
 * becomes `s.put(k)`, whether the argument is positional or a keyword.
 *
 * Other changes of the same signature are made at the same time. Refusals: see call-arguments.ts.
 */
import { rearrangeCall } from '../calls/call-arguments.js';
import type { Rewrite, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const removeParameter: Rewrite = {
  id: 'remove-parameter',
  does: 'drops the argument of a removed parameter at calls',
  rewrite: (context: RewriteSite) =>
    changedParameters(context, 'call', (delta) => delta.removed.length > 0, rearrangeCall),
};
