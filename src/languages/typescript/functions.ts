/**
 * Functions of every sort: their scope, type parameters, parameters, results.
 *
 * Type parameters, parameters and the body's own statements share one scope, since in this
 * language types and defaults see them. A destructured parameter is a `param` without a place
 * for its name, called `{0}` after its position, so that its parts can refer to it.
 */
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { docComment } from './doc-comments.js';
import { decoratorsIn, modifierFlags, setDecorators } from './modifiers.js';
import { pattern } from './patterns.js';
import type { ThisAssignment, Walk } from './walk.js';

export interface FunctionSpec {
  readonly kind: DeclKind;
  readonly name: string;
  /** -1 for a function without a name. */
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly flags: number;
  /** Scope in which it is declared. */
  readonly scope: number;
  /** Scope that its text sees; that of declaration but for members. */
  readonly around: number;
  /** Nodes whose decorators are the function's, and decorators before it. */
  readonly decorated?: readonly number[];
  readonly decorators?: readonly number[];
  /** The class in whose body it stands, for parameter properties. */
  readonly members?: number;
  readonly thisAssignments?: ThisAssignment[] | undefined;
}

/** Declares the function at `node` and walks all of it. */
export function declareFunction(w: Walk, node: number, spec: FunctionSpec): number {
  const { build, f } = w;
  const body = w.child(node, f.body);
  const decl = w.declare(
    spec.kind,
    spec.name,
    spec.nameStart,
    spec.start,
    spec.end,
    spec.scope,
    spec.flags | (body === -1 ? F.bodiless : 0) | (w.kind(node) === 'arrow_function' ? F.lexicalThis : 0),
  );
  if (body !== -1) build.set(decl, 'bodyStart', w.start(body));
  const isBlock = spec.kind !== D.lambda;
  const inner = build.scope(S.function, spec.around, decl, isBlock ? decl : build.scopeBlock(spec.around));
  build.set(decl, 'inner', inner);
  if (spec.decorated !== undefined || spec.decorators !== undefined)
    setDecorators(w, decl, spec.around, spec.decorated ?? [], spec.decorators ?? []);
  if (isBlock) docComment(w, spec.start, node, inner);
  declareTypeParameters(w, w.child(node, f.type_parameters), inner, decl);
  declareOwnName(w, node, spec, decl, inner);
  build.set(decl, 'params', build.list(parameters(w, node, inner, spec.members)));
  const result = returnTypeOf(w, node, inner);
  if (result !== -1) build.set(decl, 'type', result);
  if (body !== -1) walkBody(w, node, body, decl, spec, inner);
  return decl;
}

/** The name of a function expression is seen inside it only. */
function declareOwnName(w: Walk, node: number, spec: FunctionSpec, decl: number, inner: number): void {
  const kind = w.kind(node);
  if (kind !== 'function_expression' && kind !== 'generator_function') return;
  const name = w.child(node, w.f.name);
  if (name === -1 || w.start(name) === spec.nameStart) return;
  const value = w.build.expr(E.closure, w.start(node), w.end(node), inner, '', decl);
  w.declareNode(D.local, name, inner, 0, value);
}

function walkBody(w: Walk, node: number, body: number, decl: number, spec: FunctionSpec, inner: number): void {
  const outer = w.context;
  const isArrow = w.kind(node) === 'arrow_function' && spec.members === undefined;
  const results: number[] = [];
  w.context = {
    varScope: inner,
    results,
    generator: (spec.flags & F.generator) !== 0,
    thisAssignments: isArrow ? outer.thisAssignments : spec.thisAssignments,
    inConstructor: isArrow ? outer.inConstructor : spec.kind === D.constructor,
  };
  if (w.kind(body) === 'statement_block') w.statements(body, inner);
  else {
    const row = w.expression(body, inner);
    if (row !== -1) results.push(row);
  }
  w.context = outer;
  w.build.set(decl, 'parts', w.build.list(results));
}

