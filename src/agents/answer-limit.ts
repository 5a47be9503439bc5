/**
 * No answer to an agent is longer than this: hosts cut what is, and every token is paid for.
 */
import { estimateTokens } from '../context/tokens.js';

/**
 * What one answer may take of an agent's context: some eight of them together stay within a tenth of 200,000 tokens.
 */
export const TOKENS_MOST = 2000;
/** Short lines fill no tokens, and nobody who follows the agent reads past a few screens. */
export const LINES_MOST = 250;

export interface Budget {
  readonly tokens: number;
  readonly lines: number;
}

export const ANSWER: Budget = { tokens: TOKENS_MOST, lines: LINES_MOST };

/** A refusal quotes what was asked, which may be longer than any answer: its beginning then. */
export function cutToLimit(text: string, { tokens, lines }: Budget = ANSWER): string {
  const short = text.split('\n').slice(0, lines).join('\n');
  // No character takes more than a token.
  const cut = estimateTokens(short) <= tokens ? short : short.slice(0, tokens - 1);
  return cut === text ? text : `${cut}…`;
}

/**
 * The sum, then as many lines as there is room for, then (if some are left out) how many and how to get them.
 * `end` is always there. A line counts as it is; none is cut but one that alone is longer than the answer.
 */
export function limited(
  sum: string,
  lines: readonly string[],
  end: readonly string[],
  how: string,
  budget: Budget = ANSWER,
): string {
  const leftOut = (count: number): string => `… ${count} more ${count === 1 ? 'line' : 'lines'} left out: ${how}`;
  const fixed = [sum, ...end, leftOut(lines.length)];
  let tokens = budget.tokens - fixed.reduce((used, line) => used + estimateTokens(line) + 1, 0);
  let room = budget.lines - fixed.flatMap((line) => line.split('\n')).length;
  const shown: string[] = [];
  for (const line of lines) {
    tokens -= estimateTokens(line) + 1;
    room -= line.split('\n').length;
    if (tokens < 0 || room < 0) break;
    shown.push(line);
  }
  const rest = lines.length - shown.length;
  return [sum, ...shown, ...(rest === 0 ? [] : [leftOut(rest)]), ...end].join('\n');
}
