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

/** Several places of one line that say the same are one line of text. */
export function undecidedLines(undecided: readonly Undecided[], paint: Paint): string[] {
  const head = paint('undecided', 'yellow');
  const told = new Map<string, number>();
  for (const { file, line, reason } of undecided) {
    const text = `${shownName(file)}:${line}: ${reason}`;
    told.set(text, (told.get(text) ?? 0) + 1);
  }
  const shown = [...told].slice(0, UNDECIDED_MOST);
  const more = undecided.length - shown.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...shown.map(([text, count]) => `${head}  ${text}${count > 1 ? ` (${count} places)` : ''}`),
    ...(more > 0 ? [`${head}  and ${more} more: see --json`] : []),
  ];
}
