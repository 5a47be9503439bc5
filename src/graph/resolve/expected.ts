/**
 * What the place of an expression expects it to be: the declared type of the variable it
 * initialises, of the parameter it is passed for, of what its function returns, of the member it
 * is stored in or the property it is written for.
 *
 * Parameters of lambdas have no other type, and type parameters of a call may be decided by
 * nothing else. Errs towards nothing: only declared types count.
 */
import type { Use } from '../../syntax/parts.js';
import type { Expressions } from '../../syntax/expressions.js';
import type { ExprRow } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, R, SATISFIES, type Summary } from '../../syntax/summary.js';
import { findMember, outsideBases } from './hierarchy.js';
import { bindingsOf, callBindings, receiverBindings } from './bindings.js';
import { awaited, elementOf, functionalMethod } from './containers.js';
import { memberType } from './declaration-types.js';
import { instanceOf } from './written-types.js';
import { givenBesides, wantedByListed, wantedByResult } from './outside-calls.js';
import { fittingCalls } from './overloads.js';
import { takenByType } from './signature.js';
import type { Resolver } from './resolver.js';
import { inPart, just, NOTHING, UNKNOWN, unionOf, type Bindings, type Type, type Value } from './value.js';

/** Where an expression stands. */
type Place =
  | { readonly kind: 'argument'; readonly call: number; readonly index: number }
  /** The initial value of a declaration. */
  | { readonly kind: 'value'; readonly decl: number }
  /** Called where it stands. */
  | { readonly kind: 'called'; readonly call: number }
  /** Returned from a function. */
  | { readonly kind: 'result'; readonly decl: number }
  /** An element of a list. */
  | { readonly kind: 'element'; readonly list: number; readonly expr: number }
  /** A value in a mapping that is written out. */
  | { readonly kind: 'entry'; readonly dict: number }
  /** One side of a conditional. */
  | { readonly kind: 'branch'; readonly union: number }
  /** Stored in a member. */
  | { readonly kind: 'stored'; readonly target: number }
  /** Written with a type: `x as T`, `x satisfies T`. */
  | { readonly kind: 'cast'; readonly cast: number };

/** The place of a row that a context can say something about. */
function placeOf({ exprs }: Summary, expr: ExprRow): Place | undefined {
  const places = exprs.usesOf(expr).flatMap((use) => placeIn(exprs, expr, use) ?? []);
  // The type at the expression itself is nearer than that of the place around it.
  return places.findLast((place) => place.kind === 'cast') ?? places.at(-1);
}

function placeIn(exprs: Expressions, expr: ExprRow, use: Use): Place | undefined {
  switch (use.kind) {
    case 'argument':
      return { kind: 'argument', call: use.row, index: use.index };
    case 'callee':
      return exprs.opOf(expr) === E.closure && exprs.opOf(use.row) !== E.applied
        ? { kind: 'called', call: use.row }
        : undefined;
    case 'entry':
      if (exprs.opOf(use.row) === E.dict) return { kind: 'entry', dict: use.row };
      return exprs.opOf(use.row) === E.list ? { kind: 'element', list: use.row, expr } : undefined;
    case 'same':
      return exprs.opOf(use.row) === E.union
        ? { kind: 'branch', union: use.row }
        : exprs.opOf(use.row) === E.cast
          ? { kind: 'cast', cast: use.row }
          : undefined;
    case 'stored':
      return { kind: 'stored', target: exprs.placeOf(use.row) };
    case 'value':
    case 'result':
      return { kind: use.kind, decl: use.decl };
    default:
      return undefined;
  }
}

/** A lambda, object literal, list, conditional, call. */
const takesContext = (op: number): boolean =>
  op === E.closure || op === E.list || op === E.dict || op === E.union || op === E.call || op === E.new;

