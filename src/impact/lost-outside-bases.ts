/**
 * What a class had by a base from outside of the repository that it does not have any more: members that nothing here
 * declares, asked of its objects and of those of classes below it, loops and other syntax that asks for the base,
 * places that are written with it as their type, the constructor that its arguments went to, and that it is thrown.
 *
 * Errs towards missing: objects in files that say neither the class nor one below it, and places of the outside that
 * want the base.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { givenWhere } from '../graph/refer/given.js';
import { membersRunBy, syntaxRuns } from '../graph/refer/implied-calls.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { descendantsOf, filesSaying } from '../graph/refer/sites-by-name.js';
import type { Relation } from '../graph/refer/relation.js';
import { basesOf, findMember, isExplicit, overriddenBy, searchOrder } from '../graph/resolve/hierarchy.js';
import { isEnumeration } from '../graph/resolve/declaration-types.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { enclosingClass, type Value } from '../graph/resolve/value.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import type { Question } from './question.js';

export function* lostOutsideBases(question: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = question.graphs;
  const out = new AffectedBlocks();
  for (const change of question.edit.changes) {
    const { before: was, after: is } = change;
    if (change.detail.bases === undefined || was === undefined || is === undefined) continue;
    const lost = yield* piece(() => lostNames(before, was, after, is));
    if (lost.length === 0) continue;
    const loss: Loss = { change, was, is, names: lost, below: [is, ...descendantsOf(after, is)] };
    const files = yield* piece(() => filesSaying(after, loss.below));
    yield* membersAsked(question, loss, files, out);
    for (const file of files) {
      // A place is told once: first as what certainly breaks.
      if (!after.language(is.file).structural) yield* baseAsked(question, loss, file, out);
      yield* syntaxAsked(question, loss, file, out);
    }
    yield* membersOfEnumeration(question, loss, out);
    yield* argumentsGiven(question, loss, out);
    yield* piece(() => membersForBase(question, loss, out));
    yield* piece(() => argumentsToBase(question, loss, out));
    yield* throwsOfIt(question, loss, out);
  }
  return out.sorted();
}

interface Loss {
  readonly change: AtomicChange;
  readonly was: DeclRef;
  readonly is: DeclRef;
  /** Names of the bases that went. */
  readonly names: readonly string[];
  /** The class and those below it. */
  readonly below: readonly DeclRef[];
}

/** Bases from outside, over all classes above, that are not there any more. */
function lostNames(before: Resolver, was: DeclRef, after: Resolver, is: DeclRef): string[] {
  const namesOf = (resolver: Resolver, type: DeclRef): string[] =>
    searchOrder(resolver, type).flatMap((each) => basesOf(resolver, each).external.map(({ name }) => name));
  const { interfaceMembers, rootBases } = before.language(was.file).library;
  const now = new Set(namesOf(after, is));
  const bringsNothing = (name: string): boolean => interfaceMembers.get(name)?.size === 0 || rootBases.has(name);
  return [...new Set(namesOf(before, was))].filter((name) => name !== '' && !now.has(name) && !bringsNothing(name));
}

function* membersAsked({ graphs }: Question, loss: Loss, files: ReadonlySet<string>, out: AffectedBlocks): Turns<void> {
  const { before, after } = graphs;
  for (const file of files) {
    const { exprs } = after.summary(file);
    const { objectMembers } = after.language(file).library;
    for (let expr = 0; expr < exprs.count; expr++) {
      if (exprs.opOf(expr) !== E.member || exprs.roleOf(expr) === R.declares || exprs.roleOf(expr) === R.doc) continue;
      const name = exprs.nameOf(expr);
      const isOutside = !objectMembers.has(name) && findMember(before, loss.was, name).outside;
      const type = isOutside ? yield* piece(() => askedOf(after, file, exprs.operandOf(expr), loss)) : undefined;
      if (type === undefined) continue;
      if (findMember(after, type, name).found.length > 0) continue;
      const call = exprs.callOf(expr) >= 0;
      const does = `${call ? 'calls' : 'uses'} ${name}, ${whichItHad(loss)}`;
      add(
        out,
        after,
        { file, expr },
        loss,
        mayHaveIt(after, type) ? 'may' : 'breaks',
        does,
        call ? 'CalledBy' : 'UsedBy',
      );
    }
    yield;
  }
}

