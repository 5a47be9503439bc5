/**
 * Whether the indentation of a text makes sense where blocks are told by it (Python).
 *
 * The parser recovers from lines that dedent to no level in use and tells of no error, while the
 * language refuses the whole file. The rule is that of the language reference: a deeper line only
 * below one that opens a block, a shallower one only back to a level in use.
 */
import type { LanguageId } from '../syntax/summary.js';
import { linesInsideLiterals, withoutLiterals } from './literal-lines.js';
import { leadingBlanks } from './indentation.js';

/** 1-based numbers of the lines whose indentation fits no level. Line breaks are `\n` or `\r\n`. */
export function misplacedLines(text: string, language: LanguageId): number[] {
  const source = text.replace(/^\uFEFF/, '');
  const inside = linesInsideLiterals(source, language);
  const misplaced: number[] = [];
  const levels = [''];
  let depth = 0;
  let opens = false;
  let goesOn = false;
  withoutLiterals(source, language, 's')
    .split('\n')
    .forEach((line, i) => {
      const code = line.trimEnd();
      if (depth === 0 && !goesOn && !inside.has(i)) {
        if (code.trim() === '') return;
        if (!fits(leadingBlanks(line), levels, opens)) misplaced.push(i + 1);
        opens = false;
      }
      depth = Math.max(0, depth + bracketsIn(code));
      goesOn = code.endsWith('\\');
      if (code.trim() !== '') opens = depth === 0 && code.endsWith(':');
    });
  return misplaced;
}

/** Takes the line's level into `levels`. */
function fits(blanks: string, levels: string[], opens: boolean): boolean {
  const last = (): string => levels[levels.length - 1] ?? '';
  if (blanks.length > last().length && blanks.startsWith(last())) {
    levels.push(blanks);
    return opens;
  }
  const wasDeeper = blanks !== last();
  while (levels.length > 1 && last().length > blanks.length) levels.pop();
  if (last() === blanks) return wasDeeper || !opens;
  levels.push(blanks);
  return false;
}

function bracketsIn(code: string): number {
  let open = 0;
  for (const sign of code) {
    if ('([{'.includes(sign)) open++;
    else if (')]}'.includes(sign)) open--;
  }
  return open;
}
