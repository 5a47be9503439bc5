/**
 * Line breaks of a merged text: a line that nothing changed keeps its own, also in a file that mixes
 * `\n` and `\r\n`; a new line takes that of the line above it.
 */
import { diffArrays } from 'diff';

export type LineBreak = '\r\n' | '\n';

/** What most lines end with. */
export function lineBreakOf(text: string): LineBreak {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** `lines` as one text in the place of `old`; `usual` for lines that have none above them. */
export function joinedAs(lines: readonly string[], old: string, usual: LineBreak): string {
  const before = old.split('\n').map((line) => line.replace(/\r$/, ''));
  const breaks = [...old.matchAll(/\r?\n/g)].map(([sign]) => sign as LineBreak);
  const [first = usual] = breaks;
  if (breaks.every((sign) => sign === first)) return lines.join(breaks.length === 0 ? usual : first);
  const out: string[] = [];
  let last = first;
  let row = 0;
  for (const part of diffArrays(before, [...lines])) {
    if (part.removed) {
      row += part.value.length;
      continue;
    }
    for (const line of part.value) {
      if (!part.added) last = breaks[row++] ?? last;
      out.push(line, last);
    }
  }
  return out.slice(0, -1).join('');
}
