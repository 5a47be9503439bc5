/**
 * What comes out of values that hold others: elements of sequences and tuples, values of mappings,
 * what is awaited or entered, and members of library types.
 *
 * Which names are containers is the language's table; an object of the repository is one through
 * its special members or a base from outside.
 */
import type { LibraryTypes } from '../../languages/language.js';
import { D, F, isFunctionLike } from '../../syntax/summary.js';
import { anyOf, isEnumeration, returnType } from './declaration-types.js';
import { typeOfMemberOf } from './expression-types.js';
import { findMember, outsideBases, type Bases } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import { external, just, MADE_OF, NOTHING, unionOf, UNKNOWN, type Type, type Value } from './value.js';

/** A wrapper (`Optional[A]`) passes members that are not its own on to what it wraps. */
export function wrapped(
  resolver: Resolver,
  file: string,
  library: LibraryTypes,
  receiver: Value & { kind: 'external' },
  name: string,
): Type | undefined {
  const inner = receiver.args[0];
  if (inner === undefined || !library.wrappers.has(receiver.name)) return undefined;
  if (library.elementMembers.has(name) || library.sameMembers.has(name) || library.callbackMembers.has(name))
    return undefined;
  const found = inner.values.map((value) => typeOfMemberOf(resolver, file, value, name));
  return found.length === 0 ? undefined : unionOf(found);
}

/** What a repository class is to the library: its first base from outside. */
export function outsideValue(
  resolver: Resolver,
  object: { readonly file: string; readonly decl: number; readonly args?: readonly Type[] },
): Value & { kind: 'external' } {
  const [base] = outsideBases(resolver, { args: [], ...object });
  return { kind: 'external', name: base?.name ?? '', args: base?.args ?? [] };
}

/** A property of a library value that gives one of its elements (`task.Result`); else something from outside. */
export function libraryMember(library: LibraryTypes, receiver: Value & { kind: 'external' }, name: string): Type {
  const first = receiver.args[0];
  if (first !== undefined && library.elementMembers.has(name) && !library.mappings.has(receiver.name)) return first;
  const second = receiver.args[1];
  if (second !== undefined && library.mappings.has(receiver.name)) {
    if (library.valueViews.has(name)) return external(anyOf(library.sequences), [second]);
    if (library.keyViews.has(name) && first !== undefined) return external(anyOf(library.sequences), [first]);
    if (library.elementMembers.has(name)) return second;
  }
  // What it is nobody knows here, but it may well be made of the arguments (`Mock<A>.Object`).
  return external('', receiver.args);
}

/** How deep in type arguments a type of the repository is looked for, and how many are kept. */
const DEPTH_MOST = 3;
const TYPES_MOST = 8;

/** A value that is made of these types in a way that is not known; from outside, where none is of the repository. */
export function madeOf(types: readonly Type[], name = ''): Type {
  const own: Type[] = [];
  for (const type of types) collectOwn(type, 0, own);
  return own.length === 0 ? external(name) : external(MADE_OF, [unionOf(own.slice(0, TYPES_MOST))]);
}

function collectOwn(type: Type, depth: number, out: Type[]): void {
  for (const value of type.values) {
    if (value.kind === 'instance') out.push(just(value));
    else if (depth < DEPTH_MOST) for (const arg of argsOf(value)) collectOwn(arg, depth + 1, out);
  }
}

export const argsOf = (value: Value): readonly Type[] =>
  value.kind === 'external' ? value.args : value.kind === 'tuple' ? value.parts : [];

/** `Item1` of a tuple, the key or value of a pair; by any other name one of the parts. */
export function memberOfTuple(library: LibraryTypes, parts: readonly Type[], name: string): Type {
  const [, index] = /^Item([1-9])$/.exec(name) ?? [];
  if (index !== undefined) return parts[Number(index) - 1] ?? UNKNOWN;
  if (parts.length === 2 && library.pairs.size > 0) {
    if (library.pairValues.has(name)) return parts[1] ?? UNKNOWN;
    if (library.pairKeys.has(name)) return parts[0] ?? UNKNOWN;
  }
  return madeOf(parts);
}

export const operatorResult = (
  resolver: Resolver,
  value: Value & { kind: 'instance' },
  operator: string,
): Type | undefined => resultOfFirst(resolver, value, resolver.language(value.file).operatorMembers[operator] ?? []);

/** Whether a library's type of that name holds elements in order, or a set of them. */
export const isSequence = (library: LibraryTypes, name: string): boolean =>
  name === '[]' || name === 'set' || name === 'list' || library.sequences.has(name);

/** What iteration over a value gives. */
export function elementOf(resolver: Resolver, library: LibraryTypes, type: Type): Type {
  if (type.values.length === 0) return UNKNOWN;
  return unionOf(
    type.values.map((value) => elementOfValue(resolver, library, value)).concat(type.unknown ? UNKNOWN : NOTHING),
  );
}

