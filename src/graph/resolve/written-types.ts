/**
 * Types as written: the objects that a type expression names, aliases and type arguments followed.
 *
 * `null` types vanish, and a name that leads outside the repository is an external value.
 */
import type { DeclRef } from '../../languages/language.js';
import { D, E, isClassLike, LOOKED_UP, R, TYPE_OF, type Summary } from '../../syntax/summary.js';
import { NO_BINDINGS, withDefaults } from './bindings.js';
import { returnType } from './declaration-types.js';
import { typeOfMemberOf } from './expression-types.js';
import { isSubclass } from './hierarchy.js';
import { awaited } from './containers.js';
import type { Resolver } from './resolver.js';
import {
  external,
  inPart,
  just,
  NOTHING,
  unionOf,
  UNKNOWN,
  type Bindings,
  type Taken,
  type Type,
  type Value,
} from './value.js';

/** Objects of the type that a type expression names. `null` types vanish. */
export function instanceOf(resolver: Resolver, file: string, expr: number, bindings: Bindings = NO_BINDINGS): Type {
  if (expr < 0) return UNKNOWN;
  if (bindings.length > 0) return resolver.substituted(() => computeInstance(resolver, file, expr, bindings));
  return resolver.answer<Type>('written type', file, expr, UNKNOWN, () =>
    computeInstance(resolver, file, expr, bindings),
  );
}

function computeInstance(resolver: Resolver, file: string, expr: number, bindings: Bindings): Type {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const a = exprs.operandOf(expr);
  switch (exprs.opOf(expr)) {
    case E.literal:
      return exprs.nameOf(expr) === 'null' ? NOTHING : external(exprs.nameOf(expr));
    case E.union:
      // `typeof Name`: what the name stands for as a value, and no object of it.
      if (exprs.nameOf(expr) === TYPE_OF)
        return unionOf([...exprs.partsOf(expr)].map((part) => resolver.typeOf(file, part)));
      return unionOf(
        [...exprs.partsOf(expr)].map((part) => instanceOf(resolver, file, part, bindings)).concat(NOTHING),
      );
    case E.operator:
      return exprs.nameOf(expr) === LOOKED_UP
        ? memberGiven(
            resolver,
            file,
            { type: instanceOf(resolver, file, a, bindings), key: exprs.secondOf(expr) },
            bindings,
          )
        : UNKNOWN;
    case E.array:
      return external('[]', [instanceOf(resolver, file, a, bindings)]);
    case E.functionType:
      return just({
        kind: 'callable',
        returns: instanceOf(resolver, file, a, bindings),
        type: { file, expr, bindings },
      });
    case E.list:
      return just({
        kind: 'tuple',
        parts: [...exprs.partsOf(expr)].map((part) => instanceOf(resolver, file, part, bindings)),
      });
    case E.closure:
      return just({ kind: 'instance', file, decl: exprs.closureOf(expr), args: [] });
    case E.cast:
      return instanceOf(resolver, file, exprs.secondOf(expr), bindings);
    case E.index:
      return instanceOfGeneric(resolver, file, summary, expr, bindings);
    case E.name:
    case E.member: {
      const looked = exprs.opOf(expr) === E.member ? lookedUp(resolver, file, summary, expr, bindings) : undefined;
      if (looked !== undefined) return looked;
      const entities = resolver.resolve(file, expr);
      const put = entities.targets.length === 0 ? classPutOnFunction(resolver, file, summary, expr) : undefined;
      if (put !== undefined) return put;
      if (entities.external) {
        const name = exprs.nameOf(expr);
        return resolver.language(file).library.anyTypes.has(name) ? UNKNOWN : external(name);
      }
      // A module stands where a type does in `typeof import('./x')`.
      const types = typesAmong(resolver, entities.targets).map((target) =>
        target.decl < 0
          ? just({ kind: 'module', file: target.file })
          : instanceOfDecl(resolver, target.file, target.decl, [], bindings),
      );
      return types.length === 0 ? UNKNOWN : unionOf(types);
    }
    default: {
      const receiver = exprs.opOf(expr) === E.this ? boundReceiver(summary, file, expr, bindings) : undefined;
      if (receiver !== undefined) return receiver;
      const type = resolver.typeOf(file, expr);
      return { values: type.values.map(asInstance), unknown: type.unknown };
    }
  }
}

/** The object that a method is called on, where that is of a class below the one that says `this` as a type. */
function boundReceiver({ exprs, decls }: Summary, file: string, expr: number, bindings: Bindings): Type | undefined {
  const isAround = (decl: number): boolean =>
    isClassLike(decls.kindOf(decl)) &&
    decls.startOf(decl) <= exprs.startOf(expr) &&
    exprs.endOf(expr) <= decls.endOf(decl);
  return bindings.findLast((bound) => bound.file === file && isAround(bound.decl))?.type;
}

