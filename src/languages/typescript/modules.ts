/**
 * Imports and exports, of ECMAScript, TypeScript and CommonJS.
 *
 * An import makes a binding and an entry. A default import's entry has the binding's own name as
 * its row, since the source says no other. `import('./x')`, and `require('./x')` other than as
 * the whole value of a variable, are an entry of kind `module` without a binding, whose row is
 * a name without text that takes no place: it evaluates to the module, `await` or not. Their
 * entry's statement is empty, since the text around stays code that counts for change detection.
 *
 * `export = x` and `module.exports = x` are an entry called `=`, and one called `default` for
 * importers that take it so. Exported declarations have an entry each besides their flag.
 */
import { D, E, F, R, WHOLE_MODULE } from '../../syntax/summary.js';
import { declareClass, isFunctionValue } from './classes.js';
import { FIELD, K } from './kinds.js';

import { modifierFlags } from './modifiers.js';
import { declareSpan } from './names.js';
import { declareFunctionOrClass } from './put-on.js';
import { stringText } from './strings.js';
import type { Walk } from './walk.js';

/** What all entries of one import statement share. */
interface Source {
  readonly module: string;
  readonly moduleStart: number;
  readonly statementStart: number;
  readonly statementEnd: number;
  readonly typeOnly: boolean;
}

export function sourceOf(w: Walk, text: number, statement: number, typeOnly: boolean): Source {
  return {
    module: stringText(w, text),
    moduleStart: w.start(text) + 1,
    statementStart: w.start(statement),
    statementEnd: w.end(statement),
    typeOnly,
  };
}

function addImport(
  w: Walk,
  source: Source,
  kind: 'module' | 'name',
  node: number,
  name: string,
  decl: number,
  expr: number,
  typeOnly = false,
): void {
  const { module, moduleStart, statementStart, statementEnd } = source;
  w.build.import({
    kind,
    module,
    name,
    decl,
    expr,
    start: w.start(node),
    end: w.end(node),
    statementStart,
    statementEnd,
    moduleStart,
    typeOnly: source.typeOnly || typeOnly,
    global: false,
  });
}

function bind(w: Walk, node: number, scope: number): number {
  return w.declare(D.importBinding, node, node, scope);
}

export function importStatement(w: Walk, node: number, scope: number): number {
  const requireClause = w.childOf(node, K.import_require_clause);
  const text = Math.max(w.child(node, FIELD.source), requireClause === -1 ? -1 : w.child(requireClause, FIELD.source));
  const clause = w.childOf(node, K.import_clause);
  if (text === -1) return clause === -1 ? -1 : w.visit(clause, scope);
  const source = sourceOf(w, text, node, w.has(node, K.type) || w.has(node, K.typeof));
  if (requireClause !== -1) {
    const name = w.childOf(requireClause, K.identifier);
    if (name !== -1) addImport(w, source, 'module', requireClause, '', bind(w, name, scope), -1);
    return -1;
  }
  if (clause === -1) addImport(w, source, 'module', text, '', -1, -1);
  else importClause(w, clause, scope, source);
  return -1;
}

function importClause(w: Walk, clause: number, scope: number, source: Source): void {
  for (let c = w.firstChild(clause); c !== -1; c = w.nextChild(c)) {
    switch (w.kind(c)) {
      case K.identifier:
        addImport(w, source, 'name', c, 'default', bind(w, c, scope), w.nameRow(c, scope, R.import));
        break;
      case K.namespace_import: {
        const name = w.childOf(c, K.identifier);
        if (name !== -1) addImport(w, source, 'module', c, '', bind(w, name, scope), -1);
        break;
      }
      case K.named_imports: {
        for (let s = w.firstChild(c); s !== -1; s = w.nextChild(s))
          if (w.kind(s) === K.import_specifier) importSpecifier(w, s, scope, source);
        break;
      }
      default:
    }
  }
}

