/**
 * Arguments of a call, an object creation or an enum constant.
 *
 * Java passes them by position and spreads nothing; only annotations name theirs (annotations.ts).
 */
import type { NewArgument } from '../../syntax/summary-builder.js';
import type { Walk } from './walk.js';

/** Stores the arguments in parentheses; `list` -1 stands for none. */
export function argumentsOf(w: Walk, list: number, scope: number, types: readonly number[] = []): number {
  const args: NewArgument[] = [];
  if (list !== -1) {
    for (let c = w.first(list); c !== -1; c = w.next(c)) args.push({ expr: w.value(c, scope), start: w.start(c) });
  }
  return w.build.argumentList(args, types);
}