/** `new parse.Parser()`, where the class was put on a function. */
function classPutOnFunction(resolver: Resolver, file: string, { exprs }: Summary, expr: number): Type | undefined {
  const role = exprs.roleOf(expr);
  if (exprs.opOf(expr) !== E.member || (role !== R.newCallee && role !== R.base)) return undefined;
  const { values, unknown } = resolver.typeOf(file, expr);
  const classes = values.filter(({ kind }) => kind === 'class');
  return classes.length === 0 ? undefined : { values: classes.map(asInstance), unknown };
}

/** A type and a value may share a name; where a type is written the types are meant. */
function typesAmong(resolver: Resolver, targets: readonly DeclRef[]): readonly DeclRef[] {
  if (targets.length < 2) return targets;
  const types = targets.filter(
    (target) => target.decl >= 0 && isTypeKind(resolver.summary(target.file).decls.kindOf(target.decl)),
  );
  return types.length === 0 ? targets : types;
}

/** `T[K]`, where a string is given for K. */
function memberGiven(
  resolver: Resolver,
  file: string,
  { type, key }: { readonly type: Type; readonly key: number },
  bindings: Bindings,
): Type {
  const names = instanceOf(resolver, file, key, bindings).values.flatMap((value) =>
    value.kind === 'external' && value.text !== undefined ? [value.text] : [],
  );
  if (names.length === 0) return UNKNOWN;
  return unionOf(
    type.values
      .flatMap((value) => names.map((name) => typeOfMemberOf(resolver, file, value, name)))
      .concat(type.unknown ? UNKNOWN : NOTHING),
  );
}

const isTypeKind = (kind: number): boolean => isClassLike(kind) || kind === D.typeParam;

/** `T['name']`: the type of a member of what T stands for; undefined for a qualified name. */
function lookedUp(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  bindings: Bindings,
): Type | undefined {
  const { exprs } = summary;
  const base = exprs.operandOf(expr);
  if (base < 0 || exprs.roleOf(expr) !== R.type || !namesInstance(resolver, file, summary, base)) return undefined;
  const receiver = instanceOf(resolver, file, base, bindings);
  const name = exprs.nameOf(expr);
  return unionOf(
    receiver.values
      .map((value) => typeOfMemberOf(resolver, file, value, name))
      .concat(receiver.unknown ? UNKNOWN : NOTHING),
  );
}

/**
 * Whether a row before a dot in a type stands for objects (`T['name']`) rather than for what holds the name
 * (`ns.Name`).
 */
export function namesInstance(resolver: Resolver, file: string, summary: Summary, expr: number): boolean {
  const op = summary.exprs.opOf(expr);
  if (op === E.index || op === E.union || op === E.closure || op === E.element) return true;
  if (
    op === E.member &&
    summary.exprs.roleOf(expr) === R.type &&
    namesInstance(resolver, file, summary, summary.exprs.operandOf(expr))
  )
    return true;
  if (op !== E.name && op !== E.member) return false;
  const kinds = resolver
    .resolve(file, expr)
    .targets.map((target) => (target.decl < 0 ? D.namespace : resolver.summary(target.file).decls.kindOf(target.decl)));
  return (
    kinds.length > 0 && kinds.every((kind) => kind === D.typeAlias || kind === D.typeParam || kind === D.interface)
  );
}

const asInstance = (value: Value): Value => (value.kind === 'class' ? { ...value, kind: 'instance' } : value);

function instanceOfGeneric(resolver: Resolver, file: string, summary: Summary, expr: number, bindings: Bindings): Type {
  const { exprs } = summary;
  const base = exprs.operandOf(expr);
  const argumentRows = [...exprs.partsOf(expr)];
  const head = resolver.resolve(file, base);
  const library = resolver.language(file).library;
  if (head.external || head.targets.length === 0) {
    const name = exprs.nameOf(base);
    const args = argumentRows.map((argument) => instanceOf(resolver, file, argument, bindings));
    if (library.results.has(name))
      return unionOf(
        (args[0]?.values ?? [])
          .map((value) => resultOf(resolver, value))
          .concat(args[0]?.unknown === false ? NOTHING : UNKNOWN),
      );
    if (library.parameterLists.has(name))
      return unionOf(
        (args[0]?.values ?? [])
          .map((value) => parametersOf(resolver, value))
          .concat(args[0]?.unknown === false ? NOTHING : UNKNOWN),
      );
    const ofFirst = standsForFirst(resolver, file, expr, args[0] ?? UNKNOWN);
    if (ofFirst !== undefined) return ofFirst;
    if (library.unions.has(name)) return unionOf(args.concat(NOTHING));
    if (library.classObjects.has(name))
      return {
        values: (args[0] ?? UNKNOWN).values.map((value) =>
          value.kind === 'instance' ? { ...value, kind: 'class' } : value,
        ),
        unknown: (args[0] ?? UNKNOWN).unknown,
      };
    if (library.tuples.has(name)) return just({ kind: 'tuple', parts: args });
    return head.external ? external(name, args) : { values: [{ kind: 'external', name, args }], unknown: true };
  }
  const args = argumentRows.map((argument) => instanceOf(resolver, file, argument, bindings));
  return unionOf(
    typesAmong(resolver, head.targets).map((target) =>
      instanceOfDecl(resolver, target.file, target.decl, args, bindings),
    ),
  );
}

