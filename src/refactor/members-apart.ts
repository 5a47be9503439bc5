/** Members that stand outside of the text of what they are members of: on a prototype, on an object (JavaScript). */
import type { Resolver } from '../graph/resolve/resolver.js';
import { sitesOf } from '../graph/refer/references.js';
import type { DeclRef } from '../languages/language.js';
import { isBlockKind, type Summary } from '../syntax/summary.js';

/** The first such member of a declaration, -1 for none. */
export function memberApart({ decls }: Summary, decl: number): number {
  for (let row = 0; row < decls.count; row++) {
    const isMember = decls.parentOf(row) === decl && isBlockKind(decls.kindOf(row));
    if (isMember && (decls.startOf(row) < decls.startOf(decl) || decls.endOf(row) > decls.endOf(decl))) return row;
  }
  return -1;
}

/**
 * Where statements of the file put members on what has such: they are a part of what it is, as its declaration is.
 * `text`: of the file.
 */
export function definingPlaces(resolver: Resolver, ref: DeclRef, text: string): number[] {
  const summary = resolver.summary(ref.file);
  const { givesMembers } = resolver.language(ref.file).writing;
  if (givesMembers === undefined || memberApart(summary, ref.decl) === -1) return [];
  return sitesOf(resolver, ref)
    .filter(({ file, block }) => file === ref.file && (block < 0 || block === ref.decl))
    .map(({ expr }) => summary.exprs.startOf(expr))
    .filter(
      (start) =>
        givesMembers.behind.test(text.slice(start, start + LOOKED_AT)) ||
        givesMembers.before.test(text.slice(Math.max(0, start - LOOKED_AT), start)),
    );
}

/** A name and what stands around it fit in so many characters. */
const LOOKED_AT = 400;
