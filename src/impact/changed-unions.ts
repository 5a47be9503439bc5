/**
 * Values of a union that has a name, in blocks that do not say the name. It has another alternative now: who takes a
 * member that this one lacks, or gives the value where others of them alone are expected. It lost one: who gives that.
 *
 *     type Token = Word | Mark | Space        box.token.text      `text` is nowhere in Space
 *                                             take(box.token)     take(word: Word | Mark)
 *
 * Blocks that do say it are the rule table's. Errs towards missing: alternatives that are no types of the repository,
 * and, of an alternative that went, what is given in blocks that the edit touched.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { givenFor, isOneOf } from '../graph/refer/satisfied.js';
import type { Given } from '../graph/refer/given.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { expectedWhere } from '../graph/resolve/expected.js';
import { membersFit } from '../graph/resolve/structural-fit.js';
import { findMember, isSubclass, ownMembers, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Value } from '../graph/resolve/value.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { DeclRef } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { D, E, isFieldLike, isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn } from './counterparts.js';
import type { Question } from './question.js';

type Alternative = Value & { kind: 'instance' };

interface Changed {
  readonly change: AtomicChange;
  /** In the edited tree: those that it had before as well, and new ones; in the tree before: those that went. */
  readonly kept: readonly Alternative[];
  readonly added: readonly Alternative[];
  readonly gone: readonly Alternative[];
}

export function* usersOfChangedUnions(question: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const change of question.edit.changes) {
    const changed = yield* piece(() => changedUnion(question, change));
    if (changed === undefined) continue;
    for (const added of changed.added) {
      yield* takersOfLacked(question, changed, added, out);
      yield* giversForOthers(question, changed, added, out);
    }
    for (const gone of changed.gone) yield* giversOfGone(question, changed, gone, out);
  }
  return out.sorted();
}

function changedUnion(question: Question, change: AtomicChange): Changed | undefined {
  const { before, after } = question.graphs;
  const { before: was, after: is } = change;
  if (was === undefined || is === undefined || was.decl < 0 || !mayBeUnion(change)) return undefined;
  const [had, has] = [alternativesOf(before, was), alternativesOf(after, is)];
  if (had.length < 2 && has.length < 2 && !hasOutside(before, was)) return undefined;
  const now = counterpartsIn(question);
  const stays = (old: Alternative): Alternative | undefined => {
    const ref = now(old);
    return ref === undefined ? undefined : has.find((each) => sameDecl(each, ref));
  };
  const kept = had.flatMap((old) => stays(old) ?? []);
  const added = has.filter((each) => !kept.includes(each));
  const gone = had.filter((old) => stays(old) === undefined && now(old) !== undefined);
  // What is left may be of outside alone.
  const isLeft = kept.length > 0 || (added.length === 0 && hasOutside(after, is));
  return !isLeft || added.length + gone.length === 0 ? undefined : { change, kept, added, gone };
}

/** Whether a type as written has alternatives from outside. */
function hasOutside(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const type = resolver.summary(file).decls.typeOf(decl);
  return type >= 0 && instanceOf(resolver, file, type).values.some(({ kind }) => kind === 'external');
}

const mayBeUnion = ({ kind, detail }: AtomicChange): boolean => kind === 'typeAlias' || detail.valueOnly === true;

function alternativesOf(resolver: Resolver, { file, decl }: DeclRef): readonly Alternative[] {
  const { decls } = resolver.summary(file);
  const type = decls.typeOf(decl);
  // A variable that holds types is of their classes.
  const values = type < 0 ? resolver.typeOf(file, decls.valueOf(decl)).values : instanceOf(resolver, file, type).values;
  return values.flatMap((value): Alternative[] =>
    value.kind === 'instance' && type >= 0
      ? [value]
      : value.kind === 'class' && type < 0
        ? [{ kind: 'instance', file: value.file, decl: value.decl, args: [] }]
        : [],
  );
}

/** Who takes a member of the others that the new alternative does not have. */
function* takersOfLacked(
  { graphs: { after } }: Question,
  { change, kept }: Changed,
  added: Alternative,
  out: AffectedBlocks,
): Turns<void> {
  for (const member of yield* piece(() => membersLackedBy(after, kept, added)))
    for (const found of yield* pieces(yield* sitesInTurns(after, member), ({ file, expr, block }) => {
      const { exprs } = after.summary(file);
      if (expr < 0 || exprs.opOf(expr) !== E.member || says(after, file, block, change)) return [];
      const { values, unknown } = after.typeOf(file, exprs.operandOf(expr));
      const isMeant = values.some(
        (value) => value.kind === 'instance' && mayBe(after, value, added, exprs.nameOf(expr)),
      );
      return isMeant ? [{ file, expr, unknown, name: exprs.nameOf(expr) }] : [];
    }))
      for (const { file, expr, unknown, name } of found)
        add(
          after,
          { change, file, expr, isSure: !unknown },
          out,
          `it takes ${name}, which ${nameOf(after, added)} does not have`,
        );
}

/** Whether a value may be the alternative: it is one, or of an alias made of the union that has no such member. */
const mayBe = (after: Resolver, value: DeclRef, alternative: DeclRef, name: string): boolean =>
  sameDecl(value, alternative) ||
  (after.summary(value.file).decls.kindOf(value.decl) === D.typeAlias &&
    ownMembers(after, value, name).length === 0 &&
    isSubclass(after, value, alternative));