export function elementOfValue(resolver: Resolver, library: LibraryTypes, value: Value): Type {
  switch (value.kind) {
    case 'tuple':
      return unionOf(value.parts.concat(NOTHING));
    case 'external': {
      if (value.name === MADE_OF) return just(value);
      if (library.wrappers.has(value.name) && value.args[0] !== undefined)
        return elementOf(resolver, library, value.args[0]);
      const [first, second] = value.args;
      if (library.mappings.has(value.name) && library.iteratesPairs && first !== undefined && second !== undefined)
        return just({ kind: 'tuple', parts: [first, second] });
      return first ?? (value.name === 'str' ? external('str') : external(''));
    }
    case 'instance': {
      const iterated = iteratorOf(resolver, value);
      if (iterated !== undefined) {
        const inner = iterated.values.map((v) =>
          v.kind === 'external'
            ? (v.args[0] ?? UNKNOWN)
            : v.kind === 'instance'
              ? (nextOf(resolver, v) ?? (v.decl === value.decl ? UNKNOWN : elementOfValue(resolver, library, v)))
              : UNKNOWN,
        );
        return inner.length === 0 ? UNKNOWN : unionOf(inner);
      }
      const next = nextOf(resolver, value);
      if (next !== undefined) return next;
      for (const base of outsideBases(resolver, value))
        if (isSequence(library, base.name) && base.args[0] !== undefined) return base.args[0];
      return UNKNOWN;
    }
    case 'class': {
      const summary = resolver.summary(value.file);
      const kind = summary.decls.kindOf(value.decl);
      return kind === D.enum || isEnumeration(resolver, value.file, value.decl)
        ? just({ ...value, kind: 'instance' })
        : UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

/** What its iteration starts with. */
function iteratorOf(resolver: Resolver, value: Value & { kind: 'instance' }): Type | undefined {
  const { operatorMembers, iteratorSteps } = resolver.language(value.file);
  const starts = ['for', 'async for'].flatMap((operator) => operatorMembers[operator] ?? []);
  return resultOfFirst(
    resolver,
    value,
    starts.filter((name) => !iteratorSteps.includes(name)),
  );
}

/** What an iterator of the repository's own gives, one at a time. */
const nextOf = (resolver: Resolver, value: Value & { kind: 'instance' }): Type | undefined =>
  resultOfFirst(resolver, value, resolver.language(value.file).iteratorSteps);

/** What the first of these members gives that the object has. */
function resultOfFirst(
  resolver: Resolver,
  value: Value & { kind: 'instance' },
  members: readonly string[],
): Type | undefined {
  for (const member of members) {
    const { found } = findMember(resolver, value, member);
    if (found.length > 0) return unionOf(found.map((target) => returnType(resolver, target.file, target.decl, value)));
  }
  return undefined;
}

export function partOf(resolver: Resolver, library: LibraryTypes, type: Type, index: number): Type {
  if (type.values.length === 0) return UNKNOWN;
  return unionOf(
    type.values
      .map((value): Type => {
        if (value.kind === 'tuple') return value.parts[index] ?? UNKNOWN;
        if (value.kind === 'external' && library.pairs.has(value.name)) return value.args[index] ?? UNKNOWN;
        if (value.kind === 'instance') {
          const component = resolver.summary(value.file).decls.paramsOf(value.decl)[index];
          return component === undefined
            ? elementOfValue(resolver, library, value)
            : resolver.typeOfDecl(value.file, component);
        }
        return elementOfValue(resolver, library, value);
      })
      .concat(type.unknown ? UNKNOWN : NOTHING),
  );
}

/** What waiting for a value gives: what a wrapper of the library holds, or a class here that is one; else the value. */
export function awaited(resolver: Resolver, library: LibraryTypes, type: Type): Type {
  return unionOf(
    type.values
      .map((value): Type => {
        if (value.kind === 'external') return heldBy(library, value) ?? just(value);
        if (value.kind !== 'instance') return just(value);
        for (const base of outsideBases(resolver, value)) {
          const held = heldBy(library, base);
          if (held !== undefined) return held;
        }
        const generator = operatorResult(resolver, value, 'await');
        return generator === undefined ? just(value) : returnOf(generator);
      })
      .concat(type.unknown ? UNKNOWN : NOTHING),
  );
}

function heldBy(library: LibraryTypes, { name, args }: Bases['external'][number]): Type | undefined {
  return library.wrappers.has(name) ? args[args.length - 1] : undefined;
}

/** What a generator returns in the end: the last of `Generator[gives, is sent, returns]`. */
const returnOf = (generator: Type): Type =>
  unionOf([
    ...generator.values.map((value) => (value.kind === 'external' ? (value.args[2] ?? UNKNOWN) : UNKNOWN)),
    generator.unknown || generator.values.length === 0 ? UNKNOWN : NOTHING,
  ]);

/** What `with x as y` binds. */
export function entered(resolver: Resolver, type: Type): Type {
  if (type.values.length === 0) return UNKNOWN;
  return unionOf(
    type.values
      .map((value): Type => {
        if (value.kind === 'external')
          return value.name === MADE_OF ? just(value) : (value.args[0] ?? external(value.name));
        if (value.kind !== 'instance') return just(value);
        const result = operatorResult(resolver, value, 'with') ?? operatorResult(resolver, value, 'async with');
        return result === undefined
          ? just(value)
          : result.values.length === 0 && !result.unknown
            ? just(value)
            : result;
      })
      .concat(type.unknown ? UNKNOWN : NOTHING),
  );
}

/** The abstract method that a lambda given for this interface implements: its only member without a body. */
export function functionalMethod(
  resolver: Resolver,
  value: Value & { kind: 'instance' },
): { file: string; decl: number } | undefined {
  const candidates: { file: string; decl: number }[] = [];
  for (const part of resolver.bodies(value)) {
    const summary = resolver.summary(part.file);
    for (const d of summary.decls.allInScope(summary.decls.innerOf(part.decl))) {
      if (isFunctionLike(summary.decls.kindOf(d)) && summary.decls.has(d, F.bodiless))
        candidates.push({ file: part.file, decl: d });
    }
  }
  return candidates.length > 0 ? candidates[0] : undefined;
}
