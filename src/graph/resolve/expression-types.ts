/**
 * The values of expressions: names, members, calls, operators, literals.
 *
 * Errs towards unknown. What a value of the repository gives is asked of its declaration, what one
 * from outside gives of the language's facts about its library.
 */
import type { BasicTypes, DeclRef, LibraryTypes } from '../../languages/language.js';
import type { Expressions } from '../../syntax/expressions.js';
import type { DeclRow, ExprRow, RowList } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFunctionLike, NARROWED, type Summary } from '../../syntax/summary.js';
import {
  awaited,
  elementOf,
  elementOfValue,
  entered,
  libraryMember,
  memberOfTuple,
  operatorResult,
  outsideValue,
  partOf,
  wrapped,
} from './containers.js';
import { operated } from './basic-types.js';
import { constructedArguments, ownArguments } from './bindings.js';
import { anyOf, heldAs, memberType, returnType, typeOfEntity } from './declaration-types.js';
import { extensionMethods } from './extension-methods.js';
import { expectedThis } from './expected-this.js';
import { putOnFunction } from './function-members.js';
import { classOfMember, findMember, isSubclass } from './hierarchy.js';
import { lastAssignments, leftAtEnd, sameNamed } from './last-assignments.js';
import { moduleMember, NOTHING_FOUND } from './names.js';
import { listedCall, unlistedCall } from './outside-calls.js';
import { fittingCalls, isDelegate, type CallSite } from './overloads.js';
import type { Resolver } from './resolver.js';
import { enclosingClass, external, just, MADE_OF, NOTHING, unionOf, UNKNOWN, type Type, type Value } from './value.js';
import { instanceOf } from './written-types.js';

/** The other way round: where a value is written, interfaces and aliases of its name are not meant. */
function valuesAmong(resolver: Resolver, targets: readonly DeclRef[]): readonly DeclRef[] {
  if (targets.length < 2) return targets;
  const values = targets.filter((target) => {
    const kind = target.decl < 0 ? D.namespace : resolver.summary(target.file).decls.kindOf(target.decl);
    return kind !== D.interface && kind !== D.typeAlias;
  });
  return values.length === 0 ? targets : values;
}

/** See {@link Resolver.typeOf}. */
export function typeOfExpr(resolver: Resolver, file: string, expr: number): Type {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const operand = exprs.operandOf(expr);
  const library = resolver.language(file).library;
  switch (exprs.opOf(expr)) {
    case E.name:
      return typeOfName(resolver, file, summary, expr);
    case E.member:
      return typeOfMember(resolver, file, summary, expr);
    case E.call:
      return typeOfCall(resolver, file, summary, expr);
    case E.new:
      return typeOfNew(resolver, file, exprs, expr);
    case E.index:
      return typeOfIndex(resolver, file, summary, expr);
    case E.await:
      return awaited(resolver, library, resolver.typeOf(file, operand));
    case E.this:
      return typeOfThis(resolver, file, summary, exprs.scopeOf(expr));
    case E.super:
      return typeOfSuper(resolver, file, summary, expr);
    case E.literal:
      return exprs.nameOf(expr) === 'null' ? NOTHING : external(exprs.nameOf(expr));
    case E.string:
      return external('str');
    case E.list:
      return typeOfList(resolver, file, summary, expr);
    case E.dict:
      return typeOfDict(resolver, file, exprs.partsOf(expr));
    case E.closure:
      return typeOfClosure(summary, file, exprs.closureOf(expr));
    case E.union:
      return unionOf([...exprs.partsOf(expr)].map((part) => resolver.typeOf(file, part)).concat(NOTHING));
    case E.element:
      return elementOf(resolver, library, resolver.typeOf(file, operand));
    case E.nth:
      return partOf(resolver, library, resolver.typeOf(file, operand), exprs.numberOf(expr));
    case E.enter:
      return entered(resolver, resolver.typeOf(file, operand));
    case E.cast:
      return exprs.nameOf(expr) === NARROWED
        ? narrowed(resolver, resolver.typeOf(file, operand), instanceOf(resolver, file, exprs.castTypeOf(expr)))
        : instanceOf(resolver, file, exprs.castTypeOf(expr));
    case E.classOf:
      return classesOf(library, resolver.typeOf(file, operand));
    case E.operator:
      return typeOfOperator(resolver, file, summary, expr);
    case E.initializer:
      return typeOfInitializer(resolver, file, expr);
    case E.functionType:
      return just({ kind: 'callable', returns: instanceOf(resolver, file, operand) });
    default:
      return UNKNOWN;
  }
}