/** The call that an object literal is passed to, by itself or as a part of what is passed; undefined if it is not. */
export function callPassedTo(summary: Summary, literal: number): number | undefined {
  for (let row: number | undefined = literal; row !== undefined;) {
    const place = placeOf(summary, row);
    switch (place?.kind) {
      case 'argument':
        return place.call;
      case 'element':
        row = place.list;
        break;
      case 'branch':
        row = place.union;
        break;
      case 'value':
        row = summary.exprs.rowOfClosure(summary.scopes.ownerOf(summary.decls.scopeOf(place.decl)));
        break;
      default:
        return undefined;
    }
  }
  return undefined;
}

/** The type that the place of an expression declares, or undefined when it declares none. */
export function expectedType(resolver: Resolver, file: string, expr: number): Type | undefined {
  return resolver.answer<Type | undefined>('expected type', file, expr, undefined, () =>
    takesContext(resolver.summary(file).exprs.opOf(expr)) ? expectedWhere(resolver, file, expr) : undefined,
  );
}

/** The same for an expression that its place says nothing about, as the name of a function. */
export function expectedWhere(resolver: Resolver, file: string, expr: number): Type | undefined {
  const summary = resolver.summary(file);
  const place = placeOf(summary, expr);
  return place === undefined ? undefined : known(expectedAt(resolver, file, summary, place));
}

const known = (type: Type | undefined): Type | undefined =>
  type === undefined || type.values.length === 0 ? undefined : type;

function expectedAt(resolver: Resolver, file: string, summary: Summary, place: Place): Type | undefined {
  switch (place.kind) {
    case 'argument':
      return expectedArgument(resolver, file, place.call, place.index);
    case 'called':
      return undefined;
    case 'value':
      return expectedOfDecl(resolver, file, summary, place.decl);
    case 'result':
      return expectedResult(resolver, file, summary, place.decl);
    case 'branch':
      return expectedType(resolver, file, place.union) ?? expectedOfUpdated(resolver, file, summary, place.union);
    case 'cast':
      return expectedOfCast(resolver, file, summary, place.cast);
    case 'stored':
      return resolver.typeOf(file, place.target);
    case 'entry':
      return entryOf(resolver, file, expectedType(resolver, file, place.dict));
    case 'element': {
      const outer = expectedType(resolver, file, place.list);
      return outer === undefined ? undefined : expectedElement(resolver, file, summary, place, outer);
    }
  }
}

/** `options ??= {}`: what is on the left takes the value. */
function expectedOfUpdated(resolver: Resolver, file: string, { exprs }: Summary, union: number): Type | undefined {
  const [first] = exprs.partsOf(union);
  return first !== undefined && exprs.roleOf(first) === R.update ? resolver.typeOf(file, first) : undefined;
}

/** Of a tuple what stands at the element's place, of all else what it holds. */
function expectedElement(
  resolver: Resolver,
  file: string,
  { exprs }: Summary,
  { list, expr }: Place & { kind: 'element' },
  outer: Type,
): Type {
  const { library } = resolver.language(file);
  const elements = [...exprs.partsOf(list)];
  const before = elements.slice(0, elements.indexOf(expr));
  // What is spread takes any number of places.
  const isPlaced = !before.some((row) => row < 0 || exprs.opOf(row) === E.element);
  return unionOf(
    outer.values
      .map((value) => {
        const part = value.kind === 'tuple' && isPlaced ? value.parts[before.length] : undefined;
        return part ?? elementOf(resolver, library, just(value));
      })
      .concat(outer.unknown || outer.values.length === 0 ? UNKNOWN : NOTHING),
  );
}

/** What is cast may lack members of its type, what satisfies it may not. */
function expectedOfCast(resolver: Resolver, file: string, { exprs }: Summary, cast: number): Type | undefined {
  const type = exprs.castTypeOf(cast);
  const whole = type < 0 ? undefined : instanceOf(resolver, file, type);
  return whole === undefined || exprs.nameOf(cast) === SATISFIES ? whole : inPart(whole, 'some');
}

