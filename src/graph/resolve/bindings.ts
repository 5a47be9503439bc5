/**
 * Type parameters bound to types: by a receiver's type arguments, up through its bases, and by the
 * arguments of a call to a generic function.
 *
 * Errs towards unbound: a parameter that nothing says is absent, and its type unknown.
 */
import type { DeclRow, RowList } from '../../syntax/rows.js';
import { E, type Summary } from '../../syntax/summary.js';
import { elementOf } from './containers.js';
import { returnType } from './declaration-types.js';
import { expectedType } from './expected.js';
import { classOfMember } from './hierarchy.js';
import { fittingCalls, type CallSite } from './overloads.js';
import type { Resolver } from './resolver.js';
import { just, NOTHING, unionOf, UNKNOWN, type Bindings, type Type, type Value } from './value.js';
import { instanceOf } from './written-types.js';

export const NO_BINDINGS: Bindings = [];

/** Type parameters of the class (or a base of it) that declares the member, as the receiver's type arguments bind them. */
export function bindingsOf(resolver: Resolver, self: Value | undefined, file: string, member: number): Bindings {
  if (self === undefined || (self.kind !== 'instance' && self.kind !== 'class')) return NO_BINDINGS;
  const owner = classOfMember(resolver.summary(file), member);
  return owner === undefined ? NO_BINDINGS : bindingsUpTo(resolver, self, file, owner, 0);
}

function bindingsUpTo(
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
export function callBindings(resolver: Resolver, file: string, decl: number, call: CallSite): Bindings {
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
  for (const { param, argument } of fittingCalls.pair(resolver, { file, decl }, call)) {
    const type = summary.decls.typeOf(param);
    // What a lambda returns may depend on the parameters that are being bound.
    if (type < 0 || (argument >= 0 && from.exprs.opOf(argument) === E.closure && call.partial === true)) continue;
    bind(resolver, file, summary, type, resolver.typeOf(call.file, argument), typeParams, out, 0);
  }
  const result = summary.decls.typeOf(decl);
  if (
    result >= 0 &&
    [...typeParams].some((param) => !out.some((bound) => bound.decl === param && bound.type.values.length > 0))
  ) {
    const expected = expectedType(resolver, call.file, call.expr);
    if (expected !== undefined) bind(resolver, file, summary, result, expected, typeParams, out, 0);
  }
  return withDefaults(
    resolver,
    file,
    typeParams,
    out.filter((bound) => bound.type.values.length > 0),
  );
}

type Binding = Bindings[number];

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

function bind(
  resolver: Resolver,
  file: string,
  summary: Summary,
  type: number,
  actual: Type,
  typeParams: RowList<DeclRow>,
  out: Binding[],
  depth: number,
): void {
  const { exprs } = summary;
  const op = exprs.opOf(type);
  if (op === E.name) {
    const name = exprs.nameIdOf(type);
    const param = typeParams.find((decl) => summary.decls.nameIdOf(decl) === name);
    if (param !== undefined) out.push({ file, decl: param, type: actual });
    return;
  }
  if (depth > 3) return;
  if (op === E.array)
    return bind(
      resolver,
      file,
      summary,
      exprs.operandOf(type),
      elementOf(resolver, resolver.language(file).library, actual),
      typeParams,
      out,
      depth + 1,
    );
  if (op === E.functionType) {
    const result = unionOf(
      actual.values
        .map((value) =>
          value.kind === 'function'
            ? returnType(resolver, value.file, value.decl, value.self)
            : value.kind === 'callable'
              ? value.returns
              : UNKNOWN,
        )
        .concat(NOTHING),
    );
    return bind(resolver, file, summary, exprs.operandOf(type), result, typeParams, out, depth + 1);
  }
  if (op !== E.index) return;
  const library = resolver.language(file).library;
  const head = exprs.nameOf(exprs.operandOf(type));
  exprs.partsOf(type).forEach((argument, i) => {
    const inner = unionOf(
      actual.values
        .map((value): Type => {
          if (value.kind === 'class' && library.classObjects.has(head)) return just({ ...value, kind: 'instance' });
          if (value.kind === 'external' || value.kind === 'instance') return value.args[i] ?? UNKNOWN;
          return UNKNOWN;
        })
        .concat(NOTHING),
    );
    bind(resolver, file, summary, argument, inner, typeParams, out, depth + 1);
  });
}
