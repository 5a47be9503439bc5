/**
 * Docstrings: what they name by convention becomes rows with role `doc`.
 *
 *     :param store: …            the parameter, in the function's scope
 *     :class:`~a.b.Store`        name `a`, members `b` and `Store`
 *     :meth:`put`                a member of the class around
 *     Args: / Parameters         Google and NumPy sections: the parameters listed
 *     Attributes:                members of the class
 *
 * Docstrings count for no hash. A name that is none of the function's parameters, such as one that
 * was just renamed, is a string: it leads nowhere, and follows a rename of what it named before. So is
 * one that a class's docstring gives as a parameter, which is its constructor's.
 */
import { D, E, R } from '../../syntax/summary.js';
import { K } from './kinds.js';
import type { Frame, Walk } from './walk.js';

const IDENTIFIER = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
/** `:param T x:`, `:raises E:`; groups: field, type, name. */
const FIELD_LIST = new RegExp(
  String.raw`:(param|parameter|arg|argument|key|keyword|kwarg|type|raises?|except|exception|ivar|cvar|var|vartype)[ \t]+(?:([^\s:][^:\n]*?)[ \t]+)?\*{0,2}(${IDENTIFIER}(?:\.${IDENTIFIER})*):`,
  'gu',
);
/** `:rtype: T`, `:type x: T`; the group is the type. */
const TYPE_FIELD = new RegExp(String.raw`:(?:rtype|(?:var)?type[ \t]+${IDENTIFIER}):[ \t]*([^\n:${'`'}]+)$`, 'gmu');
/** ``:class:`title <a.b>` ``; groups: role, what stands before the name, the name. */
const ROLE = new RegExp(
  String.raw`:(class|exc|func|meth|attr|data|const|obj|type):${'`'}([~!.]*|[^${'`'}<]*<[~!.]*)(${IDENTIFIER}(?:\.${IDENTIFIER})*)(?:\(\))?>?${'`'}`,
  'gu',
);
const SECTION =
  /^[ \t]*(Args|Arguments|Parameters|Other Parameters|Keyword Args|Keyword Arguments|Attributes)[ \t]*:?[ \t]*$/gm;
/** `x, *y : int` or `x (int): …`; the group holds the names. */
const ENTRY = new RegExp(
  String.raw`^[ \t]*(\*{0,2}${IDENTIFIER}(?:[ \t]*,[ \t]*\*{0,2}${IDENTIFIER})*)(?=\s*(?::|\([^\n]*\)\s*:|\s*$))`,
  'u',
);

/** Whether a statement is a string and nothing else. */
export function isDocumentation(w: Walk, node: number): boolean {
  if (w.kind(node) !== K.expression_statement) return false;
  const only = w.first(node);
  return only !== -1 && w.next(only) === -1 && w.kind(only) === K.string;
}

/** Adds the rows of a docstring. `scope` is that of the documented body. */
export function documentation(w: Walk, node: number, scope: number, frame: Frame): void {
  const text = w.text.slice(w.start(node), w.end(node));
  const offset = w.start(node);
  if (text.includes(':')) {
    for (const match of text.matchAll(FIELD_LIST)) fieldEntry(w, match, offset, scope, frame);
    for (const match of text.matchAll(TYPE_FIELD))
      typeNames(w, match[1] as string, offset + match.index + match[0].length - (match[1] as string).length, scope);
    if (text.includes(':`')) for (const match of text.matchAll(ROLE)) roleEntry(w, match, offset, scope, frame);
  }
  for (const match of text.matchAll(SECTION)) {
    const entry = match[1] !== 'Attributes' ? parameter : frame.kind === 'class' ? memberOfThis : undefined;
    if (entry !== undefined)
      section(text, match.index + match[0].length, (name, at) => entry(w, name, offset + at, scope));
  }
}

function fieldEntry(w: Walk, match: RegExpExecArray, offset: number, scope: number, frame: Frame): void {
  const [whole, field = '', type, name = ''] = match;
  const start = offset + match.index + whole.length - 1 - name.length;
  if (type !== undefined) typeNames(w, type, offset + match.index + whole.indexOf(type, field.length + 1), scope);
  if (/^(?:ivar|cvar|var|vartype)$/.test(field)) {
    if (frame.kind === 'class') memberOfThis(w, name, start, scope);
  } else if (/^(?:raises?|except|exception)$/.test(field)) path(w, name, start, scope);
  else parameter(w, name, start, scope);
}

/** The dotted names in the type of a field. */
function typeNames(w: Walk, type: string, start: number, scope: number): void {
  for (const match of type.matchAll(new RegExp(`${IDENTIFIER}(?:\\.${IDENTIFIER})*`, 'gu')))
    path(w, match[0], start + match.index, scope);
}

function roleEntry(w: Walk, match: RegExpExecArray, offset: number, scope: number, frame: Frame): void {
  const [, role = '', before = '', name = ''] = match;
  if (before.endsWith('!')) return;
  const start = offset + match.index + role.length + 3 + before.length;
  const isMember =
    (role === 'meth' || role === 'attr') &&
    !name.includes('.') &&
    (frame.kind === 'class' || frame.method !== undefined);
  if (isMember) memberOfThis(w, name, start, scope);
  else path(w, name, start, scope);
}

/** Gives the names that a section lists, and where, up to the first line that is less indented or is underlined. */
function section(text: string, from: number, give: (name: string, at: number) => void): void {
  let at = text.indexOf('\n', from) + 1;
  let indent = -1;
  while (at > 0 && at < text.length) {
    const end = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at);
    const line = text.slice(at, end);
    const entry = ENTRY.exec(line);
    const depth = line.length - line.trimStart().length;
    if (line.trim() !== '' && !/^\s*-+\s*$/.test(line)) {
      if (indent === -1) indent = depth;
      else if (depth < indent || /^\n[ \t]*-{3,}[ \t\r]*(?:\n|$)/.test(text.slice(end, end + 200))) return;
      if (depth === indent) {
        const names = entry?.[1];
        if (names === undefined) return;
        const start = at + (entry?.[0].length ?? 0) - names.length;
        for (const match of names.matchAll(new RegExp(IDENTIFIER, 'gu'))) give(match[0], start + match.index);
      }
    }
    at = end + 1;
  }
}

/** What the function has no parameter of the name for means nothing in code, and is a string that spells it. */
function parameter(w: Walk, name: string, start: number, scope: number): void {
  const decl = w.state.declaredIn(scope, name);
  if (decl >= 0 && w.build.get(decl, 'kind') === D.param) path(w, name, start, scope);
  else if (!name.includes('.')) w.build.expr(E.string, start, start + name.length, scope, name, -1, -1, R.doc);
}

function path(w: Walk, dotted: string, start: number, scope: number): void {
  let row = -1;
  let at = start;
  for (const part of dotted.split('.')) {
    row = w.build.expr(row === -1 ? E.name : E.member, at, at + part.length, scope, part, row, -1, R.doc);
    at += part.length + 1;
  }
}

function memberOfThis(w: Walk, name: string, start: number, scope: number): void {
  const self = w.build.expr(E.this, start, start, scope, '', -1, -1, R.doc);
  w.build.expr(E.member, start, start + name.length, scope, name, self, -1, R.doc);
}
