/**
 * Functions, methods and lambdas: their declarations, headers, parameters, and bodies to walk later.
 *
 * Decorators, annotations and defaults stand in a scope of kind `header`, which sees what the
 * definition sees; the body's scope does not see the names of a class around it. Type parameters
 * are declared in the header's scope, which is then also the parent of the body's.
 */
import { P } from '../../syntax/paths.js';
import { D, E, F, R, S } from '../../syntax/summary.js';
import { reachesEnd } from './body-end.js';
import { documentation, isDocumentation } from './doc-comments.js';
import { injection } from './fixtures.js';
import { FIELD, K } from './kinds.js';
import { block } from './statements.js';
import { bindTarget } from './targets.js';
import { lastName } from './types.js';
import type { Frame, Walk } from './walk.js';

/** Methods whose first parameter is the class without saying so. */
const IMPLICIT_CLASS_METHODS = new Set(['__new__', '__init_subclass__', '__class_getitem__']);

/** `outer` is the decorated definition around the function, or the function itself. */
export function functionDefinition(w: Walk, node: number, outer: number, scope: number): void {
  const { build } = w;
  const { frame } = w.state;
  const nameNode = w.child(node, FIELD.name);
  const body = w.child(node, FIELD.body);
  const name = nameNode === -1 ? '' : w.textOf(nameNode);
  const inClass = frame.kind === 'class';
  const into = frame.elsewhere?.get(name) ?? frame.scope;
  const kind = inClass ? (name === '__init__' ? D.constructor : D.method) : D.function;
  const decl = w.declare(kind, nameNode, outer, into, { body });
  w.state.remember(into, name, decl);
  const header = build.scope(S.header, scope, decl, decl);
  const typeParams = w.child(node, FIELD.type_parameters);
  if (typeParams !== -1) build.set(decl, 'typeParams', typeParameters(w, typeParams, header));
  const inner = build.scope(S.function, typeParams === -1 ? w.state.closureParent(scope) : header, decl, decl);
  build.set(decl, 'inner', inner);
  let flags = w.childOf(node, K.async) === -1 ? 0 : F.async;
  if (outer !== node) flags |= decorators(w, outer, decl, header);
  if (inClass && IMPLICIT_CLASS_METHODS.has(name)) flags |= F.classMethod;
  if (body !== -1 && isStub(w, body)) flags |= F.bodiless;
  build.addFlags(decl, flags);

  const seen = w.state.seenTypeVars;
  w.state.seenTypeVars = new Set();
  const isMethod = inClass && (flags & F.static) === 0;
  const parameters = w.child(node, FIELD.parameters);
  const receiver =
    parameters === -1
      ? undefined
      : parameterList(w, parameters, decl, header, inner, isMethod, injection.into.test(name) || isFixture(w, outer));
  const returns = w.child(node, FIELD.return_type);
  if (returns !== -1) build.set(decl, 'type', returnType(w, returns, header, receiver));
  if (typeParams === -1) build.set(decl, 'typeParams', build.list([...w.state.seenTypeVars]));
  w.state.seenTypeVars = seen;
  if (body === -1) return;

  const method =
    isMethod && receiver !== undefined
      ? { receiver: receiver.name, classScope: frame.scope, classDecl: frame.decl }
      : methodAround(w, frame, inner);
  const own: Frame = {
    kind: 'function',
    scope: inner,
    around: inner,
    decl,
    block: decl,
    outer: frame,
    method,
    elsewhere: undefined,
    returned: [],
    yielded: [],
    fields: undefined,
  };
  w.state.jobs.push({
    constructorOf: name === '__init__' ? frame.decl : -1,
    run: () => w.state.within(own, () => functionBody(w, body, own)),
  });
}

/** The method that a function stands in, unless a name of its own hides the receiver. */
const methodAround = (w: Walk, { kind, method }: Frame, inner: number): Frame['method'] =>
  kind !== 'class' && method !== undefined && w.state.declaredIn(inner, method.receiver) < 0 ? method : undefined;

function functionBody(w: Walk, body: number, frame: Frame): void {
  const first = w.first(body);
  if (first !== -1 && isDocumentation(w, first)) documentation(w, first, frame.scope, frame);
  w.build.path(P.body, w.start(body), w.end(body));
  block(w, body, frame.scope);
  const generates = frame.yielded.length > 0;
  if (generates) w.build.addFlags(frame.decl, F.generator);
  else if (frame.returned.length > 0 && reachesEnd(w, body)) w.build.path(P.open, w.start(body), w.end(body));
  w.build.set(frame.decl, 'parts', w.build.list(generates ? frame.yielded : frame.returned));
}

