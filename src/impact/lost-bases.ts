/**
 * What a class had by a base that it does not have any more: members that others use on its objects, overrides of
 * them, and places that expect an object of the base.
 *
 * Errs towards missing: bases from outside of the repository, whose members are not known; type arguments that are
 * inferred.
 */
import { isOutside } from '../base/outside.js';
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Matches } from '../change/edit.js';
import { findMember, isSubclass, overriddenBy, searchOrder } from '../graph/resolve/hierarchy.js';
import { enclosingClass, isOfClass, type Value } from '../graph/resolve/value.js';
import { receiverAt } from '../graph/resolve/overloads.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { conversionsTo, type Conversion } from '../graph/refer/conversions.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { operandsRun } from '../graph/refer/implied-calls.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import { expectedAs, givenWhere, type Given } from '../graph/refer/given.js';
import { givenFor } from '../graph/refer/satisfied.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import { Carrier } from './carrier.js';
import { counterpartsIn, earlierIn, type Counterpart } from './counterparts.js';
import { movedFiles } from './moved-files.js';
import type { Question } from './question.js';
import type { Related } from './related.js';
import type { Tier } from './verdict.js';

export function* lostBases(question: Question): Turns<readonly AffectedBlock[]> {
  const finder = new LostBases(question);
  for (const change of question.edit.changes) {
    const { before: was, after: is } = change;
    if (change.label !== 'MC' || was === undefined || is === undefined) continue;
    yield* finder.placesOfArguments({ change, was, is });
    if (change.detail.bases === undefined) continue;
    for (const base of yield* piece(() => finder.lost(was, is))) yield* finder.follow({ change, was, is, base });
  }
  return finder.out.sorted();
}

/** A class, before and after, with a base or a base's base that it had before. */
interface Loss {
  readonly change: AtomicChange;
  readonly was: DeclRef;
  readonly is: DeclRef;
  readonly base: DeclRef;
}

class LostBases {
  readonly out = new AffectedBlocks();
  private readonly before: Resolver;
  private readonly after: Resolver;
  private readonly now: Counterpart;
  private readonly carry: Carrier;
  private readonly earlier: Counterpart;
  private readonly matches: Matches;

  constructor({ graphs, edit }: Question) {
    this.matches = edit.matches;
    this.earlier = earlierIn({ graphs, edit });
    this.before = graphs.before;
    this.after = graphs.after;
    this.now = counterpartsIn({ graphs, edit });
    this.carry = new Carrier(graphs, edit.matches, movedFiles(graphs, edit.changes), edit.changes);
  }

  /** All that was above the class and is not any more, or is nowhere. */
  lost(was: DeclRef, is: DeclRef): readonly DeclRef[] {
    const kept = searchOrder(this.after, is);
    return searchOrder(this.before, was).filter((base) => {
      const now = this.now(base);
      return !sameDecl(base, was) && (now === undefined || !kept.some((other) => sameDecl(other, now)));
    });
  }

  *follow(loss: Loss): Turns<void> {
    const names = new Set<string>();
    const { objectMembers } = this.after.language(loss.is.file).library;
    for (const member of yield* piece(() => this.membersOf(loss.base))) {
      const name = this.nameOf(member);
      const { found, outside } = yield* piece(() => findMember(this.after, loss.is, name));
      if (outside) continue;
      const isEverywhere = this.isConstructor(member) || objectMembers.has(name);
      if (found.length === 0 && !isEverywhere) names.add(name);
      // What was deleted from a class that is still there is followed as a deletion.
      if (this.now(member) !== undefined || this.now(loss.base) === undefined) yield* this.usesOf(member, names, loss);
    }
    yield* this.placesOf(loss, names);
    yield* this.conversionsOf(loss);
    yield* this.argumentsOf(loss);
  }

  private nameOf({ file, decl }: DeclRef): string {
    return this.before.summary(file).decls.nameOf(decl);
  }

  /** Two types may differ in their type parameters alone. */
  private withParameters(type: DeclRef): string {
    const { decls } = this.before.summary(type.file);
    const names = [...decls.typeParamsOf(type.decl)].map((param) => decls.nameOf(param));
    return names.length === 0 ? this.nameOf(type) : `${this.nameOf(type)}<${names.join(', ')}>`;
  }

  private isConstructor({ file, decl }: DeclRef): boolean {
    return this.before.summary(file).decls.kindOf(decl) === D.constructor;
  }

