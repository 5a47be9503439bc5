/**
 * Assignment statements: `a = b = v`, `x: T = v`, `x += v`, `type X = …`.
 *
 * At module and class level a statement that declares one name opens a scope of kind `header`
 * for its annotation and value, so that what they refer to belongs to the variable's block.
 */
import { D, E, F, R, S } from '../../syntax/summary.js';
import { typeParameters } from './functions.js';
import { FIELD, K } from './kinds.js';
import { stringType } from './string-types.js';
import { bindName, bindTarget, Spans, type Span } from './targets.js';
import { isTypeForm, lastName } from './types.js';
import type { Walk } from './walk.js';

/** The attribute of a model class that holds its settings. */
const MODEL_SETTINGS = 'model_config';
/** Constructors of type variables. */
const TYPE_VARIABLES = new Set(['TypeVar', 'ParamSpec', 'TypeVarTuple']);

export function assignment(w: Walk, node: number, statement: number, scope: number): void {
  const targets: number[] = [];
  let type = -1;
  let right = -1;
  for (let at = node; at !== -1;) {
    const left = w.child(at, FIELD.left);
    if (left !== -1) targets.push(left);
    const annotation = w.child(at, FIELD.type);
    if (annotation !== -1) type = annotation;
    right = w.child(at, FIELD.right);
    at = right !== -1 && w.kind(right) === K.assignment ? right : -1;
  }
  const [target] = targets;
  const whole: Span = {
    start: w.start(statement),
    end: w.end(statement),
    bodyStart: right === -1 ? w.end(statement) : w.start(right),
  };
  if (target !== undefined && targets.length === 1 && w.kind(target) === K.identifier) {
    if (w.state.frame.kind === 'module' && w.textOf(target) === '__all__')
      return exportList(w, target, right, scope, whole);
    if (declaresBlock(w, target)) return variable(w, target, type, right, scope, whole);
  }
  const isOne = targets.length === 1 && target !== undefined && w.kind(target) !== K.pattern_list;
  const typeRow = type !== -1 ? annotationRow(w, type, scope) : isOne ? commentedType(w, w.end(statement), scope) : -1;
  const value = right === -1 ? -1 : valueOf(w, right, scope);
  const spans = new Spans(w, targets, whole);
  for (const each of targets) bindTarget(w, each, scope, { value, type: typeRow, spans });
}

/** Whether the assignment is the first of a module variable or class attribute. */
function declaresBlock(w: Walk, target: number): boolean {
  const { frame } = w.state;
  if (frame.kind !== 'module' && frame.kind !== 'class') return false;
  const name = w.textOf(target);
  return name !== '' && frame.elsewhere?.get(name) === undefined && w.state.declaredIn(frame.scope, name) < 0;
}

/** The first assignment of a module variable or class attribute. */
function variable(w: Walk, target: number, type: number, right: number, scope: number, whole: Span): void {
  const name = w.textOf(target);
  const decl = bindName(w, target, scope, { spans: new Spans(w, [target], whole) });
  const header = w.build.scope(
    S.header,
    scope,
    w.build.scopeOwner(scope),
    isLocalClass(w) ? w.state.frame.block : decl,
  );
  if (type !== -1) {
    if (isAliasMarker(w, type)) {
      w.type(type, header);
      w.build.set(decl, 'kind', D.typeAlias);
      if (right !== -1) w.build.set(decl, 'type', w.type(right, header));
      return;
    }
    w.build.set(decl, 'type', annotationRow(w, type, header));
    w.build.addFlags(decl, qualifierFlags(w, type));
    if (w.build.get(decl, 'kind') === D.enumMember) w.build.set(decl, 'kind', D.field);
    component(w, decl, name, type, right);
  } else {
    w.build.set(decl, 'type', commentedType(w, whole.end, header));
    if (right !== -1 && isAttribute(w, right)) component(w, decl, name, type, right);
  }
  if (right === -1) return;
  if (name === MODEL_SETTINGS) modelSettings(w, right);
  w.build.set(decl, 'value', typeVariable(w, right, header, name, decl) ?? valueOf(w, right, header));
}

const TYPE_COMMENT = /[ \t]*#[ \t]*type:[ \t]*(?!ignore\b)(?=[\p{L}_"'])/uy;

