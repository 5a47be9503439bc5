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
import { ERROR_KIND } from '../../syntax/flat-tree.js';
import { D, E, LABEL, R } from '../../syntax/summary.js';
import { annotationRows, modifierFlags, modifiersOf } from './modifiers.js';
import { recordPattern } from './patterns.js';
import { anyOf, declaredType, typeRow, withDimensions } from './types.js';
import type { Handler, Walk } from './walk.js';

/** Deepest nesting of a condition that is searched for what it binds. */
const CONDITION_DEPTH_MAX = 100;

const block: Handler = (x, node, scope) => x.parts(node, declaresNames(x, node) ? x.blockScope(scope) : scope);

/** Whether something directly in the block puts a name into it. */
function declaresNames(x: Walk, node: number): boolean {
  const { declaresInBlock } = x.kinds;
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c))
    if (declaresInBlock[x.kind(c)] === 1 || bindsBeyond(x, c)) return true;
  return false;
}

/** Whether the names that a statement's condition binds outlive it: they are bound where the condition is false. */
function bindsBeyond(x: Walk, node: number): boolean {
  const { kinds } = x;
  const kind = x.kind(node);
  if ((kind !== kinds.ifStatement && kind !== kinds.whileStatement) || !x.binds(node)) return false;
  const condition = x.child(node, kinds.conditionField);
  return condition !== -1 && x.child(node, kinds.alternativeField) === -1 && bindsWhen(x, condition, false, 0);
}

/** Whether a binding `instanceof` has surely matched when the condition has the given outcome. */
function bindsWhen(x: Walk, node: number, outcome: boolean, depth: number): boolean {
  const { kinds } = x;
  const kind = x.kind(node);
  if (kind === kinds.instanceof) return outcome && x.binds(node);
  const first = x.first(node);
  const last = x.last(node);
  if (first === -1 || depth > CONDITION_DEPTH_MAX) return false;
  if (kind === kinds.parenthesized) return bindsWhen(x, first, outcome, depth + 1);
  const operator = x.child(node, kinds.operatorField);
  if (operator === -1) return false;
  if (kind === kinds.unary) return x.text(operator) === '!' && bindsWhen(x, last, !outcome, depth + 1);
  if (kind !== kinds.binary || x.text(operator) !== (outcome ? '&&' : '||')) return false;
  return bindsWhen(x, first, outcome, depth + 1) || bindsWhen(x, last, outcome, depth + 1);
}

/** The scope of a statement whose parts see what its condition binds. */
function conditionScope(x: Walk, node: number, scope: number): number {
  const condition = x.child(node, x.kinds.conditionField);
  return condition === -1 || !x.binds(condition) || bindsBeyond(x, node) ? scope : x.blockScope(scope);
}

/** `if … else if …`, which generated code chains by the hundred: a loop. */
const ifStatement: Handler = (x, node, scope) => {
  const { kinds } = x;
  let at = node;
  let around = scope;
  while (at !== -1 && x.kind(at) === kinds.ifStatement) {
    const own = conditionScope(x, at, around);
    const alternative = x.child(at, kinds.alternativeField);
    const stop = x.skip(at);
    for (let c = at + 1; c < stop; c = x.skip(c)) if (c !== alternative) x.walk(c, own);
    at = alternative;
    around = own;
  }
  if (at !== -1) x.walk(at, around);
  return -1;
};

const loop: Handler = (x, node, scope) => x.parts(node, conditionScope(x, node, scope));

const forStatement: Handler = (x, node, scope) => {
  const { kinds } = x;
  const initial = x.child(node, kinds.initField);
  const declares = initial !== -1 && x.kind(initial) === kinds.localVariable;
  return x.parts(node, declares ? x.blockScope(scope) : conditionScope(x, node, scope));
};

/** Declares the variable of a loop, a resource or a catch clause. */
function bindVariable(x: Walk, node: number, type: number, value: number, scope: number): void {
  const { build, kinds } = x;
  const name = x.child(node, kinds.nameField);
  const modifiers = modifiersOf(x, node);
  const decorators = build.list(annotationRows(x, modifiers, scope));
  if (!x.present(name) || x.kind(name) !== kinds.identifier) return;
  const decl = build.decl({
    kind: D.local,
    name: x.text(name),
    nameStart: x.start(name),
    start: modifiers === -1 ? x.start(node) : x.start(modifiers),
    end: x.end(name),
    scope,
    parent: build.scopeBlock(scope),
    flags: modifierFlags(x, modifiers),
    type: withDimensions(x, type, x.start(name), x.child(node, kinds.dimensionsField), scope),
    value,
  });
  build.set(decl, 'decorators', decorators);
}

const enhancedFor: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const iterated = x.child(node, kinds.valueField);
  const typeNode = x.child(node, kinds.typeField);
  const body = x.child(node, kinds.bodyField);
  const own = x.blockScope(scope);
  const type = typeNode === -1 ? -1 : declaredType(x, typeNode, own);
  let value = -1;
  if (iterated !== -1) {
    const row = x.value(iterated, x.statementScope(iterated, scope));
    value = build.expr(E.element, x.start(iterated), x.end(iterated), scope, '', row);
  }
  bindVariable(x, node, type, value, own);
  if (body !== -1) x.walk(body, own);
  return -1;
};

/** The resources are seen in the body, not in the `catch` and `finally` clauses. */
const tryWithResources: Handler = (x, node, scope) => {
  const { kinds } = x;
  const own = x.blockScope(scope);
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) {
    const inside = x.tree.field[c] === kinds.resourcesField || x.tree.field[c] === kinds.bodyField;
    x.walk(c, inside ? own : scope);
  }
  return -1;
};

