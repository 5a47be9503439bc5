/**
 * Members that need not take all that those they override are given.
 */
import { overriddenBy } from '../graph/resolve/hierarchy.js';
import { satisfyingMembers } from '../graph/refer/satisfied.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { isFarAbove } from './family.js';
import type { Graphs } from './graphs.js';

/**
 * Whether one of the two overrides the other and needs no more arguments than that is given, where the language asks
 * for no more.
 */
export function takesFewer(changed: DeclRef, other: DeclRef, graphs: Graphs): boolean {
  if (!graphs.after.language(other.file).overridesTakeFewer) return false;
  const otherIsBelow =
    overriddenBy(graphs.after, other).some((base) => sameDecl(base, changed)) ||
    satisfyingMembers(graphs.after, changed).some((below) => sameDecl(below, other)) ||
    isFarAbove(graphs.after, changed, other);
  return otherIsBelow ? doesWith(other, changed, graphs) : doesWith(changed, other, graphs);
}

/** Whether `below` can be called with what `above` is given: it asks for no more, and takes no argument for another. */
export function doesWith(below: DeclRef, above: DeclRef, { after }: Graphs): boolean {
  const least = signatureOf(after.summary(below.file), below.decl).params;
  const most = signatureOf(after.summary(above.file), above.decl).params;
  const stands = (name: string): number => most.findIndex((param) => param.name === name);
  if (least.some(({ name, rest }, i) => !rest && stands(name) >= 0 && stands(name) !== i)) return false;
  return most.some((param) => param.rest) || least.filter((param) => !param.optional).length <= most.length;
}
