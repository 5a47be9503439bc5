/**
 * Classes that lack what a base asks for, once the member that stood for it is deleted or moved: from the class itself,
 * or from an abstract one above that they had it by. No rule of the table leads from a member to its own class.
 *
 *     interface Shape { area(): number }      class Square implements Shape { }      // `area` is deleted
 *
 * The class that is nearest is listed, not those below it; where a class is as abstract as its members are (Python),
 * who makes an object of either as well. A class with a base from outside may have the member from there. Errs towards
 * missing: what a language with overloads tells apart by more than the number of parameters; classes without a name,
 * whose members are no blocks.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { isAbstractMember } from '../graph/resolve/abstract-member.js';
import {
  basesOf,
  classOfMember,
  isAskedOf,
  isSubclass,
  overriddenBy,
  ownMembers,
  searchOrder,
} from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { hasMember } from '../languages/hooks.js';
import type { DeclRef } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { D, F, isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn } from './counterparts.js';
import { constantHas } from './judge-class.js';
import { isAbstract, mayLack } from './lacking-classes.js';
import type { Question } from './question.js';

export function* unfinishedClasses(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const out = new AffectedBlocks();
  const counterpart = counterpartsIn(question);
  for (const cause of edit.changes) {
    const was = cause.before;
    if (was === undefined || was.decl < 0 || !leavesItsClass(cause)) continue;
    const owner = classOfMember(graphs.before.summary(was.file), was.decl);
    const wanted = yield* piece(() => askedFor(graphs.before, was));
    const asked = wanted.flatMap((ref) => counterpart(ref) ?? []).filter((ref) => isAsked(graphs.after, ref));
    if (owner === undefined || asked.length === 0) continue;
    const home = { file: was.file, decl: owner };
    const unfinished: DeclRef[] = [];
    for (const type of [home, ...(yield* piece(() => descendantsOf(graphs.before, home)))]) {
      const now = counterpart(type);
      if (now === undefined) continue;
      const member = yield* piece(() => lackedBy(graphs.after, now, asked));
      if (member === undefined) continue;
      const lack = { after: graphs.after, cause, type: now, asked: member };
      if (graphs.after.language(now.file).abstractByMembers !== undefined)
        for (const site of yield* sitesInTurns(graphs.after, now)) addMade(lack, site, out);
      if (unfinished.some((above) => isSubclass(graphs.after, now, above))) continue;
      unfinished.push(now);
      add(lack, out);
    }
  }
  return out.sorted();
}

/** Whether a member is gone, or stands elsewhere: what it was named for is asked of its class still. */
const leavesItsClass = ({ label, detail }: AtomicChange): boolean =>
  detail.rename === undefined && (label === 'DM' || label === 'DF' || detail.move !== undefined);

/** The members without a body that a member stands for, also by another one between. */
function askedFor(before: Resolver, member: DeclRef): readonly DeclRef[] {
  const seen = new Map<string, DeclRef>();
  const queue = [member];
  for (const next of queue)
    for (const base of overriddenBy(before, next)) {
      if (seen.has(declKey(base))) continue;
      seen.set(declKey(base), base);
      queue.push(base);
    }
  return [...seen.values()].filter((base) => isAsked(before, base));
}

const isAsked = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  isAbstractMember(resolver.summary(file), decl);

/** The first of the members that the class, which can have objects, has to have and has not. */
const lackedBy = (after: Resolver, type: DeclRef, asked: readonly DeclRef[]): DeclRef | undefined =>
  asked.find((member) => {
    const summary = after.summary(member.file);
    const { decls } = summary;
    const owner = { file: member.file, decl: classOfMember(summary, member.decl) ?? -1 };
    if (mayLack(after, type) || !isSubclass(after, type, owner)) return false;
    if (isAbstract(after, type) && decls.kindOf(owner.decl) !== D.interface) return false;
    const name = decls.nameOf(member.decl);
    const isOne = !after.language(member.file).overloads || !isFunctionLike(decls.kindOf(member.decl));
    const countOf = (ref: DeclRef): number => signatureOf(after.summary(ref.file), ref.decl).params.length;
    const isThere = (other: DeclRef): boolean =>
      !sameDecl(other, member) &&
      !after.summary(other.file).decls.has(other.decl, F.bodiless | F.abstract) &&
      (isOne || countOf(other) === countOf(member));
    const standing = searchOrder(after, type).flatMap((above) => ownMembers(after, above, name));
    return isAskedOf(after, type, owner, name) && !standing.some(isThere) && !isOfEachConstant(after, type, name);
  });

/** Whether each constant of an enumeration has the member itself, so that the enumeration need not (Java). */
function isOfEachConstant(after: Resolver, { file, decl }: DeclRef, name: string): boolean {
  const { decls } = after.summary(file);
  const inner = decls.innerOf(decl);
  if (decls.kindOf(decl) !== D.enum || inner < 0) return false;
  const constants = [...decls.allInScope(inner)].filter((row) => decls.kindOf(row) === D.enumMember);
  return constants.length > 0 && constants.every((row) => constantHas(after, file, row, name));
}

/** Whether a base from outside may bring the member. */
function mayHaveFromOutside(after: Resolver, type: DeclRef, name: string): boolean {
  const { library } = after.language(type.file);
  return searchOrder(after, type).some((above) => {
    const { external, unknown } = basesOf(after, above);
    return unknown || external.some((base) => hasMember(library, base.name, name) !== false);
  });
}

/** A class without a member that is asked for. */
interface Lack {
  readonly after: Resolver;
  readonly cause: AtomicChange;
  readonly type: DeclRef;
  readonly asked: DeclRef;
}

function add({ after, cause, type, asked }: Lack, out: AffectedBlocks): void {
  const { by, name } = namesOf(after, asked);
  out.add(type.file, type.decl, {
    expr: -1,
    tier: mayHaveFromOutside(after, type, name) ? 'may' : 'breaks',
    confidence: 'certain',
    reason: `${pathOf(after, type)} stands for ${by}, which asks for ${name}.`,
    fact: `${by} asks for ${name}`,
    rule: 'unfinished-class',
    relation: 'BaseClassOf',
    cause,
  });
}

/** Who makes an object of the class. */
function addMade({ after, cause, type, asked }: Lack, site: Site, out: AffectedBlocks): void {
  const isMade = site.kind === 'instantiate' && site.expr >= 0;
  if (!isMade || !after.resolve(site.file, site.expr).targets.some((target) => sameDecl(target, type))) return;
  const { by, name } = namesOf(after, asked);
  const [maker, made] = [{ file: site.file, decl: site.block }, pathOf(after, type)];
  out.addOnce(site.file, site.block, {
    expr: site.expr,
    tier: mayHaveFromOutside(after, type, name) ? 'may' : 'breaks',
    confidence: site.confidence,
    reason: `${pathOf(after, maker)} makes an object of ${made}, which lacks ${name}, as ${by} asks for it.`,
    fact: `${made} lacks ${name}`,
    rule: 'unfinished-class',
    relation: 'InstantiatedBy',
    cause,
  });
}

function namesOf(after: Resolver, asked: DeclRef): { readonly by: string; readonly name: string } {
  const summary = after.summary(asked.file);
  return { by: summary.decls.nameOf(classOfMember(summary, asked.decl) ?? -1), name: summary.decls.nameOf(asked.decl) };
}

const pathOf = (after: Resolver, { file, decl }: DeclRef): string =>
  decl < 0 ? '<module>' : after.summary(file).decls.pathOf(decl);
