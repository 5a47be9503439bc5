/** A number with its word: `1 step`, `2 steps`, `2 classes`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Of more lines than these the rest is a number: a dozen of them fill a line of a terminal. */
const LINES_MOST = 12;

/** `line 3`, `lines 3, 5 and 8`, `lines 3, 5, … and 20 more`. */
export function linesInWords(lines: readonly number[]): string {
  const shown = lines.slice(0, lines.length > LINES_MOST ? LINES_MOST : undefined).map(String);
  const last = lines.length > LINES_MOST ? `${lines.length - LINES_MOST} more` : shown.pop();
  return shown.length === 0 ? `line ${last ?? ''}` : `lines ${shown.join(', ')} and ${last ?? ''}`;
}

/** A sentence with more names than these is no longer read as one. */
const NAMES_MOST = 5;

/** `a, b and 3 more`; where it is said what they are, `a, b and 3 more files`. */
export function namesInWords(names: readonly string[], most = NAMES_MOST, what?: string): string {
  const rest = names.length - most;
  const more = what === undefined ? `${rest} more` : counted(rest, `more ${what}`);
  return names.slice(0, most).join(', ') + (rest > 0 ? ` and ${more}` : '');
}
