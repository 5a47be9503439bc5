/**
 * Object literals: a closure over a class without a name, whose members are the properties.
 *
 * Functions are `lambda`, other properties `local`, so that they are no blocks, but looking a
 * name up in the literal finds them. Of a literal that a module's variable holds, without a type
 * that is declared elsewhere, they are blocks inside the variable: it is what others call by name. A property's text
 * sees the scope around, never its siblings. What is spread into a literal is a base of it: a name that it lacks is
 * looked for there.
 */
import { D, E, R, S, type DeclKind } from '../../syntax/summary.js';
import { isFunctionValue } from './classes.js';
import { closure, declareFunction, type FunctionSpec } from './functions.js';
import { FIELD, K } from './kinds.js';

import { modifierFlags } from './modifiers.js';
import { declareSpan, memberName, walkComputedName } from './names.js';
import type { PutOn, Table, Walk } from './walk.js';

/** An object literal whose members are still to be declared in `members`. */
export function openLiteral(
  w: Walk,
  start: number,
  end: number,
  scope: number,
  owner = -1,
): { readonly row: number; readonly decl: number; readonly members: number } {
  const { build } = w;
  const block = owner === -1 ? build.scopeBlock(scope) : owner;
  const decl = declareSpan(w, D.anonymousClass, '', -1, start, end, scope);
  build.set(decl, 'bodyStart', start);
  const members = build.scope(S.class, scope, decl, block);
  build.set(decl, 'inner', members);
  return { row: build.expr(E.closure, start, end, scope, '', decl), decl, members };
}

function object(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const held = w.state.memberLiteral?.node === node ? w.state.memberLiteral : undefined;
  const { row, decl, members } = openLiteral(w, w.start(node), w.end(node), scope, held?.owner);
  const literal: Literal = {
    scope: held?.on?.around ?? scope,
    members: held?.on?.members ?? members,
    row,
    isNamed: held !== undefined,
    isOffered: held?.isOffered === true,
    on: held?.on,
  };
  if (held !== undefined && !literal.isOffered && held.on === undefined && w.state.untyped)
    w.state.putOn.set(held.owner, { decl: held.owner, members, around: scope, isClass: false, assigned: undefined });
  const spread: number[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c)) continue;
    if (w.kind(c) === K.spread_element) {
      const row = w.first(c) === -1 ? -1 : w.visit(w.first(c), scope);
      if (row !== -1) spread.push(row);
    } else property(w, c, literal);
  }
  build.set(decl, 'parts', build.list(spread));
  return row;
}

interface Literal {
  /** The scope around. */
  readonly scope: number;
  readonly members: number;
  /** Its closure row. */
  readonly row: number;
  /** Whether it is what a module's variable holds: its members are blocks then. */
  readonly isNamed: boolean;
  /** Whether a module exports it as a whole: its functions alone are blocks. */
  readonly isOffered: boolean;
  /** The class whose prototype it is. */
  readonly on: PutOn | undefined;
}

const kindOfFunction = ({ isNamed }: Literal): DeclKind => (isNamed ? D.method : D.lambda);
/** What a configuration holds is read by names that half of all objects have: it is none of their fields. */
const kindOfValue = ({ isNamed, isOffered }: Literal): DeclKind => (isNamed && !isOffered ? D.field : D.local);

function property(w: Walk, node: number, literal: Literal): void {
  const { scope, members, row } = literal;
  switch (w.kind(node)) {
    case K.pair:
      return pair(w, node, literal);
    case K.shorthand_property_identifier: {
      const start = w.start(node);
      literalKey(w, w.textOf(node), start, scope, row);
      declareSpan(
        w,
        kindOfValue(literal),
        w.textOf(node),
        start,
        start,
        w.end(node),
        members,
        0,
        w.nameRow(node, scope),
      );
      return;
    }
    case K.method_definition: {
      const nameNode = w.child(node, FIELD.name);
      if (nameNode === -1) return void w.children(node, scope);
      const name = memberName(w, nameNode);
      walkComputedName(w, nameNode, scope);
      literalKey(w, name.text, name.start, scope, row);
      declareFunction(w, node, {
        kind: kindOfFunction(literal),
        name: name.text,
        nameStart: name.start,
        start: w.start(node),
        end: w.end(node),
        flags: modifierFlags(w, node),
        scope: members,
        around: scope,
        ...ofPrototype(literal),
      });
      return;
    }
    default:
      w.visit(node, scope);
  }
}

/** The row of a key, which is what the literal's place expects there. */
export function literalKey(w: Walk, name: string, start: number, scope: number, literal: number): void {
  if (name !== '' && start >= 0)
    w.build.expr(E.initializer, start, start + name.length, scope, name, literal, -1, R.write);
}

function pair(w: Walk, node: number, literal: Literal): void {
  const { scope, members, row } = literal;
  const keyNode = w.child(node, FIELD.key);
  const value = w.child(node, FIELD.value);
  if (keyNode === -1) return void w.children(node, scope);
  const name = memberName(w, keyNode);
  walkComputedName(w, keyNode, scope);
  literalKey(w, name.text, name.start, scope, row);
  const start = w.start(node);
  const end = w.end(node);
  // It says again what the class is.
  if (literal.on !== undefined && name.text === 'constructor') {
    if (value !== -1) w.visit(value, scope);
    return;
  }
  if (!isFunctionValue(w, value)) {
    const held = value === -1 ? -1 : w.visit(value, scope);
    declareSpan(w, kindOfValue(literal), name.text, name.start, start, end, members, 0, held);
  } else if (!literal.isNamed) closure(w, value, scope, name.text, name.start, members);
  else
    declareFunction(w, value, {
      kind: D.method,
      name: name.text,
      nameStart: name.start,
      start,
      end,
      flags: modifierFlags(w, value),
      scope: members,
      around: scope,
      ...ofPrototype(literal),
    });
}

const ofPrototype = ({ on }: Literal): Pick<FunctionSpec, 'members' | 'thisAssignments'> =>
  on === undefined ? {} : { members: on.members, thisAssignments: on.assigned };

export const OBJECTS: Table = { object };
