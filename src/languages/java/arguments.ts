/**
 * Arguments of a call, an object creation or an enum constant.
 *
 * Java passes them by position and spreads nothing; only annotations name theirs (annotations.ts).
 */
import type { NewArgument } from '../../syntax/summary-builder.js';
import type { Walk } from './walk.js';

/** Stores the arguments in parentheses; `list` -1 stands for none. */
export function argumentsOf(x: Walk, list: number, scope: number, types: readonly number[] = []): number {
  const args: NewArgument[] = [];
  if (list !== -1) {
    const stop = x.skip(list);
    for (let c = list + 1; c < stop; c = x.skip(c))
      if (x.proper(c)) args.push({ expr: x.value(c, scope), start: x.start(c) });
  }
  return x.build.argumentList(args, types);
}