/**
 * The declared type of a variable or parameter; of a property of an object literal, what the literal's place expects
 * there.
 */
function expectedOfDecl(resolver: Resolver, file: string, summary: Summary, decl: number): Type | undefined {
  const type = summary.decls.typeOf(decl);
  if (type >= 0) return instanceOf(resolver, file, type);
  return propertyExpected(resolver, file, summary, decl);
}

/** What a mapping of a declared type holds under any key; undefined where none is declared. */
function entryOf(resolver: Resolver, file: string, mapping: Type | undefined): Type | undefined {
  const { mappings } = resolver.language(file).library;
  const types = (mapping?.values ?? []).flatMap((value): Type[] =>
    value.kind === 'external' && value.args.length === 2 && mappings.has(value.name) ? [value.args[1] as Type] : [],
  );
  return types.length === 0 ? undefined : unionOf(types);
}

function propertyExpected(resolver: Resolver, file: string, summary: Summary, decl: number): Type | undefined {
  const scope = summary.decls.scopeOf(decl);
  const literal = summary.scopes.ownerOf(scope);
  if (literal < 0 || summary.decls.kindOf(literal) !== D.anonymousClass || summary.decls.innerOf(literal) !== scope)
    return undefined;
  const row = summary.exprs.rowOfClosure(literal);
  const outer = row === undefined ? undefined : expectedType(resolver, file, row);
  if (outer === undefined) return undefined;
  const name = summary.decls.nameOf(decl);
  const types = outer.values.flatMap((value): Type[] => {
    const entry = value.kind === 'external' ? entryOf(resolver, file, just(value)) : undefined;
    if (entry !== undefined) return [entry];
    if (value.kind !== 'instance') return [];
    return findMember(resolver, value, name).found.map((member) =>
      memberType(resolver, member.file, member.decl, value),
    );
  });
  return types.length === 0 ? undefined : unionOf(types);
}

/** What a `return` of the function expects. */
function expectedResult(resolver: Resolver, file: string, summary: Summary, decl: number): Type | undefined {
  const type = summary.decls.typeOf(decl);
  const flags = summary.decls.flagsOf(decl);
  // What is yielded is an element of what is declared; what a generator returns in the end hardly anybody reads.
  if ((flags & F.generator) !== 0)
    return type < 0
      ? undefined
      : elementOf(resolver, resolver.language(file).library, instanceOf(resolver, file, type));
  const whole =
    type >= 0
      ? instanceOf(resolver, file, type)
      : (resultsOf(resolver, file, expectedOfFunction(resolver, file, summary, decl)) ??
        resultPassedOn(resolver, file, summary, decl));
  return whole === undefined || (flags & F.async) === 0
    ? whole
    : awaited(resolver, resolver.language(file).library, whole);
}

/**
 * What is expected of a call, where its result is what the function returns: of the function itself, or as an element,
 * `xs.map(x => …)`.
 */
function resultPassedOn(resolver: Resolver, file: string, summary: Summary, decl: number): Type | undefined {
  const { exprs } = summary;
  const row = summary.exprs.rowOfClosure(decl);
  const place = row === undefined ? undefined : placeOf(summary, row);
  if (place?.kind === 'called') return expectedType(resolver, file, place.call);
  if (place?.kind !== 'argument' || place.index !== 0) return undefined;
  const { library } = resolver.language(file);
  const callee = exprs.calleeOf(place.call);
  if (callee < 0 || exprs.opOf(callee) !== E.member || !library.mappingMembers.has(exprs.nameOf(callee)))
    return undefined;
  const outer = expectedType(resolver, file, place.call);
  return outer === undefined ? undefined : known(elementOf(resolver, library, outer));
}

