/**
 * Statements and declarations.
 *
 * `let`, `const` and classes are declared in their block, `var` in the function; functions in
 * their block, but in scripts of plain JavaScript in the function. A variable with a function or
 * class as its value is a function or class of its name. A variable's text belongs to the
 * variable at module level; the text of one that is taken apart by a pattern belongs to the module.
 */
import { D, E, F, R, S } from '../../syntax/summary.js';
import { adoptFunctionType, declareClass, isFunctionValue } from './classes.js';
import { disposed } from './disposal.js';
import { docComment } from './doc-comments.js';
import { annotated, declareFunction } from './functions.js';
import { FIELD, K } from './kinds.js';

import {
  addWholeExport,
  behindExports,
  exportClause,
  exportStar,
  exportValue,
  importStatement,
  requireDeclaration,
} from './modules.js';
import { modifierFlags } from './modifiers.js';
import { declareSpan } from './names.js';
import { narrowBehind, narrowedScope } from './narrowing.js';
import { pattern, variableKind } from './patterns.js';
import { declareFunctionOrClass } from './put-on.js';
import { declareEnum, declareInterface, declareTypeAlias } from './type-members.js';
import { contextOf, walkParts, type Handler, type Table, type Walk } from './walk.js';

/** What stands around a declaration: `export`, `declare`, decorators. */
interface Wrapper {
  /** The outermost node. */
  readonly node: number;
  readonly flags: number;
  readonly decorated: readonly number[];
}

const BARE = (node: number): Wrapper => ({ node, flags: 0, decorated: [node] });

/** Declares what the node declares; false if it is no declaration. */
function declaration(w: Walk, node: number, scope: number, wrapper: Wrapper): boolean {
  switch (w.kind(node)) {
    case K.function_declaration:
    case K.generator_function_declaration:
    case K.function_signature:
      return (functionDeclaration(w, node, scope, wrapper), true);
    case K.class_declaration:
    case K.abstract_class_declaration:
      return (classDeclaration(w, node, scope, wrapper), true);
    case K.interface_declaration:
    case K.enum_declaration:
    case K.type_alias_declaration:
      return (typeDeclaration(w, node, scope, wrapper), true);
    case K.lexical_declaration:
    case K.variable_declaration:
      return (variableDeclaration(w, node, scope, wrapper), true);
    case K.ambient_declaration:
      return (ambient(w, node, scope, wrapper), true);
    case K.internal_module:
    case K.module:
      return (namespace(w, node, scope, wrapper), true);
    case K.import_alias:
      return (importAlias(w, node, scope, wrapper), true);
    default:
      return false;
  }
}

const declare: Handler = (w, node, scope) => {
  declaration(w, node, scope, BARE(node));
  return -1;
};

/** Records that a file exports the name; names in a namespace are only flagged. */
function noteExport(w: Walk, scope: number, wrapper: Wrapper, name: string, nameNode: number): void {
  if ((wrapper.flags & F.exported) === 0 || w.build.scopeKind(scope) !== S.module) return;
  const outside = (wrapper.flags & F.defaultExport) !== 0 ? 'default' : name;
  w.build.export({ name: outside, local: name, expr: -1, start: w.start(nameNode), end: w.end(nameNode) });
}

function functionDeclaration(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  const nameNode = w.child(node, FIELD.name);
  const declaredIn = w.state.sloppy ? w.state.context.varScope : scope;
  const name = nameNode === -1 ? 'default' : w.textOf(nameNode);
  noteExport(w, declaredIn, wrapper, name, nameNode === -1 ? node : nameNode);
  declareFunctionOrClass(w, node, {
    kind: D.function,
    name,
    nameStart: nameNode === -1 ? -1 : w.start(nameNode),
    start: w.start(wrapper.node),
    end: w.end(wrapper.node),
    flags: wrapper.flags | modifierFlags(w, node),
    scope: declaredIn,
    around: scope,
  });
}

