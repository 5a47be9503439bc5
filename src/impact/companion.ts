/**
 * A type and a value of one name in one file, which are imported and exported together:
 *
 *     export const Level = { low: 1 } as const;
 *     export type Level = keyof typeof Level;
 *
 * Where one of them gets another name or goes, uses of the other one are not affected, and what brings both goes on
 * bringing the other one.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { DeclRef } from '../languages/language.js';
import { D, R, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';

/** Whether a use of the old name means the companion, which is among what the name leads to now. */
export function meansCompanion(
  { before: was }: AtomicChange,
  { file, expr }: { readonly file: string; readonly expr: number },
  targets: readonly DeclRef[],
  { before, after }: Graphs,
): boolean {
  if (was === undefined || was.decl < 0 || targets.length === 0) return false;
  const old = before.summary(was.file);
  const summary = after.summary(file);
  const role = summary.exprs.roleOf(expr);
  const isType = isTypeAlone(old, was.decl);
  const canMean = role === R.import ? !isRenamedImport(summary, expr) : (role === R.type) !== isType;
  return canMean && targets.some((target) => isCompanion(old, was, after.summary(target.file), target));
}

/** Whether a companion of what got another name keeps the old one. */
export function leavesCompanion({ before, after }: Graphs, { before: was }: AtomicChange): boolean {
  if (was === undefined || was.decl < 0) return false;
  const old = before.summary(was.file);
  const name = old.decls.nameOf(was.decl);
  const now = after.repo.summary(was.file);
  return (
    now !== undefined &&
    [...now.decls.named(now.idOf(name))].some((decl) => isCompanion(old, was, now, { file: was.file, decl }))
  );
}

const isCompanion = (old: Summary, was: DeclRef, now: Summary, { file, decl }: DeclRef): boolean =>
  decl >= 0 &&
  file === was.file &&
  now.decls.pathOf(decl) === old.decls.pathOf(was.decl) &&
  isTypeAlone(now, decl) !== isTypeAlone(old, was.decl);

const isTypeAlone = ({ decls }: Summary, decl: number): boolean =>
  decls.kindOf(decl) === D.typeAlias || decls.kindOf(decl) === D.interface;

/** `import { Level as Depth }`: under the other name both are used. */
const isRenamedImport = ({ imports, decls, exprs }: Summary, expr: number): boolean =>
  imports.some((entry) => entry.expr === expr && entry.decl >= 0 && decls.nameOf(entry.decl) !== exprs.nameOf(expr));
