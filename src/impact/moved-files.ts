/**
 * Files that moved, and what names them: imports of the whole module, star imports and re-exports
 * mention no definition, so no rule about a block reaches them.
 *
 * A file counts as moved when it is gone and most of what it held is in one other file. The moved
 * file itself is affected too: what it imports by a relative path stands elsewhere now.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { moduleMembers } from '../graph/imports.js';
import type { AffectedBlock } from './impact.js';
import type { Graphs } from './predicates.js';

/** Files that are gone, with the file to which their first block moved. */
export function movedFiles({ after }: Graphs, changes: readonly AtomicChange[]): ReadonlyMap<string, string> {
  const out = new Map<string, string>();
  for (const { before, after: now } of changes) if (before !== undefined && now !== undefined && before.file !== now.file && !after.repo.hasFile(before.file) && !out.has(before.file)) out.set(before.file, now.file);
  return out;
}

/** The module level of every file that names a moved one, and of the moved ones. Sorted by file. */
export function namersOfMovedFiles(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const moved = movedFiles(graphs, changes);
  if (moved.size === 0) return [];
  const out: AffectedBlock[] = [];
  const lastNames = new Set([...moved.keys()].map((file) => /([^/.]*)[^/]*$/.exec(file)?.[1] ?? ''));
  const oldOf = new Map([...moved].map(([from, to]) => [to, from]));
  for (const [file, summary] of graphs.after.repo.files) {
    const oldFile = oldOf.get(file) ?? file;
    const old = graphs.before.repo.summary(oldFile);
    if (old === undefined) continue;
    const language = graphs.before.language(oldFile);
    const listed = language.submodule === undefined ? [] : summary.imports.filter((entry) => lastNames.has(entry.name)).flatMap((entry) => moduleMembers(graphs.before, oldFile, entry.module, entry.name));
    const names = new Set([...summary.imports.map((entry) => entry.module), ...summary.exports.flatMap((entry) => (entry.module === undefined ? [] : [entry.module]))]);
    const from = [...[...names].map((module) => language.resolveModule(module, oldFile, graphs.before).find((entity) => entity.kind === 'module')), ...listed].find((entity) => entity?.kind === 'module' && (moved.has(entity.file) || oldFile !== file));
    const cause = from?.kind !== 'module' ? undefined : (changes.find((change) => change.before?.file === from.file && change.after?.file !== from.file) ?? changes.find((change) => change.after?.file === file && change.before?.file === oldFile));
    if (cause === undefined) continue;
    out.push({
      file, decl: -1, tier: 'breaks', confidence: 'certain', depth: 1,
      sites: [{ expr: -1, tier: 'breaks', confidence: 'certain', reason: `${file} names a file that moved to ${cause.file}.`, rule: 'moved-file/ImportedBy', relation: 'ImportedBy', cause }],
    });
  }
  return out.sort((a, b) => (a.file < b.file ? -1 : 1));
}