/** What the place of a function that is a value expects. */
export function expectedOfFunction(resolver: Resolver, file: string, summary: Summary, decl: number): Type | undefined {
  // A function that a variable holds keeps the variable's declared type as its value.
  const declared = summary.decls.valueOf(decl);
  if (declared >= 0) return known(instanceOf(resolver, file, declared));
  const row = summary.exprs.rowOfClosure(decl);
  return row === undefined || placeOf(summary, row) === undefined
    ? propertyExpected(resolver, file, summary, decl)
    : expectedType(resolver, file, row);
}

function resultsOf(resolver: Resolver, file: string, type: Type | undefined): Type | undefined {
  const types = (type?.values ?? []).flatMap((value): Type[] => {
    if (value.kind === 'callable') return [value.returns];
    if (value.kind === 'external') return resultOfLibraryFunction(resolver, file, value);
    if (value.kind === 'function') {
      const of = resolver.summary(value.file);
      const result = of.decls.typeOf(value.decl);
      return result < 0
        ? []
        : [instanceOf(resolver, value.file, result, bindingsOf(resolver, value.self, value.file, value.decl))];
    }
    if (value.kind !== 'instance') return [];
    const method = calledMethod(resolver, value);
    const result = method === undefined ? -1 : resolver.summary(method.file).decls.typeOf(method.decl);
    return method === undefined || result < 0
      ? []
      : [instanceOf(resolver, method.file, result, bindingsOf(resolver, value, method.file, method.decl))];
  });
  return types.length === 0 ? undefined : unionOf(types);
}

/** `Supplier<A>`, where the library has interfaces of one function. */
function resultOfLibraryFunction(
  resolver: Resolver,
  file: string,
  { name, args }: Value & { kind: 'external' },
): Type[] {
  const last = args.at(-1);
  return last !== undefined && resolver.language(file).library.functions?.has(name) === true ? [last] : [];
}

/** What a call of the object runs: a delegate is its own signature. */
function calledMethod(
  resolver: Resolver,
  value: Value & { kind: 'instance' },
): { readonly file: string; readonly decl: number } | undefined {
  const of = resolver.summary(value.file);
  if (of.decls.kindOf(value.decl) === D.delegate) return value;
  return isClassLike(of.decls.kindOf(value.decl)) || of.decls.kindOf(value.decl) === D.typeAlias
    ? functionalMethod(resolver, value)
    : undefined;
}

/** The declared type of the parameter that an argument is passed for. */
function expectedArgument(resolver: Resolver, file: string, call: number, index: number): Type | undefined {
  const summary = resolver.summary(file);
  const site = { file, expr: call, partial: true };
  const isNew = summary.exprs.opOf(call) === E.new;
  const callee = summary.exprs.calleeOf(call);
  const called = isNew ? NOTHING : resolver.typeOf(file, callee);
  const functions = isNew ? fittingCalls.constructors(resolver, file, call) : calledFunctions(resolver, called);
  const types = takenByHeld(resolver, summary, { call, index }, called);
  for (const target of fittingCalls.among(resolver, functions, site)) {
    const of = resolver.summary(target.file);
    for (const pair of fittingCalls.pair(resolver, target, site)) {
      if (pair.index !== index) continue;
      const type = of.decls.typeOf(pair.param);
      if (type < 0) {
        // A function that a variable holds may have its parameters declared by the variable's type.
        const declared = expectedParam(resolver, target.file, target.decl, pair.param);
        if (declared !== undefined) types.push(declared);
        continue;
      }
      const bindings = [
        ...bindingsOf(resolver, target.self ?? madeAsWritten(resolver, file, call), target.file, target.decl),
        ...callBindings(resolver, target, site),
        ...(of.exprs.opOf(type) === E.functionType ? receiverBindings(resolver, target) : []),
      ];
      types.push(instanceOf(resolver, target.file, type, bindings));
    }
  }
  const listed = types.length > 0 ? undefined : expectedOutside(resolver, file, summary, { call, index });
  if (listed !== undefined) types.push(listed);
  if (isNew || types.length > 0) return types.length === 0 ? undefined : unionOf(types);
  if (index === 0) types.push(...propertiesOf(resolver, file, called));
  if (types.length === 0 && called.values.every(({ kind }) => kind === 'external'))
    return takenByWrapped(resolver, file, callee, index);
  return types.length === 0 ? undefined : unionOf(types);
}

