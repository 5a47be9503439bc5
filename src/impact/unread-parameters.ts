/**
 * Parameters that rewrites left unread: the argument that they went into was dropped, say. Whether
 * they go too is somebody's decision, since callers and overrides would have to follow.
 *
 * Errs towards none: a name that the function still says anywhere counts as read.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { E, F, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import type { Graphs } from './graphs.js';

/** `changes` are those that rewrites made. */
export function unreadParameters({ before, after }: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const out = new AffectedBlocks();
  for (const cause of changes) {
    const { before: was, after: is } = cause;
    if (was === undefined || is === undefined || was.decl < 0 || is.decl < 0) continue;
    const summary = after.summary(is.file);
    if (!isFunctionLike(summary.decls.kindOf(is.decl))) continue;
    const old = before.summary(was.file);
    const earlier = parametersOf(old, was.decl).map((param) => old.decls.nameOf(param));
    const unread = parametersOf(summary, is.decl).filter((param) => {
      const name = summary.decls.nameOf(param);
      return earlier.includes(name) && !isRead(summary, is.decl, name) && isRead(old, was.decl, name);
    });
    const path = summary.decls.pathOf(is.decl);
    const sites = unread.map((param): AffectedSite => ({
      expr: -1,
      place: { start: summary.decls.startOf(param), end: summary.decls.endOf(param) },
      tier: 'may',
      confidence: 'certain',
      rule: 'unread-parameter',
      relation: 'Uses',
      cause,
      reason: `${path} does not read its parameter ${summary.decls.nameOf(param)} any more.`,
    }));
    if (sites.length > 0) out.put(is.file, is.decl, ...sites);
  }
  return out.found();
}

/** Parameters that hold what callers pass and nothing else, in order. */
function parametersOf(summary: Summary, decl: number): number[] {
  const { decls } = summary;
  return [...decls.paramsOf(decl)].filter(
    (param) => !decls.has(param, F.receiver | F.parameterField) && summary.decls.nameOf(param) !== '',
  );
}

/** Whether a function says a name, other than in its list of parameters and its documentation. */
export function isRead(summary: Summary, decl: number, name: string): boolean {
  const { exprs, decls } = summary;
  const row = summary.idOf(name);
  return (
    row >= 0 &&
    exprs.named(row).some((expr) => {
      const at = exprs.startOf(expr);
      return (
        exprs.opOf(expr) === E.name &&
        exprs.roleOf(expr) !== R.doc &&
        at >= decls.startOf(decl) &&
        at < decls.endOf(decl)
      );
    })
  );
}
