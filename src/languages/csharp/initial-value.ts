/**
 * The initial value in a declarator, `x = value`, which fields and locals have in common. The
 * grammar gives it no field of its own, so it is what stands last beside the name.
 */
import { K } from './kinds.js';
import type { Walk } from './walk.js';

/** The expression after the `=` of a declarator with the given name node; -1 for none. */
export function initialValue(w: Walk, declarator: number, name: number): number {
  const value = w.last(declarator);
  return value === name || value === -1 || w.kind(value) === K.bracketed_argument_list ? -1 : value;
}
