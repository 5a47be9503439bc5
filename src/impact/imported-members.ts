/**
 * Members that a file brings in without their class, as `import static` of Java does, once they belong to objects.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import { E } from '../syntax/summary.js';

export const NO_LONGER_STATIC = 'it is not static any more';

/** Whether a name by itself means a member that an import may have brought, and none of the class around it. */
export function isImportedMember(resolver: Resolver, file: string, expr: number): boolean {
  const { exprs, imports } = resolver.summary(file);
  return (
    exprs.opOf(expr) === E.name &&
    imports.some(({ kind, name }) => kind === 'static' && (name === '*' || name === exprs.nameOf(expr))) &&
    resolver.resolve(file, expr).self === undefined
  );
}