const resource: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const typeNode = x.child(node, kinds.typeField);
  const opened = x.child(node, kinds.valueField);
  if (typeNode === -1) return x.parts(node, scope);
  const type = declaredType(x, typeNode, scope);
  let value = -1;
  if (opened !== -1) value = build.expr(E.enter, x.start(opened), x.end(opened), scope, '', x.value(opened, scope));
  bindVariable(x, node, type, value, scope);
  return -1;
};

const catchClause: Handler = (x, node, scope) => x.parts(node, x.blockScope(scope));

const catchParameter: Handler = (x, node, scope) => {
  const { kinds } = x;
  const types = x.childOf(node, kinds.catchType);
  const rows: number[] = [];
  if (types !== -1) {
    const stop = x.skip(types);
    for (let c = types + 1; c < stop; c = x.skip(c)) if (x.proper(c)) rows.push(typeRow(x, c, scope));
  }
  bindVariable(x, node, types === -1 ? -1 : anyOf(x, rows, types, scope, R.type), -1, scope);
  return -1;
};

const statement: Handler = (x, node, scope) => x.parts(node, x.statementScope(node, scope));

const returnStatement: Handler = (x, node, scope) => {
  const value = x.first(node);
  if (value === -1) return -1;
  const row = x.value(value, x.statementScope(node, scope));
  x.returns?.push(row);
  return -1;
};

const yieldStatement: Handler = (x, node, scope) => {
  const value = x.first(node);
  if (value === -1) return -1;
  const row = x.value(value, x.statementScope(node, scope));
  x.yields?.push(row);
  return -1;
};

/** Labels name statements and are looked up nowhere else. */
const labeled: Handler = (x, node, scope) => {
  const body = x.last(node);
  if (body !== -1 && body !== x.first(node)) x.walk(body, scope);
  return -1;
};
const jump: Handler = () => -1;

const switchExpression: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const condition = x.child(node, kinds.conditionField);
  const body = x.child(node, kinds.bodyField);
  const selector = condition === -1 ? -1 : x.walk(condition, scope);
  const { yields } = x;
  const results: number[] = [];
  x.yields = results;
  if (body !== -1) switchBlock(x, body, selector, x.blockScope(scope));
  x.yields = yields;
  return results.length === 0
    ? -1
    : build.expr(E.union, x.start(node), x.end(node), scope, '', -1, build.list(results));
};

function switchBlock(x: Walk, body: number, selector: number, scope: number): void {
  const { kinds } = x;
  const stop = x.skip(body);
  for (let c = body + 1; c < stop; c = x.skip(c)) {
    if (x.kind(c) === ERROR_KIND) x.seenErrors.add(c);
    const label = x.childOf(c, kinds.switchLabel);
    const bindsNames = label !== -1 && (x.childOf(label, kinds.pattern) !== -1 || x.binds(label));
    const own = bindsNames ? x.blockScope(scope) : scope;
    for (let part = c + 1; part < x.skip(c); part = x.skip(part)) {
      const kind = x.kind(part);
      if (kind === kinds.switchLabel) switchLabel(x, part, selector, own);
      else if (kind === kinds.expressionStatement && x.kind(c) === kinds.switchRule) switchArm(x, part, own);
      else x.walk(part, own);
    }
  }
}

/** The expression after `->` is a result of the switch. */
function switchArm(x: Walk, node: number, scope: number): void {
  const expression = x.first(node);
  if (expression === -1) return;
  const row = x.walk(expression, x.statementScope(node, scope));
  if (row !== -1) x.yields?.push(row);
}

function switchLabel(x: Walk, label: number, selector: number, scope: number): void {
  const { kinds } = x;
  const stop = x.skip(label);
  for (let c = label + 1; c < stop; c = x.skip(c)) {
    if (x.kind(c) === kinds.identifier) {
      if (x.present(c) && x.text(c) !== 'default') x.caseLabels.push({ node: c, scope, selector });
    } else if (x.kind(c) === kinds.pattern && x.childOf(c, kinds.recordPattern) !== -1)
      recordPattern(x, x.childOf(c, kinds.recordPattern), selector, scope);
    else x.walk(c, scope);
  }
}

/** Rows of the constants in `case` labels, once every field of the file is known. */
export function settleCaseLabels(x: Walk): void {
  for (const { node, scope, selector } of x.caseLabels) {
    if (selector === -1 || x.constants.has(x.text(node))) {
      x.name(node, scope);
      continue;
    }
    x.build.expr(E.member, x.start(node), x.end(node), scope, x.text(node), selector, LABEL);
  }
}

export const STATEMENTS: readonly (readonly [string, Handler])[] = [
  ['block', block],
  ['if_statement', ifStatement],
  ['while_statement', loop],
  ['do_statement', loop],
  ['for_statement', forStatement],
  ['enhanced_for_statement', enhancedFor],
  ['try_with_resources_statement', tryWithResources],
  ['resource', resource],
  ['catch_clause', catchClause],
  ['catch_formal_parameter', catchParameter],
  ['expression_statement', statement],
  ['assert_statement', statement],
  ['throw_statement', statement],
  ['return_statement', returnStatement],
  ['yield_statement', yieldStatement],
  ['labeled_statement', labeled],
  ['break_statement', jump],
  ['continue_statement', jump],
  ['switch_expression', switchExpression],
];