function classDeclaration(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  const nameNode = w.child(node, FIELD.name);
  const name = nameNode === -1 ? 'default' : w.textOf(nameNode);
  noteExport(w, scope, wrapper, name, nameNode === -1 ? node : nameNode);
  declareClass(w, node, {
    kind: D.class,
    name,
    nameStart: nameNode === -1 ? -1 : w.start(nameNode),
    start: w.start(wrapper.node),
    end: w.end(wrapper.node),
    flags: wrapper.flags,
    scope,
    decorated: wrapper.decorated,
  });
}

function typeDeclaration(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  const nameNode = w.child(node, FIELD.name);
  if (nameNode === -1) return void w.children(node, scope);
  noteExport(w, scope, wrapper, w.textOf(nameNode), nameNode);
  const spec = { nameNode, start: w.start(wrapper.node), end: w.end(wrapper.node), flags: wrapper.flags, scope };
  switch (w.kind(node)) {
    case K.interface_declaration:
      return void declareInterface(w, node, spec);
    case K.enum_declaration:
      return void declareEnum(w, node, spec);
    default:
      return void declareTypeAlias(w, node, spec);
  }
}

/** `declare …`: a declaration, `global { … }`, or a module. */
function ambient(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) === K.statement_block) globalBlock(w, node, c, scope, wrapper);
    else if (!declaration(w, c, scope, { ...wrapper, decorated: [...wrapper.decorated, c] })) w.visit(c, scope);
  }
}

/** `declare global { … }` is a namespace called `global`; what it declares every file sees. */
function globalBlock(w: Walk, node: number, body: number, scope: number, wrapper: Wrapper): void {
  const word = w.childOf(node, K.global);
  openNamespace(w, 'global', word === -1 ? -1 : w.start(word), {
    start: w.start(wrapper.node),
    end: w.end(wrapper.node),
    body,
    scope,
    flags: wrapper.flags | F.partial,
  });
}

interface NamespaceSpec {
  readonly start: number;
  readonly end: number;
  readonly body: number;
  readonly scope: number;
  readonly flags: number;
}

function openNamespace(w: Walk, name: string, nameStart: number, spec: NamespaceSpec): void {
  const { build } = w;
  const decl = declareSpan(w, D.namespace, name, nameStart, spec.start, spec.end, spec.scope, spec.flags);
  if (spec.body !== -1) build.set(decl, 'bodyStart', w.start(spec.body));
  const inner = build.scope(S.namespace, spec.scope, decl, decl);
  build.set(decl, 'inner', inner);
  if (spec.body === -1) return;
  const outer = w.state.context;
  w.state.context = contextOf(inner);
  w.children(spec.body, inner);
  w.state.context = outer;
}

/**
 * `namespace A.B { … }` is B in A; `declare module 'x'` is flagged `partial`, since it adds to a module named
 * elsewhere.
 */
function namespace(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  const nameNode = w.child(node, FIELD.name);
  const body = w.child(node, FIELD.body);
  if (nameNode === -1) return void w.children(node, scope);
  const spec = { start: w.start(wrapper.node), end: w.end(wrapper.node), flags: wrapper.flags };
  if (w.kind(nameNode) === K.string) {
    const text = w.text.slice(w.start(nameNode) + 1, Math.max(w.start(nameNode) + 1, w.end(nameNode) - 1));
    return openNamespace(w, text, w.start(nameNode) + 1, { ...spec, body, scope, flags: spec.flags | F.partial });
  }
  const path = namesOfPath(w, nameNode, []);
  noteExport(w, scope, wrapper, w.textOf(path[0] ?? nameNode), path[0] ?? nameNode);
  let around = scope;
  path.forEach((name, i) => {
    const isLast = i === path.length - 1;
    const at = w.build.declCount();
    openNamespace(w, w.textOf(name), w.start(name), {
      ...spec,
      start: i === 0 ? spec.start : w.start(name),
      body: isLast ? body : -1,
      scope: around,
      flags: i === 0 ? spec.flags : F.exported,
    });
    around = w.build.get(at, 'inner');
  });
}

