/**
 * Statements.
 *
 * `if not isinstance(x, A): return` and `assert isinstance(x, A)` narrow the scope for the statements
 * behind them in their block.
 */
import { P, type PathKind } from '../../syntax/paths.js';
import { E, R } from '../../syntax/summary.js';
import { assignment, augmentedAssignment, typeAlias } from './assignments.js';
import { reachesEnd } from './body-end.js';
import { classDefinition } from './classes.js';
import { functionDefinition } from './functions.js';
import { importFromStatement, importStatement } from './imports.js';
import { FIELD, K } from './kinds.js';
import { classesOperand, condition, narrowedScope, type Fact } from './narrowing.js';
import { matchStatement } from './patterns.js';
import { bindName, bindTarget } from './targets.js';
import type { Handler, Table, Walk } from './walk.js';

/** Walks the statements of a block, module, or clause. */
export function block(w: Walk, node: number, scope: number): void {
  let inner = scope;
  for (let c = w.firstCode(node); c !== -1; c = w.nextCode(c)) {
    w.visit(c, inner);
    inner = w.state.behind(c) ?? inner;
  }
}

/** A handler of something that has no value. */
const plain =
  (walk: (w: Walk, node: number, scope: number) => void): Handler =>
  (w, node, scope) => {
    walk(w, node, scope);
    return -1;
  };

/** Of a statement whose parts run once, several times, or not at all. */
const branching =
  (walk: (w: Walk, node: number, scope: number) => void): Handler =>
  (w, node, scope) => {
    w.state.branches++;
    walk(w, node, scope);
    w.state.branches--;
    return -1;
  };

function expressionStatement(w: Walk, node: number, scope: number): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    switch (w.kind(c)) {
      case K.assignment:
        assignment(w, c, node, scope);
        break;
      case K.augmented_assignment:
        augmentedAssignment(w, c, scope);
        break;
      case K.string:
        w.value(c, scope);
        // A string in a statement's place does nothing: it documents.
        if (w.childOf(c, K.interpolation) === -1) w.build.unhash(w.start(node), w.end(node));
        break;
      case K.call:
        if (!extendsExportList(w, c, scope)) w.dropped(w.value(c, scope));
        break;
      default:
        w.dropped(w.value(c, scope));
    }
  }
}

/** `__all__.extend([...])`, `__all__.append("x")`. */
function extendsExportList(w: Walk, node: number, scope: number): boolean {
  if (w.state.frame.kind !== 'module') return false;
  const callee = w.child(node, FIELD.function);
  const args = w.child(node, FIELD.arguments);
  if (
    callee === -1 ||
    args === -1 ||
    w.kind(args) !== K.argument_list ||
    !/^__all__\.(?:extend|append)$/.test(w.end(callee) - w.start(callee) < 16 ? w.textOf(callee) : '')
  )
    return false;
  w.value(callee, scope, R.callee);
  w.state.exports.add(w, args, scope);
  return true;
}

/** `raise A` makes an A. */
function raiseStatement(w: Walk, node: number, scope: number): void {
  let isCause = false;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const row = w.value(c, scope);
    if (!isCause && w.build.exprOp(row) !== E.call) w.expr(E.applied, c, scope, '', row);
    isCause = true;
  }
  path(w, P.leave, node);
}

/** `break`, `continue`. */
function turn(w: Walk, node: number): void {
  path(w, P.turn, node);
  if (w.kind(node) === K.break_statement) w.state.breaks++;
}

const path = (w: Walk, kind: PathKind, node: number, end = w.end(node)): void => w.build.path(kind, w.start(node), end);

function returnStatement(w: Walk, node: number, scope: number): void {
  const value = w.first(node);
  if (value !== -1) w.state.frame.returned.push(w.value(value, scope));
  path(w, P.leave, node);
}

// ---- branches

function ifStatement(w: Walk, node: number, scope: number): void {
  const fork = w.childOf(node, K.else_clause) === -1 ? P.fork : P.whole;
  path(w, fork, node);
  const first = branch(w, node, scope);
  let otherwise = narrowedScope(w, scope, first.negative);
  let isAlone = true;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.field(c) !== FIELD.alternative) continue;
    isAlone = false;
    path(w, P.arm, c, w.end(node));
    if (w.kind(c) === K.elif_clause) {
      path(w, fork, c, w.end(node));
      otherwise = narrowedScope(w, otherwise, branch(w, c, otherwise).negative);
    } else w.visit(c, otherwise);
  }
  if (isAlone && first.leaves) w.state.narrowBehind(node, otherwise);
}

