/**
 * Objects that are given for another type than their own, where types count by their members: the one lost a member
 * that the other asks for, may be without it, or has it of another type; or the other asks for more.
 *
 *     interface Opts { size?: number }     const full: Full = opts;
 *     interface Full { size: number }      const more: Full = { ...opts, name: '' };
 *
 * Classes that are given for a type that asks for more are the rule table's. Errs towards missing: elements of
 * containers, objects inside of objects, and types that many others could stand for.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesSaidIn } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import type { Given } from '../graph/refer/given.js';
import { declaredAs, demandsMetBy, givenFor, givenIn, typesOn } from '../graph/refer/satisfied.js';
import { expectedWhere } from '../graph/resolve/expected.js';
import { classOfMember, findMember, isAskedOf, isSubclass } from '../graph/resolve/hierarchy.js';
import { expectedOfLiteral, isOfMembers, lackedByObject, membersOfLiteral } from '../graph/resolve/literal-keys.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Value } from '../graph/resolve/value.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, F, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn } from './counterparts.js';
import { typesFit } from './judge-held-type.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';
import { breaks, may, type Verdict } from './verdict.js';

export function* misfitObjects(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const now = counterpartsIn(question);
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    const ways = yield* piece(() => waysOf(graphs, change));
    for (const { name, owner, isWanted } of ways) {
      const is = isWanted ? owner : now(owner);
      if (is === undefined) continue;
      const had = (other: string): boolean => findMember(graphs.before, owner, other).found.length > 0;
      const parting = { graphs, change, name, own: isWanted ? undefined : is, out };
      for (const wanted of yield* piece(() =>
        wantedBy(graphs.after, isWanted ? [is] : demandsMetBy(graphs.after, is, name, had), name),
      ))
        for (const place of yield* placesOf(question, wanted)) {
          if (isWanted) yield* piece(() => addNamespace({ ...parting, wanted }, place));
          yield* piece(() => addMisfit({ ...parting, wanted }, place));
        }
      if (!isWanted) yield* spreadWhereNamed(parting, owner);
    }
  }
  return out.sorted();
}

/** The types, and those made of them that ask for the member as they do. */
const wantedBy = (after: Resolver, types: readonly DeclRef[], name: string): readonly DeclRef[] =>
  types.flatMap((type) => [type, ...typesOn(after, type).filter((made) => isAskedOf(after, made, type, name))]);

/**
 * Where the type is expected after the edit. In files that the edit left alone that is known of the tree before it,
 * once for all its keystrokes; what is given there for a parameter that was retyped is the rule table's.
 */
function* placesOf({ graphs: { before, after }, edit }: Question, wanted: DeclRef): Turns<readonly Given[]> {
  const edited = editedIn({ before, after });
  const pair = edit.matches.of(wanted.file).pairs.find((each) => each.after === wanted.decl);
  const was = edited.has(wanted.file) ? pair?.before : wanted.decl;
  if (was === undefined) return yield* piece(() => givenFor(after, wanted));
  const earlier = { file: wanted.file, decl: was };
  const known = yield* piece(() => givenFor(before, earlier));
  const elsewhere = yield* piece(() => declaredAs(before, earlier).filter(({ file }) => !edited.has(file)));
  const anew = yield* piece(() => givenIn(after, wanted, edited, elsewhere));
  return [...known.filter(({ file }) => !edited.has(file)), ...anew];
}

/**
 * What is spread into a literal need not have all that the literal's place asks for. Which files name the type, as it
 * was before the edit, is known for all its keystrokes; the edited ones may.
 */
function* spreadWhereNamed(parting: Omit<Parting, 'wanted'>, was: DeclRef): Turns<void> {
  const { before, after } = parting.graphs;
  const naming = yield* piece(() => sitesSaidIn(before, was, filesThatSpread(before)).map((site) => site.file));
  for (const file of new Set([...naming, ...editedIn(parting.graphs)])) {
    if (after.repo.summary(file) === undefined) continue;
    for (const expr of spreadingLiterals(after.summary(file)))
      yield* piece(() => {
        for (const wanted of expectedOfLiteral(after, file, expr)?.values ?? [])
          if (wanted.kind === 'instance' && wanted.isPart === undefined)
            addMisfit({ ...parting, wanted }, { file, expr });
      });
  }
}