function importSpecifier(w: Walk, node: number, scope: number, source: Source): void {
  const name = w.child(node, FIELD.name);
  if (name === -1) return;
  const alias = w.child(node, FIELD.alias);
  const imported = w.kind(name) === K.string ? stringText(w, name) : w.textOf(name);
  const expr = w.kind(name) === K.string ? w.visit(name, scope) : w.nameRow(name, scope, R.import);
  addImport(w, source, 'name', node, imported, bind(w, alias === -1 ? name : alias, scope), expr, w.has(node, K.type));
}

// ---- CommonJS and dynamic imports

/** The string in `require('./x')`, or -1. */
export function requiredModule(w: Walk, node: number): number {
  if (node === -1 || w.kind(node) !== K.call_expression) return -1;
  const callee = w.child(node, FIELD.function);
  return callee !== -1 && w.kind(callee) === K.identifier && w.textOf(callee) === 'require' ? onlyString(w, node) : -1;
}

function onlyString(w: Walk, call: number): number {
  const list = w.child(call, FIELD.arguments);
  if (list === -1) return -1;
  const first = w.first(list);
  return first !== -1 && w.kind(first) === K.string ? first : -1;
}

export function isDynamicImport(w: Walk, node: number): boolean {
  const callee = w.child(node, FIELD.function);
  if (callee === -1) return false;
  return w.kind(callee) === K.import ? onlyString(w, node) !== -1 : requiredModule(w, node) !== -1;
}

export function dynamicImport(w: Walk, node: number, scope: number): number {
  const text = onlyString(w, node);
  const start = w.start(node);
  const source: Source = {
    module: stringText(w, text),
    moduleStart: w.start(text) + 1,
    statementStart: start,
    statementEnd: start,
    typeOnly: false,
  };
  const row = w.build.expr(E.name, start, start, scope, '', -1, -1, R.import);
  addImport(w, source, 'module', node, '', -1, row);
  if (scope === 0) w.build.isModule = true;
  return row;
}

/**
 * Members of test frameworks that take a module by its name, to put something else in its place or to get at it all the
 * same.
 */
const REPLACING: ReadonlySet<string> = new Set([
  'mock',
  'doMock',
  'unmock',
  'doUnmock',
  'dontMock',
  'setMock',
  'unstable_mockModule',
  'requireActual',
  'requireMock',
  'importActual',
  'importMock',
  'createMockFromModule',
]);
const FRAMEWORKS: ReadonlySet<string> = new Set(['jest', 'vi', 'vitest']);

/** Notes the module that `vi.mock('./x', …)` names, which binds nothing. */
export function replacedModule(w: Walk, node: number): void {
  const callee = w.child(node, FIELD.function);
  if (callee === -1 || w.kind(callee) !== K.member_expression) return;
  const object = w.child(callee, FIELD.object);
  const property = w.child(callee, FIELD.property);
  if (object === -1 || property === -1 || !FRAMEWORKS.has(w.textOf(object)) || !REPLACING.has(w.textOf(property)))
    return;
  const text = onlyString(w, node);
  if (text === -1) return;
  const start = w.start(node);
  addImport(
    w,
    {
      module: stringText(w, text),
      moduleStart: w.start(text) + 1,
      statementStart: start,
      statementEnd: start,
      typeOnly: false,
    },
    'module',
    node,
    '',
    -1,
    -1,
  );
}

/**
 * `const x = require('./x')`, `const {a, b: c} = require('./x')`, `const x = require('./x').a`: imports. False if it is
 * none of these.
 */
export function requireDeclaration(
  w: Walk,
  statement: number,
  nameNode: number,
  value: number,
  scope: number,
): boolean {
  const property = value !== -1 && w.kind(value) === K.member_expression ? w.child(value, FIELD.property) : -1;
  const text = requiredModule(w, property === -1 ? value : w.child(value, FIELD.object));
  if (text === -1) return false;
  const kind = w.kind(nameNode);
  if (kind === K.object_pattern ? property !== -1 || !isFlatPattern(w, nameNode) : kind !== K.identifier) return false;
  const whole = sourceOf(w, text, statement, false);
  const source = scope === 0 ? whole : { ...whole, statementEnd: whole.statementStart };
  w.build.isModule = true;
  if (kind === K.object_pattern) bindPattern(w, nameNode, scope, source);
  else if (property === -1) addImport(w, source, 'module', nameNode, '', bind(w, nameNode, scope), -1);
  else
    addImport(
      w,
      source,
      'name',
      nameNode,
      w.textOf(property),
      bind(w, nameNode, scope),
      w.nameRow(property, scope, R.import),
    );
  return true;
}

