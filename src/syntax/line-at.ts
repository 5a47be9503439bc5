/**
 * Lines as people count them, from offsets as the program does.
 *
 * Only documents, plans and reports speak of lines; everything else keeps offsets.
 */
import type { Summary } from './summary.js';

/** 1-based line of an offset. */
export function lineAt(summary: Summary, offset: number): number {
  const { lineStarts } = summary;
  let low = 0;
  let high = lineStarts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