function namesOfPath(w: Walk, node: number, out: number[]): number[] {
  if (w.kind(node) !== K.nested_identifier && w.kind(node) !== K.member_expression) {
    out.push(node);
    return out;
  }
  for (let c = w.first(node); c !== -1; c = w.next(c)) namesOfPath(w, c, out);
  return out;
}

/** `import x = A.B` declares a variable whose value is `A.B`. */
function importAlias(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  const nameNode = w.first(node);
  if (nameNode === -1) return;
  noteExport(w, scope, wrapper, w.textOf(nameNode), nameNode);
  const decl = declareSpan(
    w,
    variableKind(w, scope),
    w.textOf(nameNode),
    w.start(nameNode),
    w.start(wrapper.node),
    w.end(wrapper.node),
    scope,
    wrapper.flags | F.const,
  );
  for (let c = w.next(nameNode); c !== -1; c = w.next(c)) w.build.set(decl, 'value', w.type(c, scope));
}

// ---- variables

function variableDeclaration(w: Walk, node: number, scope: number, wrapper: Wrapper): void {
  const isVar = w.kind(node) === K.variable_declaration;
  const isConst = /^(?:const|using)\b/.test(w.text.slice(w.start(node), w.start(node) + 6));
  const declaredIn = isVar ? w.state.context.varScope : scope;
  const flags = wrapper.flags | (isConst ? F.const : 0);
  let start = w.start(wrapper.node);
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.variable_declarator) {
      w.visit(c, scope);
      continue;
    }
    const next = nextDeclarator(w, c);
    const isFirst = start === w.start(wrapper.node);
    const end = next !== -1 ? (isFirst ? w.start(next) : w.end(c)) : isFirst ? w.end(wrapper.node) : w.end(c);
    declarator(w, c, { scope, declaredIn, flags, start, end, statement: node, wrapper });
    if (next !== -1) start = w.start(next);
  }
}

function nextDeclarator(w: Walk, node: number): number {
  for (let c = w.nextChild(node); c !== -1; c = w.nextChild(c)) if (w.kind(c) === K.variable_declarator) return c;
  return -1;
}

interface Declarator {
  readonly scope: number;
  readonly declaredIn: number;
  readonly flags: number;
  readonly start: number;
  readonly end: number;
  readonly statement: number;
  readonly wrapper: Wrapper;
}

function declarator(w: Walk, node: number, d: Declarator): void {
  const nameNode = w.child(node, FIELD.name);
  const given = w.child(node, FIELD.value);
  if (nameNode === -1) return void w.children(node, d.scope);
  const value = w.kind(nameNode) === K.identifier ? behindExports(w, w.textOf(nameNode), given, d.scope) : given;
  // A type that is written says more than what a module may hold.
  if (w.child(node, FIELD.type) === -1 && requireDeclaration(w, d.statement, nameNode, value, d.scope)) return;
  if (w.kind(nameNode) !== K.identifier) return patternDeclarator(w, node, nameNode, value, d);
  const name = w.textOf(nameNode);
  noteExport(w, d.declaredIn, d.wrapper, name, nameNode);
  const nameStart = w.start(nameNode);
  if (isFunctionValue(w, value)) {
    const decl = declareFunctionOrClass(w, value, {
      kind: D.function,
      name,
      nameStart,
      start: d.start,
      end: d.end,
      flags: d.flags | modifierFlags(w, value),
      scope: d.declaredIn,
      around: d.scope,
    });
    adoptFunctionType(w, decl, annotated(w, w.child(node, FIELD.type), w.build.get(decl, 'inner')));
  } else if (value !== -1 && w.kind(value) === K.class) {
    declareClass(w, value, {
      kind: D.class,
      name,
      nameStart,
      start: d.start,
      end: d.end,
      flags: d.flags,
      scope: d.declaredIn,
      decorated: [value],
    });
  } else variable(w, node, nameNode, value, d);
}

