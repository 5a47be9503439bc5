/** Places of which nobody can say what they mean, for people: a line each, of many the first. */
import { shownName } from '../base/shown.js';
import type { Paint } from './print.js';

/** Half a screen: they stand below the answer, which is not to be scrolled away. */
const UNDECIDED_MOST = 20;

interface Undecided {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export function undecidedLines(undecided: readonly Undecided[], paint: Paint): string[] {
  const head = paint('undecided', 'yellow');
  const more = undecided.length - UNDECIDED_MOST;
  return [
    ...undecided
      .slice(0, UNDECIDED_MOST)
      .map(({ file, line, reason }) => `${head}  ${shownName(file)}:${line}: ${reason}`),
    ...(more > 0 ? [`${head}  and ${more} more: see --json`] : []),
  ];
}
