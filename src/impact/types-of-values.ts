/**
 * Types that are read off a value, `typeof settings`, `ReturnType<typeof load>`, and who says the name of such a type:
 * what was edited declares no type, and they live by the one that it has.
 *
 *     export const MODES = ['fast', 'slow'] as const;       type Mode = (typeof MODES)[number];
 *     export function load() { return { rows: [] }; }       type Loaded = ReturnType<typeof load>;
 *
 * Which part of the type somebody uses is not asked. Errs towards missing: types of fields of such a type that are
 * looked up one by one in other files.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { declKey } from '../syntax/rows.js';
import { D, E, isFunctionLike, R, TYPE_OF } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

/** What of a value's type is another one. */
interface Changed {
  readonly whole: boolean;
  readonly result: boolean;
  readonly params: boolean;
  readonly constructorParams: boolean;
}

export function* typesOfValues({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  const { after } = graphs;
  for (const cause of edit.changes) {
    const value = cause.after;
    if (value === undefined || cause.before === undefined || value.decl < 0) continue;
    if (!after.language(value.file).structural) continue;
    const changed = yield* piece(() => changedType(graphs, cause));
    if (changed === undefined) continue;
    const of = changed.constructorParams || isKey(after, value) ? ownerOf(after, value) : value;
    const aliases: DeclRef[] = [];
    for (const { file, expr } of yield* sitesInTurns(after, of))
      if (expr >= 0 && (yield* piece(() => isReadOff(after, file, expr, changed))))
        aliases.push(...named(after, cause, { file, expr }, changed, out));
    yield* namersOf(after, cause, aliases, out);
  }
  return out.sorted();
}

/** The alias that a type read off the value stands in. Where a function is named the rule table says that itself. */
function named(
  after: Resolver,
  cause: AtomicChange,
  { file, expr }: { readonly file: string; readonly expr: number },
  changed: Changed,
  out: AffectedBlocks,
): readonly DeclRef[] {
  if (!changed.result && !changed.params) return note(after, cause, { file, expr }, undefined, out);
  return aliasAround(after, file, expr);
}

/** Who says the name of a type that is made of one read off the value. */
function* namersOf(after: Resolver, cause: AtomicChange, aliases: DeclRef[], out: AffectedBlocks): Turns<void> {
  const seen = new Set(aliases.map(declKey));
  for (let alias = aliases.pop(); alias !== undefined; alias = aliases.pop()) {
    const name = after.summary(alias.file).decls.nameOf(alias.decl);
    for (const { file, expr } of yield* sitesInTurns(after, alias)) {
      if (expr < 0 || after.summary(file).exprs.roleOf(expr) === R.import) continue;
      for (const next of note(after, cause, { file, expr }, name, out))
        if (!seen.has(declKey(next))) {
          seen.add(declKey(next));
          aliases.push(next);
        }
    }
  }
}

function changedType(
  { before, after }: Graphs,
  { before: was, after: is, label, detail }: AtomicChange,
): Changed | undefined {
  if (was === undefined || is === undefined) return undefined;
  const none = { whole: false, result: false, params: false, constructorParams: false };
  const { signature, shape, type, escapes } = detail;
  const params =
    signature !== undefined &&
    [
      signature.added,
      signature.removed,
      signature.moved,
      signature.retyped,
      signature.madeRequired,
      signature.madeOptional,
    ].some(({ length }) => length > 0);
  if (label === 'MCC') return params ? { ...none, constructorParams: true } : undefined;
  const { decls } = after.summary(is.file);
  if (isFunctionLike(decls.kindOf(is.decl))) {
    const isRetyped = (signature?.retyped.length ?? 0) > 0;
    const isInferred = decls.typeOf(is.decl) < 0 && (shape !== undefined || escapes !== undefined || isRetyped);
    const result = isInferred || signature?.returnType !== undefined || signature?.async !== undefined;
    return result || params ? { ...none, whole: true, result, params } : undefined;
  }
  // Of a key whose own type is another one the rule table tells who takes it.
  if (label !== 'MF' || (isKey(after, is) && shape === undefined)) return undefined;
  const isOther =
    shape !== undefined || type !== undefined || (decls.typeOf(is.decl) < 0 && !haveOneType(before, was, after, is));
  return isOther ? { ...none, whole: true } : undefined;
}

/** Whether two values that are written out are of one type: the same keys, and values of the same kinds. */
function haveOneType(before: Resolver, was: DeclRef, after: Resolver, is: DeclRef): boolean {
  const [old, now] = [before.summary(was.file), after.summary(is.file)];
  const same = (a: number, b: number): boolean => {
    if (a < 0 || b < 0) return a === b;
    if (sameWritten(old, a, now, b)) return true;
    const [op, other] = [old.exprs.opOf(a), now.exprs.opOf(b)];
    if (op !== other || op !== E.closure) return op === E.literal && other === op && sameKind(a, b);
    const [members, others] = [a, b].map((row, i) => {
      const { decls, exprs } = i === 0 ? old : now;
      const scope = decls.innerOf(exprs.closureOf(row));
      return new Map(
        (scope < 0 ? [] : [...decls.allInScope(scope)]).map((decl) => [decls.nameOf(decl), decls.valueOf(decl)]),
      );
    });
    return (
      members !== undefined &&
      others !== undefined &&
      members.size === others.size &&
      [...members].every(([name, row]) => others.has(name) && same(row, others.get(name) ?? -1))
    );
  };
  const sameKind = (a: number, b: number): boolean => old.exprs.nameOf(a) === now.exprs.nameOf(b);
  return same(old.decls.valueOf(was.decl), now.decls.valueOf(is.decl));
}

/** Whether it is a key of an object that a variable holds: nobody reads a type off it. */
function isKey(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  const parent = decls.parentOf(decl);
  return parent >= 0 && decls.kindOf(parent) === D.variable;
}

/** The class of a constructor, the object of a key. */
function ownerOf(resolver: Resolver, { file, decl }: DeclRef): DeclRef {
  const parent = resolver.summary(file).decls.parentOf(decl);
  return { file, decl: parent < 0 ? decl : parent };
}

/** Whether a name stands in a type that is read off it, and what is read is another one. */
function isReadOff(after: Resolver, file: string, expr: number, changed: Changed): boolean {
  const { exprs } = after.summary(file);
  const { results, parameterLists, constructorParameterLists } = after.language(file).library;
  const type = exprs.wholesOf(expr).find((row) => exprs.opOf(row) === E.union && exprs.nameOf(row) === TYPE_OF);
  if (type === undefined) return false;
  const generic = exprs.wholesOf(type).find((row) => exprs.opOf(row) === E.index);
  const head = generic === undefined ? '' : exprs.nameOf(exprs.operandOf(generic));
  if (constructorParameterLists.has(head)) return changed.constructorParams;
  if (results.has(head)) return changed.result;
  return parameterLists.has(head) ? changed.params : changed.whole;
}

/** Notes a place; gives the alias that it stands in. */
function note(
  after: Resolver,
  cause: AtomicChange,
  { file, expr }: { readonly file: string; readonly expr: number },
  by: string | undefined,
  out: AffectedBlocks,
): readonly DeclRef[] {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  const { decls } = summary;
  const fact = by === undefined ? `its type is read off ${cause.block}` : `${by} is read off ${cause.block}`;
  out.addOnce(file, block, {
    expr,
    tier: 'may',
    confidence: 'certain',
    reason: `${block < 0 ? '<module>' : decls.pathOf(block)} names a type that follows from ${cause.block}: ${fact}.`,
    fact,
    rule: 'type-of-value',
    relation: 'UsedBy',
    cause,
  });
  return aliasAround(after, file, expr);
}

function aliasAround(after: Resolver, file: string, expr: number): readonly DeclRef[] {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  return block >= 0 && summary.decls.kindOf(block) === D.typeAlias ? [{ file, decl: block }] : [];
}
