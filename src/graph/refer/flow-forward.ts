/**
 * Where values go: the rows that the value of a row reaches, and so the calls that may run a
 * function. The other direction stands in `flow.ts`.
 *
 * What lies in a container is reached again wherever a part of the container is taken; keys do
 * not count here, since whoever asks looks back from the row that was reached.
 */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isFieldLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { isRead, readsOf } from './by-name.js';
import { Finding, type Answer, type Ask, type Question } from './fixpoint.js';
import { held, heldCallee, pairsOf } from './flow.js';
import { isGenerator } from './held.js';
import { classOfMember, ownMembers, searchOrder } from '../resolve/hierarchy.js';
import { narrowedBy, sameNamed } from '../resolve/last-assignments.js';
import { signatureOf } from '../resolve/signature.js';
import { valueSites } from './references.js';
import { descendantsOf } from './sites-by-name.js';
import type { Resolver } from '../resolve/resolver.js';
import type { Use } from '../../syntax/parts.js';
import { takersOf } from './takers.js';
import { usesOf } from './uses.js';

/** A row that gives the value; `depth`: or a container that it lies in, so deep. */
export interface Reached {
  readonly file: string;
  readonly expr: number;
  readonly depth: number;
}

/** A call, or a decorator that is applied to a declaration: `expr` is then the decorator's row. */
export interface CallPlace {
  readonly file: string;
  readonly expr: number;
  readonly decorates?: { readonly decl: number; readonly index: number };
}

/** A function that is named more often is called from too many places for the callers to say what it is passed. */
const ORIGINS_MOST = 100;
/** How deep containers in containers are followed. */
const DEPTH_MOST = 3;

export const findingRows = (): Finding<Reached> =>
  new Finding<Reached>((row) => `${row.depth}${row.file}\0${row.expr}`);
export const findingCalls = (): Finding<CallPlace> =>
  new Finding<CallPlace>((call) => `${call.file}\0${call.expr}\0${call.decorates?.decl ?? ''}`);

export function reached(resolver: Resolver, file: string, expr: number, depth: number): Question<Reached> {
  return {
    key: `w${depth}${file}\0${expr}`,
    find: (ask) => {
      const out = findingRows();
      out.add({ file, expr, depth });
      if (depth <= DEPTH_MOST)
        for (const use of usesOf(resolver.summary(file), expr)) out.join(onwards(resolver, file, use, depth, ask));
      return out;
    },
  };
}

function onwards(resolver: Resolver, file: string, use: Use, depth: number, ask: Ask): Answer<Reached> {
  const summary = resolver.summary(file);
  const to = (row: number, deep: number): Answer<Reached> => ask(reached(resolver, file, row, deep));
  switch (use.kind) {
    case 'value':
      return reachedByDecl(resolver, { file, decl: use.decl }, depth, ask);
    case 'result':
      return reachedByResult(resolver, { file, decl: use.decl }, depth, ask);
    case 'entry':
      return to(use.row, depth + 1);
    case 'part':
      return depth > 0 ? to(use.row, depth - 1) : findingRows();
    case 'same':
      return to(use.row, depth);
    case 'operand':
      return depth > 0 ? reachedByOperator(resolver, file, use.row, depth, ask) : findingRows();
    case 'stored':
      return reachedByPlace(resolver, file, summary, summary.exprs.placeOf(use.row), depth, ask);
    case 'argument':
      return reachedByArgument(resolver, { file, expr: use.row }, use.index, depth, ask);
    case 'receiver':
      return depth > 0 ? reachedByMember(resolver, file, summary, use.row, depth, ask) : findingRows();
    default:
      return findingRows();
  }
}

/** The rows that name a declaration which holds the value. */
function reachedByDecl(resolver: Resolver, target: DeclRef, depth: number, ask: Ask): Answer<Reached> {
  const out = findingRows();
  for (const row of rowsOf(resolver, target)) out.join(ask(reached(resolver, row.file, row.expr, depth)));
  return out;
}

