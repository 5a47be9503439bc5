/**
 * Judges what tells the members of an enum or of a union, or the classes below one, apart: it may
 * have to know a new one.
 *
 * Where all the others are named, in a `switch`, a `match` or a chain of comparisons, the new one is
 * missing. Whether a default covers it is for a person to say, so nothing here is certain to break but a value that is
 * chosen by cases of which one has to fit.
 */
import { childrenOf } from '../change/match-blocks.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { DeclRef } from '../languages/language.js';
import { basesOf } from '../graph/resolve/hierarchy.js';
import { derivedFrom } from '../graph/refer/sites-by-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { D, E, isClassLike, R, TOTAL, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { grownUnion, wordsOf, type UnionMember } from './union-members.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** Fewer that are named are no sign that all are meant, but where one of the cases has to fit. */
const SIBLINGS_LEAST = 2;

/** The other members of the enum; the other classes that derive right from what a class derives from. */
export const siblingsOf = (resolver: Resolver, ref: DeclRef): DeclRef[] => groupsOf(resolver, ref).flat();

/** A class has a group of siblings for each of its bases. */
function groupsOf(resolver: Resolver, { file, decl }: DeclRef): DeclRef[][] {
  const summary = resolver.summary(file);
  if (isClassLike(summary.decls.kindOf(decl))) {
    return basesOf(resolver, { file, decl }).classes.map((base) =>
      derivedFrom(resolver, base).filter((other) => other.file !== file || other.decl !== decl),
    );
  }
  const owner = summary.decls.parentOf(decl);
  return owner < 0
    ? []
    : [
        childrenOf(summary, owner)
          .filter((other) => other !== decl && summary.decls.kindOf(other) === D.enumMember)
          .map((other) => ({ file, decl: other })),
      ];
}

/** Speaks once a block, at the first member that it names. */
export function namesSiblings(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (change.after === undefined || site.expr < 0 || site.block < 0) return 'fine';
  const of = after.summary(change.after.file);
  const added = of.decls.nameOf(change.after.decl);
  const isOld = ({ file }: DeclRef, name: string): boolean => {
    const old = before.repo.summary(file);
    return old !== undefined && old.idOf(name) >= 0;
  };
  const summary = after.summary(site.file);
  // A class that is made, or derived from, is not told from others.
  const tells = isClassLike(of.decls.kindOf(change.after.decl))
    ? (role: number): boolean => role === R.type || role === R.read
    : undefined;
  if (firstMention(summary, site.block, added) !== undefined) return 'fine';
  const all = siblingsOf(after, change.after).map(({ file, decl }) => after.summary(file).decls.nameOf(decl));
  const hasToFit = choosesAmong(summary, site.block, all);
  const isFirst = groupsOf(after, change.after).some((group) => {
    const names = group.flatMap((other) =>
      [after.summary(other.file).decls.nameOf(other.decl)].filter((name) => isOld(other, name)),
    );
    const said = names.map((name) => firstMention(summary, site.block, name, tells));
    return names.length >= (hasToFit ? 1 : SIBLINGS_LEAST) && Math.min(...said.map((row) => row ?? -1)) === site.expr;
  });
  if (!isFirst) return 'fine';
  return hasToFit
    ? breaks(`a value is chosen there by cases that leave out ${added}`)
    : may(`it names all the others, and not ${added}`);
}

/** Whether a value that is used is one of several, by cases that say all these names and nothing for the rest. */
function choosesAmong(summary: Summary, block: number, names: readonly string[]): boolean {
  const { exprs, decls } = summary;
  return exprs
    .ofOp(E.union)
    .some(
      (row) =>
        exprs.nameOf(row) === TOTAL &&
        exprs.startOf(row) >= decls.startOf(block) &&
        exprs.endOf(row) <= decls.endOf(block) &&
        (exprs.usesOf(row).length > 0 || decls.resultsOf(block).includes(row)) &&
        names.every((name) =>
          [...exprs.named(summary.idOf(name))].some(
            (expr) => exprs.startOf(expr) >= exprs.startOf(row) && exprs.endOf(expr) <= exprs.endOf(row),
          ),
        ),
    );
}

/** Speaks once a block, at its first mention of the union. */
export function namesMembers(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const grown = grownUnion(graphs, change);
  if (grown === undefined || change.after === undefined || site.expr < 0 || site.block < 0) return 'fine';
  const { file, decl } = change.after;
  const summary = after.summary(site.file);
  const isSaid = (member: UnionMember): boolean =>
    wordsOf(after, file, member).some((word) => firstMention(summary, site.block, word) !== undefined);
  const missing = grown.added.find((member) => !isSaid(member));
  if (missing === undefined || !grown.old.every(isSaid)) return 'fine';
  return firstMention(summary, site.block, after.summary(file).decls.nameOf(decl)) === site.expr
    ? may(`it names all the others, and not ${missing.name}`)
    : 'fine';
}

function firstMention(
  summary: Summary,
  block: number,
  name: string,
  isMeant = (role: number): boolean => role !== R.doc,
): number | undefined {
  const { exprs, decls } = summary;
  const row = summary.idOf(name);
  if (row < 0) return undefined;
  const rows = [...exprs.named(row)].filter((expr) => {
    const at = exprs.startOf(expr);
    return (
      (exprs.opOf(expr) === E.name || exprs.opOf(expr) === E.member || exprs.opOf(expr) === E.string) &&
      isMeant(exprs.roleOf(expr)) &&
      at >= decls.startOf(block) &&
      at < decls.endOf(block)
    );
  });
  return rows.length === 0 ? undefined : Math.min(...rows);
}