function typeOfNew(resolver: Resolver, file: string, exprs: Expressions, row: ExprRow): Type {
  const made = exprs.calleeOf(row);
  if (made < 0) return UNKNOWN;
  if (exprs.opOf(made) === E.closure) return resolver.typeOf(file, made);
  const type = instanceOf(resolver, file, made);
  const [value, other] = type.values;
  if (other !== undefined) return type;
  if (value?.kind === 'external' && value.args.length === 0)
    return filledContainer(resolver, file, exprs, row, value.name);
  if (value?.kind === 'callable') return { ...value.returns, unknown: type.unknown || value.returns.unknown };
  if (value?.kind !== 'instance') return type;
  const { constructMember } = resolver.language(file);
  const makers = constructMember === undefined ? [] : findMember(resolver, value, constructMember).found;
  if (makers.length > 0)
    return unionOf(makers.map((maker) => returnType(resolver, maker.file, maker.decl, value, { file, expr: row })));
  return { values: [constructed(resolver, value, { file, expr: row })], unknown: type.unknown };
}

/**
 * The object that a call of a class makes; what its constructor is given says its type arguments, where they are not
 * written.
 */
function constructed(resolver: Resolver, made: Value & { kind: 'class' | 'instance' }, call: CallSite): Value {
  const args = made.args.length > 0 ? made.args : constructedArguments(resolver, made, call);
  return { ...made, kind: 'instance', args };
}

/** `new Map(pairs)`, `new ArrayList<>(list)`: a container without type arguments holds what it is made from. */
function filledContainer(resolver: Resolver, file: string, exprs: Expressions, row: ExprRow, name: string): Type {
  const { library } = resolver.language(file);
  const [first] = exprs.argumentsOf(row);
  const isMapping = library.mappings.has(name);
  if (first === undefined || !(isMapping || library.sequences.has(name))) return external(name);
  const from = resolver.typeOf(file, first.expr);
  const held = elementOf(resolver, library, from);
  if (!isMapping) return external(name, [held]);
  const mapping = from.values.find((value) => value.kind === 'external' && library.mappings.has(value.name));
  return mapping?.kind === 'external'
    ? external(name, mapping.args)
    : external(name, [partOf(resolver, library, held, 0), partOf(resolver, library, held, 1)]);
}

function typeOfDict(resolver: Resolver, file: string, values: RowList<ExprRow>): Type {
  const held = [...values].map((value) => resolver.typeOf(file, value)).concat(NOTHING);
  return external('dict', [external('str'), unionOf(held)]);
}

/** The classes of objects; what comes from outside has one that is not known. */
/**
 * `typeof(Store)`, `Store.class`: the class as a value; of what is not known, a library's object that stands for some
 * class.
 */
function classesOf({ classObjects }: LibraryTypes, { values }: Type): Type {
  if (values.length === 0) return classObjects.size === 0 ? NOTHING : external(anyOf(classObjects));
  return {
    values: values.map((value): Value => {
      if (value.kind === 'instance') return { ...value, kind: 'class' };
      return value.kind === 'external' ? { kind: 'external', name: anyOf(classObjects), args: [just(value)] } : value;
    }),
    unknown: false,
  };
}

function typeOfInitializer(resolver: Resolver, file: string, expr: ExprRow): Type {
  const { targets } = resolver.resolve(file, expr);
  return unionOf(targets.map((target) => resolver.typeOfDecl(target.file, target.decl)).concat(NOTHING));
}

