/**
 * Exceptions that a changed function says it throws now, and whether a place where it runs has to do with them: it may
 * declare them, it may catch them, and some need neither.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { basesOf, searchOrder } from '../graph/resolve/hierarchy.js';
import { lookUp } from '../graph/resolve/names.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import { D, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import type { JudgedSite } from './verdict.js';

/** What was added and has to be declared; undefined for a name of which that is not known. */
export interface Thrown {
  readonly name: string;
  readonly isChecked: boolean | undefined;
  /** Names of it and of all that is above it. */
  readonly caughtAs: ReadonlySet<string>;
}

export function exceptionsAdded({ after: now, detail }: AtomicChange, after: Resolver): readonly Thrown[] {
  if (now === undefined) return [];
  const summary = after.summary(now.file);
  const { library, writing } = after.language(now.file);
  const { checkedExceptions } = library;
  const topmost = writing.throws?.topmost ?? [];
  return (detail.signature?.throws?.added ?? []).map((written): Thrown => {
    const name = simpleName(written);
    const [type] = lookUp(after, now.file, summary, summary.decls.scopeOf(now.decl), name, R.type).targets;
    if (type === undefined || type.decl < 0)
      return {
        name: written,
        isChecked: checkedExceptions.has(name)
          ? true
          : isOfPrelude(summary, written) || writing.throws?.isUnchecked(name) === true
            ? false
            : undefined,
        // Nothing that is below it catches one of the topmost.
        caughtAs: new Set([name, ...topmost.slice(topmost.indexOf(name) + 1)]),
      };
    return { ...exceptionOf(after, type), name: written };
  });
}

/** A class of the repository as an exception. */
export function exceptionOf(resolver: Resolver, type: DeclRef): Thrown {
  const { library, writing } = resolver.language(type.file);
  const above = searchOrder(resolver, type);
  const names = above.map((ref) => resolver.summary(ref.file).decls.nameOf(ref.decl));
  const outside = above.flatMap((ref) => basesOf(resolver, ref).external.map((base) => base.name));
  const isChecked = outside.some((base) => library.checkedExceptions.has(base));
  return {
    name: names[0] ?? '',
    isChecked: isChecked ? true : outside.length > 0 ? false : undefined,
    caughtAs: new Set([...names, ...outside, ...(writing.throws?.topmost ?? [])]),
  };
}

/** Whether an exception surely leaves the function around a row: it declares none such, and catches nothing. */
export function escapesAt({ caughtAs }: Thrown, summary: Summary, expr: number): boolean {
  const around = functionAround(summary, expr);
  return (
    around !== undefined &&
    summary.decls.kindOf(around) !== D.lambda &&
    !saysItThrows(summary, around, (name) => caughtAs.has(name)) &&
    !catches(summary, around, (name) => caughtAs.has(name))
  );
}

const simpleName = (written: string): string => written.slice(written.lastIndexOf('.') + 1);

/** A name that the file need not import: all checked ones of these are known. */
const isOfPrelude = (summary: Summary, name: string): boolean =>
  !name.includes('.') &&
  !summary.imports.some((entry) => entry.name === name || entry.name === '*' || entry.kind === 'star');

/**
 * What becomes of the added exceptions at a place that runs the changed function: `declared` by the function around it,
 * or one that `escapes` from there for certain; undefined where neither is known.
 */
export function thrownAt(
  change: AtomicChange,
  { file, expr }: JudgedSite,
  after: Resolver,
): 'declared' | { readonly escapes: string } | undefined {
  const open = exceptionsAdded(change, after).filter(({ isChecked }) => isChecked !== false);
  const summary = after.summary(file);
  const around = functionAround(summary, expr);
  const [first] = open;
  if (first === undefined || around === undefined || summary.decls.kindOf(around) === D.lambda) return undefined;
  if (open.every(({ caughtAs }) => saysItThrows(summary, around, (name) => caughtAs.has(name)))) return 'declared';
  return open.every(({ isChecked }) => isChecked === true) &&
    !saysItThrows(summary, around, () => true) &&
    !catches(summary, around)
    ? { escapes: first.name }
    : undefined;
}

/** The innermost function or lambda around a row; undefined in an initialiser. */
export function functionAround(summary: Summary, expr: number): number | undefined {
  for (let scope = summary.exprs.scopeOf(expr); scope >= 0; scope = summary.scopes.parentOf(scope)) {
    const owner = summary.scopes.ownerOf(scope);
    if (owner >= 0) return isFunctionLike(summary.decls.kindOf(owner)) ? owner : undefined;
  }
  return undefined;
}

/** Whether the header names such an exception behind its parameters. */
export function saysItThrows(
  { decls, exprs }: Summary,
  decl: number,
  isMeant: (exception: string) => boolean,
): boolean {
  const from = Math.max(
    decls.startOf(decl),
    decls.nameStartOf(decl),
    ...[...decls.paramsOf(decl)].map((param) => decls.endOf(param)),
  );
  for (let expr = 0; expr < exprs.count; expr++)
    if (
      exprs.startOf(expr) >= from &&
      exprs.startOf(expr) < decls.bodyStartOf(decl) &&
      exprs.roleOf(expr) === R.type &&
      isMeant(exprs.nameOf(expr))
    )
      return true;
  return false;
}

/** Whether a variable in the function may be that of a handler: one for any exception may catch what is below it. */
function catches(
  { decls, exprs, language }: Summary,
  around: number,
  isMeant: (exception: string) => boolean = () => false,
): boolean {
  const { throws } = languageById(language).writing;
  const namesOf = (row: number): string[] =>
    row < 0 ? [] : exprs.nameOf(row) === '' ? [...exprs.partsOf(row)].flatMap(namesOf) : [exprs.nameOf(row)];
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.kindOf(decl) === D.local &&
      decls.valueOf(decl) < 0 &&
      decls.startOf(decl) >= decls.startOf(around) &&
      decls.startOf(decl) < decls.endOf(around) &&
      (decls.typeOf(decl) < 0 ||
        namesOf(decls.typeOf(decl)).some((name) => isMeant(name) || throws?.namesException(name) === true))
    )
      return true;
  return false;
}
