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
import { T } from './kinds.js';
import { bindParts, pattern } from './patterns.js';
import { typeRow } from './types.js';
import type { Handler, Walk } from './walk.js';

const block: Handler = (w, node, scope) => w.visitChildren(node, w.blockScope(scope));

/** A statement in a scope that was opened for it: a block opens no further one. */
function bodyInto(w: Walk, node: number, scope: number): void {
  if (node === -1) return;
  if (w.tag(node) === T.block) w.visitChildren(node, scope);
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
  const { fields } = w.kinds;
  let type = -1;
  let typeNode = -1;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) continue;
    if (w.tree.field[c] === fields.type) typeNode = c;
    else if (w.tag(c) !== T.variable_declarator) w.visit(c, scope);
    else {
      const names = w.ofTag(c, T.tuple_pattern);
      if (names !== -1 && typeNode !== -1 && w.tag(typeNode) !== T.implicit_type && w.lastNamed(c) === names) {
        looksLikeCall(w, node, typeNode, names, scope);
        return;
      }
      if (type === -1) type = typeRow(w, typeNode, scope);
      variable(w, c, names, type, scope, how);
    }
  }
}

function variable(w: Walk, node: number, names: number, type: number, scope: number, how: Variables): void {
  if (names !== -1) {
    const value = w.lastNamed(node);
    bindParts(w, names, value === names ? -1 : w.value(value, scope), scope);
    return;
  }
  const name = w.inField(node, w.kinds.fields.name);
  if (name === -1) {
    w.visitChildren(node, scope);
    return;
  }
  const sizes = w.ofTag(node, T.bracketed_argument_list);
  if (sizes !== -1) w.visitChildren(sizes, scope);
  const initial = initialValue(w, node, name);
  aimNew(w, initial, type);
  const value = w.visit(initial, scope);
  if (how.disposed && value >= 0) w.expr(E.enter, node, scope, '', value);
  w.local(name, node, scope, type, value, how.flags);
}

/** `F(async);`: where the only argument is a contextual keyword the grammar sees a deconstruction into the type `F`. */
function looksLikeCall(w: Walk, node: number, callee: number, names: number, scope: number): void {
  const row = typeRow(w, callee, scope, R.callee);
  const args = [];
  for (let c = w.first(names); c !== -1; c = w.next(names, c))
    if (w.counts(c)) args.push({ expr: w.value(c, scope), start: w.start(c) });
  w.expr(E.call, node, scope, '', row, w.build.argumentList(args));
}

const variableDeclaration: Handler = (w, node, scope) => {
  variables(w, node, scope, PLAIN);
  return -1;
};

const localDeclaration: Handler = (w, node, scope) => {
  let how = PLAIN;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    const tag = w.tag(c);
    if (tag === T.using) how = DISPOSED;
    else if (tag === T.modifier) {
      if (w.tree.text.startsWith('const', w.start(c))) how = CONST;
    } else if (tag === T.variable_declaration) variables(w, c, scope, how);
    else if (w.counts(c)) w.visit(c, scope);
  }
  return -1;
};

/** `using (…) body`: a declaration, or an expression that is disposed of. */
const usingStatement: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  const body = w.inField(node, w.kinds.fields.body);
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (w.tag(c) === T.variable_declaration) variables(w, c, inner, DISPOSED);
    else if (c !== body && w.counts(c)) w.expr(E.enter, c, inner, '', w.value(c, inner));
  }
  bodyInto(w, body, inner);
  return -1;
};

/** `for`, `fixed`: everything in one scope. */
const scoped: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (w.tag(c) === T.block) w.visitChildren(c, inner);
    else if (w.counts(c)) w.visit(c, inner);
  }
  return -1;
};

