/**
 * What the place of a string says that it may be: the declared type of what it is put into, given for or compared
 * with, as that is written.
 *
 *     const first: Mode = 'fast'      run('fast')      if (job.mode === 'fast')      { mode: 'fast' } as Job
 *
 * Errs towards none: places without a declared type.
 */
import { D, E, isFieldLike, isFunctionLike, R } from '../../syntax/summary.js';
import { bindingsOf, callBindings, NO_BINDINGS } from './bindings.js';
import { findMember } from './hierarchy.js';
import { expectedOfLiteral } from './literal-keys.js';
import { fittingCalls, type CallSite, type FunctionValue } from './overloads.js';
import type { DeclRef } from '../../languages/language.js';
import type { Resolver } from './resolver.js';
import type { Bindings } from './value.js';

/** A type as it is written, and what its type parameters stand for. */
export interface Written {
  readonly file: string;
  readonly row: number;
  readonly bindings: Bindings;
}

/** Whether anybody wants to know what the type parameters of a written type stand for. */
export type Wanted = (type: Written) => boolean;

/** Locals without a declared type that hold one another are followed so far. */
const HOLDERS_MOST = 4;

export const written = (file: string, row: number): readonly Written[] =>
  row < 0 ? [] : [{ file, row, bindings: NO_BINDINGS }];

/** Declared types of the places that a row is put into, or compared with; of a list, what holds its elements. */
export function placesOf(resolver: Resolver, file: string, row: number, isWanted: Wanted): readonly Written[] {
  const summary = resolver.summary(file);
  const { exprs, decls } = summary;
  return exprs.usesOf(row).flatMap((use): readonly Written[] => {
    switch (use.kind) {
      case 'argument':
        return ofArgument(resolver, { file, expr: use.row }, use.index, isWanted);
      case 'value':
        return decls.typeOf(use.decl) >= 0
          ? written(file, decls.typeOf(use.decl))
          : ofProperty(resolver, file, use.decl, isWanted);
      case 'result':
        return written(file, decls.typeOf(use.decl));
      case 'entry':
      case 'same':
        return placesOf(resolver, file, use.row, isWanted);
      case 'subscript':
        return exprs.roleOf(use.row) === R.type ? ofTypeArgument(resolver, file, use.row, row) : [];
      case 'stored':
        return declaredTypes(resolver, file, exprs.placeOf(use.row));
      case 'operand': {
        const other = exprs.operandOf(use.row) === row ? exprs.secondOf(use.row) : exprs.operandOf(use.row);
        return declaredTypes(resolver, file, other);
      }
      default:
        return [];
    }
  });
}

/** What the type parameter extends that a type argument is given for. */
function ofTypeArgument(resolver: Resolver, file: string, generic: number, given: number): readonly Written[] {
  const { exprs } = resolver.summary(file);
  const index = [...exprs.partsOf(generic)].indexOf(given);
  const head = exprs.operandOf(generic);
  return exprs.opOf(head) !== E.name
    ? []
    : resolver.resolve(file, head).targets.flatMap((target): readonly Written[] => {
        if (target.decl < 0) return [];
        const { decls } = resolver.summary(target.file);
        const param = [...decls.typeParamsOf(target.decl)][index];
        return param === undefined ? [] : written(target.file, decls.typeOf(param));
      });
}

/** The declared types of what a row names, or calls; of a local without one, those of its first value. */
export function declaredTypes(
  resolver: Resolver,
  file: string,
  row: number,
  holders = HOLDERS_MOST,
): readonly Written[] {
  if (row < 0 || holders === 0) return [];
  const { exprs } = resolver.summary(file);
  const op = exprs.opOf(row);
  if (op === E.call) return declaredTypes(resolver, file, exprs.calleeOf(row), holders);
  if (op !== E.name && op !== E.member) return [];
  return resolver.resolve(file, row).targets.flatMap((target): readonly Written[] => {
    if (target.decl < 0) return [];
    const { decls } = resolver.summary(target.file);
    const type = decls.typeOf(target.decl);
    if (type < 0 && decls.kindOf(target.decl) === D.param) return ofParameter(resolver, target);
    const isHeld = decls.kindOf(target.decl) === D.local || isFieldLike(decls.kindOf(target.decl));
    return type >= 0 || !isHeld
      ? written(target.file, type)
      : declaredTypes(resolver, target.file, decls.valueOf(target.decl), holders - 1);
  });
}

/** Of a parameter that a function leaves to the place it is given at. */
function ofParameter(resolver: Resolver, { file, decl }: DeclRef): readonly Written[] {
  const { decls, exprs, scopes } = resolver.summary(file);
  const owner = scopes.ownerOf(decls.scopeOf(decl));
  const index = owner < 0 ? -1 : [...decls.paramsOf(owner)].indexOf(decl);
  const closure = owner < 0 ? undefined : exprs.rowOfClosure(owner);
  if (index < 0) return [];
  const held = decls.valueOf(owner);
  const types =
    closure !== undefined ? placesOf(resolver, file, closure, () => true) : held >= 0 ? written(file, held) : [];
  return paramsOfFunctionTypes(resolver, types, index);
}

