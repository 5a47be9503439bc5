/**
 * Statements: which scope each part is read in, and what `return` and `yield` give.
 *
 * Java's pattern variables are in scope where the pattern has matched. That is made of scopes: a
 * statement with a binding `instanceof` gets a scope of its own, so that two tests in a row may
 * bind one name; `if (!(x instanceof A a)) return;` and `while (!(…))` bind in the scope around,
 * since `a` is in scope after them. A case with a pattern is a scope of its own too.
 *
 * A bare constant in `case RED` is a member of the selector's type, unless this file has a field,
 * a final local or a static import of that name; which one is settled at the end of the file.
 */
import { D, E, LABEL, R, TOTAL } from '../../syntax/summary.js';
import { FIELD, K } from './kinds.js';
import { annotationRows, modifierFlags, modifiersOf } from './modifiers.js';
import { recordPattern, statementScope } from './patterns.js';
import { anyOf, declaredType, withDimensions } from './types.js';
import type { Handler, Table, Walk } from './walk.js';

/** Deepest nesting of a condition that is searched for what it binds. */
const CONDITION_DEPTH_MAX = 100;

const block: Handler = (w, node, scope) => w.children(node, declaresNames(w, node) ? w.blockScope(scope) : scope);

/** What puts a name into the block that it stands in. */
const DECLARING: ReadonlySet<number> = new Set([
  K.local_variable_declaration,
  K.class_declaration,
  K.interface_declaration,
  K.enum_declaration,
  K.record_declaration,
  K.annotation_type_declaration,
]);

/** Whether something directly in the block puts a name into it. */
function declaresNames(w: Walk, node: number): boolean {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c))
    if (DECLARING.has(w.kind(c)) || bindsBeyond(w, c)) return true;
  return false;
}

/** Whether the names that a statement's condition binds outlive it: they are bound where the condition is false. */
function bindsBeyond(w: Walk, node: number): boolean {
  const kind = w.kind(node);
  if ((kind !== K.if_statement && kind !== K.while_statement) || !w.state.binds(node)) return false;
  const condition = w.child(node, FIELD.condition);
  return condition !== -1 && w.child(node, FIELD.alternative) === -1 && bindsWhen(w, condition, false, 0);
}

/** Whether a binding `instanceof` has surely matched when the condition has the given outcome. */
function bindsWhen(w: Walk, node: number, outcome: boolean, depth: number): boolean {
  const kind = w.kind(node);
  if (kind === K.instanceof_expression) return outcome && w.state.binds(node);
  const first = w.first(node);
  const last = w.last(node);
  if (first === -1 || depth > CONDITION_DEPTH_MAX) return false;
  if (kind === K.parenthesized_expression) return bindsWhen(w, first, outcome, depth + 1);
  const operator = w.child(node, FIELD.operator);
  if (operator === -1) return false;
  if (kind === K.unary_expression) return w.textOf(operator) === '!' && bindsWhen(w, last, !outcome, depth + 1);
  if (kind !== K.binary_expression || w.textOf(operator) !== (outcome ? '&&' : '||')) return false;
  return bindsWhen(w, first, outcome, depth + 1) || bindsWhen(w, last, outcome, depth + 1);
}

/** The scope of a statement whose parts see what its condition binds. */
function conditionScope(w: Walk, node: number, scope: number): number {
  const condition = w.child(node, FIELD.condition);
  return condition === -1 || !w.state.binds(condition) || bindsBeyond(w, node) ? scope : w.blockScope(scope);
}

/** `if … else if …`, which generated code chains by the hundred: a loop. */
const ifStatement: Handler = (w, node, scope) => {
  let at = node;
  let around = scope;
  while (at !== -1 && w.kind(at) === K.if_statement) {
    const own = conditionScope(w, at, around);
    const alternative = w.child(at, FIELD.alternative);
    for (let c = w.firstCode(at); c !== -1; c = w.nextCode(c)) if (c !== alternative) w.visit(c, own);
    at = alternative;
    around = own;
  }
  if (at !== -1) w.visit(at, around);
  return -1;
};