/** What `new Box<Item>(…)` makes, where its type arguments are written. */
const madeAsWritten = (resolver: Resolver, file: string, call: number): Value | undefined =>
  isMadeAsWritten(resolver.summary(file), call)
    ? resolver.typeOf(file, call).values.find(({ kind }) => kind === 'instance')
    : undefined;

const isMadeAsWritten = ({ exprs }: Summary, call: number): boolean =>
  exprs.opOf(call) === E.new && exprs.calleeOf(call) >= 0 && exprs.opOf(exprs.calleeOf(call)) === E.index;

/**
 * The same of what is called outside of the repository: by its signature, or by what its result is expected to be. A
 * collection that is made of another one holds what that holds.
 */
function expectedOutside(
  resolver: Resolver,
  file: string,
  summary: Summary,
  at: { readonly call: number; readonly index: number },
): Type | undefined {
  const isNew = summary.exprs.opOf(at.call) === E.new;
  const listed = isNew ? undefined : wantedByListed(resolver, file, summary, at.call, at.index);
  if (listed !== undefined && listed.values.length > 0) return listed;
  const expected = isMadeAsWritten(summary, at.call)
    ? resolver.typeOf(file, at.call)
    : expectedType(resolver, file, at.call);
  if (expected === undefined) return listed;
  if (!isNew) return wantedByResult(resolver, file, summary, at, expected) ?? listed;
  const { sequences, mappings, iteratesPairs } = resolver.language(file).library;
  const areHeld = expected.values.every(
    (value) => value.kind === 'external' && (sequences.has(value.name) || (iteratesPairs && mappings.has(value.name))),
  );
  return areHeld && at.index === 0 && summary.exprs.argumentsOf(at.call).length === 1 ? expected : undefined;
}

/** What the attributes of a component make up: the argument of the component's type, or of its base. */
function propertiesOf(resolver: Resolver, file: string, component: Type): readonly Type[] {
  const { components } = resolver.language(file).library;
  return components.size === 0
    ? []
    : component.values.flatMap((value) =>
        (value.kind === 'external' ? [value] : value.kind === 'class' ? outsideBases(resolver, value) : []).flatMap(
          ({ name, args }) => (components.has(name) && args[0] !== undefined ? [args[0]] : []),
        ),
      );
}

/** Calls within each other in which a wrapped function is looked for: `memo(forwardRef(Box))`. */
const WRAPPED_MOST = 3;

/**
 * What a function takes that was given to a call of which nobody knows what it gives: what comes out of `memo(Box)` or
 * `debounce(save)` most often takes the same.
 */
function takenByWrapped(resolver: Resolver, file: string, callee: number, index: number): Type | undefined {
  const types = resolver.resolve(file, callee).targets.flatMap((target): readonly Type[] => {
    if (target.decl < 0) return [];
    const { decls, exprs } = resolver.summary(target.file);
    const isHeld = isFieldLike(decls.kindOf(target.decl)) || decls.kindOf(target.decl) === D.local;
    const value = isHeld && decls.typeOf(target.decl) < 0 ? decls.valueOf(target.decl) : -1;
    return value >= 0 && exprs.opOf(value) === E.call
      ? takenByGiven(resolver, { file: target.file, call: value }, index, WRAPPED_MOST)
      : [];
  });
  return types.length === 0 ? undefined : { values: unionOf(types).values, unknown: true };
}

