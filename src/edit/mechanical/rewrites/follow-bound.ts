/**
 * The bound of a base's type parameter, which a class below repeats for a parameter of its own:
 *
 *     interface Step<T: Request> is Step<T: Message> now:
 *     class Log<A: Request> : Step<A>   ->   class Log<A: Message> : Step<A>
 *
 * Where the base takes more, a class that goes on asking for the old bound fits, and stands for less than the base
 * does: what is given to all steps passes it by. Left alone where the old bound has members, which the class may use,
 * and where a parameter is handed on to a type that asks something of it.
 */
import { declarationNamed } from '../../../graph/resolve/type-inclusion.js';
import { basesOf, searchOrder } from '../../../graph/resolve/hierarchy.js';
import { boundsOf } from '../../../change/signature-delta.js';
import { respelled } from '../../../change/type-parameters.js';
import type { DeclRef } from '../../../languages/language.js';
import { E, type Summary } from '../../../syntax/summary.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { startOfRow } from '../calls/receiver.js';
import { baseArguments } from '../headers/base-arguments.js';
import { knownNames } from '../names/known-names.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const followBound: Rewrite = {
  id: 'follow-bound',
  does: 'writes the new bound of a type parameter where a class below repeats the old one',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { graphs, site, block, summary, texts } = context;
    const { before, after, detail } = site.cause;
    if (detail.typeParams === undefined || site.relation !== 'BaseClassOf' || site.confidence !== 'certain')
      return undefined;
    if (before === undefined || after === undefined) return undefined;
    const [was, is] = [graphs.before.summary(before.file), graphs.after.summary(after.file)];
    const texted = [texts.before(before.file), texts.after(after.file)] as const;
    const given = baseArguments(context, after, block.decl);
    if (given === undefined || texted[0] === undefined || texted[1] === undefined) return undefined;
    const [old, now] = [
      { summary: was, text: texted[0] },
      { summary: is, text: texted[1] },
    ];
    const edits: TextEdit[] = [];
    const oldParams = [...was.decls.typeParamsOf(before.decl)];
    for (const [place, param] of [...is.decls.typeParamsOf(after.decl)].entries()) {
      const had = oldParams[place];
      if (had === undefined || was.decls.nameOf(had) !== is.decls.nameOf(param)) continue;
      const from = boundsOf(old, before.decl, had).map((bound) => respelled(bound, given));
      const to = boundsOf(now, after.decl, param).map((bound) => respelled(bound, given));
      const own = [...summary.decls.typeParamsOf(block.decl)].find(
        (row) => summary.decls.nameOf(row) === given.get(is.decls.nameOf(param)),
      );
      if (own === undefined || to.length === 0 || to.join() === from.join()) continue;
      const edit = repeated(context, own, from, to);
      if (edit !== undefined) edits.push(edit);
    }
    if (edits.length === 0) return undefined;
    const words = new Set(edits.flatMap(({ text }) => text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []));
    const known = knownNames(context, after, words, summary.decls.scopeOf(block.decl));
    return 'cannot' in known ? known : { edits: [...known, ...edits] };
  },
};

/** The edit of a bound that says the old one, and of which the class has nothing but the name. */
function repeated(
  { graphs, block, summary, text }: RewriteSite,
  own: number,
  from: readonly string[],
  to: readonly string[],
): TextEdit | undefined {
  const { decls, exprs } = summary;
  const bound = decls.typeOf(own);
  const mine = boundsOf({ summary, text }, block.decl, own);
  if (bound < 0 || mine.length !== 1 || mine.join() !== from.join()) return undefined;
  const head = exprs.opOf(bound) === E.index ? exprs.operandOf(bound) : bound;
  const type = declarationNamed({ resolver: graphs.after, file: block.file, row: head });
  if (type === undefined || hasMembers(graphs.after, type) || isHandedOn(graphs.after, block, summary, own))
    return undefined;
  return { start: startOfRow(summary, bound), end: exprs.endOf(bound), text: to.join(', ') };
}

/** Whether the type, or one above it, has members, or may have some that nobody sees here. */
const hasMembers = (resolver: RewriteSite['graphs']['after'], type: DeclRef): boolean =>
  searchOrder(resolver, type).some((each) => {
    const { decls } = resolver.summary(each.file);
    const { external, unknown } = basesOf(resolver, each);
    const inner = decls.innerOf(each.decl);
    return external.length > 0 || unknown || (inner >= 0 && [...decls.allInScope(inner)].length > 0);
  });

/** Whether the class gives its parameter for one of another type that asks for something, but for its bases. */
function isHandedOn(
  resolver: RewriteSite['graphs']['after'],
  { file, decl }: DeclRef,
  summary: Summary,
  own: number,
): boolean {
  const { decls, exprs } = summary;
  return exprs.named(decls.nameIdOf(own)).some((row) => {
    if (exprs.startOf(row) < decls.bodyStartOf(decl) || exprs.endOf(row) > decls.endOf(decl)) return false;
    const generic = exprs.usesOf(row).find((use) => 'row' in use && exprs.opOf(use.row) === E.index);
    if (generic === undefined || !('row' in generic)) return false;
    const named = declarationNamed({ resolver, file, row: exprs.operandOf(generic.row) });
    if (named === undefined) return false;
    const other = resolver.summary(named.file);
    const param = [...other.decls.typeParamsOf(named.decl)][[...exprs.partsOf(generic.row)].indexOf(row)];
    return param !== undefined && other.decls.typeOf(param) >= 0;
  });
}