const filesThatSpread = ({ repo }: Resolver): ReadonlySet<string> =>
  repo.memo(
    'files that spread',
    () => new Set([...repo.files].flatMap(([file, summary]) => (spreadingLiterals(summary).length > 0 ? [file] : []))),
  );

function spreadingLiterals({ decls, exprs }: Summary): readonly number[] {
  const out: number[] = [];
  for (let decl = 0; decl < decls.count; decl++) {
    if (decls.kindOf(decl) !== D.anonymousClass || decls.basesOf(decl).length === 0) continue;
    const expr = exprs.rowOfClosure(decl);
    if (expr !== undefined && exprs.roleOf(expr) !== R.type) out.push(expr);
  }
  return out;
}

const editedIn = ({ before, after }: Graphs): ReadonlySet<string> =>
  new Set(after.repo.snapshot.differingFrom(before.repo.snapshot));

interface Way {
  /** Of the member. */
  readonly name: string;
  /** Its type: in the edited tree where that asks for it, else in the tree before. */
  readonly owner: DeclRef;
  /** Whether the type asks for something else now, and does not have something else. */
  readonly isWanted: boolean;
}

/** How the change of a member may part its type from others, in both directions. */
function waysOf({ before, after }: Graphs, { label, before: was, after: is, detail }: AtomicChange): Way[] {
  const out: Way[] = [];
  const { modifiers, rename, type } = detail;
  const isGone = label === 'DF' || label === 'DM' || rename !== undefined;
  const isNew = label === 'AF' || label === 'AM' || rename !== undefined;
  const add = (resolver: Resolver, ref: DeclRef | undefined, isWanted: boolean): void => {
    if (ref === undefined || ref.decl < 0 || !resolver.language(ref.file).structural) return;
    const summary = resolver.summary(ref.file);
    const owner = classOfMember(summary, ref.decl);
    if (owner === undefined || (isWanted && !isAskedFor(resolver, ref, owner))) return;
    // A class whose member has another name is tied to what it stands for by the rules.
    if (!isWanted && rename !== undefined && summary.decls.kindOf(owner) === D.class) return;
    out.push({ name: summary.decls.nameOf(ref.decl), owner: { file: ref.file, decl: owner }, isWanted });
  };
  const isHidden = HIDING.some((word) => modifiers?.added.includes(word) === true);
  if (isGone || isHidden || modifiers?.added.includes('optional') === true || type !== undefined)
    add(before, was, false);
  if (isNew || modifiers?.removed.includes('optional') === true || type !== undefined) add(after, is, true);
  return out;
}

/** What an object has no more for others, once its member is one of these. */
const HIDING = ['private', 'protected', 'static'] as const;

function isAskedFor(resolver: Resolver, { file, decl }: DeclRef, owner: number): boolean {
  const { decls } = resolver.summary(file);
  const kind = decls.kindOf(owner);
  return (kind === D.interface || kind === D.typeAlias) && !decls.has(decl, F.optional);
}

interface Parting {
  readonly graphs: Graphs;
  readonly change: AtomicChange;
  readonly name: string;
  /** The type that is expected; the one whose objects are given, undefined for any that is no class. */
  readonly wanted: DeclRef;
  readonly own: DeclRef | undefined;
  readonly out: AffectedBlocks;
}

interface Place {
  readonly file: string;
  readonly expr: number;
}