function isFlatPattern(w: Walk, node: number): boolean {
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (!w.isPart(c) || w.kind(c) === K.shorthand_property_identifier_pattern) continue;
    if (w.kind(c) !== K.pair_pattern) return false;
    const key = w.child(c, FIELD.key);
    const value = w.child(c, FIELD.value);
    if (key === -1 || value === -1 || w.kind(key) !== K.property_identifier || w.kind(value) !== K.identifier)
      return false;
  }
  return true;
}

function bindPattern(w: Walk, node: number, scope: number, source: Source): void {
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    const key = w.kind(c) === K.pair_pattern ? w.child(c, FIELD.key) : c;
    const name = w.kind(c) === K.pair_pattern ? w.child(c, FIELD.value) : c;
    addImport(w, source, 'name', c, w.textOf(key), bind(w, name, scope), w.nameRow(key, scope, R.import));
  }
}

/**
 * `module.exports = v`, `exports.x = v`, `module.exports.x = v` at the top of a file; false for any other assignment.
 */
export function commonJsExport(w: Walk, node: number, left: number, right: number, scope: number): boolean {
  if (scope !== 0 || right === -1 || w.kind(left) !== K.member_expression) return false;
  const whole = isModuleExports(w, left);
  const property = whole ? -1 : exportedMember(w, left);
  const named = property !== -1;
  if (!whole && !named) return false;
  w.build.isModule = true;
  // What is given away under a name of its own is declared by that.
  const isDeclared = named && w.kind(right) !== K.identifier;
  w.build.setRole(w.visit(left, scope), isDeclared ? R.declares : R.write);
  const parent = w.tree.parent[node] as number;
  const statement = w.kind(parent) === K.expression_statement ? parent : node;
  if (whole) exportWhole(w, node, statement, right, scope);
  else exportNamed(w, property, statement, right, scope);
  return true;
}

/**
 * What a variable holds by `const kit = (exports = module.exports = { … })`, with the entries that the assignments make
 * for the variable; of any other value the value itself.
 */
export function behindExports(w: Walk, name: string, value: number, scope: number): number {
  let node = value;
  while (node !== -1 && w.kind(node) === K.parenthesized_expression) node = w.first(node);
  if (scope === 0 && node !== -1 && isExportsObject(w, node)) w.state.exportsNames.add(name);
  if (scope !== 0 || node === -1 || w.kind(node) !== K.assignment_expression) return value;
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  if (left === -1 || right === -1) return value;
  const isWhole = isModuleExports(w, left);
  const isExports = w.kind(left) === K.identifier && w.textOf(left) === 'exports';
  const member = !isWhole && w.kind(left) === K.member_expression ? exportedMember(w, left) : -1;
  if (!isWhole && !isExports && member === -1) return value;
  w.build.isModule = true;
  w.build.setRole(w.visit(left, scope), R.write);
  if (isWhole) addWholeExport(w, name, -1, node);
  else if (member !== -1)
    w.build.export({ name: w.textOf(member), local: name, expr: -1, start: w.start(node), end: w.end(node) });
  return behindExports(w, name, right, scope);
}

/** The name in `exports.x`, `module.exports.x`; -1 for any other member. */
function exportedMember(w: Walk, node: number): number {
  const object = w.child(node, FIELD.object);
  if (object === -1) return -1;
  return isExportsObject(w, object) ? w.child(node, FIELD.property) : -1;
}

/** `exports`, `module.exports`, and a variable that is set to one of them. */
const isExportsObject = (w: Walk, node: number): boolean =>
  (w.kind(node) === K.identifier && w.state.exportsNames.has(w.textOf(node))) || isModuleExports(w, node);

