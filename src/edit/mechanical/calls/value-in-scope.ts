/**
 * A variable at a call that can be passed for a new parameter: the same name, and a type that
 * does not speak against it.
 *
 * Only parameters, locals declared before the call, and module variables count: what else has the
 * name (a function, a class, a field) is seldom the value that is meant. Where both types are
 * written they must be spelled alike or the value's class derive from the parameter's.
 */
import { isSubclass } from '../../../graph/resolve/hierarchy.js';
import { lookUp } from '../../../graph/resolve/names.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { D, E, R, type Summary } from '../../../syntax/summary.js';

/** The variable's name, or undefined. `call`: the row of the call. */
export function valueInScope(
  resolver: Resolver,
  file: string,
  summary: Summary,
  call: number,
  param: DeclRef,
): string | undefined {
  const of = resolver.summary(param.file);
  const name = of.decls.nameOf(param.decl);
  const found = lookUp(resolver, file, summary, summary.exprs.scopeOf(call), name, R.read);
  const [target] = found.targets;
  if (target === undefined || found.targets.length > 1 || target.decl < 0) return undefined;
  const on = resolver.summary(target.file);
  const kind = on.decls.kindOf(target.decl);
  if (kind !== D.param && kind !== D.local && kind !== D.variable) return undefined;
  if (target.file === file && kind !== D.param && !isSetBefore(summary, target.decl, call)) return undefined;
  return compatible(resolver, param, target) ? name : undefined;
}

/** Whether the variable is declared before the call, and not by a value that the call is part of. */
export function isSetBefore({ decls, exprs }: Summary, decl: number, call: number): boolean {
  const at = exprs.startOf(call);
  const value = decls.valueOf(decl);
  const isOwnValue = value >= 0 && exprs.startOf(value) <= at && at < exprs.endOf(value);
  return decls.nameStartOf(decl) < at && !isOwnValue;
}

/** Whether both have a written type, and that of `given` is the wanted one or derives from it. */
export function hasTypeOf(resolver: Resolver, wanted: DeclRef, given: DeclRef): boolean {
  const type = writtenType(resolver, given);
  if (type === '' || writtenType(resolver, wanted) === '') return false;
  if (type === writtenType(resolver, wanted)) return true;
  const { values } = resolver.typeOfDecl(given.file, given.decl);
  return values.length > 0 && values.every(({ kind }) => kind === 'instance') && compatible(resolver, wanted, given);
}

function compatible(resolver: Resolver, wanted: DeclRef, given: DeclRef): boolean {
  const want = resolver.typeOfDecl(wanted.file, wanted.decl);
  const have = resolver.typeOfDecl(given.file, given.decl);
  const isTyped = (ref: DeclRef): boolean => resolver.summary(ref.file).decls.typeOf(ref.decl) >= 0;
  if (want.values.length === 0 || have.values.length === 0)
    return !isTyped(wanted) || !isTyped(given) || writtenType(resolver, wanted) === writtenType(resolver, given);
  return have.values.every((value) =>
    want.values.some((other) => {
      if (value.kind === 'instance' && other.kind === 'instance') return isSubclass(resolver, value, other);
      return (
        value.kind === 'external' &&
        other.kind === 'external' &&
        (value.name === other.name || value.name === '' || other.name === '')
      );
    }),
  );
}

/** Name of the type that is written at a declaration; '' for none, or one that is no name. */
export function writtenType(resolver: Resolver, ref: DeclRef): string {
  const summary = resolver.summary(ref.file);
  const type = summary.decls.typeOf(ref.decl);
  return type < 0 || summary.exprs.opOf(type) === E.operator ? '' : summary.exprs.nameOf(type);
}
