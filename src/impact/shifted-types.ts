/**
 * What nobody declared a type for, and is of another class now: a result, a field, a variable of which only the code
 * says what it is, or that has it from something whose declared type is another one. Who takes a member of it that the
 * class which it was has, and the one that it is has not, breaks, and says neither of the classes.
 *
 *     def held():                def show():                  other: held() -> Cart, was Store
 *         s = Store()  Cart()        return held().stock      `stock` is nowhere now
 *         return s
 *
 * Goes on through what hands the value on without a declared type: functions that return it, fields and variables that
 * hold it. What it is not followed through any more is listed itself. Errs towards missing: what is given as an
 * argument, and what is put into a container.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { blockNamed } from '../change/block-name.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { returnType } from '../graph/resolve/declaration-types.js';
import { findMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Type } from '../graph/resolve/value.js';
import type { DeclRef } from '../languages/language.js';
import { declKey } from '../syntax/rows.js';
import { D, E, F, isFieldLike, isFunctionLike, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';
import { usesOfValue } from './value-uses.js';

/** Declarations through which one change is followed: so many hand on what is made in one place of a whole program. */
const HANDED_ON_MOST = 100;

export function* shiftedTypes({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    if (!mayGiveOther(change)) continue;
    const starts = yield* piece(() => startsOf(graphs, change));
    const seen = new Set(starts.map(declKey));
    for (let at = 0; at < starts.length; at++) {
      const from = starts[at] as DeclRef;
      const isTold = at === 0 && isRetyped(change);
      const gone = yield* piece(() => goneTypes(graphs, from, isTold));
      if (gone.length === 0) continue;
      const shift = { graphs, change, from, gone, isTold, out };
      if (at >= HANDED_ON_MOST) {
        addUnfollowed(shift);
        continue;
      }
      for (const next of yield* followed(shift)) {
        if (seen.has(declKey(next))) continue;
        seen.add(declKey(next));
        starts.push(next);
      }
    }
  }
  return out.sorted();
}

/** Whether what it gives or holds may be of another class now. */
const mayGiveOther = (change: AtomicChange): boolean =>
  change.label === 'MMB' || (change.label === 'MF' && change.detail.valueOnly === true) || isRetyped(change);

/** Whether its declared type is another one: the rule table tells who takes a member of the thing itself. */
const isRetyped = ({ label, detail }: AtomicChange): boolean =>
  (label === 'MMS' && detail.signature?.returnType !== undefined) || (label === 'MF' && detail.type !== undefined);

/** What changed, and the fields that its body assigns. */
function startsOf({ after }: Graphs, { after: now }: AtomicChange): DeclRef[] {
  if (now === undefined || now.decl < 0) return [];
  const { decls, exprs } = after.summary(now.file);
  if (!isFunctionLike(decls.kindOf(now.decl))) return [now];
  const out: DeclRef[] = [now];
  for (const store of exprs.stores) {
    const start = exprs.startOf(store);
    if (start < decls.bodyStartOf(now.decl) || start >= decls.endOf(now.decl)) continue;
    out.push(...heldIn(after, now.file, exprs.placeOf(store)));
  }
  return out;
}

/** Fields that a place stands for. */
const heldIn = (resolver: Resolver, file: string, place: number): readonly DeclRef[] =>
  resolver.summary(file).exprs.opOf(place) === E.member
    ? resolver.resolve(file, place).targets.filter((target) => target.decl >= 0 && mayShift(resolver, target))
    : [];

/** Whether only the code says what it is. */
function mayShift(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  const kind = decls.kindOf(decl);
  return decls.typeOf(decl) < 0 && kind !== D.constructor && (isFunctionLike(kind) || isFieldLike(kind));
}

/** Classes of which it held, or gave, an object before, and does not now. */
function goneTypes({ before, after }: Graphs, now: DeclRef, isDeclared: boolean): readonly DeclRef[] {
  const was = before.repo.hasFile(now.file) ? sameBefore({ before, after }, now) : undefined;
  if (was === undefined || (!isDeclared && (!mayShift(after, now) || !mayShift(before, was)))) return [];
  const { wrappers } = after.language(now.file).library;
  const left = new Set(instances(wrappers, typeOf(after, now)).map((type) => pathOf(after, type)));
  return instances(wrappers, typeOf(before, was)).filter((type) => !left.has(pathOf(before, type)));
}

function sameBefore({ before, after }: Graphs, { file, decl }: DeclRef): DeclRef | undefined {
  const [old, now] = [before.summary(file), after.summary(file)];
  const row = old === now ? decl : blockNamed(old, now.decls.pathOf(decl));
  return row === undefined ? undefined : { file, decl: row };
}

const typeOf = (resolver: Resolver, { file, decl }: DeclRef): Type =>
  isFunctionLike(resolver.summary(file).decls.kindOf(decl))
    ? returnType(resolver, file, decl, undefined)
    : resolver.typeOfDecl(file, decl);

/** The classes of its values, and of what it has to be waited for or taken out of. */
const instances = (wrappers: ReadonlySet<string>, { values }: Type): DeclRef[] =>
  values.flatMap((value) =>
    value.kind === 'instance'
      ? [{ file: value.file, decl: value.decl }]
      : value.kind === 'external' && value.args[0] !== undefined && wrappers.has(value.name)
        ? instances(wrappers, value.args[0])
        : [],
  );

