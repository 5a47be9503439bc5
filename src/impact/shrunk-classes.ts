/**
 * Classes that a model's answer took a member from: what is left of them may have to go, with its uses. No
 * rule about a relation says so, since a member's deletion affects those that refer to the member.
 * A person who deletes a member has seen the class; a model was asked about the member alone.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { childrenOf } from '../change/match-blocks.js';
import { blockNamed } from '../change/block-name.js';
import { isClassLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';

/** `changes` are those of one answer. */
export function shrunkClasses({ before, after }: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const out = new AffectedBlocks();
  for (const cause of changes) {
    const { before: gone, file, block } = cause;
    const path = block.slice(0, Math.max(0, block.lastIndexOf('.')));
    if (gone === undefined || gone.decl < 0 || cause.after !== undefined || path === '' || !after.repo.hasFile(file))
      continue;
    const decl = blockNamed(after.summary(file), path);
    const was = before.summary(gone.file).decls.parentOf(gone.decl);
    if (decl === undefined || was < 0 || !isClassLike(after.summary(file).decls.kindOf(decl))) continue;
    const left = childrenOf(after.summary(file), decl).length;
    const has = left === 0 ? 'no member' : 'one member less';
    const reason = `${path} has ${has}: ${block.slice(path.length + 1)} is deleted.`;
    out.put(file, decl, {
      expr: -1,
      tier: 'may',
      confidence: 'certain',
      reason,
      rule: 'shrunk-class',
      relation: 'ParentOf',
      cause,
    });
  }
  return out.found();
}