/** The type that a function-like node says it returns: a row, or -1. */
export function returnTypeOf(w: Walk, node: number, scope: number): number {
  const annotation = w.child(node, w.f.return_type);
  return annotation === -1 ? -1 : annotated(w, annotation, scope);
}

/** The type in an annotation (`: T`), or of a node that is a type itself. */
export function annotated(w: Walk, node: number, scope: number): number {
  if (node === -1) return -1;
  switch (w.kind(node)) {
    case 'type_annotation':
    case 'type_predicate_annotation':
    case 'asserts_annotation':
    case 'opting_type_annotation':
    case 'omitting_type_annotation':
    case 'adding_type_annotation':
    case 'constraint':
    case 'default_type': {
      const inner = w.part(node);
      return inner === -1 ? -1 : w.type(inner, scope);
    }
    default:
      return w.type(node, scope);
  }
}

/** Declares `<T extends X = Y>` in `scope` and hangs the list on `decl` (-1: on nothing). */
export function declareTypeParameters(w: Walk, node: number, scope: number, decl: number): void {
  if (node === -1) return;
  const rows: number[] = [];
  const stop = w.skip(node);
  for (let c = node + 1; c < stop; c = w.skip(c)) {
    if (w.kind(c) !== 'type_parameter') {
      if (w.isPart(c) && w.kind(c) !== 'ERROR') w.statement(c, scope);
      continue;
    }
    const name = nameOfTypeParameter(w, c, stop);
    if (name === -1) continue;
    const param = w.declare(D.typeParam, w.textOf(name), w.start(name), w.start(c), w.end(c), scope);
    rows.push(param);
    const bound = annotated(w, w.child(c, w.f.constraint), scope);
    if (bound !== -1) w.build.set(param, 'type', bound);
    const fallback = annotated(w, w.child(c, w.f.value), scope);
    if (fallback !== -1) w.build.set(param, 'value', fallback);
  }
  if (decl !== -1) w.build.set(decl, 'typeParams', w.build.list(rows));
}

/** The grammar does not know `in T`, `out T`: it takes the modifier for the name and the name for an error inside or behind. */
const VARIANCE = /^(?:in|out)(?:\s+out)?$/;

function nameOfTypeParameter(w: Walk, node: number, stop: number): number {
  const name = w.child(node, w.f.name);
  if (name === -1 || !VARIANCE.test(w.textOf(name))) return name;
  const behind = w.skip(node);
  const error = Math.max(w.childOf(node, 'ERROR'), behind < stop && w.kind(behind) === 'ERROR' ? behind : -1);
  if (error === -1) return name;
  for (let c = w.skip(error) - 1; c > error; c--) if (w.kind(c) === 'identifier') return c;
  return name;
}

/** Declares the parameters of a function-like node in `scope`; gives their rows. */
export function parameters(w: Walk, node: number, scope: number, members = -1): number[] {
  const rows: number[] = [];
  const single = w.child(node, w.f.parameter);
  if (single !== -1)
    rows.push(declareParam(w, { node: single, target: single, type: -1, value: -1, flags: 0 }, 0, scope));
  const list = w.child(node, w.f.parameters);
  if (list === -1) return rows;
  const stop = w.skip(list);
  for (let c = list + 1; c < stop; c = w.skip(c)) {
    if (w.isPart(c)) {
      const parts = partsOfParameter(w, c);
      if (parts === undefined) {
        w.statement(c, scope);
        continue;
      }
      const param = declareParam(w, parts, rows.length, scope);
      rows.push(param);
      finishTypedParameter(w, c, parts, param, scope, members);
    }
  }
  return rows;
}

interface ParameterParts {
  readonly node: number;
  /** The name or pattern. */
  readonly target: number;
  readonly type: number;
  readonly value: number;
  readonly flags: number;
}