function typeOfName(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const resolution = resolver.resolve(file, expr);
  if (resolution.external) return external(summary.exprs.nameOf(expr));
  if (resolution.module !== undefined) return typeOfEntity(resolver, resolution.module);
  if (resolution.targets.length === 0) return UNKNOWN;
  return unionOf(
    valuesAmong(resolver, resolution.targets).map((target) =>
      target.decl < 0
        ? just({ kind: 'module', file: target.file })
        : (typeAssignedLast(resolver, file, expr, target) ?? typeOfReached(resolver, target, resolution.self)),
    ),
  );
}

/**
 * What was assigned last to a local, variable or parameter, where the order of assignments is known; undefined where
 * its declaration says as much. A declared type gives way to an assigned value of which it is known what it is:
 * `name, query = query`.
 */
function typeAssignedLast(resolver: Resolver, file: string, expr: number, target: DeclRef): Type | undefined {
  if (!resolver.language(target.file).ordersAssignments) return undefined;
  const summary = resolver.summary(target.file);
  const { decls } = summary;
  const isPlace = (decl: number): boolean => [D.local, D.variable, D.param].some((kind) => kind === decls.kindOf(decl));
  if (!isPlace(target.decl) || decls.has(target.decl, F.narrowing)) return undefined;
  const all = sameNamed(summary, target.decl);
  if (all.length < 2 || !all.every(isPlace)) return undefined;
  const last = target.file === file ? lastAssignments(summary, all, expr) : leftAtEnd(summary, all);
  if (last.length === all.length || last.some((decl) => decls.kindOf(decl) === D.param)) return undefined;
  const isDeclared = all.some((decl) => decls.typeOf(decl) >= 0);
  if (isDeclared && last.some((decl) => decls.typeOf(decl) >= 0)) return undefined;
  const values = last.map((decl) => decls.valueOf(decl)).filter((value) => value >= 0);
  const assigned = values.length === 0 ? UNKNOWN : unionOf(values.map((value) => resolver.typeOf(target.file, value)));
  return isDeclared && !isOfTheRepository(assigned) ? undefined : assigned;
}

const isOfTheRepository = ({ values, unknown }: Type): boolean =>
  !unknown && values.length > 0 && values.every(({ kind }) => kind === 'instance' || kind === 'class');

/** A bare name may mean a member of the class around (Java, C#): a getter then gives its value. */
function typeOfReached(
  resolver: Resolver,
  target: { readonly file: string; readonly decl: number },
  self: Value | undefined,
): Type {
  const summary = resolver.summary(target.file);
  if (self === undefined || classOfMember(summary, target.decl) === undefined)
    return resolver.typeOfDecl(target.file, target.decl);
  return memberType(resolver, target.file, target.decl, self);
}

function typeOfMember(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const name = exprs.nameOf(expr);
  const receiver = resolver.typeOf(file, exprs.operandOf(expr));
  const types = receiver.values.map((value) => typeOfMemberOf(resolver, file, value, name));
  const known = unionOf(types.concat(receiver.unknown ? UNKNOWN : NOTHING));
  if (known.values.some((value) => value.kind !== 'external')) return known;
  const extension = extensionMethods(resolver, file, summary, expr, name, receiver);
  if (extension === undefined || extension.confidence !== 'certain') return known;
  const self = extension.self ?? external('').values[0];
  return unionOf(extension.targets.map(({ file, decl }) => just({ kind: 'function', file, decl, self })));
}

/** The value of `receiver.name` for one value of the receiver. */
export function typeOfMemberOf(resolver: Resolver, file: string, receiver: Value, name: string): Type {
  const library = resolver.language(file).library;
  switch (receiver.kind) {
    case 'instance':
    case 'class':
    case 'super': {
      const search = findMember(resolver, receiver, name, receiver.kind === 'super');
      if (search.found.length === 0)
        return search.outside ? libraryMember(library, outsideValue(resolver, receiver), name) : UNKNOWN;
      const self: Value =
        receiver.kind === 'super' ? { kind: 'instance', file: receiver.file, decl: receiver.decl, args: [] } : receiver;
      return unionOf(search.found.map((member) => memberType(resolver, member.file, member.decl, self)));
    }
    case 'module':
    case 'namespace': {
      const entities = moduleMember(resolver, file, receiver, name);
      return entities.length === 0 ? UNKNOWN : unionOf(entities.map((entity) => typeOfEntity(resolver, entity)));
    }
    case 'external':
      if (receiver.name === MADE_OF) return just(receiver);
      if (library.records.has(receiver.name) && receiver.args[1] !== undefined) return receiver.args[1];
      return wrapped(resolver, file, library, receiver, name) ?? libraryMember(library, receiver, name);
    case 'tuple':
      return memberOfTuple(library, receiver.parts, name);
    case 'function': {
      const put = putOnFunction(resolver, receiver, name);
      if (put.length > 0) return unionOf(put.map((row) => resolver.typeOf(receiver.file, row)));
      const held = heldAs(resolver, receiver);
      return held.length === 0
        ? external('')
        : unionOf(held.map((object) => typeOfMemberOf(resolver, file, object, name)));
    }
    case 'callable':
      return external('');
  }
}

