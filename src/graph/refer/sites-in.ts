/** The sites of one file: the edges that its rows make. */
import { E, R } from '../../syntax/summary.js';
import { flowSitesIn, isRuledOut } from './flow-sites.js';
import type { Resolver } from '../resolve/resolver.js';
import { classCallsIn } from './class-values.js';
import { descriptorCalls, impliedCalls } from './implied-calls.js';
import { constructorCall } from './constructor-sites.js';
import { overrideSites } from './overriders.js';
import type { Site } from './site.js';
import { sitesOfRow } from './sites-of-row.js';

/** Everything a file's rows refer to, locals left out; overrides of its members included. */
export function sitesIn(resolver: Resolver, file: string): Site[] {
  const summary = resolver.summary(file);
  const out: Site[] = [];
  for (let expr = 0; expr < summary.exprs.count; expr++) {
    const op = summary.exprs.opOf(expr);
    if (op === E.name || op === E.member || op === E.initializer || op === E.string || op === E.injected) {
      const sites: Site[] = [];
      sitesOfRow(resolver, file, summary, expr, sites);
      for (const site of sites) if (!isRuledOut(resolver, site)) out.push(site);
      if (op === E.member) descriptorCalls(resolver, file, expr, out);
    } else if ((op === E.super || op === E.this) && summary.exprs.roleOf(expr) === R.callee)
      constructorCall(resolver, file, summary, expr, out);
    else if (op === E.call || op === E.operator || op === E.element || op === E.enter || op === E.index || op === E.nth)
      impliedCalls(resolver, file, expr, out);
  }
  for (let decl = 0; decl < summary.decls.count; decl++) overrideSites(resolver, file, decl, out);
  out.push(...classCallsIn(resolver, file), ...flowSitesIn(resolver, file));
  return out;
}
