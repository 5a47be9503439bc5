/** The initial value in a declarator, `x = value`, of a field or a local. */
import { T } from './kinds.js';
import type { Walk } from './walk.js';

/** The expression after the `=` of a declarator with the given name node; -1 for none. */
export function initialValue(w: Walk, declarator: number, name: number): number {
  const value = w.lastNamed(declarator);
  return value === name || value === -1 || w.tag(value) === T.bracketed_argument_list ? -1 : value;
}
