/**
 * What went, or moved, with the class that holds it.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { F } from '../syntax/summary.js';

/**
 * Whether what mentions a deleted member reaches it through its class, which is deleted too and whose mentions are
 * listed. An extension method is reached through its first argument.
 */
export function isReachedThroughClass(
  before: Resolver,
  { before: ref, after }: AtomicChange,
  changes: readonly AtomicChange[],
): boolean {
  if (ref === undefined || after !== undefined || ref.decl < 0) return false;
  const isExtension = before.summary(ref.file).decls.has(ref.decl, F.extension);
  return !isExtension && isInside(before, ref, deletedClasses(before, changes));
}

const known = new WeakMap<readonly AtomicChange[], ReadonlySet<string>>();

/**
 * Keys of the deleted classes; remembered with the changes. One of several parts is none: the class may be there still.
 */
export function deletedClasses(before: Resolver, changes: readonly AtomicChange[]): ReadonlySet<string> {
  let classes = known.get(changes);
  if (classes === undefined) {
    classes = new Set(
      changes.flatMap(({ label, before: ref }) =>
        label === 'DC' && ref !== undefined && !before.summary(ref.file).decls.has(ref.decl, F.partial)
          ? [`${ref.file}\0${ref.decl}`]
          : [],
      ),
    );
    known.set(changes, classes);
  }
  return classes;
}

/** Whether one of the classes, by key, holds the block, nearer or further out. */
export function isInside(resolver: Resolver, ref: DeclRef | undefined, classes: ReadonlySet<string>): boolean {
  if (ref === undefined || ref.decl < 0 || classes.size === 0) return false;
  const { decls } = resolver.summary(ref.file);
  for (let parent = decls.parentOf(ref.decl); parent >= 0; parent = decls.parentOf(parent))
    if (classes.has(`${ref.file}\0${parent}`)) return true;
  return false;
}
