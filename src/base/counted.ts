/** A number with its word: `1 step`, `2 steps`, `2 classes`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Of more lines than these the rest is a number. */
const LINES_MOST = 12;

/** `line 3`, `lines 3, 5 and 8`, `lines 3, 5, … and 20 more`. */
export function linesInWords(lines: readonly number[]): string {
  const shown = lines.slice(0, lines.length > LINES_MOST ? LINES_MOST : undefined).map(String);
  const last = lines.length > LINES_MOST ? `${lines.length - LINES_MOST} more` : shown.pop();
  return shown.length === 0 ? `line ${last ?? ''}` : `lines ${shown.join(', ')} and ${last ?? ''}`;
}
