/**
 * Classes that stand for an interface from outside of the repository, or derive from a class from there, and do not
 * have a member that it asks for any more: `class Meter : IDisposable` whose `Dispose` has another name, takes
 * something, or cannot be seen; a `Thread` without its `run`. No rule of the table hears of it, since nothing here
 * declares the member.
 *
 * What a base asks for that the language's tables do not know is not known: of a member that nothing in the repository
 * uses it is said as possible. Errs towards missing: such a member that is used here too. Where another member of the
 * name may be what is asked for, that is said as `may`.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { basesOf, classOfMember, findMember, overriddenBy, searchOrder } from '../graph/resolve/hierarchy.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { hasMember } from '../languages/hooks.js';
import type { DeclRef, Language } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, F, isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn } from './counterparts.js';
import type { Graphs } from './graphs.js';
import { reachOf } from './judge-access.js';
import type { Question } from './question.js';

export function* unmetInterfaces(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const out = new AffectedBlocks();
  const counterpart = counterpartsIn(question);
  for (const cause of edit.changes) {
    const was = cause.before;
    if (was === undefined || was.decl < 0 || !isOther(cause, graphs)) continue;
    const type = yield* piece(() => ownerOf(graphs.before, was));
    if (type === undefined) continue;
    const name = graphs.before.summary(was.file).decls.nameOf(was.decl);
    const isKnown = isAskedSomewhere(graphs.before.language(was.file), name);
    const below = isKnown ? yield* piece(() => descendantsOf(graphs.before, type)) : [];
    for (const each of [type, ...below]) {
      const now = isOfKind(graphs.before, each, D.interface) ? undefined : counterpart(each);
      if (now === undefined) continue;
      const others = yield* piece(() => otherMembers(graphs, now, was, cause.after));
      if (others === 'it') continue;
      const base = askedBy(graphs.after, now, name);
      if (base === undefined) {
        if (each === type && others === 'none') yield* saidAsPossible(out, graphs, now, cause, name);
        continue;
      }
      const { decls } = graphs.after.summary(now.file);
      const isLacking = others === 'none' && base.isAll && !isCovariant(cause, graphs);
      out.addOnce(now.file, now.decl, {
        expr: base.expr,
        tier: isLacking && (base.isChecked || isGone(cause, graphs)) ? 'breaks' : 'may',
        confidence: 'certain',
        reason: `${decls.pathOf(now.decl)} stands for ${base.name}, which asks for ${name} as it was.`,
        fact: `${base.name} asks for ${name}`,
        rule: 'unmet-interface',
        relation: 'Overrides',
        cause,
      });
    }
  }
  return out.sorted();
}

/** Where a base is not known, and nothing here uses the member: then whoever does is outside. */
function* saidAsPossible(
  out: AffectedBlocks,
  { before, after }: Graphs,
  now: DeclRef,
  cause: AtomicChange,
  name: string,
): Turns<void> {
  const { before: was } = cause;
  const base = unknownBase(after, now);
  if (was === undefined || base === undefined || !mayBeAsked(before, was)) return;
  if ((yield* sitesInTurns(before, was)).length > 0) return;
  const path = after.summary(now.file).decls.pathOf(now.decl);
  out.addOnce(now.file, now.decl, {
    expr: base.expr,
    tier: 'may',
    confidence: 'possible',
    reason: `${base.name}, which is above ${path}, comes from outside and may ask for ${name}: nothing here uses that.`,
    fact: `${base.name} may ask for ${name}`,
    rule: 'unmet-interface',
    relation: 'Overrides',
    cause,
  });
}

/** The class of a member that may stand for one from outside, and stands for none of the repository. */
function ownerOf(resolver: Resolver, member: DeclRef): DeclRef | undefined {
  const summary = resolver.summary(member.file);
  const { decls } = summary;
  const owner = classOfMember(summary, member.decl);
  const kind = decls.kindOf(member.decl);
  if (owner === undefined || kind === D.constructor || !(isFunctionLike(kind) || kind === D.property)) return undefined;
  if (decls.has(member.decl, F.static | F.private | F.override | F.explicit)) return undefined;
  return overriddenBy(resolver, member).length > 0 ? undefined : { file: member.file, decl: owner };
}

/** Whether the tables of a language know a base from outside that asks for a member of the name. */
const isAskedSomewhere = ({ overloads, library }: Language, name: string): boolean =>
  (overloads && [...library.interfaceMembers.values()].some((names) => names.has(name))) ||
  [...library.hooks.values()].some(({ required, own }) => required.has(name) || own.has(name));

/**
 * Whether a base that is not known may ask for a member: none that every object has, that is no one's business, or that
 * stands without the word beside others which are said to override.
 */
function mayBeAsked(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  const { isPrivate, library, interfaceName } = resolver.language(file);
  const name = decls.nameOf(decl);
  if (isPrivate(name, decls.flagsOf(decl)) || library.objectMembers.has(name)) return false;
  const isMarked = (other: number): boolean =>
    decls.has(other, F.override) && !library.objectMembers.has(decls.nameOf(other));
  return interfaceName !== undefined || ![...decls.allInScope(decls.scopeOf(decl))].some(isMarked);
}

