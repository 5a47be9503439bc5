/**
 * Keywords before a declaration, and decorators on it.
 *
 * Decorators stand in three places: inside the declaration, inside the `export` around it, and
 * (methods, in TypeScript's grammar) before it as siblings. Their rows belong to the block they
 * decorate, but see the names around it.
 */
import { F, R } from '../../syntax/summary.js';
import { K } from './kinds.js';

import type { Walk } from './walk.js';

/** Flags that the modifiers among a node's children say. */
export function modifierFlags(w: Walk, node: number): number {
  let flags = 0;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    switch (w.kind(c)) {
      case K.accessibility_modifier:
        flags |= accessFlag(w.textOf(c));
        break;
      case K.override_modifier:
        flags |= F.override;
        break;
      case K.static:
        flags |= F.static;
        break;
      case K['static get']:
        flags |= F.static | F.getter;
        break;
      case K.async:
        flags |= F.async;
        break;
      case K.readonly:
        flags |= F.readonly;
        break;
      case K.abstract:
        flags |= F.abstract;
        break;
      case K.get:
        flags |= F.getter;
        break;
      case K.set:
        flags |= F.setter;
        break;
      case K['*']:
        flags |= F.generator;
        break;
      case K['?']:
        flags |= F.optional;
        break;
      case K.private_property_identifier:
        flags |= F.private;
        break;
      case K.statement_block:
      case K.class_body:
        return flags;
      default:
    }
  }
  return flags;
}

function accessFlag(text: string): number {
  return text === 'private' ? F.private : text === 'protected' ? F.protected : F.public;
}

/** Rows of the decorators among the children of `node`. */
export function decoratorsIn(w: Walk, node: number, scope: number, rows: number[]): void {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c))
    if (w.kind(c) === K.decorator) rows.push(decorator(w, c, scope));
}

/** The row of one decorator's expression; the name that it calls has role `decorator`. */
export function decorator(w: Walk, node: number, scope: number): number {
  const inner = w.first(node);
  if (inner === -1) return -1;
  const row = w.visit(inner, scope);
  if (w.kind(inner) !== K.call_expression) w.build.setRole(row, R.decorator);
  else w.setHeadRole(w.build.exprA(row), R.decorator);
  return row;
}

/** Stores decorators of a declaration: those among the children of `nodes`, and those in `before`. */
export function setDecorators(
  w: Walk,
  decl: number,
  scope: number,
  nodes: readonly number[],
  before: readonly number[],
): void {
  if (before.length === 0 && !nodes.some((node) => w.has(node, K.decorator))) return;
  const header = w.headerScope(scope, decl);
  const rows: number[] = [];
  for (const node of before) rows.push(decorator(w, node, header));
  for (const node of nodes) decoratorsIn(w, node, header, rows);
  w.build.set(decl, 'decorators', w.build.list(rows));
}
