/**
 * Statements, as far as they open scopes, declare locals or say something of the function around.
 *
 * The body of a loop, `using`, `fixed` or `catch` shares the scope of what its head declares: C#
 * lets no inner name hide it. Names that conditions bind (`is A a`, `out var x`) go to the scope
 * of the statement, where the language puts them, too.
 */
import { E, F, R } from '../../syntax/summary.js';
import { aimNew } from './functions.js';
import { initialValue } from './initial-value.js';
import { FIELD, K } from './kinds.js';
import { bindParts, pattern } from './patterns.js';
import type { Handler, Table, Walk } from './walk.js';

const block: Handler = (w, node, scope) => w.lastOf(node, w.blockScope(scope));

/** A statement in a scope that was opened for it: a block opens no further one. */
function bodyInto(w: Walk, node: number, scope: number): void {
  if (node === -1) return;
  if (w.kind(node) === K.block) w.lastOf(node, scope);
  else w.visit(node, scope);
}

/** How the variables of a declaration come to their values. */
interface Variables {
  readonly flags: number;
  /** Whether the value is disposed of at the end of the scope. */
  readonly disposed: boolean;
}

const PLAIN: Variables = { flags: 0, disposed: false };
const CONST: Variables = { flags: F.const, disposed: false };
const DISPOSED: Variables = { flags: 0, disposed: true };

function variables(w: Walk, node: number, scope: number, how: Variables): void {
  let type = -1;
  let typeNode = -1;
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.field(c) === FIELD.type) typeNode = c;
    else if (w.kind(c) !== K.variable_declarator) w.visit(c, scope);
    else {
      const names = w.childOf(c, K.tuple_pattern);
      if (names !== -1 && typeNode !== -1 && w.kind(typeNode) !== K.implicit_type && w.last(c) === names) {
        looksLikeCall(w, node, typeNode, names, scope);
        return;
      }
      if (type === -1) type = w.type(typeNode, scope);
      variable(w, c, names, type, scope, how);
    }
  }
}

function variable(w: Walk, node: number, names: number, type: number, scope: number, how: Variables): void {
  if (names !== -1) {
    const value = w.last(node);
    bindParts(w, names, value === names ? -1 : w.value(value, scope), scope);
    return;
  }
  const name = w.child(node, FIELD.name);
  if (name === -1) {
    w.lastOf(node, scope);
    return;
  }
  const sizes = w.childOf(node, K.bracketed_argument_list);
  if (sizes !== -1) w.lastOf(sizes, scope);
  const initial = initialValue(w, node, name);
  aimNew(w, initial, type);
  const value = w.visit(initial, scope);
  if (how.disposed && value >= 0) w.expr(E.enter, node, scope, '', value);
  w.local(name, node, scope, type, value, how.flags);
}

/** `F(async);`: where the only argument is a contextual keyword the grammar sees a deconstruction into the type `F`. */
function looksLikeCall(w: Walk, node: number, callee: number, names: number, scope: number): void {
  const row = w.type(callee, scope, R.callee);
  const args = [];
  for (let c = w.first(names); c !== -1; c = w.next(c)) args.push({ expr: w.value(c, scope), start: w.start(c) });
  w.expr(E.call, node, scope, '', row, w.build.argumentList(args));
}

const variableDeclaration: Handler = (w, node, scope) => {
  variables(w, node, scope, PLAIN);
  return -1;
};

const localDeclaration: Handler = (w, node, scope) => {
  let how = PLAIN;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    const tag = w.kind(c);
    if (tag === K.using) how = DISPOSED;
    else if (tag === K.modifier) {
      if (w.text.startsWith('const', w.start(c))) how = CONST;
    } else if (tag === K.variable_declaration) variables(w, c, scope, how);
    else if (w.isPart(c)) w.visit(c, scope);
  }
  return -1;
};

/** `using (…) body`: a declaration, or an expression that is disposed of. */
const usingStatement: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  const body = w.child(node, FIELD.body);
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.variable_declaration) variables(w, c, inner, DISPOSED);
    else if (c !== body && w.isPart(c)) w.expr(E.enter, c, inner, '', w.value(c, inner));
  }
  bodyInto(w, body, inner);
  return -1;
};