  private membersOf({ file, decl }: DeclRef): readonly DeclRef[] {
    const { decls } = this.before.summary(file);
    const inner = decls.innerOf(decl);
    return (inner < 0 ? [] : [...decls.allInScope(inner)])
      .filter((row) => isMember(decls.kindOf(row)))
      .map((row) => ({ file, decl: row }));
  }

  /**
   * Overrides of a member that override nothing now; and where its name is one that the class lost, places that meant
   * it and do not find it.
   */
  private *usesOf(member: DeclRef, lost: ReadonlySet<string>, loss: Loss): Turns<void> {
    const name = this.nameOf(member);
    const className = this.before.summary(loss.was.file).decls.nameOf(loss.was.decl);
    const fact = `${className} has no ${name} any more`;
    const isConstructor = this.isConstructor(member);
    const of = `which ${className} had from ${this.nameOf(loss.base)} and has no more`;
    for (const site of yield* sitesInTurns(this.before, member)) {
      const isAbove = this.isAbove(site);
      if (isAbove ? yield* piece(() => this.hasStill(site, name, loss)) : isConstructor) continue;
      if (site.expr >= 0 && !isAbove && (!lost.has(name) || (yield* piece(() => this.isOnOther(site, loss))))) continue;
      for (const carried of yield* this.carry.all([site], loss.change)) {
        if (carried.expr < 0) {
          if (yield* piece(() => this.overridesNothing(site, carried, loss)))
            this.add(carried, site, loss, 'breaks', `overrides ${name}, ${of}`, fact);
          continue;
        }
        if (isAbove) {
          const above = isConstructor ? 'base to construct' : `base with ${name}`;
          const why = `means what it has from ${this.nameOf(loss.base)}, from which ${className} derives no more`;
          this.add(carried, site, loss, 'breaks', why, `${className} has no ${above} any more`);
          continue;
        }
        const does = `${site.kind === 'call' ? 'calls' : 'uses'} ${name}, ${of}`;
        const tier = yield* piece(() =>
          site.via === 'syntax' ? this.tierRun(carried, name, loss) : this.tierMeant(carried, name, loss),
        );
        if (tier !== undefined) this.add(carried, site, loss, tier, does, fact);
      }
    }
  }

  /** How sure a name that is said leads nowhere now; undefined where it does not. */
  private tierMeant({ file, expr }: Related, name: string, loss: Loss): Tier | undefined {
    const { exprs } = this.after.summary(file);
    const { targets, via } = this.after.resolve(file, expr);
    if (targets.length === 0 && (via === 'no such member' || via === 'unresolved')) return 'breaks';
    const isTaken = exprs.opOf(expr) === E.member;
    return isTaken && this.lacking(file, exprs.operandOf(expr), name, loss) !== 'none' ? 'may' : undefined;
  }

  /** The same of a member that syntax runs, `len(x)`, on what stands there. */
  private tierRun({ file, expr }: Related, name: string, loss: Loss): Tier | undefined {
    const summary = this.after.summary(file);
    const lacking = operandsRun(this.after.language(file), summary, expr).map((row) =>
      this.lacking(file, row, name, loss),
    );
    if (lacking.includes('all')) return 'breaks';
    return lacking.includes('some') ? 'may' : undefined;
  }

  /** How many of the objects that a row may be are of the class, and have no member of the name any more. */
  private lacking(file: string, row: number, name: string, { is }: Loss): 'all' | 'some' | 'none' {
    const { values, unknown } = this.after.typeOf(file, row);
    const lacking = values.filter(
      (value) =>
        value.kind === 'instance' &&
        isSubclass(this.after, value, is) &&
        findMember(this.after, value, name).found.length === 0,
    );
    if (lacking.length === 0) return 'none';
    return lacking.length === values.length && !unknown ? 'all' : 'some';
  }

  /** Whether a class means what its base has: `super()`, `super.name`. */
  private isAbove({ file, expr }: Site): boolean {
    const { exprs } = this.before.summary(file);
    const op = expr < 0 ? -1 : exprs.opOf(expr);
    return op === E.super || (op === E.member && exprs.opOf(exprs.operandOf(expr)) === E.super);
  }

  /** Whether what a class means of its base is there still, or is another class's. */
  private hasStill({ file, expr }: Site, name: string, { was, is }: Loss): boolean {
    const summary = this.before.summary(file);
    const { decl } = enclosingClass(summary, summary.exprs.scopeOf(expr), isClassLike, isFunctionLike);
    if (decl < 0 || !isSubclass(this.before, { file, decl }, was)) return true;
    // For a class below, what the class has itself stands above.
    const isOwn = file === was.file && decl === was.decl;
    const { found, outside } = findMember(this.after, is, name, isOwn);
    if (found.length > 0 || outside) return true;
    // Every object can be made with nothing.
    const call = summary.exprs.callOf(expr);
    return (
      call >= 0 && name === this.before.language(file).constructorName && summary.exprs.argumentsOf(call).length === 0
    );
  }

