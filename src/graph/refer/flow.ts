/**
 * Which functions, classes and objects a place can hold: values followed through assignments,
 * arguments, returns, decorators, and the entries of lists and mappings.
 *
 *     held       what an expression gives                        backwards: from a callee to what it may be
 *     reached    the rows to which the value of a row goes       forwards: from a function to where it is called
 *
 * The two lean on each other, since a parameter holds what the calls of its function pass, and a
 * call passes its arguments to what its callee holds; so they are questions of `fixpoint.ts`.
 * Types answer all else in this folder and never ask here: this is for what has none, and runs
 * only where a callee or its receiver is such. Inside of a function it knows no calling context: what one call
 * passes, all are taken to; only what is handed back is told apart (`flow-arguments.ts`). Of values in containers it
 * knows the entries that are written, by key where the key is, and those assigned later wherever the container goes. It
 * errs towards too many; what escapes (to a library, an attribute set by a computed name) leaves an answer open.
 */
import type { DeclRef, LibraryTypes } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, E, F, isClassLike, isFunctionLike, SLICE, type Summary } from '../../syntax/summary.js';
import { storesOf } from './by-name.js';
import { binds, callsOf, originsOf, type CallPlace } from './flow-forward.js';
import { NOTHING_HELD, type Answer, type Ask, type Question } from './fixpoint.js';
import {
  constantAt,
  findingHeld,
  heldKey,
  heldOfType,
  isGenerator,
  isAssignedTo,
  isPlace,
  namesCallable,
  type Held,
} from './held.js';
import { findMember } from '../resolve/hierarchy.js';
import { resultAt, spreadFor } from './flow-arguments.js';
import { attributesSet, heldByField, membersOfThoseBelow, placeKey, stored } from './flow-attributes.js';
import { anyHeld, entriesOf } from './flow-containers.js';
import { lastStored } from './last-stored.js';
import { lastAssignments, leftAtEnd, narrowedBy, sameNamed } from '../resolve/last-assignments.js';
import { madeAt } from './made-at.js';
import { passesReceiver } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import { fit, signatureOf } from '../resolve/signature.js';
import type { Value } from '../resolve/value.js';
import { ownComponents, takersOf, type Taker } from './takers.js';
import { usesOf } from './uses.js';

const OPEN: Answer<Held> = { values: new Map(), open: true };
export const OUTSIDE: Answer<Held> = { values: new Map<string, Held>([['o', { kind: 'outside' }]]), open: false };

export function only(held: Held): Answer<Held> {
  return { values: new Map([[heldKey(held), held]]), open: false };
}

/** What an expression can give. */
export function held(resolver: Resolver, file: string, expr: number): Question<Held> {
  return { key: `v${file}\0${expr}`, find: (ask) => heldAt(resolver, file, expr, ask) };
}

/** The same for a callee or decorator, without a question of its own where it only names what is called. */
export function heldCallee(resolver: Resolver, file: string, expr: number, ask: Ask): Answer<Held> {
  const { exprs } = resolver.summary(file);
  if (exprs.opOf(expr) !== E.name && exprs.opOf(expr) !== E.member) return ask(held(resolver, file, expr));
  const { targets, confidence } = resolver.resolve(file, expr);
  const isPlain =
    confidence === 'certain' &&
    targets.length > 0 &&
    !(exprs.opOf(expr) === E.member && isStored(resolver, file, resolver.summary(file), expr)) &&
    targets.every((target) => target.decl >= 0 && namesCallable(resolver.summary(target.file), target.decl));
  return isPlain ? heldAt(resolver, file, expr, ask) : ask(held(resolver, file, expr));
}

