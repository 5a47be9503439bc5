/**
 * Sites that no name leads to: calls of what a variable, parameter, attribute or entry holds,
 * decorators that are values, and classes that are raised.
 *
 * `certain` where all that can be held was seen and is one function or class; else `possible`.
 * And the other way round: members that a call could mean by its name alone are ruled out where
 * all values of its receiver are known.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { answerTo, type Answer } from './fixpoint.js';
import { storesOf } from './by-name.js';
import { heldByField } from './flow-attributes.js';
import { definition, definitionNamed, held, withSelf } from './flow.js';
import { functionsRun } from './takers.js';
import { callsReached, objectsReached, type CallPlace, type Reached } from './flow-forward.js';
import { namesCallable, type Held } from './held.js';
import { findMember } from '../resolve/hierarchy.js';
import { membersRunBy } from './implied-calls.js';
import { lastStored } from './last-stored.js';
import { blockOf, type Site } from './site.js';
import type { Resolver } from '../resolve/resolver.js';
import { usesOf } from './uses.js';

/** What an expression can give, all followed; open and empty where the language's values are not. */
export function heldBy(resolver: Resolver, file: string, expr: number): Answer<Held> {
  if (!resolver.language(file).followsValues) return OPEN;
  return resolver.answer('held', file, expr, OPEN, () => {
    const named = definitionNamed(resolver, file, expr);
    if (named === undefined) return answerTo(held(resolver, file, expr));
    const { target, self } = named;
    const answer = resolver.answer<Answer<Held>>('held by definition', target.file, target.decl, OPEN, () =>
      answerTo(definition(resolver, target)),
    );
    return self === undefined ? answer : withSelf(answer, target, self);
  });
}

const OPEN: Answer<Held> = { values: new Map<string, Held>(), open: true };

/** The sites of a file that only following values finds. */
export function flowSitesIn(resolver: Resolver, file: string): Site[] {
  if (!resolver.language(file).followsValues) return [];
  const summary = resolver.summary(file);
  const out = callPlaces(summary, file).flatMap((call) => flowSitesAt(resolver, call));
  for (let expr = 0; expr < summary.exprs.count; expr++)
    if (summary.exprs.opOf(expr) === E.element) out.push(...iterationSites(resolver, file, expr));
  return out;
}

function callPlaces(summary: Summary, file: string): CallPlace[] {
  const { exprs, decls } = summary;
  const out: CallPlace[] = [];
  for (let expr = 0; expr < exprs.count; expr++)
    if ((exprs.opOf(expr) === E.call || exprs.opOf(expr) === E.applied) && exprs.operandOf(expr) >= 0)
      out.push({ file, expr });
  for (let decl = 0; decl < decls.count; decl++)
    decls.decoratorsOf(decl).forEach((expr, index) => out.push({ file, expr, decorates: { decl, index } }));
  return out;
}

/** What a call runs that its callee's name does not say. */
function flowSitesAt(resolver: Resolver, call: CallPlace): readonly Site[] {
  return resolver.answer<readonly Site[]>(
    'followed calls',
    call.file,
    `${call.expr}\0${call.decorates?.decl ?? ''}`,
    [],
    () => {
      const { file, expr } = call;
      const summary = resolver.summary(file);
      const callee = call.decorates === undefined ? summary.exprs.operandOf(expr) : expr;
      const named = namedBy(resolver, file, summary, callee, call);
      if (named === undefined) return [];
      const answer = heldBy(resolver, file, callee);
      const sure = surely(resolver, file, callee, answer);
      const values = sure === undefined ? answer.values.values() : new Set([sure, ...answer.values.values()]);
      const block = blockOf(summary, expr);
      const out: Site[] = [];
      for (const value of values) {
        if (value.kind !== 'function' && value.kind !== 'class' && value.kind !== 'instance') continue;
        // Of an object whose type is known that says which member runs.
        if (
          value.kind === 'instance' &&
          call.decorates === undefined &&
          resolver.typeOf(file, callee).values.length > 0
        )
          continue;
        // What such a call gives of the arguments is not all (`impact/handed-arguments.ts`).
        if (value.kind === 'function' && value.isBound === true) continue;
        if (named.some((target) => sameDecl(target, value))) continue;
        const kind = value.kind === 'class' ? 'instantiate' : 'call';
        const confidence = value === sure ? 'certain' : 'possible';
        const run = value.kind === 'function' ? [] : functionsRun(resolver, value);
        for (const { file: of, decl } of value.kind === 'instance' ? run : [value, ...run])
          out.push({ file, expr: callee, block, target: { file: of, decl }, kind, confidence, via: 'flow' });
      }
      return out;
    },
  );
}

