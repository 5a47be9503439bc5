/**
 * Members that a class lost and has all the same, since it inherits them now.
 */
import { classOfMember, findMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D } from '../syntax/summary.js';
import type { AtomicChange } from './atomic-change.js';

/** What stands for a deleted member in the class that it is deleted from; empty where nothing does, or the class is gone. */
export function inheritedInstead(
  { before, after }: { readonly before: Resolver; readonly after: Resolver },
  { before: was, after: is }: AtomicChange,
): readonly DeclRef[] {
  if (was === undefined || is !== undefined || was.decl < 0) return [];
  const old = before.summary(was.file);
  const owner = classOfMember(old, was.decl);
  const now = after.repo.summary(was.file);
  if (owner === undefined || now === undefined || old.decls.kindOf(was.decl) === D.constructor) return [];
  const path = old.decls.pathOf(owner);
  const row = now.idOf(old.decls.nameOf(owner));
  const there = row < 0 ? undefined : [...now.decls.named(row)].find((decl) => now.decls.pathOf(decl) === path);
  return there === undefined
    ? []
    : findMember(after, { file: was.file, decl: there }, old.decls.nameOf(was.decl)).found;
}