function reachedByResult(resolver: Resolver, target: DeclRef, depth: number, ask: Ask): Answer<Reached> {
  const summary = resolver.summary(target.file);
  if (summary.decls.has(target.decl, F.getter)) return reachedByDecl(resolver, target, depth, ask);
  const deep = depth + (isGenerator(summary, target.decl) ? 1 : 0);
  const calls = ask(callsOf(resolver, target));
  const out = findingRows();
  out.open = calls.open;
  for (const call of calls.values.values()) {
    if (call.decorates === undefined) out.join(ask(reached(resolver, call.file, call.expr, deep)));
    else
      out.join(
        reachedByDecorated(resolver, { file: call.file, decl: call.decorates.decl }, call.decorates.index, deep, ask),
      );
  }
  return out;
}

/** What a decorator gives: passed to the one before it, in the end what the declaration's name means. */
function reachedByDecorated(
  resolver: Resolver,
  target: DeclRef,
  index: number,
  depth: number,
  ask: Ask,
): Answer<Reached> {
  const summary = resolver.summary(target.file);
  if (index === 0) return reachedByDecl(resolver, target, depth, ask);
  const row = summary.decls.decoratorsOf(target.decl)[index - 1] as number;
  return reachedByArgument(
    resolver,
    { file: target.file, expr: row, decorates: { decl: target.decl, index: index - 1 } },
    0,
    depth,
    ask,
  );
}

function reachedByArgument(
  resolver: Resolver,
  call: CallPlace,
  index: number,
  depth: number,
  ask: Ask,
): Answer<Reached> {
  const summary = resolver.summary(call.file);
  const callee = call.decorates === undefined ? summary.exprs.calleeOf(call.expr) : call.expr;
  const out = findingRows();
  if (callee < 0) return out;
  const functions = heldCallee(resolver, call.file, callee, ask);
  out.open = functions.open;
  for (const value of functions.values.values()) {
    if (value.kind === 'outside') {
      const taken = takenByLibrary(resolver, call, callee, { index, depth }, ask);
      out.join(taken);
      out.open ||= taken.open;
    }
    for (const target of takersOf(resolver, value)) {
      const deeper = (param: number): number =>
        (resolver.summary(target.file).decls.flagsOf(param) & (F.rest | F.keywordRest)) === 0 ? 0 : 1;
      for (const pair of pairsOf(resolver, call, target, ask))
        if (pair.index === index)
          out.join(reachedByDecl(resolver, { file: target.file, decl: pair.param }, depth + deeper(pair.param), ask));
      const isSpread = call.decorates === undefined && summary.exprs.argumentsOf(call.expr)[index]?.spread !== 'none';
      if (isSpread && depth > 0)
        for (const { decl } of signatureOf(resolver.summary(target.file), target.decl).params)
          out.join(reachedByDecl(resolver, { file: target.file, decl }, depth - 1 + deeper(decl), ask));
    }
  }
  return out;
}

/** Where a call of the library hands on what it is passed. */
function takenByLibrary(
  resolver: Resolver,
  { file, expr }: CallPlace,
  callee: number,
  { index, depth }: { readonly index: number; readonly depth: number },
  ask: Ask,
): Finding<Reached> {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const out = findingRows();
  const { library } = resolver.language(file);
  const name = exprs.opOf(callee) === E.member ? exprs.nameOf(callee) : '';
  const isBinding = callee !== expr && binds(resolver, file, summary, expr);
  const isBound = index === 0 && isBinding;
  if (isBinding && index > 0) return reachedByBinding(resolver, file, expr, { index, depth }, ask);
  // What is given beside a key comes out where there is no entry.
  if (isBound || (library.elementMembers.has(name) && index === 1)) out.join(ask(reached(resolver, file, expr, depth)));
  if (!library.addingMembers.has(name) && !library.mergingMembers.has(name)) {
    out.open ||= !isBound;
    return out;
  }
  // A keyword of `update` is an entry by itself.
  const isEntry = library.addingMembers.has(name) || (exprs.argumentsOf(expr)[index]?.keyword ?? '') !== '';
  out.join(reachedByHolder(resolver, file, exprs.calleeOf(callee), depth + (isEntry ? 1 : 0), ask));
  return out;
}

