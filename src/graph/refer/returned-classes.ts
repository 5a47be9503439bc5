/**
 * Names by which a class is had that a function declares and gives: of the function, and of what holds the class. Who
 * makes objects of it says such a name, and none of the class.
 *
 *     export const Url = (() => { class Fast { … } return Fast; })();        new Url(…)
 *     const Timed = timed();                                                 new Timed(…)
 *
 * Errs towards more: whether a name leads to the class is for who resolves it to say.
 */
import { keptUnder } from '../../base/turns.js';
import type { DeclRef } from '../../languages/language.js';
import { sameDecl, type ExprRow } from '../../syntax/rows.js';
import { E, isFunctionLike, R, TYPE_OF, type Summary } from '../../syntax/summary.js';
import type { Resolver } from '../resolve/resolver.js';

export function namesOfReturned(resolver: Resolver, type: DeclRef): readonly string[] {
  const summary = resolver.summary(type.file);
  const owner = functionAround(summary, type.decl);
  if (owner < 0 || !givesClass(resolver, type, owner)) return [];
  const { decls, exprs } = summary;
  const closure = exprs.rowOfClosure(owner);
  if (closure !== undefined) {
    const calls = exprs.usesOf(closure).flatMap((use) => (use.kind === 'callee' ? [use.row] : []));
    return calls.flatMap((call) => holdersOf(summary, call));
  }
  const name = decls.nameOf(owner);
  const holders = resolver.repo.filesMentioning(name).flatMap((file) => {
    const other = resolver.summary(file);
    return [...other.exprs.named(other.idOf(name))].flatMap((row) => holdersOf(other, other.exprs.callOf(row)));
  });
  return [name, ...holders];
}

/** How deep in a declared type the class is looked for: `Record<string, typeof Store>`. */
const LEVELS_MOST = 3;

/** Names of functions that give the class itself, and of what is declared to hold it: `(): typeof Store`. */
export function namesOfGivers(resolver: Resolver, type: DeclRef): readonly string[] {
  const name = resolver.summary(type.file).decls.nameOf(type.decl);
  const files = resolver.repo.filesMentioning(name);
  return [...new Set(files.flatMap((file) => giversIn(resolver.summary(file), name)))];
}

const giversMemo = new WeakMap<Summary, Map<string, readonly string[]>>();

/** Of one file. Kept with the summary: classes of a common name are said in many files. */
const giversIn = (summary: Summary, name: string): readonly string[] =>
  keptUnder(giversMemo, summary, name, () => findGivers(summary, name));

function findGivers(summary: Summary, name: string): readonly string[] {
  const { decls, exprs } = summary;
  const out: string[] = [];
  const look = (row: ExprRow, isClass: boolean, level: number): void => {
    for (const use of exprs.usesOf(row)) {
      if ((use.kind === 'type' && isClass) || (use.kind === 'result' && level === 0)) out.push(decls.nameOf(use.decl));
      else if ('row' in use && level < LEVELS_MOST && exprs.roleOf(row) === R.type)
        look(use.row, isClass || isTypeOf(exprs, use.row), level + 1);
    }
  };
  for (const row of exprs.named(summary.idOf(name))) look(row, false, 0);
  return out;
}

const isTypeOf = (exprs: Summary['exprs'], row: ExprRow): boolean =>
  exprs.opOf(row) === E.union && exprs.nameOf(row) === TYPE_OF;

function functionAround({ decls, scopes }: Summary, decl: number): number {
  for (let scope = decls.scopeOf(decl); scope >= 0; scope = scopes.parentOf(scope)) {
    const owner = scopes.ownerOf(scope);
    if (owner >= 0 && isFunctionLike(decls.kindOf(owner))) return owner;
  }
  return -1;
}

const givesClass = (resolver: Resolver, type: DeclRef, owner: number): boolean =>
  [...resolver.summary(type.file).decls.resultsOf(owner)].some((row) =>
    resolver.typeOf(type.file, row).values.some((value) => value.kind === 'class' && sameDecl(value, type)),
  );

const holdersOf = ({ decls, exprs }: Summary, call: number): string[] =>
  call < 0 ? [] : exprs.usesOf(call).flatMap((use) => (use.kind === 'value' ? [decls.nameOf(use.decl)] : []));
