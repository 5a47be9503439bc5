/**
 * Types written inside strings: `"Foo"`, `"a.b.Foo[int] | None"`.
 *
 * A small parser over the characters, since the grammar sees only a string. It makes the same
 * rows as `types.ts`, at the offsets of the names inside the string. What it cannot read ends
 * the parse; the names up to there keep their rows.
 */
import { E, R, TAKES } from '../../syntax/summary.js';
import { applied, namedType, qualifiedType } from './type-forms.js';
import type { Walk } from './walk.js';

const NAME = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** Deeper nesting of brackets ends the parse. */
const DEPTH_MOST = 30;

/** Row of the type in `text[start..end)`. */
export function stringType(w: Walk, start: number, end: number, scope: number): number {
  const parser = new StringTypeParser(w, start, end, scope);
  const row = parser.union(0);
  return row === -1 ? w.build.expr(E.literal, start, end, scope, 'str') : row;
}

class StringTypeParser {
  constructor(
    private readonly w: Walk,
    private at: number,
    private readonly end: number,
    private readonly scope: number,
  ) {}

  /** `A | B`; -1 if there is no type here. */
  union(depth: number): number {
    const start = this.at;
    const rows: number[] = [];
    do {
      const row = this.applied(depth);
      if (row === -1) break;
      rows.push(row);
    } while (this.takes('|'));
    const [only] = rows;
    return only === undefined
      ? -1
      : rows.length === 1
        ? only
        : this.w.build.expr(E.union, start, this.at, this.scope, '', -1, this.w.build.list(rows), R.type);
  }

  /** `a.b.C[X, Y]`. */
  private applied(depth: number): number {
    if (depth > DEPTH_MOST) return -1;
    const { w, scope } = this;
    this.blanks();
    const start = this.at;
    const c = w.text[start];
    if (start >= this.end) return -1;
    if (c === '[' || c === '(') return this.bracketed(depth, c);
    if (c === '"' || c === "'") {
      const close = this.closing(c);
      return stringType(w, start + 1, close, scope);
    }
    if (w.text.startsWith('...', start)) {
      this.at += 3;
      return w.build.expr(E.other, start, this.at, scope);
    }
    let name = this.name();
    if (name === '') return -1;
    let row =
      name === 'None'
        ? w.build.expr(E.literal, start, this.at, scope, 'null')
        : namedType(w, name, this.row(E.name, name, -1), start, this.at, scope);
    while (this.takes('.')) {
      this.blanks();
      const member = this.name();
      if (member === '') return row;
      w.build.setRole(row, R.read);
      row = qualifiedType(w, name, member, this.row(E.member, member, row), start, this.at, scope);
      name = member;
    }
    if (!this.takes('[')) return row;
    if (name === 'Callable') return this.callable(depth, start);
    const rows = this.list(depth, ']', name === 'Literal');
    return applied(w, name, row, rows, start, this.at, scope);
  }

  /** `[A, B], C]` of a `Callable`. */
  private callable(depth: number, start: number): number {
    let params: readonly number[] = [];
    const isListed = this.takes('[');
    if (isListed) params = this.list(depth, ']', false);
    else this.union(depth + 1);
    const result = this.takes(',') ? this.union(depth + 1) : -1;
    this.takes(']');
    const list = this.w.build.list(params);
    const takes = isListed ? '' : TAKES.any;
    return this.w.build.expr(E.functionType, start, this.at, this.scope, takes, result, list, R.type);
  }

  private row(op: typeof E.name | typeof E.member, name: string, receiver: number): number {
    const start = this.at - name.length;
    return this.w.build.expr(op, start, this.at, this.scope, name, receiver, -1, R.type);
  }

  private bracketed(depth: number, open: '[' | '('): number {
    const start = this.at++;
    const rows = this.list(depth, open === '[' ? ']' : ')', false);
    const [only] = rows;
    if (open === '(' && rows.length === 1 && only !== undefined) return only;
    return this.w.build.expr(E.list, start, this.at, this.scope, 'tuple', -1, this.w.build.list(rows), R.type);
  }

  private list(depth: number, close: string, isLiteral: boolean): number[] {
    const rows: number[] = [];
    while (!this.takes(close)) {
      const from = this.at;
      const row = isLiteral ? this.value() : this.union(depth + 1);
      if (row !== -1) rows.push(row);
      if (!this.takes(',') && this.at === from) break;
    }
    return rows;
  }

  /** A value in `Literal[...]`. */
  private value(): number {
    this.blanks();
    const start = this.at;
    const c = this.w.text[start];
    if (c === '"' || c === "'") {
      this.closing(c);
      return this.w.build.expr(E.literal, start, this.at, this.scope, 'str');
    }
    while (this.at < this.end && !/[,\]]/.test(this.w.text[this.at] as string)) this.at++;
    return this.at === start ? -1 : this.w.build.expr(E.other, start, this.at, this.scope);
  }

  /** Goes past a nested string and gives the offset of its closing quote. */
  private closing(quote: string): number {
    const found = this.w.text.indexOf(quote, this.at + 1);
    const close = found === -1 || found >= this.end ? this.end : found;
    this.at = Math.min(this.end, close + 1);
    return close;
  }

  private name(): string {
    NAME.lastIndex = this.at;
    const found = NAME.exec(this.w.text);
    if (found === null || found.index + found[0].length > this.end) return '';
    this.at += found[0].length;
    return found[0];
  }

  private takes(c: string): boolean {
    this.blanks();
    if (this.at >= this.end || this.w.text[this.at] !== c) return false;
    this.at++;
    return true;
  }

  private blanks(): void {
    while (this.at < this.end && /\s/.test(this.w.text[this.at] as string)) this.at++;
  }
}
