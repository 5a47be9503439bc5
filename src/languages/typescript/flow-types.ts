/**
 * Flow's types as TypeScript's grammar can read them. It knows most of them, since the two languages write types alike
 * and it has `?T` and `(value: T)`; what is Flow's alone is written in another way, of the same length:
 *
 *     {| a: A |}               { a: A }          exact
 *     { a: A, ... }            { a: A, }         inexact
 *     { +a: A, -b: B }, <+T>   { a: A, b: B }    variance
 *     {| ...A, b: B |}         { _: A, b: B }    a spread: a member of that type; `isSpread` tells
 *     opaque type A: B = C     type A = C        also without `= C`; its bound is not read
 *     import typeof A          import type A     also in braces
 *     interface { a: A }       { a: A }          as a type
 *     ?() => void, (?A) => B   () => void        `?` before a parenthesis, and of a parameter without a name
 *     boolean %checks          boolean
 *
 * One pass over the words. What an object's braces are is told from what stands before them; where that says little,
 * they are no type, and a spread in them stays an error of its own place.
 */

/** Words, strings (to the end of the line at most), comments, and marks. */
const TOKEN = new RegExp(
  [
    /[A-Za-z_$][\w$]*|\d[\w.]*/,
    /"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?/,
    /\/\/.*|\/\*[^]*?(?:\*\/|$)/,
    /\.\.\.|=>|\{\||\|\}|[^\s\w$]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const SIGNED_MEMBER = /[+-]\s{0,2}(?:[\w$]+\??\s{0,2}:|\[)/y;
const SIGNED_PARAMETER = /[+-][\w$]+\s{0,2}[,>:=]/y;
const MAYBE_FUNCTION = /\?\s{0,2}[(<]/y;
const MAYBE_ALONE = /\?\s{0,2}[\w$.]+\s{0,2}[,)]/y;
const OPAQUE_TYPE = /opaque(\s{1,4}type\s{1,4}[\w$]+(?:<[^<>]{0,200}>)?)(\s{0,8}:[^=;\r\n]{0,400})?/y;
const INTERFACE_TYPE = /interface\s{0,4}\{/y;
/** After which a type may begin that no name stands before. */
const BEFORE_TYPES = new Set(['=', ':', '|', '&', '<', ',', '?', '(', '[', '=>']);
const BEFORE_MEMBERS = new Set(['{', '{|', ',', ';', '}', 'static']);
const HAVE_PARAMETERS = new Set(['class', 'type', 'interface', 'function']);
const BEGINS_STATEMENT = new Set([';', 'const', 'let', 'var', 'function', 'class', 'export', 'import', 'return', 'if']);

/** An open bracket. */
interface Open {
  readonly mark: string;
  readonly is: 'object type' | 'import' | 'type parameters' | 'other';
  /** A `?` of a conditional stands in it since the last comma. */
  choice: boolean;
}

/** Whether what the grammar takes for a member at this offset of the text itself is a spread of Flow's. */
export const isSpread = (text: string, at: number): boolean => text.startsWith('...', at);

/** Equally long. */
export function flowAsTypeScript(text: string): string {
  return new FlowReader(text).read();
}

const blank = (words: string): string => words.replace(/[^\r\n]/g, ' ');

class FlowReader {
  private readonly out: string[] = [];
  private done = 0;
  private readonly open: Open[] = [];
  /** The last two words or marks. */
  private last = '';
  private beforeLast = '';
  /** Where dots stand of which the next word says what they are. */
  private dotsAt = -1;
  /** Whether a word stands in `type A = …`, and how far in. */
  private alias: 'none' | 'name' | 'parameters' | 'value' = 'none';

  constructor(private readonly text: string) {}

  read(): string {
    for (const { 0: word, index: at } of this.text.matchAll(TOKEN)) {
      if (word.startsWith('//') || word.startsWith('/*')) continue;
      this.alias = this.aliasAfter(word);
      if (this.dotsAt !== -1) this.endDots(word);
      this.step(word, at);
      this.beforeLast = this.last;
      this.last = word;
    }
    this.out.push(this.text.slice(this.done));
    return this.out.join('');
  }

  private aliasAfter(word: string): typeof this.alias {
    if (word === 'type' && this.last !== '.') return 'name';
    if (this.alias === 'name') return /^[A-Za-z_$]/.test(word) ? 'parameters' : 'none';
    if (this.alias === 'parameters' && word === '=' && this.open.at(-1)?.is !== 'type parameters') return 'value';
    return BEGINS_STATEMENT.has(word) && this.open.at(-1)?.is !== 'object type' ? 'none' : this.alias;
  }

  private step(word: string, at: number): void {
    const top = this.open.at(-1);
    switch (word) {
      case '{|':
      case '{':
        if (word === '{|') this.write(at + 1, ' ');
        this.open.push({ mark: '{', is: this.kindOfBraces(word, top), choice: false });
        return;
      case '(':
      case '[':
        this.open.push({ mark: word, is: 'other', choice: false });
        return;
      case '|}':
        this.write(at, ' ');
        return this.close('{');
      case '}':
        return this.close('{');
      case ')':
        return this.close('(');
      case ']':
        return this.close('[');
      case '<':
        if (HAVE_PARAMETERS.has(this.beforeLast)) this.open.push({ mark: '<', is: 'type parameters', choice: false });
        return;
      case '>':
        if (top?.is === 'type parameters') this.close('<');
        return;
      case ',':
        if (top !== undefined) top.choice = false;
        return;
      case '...':
        this.dotsAt = at;
        return;
      default:
        return this.markOrName(word, at, top);
    }
  }

  private markOrName(word: string, at: number, top: Open | undefined): void {
    const { last } = this;
    switch (word) {
      case '+':
      case '-':
        return this.sign(at, top);
      case '?':
        return this.question(at, top);
      case '%':
        if (this.text.startsWith('%checks', at)) this.write(at, ' '.repeat('%checks'.length));
        return;
      case 'typeof':
        if (last === 'import' || (top?.is === 'import' && (last === '{' || last === ','))) this.write(at, 'type  ');
        return;
      case 'interface':
        if (BEFORE_TYPES.has(last) && this.sees(INTERFACE_TYPE, at)) this.write(at, blank(word));
        return;
      case 'opaque': {
        OPAQUE_TYPE.lastIndex = at;
        const found = OPAQUE_TYPE.exec(this.text);
        if (found !== null) this.write(at, blank(word) + (found[1] ?? '') + blank(found[2] ?? ''));
      }
    }
  }

  private sign(at: number, top: Open | undefined): void {
    const isMember = BEFORE_MEMBERS.has(this.last) && this.sees(SIGNED_MEMBER, at);
    const isParameter = top?.is === 'type parameters' && this.sees(SIGNED_PARAMETER, at);
    if (isMember || isParameter) this.write(at, ' ');
  }

  private question(at: number, top: Open | undefined): void {
    const { last } = this;
    const isAlone = (last === '(' || last === ',') && this.sees(MAYBE_ALONE, at);
    if (!BEFORE_TYPES.has(last)) {
      if (top !== undefined && !this.text.startsWith(':', at + 1)) top.choice = true;
    } else if (isAlone || this.sees(MAYBE_FUNCTION, at)) this.write(at, ' ');
  }

  private kindOfBraces(word: string, around: Open | undefined): Open['is'] {
    const { last, beforeLast } = this;
    if (word === '{|' || around?.is === 'object type') return 'object type';
    if (last === 'import' || (beforeLast === 'import' && (last === 'type' || last === 'typeof'))) return 'import';
    if (this.alias === 'value' && BEFORE_TYPES.has(last)) return 'object type';
    const isAnnotation = last === ':' || (last === '?' && beforeLast === ':');
    const isParameter = isAnnotation && around?.mark === '(' && !around.choice;
    return isParameter || last === '<' ? 'object type' : 'other';
  }

  private close(mark: string): void {
    while (mark !== '<' && this.open.at(-1)?.mark === '<') this.open.pop();
    if (this.open.at(-1)?.mark === mark) this.open.pop();
  }

  /** In front of the end of an object dots mean that it may have more, in front of a name its members. */
  private endDots(word: string): void {
    if (word === ',' && this.last === '...') return;
    if (word === '}' || word === '|}') this.write(this.dotsAt, '   ');
    else if (this.open.at(-1)?.is === 'object type' && this.last === '...' && /^[\w$]/.test(word))
      this.write(this.dotsAt, '_: ');
    this.dotsAt = -1;
  }

  private sees(pattern: RegExp, at: number): boolean {
    pattern.lastIndex = at;
    return pattern.test(this.text);
  }

  /** Nothing where the text was written already, as in the bound of an opaque type. */
  private write(at: number, words: string): void {
    if (at < this.done) return;
    this.out.push(this.text.slice(this.done, at), words);
    this.done = at + words.length;
  }
}