export function isModuleExports(w: Walk, node: number): boolean {
  if (w.kind(node) !== K.member_expression) return false;
  const object = w.child(node, FIELD.object);
  const property = w.child(node, FIELD.property);
  return (
    object !== -1 &&
    property !== -1 &&
    w.kind(object) === K.identifier &&
    w.textOf(object) === 'module' &&
    w.textOf(property) === 'exports'
  );
}

/** The entries of a whole-module export of `local`. */
export function addWholeExport(w: Walk, local: string, expr: number, node: number): void {
  for (const name of [WHOLE_MODULE, 'default'])
    w.build.export({ name, local, expr, start: w.start(node), end: w.end(node) });
}

function exportWhole(w: Walk, node: number, statement: number, right: number, scope: number): void {
  const text = requiredModule(w, right);
  if (text !== -1) {
    w.build.export({
      name: '*',
      local: '*',
      module: stringText(w, text),
      expr: -1,
      start: w.start(node),
      end: w.end(node),
    });
    return;
  }
  const named = declareExported(w, right, statement, scope, undefined);
  if (named !== undefined) return addWholeExport(w, named, -1, node);
  if (w.kind(right) === K.identifier) return addWholeExport(w, w.textOf(right), w.visit(right, scope), node);
  exportEntries(w, right);
  const object = w.kind(right) === K.object ? right : -1;
  if (object !== -1 && !holdsOthers(w, object)) return void w.visit(object, scope);
  exportValue(w, { node: statement, value: right, object }, scope);
  addWholeExport(w, 'default', -1, node);
}

/**
 * Declares a value that is exported without a name as a variable called `default`. `object`: the literal that it is, or
 * -1; its functions, which have no other place, are blocks, and what it holds by name is offered one by one.
 */
export function exportValue(
  w: Walk,
  { node, value, object }: { readonly node: number; readonly value: number; readonly object: number },
  scope: number,
): void {
  const flags = F.exported | F.defaultExport | F.const;
  const decl = declareSpan(w, D.variable, 'default', -1, w.start(node), w.end(node), scope, flags);
  w.build.set(decl, 'bodyStart', w.start(value));
  if (object !== -1) w.state.memberLiteral = { node: object, owner: decl, isOffered: true };
  w.build.set(decl, 'value', w.visit(value, w.headerScope(scope, decl)));
}

/** Whether an object literal has more than names and what is spread into it. */
function holdsOthers(w: Walk, object: number): boolean {
  for (let c = w.firstChild(object); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.method_definition) return true;
    const value = w.kind(c) === K.pair ? w.child(c, FIELD.value) : -1;
    if (value !== -1 && w.kind(value) !== K.identifier) return true;
  }
  return false;
}

const ASSIGN = 'Object.assign';

/** `Object.assign(module.exports, require('./a'), { b })`: all that the others hold. */
export function assignedExports(w: Walk, callee: number, list: number, scope: number): void {
  // The text of a long chain is not cut out at each of its calls.
  if (scope !== 0 || list === -1 || w.end(callee) - w.start(callee) !== ASSIGN.length || w.textOf(callee) !== ASSIGN)
    return;
  const target = w.first(list);
  const isExports = target !== -1 && (isModuleExports(w, target) || w.textOf(target) === 'exports');
  if (!isExports) return;
  w.build.isModule = true;
  for (let c = w.next(target); c !== -1; c = w.next(c)) {
    exportAllOf(w, c, c);
    exportEntries(w, c);
  }
}

/** All that a module exports which is required here, or was before under a name. */
function exportAllOf(w: Walk, node: number, at: number): void {
  const text = requiredModule(w, node);
  const module =
    text !== -1
      ? stringText(w, text)
      : w.kind(node) === K.identifier
        ? w.build.moduleBoundTo(w.textOf(node))
        : undefined;
  if (module !== undefined)
    w.build.export({ name: '*', local: '*', module, expr: -1, start: w.start(at), end: w.end(at) });
}

