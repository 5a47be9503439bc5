/**
 * Method made a property: `box.size()` becomes `box.size`; made a method again, `box.size` becomes
 * `box.size()`.
 *
 * A new name is the business of rename.ts. Refused where the call gives arguments, and where the property is written.
 */
import { callOf } from '../../graph/names.js';
import { argumentsOf, R } from '../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';

export const makeProperty: Rewrite = {
  id: 'make-property',
  does: 'stops calling a method that became a property, and calls a property that became a method',
  rewrite({ site, summary, text }: RewriteSite): RewriteResult | undefined {
    const { modifiers } = site.cause.detail;
    const isProperty = modifiers?.added.includes('getter') === true;
    if ((!isProperty && modifiers?.removed.includes('getter') !== true) || site.cause.label !== 'MMS' || site.expr < 0 || site.tier !== 'breaks') return undefined;
    if (site.confidence !== 'certain') return { cannot: 'whether this is the changed member is not certain', needs: 'person' };
    const { exprs } = summary;
    const end = exprs.end[site.expr] as number;
    const call = callOf(summary, site.expr);
    if (!isProperty) return call < 0 && exprs.role[site.expr] === R.read ? { edits: [{ start: end, end, text: '()' }] } : undefined;
    if (call < 0) return undefined;
    if (argumentsOf(summary, call).length > 0) return { cannot: 'the call gives arguments', needs: 'model' };
    const callEnd = exprs.end[call] as number;
    return /^\s*\(\s*\)$/.test(text.slice(end, callEnd)) ? { edits: [{ start: end, end: callEnd, text: '' }] } : { cannot: 'the call is not written plainly', needs: 'model' };
  },
};
