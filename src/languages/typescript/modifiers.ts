/**
 * Keywords before a declaration, and decorators on it.
 *
 * Decorators stand in three places: inside the declaration, inside the `export` around it, and
 * (methods, in TypeScript's grammar) before it as siblings. Their rows belong to the block they
 * decorate, but see the names around it.
 */
import { F, R } from '../../syntax/summary.js';
import type { Walk } from './walk.js';

/** Flags that the modifiers among a node's children say. */
export function modifierFlags(w: Walk, node: number): number {
  const stop = w.skip(node);
  let flags = 0;
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    switch (w.kind(c)) {
      case 'accessibility_modifier':
        flags |= accessFlag(w.textOf(c));
        break;
      case 'override_modifier':
        flags |= F.override;
        break;
      case 'static':
        flags |= F.static;
        break;
      case 'static get':
        flags |= F.static | F.getter;
        break;
      case 'async':
        flags |= F.async;
        break;
      case 'readonly':
        flags |= F.readonly;
        break;
      case 'abstract':
        flags |= F.abstract;
        break;
      case 'get':
        flags |= F.getter;
        break;
      case 'set':
        flags |= F.setter;
        break;
      case '*':
        flags |= F.generator;
        break;
      case '?':
        flags |= F.optional;
        break;
      case 'private_property_identifier':
        flags |= F.private;
        break;
      case 'statement_block':
      case 'class_body':
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
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) if (w.kind(c) === 'decorator') rows.push(decorator(w, c, scope));
}

/** The row of one decorator's expression; the name that it calls has role `decorator`. */
export function decorator(w: Walk, node: number, scope: number): number {
  const inner = w.part(node);
  if (inner === -1) return -1;
  const row = w.expression(inner, scope);
  if (w.kind(inner) !== 'call_expression') w.build.setRole(row, R.decorator);
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
  if (before.length === 0 && !nodes.some((node) => w.childOf(node, 'decorator') !== -1)) return;
  const header = w.headerScope(scope, decl);
  const rows: number[] = [];
  for (const node of before) rows.push(decorator(w, node, header));
  for (const node of nodes) decoratorsIn(w, node, header, rows);
  w.build.set(decl, 'decorators', w.build.list(rows));
}
