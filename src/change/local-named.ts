/** Which local of a function a row names. */
import { D, F, type Summary } from '../syntax/summary.js';

/** The one local that a row names, if it is never assigned anew. */
export function localNamed({ exprs, decls, scopes }: Summary, row: number, owner: number): number | undefined {
  // The keys of a literal are declared like locals.
  const isKey = (decl: number): boolean => {
    const around = scopes.ownerOf(decls.scopeOf(decl));
    return around >= 0 && decls.kindOf(around) === D.anonymousClass;
  };
  const locals = [...decls.named(exprs.nameIdOf(row))].filter(
    (decl) =>
      decls.kindOf(decl) === D.local &&
      !isKey(decl) &&
      decls.startOf(decl) >= decls.bodyStartOf(owner) &&
      decls.endOf(decl) <= decls.endOf(owner),
  );
  const [local] = locals;
  return local === undefined || locals.length > 1 || decls.has(local, F.reassigned) ? undefined : local;
}