function typeOfCall(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const callee = exprs.operandOf(expr);
  if (callee < 0) return UNKNOWN;
  const op = exprs.opOf(callee);
  const library = resolver.language(file).library;
  if (op === E.super || op === E.this) return NOTHING;
  const known = callByTables(resolver, file, summary, expr, callee);
  if (known !== undefined) return known;
  const type = runBy(resolver, file, summary, callee) ?? resolver.typeOf(file, callee);
  if (resolver.language(file).componentsAreCalled && readsComponent(resolver, file, callee)) return type;
  const functions = type.values.filter((value) => value.kind === 'function');
  const fitting = functions.length > 1 ? fittingCalls.among(resolver, functions, { file, expr }) : functions;
  const results: Type[] = [];
  for (const value of type.values) {
    if (value.kind === 'function') {
      if (fitting.includes(value))
        results.push(returnType(resolver, value.file, value.decl, value.self, { file, expr }));
    } else if (value.kind === 'class') {
      results.push(
        resolver.language(file).callableClasses ? just(constructed(resolver, value, { file, expr })) : UNKNOWN,
      );
    } else if (value.kind === 'callable') results.push(value.returns);
    else if (value.kind === 'external')
      results.push(
        library.wrappers.has(value.name) && value.args[0] !== undefined
          ? value.args[0]
          : unlistedCall(resolver, file, summary, expr, value),
      );
    else if (value.kind === 'instance') results.push(callOfInstance(resolver, value));
  }
  if (type.unknown) results.push(UNKNOWN);
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

/** What a call of something from outside gives, by the language's tables. */
function callByTables(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  callee: number,
): Type | undefined {
  const op = summary.exprs.opOf(callee);
  const typed = typedCall(resolver, file, summary, expr, callee);
  if (typed !== undefined || (op !== E.member && op !== E.name)) return typed;
  const listed = listedCall(resolver, file, summary, expr, callee);
  return listed ?? (op === E.member ? libraryCall(resolver, file, summary, expr, callee) : undefined);
}

/** What a callee runs that says it by the language's name for that, `made.Invoke()`; undefined for any other. */
function runBy(resolver: Resolver, file: string, { exprs }: Summary, callee: number): Type | undefined {
  if (exprs.opOf(callee) !== E.member || exprs.nameOf(callee) !== resolver.language(file).runsDelegate)
    return undefined;
  const { values, unknown } = resolver.typeOf(file, exprs.operandOf(callee));
  const run = values.filter((value) => value.kind === 'callable' || isDelegate(resolver, value));
  return run.length === 0 ? undefined : { values: run, unknown };
}

/** `super().__new__(cls)`, `object.__new__(cls)`: an object of the class that is given. */
function allocatedBy(resolver: Resolver, file: string, summary: Summary, call: number): Type | undefined {
  const { exprs } = summary;
  const callee = exprs.operandOf(call);
  const [first] = exprs.argumentsOf(call);
  if (first === undefined || resolver.resolve(file, callee).targets.length > 0) return undefined;
  const { values, unknown } = resolver.typeOf(file, first.expr);
  const made = values.flatMap((value): Value[] => (value.kind === 'class' ? [{ ...value, kind: 'instance' }] : []));
  return made.length === 0 ? undefined : { values: made, unknown };
}

/** Whether a callee names a component of a record, of which no accessor is written. */
function readsComponent(resolver: Resolver, file: string, callee: number): boolean {
  const op = resolver.summary(file).exprs.opOf(callee);
  if (op !== E.member && op !== E.name) return false;
  const { targets } = resolver.resolve(file, callee);
  return (
    targets.length > 0 &&
    targets.every(
      (target) => target.decl >= 0 && resolver.summary(target.file).decls.has(target.decl, F.parameterField),
    )
  );
}

function callOfInstance(resolver: Resolver, value: Value & { kind: 'instance' }): Type {
  const summary = resolver.summary(value.file);
  if (isDelegate(resolver, value)) return instanceOf(resolver, value.file, summary.decls.typeOf(value.decl));
  const callMember = resolver.language(value.file).callMember;
  if (callMember === undefined) return UNKNOWN;
  const found = findMember(resolver, value, callMember).found;
  return found.length === 0
    ? UNKNOWN
    : unionOf(found.map((member) => returnType(resolver, member.file, member.decl, value)));
}

/**
 * A call of a generic function from outside whose one written type argument says what comes out, by the language's
 * table.
 */
function typedCall(resolver: Resolver, file: string, summary: Summary, expr: number, callee: number): Type | undefined {
  const { library } = resolver.language(file);
  const name = summary.exprs.nameOf(callee);
  if (!library.typedSequences.has(name) && !library.typedMakers.has(name)) return undefined;
  const [argument, more] = summary.exprs.typeArgumentsOf(expr);
  if (argument === undefined || more !== undefined || resolver.resolve(file, callee).targets.length > 0)
    return undefined;
  const type = instanceOf(resolver, file, argument);
  return library.typedMakers.has(name) ? type : external(anyOf(library.sequences), [type]);
}

/** Of what a value is known to be, what passes the test; where nothing does, what the test says. */
function narrowed(resolver: Resolver, known: Type, tested: Type): Type {
  const passing = known.values.filter(
    (value) =>
      value.kind === 'instance' &&
      tested.values.some((base) => base.kind === 'instance' && isSubclass(resolver, value, base)),
  );
  return passing.length === 0 ? tested : { values: passing, unknown: false };
}

/** A call of a member of a library container, by the language's table. */
function libraryCall(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  callee: number,
): Type | undefined {
  const { exprs } = summary;
  const { allocator, library } = resolver.language(file);
  const name = exprs.nameOf(callee);
  if (name === allocator) return allocatedBy(resolver, file, summary, expr);
  const receiver = resolver.typeOf(file, exprs.calleeOf(callee));
  const results: Type[] = [];
  for (const value of receiver.values) {
    if (value.kind === 'tuple') {
      results.push(memberOfTuple(library, value.parts, name));
      continue;
    }
    const outside =
      value.kind === 'external'
        ? value
        : value.kind === 'instance' && findMember(resolver, value, name).outside
          ? outsideValue(resolver, value)
          : undefined;
    if (outside === undefined || outside.args.length === 0) continue;
    const [first, second] = outside.args;
    if (library.mappings.has(outside.name) && second !== undefined) {
      if (library.elementMembers.has(name)) results.push(second);
      else if (library.valueViews.has(name)) results.push(external(anyOf(library.sequences), [second]));
      else if (library.keyViews.has(name)) results.push(external(anyOf(library.sequences), [first ?? UNKNOWN]));
      else if (library.pairViews.has(name))
        results.push(external(anyOf(library.sequences), [just({ kind: 'tuple', parts: [first ?? UNKNOWN, second] })]));
    } else if (first !== undefined) {
      const left = library.testingMembers.has(name) ? passing(resolver, file, summary, expr, first) : first;
      if (library.elementMembers.has(name)) results.push(left);
      else if (library.sameMembers.has(name))
        results.push(just(left === first ? outside : { ...outside, args: [left, ...outside.args.slice(1)] }));
      else if (library.callbackMembers.has(name))
        results.push(external(outside.name, [callbackResult(resolver, file, summary, expr)]));
    }
  }
  return results.length === 0 ? undefined : unionOf(results);
}

/** Of elements those that the function given for the test leaves, where it says what they are then: `x is T`. */
function passing(resolver: Resolver, file: string, summary: Summary, call: number, elements: Type): Type {
  const [test] = summary.exprs.passedTo(call);
  const [given, more] = test === undefined ? [] : resolver.typeOf(file, test).values;
  if (given?.kind !== 'function' || more !== undefined) return elements;
  const of = resolver.summary(given.file);
  const said = of.decls.typeOf(given.decl);
  const type =
    said < 0 ? typeTested(of, given.decl) : of.exprs.opOf(said) === E.literal ? of.exprs.operandOf(said) : -1;
  const tested = type < 0 ? UNKNOWN : instanceOf(resolver, given.file, type);
  return tested.values.length === 0 ? elements : narrowed(resolver, elements, tested);
}

/** The row of the type of which `(x) => x instanceof A` says that its parameter is; -1 for other functions. */
function typeTested({ decls, exprs }: Summary, decl: number): number {
  const [test = -1, more] = decls.resultsOf(decl);
  if (test < 0 || more !== undefined || exprs.opOf(test) !== E.operator || exprs.nameOf(test) !== 'instanceof')
    return -1;
  const [first] = decls.paramsOf(decl);
  const tested = exprs.operandOf(test);
  const isParameter =
    first !== undefined && exprs.opOf(tested) === E.name && exprs.nameOf(tested) === decls.nameOf(first);
  return isParameter ? exprs.secondOf(test) : -1;
}

/** What the first argument of a call, a function, returns. */
function callbackResult(resolver: Resolver, file: string, summary: Summary, call: number): Type {
  const [callback] = summary.exprs.passedTo(call);
  if (callback === undefined) return UNKNOWN;
  const type = resolver.typeOf(file, callback);
  const results = type.values.map((value) =>
    value.kind === 'function'
      ? returnType(resolver, value.file, value.decl, value.self)
      : value.kind === 'callable'
        ? value.returns
        : UNKNOWN,
  );
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

function typeOfIndex(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const library = resolver.language(file).library;
  const base = resolver.typeOf(file, exprs.operandOf(expr));
  const [key = -1] = exprs.partsOf(expr);
  const named = key < 0 ? -1 : exprs.opOf(key) === E.string ? key : symbolNamed(summary, expr, key);
  const { targets, self } = named < 0 ? NOTHING_FOUND : resolver.resolve(file, named);
  if (self !== undefined && targets.length > 0)
    return unionOf(targets.map((target) => memberType(resolver, target.file, target.decl, self)));
  return unionOf(
    base.values
      .map((value): Type => {
        if (value.kind === 'class')
          return just({ ...value, args: [...exprs.partsOf(expr)].map((row) => instanceOf(resolver, file, row)) });
        if (value.kind === 'tuple') return unionOf(value.parts.concat(NOTHING));
        if (value.kind === 'external') {
          if (value.name === MADE_OF) return just(value);
          if (library.mappings.has(value.name) && value.args[1] !== undefined) return value.args[1];
          return value.args[0] ?? external('');
        }
        if (value.kind === 'instance')
          return operatorResult(resolver, value, 'index') ?? elementOfValue(resolver, library, value);
        return UNKNOWN;
      })
      .concat(base.unknown ? UNKNOWN : NOTHING),
  );
}

/** The row of the member that a key names if it is a symbol, `x[KEY]`; -1 for other keys. */
function symbolNamed({ exprs }: Summary, index: number, key: number): number {
  const name = exprs.opOf(key) === E.name ? `[${exprs.nameOf(key)}]` : '';
  if (name === '') return -1;
  return (
    exprs.wholesOf(exprs.operandOf(index)).find((row) => exprs.opOf(row) === E.member && exprs.nameOf(row) === name) ??
    -1
  );
}

function typeOfOperator(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const left = resolver.typeOf(file, exprs.operandOf(expr));
  const operator = exprs.nameOf(expr);
  if (operator === resolver.language(file).unitingOperator) {
    const right = resolver.typeOf(file, exprs.secondOf(expr));
    if ([...left.values, ...right.values].some((value) => value.kind === 'class')) return unionOf([left, right]);
  }
  const { basicTypes } = resolver.language(file);
  const results = left.values.map((value): Type => {
    if (value.kind === 'instance') return operatorResult(resolver, value, operator) ?? UNKNOWN;
    if (value.kind !== 'external') return UNKNOWN;
    if (basicTypes === undefined) return external(value.name, value.args);
    return operatedBy(resolver, basicTypes, value, { file, operator, right: exprs.secondOf(expr) });
  });
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

/** What an operator makes of a value of a library and what stands right of it. */
function operatedBy(
  resolver: Resolver,
  basics: BasicTypes,
  left: Value & { kind: 'external' },
  { file, operator, right }: { readonly file: string; readonly operator: string; readonly right: number },
): Type {
  const of = right < 0 ? undefined : resolver.typeOf(file, right);
  const [second, other] = of?.values ?? [];
  if (second?.kind === 'instance') {
    const result = operatorResult(resolver, second, operator);
    if (result !== undefined) return result;
  }
  const isKnown = of?.unknown === false && other === undefined && second?.kind === 'external';
  const name = operated(basics, operator, left.name, of === undefined ? '' : isKnown ? second.name : undefined);
  if (name === undefined) return UNKNOWN;
  return name === left.name ? external(name, left.args) : external(name);
}

function typeOfList(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const elements = [...summary.exprs.partsOf(expr)].map((element) => resolver.typeOf(file, element));
  const name = summary.exprs.nameOf(expr);
  if (name === 'tuple') return just({ kind: 'tuple', parts: elements });
  return external(name === 'set' ? 'set' : '[]', [unionOf(elements.concat(NOTHING))]);
}

function typeOfClosure(summary: Summary, file: string, decl: DeclRow): Type {
  const kind = summary.decls.kindOf(decl);
  if (isFunctionLike(kind)) return just({ kind: 'function', file, decl, self: undefined });
  // `return class Timed { … }` gives the class.
  return just({ kind: kind === D.class ? 'class' : 'instance', file, decl, args: [] });
}

function typeOfThis(resolver: Resolver, file: string, summary: Summary, scope: number): Type {
  const param = declaredThis(summary, scope);
  if (param >= 0) return resolver.typeOfDecl(file, param);
  const expected = expectedThis(resolver, file, summary, scope);
  if (expected !== undefined) return expected;
  const { decl, functionDecl } = enclosingClass(summary, scope, isClassLike, isFunctionLike);
  if (decl < 0) return UNKNOWN;
  const isStatic = functionDecl >= 0 && summary.decls.has(functionDecl, F.static | F.classMethod);
  return just(
    isStatic
      ? { kind: 'class', file, decl, args: [] }
      : { kind: 'instance', file, decl, args: ownArguments(resolver, { file, decl }) },
  );
}

/**
 * The parameter that declares what `this` is (TypeScript), of the function around that has a `this` of its own; -1 for
 * none.
 */
export function declaredThis(summary: Summary, scope: number): number {
  const name = summary.idOf('this');
  if (name < 0) return -1;
  const { scopes, decls } = summary;
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (owner < 0 || !isFunctionLike(decls.kindOf(owner))) continue;
    for (const decl of summary.decls.inScope(s, name))
      if (decls.kindOf(decl) === D.param && decls.typeOf(decl) >= 0) return decl;
    if (!decls.has(owner, F.lexicalThis)) return -1;
  }
  return -1;
}

/** What is behind the class around in the order of bases; with `super(A, self)` what is behind A. */
function typeOfSuper(resolver: Resolver, file: string, summary: Summary, expr: number): Type {
  const { exprs } = summary;
  const { decl, functionDecl } = enclosingClass(summary, exprs.scopeOf(expr), isClassLike, isFunctionLike);
  if (decl < 0) return UNKNOWN;
  const isStatic = functionDecl >= 0 && summary.decls.has(functionDecl, F.static | F.classMethod);
  const written = exprs.operandOf(expr);
  const named = written < 0 ? undefined : resolver.typeOf(file, written).values.find((value) => value.kind === 'class');
  return just({ kind: 'super', file: named?.file ?? file, decl: named?.decl ?? decl, isStatic });
}
