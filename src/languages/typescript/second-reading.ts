/**
 * A TypeScript text as its grammar can read it, where it found errors.
 *
 * The grammar lags behind the language in a few places that real code is full of, and can lose the
 * rest of a file over one of them:
 *
 *     interface F {
 *       (a: A): B<A>        no `;`, and the next member begins with `<`: type arguments, for it
 *       <T>(a: T): B<T>
 *     }
 *     interface P<in I, out O>              variance
 *     export type * from './a'              a re-export of types
 *     abstract override x: T                modifiers in this order
 *     f<typeof import('a')>()               an import in the type argument of a call
 *     { using: string }                     a keyword as a name
 */
import type { ParserInput } from '../../syntax/grammar.js';
import { flowAsTypeScript } from './flow-types.js';

/** A blank before the type parameters with which a line begins. */
const BEFORE_PARAMETERS = /[ \t\r\n](?=<\s*(?:const\s+)?[A-Za-z_$][\w$]*\s*(?:,|>|=|extends\b))/g;
/** With what a member ends: a name, a literal, or a bracket that closes. */
const MEMBER_END = /[\w$\])}"'`]$|(?:^|[^=])>$/;
const LINE_COMMENT = /(?:^|(?<=[\s;,{}]))\/\/.*$/;

const VARIANCE = /(?<=[<,]\s*)(?:(?:in|out)\s+){1,2}(?=[A-Za-z_$][\w$]*\s*(?:[,>=]|extends\b))/g;
const TYPE_STAR = /(?<=\bexport\s+)type(?=\s*\*)/g;
const ABSTRACT_OVERRIDE = /(?<=\babstract\s+)override\b/g;
const IMPORT_TYPE = /(?<=\b(?:typeof|readonly)\s+)import\s*\(\s*(?:'[^'\r\n]*'|"[^"\r\n]*")\s*\)/g;

/** `using` as a name. */
const NAMED_USING = /\busing\b(?=\s*[:;,=.?)\]}])/g;

/**
 * The text with `;` for such line breaks, blanks for such words, and a name for such imports. A JavaScript file is read
 * by the grammar that knows types: it has those of Flow then.
 */
export function secondReading({ grammar, seen }: ParserInput): ParserInput {
  const text = asGrammarHasIt(seen);
  return grammar === 'javascript' ? { grammar: 'tsx', seen: flowAsTypeScript(text) } : { grammar, seen: text };
}

function asGrammarHasIt(seen: string): string {
  let text = seen.replace(BEFORE_PARAMETERS, (space: string, at: number) => (endsMember(seen, at + 1) ? ';' : space));
  for (const words of [VARIANCE, TYPE_STAR, ABSTRACT_OVERRIDE])
    text = text.replace(words, (word) => word.replace(/[^\r\n]/g, ' '));
  return text.replace(IMPORT_TYPE, (words) => words.replace(/\W/g, '_')).replace(NAMED_USING, 'usinx');
}

/** Whether the code before this offset, on an earlier line, can end a member. */
function endsMember(text: string, at: number): boolean {
  const end = endOfCode(text, at);
  return text.slice(end, at).includes('\n') && MEMBER_END.test(text.slice(Math.max(0, end - 2), end));
}

/** Where the last code before an offset ends: blanks and comments left out. */
function endOfCode(text: string, at: number): number {
  let end = at;
  for (;;) {
    while (end > 0 && (text[end - 1] as string) <= ' ') end--;
    if (text.startsWith('*/', end - 2)) {
      const start = text.lastIndexOf('/*', end - 3);
      if (start < 0) return end;
      end = start;
      continue;
    }
    const line = text.lastIndexOf('\n', end - 1) + 1;
    const comment = LINE_COMMENT.exec(text.slice(line, end));
    if (comment === null) return end;
    end = line + comment.index;
  }
}