/** Walks the condition and the body of an `if` or `elif`. */
function branch(
  w: Walk,
  clause: number,
  scope: number,
): { readonly negative: readonly Fact[]; readonly leaves: boolean } {
  const positive: Fact[] = [];
  const negative: Fact[] = [];
  let leaves = false;
  for (let c = w.first(clause); c !== -1; c = w.next(c)) {
    const field = w.field(c);
    if (field === FIELD.condition) condition(w, c, scope, positive, negative);
    else if (field === FIELD.consequence) {
      path(w, P.arm, c);
      block(w, c, narrowedScope(w, scope, positive));
      leaves = !reachesEnd(w, c);
    } else if (field !== FIELD.alternative) w.visit(c, scope);
  }
  return { negative, leaves };
}

function whileStatement(w: Walk, node: number, scope: number): void {
  const facts: Fact[] = [];
  loopBody(w, node, node);
  const { breaks } = w.state;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.field(c) === FIELD.condition) condition(w, c, scope, facts, []);
    else if (w.field(c) === FIELD.body) block(w, c, narrowedScope(w, scope, facts));
    else afterLoop(w, c, scope, breaks);
  }
}

/** What is done again and again, from the loop's targets or condition on. */
function loopBody(w: Walk, node: number, from: number): void {
  const body = w.child(node, FIELD.body);
  if (body !== -1) path(w, P.loop, from, w.end(body));
}

/** The `else` of a loop does not run where a `break` ends it. `breaks`: how many stood before the loop. */
function afterLoop(w: Walk, node: number, scope: number, breaks: number): void {
  if (w.state.breaks > breaks) perhaps(w, node);
  w.visit(node, scope);
}

/** Says that a node runs or does not. */
function perhaps(w: Walk, node: number): void {
  path(w, P.fork, node);
  path(w, P.arm, node);
}

function assertStatement(w: Walk, node: number, scope: number): void {
  const facts: Fact[] = [];
  const test = w.first(node);
  if (test === -1) return;
  condition(w, test, scope, facts, []);
  for (let c = w.next(test); c !== -1; c = w.next(c)) w.value(c, scope);
  w.state.narrowBehind(node, narrowedScope(w, scope, facts));
}

// ---- loops and contexts

function forStatement(w: Walk, node: number, scope: number): void {
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  const iterable = right === -1 ? -1 : w.value(right, scope);
  if (left !== -1) {
    const element =
      iterable === -1 ? -1 : w.expr(E.element, left, scope, w.childOf(node, K.async) === -1 ? '' : 'async', iterable);
    bindTarget(w, left, scope, { value: element });
  }
  loopBody(w, node, left === -1 ? node : left);
  const { breaks } = w.state;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.else_clause) afterLoop(w, c, scope, breaks);
    else if (c !== left && c !== right) w.visit(c, scope);
  }
}

function withStatement(w: Walk, node: number, scope: number): void {
  const mode = w.childOf(node, K.async) === -1 ? '' : 'async';
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.with_clause) {
      w.visit(c, scope);
      continue;
    }
    for (let item = w.first(c); item !== -1; item = w.next(item)) {
      const value = w.kind(item) === K.with_item ? w.child(item, FIELD.value) : item;
      if (value !== -1) context(w, value, scope, mode);
    }
  }
}

/** `e as target`, `e`, and several of them in parentheses. */
function context(w: Walk, node: number, scope: number, mode: string): void {
  if (w.kind(node) === K.tuple) {
    for (let c = w.first(node); c !== -1; c = w.next(c)) context(w, c, scope, mode);
    return;
  }
  const isNamed = w.kind(node) === K.as_pattern;
  const alias = isNamed ? w.child(node, FIELD.alias) : -1;
  const manager = isNamed ? w.first(node) : node;
  if (manager === -1) return;
  const row = w.value(manager, scope);
  const entered = w.expr(E.enter, manager, scope, mode, row);
  if (alias !== -1) bindTarget(w, alias, scope, { value: entered });
}

/** What a `try` has but its `except` clauses. */
const IN_TRY = new Set<number>([K.block, K.else_clause, K.finally_clause]);