/** Loops and the like over objects of the class, and such objects where the base is the type that is written. */
function* baseAsked({ graphs: { after } }: Question, loss: Loss, file: string, out: AffectedBlocks): Turns<void> {
  const { followsValues } = after.language(file);
  const tier = followsValues ? 'may' : 'breaks';
  const [type, base] = [loss.change.block, namesOf(loss)];
  for (const expr of rowsAskingBase(after, file, loss))
    if ((yield* piece(() => objectOf(after, file, after.summary(file).exprs.operandOf(expr), loss))) !== undefined)
      add(out, after, { file, expr }, loss, tier, `asks ${type} to be ${base}`, 'UsedBy');
  const isLost = (value: Value): boolean => value.kind === 'external' && loss.names.includes(value.name);
  for (const { expr } of yield* piece(() => givenWhere(after, file, isLost)))
    if ((yield* piece(() => objectOf(after, file, expr, loss))) !== undefined)
      add(out, after, { file, expr }, loss, tier, `gives ${type} where ${base} is expected`, 'UsedBy');
}

/** Rows of syntax that runs members of a base that went on what it is about. */
function rowsAskingBase(after: Resolver, file: string, { names }: Loss): readonly number[] {
  const language = after.language(file);
  const summary = after.summary(file);
  const { interfaceMembers } = language.library;
  return [E.element, E.enter].flatMap((op) =>
    summary.exprs
      .ofOp(op)
      .filter((row) =>
        membersRunBy(language, summary, row).some((run) => names.some((name) => interfaceMembers.get(name)?.has(run))),
      ),
  );
}

const namesOf = ({ names }: Loss): string => names.join(', ');

const whichItHad = (loss: Loss): string => `which ${loss.change.block} had from ${namesOf(loss)} and has no more`;

/** Syntax that runs members which nothing declares any more on objects of the class: `c[0]`, `len(c)`, `a in c`. */
function* syntaxAsked(
  { graphs: { before, after } }: Question,
  loss: Loss,
  file: string,
  out: AffectedBlocks,
): Turns<void> {
  const language = after.language(file);
  const summary = after.summary(file);
  const { objectMembers } = language.library;
  for (const { expr, on, names } of syntaxRuns(language, summary)) {
    if (names.some((name) => objectMembers.has(name))) continue;
    for (const operand of on) {
      const type = yield* piece(() => objectOf(after, file, operand, loss) ?? classAt(after, file, operand, loss));
      if (type === undefined || names.some((name) => findMember(after, type, name).found.length > 0)) continue;
      if (!names.some((name) => findMember(before, loss.was, name).outside)) continue;
      add(out, after, { file, expr }, loss, 'may', `asks for ${names.join(' or ')}, ${whichItHad(loss)}`, 'CalledBy');
    }
  }
}

/** Members of what is no enumeration any more: each was one of its objects, and is what stands behind it alone now. */
function* membersOfEnumeration({ graphs: { before, after } }: Question, loss: Loss, out: AffectedBlocks): Turns<void> {
  if (!isEnumeration(before, loss.was.file, loss.was.decl) || isEnumeration(after, loss.is.file, loss.is.decl)) return;
  const { decls } = after.summary(loss.is.file);
  const inner = decls.innerOf(loss.is.decl);
  const members = inner < 0 ? [] : [...decls.allInScope(inner)].filter((row) => isFieldLike(decls.kindOf(row)));
  for (const member of members)
    for (const site of yield* sitesInTurns(after, { file: loss.is.file, decl: member }))
      if (site.expr >= 0 && site.kind === 'use')
        add(out, after, site, loss, 'may', `takes ${decls.pathOf(member)} for a ${loss.change.block}`, 'UsedBy');
}

/** Whether another base that is not known may declare the member as well. */
const mayHaveIt = (after: Resolver, type: DeclRef): boolean =>
  searchOrder(after, type).some((each) => {
    const { unknown, external } = basesOf(after, each);
    return unknown || external.some(({ name }) => !after.language(type.file).library.fieldlessBases.has(name));
  });