function variable(w: Walk, node: number, nameNode: number, value: number, d: Declarator): void {
  const { build } = w;
  const name = w.textOf(nameNode);
  const kind = variableKind(w, d.declaredIn);
  const seenBefore =
    kind === D.local &&
    (d.declaredIn !== d.scope || w.kind(d.statement) === K.variable_declaration) &&
    build.findDecl(d.declaredIn, name) !== -1;
  const decl = declareSpan(
    w,
    kind,
    name,
    w.start(nameNode),
    d.start,
    d.end,
    d.declaredIn,
    d.flags | (seenBefore ? F.reassigned : 0),
  );
  if (value !== -1) build.set(decl, 'bodyStart', w.start(value));
  const scope = kind === D.variable ? w.headerScope(d.scope, decl) : d.scope;
  if (kind === D.variable) docComment(w, d.start, node, scope);
  const type = annotated(w, w.child(node, FIELD.type), scope);
  if (type !== -1) build.set(decl, 'type', type);
  const literal = type === -1 && kind === D.variable ? literalOf(w, value) : -1;
  if (literal !== -1) w.state.memberLiteral = { node: literal, owner: decl };
  const row = value === -1 ? -1 : w.visit(value, scope);
  if (row !== -1) build.set(decl, 'value', row);
  disposed(w, w.start(d.statement), row, scope);
  if (type === -1 && (d.flags & F.const) === 0 && (value === -1 || isNothing(w, value))) {
    const scopes = w.state.unassigned.get(name);
    if (scopes === undefined) w.state.unassigned.set(name, [d.declaredIn]);
    else scopes.push(d.declaredIn);
  }
}

/** Calls that give their argument back as it is. */
const GIVING_BACK: ReadonlySet<string> = new Set(['Object.freeze', 'Object.seal', 'Object.preventExtensions']);

/** The object literal that a value is, with or without `as const`, or frozen; -1 for none. */
function literalOf(w: Walk, value: number): number {
  if (value === -1) return -1;
  switch (w.kind(value)) {
    case K.object:
      return value;
    case K.as_expression:
      return w.next(w.first(value)) === -1 ? literalOf(w, w.first(value)) : -1;
    case K.parenthesized_expression:
      return literalOf(w, w.first(value));
    case K.call_expression: {
      const [callee, list] = [w.child(value, FIELD.function), w.child(value, FIELD.arguments)];
      // The text of a long chain is not cut out at each of its calls.
      const isGivenBack = w.kind(callee) === K.member_expression && GIVING_BACK.has(shortText(w, callee));
      const first = isGivenBack && list !== -1 ? w.first(list) : -1;
      return first === -1 ? -1 : literalOf(w, first);
    }
    default:
      return -1;
  }
}

/** The node's text, where it is no longer than those that are looked for. */
const shortText = (w: Walk, node: number): string =>
  w.end(node) - w.start(node) > LONGEST_GIVING_BACK ? '' : w.textOf(node);

const LONGEST_GIVING_BACK = Math.max(...[...GIVING_BACK].map((name) => name.length));

function isNothing(w: Walk, node: number): boolean {
  const kind = w.kind(node);
  return kind === K.null || kind === K.undefined;
}

function patternDeclarator(w: Walk, node: number, target: number, value: number, d: Declarator): void {
  const { build } = w;
  const type = annotated(w, w.child(node, FIELD.type), d.scope);
  const row = value === -1 ? -1 : w.visit(value, d.scope);
  const whole = type === -1 ? row : w.expr(E.cast, node, d.scope, '', row, type);
  const first = build.declCount();
  pattern(w, target, d.scope, whole, { kind: variableKind(w, d.declaredIn), scope: d.declaredIn, flags: d.flags });
  if ((d.flags & F.exported) === 0 || build.scopeKind(d.declaredIn) !== S.module) return;
  for (let decl = first; decl < build.declCount(); decl++) {
    if (build.get(decl, 'scope') !== d.declaredIn) continue;
    const start = build.get(decl, 'start');
    build.export({
      name: build.declName(decl),
      local: build.declName(decl),
      expr: -1,
      start,
      end: build.get(decl, 'end'),
    });
  }
}