/** Takes a parameter of either grammar apart; undefined for what is none (broken code). */
function partsOfParameter(w: Walk, node: number): ParameterParts | undefined {
  const { f } = w;
  switch (w.kind(node)) {
    case 'required_parameter':
    case 'optional_parameter': {
      const target = Math.max(w.child(node, f.pattern), w.child(node, f.name));
      if (target === -1) return undefined;
      const value = w.child(node, f.value);
      const flags =
        modifierFlags(w, node) | (value === -1 ? 0 : F.optional) | (w.kind(target) === 'rest_pattern' ? F.rest : 0);
      return {
        node,
        target: w.kind(target) === 'rest_pattern' ? w.part(target) : target,
        type: w.child(node, f.type),
        value,
        flags,
      };
    }
    case 'assignment_pattern':
      return { node, target: w.child(node, f.left), type: -1, value: w.child(node, f.right), flags: F.optional };
    case 'rest_pattern':
      return { node, target: w.part(node), type: -1, value: -1, flags: F.rest };
    case 'identifier':
    case 'object_pattern':
    case 'array_pattern':
      return { node, target: node, type: -1, value: -1, flags: 0 };
    default:
      return undefined;
  }
}

function declareParam(w: Walk, parts: ParameterParts, place: number, scope: number): number {
  const { build } = w;
  const { node, target } = parts;
  const kind = target === -1 ? '' : w.kind(target);
  const isName = kind === 'identifier' || kind === 'this';
  const name = isName ? w.textOf(target) : `{${place}}`;
  const param = w.declare(
    D.param,
    name,
    isName ? w.start(target) : -1,
    w.start(node),
    w.end(node),
    scope,
    parts.flags | (kind === 'this' ? F.receiver : 0),
  );
  const type = annotated(w, parts.type, scope);
  // The rest of the arguments has the type of one of them, as in other languages.
  if (type !== -1)
    build.set(param, 'type', (parts.flags & F.rest) !== 0 && build.exprOp(type) === E.array ? build.exprA(type) : type);
  const value = parts.value === -1 ? -1 : w.expression(parts.value, scope);
  if (value !== -1) build.set(param, 'value', value);
  if (!isName && target !== -1) {
    const whole = build.expr(E.name, w.start(target), w.start(target), scope, name, -1, -1, R.declares);
    pattern(w, target, scope, whole, { kind: D.local, scope, flags: 0 });
  }
  return param;
}

/** Decorators of a parameter, and the field that a parameter property declares. */
function finishTypedParameter(
  w: Walk,
  node: number,
  parts: ParameterParts,
  param: number,
  scope: number,
  members: number,
): void {
  const { build } = w;
  if (w.childOf(node, 'decorator') !== -1) {
    const rows: number[] = [];
    decoratorsIn(w, node, scope, rows);
    build.set(param, 'decorators', build.list(rows));
  }
  if (
    members === -1 ||
    (parts.flags & (F.private | F.protected | F.public | F.readonly | F.override)) === 0 ||
    build.get(param, 'nameStart') === -1
  )
    return;
  build.addFlags(param, F.parameterField);
  const field = w.declare(
    D.field,
    build.declName(param),
    build.get(param, 'nameStart'),
    w.start(node),
    w.end(node),
    members,
    build.get(param, 'flags'),
    build.get(param, 'value'),
  );
  build.set(field, 'type', build.get(param, 'type'));
}

/** The row of a function that is a value: arrow functions and function expressions without a variable of their own. */
export function closure(w: Walk, node: number, scope: number, name = '', nameStart = -1, declaredIn = scope): number {
  const decl = declareFunction(w, node, {
    kind: D.lambda,
    name,
    nameStart,
    start: w.start(node),
    end: w.end(node),
    flags: modifierFlags(w, node),
    scope: declaredIn,
    around: scope,
  });
  return w.build.expr(E.closure, w.start(node), w.end(node), scope, '', decl);
}
