/**
 * Which parts of the code outside of all blocks a step is about: the statements that say one of the
 * names that changed.
 *
 * A file of tests is one long statement at module level, so the whole is no fragment to ask about.
 * A part is the largest expression around a site that still is of a readable length, such as one
 * test, in whole lines; parts that touch are one.
 */
import { blockOf } from '../graph/refer/site.js';
import { lineAt } from '../syntax/line-at.js';
import { E, R, type Summary } from '../syntax/summary.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Longest part, where a smaller expression is a part as well. */
const LINES_MOST = 80;
/** Parts of one step; a name that is said more often is asked about at its first places. */
const PARTS_MOST = 16;

/** In order of place; none where no code outside of blocks says a name. */
export function moduleSpans(summary: Summary, names: ReadonlySet<string>): Span[] {
  const sites: number[] = [];
  for (const name of names) {
    const row = summary.idOf(name);
    if (row < 0) continue;
    for (const expr of summary.exprs.named(row))
      if (blockOf(summary, expr) < 0 && summary.exprs.roleOf(expr) !== R.doc) sites.push(expr);
  }
  const spans = sites.map((expr) => aroundSite(summary, expr)).sort((a, b) => a.start - b.start || b.end - a.end);
  const parts: Span[] = [];
  for (const span of spans) {
    const last = parts.at(-1);
    if (last !== undefined && span.start <= last.end)
      parts[parts.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    else parts.push(span);
  }
  return parts.slice(0, PARTS_MOST);
}

function aroundSite(summary: Summary, site: number): Span {
  const { exprs } = summary;
  const at = exprs.startOf(site);
  const statement =
    exprs.roleOf(site) === R.import
      ? summary.imports.find((entry) => entry.statementStart <= at && at < entry.statementEnd)
      : undefined;
  let best = wholeLines(
    summary,
    statement === undefined
      ? { start: at, end: exprs.endOf(site) }
      : { start: statement.statementStart, end: statement.statementEnd },
  );
  for (let row = 0; row < exprs.count; row++) {
    const start = exprs.startOf(row);
    const end = exprs.endOf(row);
    if (start > at || end <= at || exprs.opOf(row) === E.name || exprs.opOf(row) === E.member) continue;
    const lines = wholeLines(summary, { start, end });
    if (lineCount(summary, lines) <= LINES_MOST && lines.end - lines.start > best.end - best.start) best = lines;
  }
  return best;
}

/** From the start of the first line to the end of the last, its line break left out. */
function wholeLines(summary: Summary, { start, end }: Span): Span {
  const { lineStarts, textLength } = summary;
  const last = lineAt(summary, Math.max(start, end - 1));
  return {
    start: lineStarts[lineAt(summary, start) - 1] as number,
    end: last < lineStarts.length ? (lineStarts[last] as number) - 1 : textLength,
  };
}

function lineCount(summary: Summary, { start, end }: Span): number {
  return lineAt(summary, end) - lineAt(summary, start) + 1;
}
