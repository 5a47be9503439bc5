/**
 * Judges object literals of a type that got a member which every object of it must have.
 *
 * A literal names no type. It is found by its keys, which are members of the type that its place
 * expects: those of one other member that all whole literals must have had as well.
 */
import { childrenOf } from '../change/match-blocks.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { lackedByLiteral } from '../graph/resolve/literal-keys.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E, F, isFieldLike, isFunctionLike } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, type JudgedSite, type Verdict } from './verdict.js';

/**
 * Another member of the type that its objects must have, the one whose name the fewest files say; none of a type
 * without one.
 */
export function requiredBeside({ repo }: Resolver, { file, decl }: DeclRef): DeclRef[] {
  const summary = repo.summary(file);
  const owner = summary === undefined ? -1 : summary.decls.parentOf(decl);
  if (summary === undefined || owner < 0) return [];
  const required = childrenOf(summary, owner).filter(
    (other) =>
      other !== decl &&
      !summary.decls.has(other, F.optional) &&
      (isFieldLike(summary.decls.kindOf(other)) || isFunctionLike(summary.decls.kindOf(other))),
  );
  const filesOf = (member: number): number => repo.filesMentioning(summary.decls.nameOf(member)).length;
  const [first, ...others] = required;
  return first === undefined
    ? []
    : [{ file, decl: others.reduce((best, member) => (filesOf(member) < filesOf(best) ? member : best), first) }];
}

/** A key of a literal in which the new member is missing. */
export function literalLacks(change: AtomicChange, site: JudgedSite, { after }: Graphs): Verdict {
  const { exprs } = after.summary(site.file);
  if (change.after === undefined || site.expr < 0 || exprs.opOf(site.expr) !== E.initializer) return 'fine';
  const literal = exprs.operandOf(site.expr);
  const name = after.summary(change.after.file).decls.nameOf(change.after.decl);
  return literal >= 0 && exprs.opOf(literal) === E.closure && lackedByLiteral(after, site.file, literal).includes(name)
    ? breaks('it gives none')
    : 'fine';
}
