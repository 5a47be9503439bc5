/**
 * A long class as a question about the class itself shows it: every line but the bodies of its
 * members, which are blocks of their own. What is asked of a class concerns its head, its fields, its
 * constructors and which members it has.
 */
import { isFunctionLike, D, type Summary } from '../syntax/summary.js';
import { estimateTokens } from './tokens.js';

/** A shorter class is shown whole. */
const TOKENS_LEAST = 800;
/** An outline that saves less than this part is none. */
const SAVED_LEAST = 0.4;

export interface ClassOutline {
  /** The class with `…` for each body that is left out. */
  readonly text: string;
  /** Spans of the file that are left out. */
  readonly hidden: readonly { readonly start: number; readonly end: number }[];
}

/** `from`: where the text that is shown of the class begins. Undefined where it is shown whole. */
export function classOutline(text: string, summary: Summary, type: number, from: number): ClassOutline | undefined {
  const { decls } = summary;
  const end = decls.endOf(type);
  const whole = estimateTokens(text.slice(from, end));
  if (whole < TOKENS_LEAST) return undefined;
  const bodies: { start: number; end: number }[] = [];
  for (let row = 0; row < decls.count; row++) {
    const kind = decls.kindOf(row);
    if (!isFunctionLike(kind) || kind === D.constructor) continue;
    const body = { start: decls.bodyStartOf(row), end: decls.endOf(row) };
    if (decls.startOf(row) > from && body.end <= end && text.slice(body.start, body.end).includes('\n'))
      bodies.push(body);
  }
  bodies.sort((a, b) => a.start - b.start || b.end - a.end);
  const hidden: { start: number; end: number }[] = [];
  let out = '';
  let at = from;
  for (const body of bodies) {
    if (body.start < at) continue;
    out += `${text.slice(at, body.start)}…`;
    at = body.end;
    hidden.push(body);
  }
  out += text.slice(at, end);
  return estimateTokens(out) > whole * (1 - SAVED_LEAST) ? undefined : { text: out, hidden };
}
