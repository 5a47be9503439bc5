/**
 * What a person is shown of names and texts that others chose: repositories, models, tools, settings.
 *
 * A control character or escape would command the terminal, a bidirectional mark reorders what is
 * read, and an invisible character makes two names look like one. None of them is shown as itself.
 * Data for programs stays what it is: in JSON such a character is only written another way.
 */

/** All but tab and line feed, for use inside of a character class. */
const HIDDEN = [
  // controls
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f',
  // what has no width (fillers, joiners, selectors of a variant), and what sets the direction
  '\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb',
  // separators of lines and paragraphs, halves of characters
  '\\u2028\\u2029\\p{Cs}',
].join('');
/** A picture that is to be shown in colour has a selector behind it, which says nothing else there. */
const HIDDEN_IN_TEXT = new RegExp(`(?!(?<=\\p{Extended_Pictographic})\\ufe0f)[${HIDDEN}]`, 'gu');
const HIDDEN_IN_NAME = new RegExp(`[${HIDDEN}\\t\\n]`, 'u');
const QUOTED_IN_NAME = new RegExp(`[${HIDDEN}\\t\\n"\\\\]`, 'gu');

const LETTERS: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  "'": "\\'",
  '\\': '\\\\',
};

/**
 * Code, a sentence, an answer: tabs and line feeds stay, each other hidden character becomes
 * `[U+001B]`. A carriage return counts as hidden, since it lets a line be written over.
 */
export function shownText(text: string): string {
  return text.replace(
    HIDDEN_IN_TEXT,
    (character) => `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** A text in one line: each run of white space is one space. */
export const shownInLine = (text: string): string => shownText(text.replace(/[\t\n\r ]+/gu, ' '));

/**
 * A file's name or path, as git prints it: itself, or in double quotes with C's escapes (octal
 * of the UTF-8 bytes) if it has a hidden character, a quote or a backslash. Letters of all languages
 * stay, as with git's `core.quotePath=false`.
 */
export function shownName(name: string): string {
  const quoted = name.replace(QUOTED_IN_NAME, escaped);
  return quoted === name ? name : `"${quoted}"`;
}

/** A word to copy into a POSIX shell: in quotes if it needs them, in `$'…'` if it has a hidden character. */
export function shownWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/u.test(word)) return word;
  return HIDDEN_IN_NAME.test(word)
    ? `$'${word.replace(QUOTED_IN_NAME, escaped).replaceAll("'", "\\'")}'`
    : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * The lines of a unified diff. Where every line of the file ends with CR LF the CR is part of the
 * line break and is left out; where only some do, it is what a reader has to see.
 */
export function shownDiff(diff: string): string[] {
  const lines = diff.replace(/\n$/u, '').split('\n');
  const isOfFile = (line: string): boolean => /^[-+ ]/u.test(line) && !/^(?:---|\+\+\+) /u.test(line);
  const endsAlike = lines.every((line) => !isOfFile(line) || line.endsWith('\r'));
  return lines.map((line) => shownText(endsAlike ? line.replace(/\r$/u, '') : line));
}

/** A document for programs that is safe to look at: the same data, hidden characters as `\u001b`. */
export function shownJson(document: unknown, indent?: number): string {
  return JSON.stringify(document, null, indent).replace(HIDDEN_IN_TEXT, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

function escaped(character: string): string {
  return (
    LETTERS[character] ??
    [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
  );
}
