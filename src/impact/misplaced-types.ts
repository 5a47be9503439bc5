/**
 * Public types that an edit left in a file of another name, in a language where the file has to be called after them:
 *
 *     Shape.java:  public class Shape   ->   public class Figure
 *
 * The type was renamed, made public, added or moved, or its file was. What stood in a file of another name before is
 * not told.
 */
import { stemOf } from '../base/paths.js';
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { F, isClassLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import { earlierFile, movedFiles } from './moved-files.js';

export function misplacedTypes(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const moved = movedFiles(graphs, changes);
  for (const file of new Set(changes.flatMap((change) => change.after?.file ?? []))) {
    if (!after.repo.hasFile(file) || after.language(file).writing.filesSpellClass !== true) continue;
    const earlier = earlierFile(graphs, moved, file);
    const known = new Set(
      before.repo.hasFile(earlier) ? misplacedIn(before, earlier).map((decl) => nameIn(before, earlier, decl)) : [],
    );
    for (const decl of misplacedIn(after, file)) {
      const name = nameIn(after, file, decl);
      const cause =
        changes.find((change) => change.after?.file === file && change.after.decl === decl) ??
        changes.find((change) => change.after?.file === file);
      if (known.has(name) || cause === undefined) continue;
      const start = after.summary(file).decls.nameStartOf(decl);
      out.put(file, decl, {
        expr: -1,
        place: { start, end: start + name.length },
        tier: 'breaks',
        confidence: 'certain',
        rule: 'misplaced-type',
        relation: 'ParentOf',
        cause,
        fact: `its file has to be called ${fileFor(file, name)}`,
        reason: `${name} is public and stands in ${shownName(file)}.`,
      });
    }
  }
  return out.found();
}

/** What the file has to be called, without its folder. */
export const fileFor = (file: string, name: string): string => `${name}${file.slice(file.lastIndexOf('.'))}`;

function misplacedIn(resolver: Resolver, file: string): number[] {
  const { decls } = resolver.summary(file);
  const stem = stemOf(file);
  const out: number[] = [];
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.parentOf(decl) < 0 &&
      isClassLike(decls.kindOf(decl)) &&
      decls.has(decl, F.public) &&
      decls.nameOf(decl) !== stem
    )
      out.push(decl);
  return out;
}

const nameIn = (resolver: Resolver, file: string, decl: number): string => resolver.summary(file).decls.nameOf(decl);