/** What stands for its first argument, or what is to be had of that: `Extract`, `Awaited`, `Pick`. */
function standsForFirst(resolver: Resolver, file: string, expr: number, first: Type): Type | undefined {
  const { exprs } = resolver.summary(file);
  const { library } = resolver.language(file);
  const name = exprs.nameOf(exprs.operandOf(expr));
  if (library.selections.has(name)) return selected(first);
  if (name === library.awaitedType) return awaited(resolver, library, first);
  const part = library.parts.get(name);
  return part === undefined ? undefined : inPart(first, part === 'any' ? part : 'some', takenAt(resolver, file, expr));
}

/** The members that `Pick<A, 'x' | 'y'>` or `Omit<A, 'x'>` at a row takes; undefined where no plain strings say it. */
export function takenAt(resolver: Resolver, file: string, expr: number): Taken | undefined {
  const { exprs } = resolver.summary(file);
  const part = resolver.language(file).library.parts.get(exprs.nameOf(exprs.operandOf(expr)));
  const [, keys] = exprs.partsOf(expr);
  if (part === undefined || part === 'any' || keys === undefined) return undefined;
  const rows = exprs.opOf(keys) === E.union ? [...exprs.partsOf(keys)] : [keys];
  return rows.every((row) => exprs.opOf(row) === E.string)
    ? { names: new Set(rows.map((row) => exprs.nameOf(row))), isLeftOut: part === 'others' }
    : undefined;
}

/** What a call of the value gives. */
function resultOf(resolver: Resolver, value: Value): Type {
  if (value.kind === 'callable') return value.returns;
  return value.kind === 'function' ? returnType(resolver, value.file, value.decl, value.self) : UNKNOWN;
}

/** What a call of the value passes, as a list whose places have types of their own. */
function parametersOf(resolver: Resolver, value: Value): Type {
  if (value.kind === 'function') {
    const { decls } = resolver.summary(value.file);
    return just({
      kind: 'tuple',
      parts: [...decls.paramsOf(value.decl)].map((param) => resolver.typeOfDecl(value.file, param)),
    });
  }
  if (value.kind !== 'callable' || value.type === undefined) return UNKNOWN;
  const { file, expr, bindings } = value.type;
  const summary = resolver.summary(file);
  return just({
    kind: 'tuple',
    parts: [...summary.exprs.partsOf(expr)].map((param) => instanceOf(resolver, file, param, bindings)),
  });
}

/** Some of several objects, by a condition that is not followed: which ones is not known. */
function selected(whole: Type): Type {
  return whole.values.filter((value) => value.kind === 'instance').length > 1 ? UNKNOWN : whole;
}

/** Objects of a declared type: a class, an alias, a bound type parameter; for a variable, what its value names. */
function instanceOfDecl(
  resolver: Resolver,
  file: string,
  decl: number,
  args: readonly Type[],
  bindings: Bindings,
): Type {
  const summary = resolver.summary(file);
  const { decls } = summary;
  if (decl < 0) return UNKNOWN;
  const bound = bindings.find((candidate) => candidate.file === file && candidate.decl === decl);
  if (bound !== undefined) return bound.type;
  const kind = decls.kindOf(decl);
  if (
    (kind === D.typeAlias && decls.innerOf(decl) < 0) ||
    (kind === D.typeAlias && decls.typeOf(decl) >= 0 && !hasMembers(summary, decl))
  ) {
    const params = decls.typeParamsOf(decl);
    const given =
      params.length === 0
        ? NO_BINDINGS
        : withDefaults(
            resolver,
            file,
            params,
            [...params].flatMap((param, i) => (args[i] === undefined ? [] : [{ file, decl: param, type: args[i] }])),
          );
    return instanceOf(resolver, file, decls.typeOf(decl), given);
  }
  if (isClassLike(kind) || kind === D.typeAlias) return just({ kind: 'instance', file, decl, args });
  if (kind === D.typeParam) {
    const least = decls.typeOf(decl);
    return least < 0 ? UNKNOWN : { values: instanceOf(resolver, file, least).values, unknown: false };
  }
  if (kind === D.enumMember) return resolver.typeOfDecl(file, decl);
  const type = resolver.typeOfDecl(file, decl);
  return { values: type.values.map(asInstance), unknown: type.unknown };
}

function hasMembers(summary: Summary, decl: number): boolean {
  return summary.decls.allInScope(summary.decls.innerOf(decl)).some((d) => summary.decls.kindOf(d) !== D.typeParam);
}

/** A type as it is written somewhere; row -1 for none. */
export interface WrittenType {
  readonly file: string;
  readonly row: number;
}

/** Whether what one type means is a class of the repository below what the other means, or that itself. */
export function isBelow(resolver: Resolver, type: WrittenType, of: WrittenType): boolean {
  const [own, wanted] = [
    instanceOf(resolver, type.file, type.row).values,
    instanceOf(resolver, of.file, of.row).values,
  ];
  return own.some((x) =>
    wanted.some((y) => x.kind === 'instance' && y.kind === 'instance' && isSubclass(resolver, x, y)),
  );
}
