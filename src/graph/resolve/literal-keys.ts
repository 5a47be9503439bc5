/**
 * What a key of an object literal names: the member of that name of whatever the literal's place
 * expects. Of a union, only sides that the literal could be: they have all of its keys, and want
 * none that it lacks. Where several are left, which one is meant depends on the values.
 */
import type { DeclRef, LibraryTypes } from '../../languages/language.js';
import { D, E, F, isFieldLike, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { expectedType } from './expected.js';
import { findMember, isAskedOf, outsideBases, searchOrder } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import { asksFor, type Part, type Type, type Value } from './value.js';

/**
 * The sides that the literal at a closure row may be, or may be meant to be where it lacks something of each; undefined
 * where the place declares nothing.
 */
export function expectedOfLiteral(resolver: Resolver, file: string, closure: number): Type | undefined {
  return resolver.answer<Type | undefined>('expected of literal', file, closure, undefined, () => {
    const any = expectedType(resolver, file, closure);
    if (any === undefined || any.values.length < 2) return any;
    const { library } = resolver.language(file);
    const expected = { ...any, values: any.values.filter((value) => isOfMembers(library, value)) };
    if (expected.values.length < 2) return expected;
    const summary = resolver.summary(file);
    const literal = summary.exprs.closureOf(closure);
    const members = membersOfLiteral(summary, literal);
    const keys = new Set(members.map((decl) => summary.decls.nameOf(decl)));
    // Where nothing is spread into the literal, its keys are all that it has.
    const isWhole = summary.decls.basesOf(literal).length === 0;
    const meant = expected.values.filter(
      (value) => value.kind !== 'instance' || members.every((member) => mayBeOf(resolver, summary, member, value)),
    );
    const whole = meant.filter(
      (value) => value.kind !== 'instance' || !isWhole || wantedBeside(resolver, value, keys).length === 0,
    );
    return { ...expected, values: whole.some(({ kind }) => kind === 'instance') ? whole : meant };
  });
}

const SCALARS: ReadonlySet<string> = new Set(['str', 'int', 'float', 'bool', 'bytes', 'null']);

/** Whether a literal with keys can be it: no text, number, list or function is. */
export function isOfMembers({ sequences }: LibraryTypes, value: Value): boolean {
  if (value.kind === 'external') return !SCALARS.has(value.name) && !sequences.has(value.name);
  return value.kind !== 'function' && value.kind !== 'callable' && value.kind !== 'tuple';
}

/** Whether the type has a member of the key's name, which is not another string than the key holds. */
function mayBeOf(resolver: Resolver, summary: Summary, key: number, type: DeclRef): boolean {
  const { found, outside } = findMember(resolver, type, summary.decls.nameOf(key));
  const [member] = found;
  if (member === undefined) return outside;
  const said = stringAt(summary, summary.decls.valueOf(key));
  const of = resolver.summary(member.file);
  const wanted = stringAt(of, of.decls.typeOf(member.decl));
  return said === undefined || wanted === undefined || said === wanted;
}

const stringAt = ({ exprs }: Summary, row: number): string | undefined =>
  row >= 0 && exprs.opOf(row) === E.string ? exprs.nameOf(row) : undefined;

/** Names of the members that the type, or part of one, asks for and that are not among the keys. */
export function wantedBeside(
  resolver: Resolver,
  type: DeclRef & Part,
  keys: Pick<ReadonlySet<string>, 'has'>,
): readonly string[] {
  return searchOrder(resolver, type).flatMap((above) => {
    const of = resolver.summary(above.file);
    return membersOfLiteral(of, above.decl)
      .filter((member) => !of.decls.has(member, F.optional) && !keys.has(of.decls.nameOf(member)))
      .map((member) => of.decls.nameOf(member))
      .filter((name) => asksFor(type, name) && isAskedOf(resolver, type, above, name));
  });
}

/**
 * Names of the members that the literal at a closure row must have where it stands, and lacks; none where that cannot
 * be told. Perhaps it need not, where something from outside is expected as well.
 */
export function lackedByLiteral(resolver: Resolver, file: string, closure: number): readonly string[] {
  const sides = expectedOfLiteral(resolver, file, closure)?.values ?? [];
  return lackedBeside(resolver, file, closure, sides) ?? [];
}

/**
 * The same for the object of a literal that stands elsewhere than where it is given. `sides`: what is expected there.
 * Undefined where not all of its keys are known.
 */
export function lackedByObject(
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  sides: readonly Value[],
): readonly string[] | undefined {
  const { library } = resolver.language(file);
  const ofMembers = sides.filter((side) => isOfMembers(library, side));
  return lackedBeside(resolver, file, expr, ofMembers);
}

function lackedBeside(
  resolver: Resolver,
  file: string,
  closure: number,
  sides: readonly Value[],
): readonly string[] | undefined {
  const keys = keysWithSpread(resolver, file, closure);
  if (keys === undefined) return undefined;
  const { mappings } = resolver.language(file).library;
  const lacked = sides
    .filter((side) => side.kind !== 'external' || mappings.has(side.name))
    .map((side) => (side.kind === 'instance' ? wantedBeside(resolver, side, keys) : []));
  // What one side has enough of is of that side.
  return lacked.some((names) => names.length === 0) ? [] : lacked.flat();
}

/**
 * Keys that an object literal at a row has for certain, with those of what is spread into it; undefined for anything
 * else, and where not all of these are known.
 */
export function keysWithSpread(resolver: Resolver, file: string, row: number): ReadonlySet<string> | undefined {
  const summary = resolver.summary(file);
  if (summary.exprs.opOf(row) !== E.closure) return undefined;
  const literal = summary.exprs.closureOf(row);
  if (summary.decls.kindOf(literal) !== D.anonymousClass) return undefined;
  const keys = new Set(membersOfLiteral(summary, literal).map((decl) => summary.decls.nameOf(decl)));
  if ([...keys].some(isComputed)) return undefined;
  for (const base of summary.decls.basesOf(literal)) {
    const spread = keysOfSpread(resolver, file, base);
    if (spread === undefined) return undefined;
    for (const key of spread) keys.add(key);
  }
  return keys;
}

/** Keys that what is spread into a literal has for certain; undefined where not all of these are known. */
function keysOfSpread(resolver: Resolver, file: string, base: number): ReadonlySet<string> | undefined {
  const { exprs } = resolver.summary(file);
  if (exprs.opOf(base) === E.union) {
    const [first, ...others] = [...exprs.partsOf(base)].map((part) => keysOfSpread(resolver, file, part));
    if (first === undefined || others.includes(undefined)) return undefined;
    // Of `size && { size }` nothing may be left.
    return new Set(others.length === 0 ? [] : [...first].filter((key) => others.every((keys) => keys?.has(key))));
  }
  if (exprs.opOf(base) === E.closure) return keysWithSpread(resolver, file, base);
  const { values, unknown } = resolver.typeOf(file, base);
  const [spread, ...others] = values;
  if (unknown || spread?.kind !== 'instance' || spread.isPart === 'some' || others.length > 0) return undefined;
  // It may lack each of its members.
  if (spread.isPart === 'any') return new Set();
  if (outsideBases(resolver, spread).length > 0) return undefined;
  const keys = new Set<string>();
  for (const type of searchOrder(resolver, spread)) {
    const of = resolver.summary(type.file);
    if (of.decls.kindOf(type.decl) === D.anonymousClass && of.decls.basesOf(type.decl).length > 0) return undefined;
    for (const member of membersOfLiteral(of, type.decl))
      if (!of.decls.has(member, F.optional)) keys.add(of.decls.nameOf(member));
  }
  return keys;
}

/** A key that is written as an expression keeps its brackets; of a symbol's it is known that it is no other one. */
const isComputed = (key: string): boolean => /^\[(?!Symbol\.)/.test(key);

/**
 * Keys that an object literal at a row is written with; undefined for anything else, and where something is spread into
 * it.
 */
export function keysOfLiteral(summary: Summary, row: number): ReadonlySet<string> | undefined {
  if (summary.exprs.opOf(row) !== E.closure) return undefined;
  const literal = summary.exprs.closureOf(row);
  if (summary.decls.kindOf(literal) !== D.anonymousClass || summary.decls.basesOf(literal).length > 0) return undefined;
  return new Set(membersOfLiteral(summary, literal).map((decl) => summary.decls.nameOf(decl)));
}

/** Declarations of the members of a type or literal, in their order. */
export function membersOfLiteral(summary: Summary, owner: number): number[] {
  const { decls } = summary;
  const scope = decls.innerOf(owner);
  const out: number[] = [];
  for (let decl = owner + 1; decl < decls.count && decls.startOf(decl) < decls.endOf(owner); decl++) {
    const kind = decls.kindOf(decl);
    if (decls.scopeOf(decl) === scope && (isFieldLike(kind) || isFunctionLike(kind) || kind === D.local))
      out.push(decl);
  }
  return out;
}
