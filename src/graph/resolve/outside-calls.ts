/**
 * What a call of something from outside gives.
 *
 * A standard library's generic functions pass types through by their declared signatures, which a
 * language lists (`LibraryTypes.calls`). Of any other call nobody knows what comes out, but what the
 * repository gave may well be in it: such a value is *made of* its arguments, and members that these
 * have are possible on it, never certain and never nothing.
 */
import type { CallPattern, GivenType, LibraryTypes } from '../../languages/library-calls.js';
import { E, type Summary } from '../../syntax/summary.js';
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
  const name = exprs.nameOf(callee);
  const patterns = library.calls.get(name);
  if (patterns === undefined) return undefined;
  const isMember = exprs.opOf(callee) === E.member;
  const receiver = isMember ? resolver.typeOf(file, exprs.operandOf(callee)) : undefined;
  if (isMember ? !isOutside(receiver) : resolver.resolve(file, callee).targets.length > 0) return undefined;
  const on = isMember ? exprs.nameOf(exprs.operandOf(callee)) : '';
  const passed = exprs.argumentsOf(call).map((argument) => argument.expr);
  const pattern = patterns.find((one) => mayMean(one, on, receiver, passed.length));
  if (pattern === undefined) return undefined;
  const bound = new Map<string, Type>();
  if (receiver !== undefined) bound.set('E', elementOf(resolver, library, receiver));
  const put = (letter: string, type: Type): void => {
    const known = bound.get(letter);
    bound.set(letter, known === undefined ? type : unionOf([known, type]));
  };
  const written = exprs.typeArgumentsOf(call);
  pattern.letters.forEach((letter, i) => {
    const row = written[i];
    if (row !== undefined) put(letter, instanceOf(resolver, file, row));
  });
  const isWritten = written.length > 0;
  passed.forEach((argument, i) => {
    const taken = pattern.takes[Math.min(i, pattern.takes.length - 1)];
    if (taken === undefined || taken.letter === '_' || (isWritten && pattern.letters.includes(taken.letter))) return;
    if (i >= pattern.takes.length && !taken.isRest) return;
    let type = resolver.typeOf(file, argument);
    for (const step of taken.steps) type = STEPS[step](resolver, library, type);
    put(taken.letter, type);
  });
  return made(library, pattern.gives, bound);
}

/** How a parameter's letter is got out of what is passed for it. */
const STEPS = {
  element: elementOf,
  result: (resolver: Resolver, _library: LibraryTypes, type: Type): Type => resultsOf(resolver, type),
  awaited: (_resolver: Resolver, library: LibraryTypes, type: Type): Type => awaited(library, type),
  parameter: (resolver: Resolver, _library: LibraryTypes, type: Type): Type => firstParameters(resolver, type),
  value: (_resolver: Resolver, library: LibraryTypes, type: Type): Type => valuesOf(library, type),
} as const;

function mayMean(pattern: CallPattern, on: string, receiver: Type | undefined, passed: number): boolean {
  if (passed < pattern.takes.filter((taken) => !taken.isRest && !taken.isOptional).length) return false;
  if (pattern.on === 'any') return receiver !== undefined && receiver.values.some((value) => argsOf(value).length > 0);
  return pattern.on === '' ? receiver === undefined || isNamespaceName(on) : pattern.on === on;
}

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

/** The types of what functions take first; of what is from outside, its first type argument. */
function firstParameters(resolver: Resolver, type: Type): Type {
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