/** The class, or the one below it, of which a row is an object. */
const objectOf = (after: Resolver, file: string, row: number, { below }: Loss): DeclRef | undefined =>
  row < 0
    ? undefined
    : below.find((each) =>
        after.typeOf(file, row).values.some((value) => value.kind === 'instance' && sameDecl(each, value)),
      );

/** The class itself, where it was an enumeration: such a class is gone through, and asked for a member by its name. */
function classAt(after: Resolver, file: string, row: number, { below, names }: Loss): DeclRef | undefined {
  const { enumBases } = after.language(file).library;
  if (row < 0 || !names.some((name) => enumBases.has(name))) return undefined;
  const { values } = after.typeOf(file, row);
  return below.find((each) => values.some((value) => value.kind === 'class' && sameDecl(each, value)));
}

/** The class, or the one below it, of whose members one is taken at a row: an object, or the class itself. */
function askedOf(after: Resolver, file: string, row: number, { below }: Loss): DeclRef | undefined {
  if (row < 0) return undefined;
  for (const value of after.typeOf(file, row).values)
    if (value.kind === 'instance' || value.kind === 'class' || value.kind === 'super') {
      const type = below.find((each) => sameDecl(each, value));
      if (type !== undefined) return type;
    }
  return undefined;
}

function* argumentsGiven({ graphs: { before, after } }: Question, loss: Loss, out: AffectedBlocks): Turns<void> {
  // What was made from its fields has changes of these of its own.
  if (before.summary(loss.was.file).decls.has(loss.was.decl, F.dataclass)) return;
  for (const type of loss.below) {
    if (yield* piece(() => constructorsOf(after, type).length > 0)) continue;
    for (const site of yield* sitesInTurns(after, type)) {
      if (site.kind !== 'instantiate' || site.expr < 0) continue;
      const { exprs } = after.summary(site.file);
      const call = exprs.callOf(site.expr);
      if (call < 0 || exprs.argumentsOf(call).length === 0) continue;
      const does = `gives arguments to the constructor, ${whichItHad(loss)}`;
      add(out, after, site, loss, 'may', does, 'InstantiatedBy');
    }
  }
}

/** Members that say they stand for one of the base: `void IDisposable.Dispose() { … }`, `@Override`. */
function membersForBase({ graphs: { after } }: Question, loss: Loss, out: AffectedBlocks): void {
  const { is, names } = loss;
  const { interfaceMembers, objectMembers } = after.language(is.file).library;
  const isLast = [is, ...searchOrder(after, is)].every((each) => {
    const { external, unknown } = basesOf(after, each);
    return external.length === 0 && !unknown;
  });
  for (const part of after.bodies(is)) {
    const { decls } = after.summary(part.file);
    const inner = decls.innerOf(part.decl);
    if (inner < 0) continue;
    for (const decl of decls.allInScope(inner)) {
      const name = decls.nameOf(decl);
      const isOfBase = isLast || names.some((base) => interfaceMembers.get(base)?.has(name) === true);
      const saysIt = isExplicit(after, { file: part.file, decl }) || decls.has(decl, F.override);
      if (!saysIt || !isOfBase || objectMembers.has(name) || !isFunctionOrProperty(decls.kindOf(decl))) continue;
      if (overriddenBy(after, { file: part.file, decl }).length > 0) continue;
      const site = { file: part.file, expr: -1, block: decl };
      add(out, after, site, loss, 'breaks', `stands for ${name}, ${whichItHad(loss)}`, 'Overrides');
    }
  }
}

const isFunctionOrProperty = (kind: number): boolean => isFunctionLike(kind) || kind === D.property;

