/**
 * Classes that stand for an interface from outside of the repository, and do not have a member that it asks for any
 * more: `class Meter : IDisposable` whose `Dispose` has another name, takes something, or cannot be seen. No rule of
 * the table hears of it, since nothing here declares the member.
 *
 * Errs towards missing: interfaces that the language's table does not know. Where another member of the name may be
 * what the interface asks for, that is said as possible.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { basesOf, classOfMember, findMember, overriddenBy, searchOrder } from '../graph/resolve/hierarchy.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
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
    const type = was === undefined ? undefined : asked(graphs.before, was);
    if (was === undefined || type === undefined || !isOther(cause, graphs)) continue;
    const name = graphs.before.summary(was.file).decls.nameOf(was.decl);
    for (const each of [type, ...(yield* piece(() => descendantsOf(graphs.before, type)))]) {
      const now = isOfKind(graphs.before, each, D.interface) ? undefined : counterpart(each);
      const base = now === undefined ? undefined : askedBy(graphs.after, now, name);
      if (now === undefined || base === undefined) continue;
      const others = yield* piece(() => otherMembers(graphs, now, was, cause.after));
      if (others === 'it') continue;
      const { decls } = graphs.after.summary(now.file);
      out.addOnce(now.file, now.decl, {
        expr: base.expr,
        tier: others === 'none' && base.isAll && !isCovariant(cause, graphs) ? 'breaks' : 'may',
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

/** The class of a member that may stand for one of an interface from outside, and for none of the repository. */
function asked(resolver: Resolver, member: DeclRef): DeclRef | undefined {
  const summary = resolver.summary(member.file);
  const { decls } = summary;
  const { overloads, library } = resolver.language(member.file);
  if (!overloads || member.decl < 0) return undefined;
  const owner = classOfMember(summary, member.decl);
  const kind = decls.kindOf(member.decl);
  if (owner === undefined || kind === D.constructor || !(isFunctionLike(kind) || kind === D.property)) return undefined;
  if (decls.has(member.decl, F.static | F.private | F.override | F.explicit)) return undefined;
  const name = decls.nameOf(member.decl);
  if (![...library.interfaceMembers.values()].some((names) => names.has(name))) return undefined;
  return overriddenBy(resolver, member).length > 0 ? undefined : { file: member.file, decl: owner };
}

/** Whether what a member was asked for as is not what it is any more. */
function isOther({ before: was, after: now, detail }: AtomicChange, { before, after }: Graphs): boolean {
  if (was === undefined || now === undefined) return true;
  const [old, is] = [before.summary(was.file).decls, after.summary(now.file).decls];
  if (old.nameOf(was.decl) !== is.nameOf(now.decl) || is.has(now.decl, F.static)) return true;
  if (reachOf(before, was) === 'everywhere' && reachOf(after, now) !== 'everywhere') return true;
  if (detail.type !== undefined && is.kindOf(now.decl) === D.property) return true;
  const { signature } = detail;
  if (signature === undefined) return false;
  return (
    [signature.added, signature.removed, signature.moved, signature.retyped, signature.passing].some(
      (changed) => changed.length > 0,
    ) ||
    signature.returnType !== undefined ||
    signature.typeParams === true
  );
}

/** Whether only the type of the result is another one, in a language where that may be a narrower one. */
function isCovariant({ after: now, detail: { signature } }: AtomicChange, { after }: Graphs): boolean {
  if (now === undefined || signature?.returnType === undefined) return false;
  return after.language(now.file).interfaceName === undefined;
}

/**
 * The interface among the bases of a class that asks for a member of the name. `isAll`: that the class has no base from
 * outside which may have the member itself.
 */
function askedBy(
  resolver: Resolver,
  type: DeclRef,
  name: string,
): { readonly name: string; readonly expr: number; readonly isAll: boolean } | undefined {
  const { library, interfaceName } = resolver.language(type.file);
  const { external, unknown } = basesOf(resolver, type);
  // A class stands for what the interfaces above it stand for as well.
  const above = searchOrder(resolver, type).filter((each) => isOfKind(resolver, each, D.interface));
  const asks = [external, ...above.map((each) => basesOf(resolver, each).external)].flat();
  const isInterface = (base: string): boolean =>
    library.interfaceMembers.has(base) &&
    library.exceptions?.test(base) !== true &&
    (interfaceName === undefined || interfaceName.test(base));
  const base = asks.find((each) => isInterface(each.name) && library.interfaceMembers.get(each.name)?.has(name));
  if (base === undefined) return undefined;
  const { decls } = resolver.summary(type.file);
  const expr = decls
    .basesOf(type.decl)
    .find((row) => instanceOf(resolver, type.file, row).values.some((value) => isNamed(value, base.name)));
  const isAll = !unknown && external.every((each) => isInterface(each.name)) && !library.defaultMembers.has(name);
  return { name: base.name, expr: expr ?? -1, isAll };
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
