/**
 * Query expressions: `from x in xs where … select …`.
 *
 * Range variables are locals of a scope of the query; what follows an `into` is a scope inside
 * it, since it does not matter to lookup that the earlier variables end there. A query's value is
 * a list of what it selects; a group is a list of the elements grouped.
 */
import { E } from '../../syntax/summary.js';
import { T } from './kinds.js';
import { typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

const query: Handler = (w, node, scope) => {
  let inner = w.blockScope(scope);
  let selected = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    switch (w.tag(c)) {
      case T.from_clause:
        range(w, c, inner);
        break;
      case T.join_clause:
        join(w, c, inner);
        break;
      case T.let_clause: {
        const name = w.firstNamed(c);
        const value = w.lastNamed(c);
        if (name !== -1 && w.tag(name) === T.identifier)
          w.local(name, c, inner, -1, value === name ? -1 : w.value(value, inner));
        else w.visitChildren(c, inner);
        break;
      }
      case T.select_clause:
        selected = sequence(w, c, inner, w.visitChildren(c, inner));
        break;
      case T.group_clause:
        selected = group(w, c, inner);
        break;
      case T.identifier:
        // The name behind `into`.
        inner = w.blockScope(inner);
        w.local(c, c, inner, -1, elementOf(w, c, inner, selected));
        break;
      default:
        w.visitChildren(c, inner);
    }
  }
  return selected === -1 ? w.expr(E.other, node, scope) : selected;
};

function sequence(w: Walk, node: number, scope: number, element: number): number {
  return w.expr(E.list, node, scope, 'list', -1, w.build.list(element === -1 ? [] : [element]));
}

function elementOf(w: Walk, node: number, scope: number, collection: number): number {
  return collection === -1 ? -1 : w.expr(E.element, node, scope, '', collection);
}

/** `from T x in xs`. */
function range(w: Walk, node: number, scope: number): void {
  const { fields } = w.kinds;
  const name = w.inField(node, fields.name);
  const type = typeRow(w, w.inField(node, fields.type), scope);
  const source = w.lastNamed(node);
  const element = source === name || source === -1 ? -1 : elementOf(w, source, scope, w.value(source, scope));
  if (name !== -1) w.local(name, node, scope, type, type === -1 ? element : -1);
}

/** `join T y in ys on a equals b into z`. */
function join(w: Walk, node: number, scope: number): void {
  const type = typeRow(w, w.inField(node, w.kinds.fields.type), scope);
  let name = -1;
  let element = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c) || w.tree.field[c] === w.kinds.fields.type) continue;
    if (w.tag(c) === T.join_into_clause) {
      const group = w.ofTag(c, T.identifier);
      if (group !== -1) w.local(group, c, scope, -1, sequence(w, c, scope, element));
    } else if (name === -1 && w.tag(c) === T.identifier) name = c;
    else if (element === -1) {
      element = elementOf(w, c, scope, w.value(c, scope));
      if (name !== -1) w.local(name, name, scope, type, type === -1 ? element : -1);
    } else w.visit(c, scope);
  }
}

function group(w: Walk, node: number, scope: number): number {
  const element = w.firstNamed(node);
  const key = w.lastNamed(node);
  const grouped = sequence(w, node, scope, w.value(element, scope));
  if (key !== element) w.visit(key, scope);
  return sequence(w, node, scope, grouped);
}

export const QUERY_HANDLERS: Readonly<Record<number, Handler>> = { [T.query_expression]: query };
