/**
 * Types of a lambda's parameters, from where the lambda stands: passed to a container's member
 * that calls it with an element, given where a function type or a functional interface is
 * declared, or assigned to something with such a type.
 */
import { E, isFunctionLike, listAt, type Summary } from '../syntax/summary.js';
import { findMember } from './hierarchy.js';
import { functionalMethod, instanceOf, bindingsOf, elementOf } from './infer.js';
import { fittingCalls } from './overloads.js';
import type { Resolver } from './resolver.js';
import { just, UNKNOWN, unionOf, NOTHING, type Type, type Value } from './value.js';

/** Where a lambda stands. */
type Place = { readonly call: number; readonly argument: number } | { readonly declaration: number };

const placesMemo = new WeakMap<Summary, ReadonlyMap<number, Place>>();

/** For each lambda declaration of a file that is an argument or an initial value: where. */
function placesOf(summary: Summary): ReadonlyMap<number, Place> {
  const known = placesMemo.get(summary);
  if (known !== undefined) return known;
  const places = new Map<number, Place>();
  const { exprs, decls, items } = summary;
  const closureOf = (expr: number): number => (expr >= 0 && exprs.op[expr] === E.closure ? (exprs.a[expr] as number) : -1);
  for (let call = 0; call < exprs.count; call++) {
    const op = exprs.op[call];
    const at = exprs.b[call] as number;
    if ((op !== E.call && op !== E.new) || at < 0) continue;
    const count = items[at] as number;
    for (let i = 0; i < count; i++) {
      const lambda = closureOf(items[at + 1 + i * 3] as number);
      if (lambda >= 0) places.set(lambda, { call, argument: i });
    }
  }
  for (let declaration = 0; declaration < decls.count; declaration++) {
    const lambda = closureOf(decls.value[declaration] as number);
    if (lambda >= 0) places.set(lambda, { declaration });
  }
  placesMemo.set(summary, places);
  return places;
}

/** Type of a lambda's parameter by context, or undefined when the context says nothing. */
export function lambdaParamType(resolver: Resolver, file: string, lambda: number, param: number): Type | undefined {
  const summary = resolver.summary(file);
  const place = placesOf(summary).get(lambda);
  if (place === undefined) return undefined;
  const index = listAt(summary, summary.decls.params[lambda] as number).indexOf(param);
  if (index < 0) return undefined;
  if ('declaration' in place) {
    const type = summary.decls.type[place.declaration] as number;
    return type < 0 ? undefined : paramOfExpected(resolver, file, type, index, undefined);
  }
  return elementPassed(resolver, file, summary, place.call, index) ?? paramOfCallee(resolver, file, place, index) ?? argumentOfReceiver(resolver, file, summary, place.call, index);
}

/** `mock.Setup(x => …)` on a `Mock<A>` from outside: what a generic of one argument hands to a function is most often that argument. */
function argumentOfReceiver(resolver: Resolver, file: string, summary: Summary, call: number, index: number): Type | undefined {
  const callee = summary.exprs.a[call] as number;
  if (index !== 0 || callee < 0 || summary.exprs.op[callee] !== E.member) return undefined;
  const types = resolver.typeOf(file, summary.exprs.a[callee] as number).values.flatMap((value) => (value.kind === 'external' && value.args.length === 1 ? [value.args[0] as Type] : []));
  return types.length === 0 ? undefined : { values: unionOf(types).values, unknown: true };
}

/** `xs.map(x => …)`: x is an element of xs, by the language's table. */
function elementPassed(resolver: Resolver, file: string, summary: Summary, call: number, index: number): Type | undefined {
  const { exprs } = summary;
  const callee = exprs.a[call] as number;
  if (callee < 0 || exprs.op[callee] !== E.member) return undefined;
  const library = resolver.language(file).library;
  const name = summary.names[exprs.name[callee] as number] as string;
  if (!library.callbackMembers.has(name) && !library.elementMembers.has(name) && !library.sameMembers.has(name)) return undefined;
  const receiver = resolver.typeOf(file, exprs.a[callee] as number);
  const outside = receiver.values.filter((value) => value.kind === 'external' || value.kind === 'tuple' || (value.kind === 'instance' && findMember(resolver, value, name).outside));
  if (outside.length === 0) return undefined;
  const types = outside.map((value): Type => {
    if (value.kind === 'external' && library.mappings.has(value.name) && value.args.length > 1) return (library.iteratesPairs ? value.args[1 - index] : value.args[index]) ?? UNKNOWN;
    return index === 0 ? elementOf(resolver, library, just(value)) : UNKNOWN;
  });
  return unionOf(types);
}

function paramOfCallee(resolver: Resolver, file: string, place: { readonly call: number; readonly argument: number }, index: number): Type | undefined {
  const summary = resolver.summary(file);
  const callee = summary.exprs.a[place.call] as number;
  const isNew = summary.exprs.op[place.call] === E.new;
  const functions = isNew ? fittingCalls.constructors(resolver, file, place.call) : resolver.typeOf(file, callee).values.filter((value) => value.kind === 'function');
  const types: Type[] = [];
  for (const target of fittingCalls.among(resolver, functions, { file, expr: place.call })) {
    const of = resolver.summary(target.file);
    for (const { param, index: at } of fittingCalls.pair(resolver, target, { file, expr: place.call })) {
      if (at !== place.argument) continue;
      const type = of.decls.type[param] as number;
      const found = type < 0 ? undefined : paramOfExpected(resolver, target.file, type, index, target.self, target.decl);
      if (found !== undefined) types.push(found);
    }
  }
  return types.length === 0 ? undefined : unionOf(types);
}

/** Parameter `index` of the function that a type expression describes. */
function paramOfExpected(resolver: Resolver, file: string, type: number, index: number, self: Value | undefined, member = -1): Type | undefined {
  const summary = resolver.summary(file);
  const bindings = member >= 0 ? bindingsOf(resolver, self, file, member) : [];
  if (summary.exprs.op[type] === E.functionType) {
    const param = listAt(summary, summary.exprs.b[type] as number)[index];
    return param === undefined ? undefined : instanceOf(resolver, file, param, bindings);
  }
  const types: Type[] = [];
  for (const value of instanceOf(resolver, file, type, bindings).values) {
    if (value.kind === 'external' && value.args[index] !== undefined) types.push(value.args[index]);
    if (value.kind !== 'instance') continue;
    const of = resolver.summary(value.file);
    const target = listAt(of, of.decls.params[value.decl] as number).length > 0 && !isFunctionLike(of.decls.kind[value.decl] as number) ? value : functionalMethod(resolver, value);
    if (target === undefined) continue;
    const targetSummary = resolver.summary(target.file);
    const param = listAt(targetSummary, targetSummary.decls.params[target.decl] as number)[index];
    const paramType = param === undefined ? -1 : (targetSummary.decls.type[param] as number);
    if (paramType >= 0) types.push(instanceOf(resolver, target.file, paramType, bindingsOf(resolver, value, target.file, target.decl)));
  }
  return types.length === 0 ? undefined : unionOf(types.concat(NOTHING));
}
