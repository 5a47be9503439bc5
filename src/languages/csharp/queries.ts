/**
 * Query expressions: `from x in xs where … select …`.
 *
 * Range variables are locals of a scope of the query; what follows an `into` is a scope inside
 * it, since it does not matter to lookup that the earlier variables end there. A query's value is
 * a list of what it selects; a group is a list of the elements grouped.
 */
import { E } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

const query: Handler = (w, node, scope) => {
  let inner = w.blockScope(scope);
  let selected = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    switch (w.kind(c)) {
      case K.from_clause:
        range(w, c, inner);
        break;
      case K.join_clause:
        join(w, c, inner);
        break;
      case K.let_clause: {
        const name = w.first(c);
        const value = w.last(c);
        if (name !== -1 && w.kind(name) === K.identifier)
          w.local(name, c, inner, -1, value === name ? -1 : w.value(value, inner));
        else w.lastOf(c, inner);
        break;
      }
      case K.select_clause:
        selected = sequence(w, c, inner, w.lastOf(c, inner));
        break;
      case K.group_clause:
        selected = group(w, c, inner);
        break;
      case K.identifier:
        // The name behind `into`.
        inner = w.blockScope(inner);
        w.local(c, c, inner, -1, elementOf(w, c, inner, selected));
        break;
      default:
        w.lastOf(c, inner);
    }
  }
  return selected === -1 ? w.other(node, scope) : selected;
};

function sequence(w: Walk, node: number, scope: number, element: number): number {
  return w.list(node, scope, 'list', element === -1 ? [] : [element]);
}

function elementOf(w: Walk, node: number, scope: number, collection: number): number {
  return collection === -1 ? -1 : w.expr(E.element, node, scope, '', collection);
}

/** `from T x in xs`. */
function range(w: Walk, node: number, scope: number): void {
  const name = w.child(node, FIELD.name);
  const type = w.type(w.child(node, FIELD.type), scope);
  const source = w.last(node);
  const element = source === name || source === -1 ? -1 : elementOf(w, source, scope, w.value(source, scope));
  if (name !== -1) w.local(name, node, scope, type, type === -1 ? element : -1);
}

/** `join T y in ys on a equals b into z`. */
function join(w: Walk, node: number, scope: number): void {
  const type = w.type(w.child(node, FIELD.type), scope);
  let name = -1;
  let element = -1;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c) || w.field(c) === FIELD.type) continue;
    if (w.kind(c) === K.join_into_clause) {
      const group = w.childOf(c, K.identifier);
      if (group !== -1) w.local(group, c, scope, -1, sequence(w, c, scope, element));
    } else if (name === -1 && w.kind(c) === K.identifier) name = c;
    else if (element === -1) {
      element = elementOf(w, c, scope, w.value(c, scope));
      if (name !== -1) w.local(name, name, scope, type, type === -1 ? element : -1);
    } else w.visit(c, scope);
  }
}

function group(w: Walk, node: number, scope: number): number {
  const element = w.first(node);
  const key = w.last(node);
  const grouped = sequence(w, node, scope, w.value(element, scope));
  if (key !== element) w.visit(key, scope);
  return sequence(w, node, scope, grouped);
}

export const QUERIES: Table = { query_expression: query };