/** What functions and components take that a call is given, or a call among its arguments. */
function takenByGiven(
  resolver: Resolver,
  { file, call }: { readonly file: string; readonly call: number },
  index: number,
  depth: number,
): readonly Type[] {
  const { exprs } = resolver.summary(file);
  if (depth === 0) return [];
  return exprs.argumentsOf(call).flatMap(({ expr }): readonly Type[] => {
    if (exprs.opOf(expr) === E.call) return takenByGiven(resolver, { file, call: expr }, index, depth - 1);
    const given = resolver.typeOf(file, expr);
    const params = given.values.flatMap((value) =>
      value.kind === 'function' || value.kind === 'callable' ? (paramOf(resolver, value, index) ?? []) : [],
    );
    return index === 0 ? [...params, ...propertiesOf(resolver, file, given)] : params;
  });
}

function calledFunctions(resolver: Resolver, type: Type): { file: string; decl: number; self: Value | undefined }[] {
  return type.values.flatMap((value) => {
    if (value.kind === 'function') return [{ file: value.file, decl: value.decl, self: value.self }];
    if (value.kind !== 'instance') return [];
    const method = calledMethod(resolver, value);
    return method === undefined ? [] : [{ ...method, self: value }];
  });
}

/** Type of a parameter of a function that is a value, by its place; undefined when that says nothing. */
export function expectedParam(resolver: Resolver, file: string, owner: number, param: number): Type | undefined {
  const summary = resolver.summary(file);
  const index = summary.decls.paramsOf(owner).indexOf(param);
  if (index < 0) return undefined;
  const row = summary.exprs.rowOfClosure(owner);
  const place = row === undefined ? undefined : placeOf(summary, row);
  const element = place?.kind === 'argument' ? elementPassed(resolver, file, summary, place.call, index) : undefined;
  if (element !== undefined) return element;
  const expected = expectedOfFunction(resolver, file, summary, owner);
  const types = (expected?.values ?? [])
    .map((value) => paramOf(resolver, value, index))
    .filter((type) => type !== undefined);
  if (types.length > 0) return unionOf(types.concat(NOTHING));
  if (place?.kind !== 'argument') return undefined;
  return (
    argumentOfReceiver(resolver, file, summary, place.call, index) ??
    known(givenBesides(resolver, file, summary, place.call, place.index))
  );
}

/**
 * `mock.Setup(x => …)` on a `Mock<A>` from outside: what a generic of one argument hands to a function is most often
 * that argument.
 */
function argumentOfReceiver(
  resolver: Resolver,
  file: string,
  summary: Summary,
  call: number,
  index: number,
): Type | undefined {
  const callee = summary.exprs.calleeOf(call);
  if (index !== 0 || callee < 0 || summary.exprs.opOf(callee) !== E.member) return undefined;
  const types = resolver
    .typeOf(file, summary.exprs.calleeOf(callee))
    .values.flatMap((value) => (value.kind === 'external' && value.args.length === 1 ? [value.args[0] as Type] : []));
  return types.length === 0 ? undefined : { values: unionOf(types).values, unknown: true };
}

/** `xs.map(x => …)`: x is an element of xs, by the language's table. */
function elementPassed(
  resolver: Resolver,
  file: string,
  summary: Summary,
  call: number,
  index: number,
): Type | undefined {
  const { exprs } = summary;
  const callee = exprs.calleeOf(call);
  if (callee < 0 || exprs.opOf(callee) !== E.member) return undefined;
  const library = resolver.language(file).library;
  const name = exprs.nameOf(callee);
  const folds = library.foldMembers.has(name) && index === 1;
  if (
    !folds &&
    !library.callbackMembers.has(name) &&
    !library.elementMembers.has(name) &&
    !library.sameMembers.has(name)
  )
    return undefined;
  const receiver = resolver.typeOf(file, exprs.calleeOf(callee));
  const outside = receiver.values.filter(
    (value) =>
      // `import('./m').then(…)`: a module that has to be waited for.
      (value.kind === 'module' && isWaitedFor(resolver, file, name)) ||
      value.kind === 'external' ||
      value.kind === 'tuple' ||
      (value.kind === 'instance' && findMember(resolver, value, name).outside),
  );
  if (outside.length === 0) return undefined;
  const types = outside.map((value): Type => {
    if (value.kind === 'module') return index === 0 ? just(value) : UNKNOWN;
    if (value.kind === 'external' && library.mappings.has(value.name) && value.args.length > 1)
      return (library.iteratesPairs ? value.args[1 - index] : value.args[index]) ?? UNKNOWN;
    // A wrapper hands over what it holds, whole.
    if (value.kind === 'external' && library.wrappers.has(value.name) && value.args[0] !== undefined)
      return index === 0 ? value.args[0] : UNKNOWN;
    return index === 0 || folds ? elementOf(resolver, library, just(value)) : UNKNOWN;
  });
  return unionOf(types);
}

