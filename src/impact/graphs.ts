/**
 * The two graphs of an edit: D before it, D' after it.
 */
import type { Resolver } from '../graph/resolve/resolver.js';

export interface Graphs {
  readonly before: Resolver;
  readonly after: Resolver;
}
