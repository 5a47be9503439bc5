/**
 * JSX: `<Comp a={x}/>` is a call of Comp with keyword arguments.
 *
 * Tags in lower case without a dot are the platform's own and make no row; their attributes'
 * values do. Children are walked but are no arguments. The closing tag names the component again.
 */
import { E, R } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { FIELD, K } from './kinds.js';

import type { Table, Walk } from './walk.js';

function element(w: Walk, node: number, scope: number): number {
  const open = w.child(node, FIELD.open_tag);
  const close = w.child(node, FIELD.close_tag);
  const row = open === -1 ? -1 : tag(w, open, scope);
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c))
    if (c !== open && c !== close && w.isPart(c)) w.visit(c, scope);
  if (close !== -1) w.build.setRole(tagName(w, close, scope), R.callee);
  return row === -1 ? w.other(node, scope) : row;
}

/** An opening or self-closing tag; -1 if it is no component. */
function tag(w: Walk, node: number, scope: number): number {
  const callee = tagName(w, node, scope);
  w.build.setRole(callee, R.callee);
  const types = w.child(node, FIELD.type_arguments);
  if (types !== -1) w.typesIn(types, scope);
  const args: NewArgument[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const kind = w.kind(c);
    if (kind === K.jsx_attribute) args.push(attribute(w, c, scope));
    else if (kind === K.jsx_expression) args.push({ expr: w.visit(c, scope), spread: 'keywords', start: w.start(c) });
  }
  return callee === -1 ? -1 : w.expr(E.call, node, scope, '', callee, w.build.argumentList(args));
}

function tagName(w: Walk, node: number, scope: number): number {
  const name = w.child(node, FIELD.name);
  if (name === -1 || w.kind(name) === K.jsx_namespace_name) return -1;
  if (w.kind(name) === K.identifier && /^[a-z]/.test(w.text.slice(w.start(name), w.start(name) + 1))) return -1;
  return w.visit(name, scope);
}

function attribute(w: Walk, node: number, scope: number): NewArgument {
  let keyword = '';
  let expr = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c)) continue;
    if (keyword === '') keyword = w.textOf(c);
    else expr = w.visit(c, scope);
  }
  if (expr === -1) expr = w.build.expr(E.literal, w.end(node), w.end(node), scope, 'bool');
  return { expr, keyword, start: w.start(node) };
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
    const row = tag(w, node, scope);
    return row === -1 ? w.other(node, scope) : row;
  },
  jsx_expression: expressionContainer,
};
