/**
 * Functions of every sort: their scope, type parameters, parameters, results.
 *
 * Type parameters, parameters and the body's own statements share one scope, since in this
 * language types and defaults see them. A destructured parameter is a `param` without a place
 * for its name, called `{0}` after its position, so that its parts can refer to it.
 */
import { P } from '../../syntax/paths.js';
import { D, E, F, R, S, type DeclKind } from '../../syntax/summary.js';
import { reachesEnd } from './body-end.js';
import { docComment } from './doc-comments.js';
import { FIELD, K } from './kinds.js';

import { decoratorsIn, modifierFlags, setDecorators } from './modifiers.js';
import { declareSpan } from './names.js';
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
  const { build } = w;
  const body = w.child(node, FIELD.body);
  const decl = declareSpan(
    w,
    spec.kind,
    spec.name,
    spec.nameStart,
    spec.start,
    spec.end,
    spec.scope,
    spec.flags | (body === -1 ? F.bodiless : 0) | (w.kind(node) === K.arrow_function ? F.lexicalThis : 0),
  );
  if (body !== -1) build.set(decl, 'bodyStart', w.start(body));
  const isBlock = spec.kind !== D.lambda;
  const inner = build.scope(S.function, spec.around, decl, isBlock ? decl : build.scopeBlock(spec.around));
  build.set(decl, 'inner', inner);
  if (spec.decorated !== undefined || spec.decorators !== undefined)
    setDecorators(w, decl, spec.around, spec.decorated ?? [], spec.decorators ?? []);
  if (isBlock) docComment(w, spec.start, node, inner);
  declareTypeParameters(w, w.child(node, FIELD.type_parameters), inner, decl);
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
  if (kind !== K.function_expression && kind !== K.generator_function) return;
  const name = w.child(node, FIELD.name);
  if (name === -1 || w.start(name) === spec.nameStart) return;
  const value = w.expr(E.closure, node, inner, '', decl);
  w.declare(D.local, name, name, inner, { value });
}

function walkBody(w: Walk, node: number, body: number, decl: number, spec: FunctionSpec, inner: number): void {
  const outer = w.state.context;
  const isArrow = w.kind(node) === K.arrow_function && spec.members === undefined;
  const results: number[] = [];
  w.state.context = {
    varScope: inner,
    results,
    generator: (spec.flags & F.generator) !== 0,
    thisAssignments: isArrow ? outer.thisAssignments : spec.thisAssignments,
    inConstructor: isArrow ? outer.inConstructor : spec.kind === D.constructor,
  };
  if (w.kind(body) === K.statement_block) w.children(body, inner);
  else {
    const row = w.visit(body, inner);
    if (row !== -1) results.push(row);
  }
  w.state.context = outer;
  if (results.length > 0 && w.kind(body) === K.statement_block && reachesEnd(w, body))
    w.build.path(P.open, w.start(body), w.end(body));
  w.build.set(decl, 'parts', w.build.list(results));
}

/** The type that a function-like node says it returns: a row, or -1. */
export function returnTypeOf(w: Walk, node: number, scope: number): number {
  const annotation = w.child(node, FIELD.return_type);
  return annotation === -1 ? -1 : annotated(w, annotation, scope);
}

/** The type in an annotation (`: T`), or of a node that is a type itself. */
export function annotated(w: Walk, node: number, scope: number): number {
  if (node === -1) return -1;
  switch (w.kind(node)) {
    case K.type_annotation:
    case K.type_predicate_annotation:
    case K.asserts_annotation:
    case K.opting_type_annotation:
    case K.omitting_type_annotation:
    case K.adding_type_annotation:
    case K.constraint:
    case K.default_type: {
      const inner = w.first(node);
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
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.type_parameter) {
      if (w.isPart(c) && w.kind(c) !== K.ERROR) w.visit(c, scope);
      continue;
    }
    const name = nameOfTypeParameter(w, c);
    if (name === -1) continue;
    const param = declareSpan(w, D.typeParam, w.textOf(name), w.start(name), w.start(c), w.end(c), scope);
    rows.push(param);
    const bound = annotated(w, w.child(c, FIELD.constraint), scope);
    if (bound !== -1) w.build.set(param, 'type', bound);
    const fallback = annotated(w, w.child(c, FIELD.value), scope);
    if (fallback !== -1) w.build.set(param, 'value', fallback);
  }
  if (decl !== -1) w.build.set(decl, 'typeParams', w.build.list(rows));
}

