/**
 * Functions that are given as values where a function type is expected: lambdas, references to
 * methods, method groups, callbacks.
 *
 *     interface Check { boolean test(String s); }      void all(Check c)
 *     all(s -> true);  all(Names::isShort);            both are given for Check here
 *
 * A function type is a delegate, an alias of a signature, an interface with one method to implement
 * or a class whose objects are called. Looked for where a parameter, variable, field or result is
 * declared to be of the type. Errs towards missing: what is handed on through a variable is not.
 */
import type { DeclRef } from '../../languages/language.js';
import type { ExprRow } from '../../syntax/rows.js';
import { D, E, F, isFieldLike, isFunctionLike, R, S, type Summary } from '../../syntax/summary.js';
import { functionalMethod } from '../resolve/containers.js';
import { expectedWhere } from '../resolve/expected.js';
import { classOfMember, findMember, ownMembers, searchOrder } from '../resolve/hierarchy.js';
import { wantedByListed } from '../resolve/outside-calls.js';
import type { Confidence } from '../resolve/names.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Type } from '../resolve/value.js';
import { sameDecl } from '../../syntax/rows.js';
import { sitesOf } from './references.js';
import { blockOf } from './site.js';
import { argumentsFor, type Given } from './given.js';

export interface FunctionValue {
  readonly file: string;
  /** The lambda, the row that names the function, or the written type of the variable that holds it. */
  readonly expr: ExprRow;
  readonly block: number;
  readonly confidence: Confidence;
}

/**
 * The type whose values are functions that stand for the member, or for the declaration itself; undefined where it is
 * none.
 */
export function functionTypeOf(resolver: Resolver, ref: DeclRef): DeclRef | undefined {
  const { decls, exprs } = resolver.summary(ref.file);
  const kind = decls.kindOf(ref.decl);
  if (kind === D.delegate) return ref;
  if (kind === D.typeAlias)
    return decls.typeOf(ref.decl) >= 0 && exprs.opOf(decls.typeOf(ref.decl)) === E.functionType ? ref : undefined;
  const owner = classOfMember(resolver.summary(ref.file), ref.decl);
  if (owner === undefined || !isFunctionLike(kind)) return undefined;
  const type = { file: ref.file, decl: owner };
  // Objects of a class are made by it alone: a function is none, whatever they can be called with.
  if (decls.nameOf(ref.decl) === resolver.language(ref.file).callMember)
    return decls.kindOf(owner) === D.class ? undefined : type;
  if (decls.kindOf(owner) !== D.interface || !resolver.language(ref.file).functionsForInterfaces) return undefined;
  const method = functionalMethod(resolver, { kind: 'instance', ...type, args: [] });
  return method !== undefined && sameDecl(method, ref) ? type : undefined;
}

/** The members of a type by which its values are called. */
export function callSignaturesOf(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const { callMember } = resolver.language(type.file);
  return callMember === undefined || type.decl < 0 ? [] : ownMembers(resolver, type, callMember);
}

/** Whether any function can be given for a type, as far as its members tell. */
export function takesFunctions(resolver: Resolver, type: DeclRef): boolean {
  if (functionTypeOf(resolver, type) !== undefined) return true;
  const { callMember, functionsForInterfaces, library } = resolver.language(type.file);
  const kind = resolver.summary(type.file).decls.kindOf(type.decl);
  if (callMember !== undefined) return kind !== D.class && findMember(resolver, type, callMember).found.length > 0;
  if (!functionsForInterfaces || kind !== D.interface) return false;
  const methods = new Set(
    searchOrder(resolver, type).flatMap((each) => {
      const { decls } = resolver.summary(each.file);
      const inner = decls.innerOf(each.decl);
      return (inner < 0 ? [] : [...decls.allInScope(inner)])
        .filter((row) => isFunctionLike(decls.kindOf(row)) && decls.has(row, F.bodiless))
        .map((row) => decls.nameOf(row));
    }),
  );
  return [...methods].filter((name) => !library.objectMembers.has(name)).length <= 1;
}

/** The functions that are given where the type is expected. */
export function functionsGivenFor(resolver: Resolver, type: DeclRef): readonly FunctionValue[] {
  return resolver.answer<readonly FunctionValue[]>('functions given', type.file, type.decl, [], () => {
    const found = new Map<string, FunctionValue>();
    for (const { file, expr } of expressionsFor(resolver, type))
      for (const row of sidesOf(resolver.summary(file), expr))
        if (givesFunction(resolver, file, row))
          found.set(`${file}\0${row}`, {
            file,
            expr: row,
            block: blockOf(resolver.summary(file), row),
            confidence: 'certain',
          });
    for (const value of functionsExpected(resolver, type)) found.set(`${value.file}\0${value.expr}`, value);
    return [...found.values()];
  });
}

