/**
 * Reordered parameters: `put(key, ttl)` became `put(ttl, key)`, so `s.put(k, 60)` becomes
 * `s.put(60, k)`; keyword arguments stay where they are.
 *
 * The arguments are permuted also where their types are equal and no compiler would complain.
 */
import { rearrangeCall } from '../calls/call-arguments.js';
import type { Rewrite, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const reorderParameters: Rewrite = {
  id: 'reorder-parameters',
  does: 'permutes positional arguments as the parameters were',
  rewrite: (context: RewriteSite) =>
    changedParameters(context, 'call', (delta) => delta.moved.length > 0, rearrangeCall),
};
