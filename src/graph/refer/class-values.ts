/**
 * Calls that make an object of a class which they do not name: `cls(…)`, `type(x)(…)`, `self.__class__(…)`, `new
 * this(…)`, and calls of a parameter, local or field that is declared to be a class.
 *
 * The class is that of the declared type. Where the call makes an object of the receiver's own class, that can be one
 * below as well: such a call may run the constructor of each class below that has one of its own.
 */
import { keptWith } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, R, type LanguageId, type Summary } from '../../syntax/summary.js';
import { searchOrder } from '../resolve/hierarchy.js';
import { isInside } from '../resolve/last-assignments.js';
import { classesBelow } from '../resolve/members-below.js';
import type { Confidence } from '../resolve/names.js';
import { constructorsOf, fittingCalls, runWhenMade } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import { aliasedBy } from './alias.js';
import { namesOfGivers, namesOfReturned } from './returned-classes.js';
import type { Site } from './site.js';

/** All such calls of a file, as sites of the classes and of their constructors. */
export function classCallsIn(resolver: Resolver, file: string): readonly Site[] {
  return resolver.answer<readonly Site[]>('class calls', file, '', [], () => {
    const summary = resolver.summary(file);
    const { exprs, scopes } = summary;
    const { callableClasses, followsValues } = resolver.language(file);
    return [...exprs.ofOp(E.call), ...exprs.ofOp(E.new)].flatMap((call): Site[] => {
      const callee = exprs.calleeOf(call);
      if (callee < 0) return [];
      const canHold =
        canHoldClass(summary, callee, callableClasses && followsValues) ||
        (!followsValues && exprs.roleOf(callee) === R.newCallee && holdsClass(resolver, file, callee));
      if (!canHold) return [];
      const { values, unknown } = resolver.typeOf(file, callee);
      const classes = values.filter((value) => value.kind === 'class' && isClass(resolver, value));
      const confidence = !unknown && values.length === 1 ? 'certain' : 'possible';
      const site = (target: DeclRef, sure: Confidence): Site => ({
        file,
        expr: callee,
        block: scopes.blockOf(exprs.scopeOf(callee)),
        target: { file: target.file, decl: target.decl },
        kind: 'instantiate',
        confidence: sure,
        via: 'class value',
      });
      return classes.flatMap((type) => {
        if (type.kind !== 'class') return [];
        const made = calledConstructors(resolver, file, callee, type);
        return [
          ...[type, ...made].map((target) => site(target, confidence)),
          ...(isOfReceiver(summary, callee) ? madeBelow(resolver, type, made) : []).map((target) =>
            site(target, 'possible'),
          ),
        ];
      });
    });
  });
}

/** Whether a callee gives the class of the object or class that the method is called on, whichever that is. */
function isOfReceiver(summary: Summary, callee: number): boolean {
  const { exprs, decls } = summary;
  const held = classOfHeldBy(summary, callee) ?? callee;
  const row = exprs.opOf(held) === E.classOf ? exprs.operandOf(held) : held;
  if (row < 0 || exprs.opOf(row) === E.this) return row >= 0;
  const isReceiver = (decl: number): boolean => decls.kindOf(decl) === D.param && decls.has(decl, F.receiver);
  return exprs.opOf(row) === E.name && [...decls.named(exprs.nameIdOf(row))].some(isReceiver);
}

/** The row that asks an object for its class, where a local holds that: `cls = self.__class__`. */
function classOfHeldBy(summary: Summary, callee: number): number | undefined {
  const { exprs, decls } = summary;
  if (exprs.opOf(callee) !== E.name) return undefined;
  for (const decl of decls.named(exprs.nameIdOf(callee))) {
    const isAround = decls.kindOf(decl) === D.local && isInside(summary, exprs.scopeOf(callee), decls.scopeOf(decl));
    const value = isAround ? decls.valueOf(decl) : -1;
    if (value >= 0 && exprs.opOf(value) === E.classOf) return value;
  }
  return undefined;
}

/** What makes objects of the classes below a type, where that is not what makes its own. */
function madeBelow(resolver: Resolver, type: DeclRef, own: readonly DeclRef[]): readonly DeclRef[] {
  const all = classesBelow(resolver, type).flatMap((below): readonly DeclRef[] => {
    const { decls } = resolver.summary(below.file);
    const constructors = constructorsOf(resolver, below);
    // Where none is written, the fields are what is given.
    return constructors.length === 0 && decls.hasParams(below.decl) ? [below] : constructors;
  });
  return [...new Map(all.map((made) => [declKey(made), made])).values()].filter(
    (made) => !own.some((known) => sameDecl(known, made)),
  );
}

