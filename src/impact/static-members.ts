/**
 * Where a member that became static, or one of instances, cannot be called as it was.
 *
 *     interface Sink { static void put() {} }      not by the bare name of a class that implements it, nor on an object
 *     Parser(Reader in) { this(builder(in)); }     nothing of an instance before there is one
 */
import { classOfMember } from '../graph/resolve/hierarchy.js';
import { receiverAt } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { enclosingClass } from '../graph/resolve/value.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, isClassLike, isFunctionLike, type Summary } from '../syntax/summary.js';

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