/** Whether the body is only `...`, perhaps after a docstring. */
function isStub(w: Walk, body: number): boolean {
  let c = w.first(body);
  if (c !== -1 && isDocumentation(w, c)) c = w.next(c);
  if (c === -1 || w.next(c) !== -1 || w.kind(c) !== K.expression_statement) return false;
  const only = w.first(c);
  return only !== -1 && w.kind(only) === K.ellipsis;
}

// ---- decorators

/** Walks the decorators of a definition, stores their rows, and gives the flags that they mean. */
export function decorators(w: Walk, outer: number, decl: number, header: number): number {
  const rows: number[] = [];
  let flags = 0;
  for (let c = w.first(outer); c !== -1; c = w.next(c)) {
    if (w.kind(c) !== K.decorator) continue;
    const what = w.first(c);
    if (what === -1) continue;
    rows.push(w.value(what, header, R.decorator));
    flags |= decoratorFlags(w, what);
  }
  w.build.set(decl, 'decorators', w.build.list(rows));
  return flags;
}

function decoratorFlags(w: Walk, decorator: number): number {
  const name = lastName(w, decorator);
  switch (name) {
    case 'staticmethod':
      return F.static;
    case 'classmethod':
      return F.classMethod;
    case 'property':
    case 'abstractproperty':
      return name === 'property' ? F.getter : F.getter | F.abstract;
    case 'abstractmethod':
      return F.abstract;
    case 'abstractclassmethod':
      return F.abstract | F.classMethod;
    case 'abstractstaticmethod':
      return F.abstract | F.static;
    case 'overload':
      return F.bodiless;
    case 'override':
      return F.override;
    case 'final':
      return F.final;
    case 'getter':
      return w.kind(decorator) === K.attribute ? F.getter : 0;
    case 'setter':
    case 'deleter':
      return w.kind(decorator) === K.attribute ? F.setter : 0;
    default:
      return /property$/i.test(name) ? F.getter : 0;
  }
}

// ---- parameters

interface Receiver {
  readonly name: string;
  /** The bare name that annotates it (`self: T`), or ''. */
  readonly typeName: string;
}

function isFixture(w: Walk, outer: number): boolean {
  for (let c = w.first(outer); c !== -1; c = w.next(c))
    if (w.kind(c) === K.decorator && w.first(c) !== -1 && lastName(w, w.first(c)) === injection.decorator) return true;
  return false;
}

/**
 * Declares the parameters; gives the receiver of a method. `filledIn`: whether each refers to the fixture of its name.
 */
function parameterList(
  w: Walk,
  list: number,
  decl: number,
  header: number,
  inner: number,
  isMethod: boolean,
  filledIn: boolean,
): Receiver | undefined {
  const params: number[] = [];
  let receiver: Receiver | undefined;
  let flags = 0;
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const kind = w.kind(c);
    if (kind === K.keyword_separator) flags = F.keywordOnly;
    else if (kind === K.positional_separator) for (const param of params) w.build.addFlags(param, F.positionalOnly);
    else if (kind === K.tuple_pattern) bindTarget(w, c, inner, { into: inner });
    else {
      const isReceiver = isMethod && params.length === 0;
      const param = parameter(w, c, header, inner, flags, isReceiver);
      if (param === -1) continue;
      params.push(param);
      const own = w.build.get(param, 'flags');
      if ((own & F.rest) !== 0) flags = F.keywordOnly;
      if (filledIn && (own & (F.receiver | F.optional)) === 0)
        w.build.expr(
          E.injected,
          w.build.get(param, 'nameStart'),
          w.build.get(param, 'nameStart') + w.build.declName(param).length,
          header,
          w.build.declName(param),
          param,
          -1,
          R.read,
        );
      if (isReceiver && (own & F.receiver) !== 0)
        receiver = { name: w.build.declName(param), typeName: annotationName(w, c) };
    }
  }
  w.build.set(decl, 'params', w.build.list(params));
  return receiver;
}