  /** Whether a member is taken from another class that had the base: that class has lost it too, or has it still. */
  private isOnOther({ file, expr }: Site, { was, base }: Loss): boolean {
    const self = receiverAt(this.before, file, expr);
    const isKnown = self?.kind === 'instance' || self?.kind === 'class';
    return isKnown && !sameDecl(self, base) && !isSubclass(this.before, self, was);
  }

  /** Whether a member of the class, or of one below, says that it stands for another one, and nothing is above it. */
  private overridesNothing(site: Site, carried: Related, { was }: Loss): boolean {
    if (carried.block < 0) return false;
    const summary = this.after.summary(carried.file);
    const owner = this.before.summary(site.file).decls.parentOf(site.block);
    return (
      summary.decls.has(carried.block, F.override | F.explicit) &&
      owner >= 0 &&
      isSubclass(this.before, { file: site.file, decl: owner }, was) &&
      overriddenBy(this.after, { file: carried.file, decl: carried.block }).length === 0
    );
  }

  /** Places that expect the base and are given an object of the class. */
  private *placesOf(loss: Loss, names: ReadonlySet<string>): Turns<void> {
    const { base } = loss;
    const baseNow = this.now(base);
    if (baseNow === undefined || (this.isByMembers(base) && !this.asksFor(base, names))) return;
    const tier = this.before.language(base.file).followsValues ? 'may' : 'breaks';
    const isLost = (value: DeclRef): boolean => !isSubclass(this.after, value, baseNow);
    yield* this.placesGiven(loss, { expected: this.withParameters(base), tier, isLost });
  }

  /** The same where the base is there still, with other type arguments. */
  *placesOfArguments({ change, was, is }: Omit<Loss, 'base'>): Turns<void> {
    for (const { base: row, from } of yield* piece(() => this.matches.otherArguments(was, is)))
      for (const now of yield* piece(() => this.after.resolve(is.file, row).targets)) {
        const base = now.decl < 0 ? undefined : this.earlier(now);
        if (base === undefined) continue;
        const expected = `${this.nameOf(base)}<${from.join(', ')}>`;
        // A place may take the base with any arguments.
        yield* this.placesGiven({ change, was, is, base }, { expected, tier: 'may', isLost: () => true });
      }
  }

  private *placesGiven(
    loss: Loss,
    {
      expected,
      tier,
      isLost,
    }: Pick<AffectedSite, 'tier'> & { readonly expected: string; readonly isLost: (value: DeclRef) => boolean },
  ): Turns<void> {
    const { base, was } = loss;
    const fact = `${this.nameOf(was)} is no ${expected} any more`;
    const isByMembers = this.isByMembers(base);
    const seen = new Set<string>();
    for (const { file, expr } of [
      ...(yield* piece(() => givenFor(this.before, base))),
      ...(isByMembers ? [] : yield* this.expectedIn(base)),
      ...(yield* this.classesExpectedIn(base)),
    ]) {
      if (seen.has(`${file}\0${expr}`)) continue;
      seen.add(`${file}\0${expr}`);
      const values = yield* piece(() => this.before.typeOf(file, expr).values);
      const given = values.find((value) => isOfClass(value) && isSubclass(this.before, value, was));
      if (given === undefined || !isOfClass(given)) continue;
      const gives = `gives ${this.nameOf(given)} where ${expected} is expected, which is not above it any more`;
      const block = blockOf(this.before.summary(file), expr);
      const site = { file, expr, block, confidence: values.length === 1 ? 'certain' : 'possible' } as const;
      for (const carried of yield* this.carry.all([site], loss.change)) {
        const now = yield* piece(() => this.after.typeOf(carried.file, carried.expr).values);
        const isLeft = (value: DeclRef): boolean => isSubclass(this.after, value, loss.is) && isLost(value);
        if (!now.some((value) => isOfClass(value) && isLeft(value))) continue;
        if (yield* piece(() => this.isTakenByAnother({ file, expr }, carried))) continue;
        this.add(carried, undefined, loss, tier, gives, fact);
        if (isOutside(loss.change.file)) yield* piece(() => this.takers(carried, loss, expected));
      }
    }
  }

