/**
 * Members that a class uses and leaves to the classes below it: a mixin's `self.save()`, where the class that takes it
 * in has `save` from another base, and `super().save()`, where the next class is another one's base.
 *
 * Classes below are found by their bases as written, in the files that say the name of the class, or another one that
 * an import, an export or a variable gives it.
 */
import { keptWith } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, E, isClassLike, type Summary } from '../../syntax/summary.js';
import { basesOf, findMember, ownMembers, searchOrder } from './hierarchy.js';
import type { Resolver } from './resolver.js';
import type { Type } from './value.js';

/** The members that the receiver's objects may have of classes below its own; none where the language has no mixins. */
export function membersBelow(resolver: Resolver, receiver: Type, name: string): readonly DeclRef[] {
  const out = new Map<string, DeclRef>();
  for (const value of receiver.values) {
    // What has the member from somewhere else is not left to classes below.
    if (value.kind !== 'instance' && value.kind !== 'class' && value.kind !== 'super') return [];
    const { id, leavesMembersBelow } = resolver.language(value.file);
    // Most members that a class lacks are those of libraries: nobody here declares the name.
    if (!leavesMembersBelow || resolver.repo.filesDeclaring(id, name).length === 0) return [];
    for (const type of classesBelow(resolver, value)) {
      const order = searchOrder(resolver, type);
      const behind = order.findIndex((side) => sameDecl(side, value)) + 1;
      const found =
        value.kind === 'super'
          ? order
              .slice(behind)
              .map((side) => ownMembers(resolver, side, name))
              .find((own) => own.length > 0)
          : findMember(resolver, type, name).found;
      for (const member of found ?? []) out.set(declKey(member), member);
    }
  }
  return [...out.values()];
}

/** All classes that derive from a type, nearest first. */
export function classesBelow(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  return resolver.answer<readonly DeclRef[]>('classes below', type.file, type.decl, [], () => {
    const out: DeclRef[] = [];
    const seen = new Set([declKey(type)]);
    const queue: DeclRef[] = [{ file: type.file, decl: type.decl }];
    for (const base of queue) {
      for (const derived of namingAsBase(resolver, base)) {
        if (seen.has(declKey(derived)) || !basesOf(resolver, derived).classes.some((one) => sameDecl(one, base)))
          continue;
        seen.add(declKey(derived));
        out.push(derived);
        queue.push(derived);
      }
    }
    return out;
  });
}

/** Classes that have a base of the type's name, or of one that somebody gives what has that name. */
function* namingAsBase(resolver: Resolver, base: DeclRef): Generator<DeclRef> {
  const of = resolver.summary(base.file);
  const called = new Set([of.decls.nameOf(base.decl)]);
  for (const name of called)
    for (const file of resolver.repo.filesMentioning(name)) {
      const summary = resolver.summary(file);
      if (summary.language !== of.language) continue;
      for (const other of givenNames(summary).get(name) ?? []) called.add(other);
      for (const { decl, names } of derivedIn(summary)) if (names?.has(name) !== false) yield { file, decl };
    }
}

const givenMemo = new WeakMap<Summary, ReadonlyMap<string, ReadonlySet<string>>>();

/** Other names that a file gives to what it calls by one, in imports, exports and variables. Kept with the summary. */
const givenNames = (summary: Summary): ReadonlyMap<string, ReadonlySet<string>> =>
  keptWith(givenMemo, summary, findGivenNames);

function findGivenNames({ decls, exprs, imports, exports }: Summary): ReadonlyMap<string, ReadonlySet<string>> {
  const out = new Map<string, Set<string>>();
  const give = (name: string, other: string): void => {
    if (name !== other && name !== '' && other !== '*') out.set(name, (out.get(name) ?? new Set<string>()).add(other));
  };
  for (const { decl, name } of imports) if (decl >= 0) give(name, decls.nameOf(decl));
  for (const { local, name } of exports) give(local, name);
  for (let decl = 0; decl < decls.count; decl++) {
    const value = decls.kindOf(decl) === D.variable ? decls.valueOf(decl) : -1;
    if (value >= 0 && (exprs.opOf(value) === E.name || exprs.opOf(value) === E.member))
      give(exprs.nameOf(value), decls.nameOf(decl));
  }
  return out;
}

/** A class with bases. */
interface Derived {
  readonly decl: number;
  /** What they are called; undefined where the file gives one of them a name of its own, or it is no mere name. */
  readonly names: ReadonlySet<string> | undefined;
}

const derivedMemo = new WeakMap<Summary, readonly Derived[]>();

/** Kept with the summary: what derives from a class is asked of each file that says its name, for each such class. */
const derivedIn = (summary: Summary): readonly Derived[] => keptWith(derivedMemo, summary, findDerived);

function findDerived(summary: Summary): readonly Derived[] {
  const { decls } = summary;
  const derived: Derived[] = [];
  for (let decl = 0; decl < decls.count; decl++)
    if (isClassLike(decls.kindOf(decl)) && decls.basesOf(decl).length > 0)
      derived.push({ decl, names: namesOfBases(summary, decl) });
  return derived;
}

function namesOfBases(summary: Summary, decl: number): ReadonlySet<string> | undefined {
  const { decls, exprs } = summary;
  const names = new Set<string>();
  for (const base of decls.basesOf(decl)) {
    // `Base[T]`
    const row = exprs.opOf(base) === E.index ? exprs.operandOf(base) : base;
    const op = exprs.opOf(row);
    if ((op !== E.name && op !== E.member) || (op === E.name && isOwnName(summary, row))) return undefined;
    names.add(exprs.nameOf(row));
  }
  return names;
}

/** Whether the file may mean something by the name that is called otherwise where it is declared. */
function isOwnName(summary: Summary, row: number): boolean {
  const { decls, exprs, imports } = summary;
  const name = exprs.nameIdOf(row);
  const isRenamed = imports.some(
    ({ decl, name: of }) => decl >= 0 && decls.nameIdOf(decl) === name && of !== exprs.nameOf(row),
  );
  return (
    isRenamed ||
    [...decls.named(name)].some((decl) => !isClassLike(decls.kindOf(decl)) && decls.kindOf(decl) !== D.importBinding)
  );
}
