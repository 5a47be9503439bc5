/**
 * Answers that leave code out and say so in a comment (`# ... rest of the method unchanged`) instead
 * of writing it. Put into the file, such an answer deletes what it does not say.
 *
 * Errs towards refusing: an answer that is asked for again costs one question, code that is lost in
 * silence costs more. A comment that the fragment has already is none, whatever it says.
 */
import type { LanguageId } from '../syntax/summary.js';
import { commentsOf, withoutLiterals } from './literal-lines.js';

const DOTS = /\.{3}|\u2026/;
const ONLY_DOTS = /^(?:\.{3,}|\u2026)+$/;
/** Words that beside dots speak of code that is not written out. */
const CODE_WORDS =
  /\b(?:rest|remain\w*|existing|unchanged|same|previous|original|others?|omitted|as before|implementation|code|body|methods?|members?|fields?|lines?|logic)\b/i;
/** The same said without dots. */
const IN_WORDS: readonly RegExp[] = [
  /\b(?:rest|remainder) of (?:the |this |its )?(?:\w+ )?(?:code|method|function|class|file|body|implementation|module|logic|block|members|methods|fields)\b/i,
  /\b(?:existing|other|remaining|previous|original) (?:code|methods?|members?|fields?|functions?|implementation|logic|lines?|body)\b.*\b(?:here|unchanged|stays?|remains?|as before|as is|omitted)\b/i,
  /^(?:code |body |implementation )?(?:unchanged|omitted|(?:the )?same as before|as before|no changes?(?: here| needed)?)\.?$/i,
  /\b(?:omitted|elided|snipped|truncated) for (?:brevity|clarity)\b/i,
];

/** What stands in the answer where code should be, trimmed; undefined where the answer leaves nothing out. */
export function elisionIn(answer: string, fragment: string, language: LanguageId): string | undefined {
  const known = new Set(commentsOf(fragment, language).map((comment) => comment.trim()));
  const comment = commentsOf(answer, language)
    .map((each) => each.trim())
    .find((each) => !known.has(each) && isElision(wordsOf(each)));
  return comment ?? dotsAmongStatements(answer, fragment, language);
}

function isElision(words: string): boolean {
  return (
    ONLY_DOTS.test(words) ||
    (DOTS.test(words) && CODE_WORDS.test(words)) ||
    IN_WORDS.some((pattern) => pattern.test(words))
  );
}

function wordsOf(comment: string): string {
  return comment
    .replace(/^(?:\/\*+|\/\/+|#+)/, '')
    .replace(/\*+\/$/, '')
    .trim();
}

/** A line of dots alone beside other statements: the whole of a body may be dots, a part of one is left out. */
function dotsAmongStatements(answer: string, fragment: string, language: LanguageId): string | undefined {
  const lines = codeLines(answer, language);
  const isDots = (line: string): boolean => ONLY_DOTS.test(line.trim());
  if (lines.filter(isDots).length <= codeLines(fragment, language).filter(isDots).length) return undefined;
  const depth = (line: string): number => line.length - line.trimStart().length;
  const found = lines.find((line, i) => {
    if (!isDots(line)) return false;
    const [before, after] = [lines[i - 1], lines[i + 1]];
    const isBeside = (other: string | undefined): boolean => other !== undefined && depth(other) === depth(line);
    return isBeside(before) || isBeside(after);
  });
  return found?.trim();
}

function codeLines(text: string, language: LanguageId): string[] {
  return withoutLiterals(text, language, 's')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
