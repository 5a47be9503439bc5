/**
 * What `this` is in a function expression, where the type of its place says so: `fn: (this: T, …) => void`.
 *
 * Errs towards nothing: only declared types count.
 */
import { E, F, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { expectedOfFunction } from './expected.js';
import type { Resolver } from './resolver.js';
import { NOTHING, unionOf, type Type, type TypeRow } from './value.js';
import { instanceOf } from './written-types.js';

/** Of the nearest function around a scope that has a `this` of its own; undefined where nothing says it. */
export function expectedThis(resolver: Resolver, file: string, summary: Summary, scope: number): Type | undefined {
  const owner = functionWithThis(summary, scope);
  if (owner < 0) return undefined;
  const types = (expectedOfFunction(resolver, file, summary, owner)?.values ?? []).flatMap((value) =>
    value.kind === 'callable' && value.type !== undefined ? (receiverOf(resolver, value.type) ?? []) : [],
  );
  const expected = unionOf(types.concat(NOTHING));
  return expected.values.length === 0 ? undefined : expected;
}

/** The function expression around that has a `this` of its own, and is the nearest such function; -1 for none. */
function functionWithThis({ scopes, decls, exprs }: Summary, scope: number): number {
  for (let s = scope; s > 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (owner < 0 || (isFunctionLike(decls.kindOf(owner)) && decls.has(owner, F.lexicalThis))) continue;
    return isFunctionLike(decls.kindOf(owner)) && exprs.rowOfClosure(owner) !== undefined ? owner : -1;
  }
  return -1;
}

/** What a function type declares `this` to be, itself and not one that stands in it. */
function receiverOf(resolver: Resolver, { file, expr, bindings }: TypeRow): Type | undefined {
  const summary = resolver.summary(file);
  const { decls, exprs } = summary;
  const liesIn = (type: number, start: number, end: number): boolean =>
    exprs.startOf(type) <= start && end <= exprs.endOf(type);
  const nested = exprs
    .ofOp(E.functionType)
    .filter((type) => type !== expr && liesIn(expr, exprs.startOf(type), exprs.endOf(type)));
  const receiver = [...decls.named(summary.idOf('this'))].find((decl) => {
    const [start, end] = [decls.startOf(decl), decls.endOf(decl)];
    return decls.has(decl, F.receiver) && liesIn(expr, start, end) && !nested.some((type) => liesIn(type, start, end));
  });
  return receiver === undefined ? undefined : instanceOf(resolver, file, decls.typeOf(receiver), bindings);
}
