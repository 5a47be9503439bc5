/**
 * JSX: `<Comp a={x}/>` is a call of Comp with one argument, the object literal `{ a: x }`.
 *
 * Attributes are keys of that literal, which the component's first parameter expects; what is
 * spread is a base of it. What stands between the tags is its member `children`,
 * whose key has no text.
 * Tags in lower case without a dot are the platform's own and make no row; their attributes'
 * values do. The closing tag names the component again.
 */
import { D, E, R } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import { declareSpan } from './names.js';
import { literalKey, openLiteral } from './object-literals.js';
import type { Table, Walk } from './walk.js';

function element(w: Walk, node: number, scope: number): number {
  const open = w.child(node, FIELD.open_tag);
  const close = w.child(node, FIELD.close_tag);
  const isFilled = [...parts(w, node)].some((part) => part !== open && part !== close && isContent(w, part));
  const row = open === -1 ? -1 : tag(w, open, scope, isFilled);
  for (const part of parts(w, node)) if (part !== open && part !== close) w.visit(part, scope);
  if (close !== -1) w.build.setRole(tagName(w, close, scope), R.callee);
  return row === -1 ? w.other(node, scope) : row;
}

function* parts(w: Walk, node: number): Generator<number> {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) if (w.isPart(c)) yield c;
}

/** Whether something between tags is a child, and not the blanks of the layout. */
const isContent = (w: Walk, node: number): boolean => w.textOf(node).trim() !== '';

/** An opening or self-closing tag; -1 if it is no component. */
function tag(w: Walk, node: number, scope: number, isFilled: boolean): number {
  const callee = tagName(w, node, scope);
  w.build.setRole(callee, R.callee);
  const types = w.child(node, FIELD.type_arguments);
  if (types !== -1) w.typesIn(types, scope);
  if (callee === -1) {
    for (const part of parts(w, node))
      if (w.kind(part) === K.jsx_attribute) attributeValue(w, part, scope);
      else if (w.kind(part) === K.jsx_expression) w.visit(part, scope);
    return -1;
  }
  const props = properties(w, node, scope, isFilled);
  return w.expr(E.call, node, scope, '', callee, w.build.argumentList([{ expr: props, start: w.start(node) }]));
}

/** The attributes of a tag as an object literal. */
function properties(w: Walk, node: number, scope: number, isFilled: boolean): number {
  const { build } = w;
  const literal = openLiteral(w, w.start(node), w.end(node), scope);
  const spread: number[] = [];
  for (const part of parts(w, node)) {
    if (w.kind(part) === K.jsx_expression) {
      const row = w.visit(part, scope);
      if (row !== -1) spread.push(row);
    } else if (w.kind(part) === K.jsx_attribute) {
      const [nameNode] = parts(w, part);
      if (nameNode === undefined) continue;
      const name = w.textOf(nameNode);
      literalKey(w, name, w.start(nameNode), scope, literal.row);
      const value = attributeValue(w, part, scope);
      declareSpan(w, D.local, name, w.start(nameNode), w.start(part), w.end(part), literal.members, 0, value);
    }
  }
  if (isFilled) {
    const at = w.end(node);
    build.expr(E.initializer, at, at, scope, 'children', literal.row, -1, R.write);
    // Within the literal, at the `>` of the tag: what starts behind it is no member.
    declareSpan(w, D.local, 'children', -1, at - 1, at, literal.members, 0, -1);
  }
  build.set(literal.decl, 'parts', build.list(spread));
  return literal.row;
}

function tagName(w: Walk, node: number, scope: number): number {
  const name = w.child(node, FIELD.name);
  if (name === -1 || w.kind(name) === K.jsx_namespace_name) return -1;
  if (w.kind(name) === K.identifier && /^[a-z]/.test(w.text.slice(w.start(name), w.start(name) + 1))) return -1;
  return w.visit(name, scope);
}

/** The row of an attribute's value; true for one without. */
function attributeValue(w: Walk, node: number, scope: number): number {
  const [, value] = parts(w, node);
  const row = value === undefined ? -1 : w.visit(value, scope);
  return row === -1 ? w.build.expr(E.literal, w.end(node), w.end(node), scope, 'bool') : row;
}

/** `{x}` or `{...x}` between or in tags. */
function expressionContainer(w: Walk, node: number, scope: number): number {
  const part = w.first(node);
  if (part === -1) return -1;
  if (w.kind(part) !== K.spread_element) return w.visit(part, scope);
  const spread = w.first(part);
  return spread === -1 ? -1 : w.visit(spread, scope);
}

export const JSX: Table = {
  jsx_element: element,
  jsx_fragment: element,
  jsx_self_closing_element: (w, node, scope) => {
    const row = tag(w, node, scope, false);
    return row === -1 ? w.other(node, scope) : row;
  },
  jsx_expression: expressionContainer,
};