/** Declares one parameter; -1 for something else in the list. */
function parameter(w: Walk, node: number, header: number, inner: number, flags: number, isReceiver: boolean): number {
  const kind = w.kind(node);
  let name = node;
  let own = flags;
  if (kind === K.default_parameter || kind === K.typed_default_parameter) {
    name = w.child(node, FIELD.name);
    own |= F.optional;
  } else if (kind === K.typed_parameter) name = w.first(node);
  if (name === -1) return -1;
  if (w.kind(name) === K.list_splat_pattern || w.kind(name) === K.dictionary_splat_pattern) {
    own = (own & ~F.keywordOnly) | F.optional | (w.kind(name) === K.list_splat_pattern ? F.rest : F.keywordRest);
    name = w.first(name);
  }
  const value = w.child(node, FIELD.value);
  if (name === -1 || w.kind(name) !== K.identifier || !w.isPresent(name)) {
    if (name !== -1 && w.kind(name) === K.tuple_pattern) bindTarget(w, name, inner, { into: inner });
    else w.value(node, header);
    if (value !== -1) w.value(value, header);
    return -1;
  }
  if (isReceiver && (own & (F.rest | F.keywordRest)) === 0) own |= F.receiver;
  const text = w.textOf(name);
  const param = w.declare(D.param, name, node, inner, { flags: own });
  w.state.remember(inner, text, param);
  const type = w.child(node, FIELD.type);
  if (type !== -1) {
    const row = w.type(type, header);
    // `self: T` only names the receiver's own class.
    if ((own & F.receiver) === 0) w.build.set(param, 'type', row);
  }
  if (value !== -1) w.build.set(param, 'value', w.value(value, header));
  return param;
}

/** The name that annotates a parameter, or that of `type[T]`; '' for other annotations. */
function annotationName(w: Walk, node: number): string {
  const type = w.child(node, FIELD.type);
  if (type === -1) return '';
  const inner = w.first(type);
  if (inner === -1) return '';
  if (w.kind(inner) === K.identifier) return w.textOf(inner);
  const name = /^(?:\w+\.)?[Tt]ype\[(\w+)\]$/.exec(w.textOf(inner));
  return name?.[1] ?? '';
}

/** The return type; one that repeats the receiver's annotation is the receiver's class. */
function returnType(w: Walk, node: number, header: number, receiver: Receiver | undefined): number {
  const row = w.type(node, header);
  if (receiver === undefined || receiver.typeName === '' || w.textOf(node).replace(/["']/g, '') !== receiver.typeName)
    return row;
  return w.expr(E.this, node, header, '', -1, -1, R.type);
}

// ---- type parameters

/** Declares `[T: bound, *Ts, **P]` in a scope; gives the list. */
export function typeParameters(w: Walk, node: number, scope: number): number {
  const params: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(c)) {
    let name = w.kind(c) === K.type ? w.first(c) : c;
    let bound = -1;
    if (name !== -1 && w.kind(name) === K.constrained_type) {
      const constrained = name;
      name = w.first(constrained);
      bound = name === -1 ? -1 : w.next(name);
    }
    while (name !== -1 && (w.kind(name) === K.type || w.kind(name) === K.splat_type)) name = w.first(name);
    if (name === -1 || w.kind(name) !== K.identifier || !w.isPresent(name)) {
      w.value(c, scope);
      continue;
    }
    const text = w.textOf(name);
    const param = w.declare(D.typeParam, name, c, scope);
    w.state.remember(scope, text, param);
    if (bound !== -1) w.build.set(param, 'type', w.type(bound, scope));
    params.push(param);
  }
  return w.build.list(params);
}

// ---- lambdas

export function lambda(w: Walk, node: number, scope: number): number {
  const { build } = w;
  const block = build.scopeBlock(scope);
  const body = w.child(node, FIELD.body);
  const decl = w.declare(D.lambda, -1, node, scope, { body });
  const inner = build.scope(S.function, w.state.closureParent(scope), decl, block);
  build.set(decl, 'inner', inner);
  const parameters = w.child(node, FIELD.parameters);
  if (parameters !== -1) parameterList(w, parameters, decl, scope, inner, false, false);
  if (body !== -1) {
    const frame: Frame = {
      kind: 'lambda',
      scope: inner,
      around: inner,
      decl,
      block,
      outer: w.state.frame,
      method: w.state.frame.method,
      elsewhere: undefined,
      returned: [],
      yielded: [],
      fields: undefined,
    };
    w.state.within(frame, () => build.set(decl, 'parts', build.list([w.value(body, inner)])));
  }
  return w.expr(E.closure, node, scope, '', decl);
}