/** The parameters that an argument of `partial(save, key)` is bound to. */
function reachedByBinding(
  resolver: Resolver,
  file: string,
  call: number,
  { index, depth }: { readonly index: number; readonly depth: number },
  ask: Ask,
): Finding<Reached> {
  const given = resolver.summary(file).exprs.argumentsOf(call);
  const keyword = given[index]?.keyword ?? '';
  const functions = ask(held(resolver, file, given[0]?.expr ?? -1));
  const out = findingRows();
  out.open = functions.open;
  for (const value of functions.values.values())
    for (const taker of takersOf(resolver, value)) {
      const { params } = signatureOf(resolver.summary(taker.file), taker.decl);
      const param = keyword === '' ? params[index - 1] : params.find(({ name }) => name === keyword);
      if (param !== undefined) out.join(reachedByDecl(resolver, { file: taker.file, decl: param.decl }, depth, ask));
    }
  return out;
}

/** Whether a call is one of the library's that bind arguments to the function which they are given first. */
export function binds(resolver: Resolver, file: string, { exprs }: Summary, call: number): boolean {
  const callee = exprs.opOf(call) === E.call ? exprs.operandOf(call) : -1;
  const op = callee < 0 ? -1 : exprs.opOf(callee);
  const isNamed =
    (op === E.name || op === E.member) && resolver.language(file).library.binders.has(exprs.nameOf(callee));
  return isNamed && resolver.resolve(file, callee).external;
}

/** Where what lies in a list comes that is added to another one, in place (`list += more`) or not. */
function reachedByOperator(
  resolver: Resolver,
  file: string,
  operator: number,
  depth: number,
  ask: Ask,
): Answer<Reached> {
  const { exprs } = resolver.summary(file);
  const left = exprs.operandOf(operator);
  const out = findingRows();
  out.join(ask(reached(resolver, file, operator, depth)));
  if (left >= 0 && exprs.roleOf(left) === R.update) out.join(reachedByHolder(resolver, file, left, depth, ask));
  return out;
}

/** What is stored in a place: the rows that read the attribute, or where the container goes. */
function reachedByPlace(
  resolver: Resolver,
  file: string,
  summary: Summary,
  place: number,
  depth: number,
  ask: Ask,
): Answer<Reached> {
  const { exprs } = summary;
  if (exprs.opOf(place) === E.index) return reachedByHolder(resolver, file, exprs.operandOf(place), depth + 1, ask);
  const out = findingRows();
  const { targets } = resolver.resolve(file, place);
  for (const target of targets) if (target.decl >= 0) out.join(reachedByDecl(resolver, target, depth, ask));
  if (targets.length > 0 || exprs.opOf(place) !== E.member) return out;
  for (const read of readsOf(resolver, exprs.nameOf(place), file))
    out.join(ask(reached(resolver, read.file, read.row, depth)));
  return out;
}

/** The rows that the containers at a row reach, the value in them. */
function reachedByHolder(resolver: Resolver, file: string, row: number, depth: number, ask: Ask): Answer<Reached> {
  const out = findingRows();
  if (row < 0) return out;
  const holders = ask(held(resolver, file, row));
  out.open = holders.open;
  for (const value of holders.values.values())
    if (value.kind === 'holder') out.join(ask(reached(resolver, value.file, value.expr, depth)));
  return out;
}

/** `d.get(k)`, `d.values()`: what the language's table says of members of containers. */
function reachedByMember(
  resolver: Resolver,
  file: string,
  summary: Summary,
  member: number,
  depth: number,
  ask: Ask,
): Answer<Reached> {
  const library = resolver.language(file).library;
  const name = summary.exprs.nameOf(member);
  const step = library.elementMembers.has(name)
    ? -1
    : library.sameMembers.has(name) || library.valueViews.has(name)
      ? 0
      : library.pairViews.has(name)
        ? 1
        : undefined;
  const out = findingRows();
  if (step !== undefined)
    for (const use of usesOf(summary, member))
      if (use.kind === 'callee') out.join(ask(reached(resolver, file, use.row, depth + step)));
  return out;
}

