/**
 * Type parameters bound to types: by a receiver's type arguments, up through its bases, and by the
 * arguments of a call to a generic function.
 *
 * Errs towards unbound: a parameter that nothing says is absent, and its type unknown.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl, type DeclRow, type ExprRow, type RowList } from '../../syntax/rows.js';
import { D, E, F, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { expectedType } from './expected.js';
import { classOfMember } from './hierarchy.js';
import { infer } from './inference.js';
import { constructorsOf, fittingCalls, type CallSite } from './overloads.js';
import type { Resolver } from './resolver.js';
import { signatureOf } from './signature.js';
import { just, unionOf, UNKNOWN, type Bindings, type Type, type Value } from './value.js';
import { instanceOf } from './written-types.js';

export const NO_BINDINGS: Bindings = [];

/**
 * Type parameters of the class (or a base of it) that declares the member, as the receiver's type arguments bind them.
 */
export function bindingsOf(resolver: Resolver, self: Value | undefined, file: string, member: number): Bindings {
  if (self === undefined || (self.kind !== 'instance' && self.kind !== 'class')) return NO_BINDINGS;
  const owner = classOfMember(resolver.summary(file), member);
  return owner === undefined ? NO_BINDINGS : bindingsUpTo(resolver, self, file, owner, 0);
}

/** What `this` means in the types of a method that is called on an object of a class below its own. */
export function receiverBindings(
  resolver: Resolver,
  { file, decl, self }: DeclRef & { readonly self?: Value | undefined },
): Bindings {
  const owner = classOfMember(resolver.summary(file), decl);
  return owner === undefined || self?.kind !== 'instance' || sameDecl(self, { file, decl: owner })
    ? NO_BINDINGS
    : [{ file, decl: owner, type: just(self) }];
}

/** Type parameters of a class that the receiver's class is or derives from. */
export function bindingsUpTo(
  resolver: Resolver,
  self: { readonly file: string; readonly decl: number; readonly args: readonly Type[] },
  file: string,
  owner: number,
  depth: number,
): Bindings {
  const summary = resolver.summary(self.file);
  const own = summary.decls.typeParamsOf(self.decl);
  const bound =
    own.length === 0
      ? NO_BINDINGS
      : withDefaults(
          resolver,
          self.file,
          own,
          [...own].flatMap((decl, i) =>
            self.args[i] === undefined ? [] : [{ file: self.file, decl, type: self.args[i] }],
          ),
        );
  if ((self.file === file && self.decl === owner) || depth > 8) return bound;
  for (const part of resolver.bodies(self)) {
    const of = resolver.summary(part.file);
    for (const base of of.decls.basesOf(part.decl)) {
      for (const value of instanceOf(resolver, part.file, base, bound).values) {
        if (value.kind !== 'instance') continue;
        const found = bindingsUpTo(resolver, value, file, owner, depth + 1);
        if (found.length > 0) return found;
      }
    }
  }
  return NO_BINDINGS;
}

/**
 * Type parameters of a generic function: as the call writes them, or bound by its arguments, by
 * what the place of the call expects, by their defaults.
 */
export function callBindings(
  resolver: Resolver,
  { file, decl, self }: DeclRef & { readonly self?: Value | undefined },
  call: CallSite,
): Bindings {
  const summary = resolver.summary(file);
  const typeParams = summary.decls.typeParamsOf(decl);
  if (typeParams.length === 0) return NO_BINDINGS;
  const from = resolver.summary(call.file);
  const written = from.exprs.typeArgumentsOf(call.expr);
  if (written.length > 0)
    return withDefaults(
      resolver,
      file,
      typeParams,
      [...typeParams].flatMap((param, i) =>
        written[i] === undefined ? [] : [{ file, decl: param, type: instanceOf(resolver, call.file, written[i]) }],
      ),
    );
  const out: Binding[] = [];
  const { receiver } = signatureOf(summary, decl);
  if (receiver !== undefined && self !== undefined && self.kind !== 'class')
    infer(resolver, { file, params: typeParams }, summary.decls.typeOf(receiver.decl), just(self), out);
  for (const { param, argument } of fittingCalls.pair(resolver, { file, decl, self }, call)) {
    const type = summary.decls.typeOf(param);
    if (type < 0 || (argument >= 0 && call.partial === true && waitsForParams(from, argument))) continue;
    infer(resolver, { file, params: typeParams }, type, givenAs(resolver, call.file, argument), out);
  }
  const result = summary.decls.typeOf(decl);
  if (
    result >= 0 &&
    [...typeParams].some((param) => !out.some((bound) => bound.decl === param && bound.type.values.length > 0))
  ) {
    const expected = expectedType(resolver, call.file, call.expr);
    if (expected !== undefined) infer(resolver, { file, params: typeParams }, result, expected, out);
  }
  return withDefaults(resolver, file, typeParams, joined(out));
}

