/**
 * Private members that a model's answer took the last use from: whether they go too is asked. No rule
 * about a relation says so, since what an edited block refers to is not affected by the edit.
 * A person who takes the last use away has seen the class; a model was asked about one block.
 *
 * Only members that nothing outside of their class can use, so that no use is overlooked.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { overriddenBy } from '../graph/resolve/hierarchy.js';
import { sitesOf } from '../graph/refer/references.js';
import type { DeclRef } from '../languages/language.js';
import { blockPath, D, isFunctionLike, nameId, nameOf, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';

/** `changes` are those of one answer. */
export function unusedMembers(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  for (const cause of changes) {
    const { before: was } = cause;
    if (was === undefined || was.decl < 0 || !after.repo.hasFile(was.file)) continue;
    const [old, summary] = [before.summary(was.file), after.summary(was.file)];
    for (const decl of privateMembers(graphs, was.file)) {
      if (
        out.has(was.file, decl) ||
        !isUsedBy(graphs, old, was, summary, decl) ||
        sitesOf(after, { file: was.file, decl }).some((site) => site.block !== decl)
      )
        continue;
      const path = blockPath(summary, decl);
      out.put(was.file, decl, {
        expr: -1,
        tier: 'may',
        confidence: 'certain',
        reason: `${path} is not used any more: ${cause.block} was its last use.`,
        rule: 'unused-member',
        relation: 'Uses',
        cause,
      });
    }
  }
  return out.found();
}

/** Methods and fields of classes that are private, and implement nothing. */
function privateMembers({ after }: Graphs, file: string): number[] {
  const summary = after.summary(file);
  const { decls } = summary;
  const language = after.language(file);
  return [...decls.kind.subarray(0, decls.count).keys()].filter(
    (decl) =>
      (isFunctionLike(decls.kind[decl] as number) || decls.kind[decl] === D.field) &&
      decls.kind[decl] !== D.constructor &&
      (decls.parent[decl] as number) >= 0 &&
      language.isPrivate(nameOf(summary, decl), decls.flags[decl] as number) &&
      overriddenBy(after, { file, decl }).length === 0,
  );
}

/** Whether the block's old text used the member, which stands in the new tree. */
function isUsedBy(
  { before }: Graphs,
  old: Summary,
  { file, decl: block }: DeclRef,
  summary: Summary,
  member: number,
): boolean {
  const row = nameId(old, nameOf(summary, member));
  const path = blockPath(summary, member);
  return (
    row >= 0 &&
    [...old.refs.subarray(old.refStart[row], old.refStart[row + 1])].some((expr) => {
      const at = old.exprs.start[expr] as number;
      return (
        at >= (old.decls.start[block] as number) &&
        at < (old.decls.end[block] as number) &&
        before
          .resolve(file, expr)
          .targets.some((target) => target.file === file && blockPath(old, target.decl) === path)
      );
    })
  );
}
