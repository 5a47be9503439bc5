/**
 * What a class gives for the type parameters of a base that it names: in `class Sub<A> extends Base<A, string>`, of
 * `class Base<K, V>`, K is `A` and V is `string`.
 */
import type { DeclRef } from '../../../languages/language.js';
import { sameDecl } from '../../../syntax/rows.js';
import { E } from '../../../syntax/summary.js';
import { startOfRow } from '../calls/receiver.js';
import type { RewriteSite } from '../rewrite.js';

/**
 * Type parameters of a base with the arguments that the class gives them, as written; undefined where it does not
 * name the base itself.
 */
export function baseArguments(
  { graphs, block, summary, text }: RewriteSite,
  base: DeclRef,
  into: number,
): ReadonlyMap<string, string> | undefined {
  const of = graphs.after.summary(base.file);
  const params = [...of.decls.typeParamsOf(base.decl)].map((param) => of.decls.nameOf(param));
  if (params.length === 0) return new Map();
  const { exprs, decls } = summary;
  const row = [...decls.basesOf(into)].find(
    (part) =>
      exprs.opOf(part) === E.index &&
      graphs.after.resolve(block.file, exprs.baseOf(part)).targets.some((target) => sameDecl(target, base)),
  );
  const args =
    row === undefined
      ? []
      : [...exprs.partsOf(row)].map((argument) => text.slice(startOfRow(summary, argument), exprs.endOf(argument)));
  return args.length === params.length ? new Map(params.map((param, i) => [param, args[i] as string])) : undefined;
}