  /** What stands where the base, or a class below it, is itself expected as a value: `type[Base]`. */
  private *classesExpectedIn(base: DeclRef): Turns<readonly Given[]> {
    if (this.before.language(base.file).library.classObjects.size === 0) return [];
    const files = new Set((yield* sitesInTurns(this.before, base)).map(({ file }) => file));
    const isBase = (value: Value): boolean => value.kind === 'class' && sameDecl(value, base);
    return (yield* pieces([...files], (file) => givenWhere(this.before, file, isBase))).flat();
  }

  /** What stands where the base is expected, in the files that say it. */
  private *expectedIn(base: DeclRef): Turns<readonly Given[]> {
    const files = new Set((yield* sitesInTurns(this.before, base)).map(({ file }) => file));
    return (yield* pieces([...files], (file) => expectedAs(this.before, file, base))).flat();
  }

  /** The class, or one below it, where a type parameter asks for a type below the base: `Table<Row>`, `get<Row>()`. */
  private *argumentsOf(loss: Loss): Turns<void> {
    const { before, after } = this;
    const baseNow = this.now(loss.base);
    if (baseNow === undefined || before.language(loss.base.file).structural) return;
    const expected = this.withParameters(loss.base);
    const fact = `${this.nameOf(loss.was)} is no ${expected} any more`;
    for (const type of [loss.was, ...descendantsOf(before, loss.was)]) {
      const typeNow = this.now(type);
      if (typeNow === undefined || isSubclass(after, typeNow, baseNow)) continue;
      const gives = `gives ${this.nameOf(type)} for a type parameter that asks for ${expected}`;
      for (const site of yield* sitesInTurns(before, type)) {
        const bounds = site.expr < 0 ? [] : yield* piece(() => boundsAt(before, site.file, site.expr));
        if (!bounds.some((bound) => sameDecl(bound, loss.base))) continue;
        for (const carried of yield* this.carry.all([site], loss.change)) {
          const asked = yield* piece(() => boundsAt(after, carried.file, carried.expr));
          if (asked.some((bound) => sameDecl(bound, baseNow)))
            this.add(carried, undefined, loss, 'breaks', gives, fact);
        }
      }
    }
  }

  /** Casts and tests between the base and the class, or one below it: no value is both any more. */
  private *conversionsOf(loss: Loss): Turns<void> {
    const { before } = this;
    const { base, was } = loss;
    const { structural } = before.language(base.file);
    if (this.now(base) === undefined || (structural && isInterface(before, base))) return;
    const isOfClass = (value: DeclRef): boolean => isSubclass(before, value, was);
    for (const [type, isFrom] of [
      [base, isOfClass] as const,
      ...[was, ...descendantsOf(before, was)].map(
        (each) => [each, (value: DeclRef): boolean => sameDecl(value, base)] as const,
      ),
    ])
      for (const conversion of yield* piece(() => conversionsTo(before, type))) {
        const { values } = yield* piece(() => before.typeOf(conversion.file, conversion.value));
        const [from, ...others] = values;
        if (from?.kind !== 'instance' || others.length > 0 || !isFrom(from)) continue;
        yield* this.addConversion(conversion, { from, to: type }, loss);
      }
  }

  private *addConversion(
    conversion: Conversion,
    { from, to }: { readonly from: DeclRef; readonly to: DeclRef },
    loss: Loss,
  ): Turns<void> {
    const [fromNow, toNow] = [this.now(from), this.now(to)];
    if (fromNow === undefined || toNow === undefined) return;
    const { structural } = this.before.language(to.file);
    const isPossible = structural || [from, to].some((type) => isInterface(this.before, type));
    const isFinal = [from, to].some((type) => this.before.summary(type.file).decls.has(type.decl, F.final));
    const [does, what] = conversion.isTest ? ['asks whether', 'is'] : ['turns', 'into'];
    const words = `${does} ${this.nameOf(from)} ${what} ${this.nameOf(to)}, and nothing has to be both any more`;
    for (const carried of yield* this.carry.all([conversion], loss.change)) {
      const means = yield* piece(() => this.after.resolve(carried.file, carried.expr).targets);
      if (!means.some((target) => sameDecl(target, toNow))) continue;
      const fact = `${this.nameOf(loss.was)} is no ${this.withParameters(loss.base)} any more`;
      const tier = isPossible && !isFinal ? 'may' : 'breaks';
      this.add(carried, undefined, loss, tier, words, fact);
    }
  }

