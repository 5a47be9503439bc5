/**
 * Members that whoever implements an interface, or derives from an abstract class, has to write.
 */
import { D, F, type Summary } from '../../syntax/summary.js';
import { classOfMember } from './hierarchy.js';

/** Whether the declaration is a member without a body in an interface or abstract class, and not optional. */
export function isAbstractMember(summary: Summary, decl: number): boolean {
  const { decls } = summary;
  const owner = classOfMember(summary, decl);
  if (owner === undefined || decls.has(decl, F.optional)) return false;
  if (decls.has(decl, F.abstract)) return true;
  if (decls.has(decl, F.static)) return false;
  const inInterface = decls.kindOf(owner) === D.interface || decls.kindOf(owner) === D.typeAlias;
  return inInterface && (decls.has(decl, F.bodiless) || decls.kindOf(decl) === D.field);
}
