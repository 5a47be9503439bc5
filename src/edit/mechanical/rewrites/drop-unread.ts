/**
 * Parameter that nothing reads any more, since a rewrite dropped the argument that it went into:
 *
 *     def page(key, ttl): put(key, ttl)   ->   def page(key, ttl): put(key)   ->   def page(key): put(key)
 *
 * The next round sees to callers and overrides. Done where the person accepts it, for the plan as a
 * whole, and else offered. Neither where somebody calls the function without naming it, hands it on
 * as a value, declares another of its name, or where a member that overrides it or that it
 * overrides reads the parameter.
 */
import { shownName } from '../../../base/shown.js';
import { overriddenBy } from '../../../graph/resolve/hierarchy.js';
import { sitesOf } from '../../../graph/refer/references.js';
import { signatureOf } from '../../../graph/resolve/signature.js';
import { familyOf } from '../../../impact/family.js';
import { isRead } from '../../../impact/unread-parameters.js';
import { F, R } from '../../../syntax/summary.js';
import { parameterSpans } from '../calls/argument-spans.js';
import { dropItems } from '../calls/list-edit.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { unseenCallerOf } from '../headers/unseen-callers.js';

export const dropUnread: Rewrite = {
  id: 'drop-unread',
  does: 'drops a parameter that a rewrite left unread, where the person accepts that',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, block, summary, text } = context;
    if (site.rule !== 'unread-parameter') return undefined;
    const isAccepted = context.accepted.has('drop-unread');
    const against = reasonAgainst(context);
    if (against !== undefined) return isAccepted ? { cannot: against, needs: 'person' } : { edits: [] };
    const spans = parameterSpans(summary, text, block.decl);
    const unread = block.sites.flatMap(({ rule, place }) =>
      rule === 'unread-parameter' && place !== undefined ? [place.start] : [],
    );
    if (!isAccepted)
      return {
        cannot: `nothing reads its parameter ${parameterAt(context)} any more`,
        needs: 'person',
        accept: 'drop-unread',
      };
    if (spans === undefined) return { cannot: 'its parameters cannot be told apart', needs: 'person' };
    return {
      edits: dropItems(
        text,
        spans,
        spans.flatMap((span, i) => (unread.includes(span.start) ? [i] : [])),
      ),
    };
  },
};

/**
 * Whether another declaration of the name could be meant once the parameters are gone; in a language without overloads,
 * any.
 */
function isLikeAnother({ graphs, block, summary }: RewriteSite): boolean {
  const { decls } = summary;
  const others = [...summary.decls.inScope(decls.scopeOf(block.decl), decls.nameIdOf(block.decl))].filter(
    (decl) => decl !== block.decl,
  );
  const left =
    signatureOf(summary, block.decl).params.length -
    block.sites.filter(({ rule }) => rule === 'unread-parameter').length;
  return others.some((decl) => {
    const { params } = signatureOf(summary, decl);
    return (
      !graphs.after.language(block.file).overloads || params.length === left || params.some((param) => param.optional)
    );
  });
}

const parameterAt = ({ site, summary, block }: RewriteSite): string =>
  summary.decls.nameOf(
    signatureOf(summary, block.decl).params.find(({ decl }) => summary.decls.startOf(decl) === site.place?.start)
      ?.decl ?? block.decl,
  );

function reasonAgainst(context: RewriteSite): string | undefined {
  const {
    graphs: { after },
    block,
    summary,
    text,
  } = context;
  const { decls } = summary;
  const ref = { file: block.file, decl: block.decl };
  const name = summary.decls.nameOf(block.decl);
  if (decls.has(block.decl, F.getter | F.setter)) return `${name} is read, not called`;
  // `IRunner.Run(…)`: a member of an interface under its whole name.
  if (text[decls.nameStartOf(block.decl) - 1] === '.' && overriddenBy(after, ref).length === 0)
    return `${name} is a member of an interface that is not known`;
  const unseen = unseenCallerOf(after, ref);
  if (unseen !== undefined) return unseen;
  if (isLikeAnother(context)) return `another ${name} beside it takes as many`;
  const value = sitesOf(after, ref).find(
    (site) => site.kind === 'use' && after.summary(site.file).exprs.roleOf(site.expr) === R.read,
  );
  if (value !== undefined) return `${name} is handed on as a value in ${shownName(value.file)}`;
  const param = parameterAt(context);
  const place = signatureOf(summary, block.decl).params.findIndex((own) => own.name === param);
  const reader = familyOf(after, ref).find((relative) => {
    const other = after.summary(relative.file);
    const { params } = signatureOf(other, relative.decl);
    const same = params.find((candidate) => candidate.name === param) ?? params[place];
    return same !== undefined && isRead(other, relative.decl, same.name);
  });
  return reader === undefined
    ? undefined
    : `${after.summary(reader.file).decls.pathOf(reader.decl)} in ${reader.file} reads ${param}`;
}