/** Those in files that say the type, where their place expects it: in a list of them, through a library's function. */
function functionsExpected(resolver: Resolver, type: DeclRef): readonly FunctionValue[] {
  return [...new Set(sitesOf(resolver, type).map(({ file }) => file))].flatMap((file) => {
    const summary = resolver.summary(file);
    return rowsGiven(summary).flatMap((expr): FunctionValue[] => {
      const isWanted = expectedWhere(resolver, file, expr)?.values.some(
        (value) => value.kind === 'instance' && sameDecl(value, type),
      );
      return isWanted === true && givesFunction(resolver, file, expr)
        ? [{ file, expr, block: blockOf(summary, expr), confidence: 'certain' }]
        : [];
    });
  });
}

/** Lambdas, references to constructors, and names that are passed on or put into a list. */
function rowsGiven(summary: Summary): readonly ExprRow[] {
  const { exprs } = summary;
  const names = [...exprs.ofOp(E.name), ...exprs.ofOp(E.member)].filter(
    (row) =>
      exprs.roleOf(row) === R.read && exprs.usesOf(row).some(({ kind }) => kind === 'argument' || kind === 'entry'),
  );
  const makers = exprs.ofOp(E.new).filter((row) => isConstructorReference(summary, row));
  return [...exprs.ofOp(E.closure), ...makers, ...names];
}

/** The functions that a row gives: its lambda, what it names, or those whose variables are declared to be of it. */
export function functionsAt(resolver: Resolver, file: string, expr: ExprRow): readonly DeclRef[] {
  const summary = resolver.summary(file);
  if (summary.exprs.opOf(expr) === E.closure) return [{ file, decl: summary.exprs.closureOf(expr) }];
  const held = heldAs(summary, expr);
  if (held.length > 0) return held.map((decl) => ({ file, decl }));
  return resolver
    .resolve(file, expr)
    .targets.filter(
      (target) => target.decl >= 0 && isFunctionLike(resolver.summary(target.file).decls.kindOf(target.decl)),
    );
}

/** Whether what is given for a function type is a function: a lambda, a constructor, a name, from outside as well. */
export function givesFunction(resolver: Resolver, file: string, expr: ExprRow): boolean {
  const { exprs, decls } = resolver.summary(file);
  if (heldAs(resolver.summary(file), expr).length > 0) return true;
  switch (exprs.opOf(expr)) {
    case E.closure:
      return isFunctionLike(decls.kindOf(exprs.closureOf(expr)));
    case E.name:
    case E.member:
      return (
        exprs.roleOf(expr) !== R.callee &&
        (functionsAt(resolver, file, expr).length > 0 || isFromOutside(resolver, file, expr))
      );
    case E.new:
      return isConstructorReference(resolver.summary(file), expr);
    default:
      return false;
  }
}

/** Whether what makes an object is given as a function, `Point::new`: it begins with the class, not with a word. */
export function isConstructorReference({ exprs }: Summary, expr: ExprRow): boolean {
  const args = exprs.opOf(expr) === E.new ? exprs.argumentsOf(expr) : [];
  if (args.length !== 1 || args[0]?.spread !== 'list') return false;
  let first = exprs.calleeOf(expr);
  while (exprs.opOf(first) === E.member || exprs.opOf(first) === E.index) first = exprs.operandOf(first);
  return exprs.startOf(first) === exprs.startOf(expr);
}

/** What comes from outside is nothing else where a function type of the repository is expected: `String::length`. */
function isFromOutside(resolver: Resolver, file: string, expr: ExprRow): boolean {
  const { external, targets, module } = resolver.resolve(file, expr);
  return external && targets.length === 0 && module === undefined;
}

/** Both sides of a conditional, and what is cast. */
function sidesOf(summary: Summary, expr: ExprRow): readonly ExprRow[] {
  const { exprs } = summary;
  if (expr < 0) return [];
  if (heldAs(summary, expr).length > 0) return [expr];
  if (exprs.opOf(expr) === E.union) return [...exprs.partsOf(expr)];
  return exprs.opOf(expr) === E.cast && exprs.operandOf(expr) >= 0 ? [exprs.operandOf(expr)] : [expr];
}

/** Calls of functions whose variables are declared to be of the type. */
export const callsOfHeld = (resolver: Resolver, type: DeclRef): readonly FunctionValue[] =>
  functionsGivenFor(resolver, type)
    .flatMap(({ file, expr }) => heldAs(resolver.summary(file), expr).map((decl): DeclRef => ({ file, decl })))
    .flatMap((held) => sitesOf(resolver, held))
    .filter(({ kind }) => kind === 'call');

