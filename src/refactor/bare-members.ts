/**
 * A static member that goes to another type says by the type's name what it said bare of the one that it leaves:
 * `isEmpty(text)` becomes `Util.isEmpty(text)`. What goes along with it stays bare.
 */
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import { findMember, qualifiedName } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { blockPath, E, isClassLike, R } from '../syntax/summary.js';
import { cutText } from './cut.js';
import { spaceOf } from './new-name.js';
import type { Piece } from './pieces.js';
import { textOf, type Sources } from './seed.js';

/** The piece's text as it has to be in `home`, at the margin. */
export function textInType(sources: Sources, piece: Piece, moved: readonly DeclRef[], home: DeclRef): string {
  const { resolver } = sources;
  const { file, start, end } = piece;
  const { exprs } = resolver.summary(file);
  const edits: TextEdit[] = [];
  for (let expr = 0; expr < exprs.count; expr++) {
    const at = exprs.startOf(expr);
    if (at < start || at >= end || exprs.opOf(expr) !== E.name || exprs.roleOf(expr) === R.doc) continue;
    const owner = ownerOfBare(resolver, piece, expr, moved);
    if (owner === undefined || sameDecl(owner, home)) continue;
    const summary = resolver.summary(owner.file);
    const isBeside = spaceOf(resolver, owner) === spaceOf(resolver, home);
    const name = isBeside ? blockPath(summary, owner.decl) : qualifiedName(summary, owner.decl);
    edits.push({ start: at - start, end: at - start, text: `${name}.` });
  }
  return edits.length === 0
    ? piece.text
    : cutText(textOf(sources, file), { start, end }, (lines) => applyEdits(lines, edits));
}

/** The type whose member a bare name means, since the piece stands in it or in one below it. */
function ownerOfBare(resolver: Resolver, piece: Piece, expr: number, moved: readonly DeclRef[]): DeclRef | undefined {
  const { file } = piece;
  const { decls, exprs } = resolver.summary(file);
  // Overloads are several, of one type.
  const { targets } = resolver.resolve(file, expr);
  const [target] = targets;
  if (target === undefined || target.decl < 0) return undefined;
  const { decls: theirs } = resolver.summary(target.file);
  const owner = theirs.parentOf(target.decl);
  if (owner < 0 || !isClassLike(theirs.kindOf(owner)) || moved.some((ref) => sameDecl(ref, target))) return undefined;
  const isOfPiece =
    target.file === file && theirs.startOf(target.decl) >= piece.start && theirs.startOf(target.decl) < piece.end;
  if (isOfPiece) return undefined;
  const found: DeclRef = { file: target.file, decl: owner };
  const isAround = (ref: DeclRef): boolean => {
    for (let around = decls.parentOf(ref.decl); around >= 0; around = decls.parentOf(around))
      if (isClassLike(decls.kindOf(around)) && hasMemberOf(resolver, { file, decl: around }, found, exprs.nameOf(expr)))
        return true;
    return false;
  };
  return piece.refs.some(isAround) ? found : undefined;
}

/** Whether the type has the name from `owner`, which is itself or one that it derives from. */
function hasMemberOf(resolver: Resolver, type: DeclRef, owner: DeclRef, name: string): boolean {
  return (
    sameDecl(type, owner) ||
    findMember(resolver, type, name, true).found.some(
      ({ file, decl }) => file === owner.file && resolver.summary(file).decls.parentOf(decl) === owner.decl,
    )
  );
}