function heldAt(resolver: Resolver, file: string, expr: number, ask: Ask): Answer<Held> {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const a = exprs.operandOf(expr);
  const of = (row: number): Answer<Held> => (row < 0 ? OPEN : ask(held(resolver, file, row)));
  switch (exprs.opOf(expr)) {
    case E.name:
      return heldByName(resolver, file, expr, ask);
    case E.member:
      return heldByMember(resolver, file, summary, expr, ask);
    case E.string:
    case E.other: {
      const text = constantAt(summary, expr);
      return text === undefined ? OPEN : only({ kind: 'constant', text });
    }
    case E.literal: {
      const text = constantAt(summary, expr);
      return text === undefined ? OUTSIDE : only({ kind: 'constant', text });
    }
    case E.list:
    case E.dict:
      return only({ kind: 'holder', file, expr });
    case E.closure:
      return isFunctionLike(summary.decls.kindOf(exprs.closureOf(expr)))
        ? only({ kind: 'function', file, decl: exprs.closureOf(expr), self: undefined })
        : heldOfType(resolver, resolver.typeOf(file, expr));
    case E.union:
      return union(
        exprs.partsOf(expr),
        exprs.nameOf(expr) === SLICE ? (row) => sliced(of(row), [...exprs.boundsOf(expr)]) : of,
      );
    case E.await:
      return of(a);
    case E.call:
    case E.applied:
      return heldByCall(resolver, file, summary, expr, ask);
    case E.index:
    case E.nth:
    case E.element:
      return entriesOf(resolver, file, summary, expr, ask);
    case E.operator: {
      const number = constantAt(summary, expr);
      if (number !== undefined) return only({ kind: 'constant', text: number });
      return joined(
        heldOfType(resolver, resolver.typeOf(file, expr)),
        union(
          [a, exprs.secondOf(expr)].filter((row) => row >= 0),
          (row) => onlyHolders(of(row)),
        ),
      );
    }
    default:
      return heldOfType(resolver, resolver.typeOf(file, expr));
  }
}

function union(rows: Iterable<number>, of: (row: number) => Answer<Held>): Answer<Held> {
  const out = findingHeld();
  for (const row of rows) out.join(of(row));
  return out;
}

function sliced(answer: Answer<Held>, [from, to]: readonly number[]): Answer<Held> {
  const out = findingHeld();
  out.open = answer.open;
  for (const value of answer.values.values()) {
    if (value.kind !== 'holder') out.add(value);
    else if (from === undefined || to === undefined || value.as !== undefined)
      out.add({ kind: 'holder', file: value.file, expr: value.expr, as: 'slice' });
    else out.add({ ...value, as: 'slice', ends: [from, to] });
  }
  return out;
}

/** Lists can be added; what else an operator gives the types say. */
function onlyHolders(answer: Answer<Held>): Answer<Held> {
  const out = findingHeld();
  for (const value of answer.values.values()) if (value.kind === 'holder') out.add(value);
  return out;
}

// ---- names and members

function heldByName(resolver: Resolver, file: string, expr: number, ask: Ask): Answer<Held> {
  const found = resolver.resolve(file, expr);
  if (found.external) return OUTSIDE;
  if (found.targets.length === 0) return OPEN;
  const out = findingHeld();
  for (const target of found.targets) out.join(heldByDecl(resolver, target, found.self, ask, { at: { file, expr } }));
  return out;
}

/**
 * What a declaration holds. `at`: the row that names it, before which only some assignments happened. `made`: the call
 * that made the object whose attribute it is.
 */
export function heldByDecl(
  resolver: Resolver,
  target: DeclRef,
  self: Value | undefined,
  ask: Ask,
  { at, made }: { readonly at?: { readonly file: string; readonly expr: number }; readonly made?: CallPlace } = {},
): Answer<Held> {
  if (target.decl < 0) return only({ kind: 'module', file: target.file });
  const summary = resolver.summary(target.file);
  const kind = summary.decls.kindOf(target.decl);
  const isCallable = isClassLike(kind) || isFunctionLike(kind);
  if (isCallable && !isAssignedTo(summary, target.decl)) return heldByDefinition(resolver, target, self, ask);
  if (!isCallable && !isPlace(summary, target.decl))
    return heldOfType(resolver, resolver.typeOfDecl(target.file, target.decl));
  if (kind === D.field)
    return ask({
      key: `g${target.file}\0${target.decl}\0${self === undefined ? '' : heldKeyOfSelf(self)}\0${placeKey(made)}`,
      find: (inner) => heldByField(resolver, target, { self, made }, inner),
    });
  if (summary.decls.has(target.decl, F.narrowing)) return heldByNarrowed(resolver, target, ask);
  const out = findingHeld();
  const assignments =
    at?.file === target.file
      ? lastAssignments(summary, sameNamed(summary, target.decl), at.expr)
      : kind === D.variable || isCallable
        ? leftAtEnd(summary, sameNamed(summary, target.decl))
        : sameNamed(summary, target.decl);
  for (const decl of assignments) out.join(heldByAssignment(resolver, target.file, decl, ask));
  if (kind === D.variable) out.join(ask(putInFromElsewhere(resolver, target)));
  return out;
}

