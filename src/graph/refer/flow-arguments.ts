/**
 * What calls give and get, beyond one argument for one parameter: arguments that a parameter gathers
 * (`*args`, `**kwargs`), those that a call spreads, and the result of one call apart from those of others.
 *
 *     def call(f, *args): return f(*args)      `args` gathers what stands behind the first argument
 *     def same(x): return x                    `same(f)` gives f, whatever else is passed elsewhere
 */
import type { DeclRef } from '../../languages/language.js';
import { D, E, F, type Argument } from '../../syntax/summary.js';
import { entriesUnder, meet, type Keys } from './flow-containers.js';
import { callsOf, originsOf, type CallPlace } from './flow-forward.js';
import { held, heldCallee, pairsOf, resultOfValue, takerIn } from './flow.js';
import type { Answer, Ask, Question } from './fixpoint.js';
import { findingHeld, isGenerator, type Held } from './held.js';
import { sameNamed } from '../resolve/last-assignments.js';
import type { Resolver } from '../resolve/resolver.js';
import { signatureOf, type Parameter } from '../resolve/signature.js';

/** What the parameter gathers under the keys: places among what it gathers, or keywords. */
export function gathered(resolver: Resolver, param: DeclRef, keys: Keys): Question<Held> {
  return {
    key: `x${param.file}\0${param.decl}\0${keys === undefined ? '' : [...keys].join()}`,
    find: (ask) => {
      const summary = resolver.summary(param.file);
      const target = { file: param.file, decl: summary.scopes.ownerOf(summary.decls.scopeOf(param.decl)) };
      const out = findingHeld();
      const calls = ask(callsOf(resolver, target));
      out.open = calls.open || originsOf(resolver, target).length === 0;
      for (const call of calls.values.values()) {
        const given = argumentsOf(resolver, call);
        let place = 0;
        for (const pair of pairsOf(resolver, call, target, ask)) {
          if (pair.param !== param.decl) continue;
          const keyword = given[pair.index]?.keyword ?? '';
          const key = keyword === '' ? String(place++) : `'${keyword}`;
          if (meet(keys, new Set([key]))) out.join(pair.argument(ask));
        }
        const isByKeyword = summary.decls.has(param.decl, F.keywordRest);
        for (const argument of given)
          if (argument.spread === (isByKeyword ? 'keywords' : 'list'))
            out.join(
              entriesUnder(
                resolver,
                ask(held(resolver, call.file, argument.expr)),
                isByKeyword ? keys : undefined,
                ask,
              ),
            );
      }
      return out;
    },
  };
}

const argumentsOf = (resolver: Resolver, call: CallPlace): readonly Argument[] =>
  call.decorates === undefined ? resolver.summary(call.file).exprs.argumentsOf(call.expr) : [];

/** What the spread arguments of a call give for a parameter that no other argument is for. */
export function spreadFor(resolver: Resolver, call: CallPlace, target: DeclRef, param: number, ask: Ask): Answer<Held> {
  const out = findingHeld();
  const { params } = signatureOf(resolver.summary(target.file), target.decl);
  const at = params.findIndex((one) => one.decl === param);
  const wanted: Parameter | undefined = params[at];
  let before = 0;
  for (const argument of argumentsOf(resolver, call)) {
    if (argument.spread === 'none') {
      if (argument.keyword === '') before++;
      continue;
    }
    const isList = argument.spread === 'list';
    if (wanted === undefined || (isList ? wanted.keywordOnly : wanted.positionalOnly)) continue;
    const keys = new Set([isList ? String(at - before) : `'${wanted.name}`]);
    out.join(entriesUnder(resolver, ask(held(resolver, call.file, argument.expr)), keys, ask));
  }
  return out;
}

// ---- the result of one call

/** One call of a function, made in another one. */
interface Frame {
  readonly call: CallPlace;
  readonly target: DeclRef;
  readonly outer: Frame | undefined;
}

/** How many calls in calls are told apart. */
const FRAMES_MOST = 4;

/** What a call of a function gives: where it hands on what it is passed, only what this call passes. */
export function resultAt(resolver: Resolver, call: CallPlace, value: Held, ask: Ask): Answer<Held> {
  return resultIn(resolver, call, undefined, value, ask, 0);
}

