/**
 * Strings: literals, and those whose text is an identifier or a dotted path of at most
 * PATH_MOST characters, which may name something and so become `string` rows.
 */
import { E } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

/** In characters: longer dotted paths are texts, keys or addresses, and name nothing of the program. */
const PATH_MOST = 80;

export function stringRow(w: Walk, node: number, scope: number): number {
  const start = w.start(node);
  const end = w.end(node);
  const from = start + 1;
  const to = end - 1;
  const dot = lastDotOfPath(w.text, from, to);
  if (dot === NO_PATH) return w.build.expr(E.literal, start, end, scope, 'str');
  return w.build.expr(E.string, dot + 1, to, scope, w.text.slice(dot + 1, to));
}

/** The text of a string node, quotes removed. */
export function stringText(w: Walk, node: number): string {
  return w.text.slice(w.start(node) + 1, Math.max(w.start(node) + 1, w.end(node) - 1));
}

/** Less than any offset, and than the place before the first one. */
const NO_PATH = -2;

/** Offset of the last dot, or of the place before the path; NO_PATH if the span is no dotted path of identifiers. */
function lastDotOfPath(text: string, from: number, to: number): number {
  if (to <= from || to - from > PATH_MOST) return NO_PATH;
  let dot = from - 1;
  for (let i = from; i < to; i++) {
    const c = text.charCodeAt(i);
    const letter = (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c === 36;
    if (letter) continue;
    if (i === dot + 1) return NO_PATH;
    if (c === 46) dot = i;
    else if (c < 48 || c > 57) return NO_PATH;
  }
  return dot + 1 < to ? dot : NO_PATH;
}
