/**
 * Type parameters that an edit gave other names: `class Box<T>` became `class Box<Item>`.
 */
import { type Summary } from '../syntax/summary.js';

export interface RenamedTypeParameter {
  readonly from: string;
  readonly to: string;
  /** Row of the parameter as it is now. */
  readonly decl: number;
}

/**
 * Those at the same place under another name, where neither name is that of another one. Empty if their number changed.
 */
export function renamedTypeParameters(
  before: Summary,
  oldDecl: number,
  after: Summary,
  newDecl: number,
): RenamedTypeParameter[] {
  const old = [...before.decls.typeParamsOf(oldDecl)].map((row) => before.decls.nameOf(row));
  const rows = [...after.decls.typeParamsOf(newDecl)];
  const now = rows.map((row) => after.decls.nameOf(row));
  if (old.length !== now.length) return [];
  return old.flatMap((from, i): RenamedTypeParameter[] => {
    const to = now[i] as string;
    return from === to || now.includes(from) || old.includes(to) ? [] : [{ from, to, decl: rows[i] as number }];
  });
}

/** A text in which names have other names now, old to new. */
export const respelled = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (name) => names.get(name) ?? name);
