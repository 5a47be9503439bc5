/**
 * Member made static: `store.most(1)` becomes `Store.most(1)`; made one of instances again, what
 * names the class inside of it names it no more.
 *
 * Refused where a receiver that is dropped may do something when it is evaluated, where the class's
 * name is not known or asks for type arguments, and where an instance would have to be found. An
 * instance that is handed over as a parameter is the business of turn-method.ts.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { classOfMember, isSubclass } from '../../../graph/resolve/hierarchy.js';
import { lookUp } from '../../../graph/resolve/names.js';
import { enclosingClass } from '../../../graph/resolve/value.js';
import { isAboutTheName } from '../../../impact/rules.js';
import { isStaticOutOfReach } from '../../../impact/static-members.js';
import type { DeclRef } from '../../../languages/language.js';
import { E, F, isClassLike, isFunctionLike, R } from '../../../syntax/summary.js';
import { nameFor } from '../names/name-for.js';
import { isPlainRow, startOfRow } from '../calls/receiver.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { sameDecl } from '../../../syntax/rows.js';

export const makeStatic: Rewrite = {
  id: 'make-static',
  does: 'names the class where a member became static, and an instance where it became one of instances',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, graphs, summary, block } = context;
    const { after, detail } = site.cause;
    const isStatic = detail.modifiers?.added.includes('static') === true;
    if (
      (!isStatic && detail.modifiers?.removed.includes('static') !== true) ||
      after === undefined ||
      site.expr < 0 ||
      isAboutTheName(site.rule)
    )
      return undefined;
    const delta = detail.signature;
    if (
      detail.move !== undefined ||
      (delta !== undefined && delta.added.length + delta.removed.length + delta.moved.length > 0)
    )
      return undefined;
    const role = summary.exprs.roleOf(site.expr);
    const owner = classOfMember(graphs.after.summary(after.file), after.decl);
    if (
      owner === undefined ||
      role === R.import ||
      role === R.doc ||
      graphs.after.language(block.file).instancesHaveStatics
    )
      return undefined;
    if (site.confidence !== 'certain')
      return { cannot: 'whether this is the changed member is not certain', needs: 'person' };
    const type = { file: after.file, decl: owner };
    return isStatic ? onClass(context, type) : onInstance(context, type);
  },
};

/** Row in front of the member; -1 for a bare name. */
const baseOf = ({ site, summary: { exprs } }: RewriteSite): number =>
  exprs.opOf(site.expr) === E.member ? exprs.baseOf(site.expr) : -1;

function onClass(context: RewriteSite, type: DeclRef): RewriteResult {
  const { graphs, site, summary, text, block } = context;
  const { exprs } = summary;
  const { after: now } = site.cause;
  const isOut = now !== undefined && isStaticOutOfReach(graphs.after, { file: block.file, expr: site.expr }, now);
  const base = baseOf(context);
  if (base < 0 && isOut && exprs.opOf(site.expr) === E.name) {
    const named = nameFor(context, type);
    if ('cannot' in named) return named;
    const start = exprs.startOf(site.expr);
    return { edits: [{ start, end: start, text: `${named.text}.` }, ...named.edits] };
  }
  if (base < 0 || (!isOut && graphs.after.resolve(block.file, site.expr).self?.kind === 'class')) return { edits: [] };
  if (!isPlainRow(summary, base))
    return { cannot: 'its receiver may do something when it is evaluated', needs: 'person' };
  const start = startOfRow(summary, base);
  const end = exprs.endOf(base);
  const at = exprs.startOf(site.expr);
  if (!/^\s*(?:\.|::)\s*$/.test(text.slice(end, at)))
    return { cannot: 'its receiver may be null, and then nothing is called', needs: 'person' };
  if (!isOut && exprs.opOf(base) === E.this && meansBare(context)) return { edits: [{ start, end: at, text: '' }] };
  const of = graphs.after.summary(type.file);
  if (of.decls.typeParamsOf(type.decl).length > 0)
    return { cannot: `${of.decls.nameOf(type.decl)} has type parameters to be filled in`, needs: 'model' };
  const named = nameFor(context, type);
  if ('cannot' in named) return named;
  const place: TextEdit = { start, end, text: named.text };
  return { edits: [place, ...named.edits] };
}

/** Whether the member's bare name means it at the site. */
function meansBare({ graphs, site, summary, block: { file } }: RewriteSite): boolean {
  const { after } = site.cause;
  const name = summary.exprs.nameOf(site.expr);
  return (
    graphs.after.language(file).bareMembers &&
    lookUp(
      graphs.after,
      file,
      summary,
      summary.exprs.scopeOf(site.expr),
      name,
      summary.exprs.roleOf(site.expr),
    ).targets.some((target) => target.file === after?.file && target.decl === after.decl)
  );
}

function onInstance(context: RewriteSite, type: DeclRef): RewriteResult {
  const { graphs, site, summary, text, block } = context;
  const base = baseOf(context);
  if (base >= 0 && graphs.after.resolve(block.file, site.expr).self?.kind === 'instance') return { edits: [] };
  const around = instanceAround(context);
  const name = graphs.after.summary(type.file).decls.nameOf(type.decl);
  if (around === undefined || !(sameDecl(around, type) || isSubclass(graphs.after, around, type)))
    return { cannot: `it needs an instance of ${name}`, needs: 'person' };
  if (base < 0) return { edits: [] };
  const start = startOfRow(summary, base);
  const end = summary.exprs.endOf(base);
  if (meansBare(context)) return { edits: [{ start, end: summary.exprs.startOf(site.expr), text: '' }] };
  return text.slice(start, end) === name
    ? { edits: [{ start, end, text: 'this' }] }
    : { cannot: 'how it is named here cannot be told', needs: 'model' };
}

/** The class of whose instances the code around the site is. */
function instanceAround({ site, summary, block: { file } }: RewriteSite): DeclRef | undefined {
  const { decls } = summary;
  const { decl, functionDecl } = enclosingClass(summary, summary.exprs.scopeOf(site.expr), isClassLike, isFunctionLike);
  return decl < 0 || functionDecl < 0 || decls.has(functionDecl, F.static) ? undefined : { file, decl };
}