const loop: Handler = (w, node, scope) => w.children(node, conditionScope(w, node, scope));

const forStatement: Handler = (w, node, scope) => {
  const initial = w.child(node, FIELD.init);
  const declares = initial !== -1 && w.kind(initial) === K.local_variable_declaration;
  return w.children(node, declares ? w.blockScope(scope) : conditionScope(w, node, scope));
};

/** Declares the variable of a loop, a resource or a catch clause. */
function bindVariable(w: Walk, node: number, type: number, value: number, scope: number): void {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  const modifiers = modifiersOf(w, node);
  const decorators = build.list(annotationRows(w, modifiers, scope));
  if (!w.isPresent(name) || w.kind(name) !== K.identifier) return;
  const decl = w.declare(D.local, name, node, scope, {
    start: w.start(modifiers === -1 ? node : modifiers),
    end: w.end(name),
    flags: modifierFlags(w, modifiers),
    type: withDimensions(w, type, w.start(name), w.child(node, FIELD.dimensions), scope),
    value,
  });
  build.set(decl, 'decorators', decorators);
}

const enhancedFor: Handler = (w, node, scope) => {
  const iterated = w.child(node, FIELD.value);
  const typeNode = w.child(node, FIELD.type);
  const body = w.child(node, FIELD.body);
  const own = w.blockScope(scope);
  const type = typeNode === -1 ? -1 : declaredType(w, typeNode, own);
  let value = -1;
  if (iterated !== -1) {
    const row = w.value(iterated, statementScope(w, iterated, scope));
    value = w.expr(E.element, iterated, scope, '', row);
  }
  bindVariable(w, node, type, value, own);
  if (body !== -1) w.visit(body, own);
  return -1;
};

/** The resources are seen in the body, not in the `catch` and `finally` clauses. */
const tryWithResources: Handler = (w, node, scope) => {
  const own = w.blockScope(scope);
  for (let c = w.firstCode(node); c !== -1; c = w.nextCode(c)) {
    const inside = w.field(c) === FIELD.resources || w.field(c) === FIELD.body;
    w.visit(c, inside ? own : scope);
  }
  return -1;
};

const resource: Handler = (w, node, scope) => {
  const typeNode = w.child(node, FIELD.type);
  const opened = w.child(node, FIELD.value);
  if (typeNode === -1) return w.children(node, scope);
  const type = declaredType(w, typeNode, scope);
  let value = -1;
  if (opened !== -1) value = w.expr(E.enter, opened, scope, '', w.value(opened, scope));
  bindVariable(w, node, type, value, scope);
  return -1;
};

const catchClause: Handler = (w, node, scope) => w.children(node, w.blockScope(scope));

const catchParameter: Handler = (w, node, scope) => {
  const types = w.childOf(node, K.catch_type);
  const rows: number[] = [];
  if (types !== -1) {
    for (let c = w.first(types); c !== -1; c = w.next(c)) rows.push(w.type(c, scope));
  }
  bindVariable(w, node, types === -1 ? -1 : anyOf(w, rows, types, scope, R.type), -1, scope);
  return -1;
};

const statement: Handler = (w, node, scope) => w.children(node, statementScope(w, node, scope));

/** Nodes that are nothing but a call. */
const CALLS: ReadonlySet<number> = new Set([K.method_invocation]);
const expressionStatement: Handler = (w, node, scope) => w.droppedIn(node, statementScope(w, node, scope), CALLS);

const returnStatement: Handler = (w, node, scope) => {
  const value = w.first(node);
  if (value === -1) return -1;
  const row = w.value(value, statementScope(w, node, scope));
  w.state.returns?.push(row);
  return -1;
};

const yieldStatement: Handler = (w, node, scope) => {
  const value = w.first(node);
  if (value === -1) return -1;
  const row = w.value(value, statementScope(w, node, scope));
  w.state.yields?.push(row);
  return -1;
};