/** Arguments to the base's constructor, in constructors of the class itself, where it has no base to construct now. */
function argumentsToBase({ graphs: { after } }: Question, loss: Loss, out: AffectedBlocks): void {
  const { is } = loss;
  const { interfaceName } = after.language(is.file);
  const { classes, external, unknown } = basesOf(after, is);
  const isInterface = ({ file, decl }: DeclRef): boolean => after.summary(file).decls.kindOf(decl) === D.interface;
  if (unknown || !classes.every(isInterface)) return;
  const isSure = external.every(({ name }) => interfaceName?.test(name) === true);
  for (const { file } of after.bodies(is)) {
    const summary = after.summary(file);
    const { exprs } = summary;
    for (const expr of exprs.ofOp(E.super)) {
      const call = exprs.callOf(expr);
      if (call < 0 || exprs.argumentsOf(call).length === 0) continue;
      const { decl } = enclosingClass(summary, exprs.scopeOf(expr), isClassLike, isFunctionLike);
      if (!after.bodies(is).some((part) => sameDecl(part, { file, decl }))) continue;
      const does = `gives arguments to the constructor, ${whichItHad(loss)}`;
      add(out, after, { file, expr }, loss, isSure ? 'breaks' : 'may', does, 'CalledBy');
    }
  }
}

/** What is no exception any more is neither declared to be thrown, nor caught, nor made to be thrown. */
function* throwsOfIt({ graphs: { after } }: Question, loss: Loss, out: AffectedBlocks): Turns<void> {
  const { exceptions } = after.language(loss.is.file).library;
  if (exceptions === undefined || !loss.names.some((name) => exceptions.test(name))) return;
  for (const type of loss.below) {
    if (yield* piece(() => isThrown(after, type, exceptions))) continue;
    for (const site of yield* sitesInTurns(after, type)) {
      const how = site.expr < 0 || site.block < 0 ? undefined : thrownAs(after.summary(site.file), site);
      if (how !== undefined)
        add(
          out,
          after,
          site,
          loss,
          how.tier,
          `${how.does} ${loss.change.block}, which is no exception any more`,
          'UsedBy',
        );
    }
  }
}

/** Whether another base makes the objects of a class such as can be thrown. */
const isThrown = (after: Resolver, type: DeclRef, exceptions: RegExp): boolean =>
  searchOrder(after, type).some((each) => basesOf(after, each).external.some(({ name }) => exceptions.test(name)));

/** Whether a site of a class is in a list of what is thrown, the head of a handler, or makes an object to throw. */
function thrownAs(
  { exprs, decls }: Summary,
  { expr, kind, block }: Site,
): { readonly tier: AffectedSite['tier']; readonly does: string } | undefined {
  const own = exprs.usesOf(expr);
  const uses = own.flatMap((use) => (use.kind === 'same' ? exprs.usesOf(use.row) : [use]));
  const role = exprs.roleOf(expr);
  const isHead = isFunctionLike(decls.kindOf(block)) && exprs.startOf(expr) < decls.bodyStartOf(block);
  if (role === R.type && uses.length === 0 && isHead) return { tier: 'breaks', does: 'throws' };
  // The head of a handler without a variable leads nowhere.
  const isHandler =
    ((role === R.type || role === R.read) && uses.length === 0) ||
    own.some((use) => (use.kind === 'same' || use.kind === 'entry') && exprs.usesOf(use.row).length === 0);
  const isOfHandler = uses.some(
    (use) => use.kind === 'type' && decls.kindOf(use.decl) === D.local && decls.valueOf(use.decl) < 0,
  );
  if (isHandler || isOfHandler) return { tier: 'may', does: 'may catch' };
  return kind === 'instantiate' ? { tier: 'may', does: 'may throw' } : undefined;
}

/** `block`: of a whole one, or where it is known. */
interface Place {
  readonly file: string;
  readonly expr: number;
  readonly block?: number;
}

function add(
  out: AffectedBlocks,
  after: Resolver,
  { file, expr, block = blockOf(after.summary(file), expr) }: Place,
  loss: Loss,
  tier: AffectedSite['tier'],
  does: string,
  relation: Relation,
): void {
  out.addOnce(file, block, {
    expr,
    tier,
    confidence: 'certain',
    reason: `${after.summary(file).decls.pathOf(block)} ${does}.`,
    fact: `${loss.change.block} is no ${namesOf(loss)} any more`,
    rule: 'lost-outside-base',
    relation,
    cause: loss.change,
  });
}
