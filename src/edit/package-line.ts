/**
 * What models write around a whole type by habit, as if the answer were the file: Java's `package a.b;`, C#'s
 * `namespace A.B;` and `namespace A.B { }`. Where the file says the same, it goes; another one stays, and is refused.
 */
import { D, type Summary } from '../syntax/summary.js';

/** Such a line, with only imports, comments and blank lines above it. */
const LINE =
  /^(?:[ \t]*(?:(?:using|import|\/\/|\/\*|\*)[^\n]*)?\n)*?((package|namespace)[ \t]+([\w.]+)[ \t]*;[ \t]*(?:\n|$))/;

/** The answer without them; itself where it has none, or one that `text` does not say. */
export function withoutPackage(answer: string, text: string, summarise: (text: string) => Summary): string {
  const line = LINE.exec(answer);
  if (line !== null) {
    const [all, whole = '', word = '', name = ''] = line;
    const start = all.length - whole.length;
    return isSaid(text, word, name) ? answer.slice(0, start) + answer.slice(start + whole.length) : answer;
  }
  const { decls } = summarise(answer);
  for (let row = 0; row < decls.count; row++) {
    if (decls.kindOf(row) !== D.namespace) continue;
    const [start, end] = [decls.startOf(row), decls.endOf(row)];
    const opened = /^namespace[ \t]+([\w.]+)\s*\{/.exec(answer.slice(start, end));
    const isLast = answer.slice(end).trim() === '' && answer[end - 1] === '}';
    if (opened === null || !isLast || !isSaid(text, 'namespace', opened[1] ?? '')) return answer;
    return (
      answer.slice(0, start) +
      answer
        .slice(start + opened[0].length, end - 1)
        .replace(/^[ \t]*\n/, '')
        .trimEnd()
    );
  }
  return answer;
}

function isSaid(text: string, word: string, name: string): boolean {
  return text.split(/\r\n|\r|\n/).some((line) => {
    const [, said, as] = /^\uFEFF?[ \t]*(package|namespace)[ \t]+([\w.]+)[ \t]*[;{]?/.exec(line) ?? [];
    return said === word && as === name;
  });
}