/** The type of an argument; a string keeps what it says: it may name a member of another type. */
function givenAs(resolver: Resolver, file: string, argument: number): Type {
  const text = argument < 0 ? undefined : textGiven(resolver, file, argument);
  return text === undefined ? resolver.typeOf(file, argument) : just({ kind: 'external', name: 'str', args: [], text });
}

/** What a string says, or one that a constant holds. */
function textGiven(resolver: Resolver, file: string, row: ExprRow): string | undefined {
  const { exprs } = resolver.summary(file);
  const said = plainText(resolver.summary(file), row);
  if (said !== undefined || (exprs.opOf(row) !== E.name && exprs.opOf(row) !== E.member)) return said;
  const [target, more] = resolver.resolve(file, row).targets;
  if (target === undefined || target.decl < 0 || more !== undefined) return undefined;
  const of = resolver.summary(target.file);
  const isConstant =
    of.decls.kindOf(target.decl) !== D.param &&
    of.decls.typeOf(target.decl) < 0 &&
    !of.decls.has(target.decl, F.reassigned);
  return isConstant ? plainText(of, of.decls.valueOf(target.decl)) : undefined;
}

const plainText = ({ exprs }: Summary, row: number): string | undefined =>
  row >= 0 && exprs.opOf(row) === E.string && exprs.operandOf(row) < 0 ? exprs.nameOf(row) : undefined;

/** One binding for each parameter, of all that was said of it: `choose(a, b)` gives either. */
function joined(said: readonly Binding[]): readonly Binding[] {
  const known = said.filter(({ type }) => type.values.length > 0);
  return known
    .filter(({ file, decl }, i) => known.findIndex((other) => other.file === file && other.decl === decl) === i)
    .map(({ file, decl }) => ({
      file,
      decl,
      type: unionOf(known.flatMap((other) => (other.file === file && other.decl === decl ? [other.type] : []))),
    }));
}

/**
 * Type arguments of an object whose class is generic and named without them, by what its constructor is given; empty
 * for none.
 */
export function constructedArguments(resolver: Resolver, made: DeclRef, call: CallSite): readonly Type[] {
  const summary = resolver.summary(made.file);
  const params = summary.decls.typeParamsOf(made.decl);
  if (params.length === 0) return [];
  const own = constructorsOf(resolver, made).filter(
    ({ file, decl }) => file === made.file && classOfMember(summary, decl) === made.decl,
  );
  const out: Binding[] = [];
  for (const target of fittingCalls.among(resolver, own, call))
    for (const { param, argument } of fittingCalls.pair(resolver, target, call)) {
      const type = summary.decls.typeOf(param);
      if (type >= 0 && argument >= 0)
        infer(resolver, { file: made.file, params }, type, resolver.typeOf(call.file, argument), out);
    }
  const bound = joined(out);
  return bound.length === 0
    ? []
    : [...params].map((param) => bound.find(({ decl }) => decl === param)?.type ?? UNKNOWN);
}

export type Binding = Bindings[number];

/**
 * Whether an argument is a lambda whose parameters' types are what is being asked for: what it returns may depend on
 * them.
 */
function waitsForParams({ exprs, decls }: Summary, argument: ExprRow): boolean {
  if (exprs.opOf(argument) !== E.closure) return false;
  const params = decls.paramsOf(exprs.closureOf(argument));
  return params.length === 0
    ? !isFunctionLike(decls.kindOf(exprs.closureOf(argument)))
    : [...params].some((param) => decls.typeOf(param) < 0);
}

/**
 * What the type parameters of a class are in the class itself: what they have to be at least, whatever the default is
 * for those who give none. Empty where none has a default: what nothing binds is taken so anyway.
 */
export function ownArguments(resolver: Resolver, { file, decl }: DeclRef): readonly Type[] {
  const { decls } = resolver.summary(file);
  const params = [...decls.typeParamsOf(decl)];
  if (params.every((param) => decls.valueOf(param) < 0)) return [];
  return params.map((param): Type => {
    const least = decls.typeOf(param);
    return least < 0 ? UNKNOWN : { values: instanceOf(resolver, file, least).values, unknown: false };
  });
}

/** Adds the defaults of those type parameters that nothing binds. */
export function withDefaults(
  resolver: Resolver,
  file: string,
  typeParams: RowList<DeclRow>,
  bound: readonly Binding[],
): Bindings {
  const summary = resolver.summary(file);
  let out = bound;
  for (const decl of typeParams) {
    const fallback = summary.decls.valueOf(decl);
    if (fallback < 0 || out.some((known) => known.decl === decl && known.file === file)) continue;
    const type = instanceOf(resolver, file, fallback, out);
    if (type.values.length > 0) out = [...out, { file, decl, type }];
  }
  return out;
}