/** The calls that may run a function, or make an object of a class. */
export function callsOf(resolver: Resolver, target: DeclRef): Question<CallPlace> {
  return {
    key: `c${target.file}\0${target.decl}`,
    find: (ask) => {
      const candidates = callsReached(resolver, target, ask);
      const out = findingCalls();
      out.open = candidates.open;
      for (const call of candidates.values.values()) {
        const callee = call.decorates === undefined ? resolver.summary(call.file).exprs.calleeOf(call.expr) : call.expr;
        const values = [...heldCallee(resolver, call.file, callee, ask).values.values()];
        if (values.some((value) => takersOf(resolver, value).some((run) => sameDecl(run, target)))) out.add(call);
      }
      return out;
    },
  };
}

/** Calls whose callee the function (for a constructor, its class) reaches by any way. */
export function callsReached(resolver: Resolver, target: DeclRef, ask: Ask): Answer<CallPlace> {
  const out = findingCalls();
  const origins = originsOf(resolver, target);
  out.open = origins.length > ORIGINS_MOST || isUnsureSomewhere(resolver, target);
  const reach: Answer<Reached>[] = [];
  for (const row of origins.slice(0, ORIGINS_MOST)) {
    const [use, ...others] = usesOf(resolver.summary(row.file), row.expr);
    if (use?.kind === 'callee' && others.length === 0) out.add({ file: row.file, expr: use.row });
    else reach.push(ask(reached(resolver, row.file, row.expr, 0)));
  }
  const summary = resolver.summary(target.file);
  const decorators = summary.decls.decoratorsOf(target.decl).length;
  if (decorators > 0) reach.push(reachedByDecorated(resolver, target, decorators, 0, ask));
  if (summary.decls.nameOf(target.decl) === resolver.language(target.file).callMember)
    reach.push(objectsReached(resolver, target, ask));
  for (const answer of reach) {
    out.open ||= answer.open;
    for (const row of answer.values.values()) {
      if (row.depth > 0) continue;
      for (const use of usesOf(resolver.summary(row.file), row.expr)) {
        if (use.kind === 'callee') out.add({ file: row.file, expr: use.row });
        else if (use.kind === 'decorator')
          out.add({ file: row.file, expr: row.expr, decorates: { decl: use.decl, index: use.index } });
      }
    }
  }
  return out;
}

/** The rows that objects of a member's class, or of those below it, reach. */
export function objectsReached(resolver: Resolver, member: DeclRef, ask: Ask): Finding<Reached> {
  const out = findingRows();
  const home = classOfMember(resolver.summary(member.file), member.decl);
  if (home === undefined) return out;
  const type = { file: member.file, decl: home };
  for (const each of [type, ...descendantsOf(resolver, type)])
    for (const made of callsReached(resolver, each, ask).values.values())
      if (made.decorates === undefined) out.join(ask(reached(resolver, made.file, made.expr, 0)));
      else
        out.join(
          reachedByDecorated(resolver, { file: made.file, decl: made.decorates.decl }, made.decorates.index, 0, ask),
        );
  return out;
}

function isUnsureSomewhere(resolver: Resolver, target: DeclRef): boolean {
  for (const { confidence } of valueSites(resolver, target)) if (confidence !== 'certain') return true;
  return false;
}

/**
 * Rows that give the function itself; for a constructor, its class and those that inherit it. One more than are
 * followed, at most: a class in the middle of a program is named in thousands.
 */
export function originsOf(resolver: Resolver, target: DeclRef): readonly Row[] {
  return resolver.answer<readonly Row[]>('origins', target.file, target.decl, [], () => {
    const out: Row[] = [];
    for (const row of findingOrigins(resolver, target)) if (out.push(row) > ORIGINS_MOST) break;
    return out;
  });
}

function* findingOrigins(resolver: Resolver, target: DeclRef): Generator<Row> {
  const summary = resolver.summary(target.file);
  const kind = summary.decls.kindOf(target.decl);
  if (kind === D.lambda || kind === D.anonymousClass) {
    const row = summary.exprs.rowOfClosure(target.decl);
    if (row !== undefined) yield { file: target.file, expr: row };
    return;
  }
  const home = classOfMember(summary, target.decl);
  if (home !== undefined && summary.decls.nameOf(target.decl) === resolver.language(target.file).constructorName) {
    const type = { file: target.file, decl: home };
    for (const each of [type, ...descendantsOf(resolver, type)]) yield* findingRowsOf(resolver, each);
  }
  // `super().__init__(…)` names the constructor itself.
  yield* findingRowsOf(resolver, target);
}

