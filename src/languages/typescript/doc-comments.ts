/**
 * Names in documentation comments: `@param x`, `{@link A.b}`, `{@link A#b}`, `@see A`, and the
 * names in `{braces}` after a tag, which are types; `import('./x').A` among them imports. They are rows with role `doc`
 * in the scope of what the comment documents, so that `@param x` finds the parameter. A link to a bare name has two:
 * for the name, and for a member of the class around, which it means where the name means nothing.
 */
import { E, R } from '../../syntax/summary.js';
import { K } from './kinds.js';
import type { Walk } from './walk.js';

const TAG =
  /@(param|arg|argument|property|prop|typedef|callback|template|see|link|linkcode|linkplain|type|returns?|throws|yields?|extends|augments|implements)\b[ \t]*/g;
const PATH = /[A-Za-z_$][\w$]*(?:[.#~][A-Za-z_$][\w$]*)*/y;
/** `a.B`, and `import('./x').B`, whose module is the first group and whose path the second. */
const TYPE_NAMES =
  /\bimport[ \t]*\([ \t]*["']([^"'\n]+)["'][ \t]*\)((?:\.[A-Za-z_$][\w$]*)*)|[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*/g;
/** Tags whose first word after an optional type is a name. */
const NAMING: ReadonlySet<string> = new Set([
  'param',
  'arg',
  'argument',
  'property',
  'prop',
  'see',
  'link',
  'linkcode',
  'linkplain',
]);
/** Tags that name a declaration: alone, perhaps a member of the class around. */
const LINKING: ReadonlySet<string> = new Set(['see', 'link', 'linkcode', 'linkplain']);

/** Rows of the comment that stands right before what starts at offset `start`; `node` is a node of it. */
export function docComment(w: Walk, start: number, node: number, scope: number): void {
  let first = node;
  while (first > 0 && w.start(w.tree.parent[first] as number) >= start && w.tree.parent[first] !== 0)
    first = w.tree.parent[first] as number;
  while (first > 1 && w.start(first - 1) >= start) first--;
  const comment = first - 1;
  if (comment <= 0 || w.kind(comment) !== K.comment) return;
  const from = w.start(comment);
  if (!w.text.startsWith('/**', from)) return;
  const text = w.textOf(comment);
  if (text.includes('@')) namesIn(w, text, from, scope);
}

function namesIn(w: Walk, text: string, from: number, scope: number): void {
  TAG.lastIndex = 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    let at = TAG.lastIndex;
    // `@see {@link A}`: what the braces hold is a tag of its own.
    if (text[at] === '{' && text[at + 1] === '@') continue;
    if (text[at] === '{') {
      const close = closingBrace(text, at);
      typeNames(w, text.slice(at + 1, close), from + at + 1, scope);
      at = close + 1;
      while (text[at] === ' ' || text[at] === '\t') at++;
    }
    if (text[at] === '[') at++;
    if (NAMING.has(match[1] as string)) path(w, text, at, from, scope, LINKING.has(match[1] as string));
    TAG.lastIndex = Math.max(TAG.lastIndex, at);
  }
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === '{') depth++;
    else if (text[i] === '}' && --depth === 0) return i;
  }
  return text.length;
}

function path(w: Walk, text: string, at: number, from: number, scope: number, isLink: boolean): void {
  PATH.lastIndex = at;
  const match = PATH.exec(text);
  if (match === null) return;
  const [name] = match;
  const start = from + at;
  pathRows(w, name, start, scope);
  if (isLink && !/[.#~]/.test(name))
    w.build.expr(
      E.member,
      start,
      start + name.length,
      scope,
      name,
      w.build.expr(E.this, start, start, scope, '', -1, -1, R.doc),
      -1,
      R.doc,
    );
}

function typeNames(w: Walk, text: string, from: number, scope: number): void {
  TYPE_NAMES.lastIndex = 0;
  for (let match = TYPE_NAMES.exec(text); match !== null; match = TYPE_NAMES.exec(text)) {
    const [all, module, names] = match;
    const start = from + match.index;
    if (module === undefined || names === undefined) pathRows(w, all, start, scope);
    else {
      const row = importedInType(w, module, start + all.search(/["']/) + 1, start, scope);
      if (names !== '') memberRows(w, row, names.slice(1), start + all.length - names.length + 1, scope);
    }
  }
}

function pathRows(w: Walk, text: string, from: number, scope: number): void {
  const [first = ''] = text.split(/[.#~]/, 1);
  const row = w.build.expr(E.name, from, from + first.length, scope, first, -1, -1, R.doc);
  if (first.length < text.length) memberRows(w, row, text.slice(first.length + 1), from + first.length + 1, scope);
}

/** Rows of `a.b` on what a row means. */
function memberRows(w: Walk, of: number, text: string, from: number, scope: number): void {
  let row = of;
  let at = 0;
  for (const part of text.split(/[.#~]/)) {
    const start = from + at;
    row = w.build.expr(E.member, start, start + part.length, scope, part, row, -1, R.doc);
    at += part.length + 1;
  }
}

/** The module of `import('./x')` in the type of a comment: its row, as a dynamic import has one. */
function importedInType(w: Walk, module: string, moduleStart: number, start: number, scope: number): number {
  const row = w.build.expr(E.name, start, start, scope, '', -1, -1, R.import);
  w.build.import({
    kind: 'module',
    module,
    name: '',
    decl: -1,
    expr: row,
    start,
    end: start,
    statementStart: start,
    statementEnd: start,
    moduleStart,
    typeOnly: true,
    global: false,
  });
  return row;
}