  /**
   * Functions of one's own that take the base of a library and are given what is none any more: they may be what has to
   * follow, instead of all who call them.
   */
  private takers(given: Related, loss: Loss, expected: string): void {
    const base = this.now(loss.base);
    for (const { file, decl } of calleeOf(this.after, given)) {
      const { decls, exprs } = this.after.summary(file);
      if (isOutside(file) || base === undefined) continue;
      const param = [...decls.paramsOf(decl)].find((row) => this.isOfType(file, decls.typeOf(row), base));
      if (param === undefined) continue;
      const type = decls.typeOf(param);
      this.out.addOnce(file, decl, {
        expr: exprs.opOf(type) === E.index ? exprs.operandOf(type) : type,
        tier: 'may',
        confidence: 'certain',
        reason:
          `${decls.pathOf(decl)} takes ${expected} for ${decls.nameOf(param)}, and is given ` +
          `${this.nameOf(loss.was)}, which is none any more.`,
        fact: `${this.nameOf(loss.was)} is no ${expected} any more`,
        rule: 'lost-base',
        relation: 'UsedBy',
        cause: loss.change,
      });
    }
  }

  /** Whether a type as written is a class, or that class with arguments. */
  private isOfType(file: string, row: number, type: DeclRef): boolean {
    const { exprs } = this.after.summary(file);
    const head = row >= 0 && exprs.opOf(row) === E.index ? exprs.operandOf(row) : row;
    return head >= 0 && this.after.resolve(file, head).targets.some((target) => sameDecl(target, type));
  }

  /** Whether what is given is an argument of a call that surely means another function now: an overload, say. */
  private isTakenByAnother(given: Given, carried: Related): boolean {
    const was = calleeOf(this.before, given).map((target) => this.now(target));
    const is = calleeOf(this.after, carried);
    return is.length > 0 && is.every((target) => was.every((other) => other !== undefined && !sameDecl(other, target)));
  }

  /** Whether what is given for a type need only have its members. Python's classes are told apart by their names. */
  private isByMembers(type: DeclRef): boolean {
    const { structural, checksTypes } = this.before.language(type.file);
    return structural && (checksTypes || isInterface(this.before, type));
  }

  /** Whether an object without these members is none of the type where only members count. */
  private asksFor({ file, decl }: DeclRef, names: ReadonlySet<string>): boolean {
    const { decls } = this.before.summary(file);
    const inner = decls.innerOf(decl);
    return (
      inner >= 0 &&
      [...decls.allInScope(inner)].some((member) => names.has(decls.nameOf(member)) && !decls.has(member, F.optional))
    );
  }

  private add(
    { file, expr, block, confidence }: Related,
    site: Site | undefined,
    { change }: Loss,
    tier: AffectedSite['tier'],
    does: string,
    fact: string,
  ): void {
    this.out.addOnce(file, block, {
      expr,
      tier,
      confidence,
      reason: `${this.after.summary(file).decls.pathOf(block)} ${does}.`,
      fact,
      rule: 'lost-base',
      relation: site === undefined ? 'UsedBy' : RELATION_OF_EDGE[site.kind],
      cause: change,
    });
  }
}

/** The classes that a row which is a type argument has to be below, by the bounds of the type parameter. */
function boundsAt(resolver: Resolver, file: string, row: number): readonly DeclRef[] {
  const { exprs } = resolver.summary(file);
  return exprs.wholesOf(row).flatMap((whole) => {
    const isIndex = exprs.opOf(whole) === E.index;
    const isCall = exprs.opOf(whole) === E.call;
    const given = isIndex ? [...exprs.partsOf(whole)] : isCall ? exprs.typeArgumentsOf(whole) : [];
    const at = given.indexOf(row);
    if (at < 0) return [];
    const generic = isIndex ? exprs.operandOf(whole) : exprs.calleeOf(whole);
    return resolver.resolve(file, generic).targets.flatMap((target) => {
      const { decls } = resolver.summary(target.file);
      const param = target.decl < 0 ? undefined : [...decls.typeParamsOf(target.decl)][at];
      const bound = param === undefined ? -1 : decls.typeOf(param);
      if (bound < 0) return [];
      return instanceOf(resolver, target.file, bound).values.filter((value) => value.kind === 'instance');
    });
  });
}

/** What a call means that takes the row as an argument, where that is certain. */
function calleeOf(resolver: Resolver, { file, expr }: Given): readonly DeclRef[] {
  const { exprs } = resolver.summary(file);
  const use = exprs.usesOf(expr).find(({ kind }) => kind === 'argument');
  if (use?.kind !== 'argument') return [];
  const { targets, confidence } = resolver.resolve(file, exprs.calleeOf(use.row));
  return confidence === 'certain' ? targets : [];
}

const isInterface = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  resolver.summary(file).decls.kindOf(decl) === D.interface;

const isMember = (kind: number): boolean => isFunctionLike(kind) || isFieldLike(kind);
