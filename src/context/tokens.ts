/**
 * How many tokens a text takes, estimated without a tokenizer and without a network.
 *
 * Budgets need a number before the request, for any model. Byte-pair vocabularies agree on the
 * rough shape: common words are one token, long or rare ones a token for every few letters,
 * indentation folds into the line break, operators pair up. Errs upwards, so that a text which
 * fits by this estimate fits in fact; scripts without an alphabet count a token a character.
 */

/**
 * What one token covers on average, in letters of a word within an identifier, digits, and signs: byte-pair
 * vocabularies join at most three digits, and operators in pairs.
 */
const LETTERS_PER_TOKEN = 5;
const DIGITS_PER_TOKEN = 3;
const SIGNS_PER_TOKEN = 2;

/** One run of characters that a tokenizer would treat alike. A single blank belongs to what follows it. */
const RUN = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[ \t]*\r?\n[ \t]*|[ \t]{2,}|[!-/:-@[-`{-~]+|[^\x00-\x7f]/g;

export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(RUN)) {
    const first = run.charCodeAt(0);
    if (first >= 0x30 && first <= 0x39) tokens += Math.ceil(run.length / DIGITS_PER_TOKEN);
    else if (isLetter(first)) tokens += Math.ceil(run.length / LETTERS_PER_TOKEN);
    else if (first > 0x7f || isBlank(first)) tokens += 1;
    else tokens += Math.ceil(run.length / SIGNS_PER_TOKEN);
  }
  return tokens;
}

const isLetter = (code: number): boolean => (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