/** Names that an object literal gives away; nothing for other values. */
function exportEntries(w: Walk, object: number): void {
  if (w.kind(object) !== K.object) return;
  for (let c = w.firstChild(object); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) === K.spread_element) {
      exportAllOf(w, w.first(c), c);
      continue;
    }
    const key = w.kind(c) === K.pair ? w.child(c, FIELD.key) : c;
    const value = w.kind(c) === K.pair ? w.child(c, FIELD.value) : c;
    if (
      key === -1 ||
      value === -1 ||
      (w.kind(value) !== K.identifier && w.kind(value) !== K.shorthand_property_identifier)
    )
      continue;
    w.build.export({ name: w.textOf(key), local: w.textOf(value), expr: -1, start: w.start(c), end: w.end(c) });
  }
}

function exportNamed(w: Walk, property: number, statement: number, right: number, scope: number): void {
  const name = w.textOf(property);
  const kind = w.kind(right);
  const entry = { name, start: w.start(statement), end: w.end(statement) };
  if (kind === K.identifier) {
    w.build.export({ ...entry, local: w.textOf(right), expr: w.visit(right, scope) });
    return;
  }
  if (kind === K.assignment_expression || kind === K.unary_expression) {
    w.visit(right, scope);
    return;
  }
  if (declareExported(w, right, statement, scope, { name, start: w.start(property) }) === undefined) {
    const decl = declareSpan(w, D.variable, name, w.start(property), entry.start, entry.end, scope, F.exported);
    w.build.set(decl, 'bodyStart', w.start(right));
    w.build.set(decl, 'value', w.visit(right, w.headerScope(scope, decl)));
  }
  w.build.export({ ...entry, local: name, expr: -1 });
}

/**
 * Declares a function or class that is exported by assignment; gives its name, or undefined if the value is neither.
 */
function declareExported(
  w: Walk,
  value: number,
  statement: number,
  scope: number,
  called: { readonly name: string; readonly start: number } | undefined,
): string | undefined {
  const isFunction = isFunctionValue(w, value);
  if (!isFunction && w.kind(value) !== K.class) return undefined;
  const own = w.child(value, FIELD.name);
  const name = called?.name ?? (own === -1 ? 'default' : w.textOf(own));
  const nameStart = called?.start ?? (own === -1 ? -1 : w.start(own));
  const shared = {
    name,
    nameStart,
    start: w.start(statement),
    end: w.end(statement),
    scope,
    flags: F.exported | (called === undefined ? F.defaultExport : 0) | modifierFlags(w, value),
  };
  if (isFunction) declareFunctionOrClass(w, value, { ...shared, kind: D.function, around: scope });
  else declareClass(w, value, { ...shared, kind: D.class, decorated: [] });
  return name;
}

// ---- export clauses

/** `export { a as b }`, with or without a source. */
export function exportClause(w: Walk, clause: number, text: number, scope: number): void {
  const module = text === -1 ? undefined : stringText(w, text);
  for (let c = w.firstChild(clause); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.export_specifier) continue;
    const name = w.child(c, FIELD.name);
    if (name === -1) continue;
    const alias = w.child(c, FIELD.alias);
    const expr =
      w.kind(name) === K.string
        ? w.visit(name, scope)
        : w.nameRow(name, scope, module === undefined ? R.read : R.import);
    const local = w.kind(name) === K.string ? stringText(w, name) : w.textOf(name);
    const outside = alias === -1 ? local : w.kind(alias) === K.string ? stringText(w, alias) : w.textOf(alias);
    w.build.export({
      name: outside,
      local,
      expr,
      start: w.start(c),
      end: w.end(c),
      ...(module === undefined ? {} : { module }),
    });
  }
}

/** `export * from './x'`, `export * as ns from './x'`. */
export function exportStar(w: Walk, node: number, text: number): void {
  const named = w.childOf(node, K.namespace_export);
  const name = named === -1 ? -1 : w.first(named);
  const outside = name === -1 ? '*' : w.kind(name) === K.string ? stringText(w, name) : w.textOf(name);
  w.build.export({
    name: outside,
    local: '*',
    module: stringText(w, text),
    expr: -1,
    start: w.start(node),
    end: w.end(node),
  });
}
