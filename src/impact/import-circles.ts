/**
 * Circles of imports that an edit closes, in a language where an import runs the file that it names: whoever comes
 * round finds a file that is not done yet, and names that are not there.
 *
 *     shop.py:  from cart import Cart        cart.py:  from shop import PRICE
 *
 * The import of a module in a package runs the package first, unless the file that imports is in it itself. Only
 * imports at the margin count, which run always, and only circles with one among them that takes a name out of a file.
 * Errs towards none: where two files were in a circle before, one more import between them is not told.
 */
import { shownName } from '../base/shown.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { ImportEntry } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import { moduleMeant } from './moved-files.js';

/** `changes` are all since before the edit. */
export function importCircles({ before, after }: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const out = new AffectedBlocks();
  const causes = new Map(
    changes.flatMap((change) =>
      change.kind === 'import' && change.after !== undefined ? [[change.after.file, change]] : [],
    ),
  );
  const told = new Set<string>();
  for (const [file, cause] of causes) {
    if (!after.repo.hasFile(file) || after.language(file).runBefore === undefined) continue;
    const earlier = before.repo.hasFile(file) ? runBy(before, file) : new Map<string, Run>();
    for (const [target, run] of runBy(after, file)) {
      if (earlier.has(target)) continue;
      const way = wayTo(after, target, file);
      if (way === undefined || ![run, ...way.map(([, one]) => one)].some(({ takesName }) => takesName)) continue;
      if (isWay(before, file, target) && isWay(before, target, file)) continue;
      const circle = [file, ...way.map(([one]) => one)];
      const key = [...circle].sort().join('\0');
      if (told.has(key)) continue;
      told.add(key);
      out.put(file, -1, {
        expr: -1,
        place: { start: run.entry.moduleStart, end: run.entry.moduleStart + run.entry.module.length },
        tier: 'may',
        confidence: 'certain',
        rule: 'import-circle',
        relation: 'ImportedBy',
        cause,
        reason: `Imports go round now: ${[...circle, file].map(shownName).join(' imports ')}.`,
      });
    }
  }
  return out.found();
}

/** An import that runs its file. */
interface Run {
  readonly entry: ImportEntry;
  readonly takesName: boolean;
}

/** Files that a file's imports run, with the first that does, or that takes a name. */
const runBy = (resolver: Resolver, file: string): ReadonlyMap<string, Run> =>
  resolver.repo.memo(`run by the imports of ${file}`, () => {
    const { imports, lineStarts } = resolver.summary(file);
    const { runBefore } = resolver.language(file);
    const starts = new Set(lineStarts);
    const begun = new Set([file, ...(runBefore?.(file, resolver.repo) ?? [])]);
    const out = new Map<string, Run>();
    for (const entry of imports) {
      if (entry.typeOnly || !starts.has(entry.statementStart)) continue;
      const { module, name, kind } = entry;
      const listed = kind === 'name' ? moduleMeant(resolver, file, { module, name }) : undefined;
      const target = listed ?? moduleMeant(resolver, file, { module, name: '' });
      if (target === undefined || target === file) continue;
      for (const before of runBefore?.(target, resolver.repo) ?? [])
        if (!begun.has(before) && !out.has(before)) out.set(before, { entry, takesName: false });
      const takesName = kind !== 'module' && listed === undefined;
      const known = out.get(target);
      if (known === undefined || (takesName && !known.takesName)) out.set(target, { entry, takesName });
    }
    return out;
  });

const isWay = (resolver: Resolver, from: string, to: string): boolean =>
  resolver.repo.hasFile(from) && wayTo(resolver, from, to) !== undefined;

/** The shortest way of imports from one file to another: the files on it but for the last, each with its import. */
function wayTo(resolver: Resolver, from: string, to: string): (readonly [string, Run])[] | undefined {
  const reached = new Map<string, readonly [string, Run] | undefined>([[from, undefined]]);
  for (const file of reached.keys()) {
    for (const [target, run] of runBy(resolver, file)) {
      if (reached.has(target)) continue;
      reached.set(target, [file, run]);
      if (target !== to) continue;
      const way: (readonly [string, Run])[] = [];
      for (let step = reached.get(to); step !== undefined; step = reached.get(step[0])) way.unshift(step);
      return way;
    }
  }
  return undefined;
}