function addMisfit(parting: Parting, place: Place): void {
  const { graphs, change, name, wanted, out } = parting;
  const { after } = graphs;
  const summary = after.summary(place.file);
  const given = givenAt(parting, place);
  if (given === undefined) return;
  if (given.type === undefined) return addOutside(parting, place, given.outside);
  const verdict = given.isLoose === true ? breaks(`its ${name} may be missing`) : fitOf(parting, given.type);
  if (verdict === 'fine') return;
  const nameOf = ({ file, decl }: DeclRef): string => after.summary(file).decls.nameOf(decl) || 'an object';
  const block = blockOf(summary, place.expr);
  const what = given.isLoose === true ? `a part of ${nameOf(given.type)}` : nameOf(given.type);
  out.addOnce(place.file, block, {
    expr: given.expr,
    tier: given.isSure ? verdict.tier : 'may',
    confidence: given.isSure ? 'certain' : 'possible',
    reason:
      `${block < 0 ? '<module>' : summary.decls.pathOf(block)} gives ${what} where ${nameOf(wanted)} ` +
      `is expected: ${verdict.detail ?? ''}.`,
    fact: `${what} for ${nameOf(wanted)}: ${name}`,
    rule: 'misfit-object',
    relation: 'UsedBy',
    cause: change,
  });
}

/** An object of a type from outside, of which nobody here knows what it has. */
function addOutside(
  { graphs: { after }, change, name, wanted, out }: Parting,
  { file, expr }: Place,
  what: string,
): void {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  const type = after.summary(wanted.file).decls.nameOf(wanted.decl);
  out.addOnce(file, block, {
    expr,
    tier: 'may',
    confidence: 'possible',
    reason:
      `${block < 0 ? '<module>' : summary.decls.pathOf(block)} gives ${what} where ${type} is expected: ` +
      `whether it has ${name} is not known.`,
    fact: `${what} for ${type}: ${name}`,
    rule: 'misfit-object',
    relation: 'UsedBy',
    cause: change,
  });
}

/** A class or a module that is itself given for a type which asks for a member that it has not by itself. */
function addNamespace({ graphs: { after }, change, name, wanted, out }: Parting, { file, expr }: Place): void {
  const summary = after.summary(file);
  const lacking = lackingNamespace(after, { file, expr }, name);
  if (lacking === undefined) return;
  const block = blockOf(summary, expr);
  const type = after.summary(wanted.file).decls.nameOf(wanted.decl);
  out.addOnce(file, block, {
    expr,
    tier: lacking.isKnown ? 'breaks' : 'may',
    confidence: 'certain',
    reason:
      `${block < 0 ? '<module>' : summary.decls.pathOf(block)} gives ${lacking.what} where ${type} is expected` +
      `${lacking.isKnown ? `, and it has no ${name}` : `: whether it has ${name} is not known`}.`,
    fact: `${lacking.what} for ${type}: ${name}`,
    rule: 'misfit-object',
    relation: 'UsedBy',
    cause: change,
  });
}

function lackingNamespace(
  after: Resolver,
  { file, expr }: Place,
  name: string,
): { readonly what: string; readonly isKnown: boolean } | undefined {
  const { exprs, imports, decls } = after.summary(file);
  if (exprs.opOf(expr) !== E.name && exprs.opOf(expr) !== E.member) return undefined;
  const what = exprs.nameOf(expr);
  const { values, unknown } = after.typeOf(file, expr);
  const isKnown = values.length === 1 && !unknown;
  for (const value of values) {
    if (value.kind === 'module' && after.exported(value.file, name).length === 0) return { what, isKnown };
    if (value.kind !== 'class') continue;
    const { found, outside } = findMember(after, value, name);
    if (found.length === 0 && !outside) return { what, isKnown };
  }
  const isModule = ({ kind, decl }: (typeof imports)[number]): boolean =>
    kind === 'module' && decl >= 0 && decls.nameOf(decl) === what;
  return after.resolve(file, expr).external && imports.some(isModule) ? { what, isKnown: false } : undefined;
}

interface OutsideObject {
  readonly type: undefined;
  /** The name of its type. */
  readonly outside: string;
}

