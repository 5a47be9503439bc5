/**
 * How close an affected block stands to what changed: who is likeliest to have to follow is asked
 * first, so that what is learnt from the answers spares the others.
 */
import type { AffectedBlock, AffectedSite } from '../impact/impact.js';
import { nameId, type Summary } from '../syntax/summary.js';

/** A block that says a parameter by the name that changed comes before any that only stands near. */
const SAYS_IT = 1;

/** From 0 to 2; the nearest of its sites counts. */
export function nearnessOf(block: AffectedBlock, summary: Summary): number {
  return Math.max(0, ...block.sites.map((site) => alongPath(block.file, site.cause.file) + (says(block, summary, namesIn(site)) ? SAYS_IT : 0)));
}

/** Share of the folders that two paths have in common; 1 for one file. */
function alongPath(a: string, b: string): number {
  if (a === b) return 1;
  const [left, right] = [a.split('/'), b.split('/')];
  let common = 0;
  while (common < left.length - 1 && left[common] === right[common]) common++;
  return common / Math.max(left.length, right.length);
}

/** Names of the parameters that the cause added, took away or changed. */
function namesIn({ cause: { detail: { signature } } }: AffectedSite): readonly string[] {
  if (signature === undefined) return [];
  return [...signature.added.map(({ name }) => name), ...signature.removed.map(({ name }) => name), ...signature.renamed.flatMap(({ from, to }) => [from, to]), ...signature.retyped.map(({ name }) => name)];
}

function says({ decl }: AffectedBlock, summary: Summary, names: readonly string[]): boolean {
  const { decls, exprs } = summary;
  const [from, to] = decl < 0 ? [0, summary.textLength] : [decls.start[decl] as number, decls.end[decl] as number];
  return names.some((name) => {
    const row = nameId(summary, name);
    const refs = row < 0 ? [] : [...summary.refs.subarray(summary.refStart[row], summary.refStart[row + 1])].map((expr) => exprs.start[expr] as number);
    const declared = row < 0 ? [] : [...summary.declsByName.subarray(summary.declStart[row], summary.declStart[row + 1])].map((known) => decls.nameStart[known] as number);
    return [...refs, ...declared].some((at) => at >= from && at < to);
  });
}
