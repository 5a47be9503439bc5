/**
 * Constructors that call the one of their base without saying so: `class B extends A {}`, `B() {}`. Where the base has
 * none left that can be called with nothing, or from there, none of them fits; nor does the class as an argument of a
 * type parameter whose values are made with nothing, `where T : new()`.
 *
 * What the call lacks matters in languages whose classes do not inherit constructors; elsewhere who makes an object
 * says what it gives.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { derivedFrom } from '../graph/refer/sites-by-name.js';
import type { DeclRef, Reach } from '../languages/language.js';
import { declKey } from '../syntax/rows.js';
import { D, E, F, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { isReached, reachOf } from './judge-access.js';
import type { Question } from './question.js';

export function* implicitBaseCalls(question: Question): Turns<readonly AffectedBlock[]> {
  const {
    graphs: { before, after },
    edit,
  } = question;
  const out = new AffectedBlocks();
  const seen = new Set<string>();
  for (const cause of edit.changes) {
    const [was, type] = cause.kind === 'constructor' || cause.label === 'MCC' ? classesOf(question, cause) : [];
    if (type === undefined || was === undefined || seen.has(declKey(type))) continue;
    seen.add(declKey(type));
    if (reachOfFree(before, was) === reachOfFree(after, type)) continue;
    const name = after.summary(type.file).decls.nameOf(type.decl);
    for (const at of (yield* pieces(derivedFrom(after, type), (below) => silentCalls(after, below))).flat()) {
      const misfit = misfitBelow(after, type, at);
      if (misfit === undefined) continue;
      out.add(at.file, at.decl, {
        expr: -1,
        tier: 'breaks',
        confidence: 'certain',
        reason:
          `${after.summary(at.file).decls.pathOf(at.decl)} calls the constructor of ${name} without saying so: ` +
          `${misfit.words}.`,
        fact: misfit.fact,
        rule: 'implicit-base-call',
        relation: 'CalledBy',
        cause,
      });
    }
    if (reachOfFree(after, type) !== undefined) continue;
    for (const { file, expr, block, confidence } of yield* sitesInTurns(after, type)) {
      if (!(yield* piece(() => isMadeWithNothing(after, file, expr)))) continue;
      out.addOnce(file, block, {
        expr,
        tier: 'breaks',
        confidence,
        reason:
          `${after.summary(file).decls.pathOf(block)} gives ${name} for a type parameter whose values are made ` +
          'without a word: it has no constructor that takes nothing now.',
        fact: 'no constructor without parameters',
        rule: 'implicit-base-call',
        relation: 'UsedBy',
        cause,
      });
    }
  }
  return out.sorted();
}

/** Whether a row is an argument for a type parameter that says that its values can be made with nothing. */
function isMadeWithNothing(resolver: Resolver, file: string, expr: number): boolean {
  if (expr < 0) return false;
  const { exprs } = resolver.summary(file);
  return exprs.usesOf(expr).some((use) => {
    if (!('row' in use) || (use.kind !== 'typeArgument' && exprs.opOf(use.row) !== E.index)) return false;
    const [head, at] =
      use.kind === 'typeArgument'
        ? [exprs.calleeOf(use.row), use.index]
        : [exprs.operandOf(use.row), [...exprs.partsOf(use.row)].indexOf(expr)];
    return (
      head >= 0 &&
      at >= 0 &&
      resolver.resolve(file, head).targets.some((target) => {
        const { decls } = resolver.summary(target.file);
        const param = target.decl < 0 ? undefined : [...decls.typeParamsOf(target.decl)][at];
        return param !== undefined && decls.has(param, F.makeable);
      })
    );
  });
}

/** The class whose constructors the change is about, in either tree; empty where it is not in both. */
function classesOf(
  { graphs: { before, after }, edit }: Question,
  { before: was, after: is }: AtomicChange,
): readonly [DeclRef, DeclRef] | readonly [] {
  const ref = is ?? was;
  const side = is === undefined ? before : after;
  if (ref === undefined) return [];
  const { decls } = side.summary(ref.file);
  const decl = decls.kindOf(ref.decl) === D.constructor ? classOfMember(side.summary(ref.file), ref.decl) : ref.decl;
  if (decl === undefined) return [];
  const pair = edit.matches.of(ref.file).pairs.find((each) => (is === undefined ? each.before : each.after) === decl);
  return pair === undefined
    ? []
    : [
        { file: ref.file, decl: pair.before },
        { file: ref.file, decl: pair.after },
      ];
}

/** From where the constructors can be used that take nothing, as far as they say; undefined where there is none. */
function reachOfFree(resolver: Resolver, type: DeclRef): string | undefined {
  const all = constructorsOf(resolver, type);
  if (all.length === 0) return heldBackFrom('everywhere');
  const free = all.filter((each) => lackedBy(resolver, each) === undefined);
  return free.length === 0
    ? undefined
    : [...new Set(free.map((each) => heldBackFrom(reachOf(resolver, each))))].sort().join();
}

/** What a class below does not reach wherever it stands, by the reach; '' for what it does. */
const heldBackFrom = (reach: Reach): string => (reach === 'class' || reach === 'package' ? reach : '');

/** Why no constructor can be called with nothing from a class below; undefined where one can. */
function misfitBelow(
  resolver: Resolver,
  type: DeclRef,
  below: DeclRef,
): { readonly words: string; readonly fact: string } | undefined {
  const all = constructorsOf(resolver, type);
  const free = all.filter((each) => lackedBy(resolver, each) === undefined);
  const [first] = all;
  if (first === undefined) return undefined;
  if (free.length === 0) {
    const missing = lackedBy(resolver, first);
    return { words: `the call lacks a value for ${missing}`, fact: `missing argument: ${missing}` };
  }
  const site = { file: below.file, expr: -1, block: below.decl, confidence: 'certain' as const };
  // Who derives is reached by all that is not for the class or its package alone.
  const isCallable = (each: DeclRef): boolean => {
    const reach = reachOf(resolver, each);
    return heldBackFrom(reach) === '' || isReached(resolver, site, each, reach);
  };
  if (free.some(isCallable)) return undefined;
  return free.some((each) => reachOf(resolver, each) === 'package')
    ? { words: 'only its package can use it now', fact: 'constructor of another package' }
    : { words: 'it is private now', fact: 'private constructor' };
}

/** A parameter that a call with nothing lacks, where it matters there; undefined where there is none such. */
function lackedBy(resolver: Resolver, { file, decl }: DeclRef): string | undefined {
  return resolver.language(file).overloads
    ? signatureOf(resolver.summary(file), decl).params.find((param) => !param.optional && !param.rest)?.name
    : undefined;
}

/** Constructors of a class that call its base's without saying so; the class itself where it writes none. */
function silentCalls(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRef[] {
  const summary = resolver.summary(file);
  if (summary.decls.kindOf(decl) !== D.class || summary.decls.hasParams(decl)) return [];
  const own = constructorsOf(resolver, { file, decl }).filter(
    (constructor) => classOfMember(resolver.summary(constructor.file), constructor.decl) === decl,
  );
  if (own.length === 0) return [{ file, decl }];
  return own.filter((constructor) => !callsAnother(resolver.summary(constructor.file), constructor.decl));
}

/** Whether a constructor says which other one it calls: `super(…)`, `this(…)`, `: base(…)`. */
function callsAnother(summary: Summary, constructor: number): boolean {
  const { exprs } = summary;
  return [E.super, E.this].some((op) =>
    exprs.ofOp(op).some((row) => exprs.roleOf(row) === R.callee && blockOf(summary, row) === constructor),
  );
}