/** What a name holds where a test narrowed it: what the type has, and of a type from outside anything from before. */
function heldByNarrowed(resolver: Resolver, { file, decl }: DeclRef, ask: Ask): Answer<Held> {
  const tested = heldOfType(resolver, resolver.typeOfDecl(file, decl));
  const isOurs = !tested.open && [...tested.values.values()].every(({ kind }) => kind === 'instance');
  if (isOurs) return tested;
  const before = narrowedBy(resolver.summary(file), decl);
  return joined(tested, ...before.map((row) => heldByAssignment(resolver, file, row, ask)));
}

/** What other files put into a variable of a module: `settings.hook = f`. */
const putInFromElsewhere = (resolver: Resolver, target: DeclRef): Question<Held> => ({
  key: `o${target.file}\0${target.decl}`,
  find: (ask) => joined(...stored(resolver, target, ask, ({ file }) => file !== target.file)),
});

const heldKeyOfSelf = (self: Value): string =>
  self.kind === 'instance' || self.kind === 'class' || self.kind === 'super' ? declKey(self) : self.kind;

function heldByDefinition(resolver: Resolver, target: DeclRef, self: Value | undefined, ask: Ask): Answer<Held> {
  return isClassLike(resolver.summary(target.file).decls.kindOf(target.decl))
    ? only({ kind: 'class', file: target.file, decl: target.decl })
    : heldByFunction(resolver, target, self, ask);
}

export function heldByAssignment(resolver: Resolver, file: string, decl: number, ask: Ask): Answer<Held> {
  const { decls } = resolver.summary(file);
  const kind = decls.kindOf(decl);
  if (kind === D.param) return ask(heldByParam(resolver, file, decl));
  if (isFunctionLike(kind) || isClassLike(kind)) return heldByDefinition(resolver, { file, decl }, undefined, ask);
  const value = decls.valueOf(decl);
  if (decls.typeOf(decl) < 0) return value < 0 ? NOTHING_HELD : ask(held(resolver, file, value));
  const declared = heldOfType(resolver, resolver.typeOfDecl(file, decl));
  return declared.open && value >= 0 ? joined(declared, ask(held(resolver, file, value))) : declared;
}

export function joined(...answers: readonly Answer<Held>[]): Answer<Held> {
  const out = findingHeld();
  for (const answer of answers) out.join(answer);
  return out;
}

function heldByMember(resolver: Resolver, file: string, summary: Summary, expr: number, ask: Ask): Answer<Held> {
  const last = lastStored(resolver, file, summary, expr);
  const found = resolver.resolve(file, expr);
  if (last !== undefined && !found.targets.some((target) => isAccessor(resolver, target)))
    return anyHeld(resolver, file, last, ask);
  const name = summary.exprs.nameOf(expr);
  const base = summary.exprs.operandOf(expr);
  const made = base < 0 ? undefined : madeAt(resolver, file, base);
  if (found.confidence === 'certain') {
    if (found.targets.length > 0) {
      const out = findingHeld();
      for (const target of found.targets)
        out.join(heldByDecl(resolver, target, found.self, ask, made === undefined ? {} : { made }));
      return out;
    }
    if (found.external && storesOf(resolver, name, file).length === 0) return OUTSIDE;
  }
  if (base < 0) return OPEN;
  const receiver = ask(held(resolver, file, base));
  const out = findingHeld();
  out.open = receiver.open;
  for (const value of receiver.values.values())
    out.join(attributesSet(resolver, value, { name, near: file, made }, ask) ?? memberOf(resolver, value, name, ask));
  return out;
}

const isAccessor = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  decl >= 0 && resolver.summary(file).decls.has(decl, F.getter);

function memberOf(resolver: Resolver, receiver: Held, name: string, ask: Ask): Answer<Held> {
  if (receiver.kind === 'module')
    return joined(
      ...resolver
        .exported(receiver.file, name)
        .map((entity) =>
          entity.kind === 'decl'
            ? heldByDecl(resolver, entity, undefined, ask)
            : entity.kind === 'module'
              ? only(entity)
              : OUTSIDE,
        ),
    );
  if (receiver.kind !== 'instance' && receiver.kind !== 'class') return OUTSIDE;
  const self: Value = { ...receiver, args: [] };
  const search = findMember(resolver, receiver, name);
  if (search.found.length > 0)
    return joined(...search.found.slice(0, 1).map((member) => heldByDecl(resolver, member, self, ask)));
  if (search.outside) return OUTSIDE;
  const below = membersOfThoseBelow(resolver, receiver, name, ask);
  return below.length === 0 ? OUTSIDE : joined(...below);
}