/** A base from outside of which the language's tables do not say what it asks for. */
function unknownBase(resolver: Resolver, type: DeclRef): { readonly name: string; readonly expr: number } | undefined {
  const { library, interfaceName } = resolver.language(type.file);
  const isUnknown = (base: string): boolean =>
    base !== '' &&
    !library.interfaceMembers.has(base) &&
    !library.hooks.has(base) &&
    !library.rootBases.has(base) &&
    !library.fieldlessBases.has(base) &&
    // An exception is caught by its class, and asks for nothing.
    library.exceptions?.test(base) !== true &&
    // Where others have to be overridden by a word, an interface alone is met without one.
    (interfaceName === undefined || interfaceName.test(base));
  const base = basesOf(resolver, type).external.find((each) => isUnknown(each.name));
  return base === undefined ? undefined : { name: base.name, expr: rowOfBase(resolver, type, base.name) };
}

/** Whether what a member was asked for as is not what it is any more. */
function isOther(cause: AtomicChange, graphs: Graphs): boolean {
  if (isGone(cause, graphs)) return true;
  const { after: now, detail } = cause;
  const { signature } = detail;
  if (now === undefined) return false;
  const takesOther = [signature?.added, signature?.removed, signature?.moved, signature?.passing].some(
    (changed) => changed !== undefined && changed.length > 0,
  );
  if (takesOther || !graphs.after.language(now.file).checksTypes) return takesOther;
  if (detail.type !== undefined && isOfKind(graphs.after, now, D.property)) return true;
  if (signature === undefined) return false;
  return signature.retyped.length > 0 || signature.returnType !== undefined || signature.typeParams === true;
}

/** Whether a member is not there any more for who asked for it. */
function isGone({ before: was, after: now }: AtomicChange, { before, after }: Graphs): boolean {
  if (was === undefined || now === undefined) return true;
  const [old, is] = [before.summary(was.file).decls, after.summary(now.file).decls];
  return (
    old.nameOf(was.decl) !== is.nameOf(now.decl) ||
    is.has(now.decl, F.static) ||
    (reachOf(before, was) === 'everywhere' && reachOf(after, now) !== 'everywhere')
  );
}

/** Whether only the type of the result is another one, in a language where that may be a narrower one. */
function isCovariant({ after: now, detail: { signature } }: AtomicChange, { after }: Graphs): boolean {
  if (now === undefined || signature?.returnType === undefined) return false;
  return after.language(now.file).interfaceName === undefined;
}

interface Asking {
  readonly name: string;
  /** Where the class names it; -1: nowhere. */
  readonly expr: number;
  /** Whether it has to be written, and no other base from outside may have it. */
  readonly isAll: boolean;
  /** Whether a compiler looks for it as the tables say it. */
  readonly isChecked: boolean;
}

/** What stands above a class outside of the repository and asks for a member of the name. */
function askedBy(resolver: Resolver, type: DeclRef, name: string): Asking | undefined {
  const { library, interfaceName, overloads } = resolver.language(type.file);
  const { external, unknown } = basesOf(resolver, type);
  // A class stands for what the interfaces above it stand for as well.
  const above = searchOrder(resolver, type).filter((each) => isOfKind(resolver, each, D.interface));
  const asks = [external, ...above.map((each) => basesOf(resolver, each).external)].flat();
  const isInterface = (base: string): boolean =>
    library.interfaceMembers.has(base) &&
    library.exceptions?.test(base) !== true &&
    (interfaceName === undefined || interfaceName.test(base));
  const isKnown = (base: string): boolean => library.hooks.has(base) || isInterface(base);
  const asksFor = (base: string): boolean =>
    (library.hooks.has(base) || (overloads && isInterface(base))) && hasMember(library, base, name) === true;
  const base = asks.find((each) => asksFor(each.name));
  if (base === undefined) return undefined;
  const isRequired = library.hooks.get(base.name)?.required.has(name) ?? !library.defaultMembers.has(name);
  return {
    name: base.name,
    expr: rowOfBase(resolver, type, base.name),
    isAll: isRequired && !unknown && external.every((each) => isKnown(each.name)),
    isChecked: !library.hooks.has(base.name),
  };
}

function rowOfBase(resolver: Resolver, type: DeclRef, name: string): number {
  const bases = resolver.summary(type.file).decls.basesOf(type.decl);
  return bases.find((row) => instanceOf(resolver, type.file, row).values.some((value) => isNamed(value, name))) ?? -1;
}

const isOfKind = (resolver: Resolver, { file, decl }: DeclRef, kind: number): boolean =>
  resolver.summary(file).decls.kindOf(decl) === kind;

const isNamed = (value: { readonly kind: string; readonly name?: string }, name: string): boolean =>
  value.kind === 'external' && value.name === name;

/** Whether a class has another member that is, or may be, what is asked for. */
function otherMembers(
  { before, after }: Graphs,
  type: DeclRef,
  was: DeclRef,
  now: DeclRef | undefined,
): 'it' | 'maybe' | 'none' {
  const old = before.summary(was.file);
  const others = findMember(after, type, old.decls.nameOf(was.decl)).found.filter(
    (member) => now === undefined || !sameDecl(member, now),
  );
  if (!after.language(type.file).overloads) return others.length > 0 ? 'it' : 'none';
  const has = (member: DeclRef, flags: number): boolean => after.summary(member.file).decls.has(member.decl, flags);
  // Explicit ones of another result stand for another interface: `IEnumerable` beside `IEnumerable<T>`.
  const standsForIt = ({ file, decl }: DeclRef): boolean => {
    const summary = after.summary(file);
    return sameWritten(summary, summary.decls.typeOf(decl), old, old.decls.typeOf(was.decl));
  };
  const explicit = others.filter((member) => has(member, F.explicit));
  if (explicit.some(standsForIt)) return 'it';
  const open = others.filter(
    (member) => !has(member, F.static | F.override | F.explicit) && reachOf(after, member) === 'everywhere',
  );
  return open.length > 0 ? 'maybe' : 'none';
}
