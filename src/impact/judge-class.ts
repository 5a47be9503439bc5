/**
 * Judges classes below one that changed: what they have to implement now, and what they do not inherit any more.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { isAbstractMember } from '../graph/resolve/abstract-member.js';
import { basesOf, classOfMember, findMember, isAskedOf, ownMembers, searchOrder } from '../graph/resolve/hierarchy.js';
import { givesFunction } from '../graph/refer/function-values.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl, type DeclRow } from '../syntax/rows.js';
import { D, E, F, isBlockKind, isClassLike, isFunctionLike } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { classMadeAt, isAbstract, mayLack } from './lacking-classes.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** A class below one whose bases changed: it can stay as it is where all that it inherited is still there. */
export function inheritsOther({ before: was, after: is }: AtomicChange, _site: JudgedSite, graphs: Graphs): Verdict {
  if (was === undefined || is === undefined) return may();
  const lost = searchOrder(graphs.before, was).flatMap((type) => memberNames(graphs.before, type));
  const isKept = lost.every((name) => findMember(graphs.after, is, name).found.length > 0);
  return isKept && !losesOutside(was, is, graphs) ? { tier: 'may', fits: true } : may();
}

/** Whether a base of the old class that is nobody's here, or not known, is not one of the new class. */
function losesOutside(was: DeclRef, is: DeclRef, { before, after }: Graphs): boolean {
  const namesOf = (resolver: Resolver, type: DeclRef): string[] =>
    searchOrder(resolver, type).flatMap((each) => basesOf(resolver, each).external.map(({ name }) => name));
  const now = new Set(namesOf(after, is));
  return namesOf(before, was).some((name) => !now.has(name));
}

/** An object of a class without a name, which derives from what is named behind `new`. */
export const derivesThere = (_change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict =>
  classMadeAt(after.summary(site.file), site.expr) === undefined ? 'fine' : breaks();

function memberNames(resolver: Resolver, { file, decl }: DeclRef): string[] {
  const { decls } = resolver.summary(file);
  const inner = decls.innerOf(decl);
  return inner < 0
    ? []
    : [...decls.allInScope(inner)].filter((row) => isBlockKind(decls.kindOf(row))).map((row) => decls.nameOf(row));
}

/** A class below an interface or abstract class that got a member which must be implemented. */
export function lacksMember(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  if (site.expr >= 0 && givesFunction(after, site.file, site.expr))
    return isPutOn(change, site, after) ? 'fine' : breaks('a function stands for one method alone');
  const made = classMadeAt(summary, site.expr);
  const type = { file: site.file, decl: made ?? site.block };
  if (
    change.after === undefined ||
    (made === undefined && !isClassLike(summary.decls.kindOf(type.decl))) ||
    mayLack(after, type)
  )
    return 'fine';
  const name = after.summary(change.after.file).decls.nameOf(change.after.decl);
  if (isAbstract(after, type) && !isOfInterface(after, change.after)) return 'fine';
  const owner = { file: change.after.file, decl: after.summary(change.after.file).decls.parentOf(change.after.decl) };
  const isBelow = made === undefined && searchOrder(after, type).some((above) => sameDecl(above, owner));
  if (isBelow && !isAskedOf(after, type, owner, name)) return 'fine';
  const own = ownMembers(after, type, name);
  const inherited = findMember(after, type, name).found.filter(
    (member) =>
      !after.summary(member.file).decls.has(member.decl, F.bodiless | F.abstract) &&
      !own.some((each) => sameDecl(each, member)) &&
      !(member.file === change.after?.file && member.decl === change.after.decl),
  );
  const isThere = coversOverloads(after, [...own, ...inherited], change.after);
  return isThere ? 'fine' : breaks(`it does not implement ${name}`);
}

/** A constant of an enumeration whose own member has no body: the constant's has to have one. */
export function constantLacks({ after: asked }: AtomicChange, { file, block }: JudgedSite, { after }: Graphs): Verdict {
  const { decls } = after.summary(file);
  if (asked === undefined || asked.file !== file || decls.kindOf(block) !== D.enumMember) return 'fine';
  const name = decls.nameOf(asked.decl);
  return constantHas(after, file, block, name) ? 'fine' : breaks(`it does not implement ${name}`);
}

/** Whether a constant of an enumeration has a body with a member of the name. */
export function constantHas(resolver: Resolver, file: string, constant: DeclRow, name: string): boolean {
  const { decls, exprs } = resolver.summary(file);
  const value = decls.valueOf(constant);
  const body = value >= 0 && exprs.opOf(value) === E.closure ? exprs.closureOf(value) : -1;
  return body >= 0 && ownMembers(resolver, { file, decl: body }, name).length > 0;
}

/** Whether a function is handed on together with what has the member: `Object.assign((x) => x, { note: '' })`. */
function isPutOn({ after: member }: AtomicChange, { file, expr }: JudgedSite, after: Resolver): boolean {
  const { exprs } = after.summary(file);
  const name = member === undefined ? '' : after.summary(member.file).decls.nameOf(member.decl);
  return exprs
    .usesOf(expr)
    .flatMap((use) => (use.kind === 'argument' ? exprs.argumentsOf(use.row) : []))
    .filter((argument) => argument.expr !== expr)
    .flatMap((argument) => after.typeOf(file, argument.expr).values)
    .some((value) => value.kind === 'instance' && findMember(after, value, name).found.length > 0);
}

/**
 * A call of the class that got an abstract member itself, where it could be made though it was abstract. A class
 * without a name below it is judged as such.
 */
export function makesAbstract({ after: member }: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (member === undefined || site.expr < 0) return 'fine';
  const { decls } = after.summary(member.file);
  const type = { file: member.file, decl: decls.parentOf(member.decl) };
  if (type.decl < 0) return 'fine';
  const isItself = after.resolve(site.file, site.expr).targets.some((target) => sameDecl(target, type));
  const isMade = isItself && classMadeAt(after.summary(site.file), site.expr) === undefined;
  const wasAbstract = before
    .topLevel(type.file, decls.nameOf(type.decl))
    .some((entity) => entity.kind === 'decl' && isAbstract(before, entity));
  return isMade && wasAbstract && isAbstract(after, type)
    ? breaks(`its ${decls.nameOf(member.decl)} is abstract now`)
    : 'fine';
}

/**
 * Whether the members are enough for the one that is asked for and for those beside it of the same name and number of
 * parameters.
 */
function coversOverloads(after: Resolver, members: readonly DeclRef[], asked: DeclRef): boolean {
  const { overloads } = after.language(asked.file);
  const { decls } = after.summary(asked.file);
  if (!overloads || !isFunctionLike(decls.kindOf(asked.decl))) return members.length > 0;
  const countOf = ({ file, decl }: DeclRef): number => signatureOf(after.summary(file), decl).params.length;
  const count = countOf(asked);
  const beside = [...decls.inScope(decls.scopeOf(asked.decl), decls.nameIdOf(asked.decl))].filter(
    (decl) => isAbstractMember(after.summary(asked.file), decl) && countOf({ file: asked.file, decl }) === count,
  );
  return members.filter((member) => countOf(member) === count).length >= beside.length;
}

/** What an abstract class asks for, one below it inherits as it is. */
function isOfInterface(after: Resolver, member: DeclRef): boolean {
  const summary = after.summary(member.file);
  return summary.decls.kindOf(classOfMember(summary, member.decl) ?? -1) === D.interface;
}
