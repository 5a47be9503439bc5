/**
 * Members that a class lost and has all the same, since it inherits them now.
 */
import { basesOf, classOfMember, findMember, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, F, type Summary } from '../syntax/summary.js';
import type { AtomicChange } from './atomic-change.js';

interface Versions {
  readonly before: Resolver;
  readonly after: Resolver;
}

/**
 * `alike`: what users write stays as it is. `other`: the name is there still, in another form: read where it was called
 * or called where it was read, or with other parameters. `none`: nothing stands for it, or the class is gone.
 */
export type Inherited = 'alike' | 'other' | 'none';

/**
 * What stands for a deleted member in the class that it is deleted from. `known`: that class as it is now, where it is
 * not under its path in its file.
 */
export function inheritedInstead(
  versions: Versions,
  { before: was, after: is }: Pick<AtomicChange, 'before' | 'after'>,
  known?: DeclRef,
): Inherited {
  const type = was === undefined || is !== undefined ? undefined : (known ?? classNow(versions, was));
  if (was === undefined || type === undefined) return 'none';
  const { before, after } = versions;
  const old = before.summary(was.file);
  const name = old.decls.nameOf(was.decl);
  const { found } = findMember(after, type, name);
  if (found.length === 0) return isOfLibrary(after, type, name) ? 'alike' : 'none';
  const form = formOf(old, was.decl);
  return found.some(({ file, decl }) => formOf(after.summary(file), decl) === form) ? 'alike' : 'other';
}

/** Whether the class of a member reaches another one by its name now, which is written as that one was. */
export function standsForMember(versions: Versions, was: DeclRef, now: DeclRef): boolean {
  const type = classNow(versions, was);
  if (type === undefined) return false;
  const { before, after } = versions;
  const old = before.summary(was.file);
  return (
    findMember(after, type, old.decls.nameOf(was.decl)).found.some((found) => sameDecl(found, now)) &&
    formOf(old, was.decl) === formOf(after.summary(now.file), now.decl)
  );
}

/** The class that a member stood in, as it is now; undefined for constructors, which are not inherited by name. */
export function classNow({ before, after }: Versions, member: DeclRef): DeclRef | undefined {
  if (member.decl < 0) return undefined;
  const old = before.summary(member.file);
  const owner = classOfMember(old, member.decl);
  const now = after.repo.summary(member.file);
  if (owner === undefined || now === undefined || old.decls.kindOf(member.decl) === D.constructor) return undefined;
  const path = old.decls.pathOf(owner);
  const row = now.idOf(old.decls.nameOf(owner));
  const decl = row < 0 ? undefined : [...now.decls.named(row)].find((each) => now.decls.pathOf(each) === path);
  return decl === undefined ? undefined : { file: member.file, decl };
}

/** Whether a class from outside that the type derives from is known to have the member. */
function isOfLibrary(resolver: Resolver, type: DeclRef, name: string): boolean {
  const { interfaceMembers } = resolver.language(type.file).library;
  return searchOrder(resolver, type).some((base) =>
    basesOf(resolver, base).external.some((outside) => interfaceMembers.get(outside.name)?.has(name) === true),
  );
}

/** What a use has to know of a member: whether it is called, and with which parameters. */
function formOf(summary: Summary, decl: number): string {
  const { decls } = summary;
  if (decls.kindOf(decl) !== D.method || decls.has(decl, F.getter | F.setter)) return 'read';
  return signatureOf(summary, decl)
    .params.map(({ name }) => name)
    .join();
}
