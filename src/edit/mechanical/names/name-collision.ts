/**
 * What a new name means already where it is about to be written: the reason why it must not be.
 */
import { overriddenBy } from '../../../graph/resolve/hierarchy.js';
import { lookUp } from '../../../graph/resolve/names.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { sameDecl } from '../../../syntax/rows.js';

/** In words, what a bare name means in a scope; undefined where it means nothing, or one of the family of `renamed`. */
export function otherMeaning(
  after: Resolver,
  file: string,
  scope: number,
  name: string,
  role: number,
  renamed: DeclRef | undefined,
): string | undefined {
  const { targets } = lookUp(after, file, after.summary(file), scope, name, role);
  return targets.some((target) => isFamily(after, target, renamed)) ? undefined : inWords(after, name, targets);
}

/** `strip already means something else here: lib.py::strip`, from the first of `targets`. */
export function inWords(after: Resolver, name: string, [target]: readonly DeclRef[]): string | undefined {
  return target === undefined
    ? undefined
    : `${name} already means something else here: ` +
        (target.decl < 0 ? target.file : `${target.file}::${after.summary(target.file).decls.pathOf(target.decl)}`);
}

/** The renamed declaration itself, or a member that overrides it or is overridden by it. */
export function isFamily(resolver: Resolver, target: DeclRef, renamed: DeclRef | undefined): boolean {
  if (renamed === undefined) return false;
  return (
    sameDecl(target, renamed) ||
    (target.decl >= 0 && overriddenBy(resolver, target).some((base) => sameDecl(base, renamed))) ||
    overriddenBy(resolver, renamed).some((base) => sameDecl(base, target))
  );
}
