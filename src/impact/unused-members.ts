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
import { D, isFunctionLike, type Summary } from '../syntax/summary.js';
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
      const path = summary.decls.pathOf(decl);
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
  return Array.from({ length: decls.count }, (_, decl) => decl).filter(
    (decl) =>
      (isFunctionLike(decls.kindOf(decl)) || decls.kindOf(decl) === D.field) &&
      decls.kindOf(decl) !== D.constructor &&
      decls.parentOf(decl) >= 0 &&
      language.isPrivate(summary.decls.nameOf(decl), decls.flagsOf(decl)) &&
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
  const row = old.idOf(summary.decls.nameOf(member));
  const path = summary.decls.pathOf(member);
  return (
    row >= 0 &&
    [...old.exprs.named(row)].some((expr) => {
      const at = old.exprs.startOf(expr);
      return (
        at >= old.decls.startOf(block) &&
        at < old.decls.endOf(block) &&
        before
          .resolve(file, expr)
          .targets.some((target) => target.file === file && old.decls.pathOf(target.decl) === path)
      );
    })
  );
}
