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
import { basesOf, findMember } from '../graph/resolve/hierarchy.js';
import { derivedFrom } from '../graph/refer/sites-by-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { sameDecl } from '../syntax/rows.js';
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

/**
 * Speaks once a block, at its first mention of the union: where all the others are named, where some of them are told
 * apart so that the new one falls to what is left, and where a member is taken that the new one does not have.
 */
export function namesMembers(change: AtomicChange, site: JudgedSite, graphs: Graphs): Verdict {
  const { after } = graphs;
  const grown = grownUnion(graphs, change);
  if (grown === undefined || change.after === undefined || site.expr < 0 || site.block < 0) return 'fine';
  const { file, decl } = change.after;
  const summary = after.summary(site.file);
  const isSaid = (member: UnionMember): boolean =>
    wordsOf(after, file, member).some((word) => firstMention(summary, site.block, word) !== undefined);
  const missing = grown.added.find((member) => !isSaid(member));
  const isFirst = firstMention(summary, site.block, after.summary(file).decls.nameOf(decl)) === site.expr;
  if (missing === undefined || !isFirst) return 'fine';
  if (grown.old.every(isSaid)) return may(`it names all the others, and not ${missing.name}`);
  const isToldApart = (member: UnionMember): boolean =>
    wordsOf(after, file, member).some((word) => mentions(summary, site.block, word).some((row) => tells(summary, row)));
  if (grown.old.some(isToldApart)) return may(`it tells some of the others apart, and not ${missing.name}`);
  const taken = memberLacking(after, site, { file, expr: missing.expr });
  return taken === undefined ? 'fine' : may(`it takes ${taken}, which ${missing.name} does not have`);
}

/** Whether something may be compared with a class or string; a class that is called, or a string handed on, is not. */
function tells({ exprs }: Summary, row: number): boolean {
  if (exprs.roleOf(row) !== R.read) return false;
  const handsOn = exprs.opOf(row) === E.string ? ['argument', 'entry', 'value', 'result'] : ['value', 'result'];
  return exprs.usesOf(row).every(({ kind }) => !handsOn.includes(kind));
}

/** A member that the block takes of what may be an object of the class at a row, and that this class does not have. */
function memberLacking(after: Resolver, { file, block }: JudgedSite, member: Place): string | undefined {
  const { exprs } = after.summary(file);
  const types = after.resolve(member.file, member.expr).targets.filter((target) => target.decl >= 0);
  if (types.length === 0) return undefined;
  const { objectMembers } = after.language(file).library;
  const lacking = exprs.ofOp(E.member).find((row) => {
    if (!isWithin(after.summary(file), block, row) || objectMembers.has(exprs.nameOf(row))) return false;
    const { values } = after.typeOf(file, exprs.operandOf(row));
    return types.some((type) => {
      if (!values.some((value) => value.kind === 'instance' && sameDecl(value, type))) return false;
      const { found, outside } = findMember(after, type, exprs.nameOf(row));
      return found.length === 0 && !outside;
    });
  });
  return lacking === undefined ? undefined : exprs.nameOf(lacking);
}

interface Place {
  readonly file: string;
  readonly expr: number;
}

function firstMention(
  summary: Summary,
  block: number,
  name: string,
  isMeant = (role: number): boolean => role !== R.doc,
): number | undefined {
  const rows = mentions(summary, block, name).filter((row) => isMeant(summary.exprs.roleOf(row)));
  return rows.length === 0 ? undefined : Math.min(...rows);
}

function mentions(summary: Summary, block: number, name: string): readonly number[] {
  const { exprs } = summary;
  const id = summary.idOf(name);
  return id < 0
    ? []
    : [...exprs.named(id)].filter((row) => NAMING.has(exprs.opOf(row)) && isWithin(summary, block, row));
}

const NAMING: ReadonlySet<number> = new Set([E.name, E.member, E.string]);

const isWithin = ({ exprs, decls }: Summary, block: number, expr: number): boolean =>
  exprs.startOf(expr) >= decls.startOf(block) && exprs.startOf(expr) < decls.endOf(block);