/**
 * The value that a callee is sure to give, if all are known: the only one, or of an attribute that classes below have
 * over again the one that the class of the object has, as for methods.
 */
function surely(resolver: Resolver, file: string, callee: number, answer: Answer<Held>): Held | undefined {
  const [value, ...others] = answer.open ? [] : answer.values.values();
  if (value === undefined || others.length === 0) return value;
  const { targets, self, confidence } = resolver.resolve(file, callee);
  const [field, ...more] = confidence === 'certain' ? targets : [];
  if (field === undefined || more.length > 0 || self === undefined || field.decl < 0) return undefined;
  if (resolver.summary(field.file).decls.kindOf(field.decl) !== D.field) return undefined;
  const owner = { self, made: undefined, isExact: true };
  const own = answerTo({ key: 'own', find: (ask) => heldByField(resolver, field, owner, ask) });
  const [only, ...rest] = own.open ? [] : own.values.keys();
  return only === undefined || rest.length > 0 ? undefined : answer.values.get(only);
}

/** Members that an iteration runs where only following values says over what. */
function iterationSites(resolver: Resolver, file: string, expr: number): Site[] {
  const summary = resolver.summary(file);
  const operand = summary.exprs.operandOf(expr);
  const names = membersRunBy(resolver.language(file), summary, expr);
  if (operand < 0 || names.length === 0 || resolver.typeOf(file, operand).values.length > 0) return [];
  const answer = heldBy(resolver, file, operand);
  const confidence = !answer.open && answer.values.size === 1 ? 'certain' : 'possible';
  const members = [...answer.values.values()].flatMap((value) =>
    value.kind === 'instance' ? names.flatMap((name) => findMember(resolver, value, name).found) : [],
  );
  return members.map((target) => ({
    file,
    expr,
    block: blockOf(summary, expr),
    target,
    kind: 'call',
    confidence,
    via: 'syntax',
  }));
}

/** The constructs under which a language lists the members that iterating runs. */
const ITERATIONS = ['for', 'async for'];

/** The functions and classes that the callee's name leads to already; undefined where there is nothing to follow. */
function namedBy(
  resolver: Resolver,
  file: string,
  summary: Summary,
  callee: number,
  call: CallPlace,
): readonly DeclRef[] | undefined {
  const { exprs } = summary;
  const op = exprs.opOf(callee);
  // `Box[int](x)` is a call by the name.
  if (op === E.index && exprs.roleOf(exprs.operandOf(callee)) === R.callee)
    return namedBy(resolver, file, summary, exprs.operandOf(callee), call);
  if (op !== E.name && op !== E.member) return op === E.super || op === E.this || op === E.other ? undefined : [];
  const found = resolver.resolve(file, callee);
  const isPut = op === E.member && lastStored(resolver, file, summary, callee) !== undefined;
  if (found.via === 'name' && !isPut) return undefined;
  const isSet = op === E.member && storesOf(resolver, exprs.nameOf(callee), file).length > 0;
  if (found.external && found.confidence === 'certain' && !isSet) return undefined;
  if (call.decorates === undefined && exprs.opOf(call.expr) === E.applied) return [];
  // What `cls` makes is of whatever class it was called on.
  if (
    found.targets.some((target) => target.decl >= 0 && resolver.summary(target.file).decls.has(target.decl, F.receiver))
  )
    return undefined;
  const isPlain =
    !isPut &&
    found.targets.length > 0 &&
    found.targets.every((target) => target.decl >= 0 && namesCallable(resolver.summary(target.file), target.decl));
  return isPlain ? undefined : found.targets;
}

