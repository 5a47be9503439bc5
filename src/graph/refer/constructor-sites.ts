/** Calls of constructors by what is no name: `super(…)`, `this(…)`, `: base(…)`. */
import type { DeclRef } from '../../languages/language.js';
import { E, isClassLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { findMember } from '../resolve/hierarchy.js';
import type { Confidence } from '../resolve/names.js';
import { fittingCalls } from '../resolve/overloads.js';
import type { Resolver } from '../resolve/resolver.js';
import { enclosingClass } from '../resolve/value.js';
import { blockOf, type Site } from './site.js';
import { derivedFrom, descendantsOf } from './sites-by-name.js';

/** `super(…)`, `this(…)`, `: base(…)`. */
export function constructorCall(resolver: Resolver, file: string, summary: Summary, expr: number, out: Site[]): void {
  const { decl } = enclosingClass(summary, summary.exprs.scopeOf(expr), isClassLike, isFunctionLike);
  if (decl < 0) return;
  const name = resolver.language(file).constructorName;
  const search = findMember(resolver, { file, decl }, name, summary.exprs.opOf(expr) === E.super);
  const call = summary.exprs.callOf(expr);
  const found = call < 0 ? search.found : fittingCalls.among(resolver, search.found, { file, expr: call });
  for (const target of found)
    out.push({
      file,
      expr,
      block: blockOf(summary, expr),
      target,
      kind: 'call',
      confidence: 'certain',
      via: 'constructor chain',
    });
}

/** `super(…)` in classes that derive from the constructor's class, `this(…)` in the class itself. */
export function constructorChains(resolver: Resolver, constructor: DeclRef, home: number): Site[] {
  const out: Site[] = [];
  const files = new Set([
    constructor.file,
    ...descendantsOf(resolver, { file: constructor.file, decl: home }).map((type) => type.file),
  ]);
  for (const file of files) {
    const summary = resolver.summary(file);
    const { exprs } = summary;
    for (let expr = 0; expr < exprs.count; expr++) {
      if ((exprs.opOf(expr) === E.super || exprs.opOf(expr) === E.this) && exprs.roleOf(expr) === R.callee)
        constructorCall(resolver, file, summary, expr, out);
    }
  }
  return out;
}

/**
 * Calls of a primary constructor by `base(…)` of what derives from its class directly, and by `this(…)` of the class's
 * other constructors.
 */
export function primaryConstructorCalls(
  resolver: Resolver,
  type: DeclRef,
): readonly {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  readonly confidence: Confidence;
}[] {
  if (resolver.summary(type.file).decls.paramsOf(type.decl).length === 0) return [];
  const callers = [type, ...derivedFrom(resolver, type)];
  return [...new Set(callers.map((caller) => caller.file))].flatMap((file) => {
    const summary = resolver.summary(file);
    const { exprs } = summary;
    const rows = [];
    for (let expr = 0; expr < exprs.count; expr++) {
      const isBase = exprs.opOf(expr) === E.super;
      if ((!isBase && exprs.opOf(expr) !== E.this) || exprs.roleOf(expr) !== R.callee) continue;
      const { decl } = enclosingClass(summary, exprs.scopeOf(expr), isClassLike, isFunctionLike);
      const isCaller = callers.some((caller) => caller.file === file && caller.decl === decl);
      if (isCaller && isBase !== (decl === type.decl && file === type.file))
        rows.push({ file, expr, block: blockOf(summary, expr), confidence: 'certain' as const });
    }
    return rows;
  });
}
