/**
 * JSX: `<Comp a={x}/>` is a call of Comp with keyword arguments.
 *
 * Tags in lower case without a dot are the platform's own and make no row; their attributes'
 * values do. Children are walked but are no arguments. The closing tag names the component again.
 */
import { E, R } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { typeArguments } from './classes.js';
import type { Handler, Walk } from './walk.js';

function element(w: Walk, node: number, scope: number): number {
  const open = w.child(node, w.f.open_tag);
  const close = w.child(node, w.f.close_tag);
  const row = open === -1 ? -1 : tag(w, open, scope);
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (c !== open && c !== close && w.isPart(c)) w.expression(c, scope);
  if (close !== -1) w.build.setRole(tagName(w, close, scope), R.callee);
  return row === -1 ? w.other(node, scope) : row;
}

/** An opening or self-closing tag; -1 if it is no component. */
function tag(w: Walk, node: number, scope: number): number {
  const callee = tagName(w, node, scope);
  w.build.setRole(callee, R.callee);
  const types = w.child(node, w.f.type_arguments);
  if (types !== -1) typeArguments(w, types, scope);
  const args: NewArgument[] = [];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    const kind = w.kind(c);
    if (kind === 'jsx_attribute') args.push(attribute(w, c, scope));
    else if (kind === 'jsx_expression')
      args.push({ expr: w.expression(c, scope), spread: 'keywords', start: w.start(c) });
  }
  return callee === -1
    ? -1
    : w.build.expr(E.call, w.start(node), w.end(node), scope, '', callee, w.build.argumentList(args));
}

function tagName(w: Walk, node: number, scope: number): number {
  const name = w.child(node, w.f.name);
  if (name === -1 || w.kind(name) === 'jsx_namespace_name') return -1;
  if (w.kind(name) === 'identifier' && /^[a-z]/.test(w.text.slice(w.start(name), w.start(name) + 1))) return -1;
  return w.expression(name, scope);
}

function attribute(w: Walk, node: number, scope: number): NewArgument {
  const stop = w.skip(node);
  let keyword = '';
  let expr = -1;
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (!w.isPart(c)) continue;
    if (keyword === '') keyword = w.textOf(c);
    else expr = w.expression(c, scope);
  }
  if (expr === -1) expr = w.build.expr(E.literal, w.end(node), w.end(node), scope, 'bool');
  return { expr, keyword, start: w.start(node) };
}

/** `{x}` or `{...x}` between or in tags. */
function expressionContainer(w: Walk, node: number, scope: number): number {
  const part = w.part(node);
  if (part === -1) return -1;
  if (w.kind(part) !== 'spread_element') return w.expression(part, scope);
  const spread = w.part(part);
  return spread === -1 ? -1 : w.expression(spread, scope);
}

export const JSX_HANDLERS: Readonly<Record<string, Handler>> = {
  jsx_element: element,
  jsx_fragment: element,
  jsx_self_closing_element: (w, node, scope) => {
    const row = tag(w, node, scope);
    return row === -1 ? w.other(node, scope) : row;
  },
  jsx_expression: expressionContainer,
};