interface GivenObject {
  readonly expr: number;
  readonly type: DeclRef;
  readonly isSure: boolean;
  /** It may lack each of the type's members. */
  readonly isLoose?: boolean;
}

/** The object of the type that the place gives, or spreads into what it gives and has not otherwise. */
function givenAt(parting: Parting, { file, expr }: Place): GivenObject | OutsideObject | undefined {
  const { graphs, change, name, own } = parting;
  const { decls, exprs } = graphs.after.summary(file);
  const literal = exprs.opOf(expr) === E.closure ? exprs.closureOf(expr) : -1;
  if (literal < 0) {
    // What is spread is looked at with its literal.
    const isSpread = exprs.usesOf(expr).some(({ kind }) => kind === 'base');
    return isSpread ? undefined : (objectAt(parting, { file, expr }) ?? outsideAt(parting, { file, expr }));
  }
  // What a literal lacks that its type asks for anew is the rule table's.
  const isTableOwn = own === undefined && change.detail.type === undefined;
  if (isTableOwn || decls.kindOf(literal) !== D.anonymousClass) return undefined;
  const keys = membersOfLiteral(graphs.after.summary(file), literal);
  if (keys.some((member) => decls.nameOf(member) === name)) return undefined;
  const spread = [...decls.basesOf(literal)];
  const at = spread.findIndex((row) => objectAt(parting, { file, expr: row }) !== undefined);
  const others = spread.filter((_, i) => i !== at);
  const isElsewhere = others.some((row) => {
    const { values, unknown } = graphs.after.typeOf(file, row);
    return unknown || values.some((value) => value.kind !== 'instance' || has(graphs.after, value, name) !== undefined);
  });
  const row = spread[at];
  return row === undefined || isElsewhere ? undefined : objectAt(parting, { file, expr: row });
}

/** An object from outside that is given where the type alone is expected, and asks for more now. */
function outsideAt({ graphs: { after }, change, own }: Parting, { file, expr }: Place): OutsideObject | undefined {
  if (own !== undefined || change.detail.type !== undefined) return undefined;
  const { library } = after.language(file);
  const outside = after
    .typeOf(file, expr)
    .values.find(
      (value) => value.kind === 'external' && isOfMembers(library, value) && !library.anyTypes.has(value.name),
    );
  if (outside?.kind !== 'external') return undefined;
  const expected = expectedWhere(after, file, expr);
  return expected?.values.every(({ kind }) => kind === 'instance') === true
    ? { type: undefined, outside: outside.name }
    : undefined;
}

/** Whether an object has all that is asked for by its bases, and not by a member of its own beside a part of them. */
const hasByBases = ({ graphs: { after }, wanted, name }: Parting, type: DeclRef): boolean =>
  isSubclass(after, type, wanted) && isAskedOf(after, type, wanted, name);

function objectAt(parting: Parting, { file, expr }: Place): GivenObject | undefined {
  const { graphs, wanted, own } = parting;
  const { after } = graphs;
  if (after.summary(file).exprs.opOf(expr) === E.closure) return undefined;
  const { values, unknown } = after.typeOf(file, expr);
  for (const value of values) {
    if (value.kind !== 'instance' || value.isPart === 'some') continue;
    // An object that may lack each member of the type was one of it as long as none had to be there.
    const isLoose = value.isPart === 'any' && own === undefined && isSubclass(after, value, wanted);
    if (isLoose) return { expr, type: value, isLoose, isSure: !unknown && values.length === 1 };
    if (value.isPart === 'any' || hasByBases(parting, value)) continue;
    const literal = own === undefined ? literalOf(after, value) : undefined;
    const isKnown = literal === undefined || isSureToLack(parting, literal, value, { file, expr });
    if (isKnown === undefined) continue;
    const isMeant = own === undefined ? literal !== undefined || isType(after, value) : isSubclass(after, value, own);
    if (isMeant) return { expr, type: value, isSure: isKnown && !unknown && values.length === 1 };
  }
  return undefined;
}