/** Rows that name a declaration for its value. */
function rowsOf(resolver: Resolver, target: DeclRef): readonly Row[] {
  return resolver.answer<readonly Row[]>('value rows', target.file, target.decl, [], () => [
    ...findingRowsOf(resolver, target),
  ]);
}

interface Row {
  readonly file: string;
  readonly expr: number;
}

function* findingRowsOf(resolver: Resolver, target: DeclRef): Generator<Row> {
  const summary = resolver.summary(target.file);
  const kind = summary.decls.kindOf(target.decl);
  const first = isFunctionLike(kind) ? target.decl : (sameNamed(summary, target.decl)[0] ?? target.decl);
  if (kind === D.local || kind === D.param) {
    yield* localRows(resolver, target.file, summary, first);
    return;
  }
  const own = { file: target.file, decl: first };
  for (const side of kind === D.field ? fieldSides(resolver, own) : [own])
    for (const { file, expr, confidence } of valueSites(resolver, side))
      if (expr >= 0 && confidence === 'certain' && isRead(resolver.summary(file), expr)) yield { file, expr };
  if (kind === D.field) yield* rowsAbove(resolver, target);
}

function localRows(resolver: Resolver, file: string, summary: Summary, decl: number): Row[] {
  const out: Row[] = [];
  const name = summary.decls.nameIdOf(decl);
  for (const expr of summary.exprs.named(name)) {
    if (
      summary.exprs.opOf(expr) === E.name &&
      isRead(summary, expr) &&
      resolver.resolve(file, expr).targets.some((found) => found.file === file && isLocal(summary, found.decl, decl))
    )
      out.push({ file, expr });
  }
  return out;
}

/** Whether a declaration is the local one that is asked for, or narrows it. */
const isLocal = (summary: Summary, found: number, decl: number): boolean =>
  found === decl || (found >= 0 && summary.decls.has(found, F.narrowing) && narrowedBy(summary, found).includes(decl));

/**
 * The attribute as the classes below declare it too, and those above that say no type of it: it is one and the same on
 * their objects.
 */
function fieldSides(resolver: Resolver, field: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(field.file);
  const owner = classOfMember(summary, field.decl);
  if (owner === undefined) return [field];
  const type = { file: field.file, decl: owner };
  const inClasses = (types: readonly DeclRef[]): DeclRef[] =>
    types
      .flatMap((each) => ownMembers(resolver, each, summary.decls.nameOf(field.decl)).slice(0, 1))
      .filter((member) => isFieldLike(resolver.summary(member.file).decls.kindOf(member.decl)));
  const above = inClasses(searchOrder(resolver, type).slice(1)).filter(
    (member) => resolver.summary(member.file).decls.typeOf(member.decl) < 0,
  );
  return [field, ...inClasses(descendantsOf(resolver, type)), ...above];
}

/** Reads of the attribute in classes above that do not declare it: there nothing is found by name. */
function rowsAbove(resolver: Resolver, field: DeclRef): Row[] {
  const of = resolver.summary(field.file);
  const owner = classOfMember(of, field.decl);
  if (owner === undefined) return [];
  const name = of.decls.nameOf(field.decl);
  const above = searchOrder(resolver, { file: field.file, decl: owner }).slice(1);
  return [...new Set(above.map((type) => type.file))].flatMap((file) => {
    const summary = resolver.summary(file);
    const row = summary.idOf(name);
    if (row < 0) return [];
    return [...summary.exprs.named(row)]
      .filter((expr) => {
        if (
          summary.exprs.opOf(expr) !== E.member ||
          !isRead(summary, expr) ||
          resolver.resolve(file, expr).targets.length > 0
        )
          return false;
        const receiver = resolver.typeOf(file, summary.exprs.operandOf(expr));
        return receiver.values.some(
          (value) => value.kind === 'instance' && above.some((type) => sameDecl(type, value)),
        );
      })
      .map((expr) => ({ file, expr }));
  });
}