// ---- exports

function exportStatement(w: Walk, node: number, scope: number): number {
  const declared = w.child(node, FIELD.declaration);
  const isDefault = w.has(node, K.default);
  const flags = F.exported | (isDefault ? F.defaultExport : 0);
  if (declared !== -1) {
    if (!declaration(w, declared, scope, { node, flags, decorated: [node, declared] })) w.visit(declared, scope);
    return -1;
  }
  const text = w.child(node, FIELD.source);
  const clause = w.childOf(node, K.export_clause);
  if (clause !== -1) exportClause(w, clause, text, scope);
  else if (text !== -1) exportStar(w, node, text);
  else if (isDefault) exportDefault(w, node, scope, flags);
  else if (w.has(node, K['='])) {
    const value = w.first(node);
    if (value !== -1)
      addWholeExport(w, w.kind(value) === K.identifier ? w.textOf(value) : '', w.visit(value, scope), node);
  } else if (!w.has(node, K.namespace)) return walkParts(w, node, scope, R.read);
  return -1;
}

/**
 * `export default` of an expression: what has no name is called `default`. A value is no block, but can be looked up.
 */
function exportDefault(w: Walk, node: number, scope: number, flags: number): void {
  const value = w.child(node, FIELD.value);
  if (value === -1) return void w.children(node, scope);
  const entry = { name: 'default', start: w.start(node), end: w.end(node) };
  if (w.kind(value) === K.identifier)
    return w.build.export({ ...entry, local: w.textOf(value), expr: w.nameRow(value, scope) });
  w.build.export({ ...entry, local: 'default', expr: -1 });
  const shared = { name: 'default', nameStart: -1, start: w.start(node), end: w.end(node), scope };
  if (isFunctionValue(w, value))
    declareFunction(w, value, { ...shared, kind: D.function, flags: flags | modifierFlags(w, value), around: scope });
  else if (w.kind(value) === K.class)
    declareClass(w, value, { ...shared, kind: D.class, flags, decorated: [node, value] });
  else {
    const object = literalOf(w, value);
    if (object !== -1) return exportValue(w, { node, value, object }, scope);
    const decl = declareSpan(w, D.local, 'default', -1, shared.start, shared.end, scope, flags | F.const);
    w.build.set(decl, 'value', w.visit(value, scope));
  }
}

// ---- control flow

const block: Handler = (w, node, scope) => {
  w.children(node, w.blockScope(scope));
  return -1;
};

/** `else if` chains are as deep as they are long: followed without recursion. */
const ifStatement: Handler = (w, node, scope) => {
  let at = node;
  let around = scope;
  for (;;) {
    const condition = w.child(at, FIELD.condition);
    if (condition !== -1) w.visit(condition, around);
    const consequence = w.child(at, FIELD.consequence);
    if (consequence !== -1) w.visit(consequence, narrowedScope(w, condition, around, true));
    const clause = w.child(at, FIELD.alternative);
    const alternative = clause === -1 ? -1 : w.first(clause);
    if (alternative === -1) {
      if (at === node) narrowBehind(w, condition, consequence, scope);
      return -1;
    }
    around = narrowedScope(w, condition, around, false);
    if (w.kind(alternative) !== K.if_statement) {
      w.visit(alternative, around);
      return -1;
    }
    at = alternative;
  }
};

const forStatement: Handler = (w, node, scope) => {
  w.children(node, w.blockScope(scope));
  return -1;
};

