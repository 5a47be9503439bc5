/**
 * Strings and comments, told from the text alone.
 */

/** A string or a comment that begins at `at`. Quotes of all four languages; an unclosed one ends the line. */
export function skipQuoted(text: string, at: number): { to: number; comment: boolean } | undefined {
  const two = text.slice(at, at + 2);
  if (two === '//' || (text[at] === '#' && /[\s,(]/.test(text[at - 1] ?? ' ')))
    return { to: lineEnd(text, at), comment: true };
  if (two === '/*') return { to: after(text, '*/', at + 2), comment: true };
  const three = text.slice(at, at + 3);
  if (three === '"""' || three === "'''") return { to: after(text, three, at + 3), comment: false };
  const quote = text[at];
  if (quote !== '"' && quote !== "'" && quote !== '`') return undefined;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === quote) return { to: i + 1, comment: false };
    else if (text[i] === '\n' && quote !== '`') return { to: i, comment: false };
  }
  return { to: text.length, comment: false };
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};
const after = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
};