/** `for`, `fixed`: everything in one scope. */
const scoped: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.block) w.lastOf(c, inner);
    else if (w.isPart(c)) w.visit(c, inner);
  }
  return -1;
};

const foreachStatement: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  const right = w.child(node, FIELD.right);
  const type = w.type(w.child(node, FIELD.type), inner);
  const iterated = w.value(right, scope);
  const element = iterated === -1 ? -1 : w.expr(E.element, right, inner, '', iterated);
  const left = w.child(node, FIELD.left);
  if (left !== -1) {
    const tag = w.kind(left);
    if (tag === K.identifier) w.local(left, left, inner, type, type === -1 ? element : -1);
    else if (tag === K.tuple_pattern || tag === K.tuple_expression) bindParts(w, left, element, inner);
    else w.visit(left, inner);
  }
  bodyInto(w, w.child(node, FIELD.body), inner);
  return -1;
};

const switchStatement: Handler = (w, node, scope) => {
  const subject = w.value(w.child(node, FIELD.value), scope);
  const body = w.child(node, FIELD.body);
  for (let c = body === -1 ? -1 : w.firstChild(body); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.switch_section) section(w, c, subject, w.blockScope(scope));
    else if (w.isPart(c)) w.visit(c, scope);
  }
  return -1;
};

/** What stands before the colon is a pattern or constant, what stands behind it the statements. */
function section(w: Walk, node: number, subject: number, scope: number): void {
  let labelled = false;
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c)) {
      if (w.text[w.start(c)] === ':') labelled = true;
      else if (w.kind(c) === K.ERROR) w.visit(c, scope);
    } else if (labelled || w.kind(c) === K.when_clause) w.visit(c, scope);
    else pattern(w, c, subject, scope, R.read);
  }
}

const catchClause: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.catch_declaration) {
      const type = w.type(w.child(c, FIELD.type), inner);
      const name = w.child(c, FIELD.name);
      if (name !== -1) w.local(name, c, inner, type, -1);
    } else if (w.kind(c) === K.block) w.lastOf(c, inner);
    else if (w.isPart(c)) w.visit(c, inner);
  }
  return -1;
};

const returnStatement: Handler = (w, node, scope) => {
  const result = w.first(node);
  aimNew(w, result, w.state.body.target);
  const row = w.value(result, scope);
  if (row >= 0) w.state.body.returns.push(row);
  return -1;
};

const yieldStatement: Handler = (w, node, scope) => {
  if (w.state.body.decl !== -1) w.build.addFlags(w.state.body.decl, F.generator);
  const row = w.lastOf(node, scope);
  if (row >= 0) w.state.body.returns.push(row);
  return -1;
};

/** Labels are names of their own sort and give no rows. */
const gotoStatement: Handler = (w, node, scope) => {
  const target = w.first(node);
  const word = w.firstChild(node) === -1 ? -1 : w.nextChild(w.firstChild(node));
  return target === word && w.kind(target) === K.identifier ? -1 : w.visit(target, scope);
};

const labeledStatement: Handler = (w, node, scope) => {
  const statement = w.last(node);
  return statement === w.first(node) ? -1 : w.visit(statement, scope);
};

/** `#if`: all branches are code; the condition names symbols of the compiler. */
const directive: Handler = (w, node, scope) => {
  let last = -1;
  for (let c = w.firstCode(node); c !== -1; c = w.nextCode(c)) {
    const row = w.field(c) === FIELD.condition ? -1 : w.visit(c, scope);
    if (row !== -1) last = row;
  }
  return last;
};

/** Nodes that are nothing but a call. */
const CALLS: ReadonlySet<number> = new Set([
  K.invocation_expression,
  K.conditional_access_expression,
  K.await_expression,
]);

export const STATEMENTS: Table = {
  block,
  expression_statement: (w, node, scope) => w.droppedIn(node, scope, CALLS),
  variable_declaration: variableDeclaration,
  local_declaration_statement: localDeclaration,
  using_statement: usingStatement,
  for_statement: scoped,
  fixed_statement: scoped,
  foreach_statement: foreachStatement,
  switch_statement: switchStatement,
  catch_clause: catchClause,
  return_statement: returnStatement,
  yield_statement: yieldStatement,
  goto_statement: gotoStatement,
  labeled_statement: labeledStatement,
  preproc_if: directive,
  preproc_elif: directive,
  preproc_else: directive,
};
