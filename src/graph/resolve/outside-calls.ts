/**
 * What a call of something from outside gives.
 *
 * A standard library's generic functions pass types through by their declared signatures, which a
 * language lists (`LibraryTypes.calls`). Of any other call nobody knows what comes out, but what the
 * repository gave may well be in it: such a value is *made of* its arguments, and members that these
 * have are possible on it, never certain and never nothing.
 */
import type { CallPattern, GivenType, LibraryTypes, Step, TakenType } from '../../languages/library-calls.js';
import { E, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { argsOf, awaited, elementOf, madeOf } from './containers.js';
import { returnType } from './declaration-types.js';
import type { Resolver } from './resolver.js';
import { external, just, MADE_OF, NOTHING, UNKNOWN, unionOf, type Type, type Value } from './value.js';
import { instanceOf } from './written-types.js';

/** By the language's list; undefined where that does not have it. */
export function listedCall(
  resolver: Resolver,
  file: string,
  summary: Summary,
  call: number,
  callee: number,
): Type | undefined {
  const { library } = resolver.language(file);
  const { exprs } = summary;
  const listed = patternOf(resolver, file, summary, call, callee);
  if (listed === undefined) return undefined;
  const { pattern, bound } = listed;
  const put = (letter: string, type: Type): void => {
    const known = bound.get(letter);
    bound.set(letter, known === undefined ? type : unionOf([known, type]));
  };
  const isWritten = exprs.typeArgumentsOf(call).length > 0;
  exprs.argumentsOf(call).forEach(({ expr }, i) => {
    const taken = takenAt(pattern, i);
    if (taken === undefined || taken.letter === '_' || (isWritten && pattern.letters.includes(taken.letter))) return;
    // What is put into a receiver says nothing of what it holds.
    if (pattern.on === 'any' && HELD.includes(taken.letter) && taken.steps.length === 0) return;
    let type = resolver.typeOf(file, expr);
    // A member takes functions alone: of one from outside nothing says what it gives.
    if (pattern.on !== '' && taken.steps[0] === 'result') type = ofFunctions(type);
    for (const step of taken.steps) type = STEPS[step](resolver, library, type);
    put(taken.letter, type);
  });
  return made(library, pattern.gives, bound);
}

function ofFunctions({ values, unknown }: Type): Type {
  const functions = values.filter(({ kind }) => kind === 'function' || kind === 'callable');
  return { values: functions, unknown: unknown || functions.length < values.length };
}

/**
 * What such a function wants for an argument, by what its receiver holds, by the call's written type arguments, or as
 * the parameter of a function that it is given as well: `createElement(Box, { … })`.
 */
export function wantedByListed(
  resolver: Resolver,
  file: string,
  summary: Summary,
  call: number,
  index: number,
): Type | undefined {
  const callee = summary.exprs.calleeOf(call);
  const listed = callee < 0 ? undefined : patternOf(resolver, file, summary, call, callee);
  const taken = listed === undefined ? undefined : takenAt(listed.pattern, index);
  if (taken === undefined || taken.steps.some((step) => !STANDS_FOR_ITSELF.has(step))) return undefined;
  // A value may stand where a function that gives it does.
  return taken.steps.includes('result') && isFunction(summary, summary.exprs.argumentsOf(call)[index]?.expr ?? -1)
    ? undefined
    : (listed?.bound.get(taken.letter) ?? takenByFunction(resolver, file, summary, call, taken.letter, listed));
}

/** What such a function wants for an argument, by what its result has to be: `List<F> all = List.of(x => …)`. */
export function wantedByResult(
  resolver: Resolver,
  file: string,
  summary: Summary,
  { call, index }: { readonly call: number; readonly index: number },
  expected: Type,
): Type | undefined {
  const callee = summary.exprs.calleeOf(call);
  const pattern = callee < 0 ? undefined : patternOf(resolver, file, summary, call, callee)?.pattern;
  const taken = pattern === undefined ? undefined : takenAt(pattern, index);
  if (pattern === undefined || taken === undefined || taken.steps.some((step) => step !== 'awaited')) return undefined;
  if (pattern.gives.kind === 'letter') return pattern.gives.name === taken.letter ? expected : undefined;
  if (pattern.gives.kind === 'tuple') return undefined;
  const { parts } = pattern.gives;
  const place = parts.findIndex((part) => part.kind === 'letter' && part.name === taken.letter);
  const types = expected.values.flatMap((value) => {
    const args = argsOf(value);
    return args.length === parts.length && args[place] !== undefined ? [args[place]] : [];
  });
  return types.length === 0 ? undefined : unionOf(types);
}

/** A value may be given where a function that gives it, or what it is awaited of, may. */
const STANDS_FOR_ITSELF: ReadonlySet<Step> = new Set(['result', 'awaited']);

function takenByFunction(
  resolver: Resolver,
  file: string,
  { exprs }: Summary,
  call: number,
  letter: string,
  listed: { readonly pattern: CallPattern } | undefined,
): Type | undefined {
  const index = listed?.pattern.takes.findIndex(
    (taken) => taken.letter === letter && taken.steps.length === 1 && taken.steps[0] === 'parameter',
  );
  const given = index === undefined || index < 0 ? undefined : exprs.argumentsOf(call)[index];
  return given === undefined || given.spread !== 'none' || given.expr < 0
    ? undefined
    : firstParameters(resolver, resolver.typeOf(file, given.expr));
}

const isFunction = ({ exprs, decls }: Summary, row: number): boolean =>
  row >= 0 && exprs.opOf(row) === E.closure && isFunctionLike(decls.kindOf(exprs.closureOf(row)));

/** Letters of the lists that stand for what a receiver holds: its elements, a mapping's values, its last argument. */
const HELD = ['E', 'M', 'L'];

/** The function of the list, with what the letters are that a call's receiver or type arguments say. */
function patternOf(
  resolver: Resolver,
  file: string,
  { exprs }: Summary,
  call: number,
  callee: number,
): { readonly pattern: CallPattern; readonly bound: Map<string, Type> } | undefined {
  const { library } = resolver.language(file);
  const patterns = library.calls.get(exprs.nameOf(callee));
  if (patterns === undefined) return undefined;
  const isMember = exprs.opOf(callee) === E.member;
  const receiver = isMember ? resolver.typeOf(file, exprs.operandOf(callee)) : undefined;
  if (isMember ? !isOutside(receiver) : resolver.resolve(file, callee).targets.length > 0) return undefined;
  const on = isMember ? exprs.nameOf(exprs.operandOf(callee)) : '';
  const passed = exprs.argumentsOf(call).length;
  const pattern = patterns.find((one) => mayMean(one, on, receiver, passed));
  if (pattern === undefined) return undefined;
  const bound = new Map<string, Type>();
  if (receiver !== undefined) {
    bound.set('E', elementOf(resolver, library, receiver));
    bound.set('M', valuesOf(library, receiver));
    bound.set('L', unionOf(receiver.values.flatMap((value) => argsOf(value).at(-1) ?? [])));
  }
  const written = exprs.typeArgumentsOf(call);
  pattern.letters.forEach((letter, i) => {
    const row = written[i];
    if (row !== undefined) bound.set(letter, instanceOf(resolver, file, row));
  });
  return { pattern, bound };
}

function takenAt({ takes }: CallPattern, index: number): TakenType | undefined {
  const taken = takes[Math.min(index, takes.length - 1)];
  return taken !== undefined && (index < takes.length || taken.isRest) ? taken : undefined;
}

/** How a parameter's letter is got out of what is passed for it. */
const STEPS = {
  element: elementOf,
  result: (resolver: Resolver, _library: LibraryTypes, type: Type): Type => resultsOf(resolver, type),
  awaited,
  parameter: (resolver: Resolver, _library: LibraryTypes, type: Type): Type => firstParameters(resolver, type),
  value: (_resolver: Resolver, library: LibraryTypes, type: Type): Type => valuesOf(library, type),
} as const;

function mayMean(pattern: CallPattern, on: string, receiver: Type | undefined, passed: number): boolean {
  if (passed < pattern.takes.filter((taken) => !taken.isRest && !taken.isOptional).length) return false;
  if (pattern.on === 'any') return receiver !== undefined && receiver.values.some((value) => argsOf(value).length > 0);
  if (pattern.on === '') return receiver === undefined || isNamespaceName(on);
  return pattern.on === on || receiver?.values.some((value) => isOf(value, pattern.on)) === true;
}

/** Whether a value is one of a library's type of the name, without type arguments. */
const isOf = (value: Value, name: string): boolean => value.kind === 'external' && value.name === name;

/** `React.useState`: a bare function of the list, through the name of its module. */
const isNamespaceName = (on: string): boolean => on !== '';

const isOutside = (type: Type | undefined): boolean =>
  type !== undefined &&
  type.values.every((value) => value.kind === 'external' || value.kind === 'tuple') &&
  (type.values.length > 0 || type.unknown);

function made(library: LibraryTypes, gives: GivenType, bound: ReadonlyMap<string, Type>): Type {
  switch (gives.kind) {
    case 'letter':
      return bound.get(gives.name) ?? UNKNOWN;
    case 'tuple':
      return just({ kind: 'tuple', parts: gives.parts.map((part) => made(library, part, bound)) });
    case 'type':
      return external(
        gives.name,
        gives.parts.map((part) => made(library, part, bound)),
      );
  }
}

/** What functions take first; of a type from outside, its first argument: `FC<Props>`. */
export function firstParameters(resolver: Resolver, type: Type): Type {
  const types = type.values.map((value): Type => {
    if (value.kind === 'external') return value.args[0] ?? UNKNOWN;
    if (value.kind !== 'function') return UNKNOWN;
    const [first] = resolver.summary(value.file).decls.paramsOf(value.decl);
    return first === undefined ? UNKNOWN : resolver.typeOfDecl(value.file, first);
  });
  return types.length === 0 ? UNKNOWN : unionOf(types);
}

function resultsOf(resolver: Resolver, type: Type): Type {
  const results = type.values.map((value): Type =>
    value.kind === 'function'
      ? returnType(resolver, value.file, value.decl, value.self)
      : value.kind === 'callable'
        ? value.returns
        : just(value),
  );
  return results.length === 0 ? UNKNOWN : unionOf(results);
}

function valuesOf(library: LibraryTypes, type: Type): Type {
  const held = type.values.flatMap((value): Type[] => {
    if (value.kind !== 'external') return [];
    const [first, second] = value.args;
    if (library.mappings.has(value.name)) return second === undefined ? [] : [second];
    return first === undefined ? [] : [first];
  });
  return held.length === 0 ? UNKNOWN : unionOf(held);
}

/**
 * What a call of something from outside that no list has gives: made of what is passed, functions by their results, and
 * of the receiver's type arguments.
 */
export function unlistedCall(
  resolver: Resolver,
  file: string,
  summary: Summary,
  call: number,
  callee: Value & { kind: 'external' },
): Type {
  const { exprs } = summary;
  const passed = exprs.argumentsOf(call).map(({ expr }) => resultsOf(resolver, resolver.typeOf(file, expr)));
  const written = exprs.typeArgumentsOf(call).map((row) => instanceOf(resolver, file, row));
  return madeOf([...written, ...callee.args, ...passed], callee.name);
}

/** What a function that is passed to such a call may be given: all else that is passed, and what the receiver holds. */
export function givenBesides(resolver: Resolver, file: string, summary: Summary, call: number, index: number): Type {
  const { exprs } = summary;
  const callee = exprs.calleeOf(call);
  const type = callee < 0 ? UNKNOWN : resolver.typeOf(file, callee);
  if (type.values.length === 0 || type.values.some((value) => value.kind !== 'external')) return NOTHING;
  const others = exprs
    .argumentsOf(call)
    .filter(({ expr }, i) => i !== index && exprs.opOf(expr) !== E.closure)
    .map(({ expr }) => resolver.typeOf(file, expr));
  const made = madeOf([...type.values.flatMap(argsOf), ...others]);
  return made.values.some((value) => value.kind === 'external' && value.name === MADE_OF) ? made : NOTHING;
}