function isType(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const kind = resolver.summary(file).decls.kindOf(decl);
  return kind === D.interface || kind === D.typeAlias;
}

/** The literal that an object comes from, where no place says a type: `const opts = { size: 1 }`. */
function literalOf(resolver: Resolver, { file, decl }: DeclRef): Place | undefined {
  const { decls, exprs } = resolver.summary(file);
  const expr = decls.kindOf(decl) === D.anonymousClass ? exprs.rowOfClosure(decl) : undefined;
  if (expr === undefined || expectedOfLiteral(resolver, file, expr) !== undefined) return undefined;
  // A type that says nothing of its members, `any`, fits everywhere.
  const isTyped = exprs.usesOf(expr).some((use) => use.kind === 'value' && decls.typeOf(use.decl) >= 0);
  return isTyped ? undefined : { file, expr };
}

/**
 * Whether the object of a literal lacks the member for sure where it is given; undefined where it has it, or the place
 * takes something else that it is, as one side of a union.
 */
function isSureToLack(
  { graphs: { after }, change, wanted, name }: Parting,
  literal: Place,
  object: DeclRef,
  { file, expr }: Place,
): boolean | undefined {
  // What a type parameter stands for is the object itself.
  const isOther = (side: Value): boolean => side.kind !== 'instance' || !sameDecl(side, object);
  const sides = expectedWhere(after, file, expr)?.values.filter(isOther) ?? [];
  const lacked = lackedByObject(after, literal, sides.length > 0 ? sides : [{ kind: 'instance', args: [], ...wanted }]);
  if (lacked?.includes(name) === false) return undefined;
  // A key that stands for a member is tied to its name by the rules.
  const { rename } = change.detail;
  if (rename !== undefined && has(after, object, rename.from) !== undefined) return undefined;
  return isSetIn(after, literal.file, object, name) ? undefined : lacked !== undefined;
}

/** Whether a file sets a member of an object: in JavaScript also one that its literal has not. */
function isSetIn(resolver: Resolver, file: string, object: DeclRef, name: string): boolean {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  return [...exprs.named(summary.idOf(name))].some(
    (row) =>
      exprs.opOf(row) === E.member &&
      exprs.roleOf(row) === R.write &&
      resolver
        .typeOf(file, exprs.operandOf(row))
        .values.some((value) => value.kind === 'instance' && sameDecl(value, object)),
  );
}

/** What of the member the given type has against what the other one wants. */
function fitOf({ graphs, change, name, wanted, own }: Parting, given: DeclRef): Verdict {
  const { after } = graphs;
  const want = has(after, wanted, name);
  if (want === undefined) return 'fine';
  const { found, outside } = findMember(after, given, name);
  const have = found[0];
  const mayLack = after.summary(want.file).decls.has(want.decl, F.optional);
  const hiding = have === undefined ? undefined : hidingOf(after, have);
  if (hiding !== undefined) return breaks(`its ${name} is ${hiding}`);
  if (have === undefined && outside && !mayLack && own === undefined && isType(after, given))
    return may(`whether it has ${name} is not known`);
  if (have === undefined) return outside || mayLack ? 'fine' : breaks(`it has no ${name}`);
  if (!mayLack && after.summary(have.file).decls.has(have.decl, F.optional))
    return breaks(`its ${name} may be missing`);
  if (change.detail.type === undefined) return 'fine';
  return typesFit(graphs, want, have, may(`whether its ${name} is of the type that is asked for cannot be told`));
}

function hidingOf(resolver: Resolver, { file, decl }: DeclRef): string | undefined {
  const isOnObjects = resolver.language(file).staticsOnObjects;
  return HIDING.find((word) => resolver.summary(file).decls.has(decl, F[word]) && !(word === 'static' && isOnObjects));
}

const has = (resolver: Resolver, type: DeclRef, name: string): DeclRef | undefined =>
  findMember(resolver, type, name).found[0];
