/**
 * Decides which summary a snapshot shows for a file whose text has syntax errors.
 *
 * While somebody types, the text is broken most of the time: a half-written header swallows the
 * functions below it, and what they lose for a moment is no change. So if a text has more errors
 * than the last good one had, and either a block went missing or an error lies in a block's
 * header, the last good summary stays in place and the file counts as broken. An error inside a
 * body costs nothing outside of it; the new summary is then shown, errors and all. A file whose
 * grammar we do not fully know has errors all the time, and changes like any other.
 */
import { D, isBlockKind, type Summary } from '../syntax/summary.js';

export interface Shown {
  /** Of the text as it is. */
  readonly current: Summary;
  /** What snapshots hold: `current`, or the last good one. */
  readonly summary: Summary;
  readonly broken: boolean;
}

export function showing(current: Summary, lastGood: Summary | undefined): Shown {
  if (lastGood === undefined || current.errors.length <= lastGood.errors.length)
    return { current, summary: current, broken: false };
  const broken = losesBlocks(current, lastGood) || breaksHeaders(current);
  return { current, summary: broken ? lastGood : current, broken };
}

/** Whether a block of the last good summary, by its path, is gone. */
function losesBlocks(current: Summary, lastGood: Summary): boolean {
  const present = new Set<string>();
  for (let decl = 0; decl < current.decls.count; decl++)
    if (isBlock(current, decl)) present.add(current.decls.pathOf(decl));
  for (let decl = 0; decl < lastGood.decls.count; decl++)
    if (isBlock(lastGood, decl) && !present.has(lastGood.decls.pathOf(decl))) return true;
  return false;
}

function breaksHeaders(summary: Summary): boolean {
  const { decls, errors } = summary;
  for (let decl = 0; decl < decls.count; decl++) {
    if (!isBlock(summary, decl)) continue;
    const start = decls.startOf(decl);
    const end = decls.bodyStartOf(decl);
    for (let i = 0; i < errors.length; i += 2)
      if ((errors[i] as number) < end && (errors[i + 1] as number) >= start) return true;
  }
  return false;
}

function isBlock(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return isBlockKind(kind) && kind !== D.namespace;
}