function tryStatement(w: Walk, node: number, scope: number): void {
  let last = -1;
  let ending = -1;
  for (let c = w.firstCode(node); c !== -1; c = w.nextCode(c)) {
    if (w.kind(c) === K.finally_clause) last = c;
    else if (!IN_TRY.has(w.kind(c))) ending = w.end(c);
  }
  const rescued = ending !== -1;
  if (last !== -1) {
    path(w, P.whole, node);
    w.build.path(P.arm, w.start(node), w.start(last));
    path(w, P.last, last);
  }
  if (rescued) path(w, P.whole, node, ending);
  for (let c = w.firstCode(node); c !== -1; c = w.nextCode(c)) {
    if (!IN_TRY.has(w.kind(c))) path(w, P.rescue, c);
    else if (w.kind(c) === K.else_clause) perhaps(w, c);
    else if (rescued && w.kind(c) === K.block) path(w, P.arm, c);
  }
  block(w, node, scope);
}

/** The name in `except A as e` lives in the clause only. */
function exceptClause(w: Walk, node: number, scope: number): void {
  let inner = scope;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.block) block(w, c, inner);
    else if (w.kind(c) === K.as_pattern) {
      const classes = w.first(c);
      const alias = w.child(c, FIELD.alias);
      const name = alias === -1 ? -1 : w.first(alias);
      const type = classes === -1 ? -1 : classesOperand(w, classes, scope).type;
      if (name === -1) continue;
      if (w.kind(name) === K.identifier && w.state.frame.elsewhere?.get(w.textOf(name)) === undefined) {
        inner = w.blockScope(scope);
        bindName(w, name, inner, { type, into: inner });
      } else bindTarget(w, name, scope, {});
    } else w.value(c, scope);
  }
}

// ---- names from other scopes

function globalStatement(w: Walk, node: number, scope: number): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.identifier) continue;
    w.nameRow(c, scope, R.read);
    if (w.state.frame.kind !== 'module') (w.state.frame.elsewhere ??= new Map()).set(w.textOf(c), 0);
  }
}

function nonlocalStatement(w: Walk, node: number, scope: number): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.identifier) continue;
    const name = w.textOf(c);
    w.nameRow(c, scope, R.read);
    for (let frame = w.state.frame.outer; frame !== undefined; frame = frame.outer) {
      if (frame.kind === 'class' || w.state.declaredIn(frame.scope, name) < 0) continue;
      (w.state.frame.elsewhere ??= new Map()).set(name, frame.scope);
      break;
    }
  }
}

function deleteStatement(w: Walk, node: number, scope: number): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) w.value(c, scope, R.write);
}

function decorated(w: Walk, node: number, scope: number): void {
  const definition = w.child(node, FIELD.definition);
  if (definition !== -1 && w.kind(definition) === K.function_definition) functionDefinition(w, definition, node, scope);
  else if (definition !== -1 && w.kind(definition) === K.class_definition) classDefinition(w, definition, node, scope);
  else for (let c = w.first(node); c !== -1; c = w.next(c)) w.visit(c, scope);
}

export const STATEMENTS: Table = {
  block: plain(block),
  module: plain(block),
  else_clause: plain(block),
  finally_clause: plain(block),
  try_statement: branching(tryStatement),
  expression_statement: plain(expressionStatement),
  return_statement: plain(returnStatement),
  raise_statement: plain(raiseStatement),
  if_statement: branching(ifStatement),
  while_statement: branching(whileStatement),
  assert_statement: plain(assertStatement),
  for_statement: branching(forStatement),
  with_statement: plain(withStatement),
  except_clause: plain(exceptClause),
  match_statement: branching(matchStatement),
  function_definition: plain((w, node, scope) => functionDefinition(w, node, node, scope)),
  class_definition: plain((w, node, scope) => classDefinition(w, node, node, scope)),
  decorated_definition: plain(decorated),
  import_statement: plain(importStatement),
  import_from_statement: plain(importFromStatement),
  future_import_statement: plain(importFromStatement),
  global_statement: plain(globalStatement),
  nonlocal_statement: plain(nonlocalStatement),
  delete_statement: plain(deleteStatement),
  type_alias_statement: plain(typeAlias),
  pass_statement: () => -1,
  break_statement: plain(turn),
  continue_statement: plain(turn),
  assignment: plain((w, node, scope) => assignment(w, node, node, scope)),
  augmented_assignment: plain(augmentedAssignment),
};