/** Of those calls, the ones that make objects of the types, or run the constructor, that `target` is. */
export const classCallsTo = (resolver: Resolver, target: DeclRef, types: readonly DeclRef[]): readonly Site[] =>
  filesOfClassCalls(resolver, target, types).flatMap((file) =>
    classCallsIn(resolver, file).filter((site) => sameDecl(site.target, target)),
  );

/** The files in which such a call may stand. */
export function filesOfClassCalls(resolver: Resolver, target: DeclRef, types: readonly DeclRef[]): readonly string[] {
  const above = types.flatMap((type) => searchOrder(resolver, type));
  const names = [...types, ...above].flatMap((type) => [
    resolver.summary(type.file).decls.nameOf(type.decl),
    ...namesOfReturned(resolver, type),
    ...namesOfGivers(resolver, type),
  ]);
  const files = new Set(names.flatMap((name) => resolver.repo.filesMentioning(name)));
  const { id } = resolver.language(target.file);
  return [...files, ...filesAskingForClasses(resolver, id).filter((file) => !files.has(file))].filter(
    (file) => resolver.language(file).id === id,
  );
}

/** Files that call the class of an object, which need not say its name: `type(x)(…)`. */
const filesAskingForClasses = (resolver: Resolver, language: LanguageId): readonly string[] =>
  resolver.repo.memo(`files asking for classes ${language}`, () =>
    resolver.repo.filesOf(language).filter((file) => asksForClass(resolver.summary(file))),
  );

const asksMemo = new WeakMap<Summary, boolean>();

/** Kept with the summary: all files are gone through after each edit. */
const asksForClass = (summary: Summary): boolean =>
  keptWith(asksMemo, summary, ({ exprs }) =>
    exprs
      .ofOp(E.classOf)
      .some((row) => exprs.callOf(row) >= 0 || exprs.usesOf(row).some(({ kind }) => kind === 'value')),
  );

const isClass = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  isClassLike(resolver.summary(file).decls.kindOf(decl));

/**
 * Whether a callee can be a class without being its name: most are told by their rows alone. What holds a class without
 * a declared type is followed as a value.
 */
function canHoldClass(summary: Summary, callee: number, byName: boolean): boolean {
  const { exprs, decls } = summary;
  const op = exprs.opOf(callee);
  // `this(…)` is a call of another constructor (Java, C#).
  if (op === E.this) return exprs.roleOf(callee) === R.newCallee;
  if (op === E.classOf || op === E.cast) return true;
  if (!byName || (op !== E.name && op !== E.member)) return false;
  if (classOfHeldBy(summary, callee) !== undefined) return true;
  for (const decl of decls.named(exprs.nameIdOf(callee))) {
    const kind = decls.kindOf(decl);
    if (kind === D.param && decls.has(decl, F.receiver) && op === E.name) return true;
    if ((kind === D.param || kind === D.local || kind === D.field) && decls.typeOf(decl) >= 0) return true;
  }
  return false;
}

/**
 * Where values are not followed: whether the callee is a variable, or a call, and so may be a class that a function
 * gave. A name that is declared as `typeof A`, or is another one alone, is an alias.
 */
function holdsClass(resolver: Resolver, file: string, callee: number): boolean {
  const { exprs } = resolver.summary(file);
  const op = exprs.opOf(callee);
  if (op === E.call) return true;
  if (op !== E.name && op !== E.member) return false;
  const { targets, confidence } = resolver.resolve(file, callee);
  // A property that was put on a function is declared nowhere.
  if (op === E.member && (targets.length === 0 || confidence === 'possible')) return true;
  return targets.some((target) => {
    if (target.decl < 0) return false;
    const { decls } = resolver.summary(target.file);
    const kind = decls.kindOf(target.decl);
    // `[Store].map((type) => new type())`
    if (kind === D.param) return decls.typeOf(target.decl) < 0;
    const isHolder = isFieldLike(kind) || kind === D.local;
    return isHolder && decls.valueOf(target.decl) >= 0 && aliasedBy(resolver, target).length === 0;
  });
}

/** The constructors that a call runs whose callee gives the class. */
export function calledConstructors(
  resolver: Resolver,
  file: string,
  callee: number,
  type: DeclRef,
): readonly DeclRef[] {
  const all = runWhenMade(resolver, type);
  const call = resolver.summary(file).exprs.callOf(callee);
  return call < 0 || all.length < 2 ? all : fittingCalls.among(resolver, all, { file, expr: call });
}