/** Labels name statements and are looked up nowhere else. */
const labeled: Handler = (w, node, scope) => {
  const body = w.last(node);
  if (body !== -1 && body !== w.first(node)) w.visit(body, scope);
  return -1;
};
const jump: Handler = () => -1;

const switchExpression: Handler = (w, node, scope) => {
  const condition = w.child(node, FIELD.condition);
  const body = w.child(node, FIELD.body);
  const selector = condition === -1 ? -1 : w.visit(condition, scope);
  const { yields } = w.state;
  const results: number[] = [];
  w.state.yields = results;
  if (body !== -1) switchBlock(w, body, selector, w.blockScope(scope));
  w.state.yields = yields;
  if (results.length === 0) return -1;
  return w.expr(E.union, node, scope, hasDefault(w, body) ? '' : TOTAL, -1, w.build.list(results));
};

/** Whether a label of the block stands for all that no other one does. */
function hasDefault(w: Walk, body: number): boolean {
  for (let c = w.firstCode(body); c !== -1; c = w.nextCode(c)) {
    const label = w.childOf(c, K.switch_label);
    if (label !== -1 && /\bdefault\b/.test(w.textOf(label))) return true;
  }
  return false;
}

function switchBlock(w: Walk, body: number, selector: number, scope: number): void {
  for (let c = w.firstCode(body); c !== -1; c = w.nextCode(c)) {
    if (w.isError(c)) {
      w.visit(c, scope);
      continue;
    }
    const label = w.childOf(c, K.switch_label);
    const bindsNames = label !== -1 && (w.has(label, K.pattern) || w.state.binds(label));
    const own = bindsNames ? w.blockScope(scope) : scope;
    for (let part = w.firstCode(c); part !== -1; part = w.nextCode(part)) {
      const kind = w.kind(part);
      if (kind === K.switch_label) switchLabel(w, part, selector, own);
      else if (kind === K.expression_statement && w.kind(c) === K.switch_rule) switchArm(w, part, own);
      else w.visit(part, own);
    }
  }
}

/** The expression after `->` is a result of the switch. */
function switchArm(w: Walk, node: number, scope: number): void {
  const expression = w.first(node);
  if (expression === -1) return;
  const row = w.visit(expression, statementScope(w, node, scope));
  if (row !== -1) w.state.yields?.push(row);
}

function switchLabel(w: Walk, label: number, selector: number, scope: number): void {
  for (let c = w.firstCode(label); c !== -1; c = w.nextCode(c)) {
    if (w.kind(c) === K.identifier) {
      if (w.isPresent(c) && w.textOf(c) !== 'default') w.state.caseLabels.push({ node: c, scope, selector });
    } else if (w.kind(c) === K.pattern && w.has(c, K.record_pattern))
      recordPattern(w, w.childOf(c, K.record_pattern), selector, scope);
    else w.visit(c, scope);
  }
}

/** Rows of the constants in `case` labels, once every field of the file is known. */
export function settleCaseLabels(w: Walk): void {
  for (const { node, scope, selector } of w.state.caseLabels) {
    if (selector === -1 || w.state.constants.has(w.textOf(node))) {
      w.nameRow(node, scope);
      continue;
    }
    w.expr(E.member, node, scope, w.textOf(node), selector, LABEL);
  }
}

export const STATEMENTS: Table = {
  block,
  if_statement: ifStatement,
  while_statement: loop,
  do_statement: loop,
  for_statement: forStatement,
  enhanced_for_statement: enhancedFor,
  try_with_resources_statement: tryWithResources,
  resource,
  catch_clause: catchClause,
  catch_formal_parameter: catchParameter,
  expression_statement: expressionStatement,
  assert_statement: statement,
  throw_statement: statement,
  return_statement: returnStatement,
  yield_statement: yieldStatement,
  labeled_statement: labeled,
  break_statement: jump,
  continue_statement: jump,
  switch_expression: switchExpression,
};
