/**
 * Names in Javadoc: `{@link A#b(C)}`, `@see`, `@param x`, `@throws E`, as rows with role `doc`.
 *
 * A comment is read in the scope of the declaration that follows it, so that `@param x` finds the
 * parameter and `#b` a member of the type. A reference to a constructor (`A#A(int)`, `#A()`) names
 * the type. HTML, `@see "text"` and Markdown comments (`///`) are not read.
 */
import { E, R, S } from '../../syntax/summary.js';
import { EXTRA } from '../../syntax/flat-tree.js';
import { K } from './kinds.js';
import type { Walk } from './walk.js';

/** Tags that a type or member follows. */
const REFERENCE_TAGS: ReadonlySet<string> = new Set([
  'link',
  'linkplain',
  'see',
  'throws',
  'exception',
  'value',
  'uses',
  'provides',
]);
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const TAG = /[a-zA-Z]+/y;
const BLANKS = /[ \t\r\n]+(?:\*(?!\/)[ \t]*)?/y;

/** Adds the rows of every documentation comment of the file. */
export function documentation(w: Walk): void {
  const { tree } = w;
  for (let n = 1; n < tree.length; n++) {
    if (w.kind(n) !== K.block_comment || !tree.text.startsWith('/**', w.start(n))) continue;
    new DocReader(w, w.end(n) - 2, scopeOf(w, n)).read(w.start(n) + 3);
  }
}

/** The scope of what a comment documents: the next sibling that is no comment. */
function scopeOf(w: Walk, comment: number): number {
  const { tree } = w;
  const stop = w.after(tree.parent[comment] as number);
  let next = w.after(comment);
  while (next < stop && ((tree.flags[next] as number) & EXTRA) !== 0) next = w.after(next);
  return next < stop ? (w.state.documented.get(w.start(next)) ?? 0) : 0;
}

/** Reads one comment; `end` is where its text ends. */
class DocReader {
  private at = 0;
  constructor(
    private readonly w: Walk,
    private readonly end: number,
    private readonly scope: number,
  ) {}

  read(from: number): void {
    const { text } = this.w.tree;
    for (
      let at = text.indexOf('@', from);
      at !== -1 && at < this.end;
      at = text.indexOf('@', Math.max(at + 1, this.at))
    ) {
      this.at = at + 1;
      const tag = this.match(TAG);
      const inline = text.charCodeAt(at - 1) === 0x7b; /* { */
      if (!inline && !this.beginsLine(at)) continue;
      if (tag === 'param' && !inline) this.parameter();
      else if (REFERENCE_TAGS.has(tag)) this.reference();
    }
  }

  private beginsLine(at: number): boolean {
    const { text } = this.w.tree;
    for (let i = at - 1; i >= 0; i--) {
      const c = text.charCodeAt(i);
      if (c === 10) return true;
      if (c !== 32 && c !== 9 && c !== 13 && c !== 0x2a /* * */) return false;
      if (text.startsWith('/**', i - 2) && c === 0x2a) return true;
    }
    return true;
  }

  /** The text that the pattern matches here, '' for none; goes behind it. */
  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.w.text);
    if (found === null || this.at + found[0].length > this.end) return '';
    this.at += found[0].length;
    return found[0];
  }

  private eat(character: string): boolean {
    if (this.at >= this.end || this.w.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private row(name: string, base: number): number {
    const start = this.at - name.length;
    return this.w.build.expr(base === -1 ? E.name : E.member, start, this.at, this.scope, name, base, -1, R.doc);
  }

  private parameter(): void {
    this.match(BLANKS);
    this.eat('<');
    const name = this.match(NAME);
    if (name !== '') this.row(name, -1);
  }

  /** `module/a.b.C#m(D, E...)`; any part may be missing. */
  private reference(): void {
    this.match(BLANKS);
    const type = this.path();
    if (!this.eat('#')) return;
    const member = this.match(NAME);
    if (member === '') return;
    const ownType = type.name === '' ? this.enclosingType() : type.name;
    const row = this.row(member, member === ownType ? -1 : type.row);
    if (this.eat('(')) this.w.build.setDocumentedTypes(row, this.parameterTypes());
  }

  private path(): { row: number; name: string } {
    let row = -1;
    let name = '';
    for (let part = this.match(NAME); part !== ''; part = this.match(NAME)) {
      if (this.eat('/')) {
        row = -1;
        name = '';
        continue;
      }
      row = this.row(part, row);
      name = part;
      if (!this.eat('.')) break;
    }
    return { row, name };
  }

  /** Rows of the types up to the closing bracket. */
  private parameterTypes(): number[] {
    const rows: number[] = [];
    while (this.at < this.end && !this.eat(')')) {
      const before = this.at;
      this.match(BLANKS);
      const { row } = this.path();
      if (row !== -1) {
        rows.push(row);
        this.match(BLANKS);
        // A parameter's name may follow its type; it names nothing.
        this.match(NAME);
      }
      while (this.eat('.') || this.eat('[') || this.eat(']') || this.eat(',')) continue;
      if (this.at === before) return rows;
    }
    return rows;
  }

  private enclosingType(): string {
    const { build } = this.w;
    for (let scope = this.scope; scope !== -1; scope = build.scopeParent(scope)) {
      const owner = build.scopeOwner(scope);
      if (owner !== -1 && build.get(owner, 'inner') === scope && build.scopeKind(scope) === S.class)
        return build.declName(owner);
    }
    return '';
  }
}
