/**
 * Files that are gone, and what names them as a whole: imports for the sake of what a module does, of the module
 * itself, and of names that it was not known to have mention no definition, so no rule about a block reaches them.
 */
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { moduleMembers } from '../graph/resolve/imports.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import type { Graphs } from './graphs.js';
import { lastNamesOf, moduleMeant, movedFiles, namingsIn, type Naming } from './moved-files.js';

/** The module level of every file that names a deleted one. Sorted by file. */
export function namersOfDeletedFiles(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const gone = deletedFiles(graphs, changes);
  if (gone.size === 0) return [];
  const lastNames = lastNamesOf(gone.keys());
  const out = new AffectedBlocks();
  for (const [file, summary] of graphs.after.repo.files) {
    if (!graphs.before.repo.hasFile(file)) continue;
    const isListed = graphs.before.language(file).submodule !== undefined;
    const sites = namingsIn(summary, isListed ? lastNames : undefined).flatMap((naming): AffectedSite[] => {
      const from = moduleMeant(graphs.before, file, naming);
      const cause = from === undefined ? undefined : gone.get(from);
      if (from === undefined || cause === undefined || saysKnownNames(graphs, file, naming)) return [];
      const now = moduleMeant(graphs.after, file, naming);
      const leads = now === undefined ? '' : `, and leads to ${shownName(now)} now`;
      return [
        {
          expr: -1,
          place: { start: naming.start, end: naming.end },
          confidence: 'certain',
          rule: 'deleted-file/ImportedBy',
          relation: 'ImportedBy',
          cause,
          tier: now === undefined ? 'breaks' : 'may',
          reason: `${shownName(file)} names ${shownName(from)}, which is deleted${leads}.`,
        },
      ];
    });
    out.add(file, -1, ...sites);
  }
  return out.sorted();
}

/** Files that are gone and have not moved, each with a change that says so. */
function deletedFiles(graphs: Graphs, changes: readonly AtomicChange[]): ReadonlyMap<string, AtomicChange> {
  const moved = movedFiles(graphs, changes);
  const out = new Map<string, AtomicChange>();
  for (const change of changes)
    if (change.before !== undefined && change.after === undefined) {
      const { file } = change.before;
      if (!graphs.after.repo.hasFile(file) && !moved.has(file) && !out.has(file)) out.set(file, change);
    }
  return out;
}

/** Whether all that the statement takes from the module are definitions, which are changes of their own. */
function saysKnownNames({ before, after }: Graphs, file: string, { module, name, start }: Naming): boolean {
  if (name !== '') return false;
  const taken = after.summary(file).imports.filter((entry) => entry.module === module && entry.moduleStart === start);
  return (
    taken.length > 0 &&
    taken.every((entry) =>
      moduleMembers(before, file, module, entry.name).some(({ kind }) => kind === 'decl' || kind === 'module'),
    )
  );
}