const isWaitedFor = (resolver: Resolver, file: string, member: string): boolean =>
  resolver.language(file).writing.async?.resultMembers.has(member) === true;

/** What the written function types among the values of a callee take as an argument. */
function takenByHeld(
  resolver: Resolver,
  { exprs }: Summary,
  { call, index }: { readonly call: number; readonly index: number },
  called: Type,
): Type[] {
  const held = called.values.filter((value) => value.kind === 'callable');
  if (
    held.length === 0 ||
    exprs
      .argumentsOf(call)
      .slice(0, index)
      .some(({ spread }) => spread !== 'none')
  )
    return [];
  return held.map((value) => paramOf(resolver, value, index)).filter((type) => type !== undefined);
}

/** Parameter `index` of what a value is when it is called. */
function paramOf(resolver: Resolver, value: Value, index: number): Type | undefined {
  if (value.kind === 'callable' && value.type !== undefined) {
    const { file, expr, bindings } = value.type;
    const summary = resolver.summary(file);
    const params = summary.exprs.partsOf(expr);
    const last = params.length - 1;
    const rest = index < last || last < 0 ? undefined : passedOn(resolver, file, params[last] as number, bindings);
    const isAnyNumber = takenByType(summary, expr)?.most === Infinity;
    const param = params[isAnyNumber ? Math.min(index, last) : index];
    return rest !== undefined
      ? rest[index - last]
      : param === undefined
        ? undefined
        : instanceOf(resolver, file, param, bindings);
  }
  if (value.kind === 'external') return value.args[index];
  if (value.kind === 'function') return declaredParam(resolver, value.file, value.decl, index, value.self);
  if (value.kind !== 'instance') return undefined;
  const of = resolver.summary(value.file);
  const method =
    of.decls.paramsOf(value.decl).length > 0 && !isFunctionLike(of.decls.kindOf(value.decl))
      ? value
      : functionalMethod(resolver, value);
  return method === undefined ? undefined : declaredParam(resolver, method.file, method.decl, index, value);
}

/** `...args: Parameters<F>`: the types of F's parameters, one by one. */
function passedOn(resolver: Resolver, file: string, param: number, bindings: Bindings): readonly Type[] | undefined {
  if (!isPassedOn(resolver, file, param)) return undefined;
  const [list] = instanceOf(resolver, file, param, bindings).values;
  return list?.kind === 'tuple' ? list.parts : undefined;
}

/** Whether the type of a rest parameter is the list of another function's parameters, not the type of one of them. */
export function isPassedOn(resolver: Resolver, file: string, type: number): boolean {
  const { exprs } = resolver.summary(file);
  const head = exprs.opOf(type) === E.index ? exprs.nameOf(exprs.operandOf(type)) : undefined;
  return head !== undefined && resolver.language(file).library.parameterLists.has(head);
}

function declaredParam(
  resolver: Resolver,
  file: string,
  decl: number,
  index: number,
  self: Value | undefined,
): Type | undefined {
  const summary = resolver.summary(file);
  const param = summary.decls.paramsOf(decl)[index];
  const type = param === undefined ? -1 : summary.decls.typeOf(param);
  return type < 0 ? undefined : instanceOf(resolver, file, type, bindingsOf(resolver, self, file, decl));
}
