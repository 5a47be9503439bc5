/**
 * The class around a block, without the bodies of its members: what a model must know to use a
 * field that is there, or to see that one is missing.
 */
import { isOwnBlock } from '../change/match-blocks.js';
import { isFunctionLike, type Summary } from '../syntax/summary.js';

/** Bodies shorter than this many characters stay: a marker would not be shorter. */
const BODY_MOST = 40;
/** Longest sketch that is given, in characters. */
const SKETCH_MOST = 12_000;

/** Text of a class with the bodies of its functions left out, but for the one of `shown`. Undefined where it would be too long. */
export function classSketch(text: string, summary: Summary, type: number, shown: number): string | undefined {
  const { decls } = summary;
  const end = decls.endOf(type);
  let out = '';
  let at = text.lastIndexOf('\n', decls.startOf(type) - 1) + 1;
  for (const row of bodiesWithin(summary, type, shown)) {
    const body = decls.bodyStartOf(row);
    if (body < at) continue;
    out += text.slice(at, body) + (summary.language === 'python' ? '...' : '{ ... }');
    at = decls.endOf(row);
  }
  out += text.slice(at, end);
  return out.length > SKETCH_MOST ? undefined : out;
}

/** Functions with a body worth leaving out, in order, outermost ones only. */
function bodiesWithin(summary: Summary, type: number, shown: number): number[] {
  const { decls } = summary;
  const rows: number[] = [];
  for (let row = 0; row < decls.count; row++) {
    if (row === shown || !isOwnBlock(summary, row) || !isFunctionLike(decls.kindOf(row))) continue;
    if (decls.startOf(row) < decls.startOf(type) || decls.endOf(row) > decls.endOf(type)) continue;
    if (decls.endOf(row) - decls.bodyStartOf(row) > BODY_MOST) rows.push(row);
  }
  return rows.sort((a, b) => decls.startOf(a) - decls.startOf(b));
}