/** Calls elsewhere that run the declaration without naming it. */
export function flowSitesTo(resolver: Resolver, target: DeclRef): Site[] {
  const kind = resolver.summary(target.file).decls.kindOf(target.decl);
  if (
    !resolver.language(target.file).followsValues ||
    !(isFunctionLike(kind) || isClassLike(kind)) ||
    kind === D.lambda ||
    kind === D.anonymousClass
  )
    return [];
  const key = `t${target.file}\0${target.decl}`;
  const calls = answerTo({ key, find: (ask) => callsReached(resolver, target, ask) });
  return [
    ...[...calls.values.values()].flatMap((call) => flowSitesAt(resolver, call)),
    ...iterationsOf(resolver, target),
  ].filter((site) => sameDecl(site.target, target));
}

const rowsOfObjects = (resolver: Resolver, member: DeclRef): Reached[] => [
  ...answerTo<Reached>({ key: 'objects', find: (ask) => objectsReached(resolver, member, ask) }).values.values(),
];

/** Iterations that objects of the member's class reach, if iterating runs it. */
function iterationsOf(resolver: Resolver, target: DeclRef): Site[] {
  const summary = resolver.summary(target.file);
  if (
    !ITERATIONS.some(
      (construct) =>
        resolver.language(target.file).operatorMembers[construct]?.includes(summary.decls.nameOf(target.decl)) === true,
    )
  )
    return [];
  return rowsOfObjects(resolver, target).flatMap((row) =>
    usesOf(resolver.summary(row.file), row.expr).flatMap((use) =>
      row.depth === 0 && use.kind === 'part' && resolver.summary(row.file).exprs.opOf(use.row) === E.element
        ? iterationSites(resolver, row.file, use.row)
        : [],
    ),
  );
}

/**
 * Whether a site means something else to which its name alone led, or one of several types that its receiver may be of:
 * all that its receiver can be is known, and has the member elsewhere.
 */
export function isRuledOut(resolver: Resolver, site: Site): boolean {
  if (site.expr < 0 || !resolver.language(site.file).followsValues) return false;
  const summary = resolver.summary(site.file);
  if (summary.exprs.roleOf(site.expr) !== R.callee) return false;
  if (site.via !== 'name' && !isOfSeveral(resolver, site, summary)) return false;
  const meant = membersHeld(resolver, site.file, summary, site.expr);
  return meant !== undefined && !meant.some((member) => sameDecl(member, site.target));
}

/** Whether a member is taken of something that may be an object of one type or of another. */
function isOfSeveral(resolver: Resolver, { file, expr }: Site, { exprs }: Summary): boolean {
  const receiver = exprs.opOf(expr) === E.member ? exprs.operandOf(expr) : -1;
  if (receiver < 0) return false;
  return (
    resolver.typeOf(file, receiver).values.filter(({ kind }) => kind === 'instance' || kind === 'class').length > 1
  );
}

/** The members that the receiver's values have; undefined where that is not all. */
function membersHeld(resolver: Resolver, file: string, summary: Summary, expr: number): readonly DeclRef[] | undefined {
  const receiver = summary.exprs.operandOf(expr);
  if (receiver < 0) return undefined;
  const answer = resolver.answer<Answer<Held>>(
    'held by receiver',
    file,
    receiver,
    { values: new Map(), open: true },
    () => answerTo(held(resolver, file, receiver), true),
  );
  if (answer.open || answer.values.size === 0) return undefined;
  const name = summary.exprs.nameOf(expr);
  const out: DeclRef[] = [];
  for (const value of answer.values.values()) {
    if (value.kind !== 'instance' && value.kind !== 'class') return undefined;
    const { found } = findMember(resolver, value, name);
    if (found.length === 0) return undefined;
    out.push(...found);
  }
  return out;
}
