/**
 * Where a member that became static, or one of instances, cannot be called as it was.
 *
 *     interface Sink { static void put() {} }      not by the bare name of a class that implements it, nor on an object
 *     Parser(Reader in) { this(builder(in)); }     nothing of an instance before there is one
 */
import { classOfMember, isSubclass } from '../graph/resolve/hierarchy.js';
import { receiverAt } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { enclosingClass } from '../graph/resolve/value.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, F, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';

interface Site {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
}

/** Whether a static member of an interface is called by something else than the interface's own name. */
export function isStaticOutOfReach(
  resolver: Resolver,
  { file, expr }: { readonly file: string; readonly expr: number },
  member: DeclRef,
): boolean {
  const of = resolver.summary(member.file);
  const owner = classOfMember(of, member.decl);
  if (owner === undefined || of.decls.kindOf(owner) !== D.interface) return false;
  const type = { file: member.file, decl: owner };
  const summary = resolver.summary(file);
  if (summary.exprs.opOf(expr) !== E.member) return !isInside(summary, file, expr, type);
  const receiver = receiverAt(resolver, file, expr);
  return receiver?.kind !== 'class' || !sameDecl(receiver, type);
}

/** Whether a row lies in the class, or in one inside of it. */
function isInside(summary: Summary, file: string, expr: number, type: DeclRef): boolean {
  if (file !== type.file) return false;
  let scope = summary.exprs.scopeOf(expr);
  for (;;) {
    const { decl } = enclosingClass(summary, scope, isClassLike, isFunctionLike);
    if (decl < 0) return false;
    if (decl === type.decl) return true;
    scope = summary.decls.scopeOf(decl);
  }
}

/**
 * Whether a member of objects can be used by its bare name at a site: in its class or one that derives from it there
 * is an object, but not in what is static, nor, but for Java, in a class inside of it. Undefined in the block of a
 * class itself, where an initializer may be static or not.
 */
export function hasObject(resolver: Resolver, { file, expr, block }: Site, member: DeclRef): boolean | undefined {
  const summary = resolver.summary(file);
  const { scopes, decls } = summary;
  const { initializersSeeObject, innerClasses } = resolver.language(file);
  const owner = classOfMember(resolver.summary(member.file), member.decl);
  if (owner === undefined || isBeforeInstance(summary, expr)) return false;
  const home = { file: member.file, decl: owner };
  const isInField = block >= 0 && isFieldLike(decls.kindOf(block));
  const isBlind =
    isInField && (decls.has(block, F.static) || (decls.kindOf(block) === D.field && !initializersSeeObject));
  for (let scope = summary.exprs.scopeOf(expr); scope >= 0; scope = scopes.parentOf(scope)) {
    const decl = scopes.ownerOf(scope);
    if (decl < 0) continue;
    if (!isClassLike(decls.kindOf(decl))) {
      if (decls.has(decl, F.static)) return false;
      continue;
    }
    // What an accessor does belongs to its property, which is no scope.
    if (isBlind && decls.parentOf(block) === decl) return false;
    if (isPartOrBelow(resolver, { file, decl }, home)) return block === decl ? undefined : true;
    const kind = decls.kindOf(decl);
    const isInner = innerClasses && (kind === D.class || kind === D.anonymousClass) && !decls.has(decl, F.static);
    if (!isInner) return false;
  }
  return false;
}

const isPartOrBelow = (resolver: Resolver, type: DeclRef, home: DeclRef): boolean =>
  resolver.bodies(home).some((part) => sameDecl(part, type)) || isSubclass(resolver, type, home);

/** Whether a row is part of what is given to `this(…)` or `super(…)` in a constructor. */
export function isBeforeInstance({ exprs }: Summary, expr: number): boolean {
  const seen = new Set<number>();
  const left = [expr];
  for (let row = left.pop(); row !== undefined; row = left.pop()) {
    if (seen.has(row)) continue;
    seen.add(row);
    const callee = exprs.opOf(row) === E.call && row !== expr ? exprs.calleeOf(row) : -1;
    if (callee >= 0 && (exprs.opOf(callee) === E.super || exprs.opOf(callee) === E.this)) return true;
    left.push(...exprs.wholesOf(row));
  }
  return false;
}
