/**
 * Where definitions of the tree before an edit are in the one after it.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { declKey } from '../syntax/rows.js';
import type { Question } from './question.js';

/** Undefined for what is nowhere any more, as far as the edit says it. */
export type Counterpart = (ref: DeclRef) => DeclRef | undefined;

export function counterpartsIn({ graphs: { before, after }, edit }: Pick<Question, 'graphs' | 'edit'>): Counterpart {
  const moved = new Map(
    edit.changes.flatMap(({ before: was, after: is }) =>
      was === undefined || is === undefined || was.decl < 0 ? [] : [[declKey(was), is] as const],
    ),
  );
  return (ref) => {
    const known = moved.get(declKey(ref));
    if (known !== undefined) return known;
    if (before.repo.summary(ref.file) === after.repo.summary(ref.file)) return ref;
    const pair = edit.matches.of(ref.file).pairs.find((each) => each.before === ref.decl);
    return pair === undefined ? undefined : { file: ref.file, decl: pair.after };
  };
}

/** Where definitions of the edited tree were before, as far as their files were there. */
export const earlierIn =
  ({ graphs: { before, after }, edit }: Pick<Question, 'graphs' | 'edit'>): Counterpart =>
  ({ file, decl }) => {
    if (before.repo.summary(file) === after.repo.summary(file)) return { file, decl };
    const pair = edit.matches.of(file).pairs.find((each) => each.after === decl);
    return pair === undefined ? undefined : { file, decl: pair.before };
  };

/** Definitions of the same path in the file of the other tree; several of an overloaded one. */
export function namedAlike(from: Resolver, { file, decl }: DeclRef, to: Resolver): readonly DeclRef[] {
  const { decls } = from.summary(file);
  const summary = to.repo.summary(file);
  const name = summary?.idOf(decls.nameOf(decl)) ?? -1;
  const path = decls.pathOf(decl);
  return summary === undefined || name < 0
    ? []
    : [...summary.decls.named(name)]
        .filter((other) => summary.decls.pathOf(other) === path)
        .map((other) => ({ file, decl: other }));
}