/** `for (const x of xs)`, `for (x in o)`. */
const forIn: Handler = (w, node, scope) => {
  const { build } = w;
  const inner = w.blockScope(scope);
  const right = w.child(node, FIELD.right);
  const left = w.child(node, FIELD.left);
  const iterated = right === -1 ? -1 : w.visit(right, scope);
  if (left !== -1) {
    const start = w.start(left);
    const value = w.has(node, K.of)
      ? build.expr(E.element, start, w.end(left), scope, '', iterated)
      : build.expr(E.literal, start, start, scope, 'str');
    const keyword = w.child(node, FIELD.kind);
    const word = keyword === -1 ? '' : w.textOf(keyword);
    const declaredIn = word === 'var' ? w.state.context.varScope : inner;
    pattern(
      w,
      left,
      inner,
      value,
      word === ''
        ? undefined
        : { kind: variableKind(w, declaredIn), scope: declaredIn, flags: word === 'const' ? F.const : 0 },
    );
  }
  const body = w.child(node, FIELD.body);
  if (body !== -1) w.visit(body, inner);
  return -1;
};

/** The value is compared with that of each case. */
const switchStatement: Handler = (w, node, scope) => {
  const value = w.child(node, FIELD.value);
  const body = w.child(node, FIELD.body);
  const subject = value === -1 ? -1 : w.visit(value, scope);
  if (body === -1) return -1;
  const inner = w.blockScope(scope);
  for (let c = w.firstCode(body); c !== -1; c = w.nextCode(c)) {
    const label = w.kind(c) === K.switch_case ? w.child(c, FIELD.value) : -1;
    for (let part = w.firstCode(c); part !== -1; part = w.nextCode(part)) {
      const row = w.visit(part, inner);
      if (part === label && row !== -1 && subject !== -1) w.expr(E.operator, label, inner, '===', subject, row);
    }
  }
  return -1;
};

const catchClause: Handler = (w, node, scope) => {
  const inner = w.blockScope(scope);
  const parameter = w.child(node, FIELD.parameter);
  const body = w.child(node, FIELD.body);
  const type = annotated(w, w.child(node, FIELD.type), inner);
  if (parameter !== -1)
    pattern(w, parameter, inner, type === -1 ? -1 : w.expr(E.cast, parameter, inner, '', -1, type), {
      kind: D.local,
      scope: inner,
      flags: 0,
    });
  if (body !== -1) w.children(body, inner);
  return -1;
};

const returnStatement: Handler = (w, node, scope) => {
  const value = w.first(node);
  const row = value === -1 ? -1 : w.visit(value, scope);
  if (row !== -1 && !w.state.context.generator) w.state.context.results.push(row);
  return -1;
};

const labelled: Handler = (w, node, scope) => {
  const body = w.child(node, FIELD.body);
  return body === -1 ? -1 : w.visit(body, scope);
};

/** Nodes that are nothing but a call. */
const CALLS: ReadonlySet<number> = new Set([K.call_expression, K.await_expression]);

const nothing: Handler = () => -1;

export const STATEMENTS: Table = {
  import_statement: importStatement,
  export_statement: exportStatement,
  function_declaration: declare,
  generator_function_declaration: declare,
  function_signature: declare,
  class_declaration: declare,
  abstract_class_declaration: declare,
  interface_declaration: declare,
  enum_declaration: declare,
  type_alias_declaration: declare,
  lexical_declaration: declare,
  variable_declaration: declare,
  ambient_declaration: declare,
  internal_module: declare,
  module: declare,
  import_alias: declare,
  expression_statement: (w, node, scope) => w.droppedIn(node, scope, CALLS),
  statement_block: block,
  switch_statement: switchStatement,
  switch_body: block,
  class_body: block,
  if_statement: ifStatement,
  for_statement: forStatement,
  for_in_statement: forIn,
  catch_clause: catchClause,
  return_statement: returnStatement,
  labeled_statement: labelled,
  break_statement: nothing,
  continue_statement: nothing,
  comment: nothing,
  decorator: (w, node, scope) => {
    const part = w.first(node);
    if (part !== -1) w.build.setRole(w.visit(part, scope), R.decorator);
    return -1;
  },
};