const pathOf = (resolver: Resolver, { file, decl }: DeclRef): string =>
  `${file}\0${resolver.summary(file).decls.pathOf(decl)}`;

interface Shift {
  readonly graphs: Graphs;
  readonly change: AtomicChange;
  /** In the edited tree. */
  readonly from: DeclRef;
  /** In the tree before. */
  readonly gone: readonly DeclRef[];
  /** Who takes a member of `from` itself is told of elsewhere. */
  readonly isTold: boolean;
  readonly out: AffectedBlocks;
}

/** Adds who takes what is not there now; gives what hands the value on. */
function* followed(shift: Shift): Turns<readonly DeclRef[]> {
  const { after } = shift.graphs;
  const { decls } = after.summary(shift.from.file);
  const isCalled = isFunctionLike(decls.kindOf(shift.from.decl)) && !decls.has(shift.from.decl, F.getter);
  const next: DeclRef[] = [];
  for (const site of yield* sitesInTurns(after, shift.from)) {
    if (site.expr < 0) continue;
    const { exprs } = after.summary(site.file);
    const role = exprs.roleOf(site.expr);
    if (role === R.import || role === R.doc || role === R.write || role === R.declares) continue;
    const call = exprs.callOf(site.expr);
    if (isCalled && call < 0) continue;
    const value = { file: site.file, expr: isCalled ? call : site.expr };
    next.push(...(yield* piece(() => usesFollowed(shift, value, site.confidence))));
  }
  return next;
}

function usesFollowed(
  shift: Shift,
  value: { readonly file: string; readonly expr: number },
  confidence: 'certain' | 'possible',
): readonly DeclRef[] {
  const { after } = shift.graphs;
  const { file } = value;
  const { exprs } = after.summary(file);
  const next: DeclRef[] = [];
  const uses = usesOfValue(after, value);
  if (uses === undefined) addHeld(shift, file, value.expr, confidence);
  for (const use of uses ?? []) {
    if (use.kind === 'receiver') {
      if (!shift.isTold) addLost(shift, file, use.row, confidence);
    } else if (use.kind === 'stored') next.push(...heldIn(after, file, exprs.placeOf(use.row)));
    else if ((use.kind === 'result' || use.kind === 'value') && mayShift(after, { file, decl: use.decl }))
      next.push({ file, decl: use.decl });
  }
  return next;
}

/** A member that the classes which went had, and that is not found on what the value is now. */
function addLost(shift: Shift, file: string, member: number, confidence: 'certain' | 'possible'): void {
  const { graphs, change, gone, out } = shift;
  const { after, before } = graphs;
  const summary = after.summary(file);
  const name = summary.exprs.nameOf(member);
  const [type] = gone.filter((each) => findMember(before, each, name).found.length > 0);
  const means = after.resolve(file, member);
  if (type === undefined || (means.confidence === 'certain' && means.targets.length > 0)) return;
  const isKnown = means.via === 'no such member';
  const whose = whatItIs(shift);
  const does = summary.exprs.callOf(member) >= 0 ? 'calls' : 'uses';
  const block = blockOf(summary, member);
  const path = block < 0 ? '<module>' : summary.decls.pathOf(block);
  out.add(file, block, {
    expr: member,
    tier: isKnown ? 'breaks' : 'may',
    confidence,
    reason: `${path} ${does} ${name} of ${whose}, which is no ${nameIn(before, type)} any more.`,
    fact: `${whose} has no ${name} now`,
    rule: 'shifted-type',
    relation: does === 'calls' ? 'CalledBy' : 'UsedBy',
    cause: change,
  });
}

/** What hands on what changed, and to whom was not looked any more. */
function addUnfollowed(shift: Shift): void {
  const { graphs, change, from, out } = shift;
  const { decls } = graphs.after.summary(from.file);
  out.add(from.file, from.decl, {
    expr: -1,
    tier: 'may',
    confidence: 'possible',
    reason:
      `${decls.pathOf(from.decl)} hands on ${whatItIs(shift)}, which is no ${goneName(shift)} any more: ` +
      'who uses it was not looked for.',
    fact: `${whatItIs(shift)} is no ${goneName(shift)} now`,
    rule: 'shifted-type',
    relation: 'UsedBy',
    cause: change,
  });
}

/** A place from which the value goes through more variables than are followed. */
function addHeld(shift: Shift, file: string, expr: number, confidence: 'certain' | 'possible'): void {
  const summary = shift.graphs.after.summary(file);
  const block = blockOf(summary, expr);
  const path = block < 0 ? '<module>' : summary.decls.pathOf(block);
  shift.out.add(file, block, {
    expr,
    tier: 'may',
    confidence,
    reason:
      `${path} has ${whatItIs(shift)}, which is no ${goneName(shift)} any more, ` +
      'in more variables than were followed.',
    fact: `${whatItIs(shift)} is no ${goneName(shift)} now`,
    rule: 'shifted-type',
    relation: 'UsedBy',
    cause: shift.change,
  });
}

/** `what held gives`. */
function whatItIs({ graphs: { after }, from }: Shift): string {
  const gives = isFunctionLike(after.summary(from.file).decls.kindOf(from.decl)) ? 'gives' : 'holds';
  return `what ${nameIn(after, from)} ${gives}`;
}

const goneName = ({ graphs: { before }, gone }: Shift): string => nameIn(before, gone[0] as DeclRef);

const nameIn = (resolver: Resolver, { file, decl }: DeclRef): string => resolver.summary(file).decls.nameOf(decl);