// ---- functions, decorators, calls

function heldByFunction(resolver: Resolver, target: DeclRef, self: Value | undefined, ask: Ask): Answer<Held> {
  const { decls } = resolver.summary(target.file);
  if (self !== undefined && decls.has(target.decl, F.getter)) return ask(resultOf(resolver, target));
  return self === undefined
    ? ask(decorated(resolver, target, 0))
    : withSelf(ask(decorated(resolver, target, 0)), target, self);
}

/** The definition that a row names, where that is all that the row can give, and what it is taken of. */
export function definitionNamed(
  resolver: Resolver,
  file: string,
  expr: number,
): { readonly target: DeclRef; readonly self: Value | undefined } | undefined {
  const summary = resolver.summary(file);
  const op = summary.exprs.opOf(expr);
  if (op !== E.name && op !== E.member) return undefined;
  const { targets, external, confidence, self } = resolver.resolve(file, expr);
  const [target] = targets;
  if (target === undefined || targets.length > 1 || target.decl < 0) return undefined;
  const isAll = op === E.name ? !external : confidence === 'certain' && !isStored(resolver, file, summary, expr);
  const of = resolver.summary(target.file);
  const kind = of.decls.kindOf(target.decl);
  if (!isAll || !(isClassLike(kind) || isFunctionLike(kind)) || isAssignedTo(of, target.decl)) return undefined;
  return self !== undefined && of.decls.has(target.decl, F.getter) ? undefined : { target, self };
}

const isStored = (resolver: Resolver, file: string, summary: Summary, expr: number): boolean =>
  lastStored(resolver, file, summary, expr) !== undefined;

/** What every row gives that names the definition: found once for all of them. */
export const definition = (resolver: Resolver, target: DeclRef): Question<Held> => ({
  key: `n${target.file}\0${target.decl}`,
  find: (ask) => heldByDefinition(resolver, target, undefined, ask),
});

/** A method that no decorator replaced is bound to its receiver. */
export function withSelf(answer: Answer<Held>, target: DeclRef, self: Value): Answer<Held> {
  const out = findingHeld();
  out.open = answer.open;
  for (const value of answer.values.values())
    out.add(value.kind === 'function' && sameDecl(value, target) ? { ...value, self } : value);
  return out;
}

/** A function or class after its decorators from `index` on, the inner ones, were applied. */
export function decorated(resolver: Resolver, target: DeclRef, index: number): Question<Held> {
  return {
    key: `a${index}${target.file}\0${target.decl}`,
    find: (ask) => {
      const { decls } = resolver.summary(target.file);
      const decorators = decls.decoratorsOf(target.decl);
      const row = decorators[index];
      if (row === undefined)
        return isClassLike(decls.kindOf(target.decl))
          ? only({ kind: 'class', ...target })
          : only({ kind: 'function', ...target, self: undefined });
      const inner = ask(decorated(resolver, target, index + 1));
      const decorator = ask(held(resolver, target.file, row));
      const out = findingHeld();
      if (decorator.open) out.join(inner);
      out.open = decorator.open;
      for (const value of decorator.values.values()) {
        // What a library's decorator gives runs, in the end, what it was given.
        out.join(value.kind === 'outside' ? inner : resultOfValue(resolver, value, ask));
      }
      return out;
    },
  };
}

function heldByCall(resolver: Resolver, file: string, summary: Summary, expr: number, ask: Ask): Answer<Held> {
  const callee = summary.exprs.operandOf(expr);
  if (callee < 0) return OPEN;
  const functions = heldCallee(resolver, file, callee, ask);
  const out = findingHeld();
  if (functions.open) out.join(heldOfType(resolver, resolver.typeOf(file, expr)));
  out.open ||= functions.open;
  for (const value of functions.values.values()) {
    const declared = value.kind === 'function' && resolver.summary(value.file).decls.typeOf(value.decl) >= 0;
    out.join(
      declared
        ? heldOfType(resolver, resolver.typeOf(file, expr))
        : value.kind === 'outside'
          ? (boundBy(resolver, file, summary, expr, ask) ?? fromLibrary(resolver, file, summary, callee, ask))
          : resultAt(resolver, { file, expr }, value, ask),
    );
  }
  return out;
}