/** The row of a type in a comment behind a statement, `x = []  # type: list[int]`; -1 where there is none. */
function commentedType(w: Walk, end: number, scope: number): number {
  TYPE_COMMENT.lastIndex = end;
  const [written] = TYPE_COMMENT.exec(w.text) ?? [];
  if (written === undefined) return -1;
  const start = end + written.length;
  const stop = w.text.slice(start).search(/[#\r\n]|$/);
  return stringType(w, start, start + stop, scope);
}

/** `model_config = ConfigDict(frozen=True)`: what a model says of all its objects. */
function modelSettings(w: Walk, right: number): void {
  const { fields, decl } = w.state.frame;
  if (fields?.components !== undefined && w.kind(right) === K.call && keywordText(w, right, 'frozen') === 'True')
    w.build.addFlags(decl, F.readonly);
}

/** Whether the frame is a class in a function: its attributes are too small a thing for code to belong to. */
function isLocalClass(w: Walk): boolean {
  for (let frame = w.state.frame.outer; frame !== undefined; frame = frame.outer)
    if (frame.kind === 'function') return true;
  return false;
}

const isAliasMarker = (w: Walk, type: number): boolean => lastName(w, type) === 'TypeAlias';

/** The row of an annotation; -1 where it only says `Final` or `ClassVar`. */
function annotationRow(w: Walk, type: number, scope: number): number {
  const row = w.type(type, scope);
  const text = w.end(type) - w.start(type) < 30 ? w.textOf(type) : '';
  return /^(?:\w+\.)?(?:Final|ClassVar)$/.test(text) ? -1 : row;
}

function qualifierFlags(w: Walk, type: number): number {
  switch (lastName(w, type)) {
    case 'Final':
      return F.const;
    case 'ClassVar':
      return F.static;
    case 'ReadOnly':
      return F.readonly;
    default:
      return 0;
  }
}

/** In a dataclass-like class an annotated name is also a parameter of the constructor. */
function component(w: Walk, decl: number, name: string, type: number, right: number): void {
  const rules = w.state.frame.fields;
  if (rules?.components === undefined) return;
  const form = type === -1 ? '' : lastName(w, type);
  if (form === 'KW_ONLY') {
    rules.componentFlags |= F.keywordOnly;
    return;
  }
  if (form === 'ClassVar' || name === MODEL_SETTINGS || isNoParameter(w, right)) return;
  const isKeyword = right !== -1 && w.kind(right) === K.call && keywordText(w, right, 'kw_only') === 'True';
  const isOptional = form === 'NotRequired' || !(right === -1 || isRequired(w, right));
  const own = (isKeyword ? F.keywordOnly : 0) | (isOptional ? F.optional : 0);
  const ofAll = form === 'Required' ? rules.componentFlags & ~F.optional : rules.componentFlags;
  w.build.addFlags(decl, ofAll | own);
  rules.components.push(decl);
}

/** `x = attr.ib()`, which makes a parameter without an annotation. */
function isAttribute(w: Walk, right: number): boolean {
  const callee = w.kind(right) === K.call ? w.child(right, FIELD.function) : -1;
  return callee !== -1 && /^(?:attrs?\.)?(?:ib|attrib)$|^attrs?\.field$/.test(w.textOf(callee));
}

/** `field(init=False)`. */
function isNoParameter(w: Walk, right: number): boolean {
  return right !== -1 && w.kind(right) === K.call && keywordText(w, right, 'init') === 'False';
}

/** `field(repr=False)` gives no default, `field(default=…)` does; `Field(...)` does not. */
function isRequired(w: Walk, right: number): boolean {
  if (w.kind(right) === K.ellipsis) return true;
  if (w.kind(right) !== K.call || !/^(?:field|Field|attrib|ib)$/.test(lastName(w, right))) return false;
  const args = w.child(right, FIELD.arguments);
  const first = args === -1 ? -1 : w.first(args);
  if (first !== -1 && w.kind(first) !== K.keyword_argument) return w.kind(first) === K.ellipsis;
  return ['default', 'default_factory', 'factory'].every((keyword) => keywordText(w, right, keyword) === undefined);
}

/** The text of a keyword argument of a call, or undefined. */
export function keywordText(w: Walk, call: number, keyword: string): string | undefined {
  const args = w.child(call, FIELD.arguments);
  if (args === -1) return undefined;
  for (let c = w.first(args); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.keyword_argument) continue;
    const name = w.child(c, FIELD.name);
    const value = w.child(c, FIELD.value);
    if (name !== -1 && value !== -1 && w.textOf(name) === keyword) return w.textOf(value);
  }
  return undefined;
}

function valueOf(w: Walk, right: number, scope: number): number {
  if (w.state.frame.kind !== 'function' && isTypeForm(w, right)) return w.type(right, scope);
  return w.value(right, scope);
}

/**
 * `T = TypeVar("T", bound="A")`: the value is what the variable may stand for, so that an
 * annotation `T` means at least an A; without a bound it may be anything. Undefined for any other value.
 */
function typeVariable(w: Walk, right: number, scope: number, name: string, decl: number): number | undefined {
  if (w.kind(right) !== K.call) return undefined;
  const callee = w.child(right, FIELD.function);
  const args = w.child(right, FIELD.arguments);
  if (callee === -1 || args === -1 || !TYPE_VARIABLES.has(lastName(w, callee)) || w.kind(args) !== K.argument_list)
    return undefined;
  w.state.typeVars.set(name, decl);
  const calleeRow = w.value(callee, scope, R.callee);
  const alternatives: number[] = [];
  const list: { expr: number; keyword?: string; start: number }[] = [];
  let isName = true;
  for (let c = w.first(args); c !== -1; c = w.next(c)) {
    const start = w.start(c);
    if (w.kind(c) === K.keyword_argument) {
      const keyword = w.child(c, FIELD.name);
      const value = w.child(c, FIELD.value);
      if (keyword === -1 || value === -1) continue;
      const isBound = w.textOf(keyword) === 'bound' || w.textOf(keyword) === 'default';
      const expr = isBound ? w.type(value, scope) : w.value(value, scope);
      if (w.textOf(keyword) === 'bound') alternatives.push(expr);
      list.push({ expr, keyword: w.nameOf(keyword), start });
    } else {
      const expr = isName ? w.value(c, scope) : w.type(c, scope);
      if (!isName) alternatives.push(expr);
      isName = false;
      list.push({ expr, start });
    }
  }
  w.expr(E.call, right, scope, '', calleeRow, w.build.argumentList(list));
  return alternatives.length === 0 ? w.other(right, scope) : w.union(right, scope, alternatives);
}

function exportList(w: Walk, target: number, right: number, scope: number, whole: Span): void {
  const decl = bindName(w, target, scope, { spans: new Spans(w, [target], whole) });
  const isFirst = (w.build.get(decl, 'flags') & F.reassigned) === 0;
  w.state.exports.clear();
  if (right !== -1) w.state.exports.add(w, right, isFirst ? w.build.scope(S.header, scope, -1, decl) : scope);
}

export function augmentedAssignment(w: Walk, node: number, scope: number): void {
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  if (left === -1) {
    if (right !== -1) w.value(right, scope);
    return;
  }
  const target = w.value(left, scope, R.update);
  if (right === -1) return;
  if (w.state.frame.kind === 'module' && w.kind(left) === K.identifier && w.textOf(left) === '__all__') {
    w.state.exports.add(w, right, scope);
    return;
  }
  const value = w.value(right, scope);
  const operator = w.after(left);
  w.expr(E.operator, node, scope, w.field(operator) === FIELD.operator ? w.textOf(operator) : '', target, value);
}

/** `type X[T] = …`. In a function it is a local with the type. */
export function typeAlias(w: Walk, node: number, scope: number): void {
  const left = w.child(node, FIELD.left);
  const right = w.child(node, FIELD.right);
  if (left === -1) return;
  let name = w.kind(left) === K.type ? w.first(left) : left;
  let params = -1;
  if (name !== -1 && w.kind(name) === K.generic_type) {
    params = w.childOf(name, K.type_parameter);
    name = w.first(name);
  }
  if (name === -1 || w.kind(name) !== K.identifier || !w.isPresent(name)) {
    w.value(left, scope);
    if (right !== -1) w.type(right, scope);
    return;
  }
  const whole: Span = {
    start: w.start(node),
    end: w.end(node),
    bodyStart: right === -1 ? w.end(node) : w.start(right),
  };
  const decl = bindName(w, name, scope, { spans: new Spans(w, [name], whole) });
  const isBlock = w.state.frame.kind === 'module' || w.state.frame.kind === 'class';
  if (isBlock) w.build.set(decl, 'kind', D.typeAlias);
  const isFirst = (w.build.get(decl, 'flags') & F.reassigned) === 0;
  const header = w.build.scope(
    S.header,
    scope,
    w.build.scopeOwner(scope),
    isBlock && isFirst ? decl : w.build.scopeBlock(scope),
  );
  if (params !== -1) w.build.set(decl, 'typeParams', typeParameters(w, params, header));
  if (right !== -1) w.build.set(decl, 'type', w.type(right, header));
}
