/**
 * The constructor of a record that is written out (Java): its parameters have the names of the
 * components, so one of them follows when a component is renamed.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { isCalledComponent } from '../../../graph/resolve/hierarchy.js';
import { lookUp } from '../../../graph/resolve/names.js';
import { D, E } from '../../../syntax/summary.js';
import { bodyRenames, mentionsIn } from '../names/body-renames.js';
import type { RewriteResult, RewriteSite } from '../rewrite.js';

/** Edits of the parameter and of what means it; none where the site is in no such constructor. */
export function canonicalParameter(
  { graphs, block, site, summary, text }: RewriteSite,
  names: { readonly from: string; readonly to: string },
): readonly TextEdit[] | (RewriteResult & { cannot: string }) {
  const { decls, exprs } = summary;
  const component = site.cause.after;
  const record = block.decl < 0 ? -1 : decls.parentOf(block.decl);
  if (
    component?.file !== block.file ||
    !isCalledComponent(graphs.after, component) ||
    decls.kindOf(block.decl) !== D.constructor ||
    decls.parentOf(component.decl) !== record
  )
    return [];
  const params = [...decls.paramsOf(block.decl)];
  const index = [...decls.paramsOf(record)].findIndex((param) => summary.decls.nameOf(param) === names.to);
  const param = params[index];
  const start = param === undefined ? -1 : decls.nameStartOf(param);
  // A compact constructor has the record's own parameters.
  if (param === undefined || start < decls.startOf(block.decl) || summary.decls.nameOf(param) !== names.from) return [];
  const row = summary.idOf(names.from);
  const uses = [...summary.exprs.named(row)].filter(
    (expr) =>
      exprs.opOf(expr) === E.name &&
      lookUp(graphs.after, block.file, summary, exprs.scopeOf(expr), names.from, exprs.roleOf(expr)).targets.some(
        (target) => target.file === block.file && target.decl === param,
      ) &&
      text.startsWith(names.from, exprs.startOf(expr)),
  );
  const body = bodyRenames(summary, names, uses, mentionsIn(summary, block.decl, names.to).length > 0);
  return 'edits' in body ? [{ start, end: start + names.from.length, text: names.to }, ...body.edits] : body;
}