/** Of a property in an object literal: what the member that it stands for is declared as. */
function ofProperty(resolver: Resolver, file: string, property: number, isWanted: Wanted): readonly Written[] {
  const literal = literalOf(resolver, file, property);
  if (literal === undefined) return [];
  const { decls } = resolver.summary(file);
  const members = (expectedOfLiteral(resolver, file, literal)?.values ?? []).flatMap((value) =>
    value.kind === 'instance' ? findMember(resolver, value, decls.nameOf(property)).found : [],
  );
  const declared = members.flatMap((member) =>
    written(member.file, resolver.summary(member.file).decls.typeOf(member.decl)),
  );
  const mappings = placesOf(resolver, file, literal, isWanted);
  return [...declared, ...mappings.flatMap((type) => recordsIn(resolver, type).flatMap(({ held }) => held))];
}

/** The row of the object literal that a property is one of. */
export function literalOf(resolver: Resolver, file: string, property: number): number | undefined {
  const { decls, exprs, scopes } = resolver.summary(file);
  const scope = decls.scopeOf(property);
  const owner = scopes.ownerOf(scope);
  return owner >= 0 && decls.kindOf(owner) === D.anonymousClass && decls.innerOf(owner) === scope
    ? exprs.rowOfClosure(owner)
    : undefined;
}

/** Aliases and parts that are looked through for a mapping. */
const STEPS_MOST = 6;

/** The mappings from keys to values that a type is, or is part of, `Partial<Record<K, V>>`: the types of both. */
export function recordsIn(
  resolver: Resolver,
  { file, row, bindings }: Written,
  steps = STEPS_MOST,
): readonly { readonly keys: Written; readonly held: readonly Written[] }[] {
  if (row < 0 || steps === 0) return [];
  const { exprs } = resolver.summary(file);
  const { records, parts } = resolver.language(file).library;
  switch (exprs.opOf(row)) {
    case E.index: {
      const head = exprs.nameOf(exprs.operandOf(row));
      const [first, second] = exprs.partsOf(row);
      if (first === undefined) return [];
      if (records.has(head))
        return [
          { keys: { file, row: first, bindings }, held: second === undefined ? [] : [{ file, row: second, bindings }] },
        ];
      return parts.has(head) ? recordsIn(resolver, { file, row: first, bindings }, steps - 1) : [];
    }
    case E.union:
      return [...exprs.partsOf(row)].flatMap((part) => recordsIn(resolver, { file, row: part, bindings }, steps - 1));
    case E.name:
      return resolver.resolve(file, row).targets.flatMap((target) => {
        if (target.decl < 0) return [];
        const { decls } = resolver.summary(target.file);
        return decls.kindOf(target.decl) !== D.typeAlias
          ? []
          : recordsIn(resolver, { file: target.file, row: decls.typeOf(target.decl), bindings }, steps - 1);
      });
    default:
      return [];
  }
}

function ofArgument(resolver: Resolver, site: CallSite, index: number, isWanted: Wanted): readonly Written[] {
  const { exprs } = resolver.summary(site.file);
  const op = exprs.opOf(site.expr);
  const callee = op === E.call || op === E.new ? exprs.calleeOf(site.expr) : -1;
  if (callee < 0) return [];
  const functions: readonly FunctionValue[] =
    op === E.new
      ? fittingCalls.constructors(resolver, site.file, site.expr)
      : resolver.typeOf(site.file, callee).values.flatMap((value) => (value.kind === 'function' ? [value] : []));
  if (functions.length === 0) return paramsOfFunctionTypes(resolver, declaredTypes(resolver, site.file, callee), index);
  return fittingCalls.among(resolver, functions, site).flatMap((target) => {
    const of = resolver.summary(target.file);
    if (!isFunctionLike(of.decls.kindOf(target.decl))) return [];
    return fittingCalls.pair(resolver, target, site).flatMap((pair): readonly Written[] => {
      const row = pair.index === index ? of.decls.typeOf(pair.param) : -1;
      const type = { file: target.file, row, bindings: NO_BINDINGS };
      if (row < 0 || !isWanted(type)) return [];
      const bindings = [
        ...bindingsOf(resolver, target.self, target.file, target.decl),
        ...callBindings(resolver, target, site),
      ];
      return [{ ...type, bindings }];
    });
  });
}

/** What a function type, or an alias of one, takes at a place. */
function paramsOfFunctionTypes(
  resolver: Resolver,
  types: readonly Written[],
  index: number,
  steps = STEPS_MOST,
): readonly Written[] {
  return types.flatMap(({ file, row, bindings }): readonly Written[] => {
    const { exprs } = resolver.summary(file);
    if (exprs.opOf(row) === E.functionType) {
      const param = exprs.partsOf(row)[index];
      return param === undefined ? [] : [{ file, row: param, bindings }];
    }
    if (exprs.opOf(row) !== E.name || steps === 0) return [];
    return resolver.resolve(file, row).targets.flatMap((target) => {
      if (target.decl < 0) return [];
      const { decls } = resolver.summary(target.file);
      return decls.kindOf(target.decl) !== D.typeAlias
        ? []
        : paramsOfFunctionTypes(resolver, written(target.file, decls.typeOf(target.decl)), index, steps - 1);
    });
  });
}