/** Rows that name a value of the type: where it is called, and where an event is given a handler. */
export function valuesOfFunctionType(resolver: Resolver, type: DeclRef): readonly FunctionValue[] {
  return resolver.answer<readonly FunctionValue[]>('values of function type', type.file, type.decl, [], () =>
    sitesOf(resolver, type).flatMap(({ file, expr }) =>
      expr < 0
        ? []
        : declaredBy(resolver.summary(file), expr).flatMap((decl) =>
            rowsNaming(resolver, { file, decl }).filter((value) => isRunOrFilled(resolver, value)),
          ),
    ),
  );
}

/**
 * What is passed for a parameter of a function type, `type Take = (box: Box) => void`, where a value of it is called;
 * undefined for a function's own parameter.
 */
export function passedToValues(resolver: Resolver, { file, decl }: DeclRef): readonly Given[] | undefined {
  const { decls, exprs } = resolver.summary(file);
  const type = decls.typeOf(decl);
  const whole = type < 0 ? undefined : exprs.wholesOf(type).find((row) => exprs.opOf(row) === E.functionType);
  if (whole === undefined) return undefined;
  const index = [...exprs.partsOf(whole)].indexOf(type);
  return exprs
    .usesOf(whole)
    .flatMap((of) => (of.kind === 'type' ? valuesHeldBy(resolver, { file, decl: of.decl }) : []))
    .flatMap((value) => argumentAt(resolver, value, index));
}

/** Rows that name a value of a function type that has a name, or what is declared as one that has none. */
const valuesHeldBy = (resolver: Resolver, ref: DeclRef): readonly FunctionValue[] =>
  resolver.summary(ref.file).decls.kindOf(ref.decl) === D.typeAlias
    ? valuesOfFunctionType(resolver, ref)
    : rowsNaming(resolver, ref);

function argumentAt(resolver: Resolver, { file, expr }: FunctionValue, index: number): readonly Given[] {
  const call = runAt(resolver, file, expr);
  const given =
    call < 0
      ? []
      : resolver
          .summary(file)
          .exprs.argumentsOf(call)
          .slice(0, index + 1);
  const argument = given[index];
  return argument === undefined || given.some(({ spread }) => spread !== 'none') ? [] : [{ file, expr: argument.expr }];
}

/** The rows that name a variable, field, parameter or local, or a type parameter; none of a function. */
export function rowsNaming(resolver: Resolver, ref: DeclRef): readonly FunctionValue[] {
  const summary = resolver.summary(ref.file);
  const { decls, scopes } = summary;
  const kind = decls.kindOf(ref.decl);
  if (isFunctionLike(kind)) return [];
  // Members of a type that is written in place are no fields.
  if (isFieldLike(kind) || scopes.kindOf(decls.scopeOf(ref.decl)) === S.class)
    return sitesOf(resolver, ref).flatMap(({ file, expr, block, confidence }) =>
      expr < 0 ? [] : [{ file, expr, block, confidence }],
    );
  return [...summary.exprs.named(summary.decls.nameIdOf(ref.decl))].flatMap((expr): FunctionValue[] =>
    summary.exprs.opOf(expr) === E.name &&
    resolver.resolve(ref.file, expr).targets.some((target) => sameDecl(target, ref))
      ? [{ file: ref.file, expr, block: blockOf(summary, expr), confidence: 'certain' }]
      : [],
  );
}

function isRunOrFilled(resolver: Resolver, { file, expr }: FunctionValue): boolean {
  const summary = resolver.summary(file);
  return runAt(resolver, file, expr) >= 0 || summary.exprs.roleOf(expr) === R.update;
}

/** The call of the function that a row holds, by itself or by the language's name for that (`Invoke`); -1 for none. */
export function runAt(resolver: Resolver, file: string, expr: ExprRow): ExprRow {
  const { exprs } = resolver.summary(file);
  if (exprs.roleOf(expr) === R.callee) return exprs.callOf(expr);
  const member = exprs.wholeBy(expr, E.member);
  return member >= 0 &&
    exprs.operandOf(member) === expr &&
    resolver.language(file).runsDelegate === exprs.nameOf(member)
    ? exprs.callOf(member)
    : -1;
}

function expressionsFor(resolver: Resolver, type: DeclRef): Given[] {
  const out: Given[] = [];
  for (const { file, expr } of sitesOf(resolver, type)) {
    if (expr < 0) continue;
    const { exprs } = resolver.summary(file);
    if (exprs.roleOf(expr) === R.newCallee) {
      const call = exprs.callOf(expr);
      if (call >= 0) for (const argument of exprs.argumentsOf(call)) out.push({ file, expr: argument.expr });
    } else {
      const summary = resolver.summary(file);
      for (const row of typesWith(summary, expr))
        for (const decl of heldAs(summary, row)) out.push({ file, expr: row }, ...storedIn(resolver, { file, decl }));
      for (const decl of declaredBy(summary, expr)) out.push(...givenTo(resolver, { file, decl }));
      for (const whole of exprs.usesOf(expr).flatMap((use) => (use.kind === 'subscript' ? [use.row] : [])))
        for (const decl of declaredBy(summary, whole)) out.push(...putInto(resolver, { file, decl }, type));
    }
  }
  return out;
}