/** Members of the alternatives that one more does not have; one of each name an alternative. */
function membersLackedBy(after: Resolver, kept: readonly Alternative[], added: Alternative): DeclRef[] {
  const { objectMembers } = after.language(added.file).library;
  const lacked = new Map<string, boolean>();
  const isLacked = (name: string): boolean => {
    let known = lacked.get(name);
    if (known === undefined) {
      const { found, outside } = findMember(after, added, name);
      lacked.set(name, (known = found.length === 0 && !outside && !objectMembers.has(name)));
    }
    return known;
  };
  return kept.flatMap((each) =>
    searchOrder(after, each).flatMap(({ file, decl }) => {
      const { decls } = after.summary(file);
      const inner = decls.innerOf(decl);
      return (inner < 0 ? [] : [...decls.allInScope(inner)])
        .filter((row) => isFunctionLike(decls.kindOf(row)) || isFieldLike(decls.kindOf(row)))
        .filter((row) => isLacked(decls.nameOf(row)))
        .map((row) => ({ file, decl: row }));
    }),
  );
}

/** Who gives a value that may be the new alternative where others alone are expected. */
function* giversForOthers(
  { graphs: { after } }: Question,
  { change, kept }: Changed,
  added: Alternative,
  out: AffectedBlocks,
): Turns<void> {
  const expected = yield* piece(() => kept.flatMap((each) => searchOrder(after, each)));
  for (const each of new Map(expected.map((type) => [declKey(type), type])).values())
    for (const found of yield* pieces(yield* piece(() => givenFor(after, each)), (given) =>
      misfit(after, given, added) === 'sure' ? [given] : [],
    ))
      for (const { file, expr } of found)
        add(
          after,
          { change, file, expr, isSure: true },
          out,
          `it may give ${nameOf(after, added)}, which is not expected there`,
        );
}

/** Who gives what the union was before, where it is expected. */
function* giversOfGone(
  { graphs: { before, after }, edit }: Question,
  { change }: Changed,
  gone: Alternative,
  out: AffectedBlocks,
): Turns<void> {
  const is = counterpartsIn({ graphs: { before, after }, edit })(gone);
  if (is === undefined) return;
  const now: Alternative = { ...gone, ...is };
  const isAsBefore = (file: string): boolean => before.repo.summary(file)?.hash === after.repo.summary(file)?.hash;
  for (const found of yield* pieces(yield* piece(() => givenFor(before, gone)), (given) => {
    const how = isAsBefore(given.file) ? misfit(after, given, now) : undefined;
    return how === undefined ? [] : [{ ...given, isSure: how === 'sure' }];
  }))
    for (const { file, expr, isSure } of found)
      add(
        after,
        { change, file, expr, isSure },
        out,
        `it gives ${nameOf(after, now)}, which is not expected there now`,
      );
}

/**
 * Whether a row gives the alternative, or a literal of its members, where something is expected that it is none of;
 * `'maybe'` where that is something from outside, whose members are not known.
 */
function misfit(after: Resolver, { file, expr }: Given, alternative: Alternative): 'sure' | 'maybe' | undefined {
  const given = after
    .typeOf(file, expr)
    .values.filter((value): value is Alternative => value.kind === 'instance')
    .find((value) => sameDecl(value, alternative) || membersFit(after, alternative, value) === 'has all');
  const expected = given === undefined ? undefined : expectedWhere(after, file, expr);
  if (given === undefined || expected === undefined || expected.unknown || expected.values.length === 0)
    return undefined;
  const isLiteral = !sameDecl(given, alternative);
  const isTaken = (side: Value): boolean =>
    side.kind === 'instance'
      ? sameDecl(side, alternative) || isOneOf(after, given, side)
      : side.kind !== 'external' || !isLiteral;
  if (expected.values.some(isTaken)) return undefined;
  return expected.values.every(({ kind }) => kind === 'instance') ? 'sure' : 'maybe';
}

/** Whether the block says the name of what changed. */
function says(after: Resolver, file: string, block: number, { after: is }: AtomicChange): boolean {
  if (is === undefined || block < 0) return false;
  const summary = after.summary(file);
  const { exprs, decls } = summary;
  const id = summary.idOf(after.summary(is.file).decls.nameOf(is.decl));
  return (
    id >= 0 &&
    [...exprs.named(id)].some(
      (row) => exprs.startOf(row) >= decls.startOf(block) && exprs.startOf(row) < decls.endOf(block),
    )
  );
}

interface Found {
  readonly change: AtomicChange;
  readonly file: string;
  readonly expr: number;
  readonly isSure: boolean;
}

function add(after: Resolver, { change, file, expr, isSure }: Found, out: AffectedBlocks, fact: string): void {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  out.addOnce(file, block, {
    expr,
    tier: 'may',
    confidence: isSure ? 'certain' : 'possible',
    reason: `${block < 0 ? '<module>' : summary.decls.pathOf(block)} has a value of ${change.block}: ${fact}.`,
    fact,
    rule: 'changed-union',
    relation: 'UsedBy',
    cause: change,
  });
}

const nameOf = (after: Resolver, { file, decl }: DeclRef): string =>
  after.summary(file).decls.nameOf(decl) || 'a type without a name';
