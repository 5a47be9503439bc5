/**
 * Method made a property: `box.size()` becomes `box.size`; made a method again, `box.size` becomes
 * `box.size()`.
 *
 * Members that override it, or that it overrides, become the same. A new name is the business of
 * rename.ts. Refused where the call gives arguments, where the property is written, and where a
 * member has more to it than its value.
 */
import { callOf } from '../../../graph/resolve/names.js';
import { F, R } from '../../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const makeProperty: Rewrite = {
  id: 'make-property',
  does: 'stops calling a method that became a property, and calls a property that became a method',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary, text } = context;
    const { modifiers } = site.cause.detail;
    const isProperty = modifiers?.added.includes('getter') === true;
    if (
      (!isProperty && modifiers?.removed.includes('getter') !== true) ||
      site.cause.label !== 'MMS' ||
      site.tier !== 'breaks'
    )
      return undefined;
    if (site.confidence !== 'certain')
      return { cannot: 'whether this is the changed member is not certain', needs: 'person' };
    if (site.expr < 0) return declaration(context, isProperty);
    const { exprs } = summary;
    const end = exprs.endOf(site.expr);
    const call = callOf(summary, site.expr);
    if (!isProperty)
      return call < 0 && exprs.roleOf(site.expr) === R.read ? { edits: [{ start: end, end, text: '()' }] } : undefined;
    if (call < 0) return undefined;
    if (summary.exprs.argumentsOf(call).length > 0) return { cannot: 'the call gives arguments', needs: 'model' };
    const callEnd = exprs.endOf(call);
    return /^\s*\(\s*\)$/.test(text.slice(end, callEnd))
      ? { edits: [{ start: end, end: callEnd, text: '' }] }
      : { cannot: 'the call is not written plainly', needs: 'model' };
  },
};

/** The member that overrides the changed one, or is overridden by it. */
function declaration({ graphs, block, summary, text }: RewriteSite, isProperty: boolean): RewriteResult | undefined {
  const { property } = graphs.after.language(block.file).writing;
  const { decls } = summary;
  const name = block.decl < 0 ? -1 : decls.nameStartOf(block.decl);
  if (property === undefined || name < 0) return undefined;
  const flags = decls.flagsOf(block.decl);
  const member = {
    text,
    start: decls.startOf(block.decl),
    name,
    nameEnd: name + summary.decls.nameOf(block.decl).length,
    end: decls.endOf(block.decl),
    isBodiless: (flags & F.bodiless) !== 0,
  };
  const edits = isProperty
    ? property.fromMethod(member)
    : (flags & F.setter) !== 0
      ? undefined
      : property.toMethod(member);
  return edits === undefined
    ? { cannot: `${summary.decls.nameOf(block.decl)} has more to it than its value`, needs: 'model' }
    : { edits };
}
