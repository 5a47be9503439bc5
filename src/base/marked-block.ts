/**
 * A part of somebody else's text file that is ours: it stands between two marks, is put in once, and is taken out
 * again so that the rest is what it was.
 */

export interface Marks {
  readonly begin: string;
  readonly end: string;
}

/** The marks as comments that begin with `comment`. */
export const marksIn = (comment: string): Marks => ({
  begin: `${comment} codeplan: begin`,
  end: `${comment} codeplan: end`,
});

/**
 * The text with the block as its last part, after an empty line, and after none where the text's last line has no end:
 * so that end can go again. A block that it had elsewhere is gone.
 */
export function withBlock(text: string, { begin, end }: Marks, body: string): string {
  const rest = withoutBlock(text, { begin, end });
  return `${rest === '' ? '' : `${rest}\n`}${begin}\n${body.trimEnd()}\n${end}\n`;
}

/** The text without the block; the same text where it has none. */
export function withoutBlock(text: string, { begin, end }: Marks): string {
  const from = text.indexOf(begin);
  const to = text.indexOf(end, from);
  if (from < 0 || to < 0) return text;
  const before = text.slice(0, from);
  const after = text.slice(to + end.length).replace(/^\n/, '');
  return after === '' ? before.replace(/\n$/, '') : before.replace(/\n\n$/, '\n') + after;
}
