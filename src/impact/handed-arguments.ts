/**
 * Arguments that reach a changed function by another way than a call's list: those of a function that hands its own on,
 * `def wrap(**kw): make(**kw)`, those that a value is called with later which binds some already, what such a value
 * binds, and the keys of a mapping that is spread into a call.
 *
 * Errs towards missing: what is spread once more where it is written, and what values that bind are called with under
 * another name than the one or the field that they were put into.
 */
import { piece, type Turns } from '../base/turns.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { componentsOf } from '../graph/resolve/components.js';
import { isPassedOn } from '../graph/resolve/expected.js';
import { factOfCall, saidOfCall, type Misfit } from '../graph/resolve/misfit.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit, signatureOf, type Signature } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { E, F, isClassLike, isFunctionLike, type Argument } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';
import { callsWithKeywords } from './spread-keywords.js';

/** How many functions hand arguments on to each other. */
const HANDS_MOST = 4;

export function* misfitsHandedOn({ graphs: { before, after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const { before: was, after: is } = cause;
    if ((cause.label !== 'MMS' && cause.label !== 'MCC') || was === undefined || is === undefined) continue;
    if (!handsOn(after, is.file) || was.decl < 0 || is.decl < 0) continue;
    const [old, now] = yield* piece(() => [takenBy(before, was), takenBy(after, is)] as const);
    for (const call of yield* callsReaching(after, is)) {
      const misfit = misfitOf(call.args, old, now);
      if (misfit === undefined) continue;
      const { decls, scopes, exprs } = after.summary(call.file);
      const block = scopes.blockOf(exprs.scopeOf(call.expr));
      out.addOnce(call.file, block, {
        expr: call.expr,
        tier: 'breaks',
        confidence: call.confidence,
        reason: `${decls.pathOf(block)} calls ${cause.block} ${call.by}: the call ${saidOfCall(misfit)}.`,
        fact: factOfCall(misfit),
        rule: 'handed-arguments',
        relation: 'CalledBy',
        cause,
      });
    }
  }
  return out.sorted();
}

/** Whether functions of the language pass on what they are given without saying what that is. */
const handsOn = (resolver: Resolver, file: string): boolean => {
  const { followsValues, library } = resolver.language(file);
  return followsValues || library.parameterLists.size > 0;
};

interface Reaching {
  readonly file: string;
  /** The row of the callee. */
  readonly expr: number;
  /** All that the changed function is given in the end. */
  readonly args: readonly Argument[];
  /** Words for the way. */
  readonly by: string;
  readonly confidence: 'certain' | 'possible';
}

function takenBy(resolver: Resolver, ref: DeclRef): Signature {
  const summary = resolver.summary(ref.file);
  return isClassLike(summary.decls.kindOf(ref.decl)) ? componentsOf(resolver, ref) : signatureOf(summary, ref.decl);
}

/** Why a call that fitted does not fit any more; undefined where it does, or never did. */
function misfitOf(args: readonly Argument[], old: Signature, now: Signature): Misfit | undefined {
  const is = fit(now, args, false);
  return is.fits || !fit(old, args, false).fits ? undefined : is.misfit;
}

function* callsReaching(after: Resolver, target: DeclRef): Turns<readonly Reaching[]> {
  const out: Reaching[] = [];
  for (const { file, expr, confidence } of yield* sitesInTurns(after, target)) {
    if (expr < 0) continue;
    const bound = yield* piece(() => boundAt(after, file, expr));
    if (bound !== undefined) {
      // What it is called with later may be anything: what is bound must fit whatever that is.
      const args = [...bound.args, ...ANYTHING];
      out.push({ file, expr, args, by: 'in the end, with what is bound here', confidence });
      out.push(...(yield* laterCalls(after, file, bound)));
    }
    const call = after.summary(file).exprs.callOf(expr);
    for (const spread of call < 0 ? [] : yield* piece(() => callsWithKeywords(after, file, call)))
      out.push({
        file,
        expr,
        args: spread.args,
        by: 'with the keys of a mapping',
        confidence: confidence === 'certain' ? spread.confidence : confidence,
      });
    const handed = bound === undefined ? yield* piece(() => handedAt(after, file, expr)) : undefined;
    if (handed !== undefined) out.push(...(yield* callsHandedOn(after, handed, (given) => given, confidence, 1)));
  }
  return out;
}

/** Arguments that nobody can count, by place and by name. */
const ANYTHING: readonly Argument[] = (['list', 'keywords'] as const).map((spread) => ({
  expr: -1,
  keyword: '',
  spread,
  start: -1,
}));

// ---- what is bound before

interface Bound {
  readonly call: number;
  readonly args: readonly Argument[];
}

/** The binding call whose first argument a row is, with the other ones. */
function boundAt(after: Resolver, file: string, row: number): Bound | undefined {
  const { exprs } = after.summary(file);
  const { binders } = after.language(file).library;
  for (const call of exprs.wholesOf(row)) {
    if (exprs.opOf(call) !== E.call) continue;
    const callee = exprs.calleeOf(call);
    const [first, ...args] = exprs.argumentsOf(call);
    if (callee < 0 || first?.expr !== row || !binders.has(exprs.nameOf(callee))) continue;
    if (args.every(({ spread }) => spread === 'none') && after.resolve(file, callee).external) return { call, args };
  }
  return undefined;
}

function* laterCalls(after: Resolver, file: string, { call, args }: Bound): Turns<readonly Reaching[]> {
  const out: Reaching[] = [];
  const { decls } = after.summary(file);
  for (let decl = 0; decl < decls.count; decl++) {
    if (decls.valueOf(decl) !== call) continue;
    const by = `through ${decls.nameOf(decl)}`;
    for (const site of yield* sitesInTurns(after, { file, decl })) {
      const { exprs } = after.summary(site.file);
      const later = site.expr < 0 ? -1 : exprs.callOf(site.expr);
      if (later < 0) continue;
      const given = exprs.argumentsOf(later);
      const isNamed = (keyword: string): boolean => keyword !== '' && given.some((each) => each.keyword === keyword);
      if (given.some(({ spread }) => spread !== 'none')) continue;
      const kept = args.filter(({ keyword }) => !isNamed(keyword));
      out.push({ ...site, args: inOrder([...kept, ...given]), by });
    }
  }
  return out;
}

/** Arguments by place go before those by name. */
const inOrder = (args: readonly Argument[]): readonly Argument[] =>
  [...args].sort((a, b) => Number(a.keyword !== '') - Number(b.keyword !== ''));

// ---- what a function hands on

interface Handed {
  /** The function that hands its own arguments on. */
  readonly by: DeclRef;
  /** What the call gives besides. */
  readonly args: readonly Argument[];
  readonly rest: boolean;
  readonly keywordRest: boolean;
}

/** The function around a call that spreads what it gathers, `f(a, *args, **kw)`. */
function handedAt(after: Resolver, file: string, row: number): Handed | undefined {
  const summary = after.summary(file);
  const { exprs, decls, scopes } = summary;
  const call = exprs.callOf(row);
  const decl = scopes.blockOf(exprs.scopeOf(row));
  if (call < 0 || decl < 0 || !isFunctionLike(decls.kindOf(decl))) return undefined;
  const all = exprs.argumentsOf(call);
  const spread = all.filter((argument) => argument.spread !== 'none');
  const gathered = (argument: Argument, flag: number): boolean =>
    exprs.opOf(argument.expr) === E.name &&
    [...decls.paramsOf(decl)].some(
      (param) =>
        decls.has(param, flag) && decls.nameOf(param) === exprs.nameOf(argument.expr) && isUntold(after, file, param),
    );
  const isOwn = spread.every((each) => gathered(each, each.spread === 'list' ? F.rest : F.keywordRest));
  if (spread.length === 0 || !isOwn) return undefined;
  return {
    by: { file, decl },
    args: all.filter((argument) => argument.spread === 'none'),
    rest: spread.some((each) => each.spread === 'list'),
    keywordRest: spread.some((each) => each.spread === 'keywords'),
  };
}

/** Whether a parameter takes what another function does: what is said to be a list of something takes that. */
const isUntold = (after: Resolver, file: string, param: number): boolean => {
  const type = after.summary(file).decls.typeOf(param);
  return after.language(file).followsValues || (type >= 0 && isPassedOn(after, file, type));
};

/** What the changed function is given in the end where one on the way is given this; undefined where that misfits. */
type Passing = (given: readonly Argument[]) => readonly Argument[] | undefined;

function* callsHandedOn(
  after: Resolver,
  handed: Handed,
  further: Passing,
  confidence: Reaching['confidence'],
  depth: number,
): Turns<readonly Reaching[]> {
  const out: Reaching[] = [];
  const taken = takenBy(after, handed.by);
  const by = `through ${after.summary(handed.by.file).decls.pathOf(handed.by.decl)}`;
  const passing: Passing = (given) => {
    const result = fit(taken, given, false);
    if (!result.fits) return undefined;
    const gathered = result.pairs
      .filter(({ param }) => (param.rest && handed.rest) || (param.keywordRest && handed.keywordRest))
      .map(({ argument }) => argument);
    return further(inOrder([...handed.args, ...gathered]));
  };
  for (const site of yield* sitesInTurns(after, handed.by)) {
    const { exprs } = after.summary(site.file);
    const call = site.expr < 0 ? -1 : exprs.callOf(site.expr);
    if (call < 0) continue;
    const outer = yield* piece(() => handedAt(after, site.file, site.expr));
    const isSure = confidence === 'certain' && site.confidence === 'certain';
    const sure = isSure ? 'certain' : 'possible';
    if (outer !== undefined) {
      if (depth < HANDS_MOST && (outer.rest || !handed.rest) && (outer.keywordRest || !handed.keywordRest))
        out.push(...(yield* callsHandedOn(after, outer, passing, sure, depth + 1)));
      continue;
    }
    const given = exprs.argumentsOf(call);
    const args = given.some(({ spread }) => spread !== 'none') ? undefined : passing(given);
    if (args !== undefined) out.push({ ...site, args, by, confidence: sure });
  }
  return out;
}
