/**
 * What attributes hold: all that is assigned to them, in the classes that declare them and through other names, and in
 * those that no class declares what is put into them anywhere. Of one object whose making is in sight (`made-at.ts`)
 * what the making gave it, and nothing that another one got.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F } from '../../syntax/summary.js';
import { storesOf } from './by-name.js';
import type { Answer, Ask } from './fixpoint.js';
import { givenIn } from './flow-arguments.js';
import { callsOf, type CallPlace } from './flow-forward.js';
import { held, heldByAssignment, heldByDecl, joined, OUTSIDE, passed } from './flow.js';
import { findingHeld, type Held } from './held.js';
import { madeAt } from './made-at.js';
import { writesTo } from './references.js';
import type { Site } from './site.js';
import { descendantsOf } from './sites-by-name.js';
import { takersOf, takesComponents } from './takers.js';
import { usesOf } from './uses.js';
import { classOfMember, findMember, ownMembers, searchOrder } from '../resolve/hierarchy.js';
import { bodyAround, sameNamed } from '../resolve/last-assignments.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Value } from '../resolve/value.js';

/** The object that an attribute is taken of. */
interface Owner {
  readonly self: Value | undefined;
  /** The call that made it, where that is in sight. */
  readonly made: CallPlace | undefined;
  /** Of no class below the one that is known. */
  readonly isExact?: boolean;
}

/**
 * What an attribute holds: all assignments to it in the classes that the object is of, and through other names. Of one
 * object whose making is in sight, what the making gave it, and nothing that another one got.
 */
export function heldByField(
  resolver: Resolver,
  field: DeclRef,
  { self, made, isExact = made !== undefined }: Owner,
  ask: Ask,
): Answer<Held> {
  const of = resolver.summary(field.file);
  const owner = classOfMember(of, field.decl);
  const out = findingHeld();
  const type =
    self?.kind === 'instance' || self?.kind === 'class'
      ? self
      : owner === undefined
        ? undefined
        : { file: field.file, decl: owner };
  // An object whose making is not in sight may be of a class below; a declared type says what all of these have.
  const mayBeBelow = !isExact && of.decls.typeOf(field.decl) < 0;
  const sides =
    type === undefined
      ? [field]
      : [...searchOrder(resolver, type), ...(mayBeBelow ? descendantsOf(resolver, type) : [])].flatMap((side) =>
          ownMembers(resolver, side, of.decls.nameOf(field.decl)).slice(0, 1),
        );
  for (const side of sides) {
    const summary = resolver.summary(side.file);
    if (summary.decls.kindOf(side.decl) !== D.field) continue;
    for (const decl of sameNamed(summary, side.decl))
      out.join(givenBy(resolver, side.file, decl, made, ask) ?? heldByAssignment(resolver, side.file, decl, ask));
    out.join(joined(...stored(resolver, side, ask, (site) => !isOfOther(resolver, site, made))));
    out.join(heldByComponent(resolver, side, made, ask));
  }
  return out;
}

/** What an assignment in the constructor puts into the attribute of the object that a call makes. */
function givenBy(
  resolver: Resolver,
  file: string,
  decl: number,
  made: CallPlace | undefined,
  ask: Ask,
): Answer<Held> | undefined {
  const { decls, exprs, scopes } = resolver.summary(file);
  const value = decls.valueOf(decl);
  if (made === undefined || value < 0 || decls.typeOf(decl) >= 0) return undefined;
  const around = scopes.ownerOf(bodyAround(resolver.summary(file), exprs.scopeOf(value)));
  const callee = resolver.summary(made.file).exprs.calleeOf(made.expr);
  const isRun = resolver
    .typeOf(made.file, callee)
    .values.flatMap((type) => (type.kind === 'class' ? takersOf(resolver, type) : []))
    .some((run) => sameDecl(run, { file, decl: around }));
  return isRun ? givenIn(resolver, made, { file, decl: around }, value, ask) : undefined;
}