/**
 * The grammar does not know `in T`, `out T`: it takes the modifier for the name and the name for an error inside or
 * behind.
 */
const VARIANCE = /^(?:in|out)(?:\s+out)?$/;

function nameOfTypeParameter(w: Walk, node: number): number {
  const name = w.child(node, FIELD.name);
  if (name === -1 || !VARIANCE.test(w.textOf(name))) return name;
  const behind = w.nextChild(node);
  const error = Math.max(w.childOf(node, K.ERROR), behind !== -1 && w.isError(behind) ? behind : -1);
  if (error === -1) return name;
  for (let c = w.after(error) - 1; c > error; c--) if (w.kind(c) === K.identifier) return c;
  return name;
}

/** Declares the parameters of a function-like node in `scope`; gives their rows. */
export function parameters(w: Walk, node: number, scope: number, members = -1): number[] {
  const rows: number[] = [];
  const single = w.child(node, FIELD.parameter);
  if (single !== -1)
    rows.push(declareParam(w, { node: single, target: single, type: -1, value: -1, flags: 0 }, 0, scope));
  const list = w.child(node, FIELD.parameters);
  if (list === -1) return rows;
  for (let c = w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    if (w.isPart(c)) {
      const parts = partsOfParameter(w, c);
      if (parts === undefined) {
        w.visit(c, scope);
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
  switch (w.kind(node)) {
    case K.required_parameter:
    case K.optional_parameter: {
      const target = Math.max(w.child(node, FIELD.pattern), w.child(node, FIELD.name));
      if (target === -1) return undefined;
      const value = w.child(node, FIELD.value);
      const flags =
        modifierFlags(w, node) | (value === -1 ? 0 : F.optional) | (w.kind(target) === K.rest_pattern ? F.rest : 0);
      return {
        node,
        target: w.kind(target) === K.rest_pattern ? w.first(target) : target,
        type: w.child(node, FIELD.type),
        value,
        flags,
      };
    }
    case K.assignment_pattern:
      return {
        node,
        target: w.child(node, FIELD.left),
        type: -1,
        value: w.child(node, FIELD.right),
        flags: F.optional,
      };
    case K.rest_pattern:
      return { node, target: w.first(node), type: -1, value: -1, flags: F.rest };
    case K.identifier:
    case K.object_pattern:
    case K.array_pattern:
      return { node, target: node, type: -1, value: -1, flags: 0 };
    default:
      return undefined;
  }
}

function declareParam(w: Walk, parts: ParameterParts, place: number, scope: number): number {
  const { build } = w;
  const { node, target } = parts;
  const kind = target === -1 ? '' : w.kind(target);
  const isName = kind === K.identifier || kind === K.this;
  const name = isName ? w.textOf(target) : `{${place}}`;
  const param = declareSpan(
    w,
    D.param,
    name,
    isName ? w.start(target) : -1,
    w.start(node),
    w.end(node),
    scope,
    parts.flags | (kind === K.this ? F.receiver : 0),
  );
  const type = annotated(w, parts.type, scope);
  // The rest of the arguments has the type of one of them, as in other languages.
  if (type !== -1)
    build.set(param, 'type', (parts.flags & F.rest) !== 0 && build.exprOp(type) === E.array ? build.exprA(type) : type);
  const value = parts.value === -1 ? -1 : w.visit(parts.value, scope);
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
  if (w.has(node, K.decorator)) {
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
  const field = declareSpan(
    w,
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
  return w.expr(E.closure, node, scope, '', decl);
}