/** What a call of the library gives that binds arguments to its first one: `partial(save, 1)`, `staticmethod(save)`. */
function boundBy(resolver: Resolver, file: string, summary: Summary, call: number, ask: Ask): Answer<Held> | undefined {
  const [first, ...more] = binds(resolver, file, summary, call) ? summary.exprs.argumentsOf(call) : [];
  if (first?.spread !== 'none' || first.keyword !== '') return undefined;
  const given = ask(held(resolver, file, first.expr));
  if (more.length === 0) return given;
  const out = findingHeld();
  out.open = given.open;
  for (const value of given.values.values()) out.add(value.kind === 'function' ? { ...value, isBound: true } : value);
  return out;
}

/** What a member of a list or mapping gives that is known to give an entry, or itself. */
function fromLibrary(resolver: Resolver, file: string, summary: Summary, callee: number, ask: Ask): Answer<Held> {
  const { exprs } = summary;
  const library = resolver.language(file).library;
  const name = exprs.opOf(callee) === E.member ? exprs.nameOf(callee) : '';
  const keepsForm = library.sameMembers.has(name) || library.keyViews.has(name);
  const isView = keepsForm || library.valueViews.has(name) || library.pairViews.has(name);
  if (!isView && !library.elementMembers.has(name)) return OUTSIDE;
  const receiver = ask(held(resolver, file, exprs.calleeOf(callee)));
  const out = findingHeld();
  out.open = receiver.open;
  let isHolder = false;
  for (const value of receiver.values.values()) {
    isHolder ||= value.kind === 'holder' || value.kind === 'gathered';
    if (value.kind === 'gathered') {
      if (isView) out.add(value);
    } else if (value.kind !== 'holder') out.add({ kind: 'outside' });
    else if (isView) out.add(keepsForm ? value : { ...value, as: library.pairViews.has(name) ? 'pairs' : 'slice' });
  }
  if (isHolder && !isView) {
    out.join(entriesOf(resolver, file, summary, callee, ask));
    for (const row of instead(library, summary, callee)) out.join(ask(held(resolver, file, row)));
  }
  return out;
}

/** What a member that gives an entry gives where there is none: the argument behind the key. */
function instead(library: LibraryTypes, summary: Summary, callee: number): readonly number[] {
  const { exprs } = summary;
  const call = exprs.callOf(callee);
  return call < 0 || !library.elementMembers.has(exprs.nameOf(callee))
    ? []
    : exprs
        .argumentsOf(call)
        .slice(1, 2)
        .map(({ expr }) => expr);
}

export function resultOfValue(resolver: Resolver, value: Held, ask: Ask): Answer<Held> {
  switch (value.kind) {
    case 'class':
      return only({ kind: 'instance', file: value.file, decl: value.decl });
    case 'function':
      return isGenerator(resolver.summary(value.file), value.decl)
        ? only({ kind: 'yields', file: value.file, decl: value.decl })
        : ask(resultOf(resolver, value));
    case 'instance': {
      const name = resolver.language(value.file).callMember;
      const found = name === undefined ? [] : findMember(resolver, value, name).found;
      return joined(...found.map((member) => ask(resultOf(resolver, member))));
    }
    default:
      return OUTSIDE;
  }
}

/** What a function returns, or yields. */
export function resultOf(resolver: Resolver, target: DeclRef): Question<Held> {
  return {
    key: `r${target.file}\0${target.decl}`,
    find: (ask) => {
      const summary = resolver.summary(target.file);
      const out = findingHeld();
      for (const part of summary.decls.resultsOf(target.decl)) out.join(ask(held(resolver, target.file, part)));
      return out;
    },
  };
}

// ---- parameters