/** What a row in a called function gives, as far as it hands on what one call passes. */
export const givenIn = (resolver: Resolver, call: CallPlace, target: DeclRef, row: number, ask: Ask): Answer<Held> =>
  valueIn(resolver, { call, target, outer: undefined }, row, ask, 0);

function resultIn(
  resolver: Resolver,
  call: CallPlace,
  outer: Frame | undefined,
  value: Held,
  ask: Ask,
  depth: number,
): Answer<Held> {
  if (value.kind !== 'function' || depth > FRAMES_MOST) return resultOfValue(resolver, value, ask);
  const summary = resolver.summary(value.file);
  if (isGenerator(summary, value.decl)) return resultOfValue(resolver, value, ask);
  const inner: Frame = { call, target: value, outer };
  const out = findingHeld();
  for (const row of summary.decls.resultsOf(value.decl)) out.join(valueIn(resolver, inner, row, ask, depth));
  return out;
}

/** What a call in the called function gives in this one; undefined where something unknown may be called. */
function resultOfCallIn(
  resolver: Resolver,
  frame: Frame,
  row: number,
  ask: Ask,
  depth: number,
): Answer<Held> | undefined {
  const { file } = frame.target;
  const { exprs } = resolver.summary(file);
  const callee = exprs.operandOf(row);
  const functions =
    exprs.opOf(callee) === E.name
      ? valueIn(resolver, frame, callee, ask, depth)
      : heldCallee(resolver, file, callee, ask);
  if (functions.open) return undefined;
  const out = findingHeld();
  for (const value of functions.values.values()) {
    if (value.kind !== 'function' && value.kind !== 'class') return undefined;
    out.join(resultIn(resolver, { file, expr: row }, frame, value, ask, depth + 1));
  }
  return out;
}

/** What a parameter has by default, in a call that is sure to give nothing for it. */
function leftOut(resolver: Resolver, { call, target }: Frame, param: number, ask: Ask): Answer<Held> | undefined {
  const byDefault = resolver.summary(target.file).decls.valueOf(param);
  const spreads = argumentsOf(resolver, call).some(({ spread }) => spread !== 'none');
  const taker = takerIn(resolver, call, target, ask);
  return byDefault < 0 || spreads || taker === undefined || taker.isBound === true
    ? undefined
    : ask(held(resolver, target.file, byDefault));
}

/** What a row in the called function gives in this call. */
function valueIn(resolver: Resolver, frame: Frame, row: number, ask: Ask, depth: number): Answer<Held> {
  const { file, decl: owner } = frame.target;
  const { exprs, decls, scopes } = resolver.summary(file);
  const anywhere = (): Answer<Held> => ask(held(resolver, file, row));
  if (exprs.opOf(row) === E.call && exprs.operandOf(row) >= 0)
    return resultOfCallIn(resolver, frame, row, ask, depth) ?? anywhere();
  if (exprs.opOf(row) !== E.name) return anywhere();
  const [target, ...others] = resolver.resolve(file, row).targets;
  if (target === undefined || others.length > 0 || target.file !== file || target.decl < 0) return anywhere();
  const isOwn =
    scopes.ownerOf(decls.scopeOf(target.decl)) === owner && sameNamed(resolver.summary(file), target.decl).length === 1;
  if (
    isOwn &&
    decls.kindOf(target.decl) === D.local &&
    decls.typeOf(target.decl) < 0 &&
    decls.valueOf(target.decl) >= 0
  )
    return valueIn(resolver, frame, decls.valueOf(target.decl), ask, depth);
  if (!isOwn || decls.kindOf(target.decl) !== D.param || decls.has(target.decl, F.receiver)) return anywhere();
  const { call, outer } = frame;
  if (call.decorates !== undefined) return anywhere();
  const pair = pairsOf(resolver, call, frame.target, ask).find(({ param }) => param === target.decl);
  if (decls.has(target.decl, F.rest) || decls.has(target.decl, F.keywordRest)) return anywhere();
  if (pair === undefined) return leftOut(resolver, frame, target.decl, ask) ?? anywhere();
  const given = argumentsOf(resolver, call)[pair.index];
  if (given === undefined) return anywhere();
  return outer === undefined ? pair.argument(ask) : valueIn(resolver, outer, given.expr, ask, depth + 1);
}
