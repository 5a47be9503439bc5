/**
 * Classes by the names that a file has for them, as in the text of a type.
 */
import type { DeclRef } from '../../languages/language.js';
import { isClassLike } from '../../syntax/summary.js';
import { isSubclass } from './hierarchy.js';
import type { Resolver } from './resolver.js';

/** Whether the first name stands for a class below that of the second one. False for what is no name of a class. */
export function isBelow(resolver: Resolver, file: string, name: string, base: string): boolean {
  const [type, above] = [classNamed(resolver, file, name), classNamed(resolver, file, base)];
  return type !== undefined && above !== undefined && isSubclass(resolver, type, above);
}

/** `Name`, or `module.Name`. */
function classNamed(resolver: Resolver, file: string, name: string): DeclRef | undefined {
  const [first = '', second, ...more] = name.split('.');
  if (more.length > 0) return undefined;
  const entities = resolver.topLevel(file, first);
  const found =
    second === undefined
      ? entities
      : entities.flatMap((entity) => (entity.kind === 'module' ? resolver.exported(entity.file, second) : []));
  const [type, ...others] = found.flatMap((entity) =>
    entity.kind === 'decl' && isClassLike(resolver.summary(entity.file).decls.kindOf(entity.decl)) ? [entity] : [],
  );
  return type === undefined || others.length > 0 ? undefined : { file: type.file, decl: type.decl };
}