/** What the calls of its function pass for a parameter, and its default. */
function heldByParam(resolver: Resolver, file: string, param: number): Question<Held> {
  return {
    key: `p${file}\0${param}`,
    find: (ask) => {
      const summary = resolver.summary(file);
      const { decls } = summary;
      const flags = decls.flagsOf(param);
      const owner = summary.scopes.ownerOf(decls.scopeOf(param));
      const declared = heldOfType(resolver, resolver.typeOfDecl(file, param));
      if ((flags & F.receiver) !== 0 || (!declared.open && declared.values.size > 0)) return declared;
      if (owner < 0) return OPEN;
      if ((flags & (F.rest | F.keywordRest)) !== 0) return only({ kind: 'gathered', file, decl: param });
      const out = findingHeld();
      const value = decls.valueOf(param);
      if (value >= 0) out.join(ask(held(resolver, file, value)));
      const calls = ask(callsOf(resolver, { file, decl: owner }));
      out.open ||= calls.open || originsOf(resolver, { file, decl: owner }).length === 0;
      for (const call of calls.values.values()) out.join(passed(resolver, call, { file, decl: owner }, param, ask));
      for (const given of boundTo(resolver, { file, decl: owner }, param))
        out.join(ask(held(resolver, given.file, given.expr)));
      return out;
    },
  };
}

/** What is bound to a parameter beforehand where the function is named: `partial(save, key)`. */
function boundTo(
  resolver: Resolver,
  target: DeclRef,
  param: number,
): { readonly file: string; readonly expr: number }[] {
  const { params } = signatureOf(resolver.summary(target.file), target.decl);
  const at = params.findIndex(({ decl }) => decl === param);
  return originsOf(resolver, target).flatMap(({ file, expr }) => {
    const summary = resolver.summary(file);
    return usesOf(summary, expr).flatMap((use) => {
      if (use.kind !== 'argument' || use.index !== 0 || !binds(resolver, file, summary, use.row)) return [];
      const given = summary.exprs.argumentsOf(use.row).slice(1);
      const found =
        given.find(({ keyword }) => keyword === params[at]?.name) ??
        given.filter(({ keyword, spread }) => keyword === '' && spread === 'none')[at];
      return found === undefined ? [] : [{ file, expr: found.expr }];
    });
  });
}

/** What a call passes for a parameter of one of the functions that it calls. */
export function passed(resolver: Resolver, call: CallPlace, target: DeclRef, param: number, ask: Ask): Answer<Held> {
  const out = findingHeld();
  const given = pairsOf(resolver, call, target, ask).filter(({ param: taken }) => taken === param);
  for (const { argument } of given) out.join(argument(ask));
  if (given.length === 0) out.join(spreadFor(resolver, call, target, param, ask));
  return out;
}

/** A function as one of those that a call runs, as far as it is known by now; undefined where it is none. */
export function takerIn(resolver: Resolver, call: CallPlace, target: DeclRef, ask: Ask): Taker | undefined {
  const row = call.decorates === undefined ? resolver.summary(call.file).exprs.calleeOf(call.expr) : call.expr;
  return [...heldCallee(resolver, call.file, row, ask).values.values()]
    .flatMap((value) => takersOf(resolver, value))
    .find((value) => sameDecl(value, target));
}

/** Parameters of a function with what the call gives for them; none if the call does not mean it. */
export function pairsOf(
  resolver: Resolver,
  call: CallPlace,
  target: DeclRef,
  ask: Ask,
): { readonly param: number; readonly index: number; readonly argument: (ask: Ask) => Answer<Held> }[] {
  const summary = resolver.summary(call.file);
  const of = resolver.summary(target.file);
  const meant = takerIn(resolver, call, target, ask);
  if (meant === undefined || meant.isBound === true) return [];
  const { decorates } = call;
  if (decorates !== undefined) {
    const first = signatureOf(of, target.decl).params[0];
    return first === undefined
      ? []
      : [
          {
            param: first.decl,
            index: 0,
            argument: (inner) =>
              inner(decorated(resolver, { file: call.file, decl: decorates.decl }, decorates.index + 1)),
          },
        ];
  }
  if (summary.exprs.opOf(call.expr) === E.applied) return [];
  const signature = isClassLike(of.decls.kindOf(target.decl))
    ? ownComponents(resolver, target)
    : signatureOf(of, target.decl);
  const result = fit(signature, summary.exprs.argumentsOf(call.expr), passesReceiver(of, meant));
  return result.fits
    ? result.pairs.map(({ argument, index, param }) => ({
        param: param.decl,
        index,
        argument: (inner) => inner(held(resolver, call.file, argument.expr)),
      }))
    : [];
}