/** What is put into a collection from outside that holds values of the type. */
function putInto(resolver: Resolver, collection: DeclRef, type: DeclRef): Given[] {
  const isOfType = (held: Type | undefined): boolean =>
    held?.values.some((value) => value.kind === 'instance' && sameDecl(value, type)) === true;
  return rowsNaming(resolver, collection).flatMap(({ file, expr }) => {
    const summary = resolver.summary(file);
    const { exprs } = summary;
    return exprs.usesOf(expr).flatMap((use): Given[] => {
      if (use.kind === 'part' && exprs.opOf(use.row) === E.index && isOfType(resolver.typeOf(file, use.row)))
        return exprs
          .usesOf(use.row)
          .flatMap((at) => (at.kind === 'place' ? [{ file, expr: exprs.storedOf(at.row) }] : []));
      const call = use.kind === 'receiver' && exprs.roleOf(use.row) === R.callee ? exprs.callOf(use.row) : -1;
      if (call < 0) return [];
      return exprs
        .argumentsOf(call)
        .flatMap(({ expr: given }, i) =>
          isOfType(wantedByListed(resolver, file, summary, call, i)) ? [{ file, expr: given }] : [],
        );
    });
  });
}

/** Declarations whose type a row is, by itself, with type arguments, or as a side of a union. */
const declaredBy = (summary: Summary, type: ExprRow): readonly number[] =>
  typesWith(summary, type).flatMap((row) =>
    summary.exprs.usesOf(row).flatMap((use) => (use.kind === 'type' ? [use.decl] : [])),
  );

/** Functions whose variables are declared to be of the type at a row: `const f: Fn = (x) => …`. */
const heldAs = ({ exprs }: Summary, type: ExprRow): readonly number[] =>
  exprs.usesOf(type).flatMap((use) => (use.kind === 'held' ? [use.decl] : []));

/** The row of a type, and those that are it with type arguments or with other sides of a union. */
function typesWith(summary: Summary, type: ExprRow): readonly ExprRow[] {
  const { exprs } = summary;
  const isWhole = (row: ExprRow): boolean =>
    exprs.opOf(row) === E.union || (exprs.opOf(row) === E.index && exprs.operandOf(row) === type);
  return [
    type,
    ...exprs
      .wholesOf(type)
      .filter(isWhole)
      .flatMap((row) => typesWith(summary, row)),
  ];
}

/**
 * What a declaration gets as its value: arguments, the initial value, what is stored in it, what a function returns.
 */
function givenTo(resolver: Resolver, { file, decl }: DeclRef): readonly Given[] {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const kind = decls.kindOf(decl);
  if (kind === D.param) return argumentsFor(resolver, file, summary, decl);
  if (isFunctionLike(kind)) {
    // A function that a variable holds keeps the variable's type as its value.
    const held = summary.exprs.rowOfClosure(decl);
    return [
      ...[...decls.resultsOf(decl)].map((expr) => ({ file, expr })),
      ...(held === undefined ? [] : [{ file, expr: held }]),
    ];
  }
  const initial = decls.valueOf(decl) >= 0 ? [{ file, expr: decls.valueOf(decl) }] : [];
  return isFieldLike(kind) || kind === D.local ? [...initial, ...storedIn(resolver, { file, decl })] : initial;
}

function storedIn(resolver: Resolver, ref: DeclRef): readonly Given[] {
  return sitesOf(resolver, ref).flatMap(({ file, expr }): Given[] => {
    if (expr < 0) return [];
    const summary = resolver.summary(file);
    const { exprs, decls } = summary;
    if (exprs.opOf(expr) === E.initializer) {
      const literal = exprs.operandOf(expr);
      if (literal < 0 || exprs.opOf(literal) !== E.closure) return [];
      const scope = decls.innerOf(exprs.closureOf(literal));
      return [...decls.inScope(scope, exprs.nameIdOf(expr))].flatMap((member) => {
        const row = decls.valueOf(member) >= 0 ? decls.valueOf(member) : (exprs.rowOfClosure(member) ?? -1);
        return row < 0 ? [] : [{ file, expr: row }];
      });
    }
    return exprs.usesOf(expr).flatMap((use) => (use.kind === 'place' ? [{ file, expr: exprs.storedOf(use.row) }] : []));
  });
}