/** Whether a row takes a member of an object that another call made. */
function isOfOther(
  resolver: Resolver,
  { file, expr }: Pick<Site, 'file' | 'expr'>,
  made: CallPlace | undefined,
): boolean {
  const { exprs } = resolver.summary(file);
  if (made === undefined || expr < 0 || exprs.opOf(expr) !== E.member || exprs.operandOf(expr) < 0) return false;
  const other = madeAt(resolver, file, exprs.operandOf(expr));
  return other !== undefined && placeKey(other) !== placeKey(made);
}

/** What constructions of a data class and of those below it, or one of them, give for its field. */
function heldByComponent(resolver: Resolver, field: DeclRef, by: CallPlace | undefined, ask: Ask): Answer<Held> {
  const out = findingHeld();
  const home = classOfMember(resolver.summary(field.file), field.decl);
  if (home === undefined || !resolver.summary(field.file).decls.has(home, F.dataclass)) return out;
  const type = { file: field.file, decl: home };
  for (const made of [type, ...descendantsOf(resolver, type)]) {
    if (made.file !== field.file || !takesComponents(resolver, made)) continue;
    for (const call of by === undefined ? ask(callsOf(resolver, made)).values.values() : [by])
      out.join(passed(resolver, call, made, field.decl, ask));
  }
  return out;
}

/** What assignments through other names put into a variable or field. */
export function stored(
  resolver: Resolver,
  target: DeclRef,
  ask: Ask,
  isMeant: (site: Site) => boolean,
): Answer<Held>[] {
  return writesTo(resolver, target)
    .filter(isMeant)
    .flatMap(({ file, expr }) => {
      const summary = resolver.summary(file);
      return usesOf(summary, expr).flatMap((use) =>
        use.kind === 'place' ? [ask(held(resolver, file, summary.exprs.secondOf(use.row)))] : [],
      );
    });
}

/**
 * What is put into an attribute that no class declares (`a.run = f`), on this function, class, or objects of the class.
 */
export function attributesSet(
  resolver: Resolver,
  receiver: Held,
  { name, near, made }: { readonly name: string; readonly near: string; readonly made: CallPlace | undefined },
  ask: Ask,
): Answer<Held> | undefined {
  if (receiver.kind !== 'function' && receiver.kind !== 'class' && receiver.kind !== 'instance') return undefined;
  if (receiver.kind !== 'function' && findMember(resolver, receiver, name).found.length > 0) return undefined;
  const stores = storesOf(resolver, name, near);
  if (stores.length === 0) return undefined;
  const isMeant = (value: Held): boolean =>
    value.kind === receiver.kind
      ? sameDecl(value, receiver)
      : value.kind === 'class' &&
        receiver.kind === 'instance' &&
        searchOrder(resolver, receiver).some((side) => sameDecl(side, value));
  const out = findingHeld();
  for (const { file, row } of stores) {
    const { exprs } = resolver.summary(file);
    if (isOfOther(resolver, { file, expr: exprs.placeOf(row) }, made)) continue;
    const owner = ask(held(resolver, file, exprs.operandOf(exprs.placeOf(row))));
    out.open ||= owner.open;
    if ([...owner.values.values()].some(isMeant)) out.join(ask(held(resolver, file, exprs.secondOf(row))));
  }
  if (receiver.kind === 'function') return out;
  // What hangs on nothing that was found so far: an answer may only grow.
  return joined(
    out,
    ...(findMember(resolver, receiver, name).outside ? [OUTSIDE] : membersOfThoseBelow(resolver, receiver, name, ask)),
  );
}

/** What the classes below one have under a name that it leaves to them: which of them is meant nobody says. */
export const membersOfThoseBelow = (
  resolver: Resolver,
  receiver: Held & { kind: 'instance' | 'class' },
  name: string,
  ask: Ask,
): Answer<Held>[] =>
  descendantsOf(resolver, receiver).flatMap((type) =>
    ownMembers(resolver, type, name)
      .slice(0, 1)
      .map((member) => ({
        ...heldByDecl(resolver, member, { ...receiver, args: [], file: type.file, decl: type.decl }, ask),
        open: true,
      })),
  );

export const placeKey = (call: CallPlace | undefined): string =>
  call === undefined ? '' : `${call.file}:${call.expr}`;