const foreachStatement: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const inner = w.blockScope(scope);
  const right = w.inField(node, fields.right);
  const type = typeRow(w, w.inField(node, fields.type), inner);
  const iterated = w.value(right, scope);
  const element = iterated === -1 ? -1 : w.expr(E.element, right, inner, '', iterated);
  const left = w.inField(node, fields.left);
  if (left !== -1) {
    const tag = w.tag(left);
    if (tag === T.identifier) w.local(left, left, inner, type, type === -1 ? element : -1);
    else if (tag === T.tuple_pattern || tag === T.tuple_expression) bindParts(w, left, element, inner);
    else w.visit(left, inner);
  }
  bodyInto(w, w.inField(node, fields.body), inner);
  return -1;
};

const switchStatement: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const subject = w.value(w.inField(node, fields.value), scope);
  const body = w.inField(node, fields.body);
  for (let c = body === -1 ? -1 : w.first(body); c !== -1; c = w.next(body, c)) {
    if (w.tag(c) === T.switch_section) section(w, c, subject, w.blockScope(scope));
    else if (w.counts(c)) w.visit(c, scope);
  }
  return -1;
};

/** What stands before the colon is a pattern or constant, what stands behind it the statements. */
function section(w: Walk, node: number, subject: number, scope: number): void {
  let labelled = false;
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (!w.counts(c)) {
      if (w.tree.text[w.start(c)] === ':') labelled = true;
      else if (w.tag(c) === T.ERROR) w.visit(c, scope);
    } else if (labelled || w.tag(c) === T.when_clause) w.visit(c, scope);
    else pattern(w, c, subject, scope, R.read);
  }
}

const catchClause: Handler = (w, node, scope) => {
  const { fields } = w.kinds;
  const inner = w.blockScope(scope);
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    if (w.tag(c) === T.catch_declaration) {
      const type = typeRow(w, w.inField(c, fields.type), inner);
      const name = w.inField(c, fields.name);
      if (name !== -1) w.local(name, c, inner, type, -1);
    } else if (w.tag(c) === T.block) w.visitChildren(c, inner);
    else if (w.counts(c)) w.visit(c, inner);
  }
  return -1;
};

const returnStatement: Handler = (w, node, scope) => {
  const result = w.firstNamed(node);
  aimNew(w, result, w.body.target);
  const row = w.value(result, scope);
  if (row >= 0) w.body.returns.push(row);
  return -1;
};

const yieldStatement: Handler = (w, node, scope) => {
  if (w.body.decl !== -1) w.build.addFlags(w.body.decl, F.generator);
  const row = w.visitChildren(node, scope);
  if (row >= 0) w.body.returns.push(row);
  return -1;
};

/** Labels are names of their own sort and give no rows. */
const gotoStatement: Handler = (w, node, scope) => {
  const target = w.firstNamed(node);
  const word = w.first(node) === -1 ? -1 : w.next(node, w.first(node));
  return target === word && w.tag(target) === T.identifier ? -1 : w.visit(target, scope);
};

const labeledStatement: Handler = (w, node, scope) => {
  const statement = w.lastNamed(node);
  return statement === w.firstNamed(node) ? -1 : w.visit(statement, scope);
};

/** `#if`: all branches are code; the condition names symbols of the compiler. */
const directive: Handler = (w, node, scope) => w.visitChildren(node, scope, w.kinds.fields.condition);

export const STATEMENT_HANDLERS: Readonly<Record<number, Handler>> = {
  [T.block]: block,
  [T.variable_declaration]: variableDeclaration,
  [T.local_declaration_statement]: localDeclaration,
  [T.using_statement]: usingStatement,
  [T.for_statement]: scoped,
  [T.fixed_statement]: scoped,
  [T.foreach_statement]: foreachStatement,
  [T.switch_statement]: switchStatement,
  [T.catch_clause]: catchClause,
  [T.return_statement]: returnStatement,
  [T.yield_statement]: yieldStatement,
  [T.goto_statement]: gotoStatement,
  [T.labeled_statement]: labeledStatement,
  [T.preproc_if]: directive,
  [T.preproc_elif]: directive,
  [T.preproc_else]: directive,
};
