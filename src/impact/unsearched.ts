/**
 * What was not looked into: uses of a library's members by name, in files from which no import leads to the library.
 *
 * An object of the library may be handed to such a file by its callers, a test's fixtures or a framework. Each
 * place by itself is far more often a namesake, so they are counted and not listed.
 */
import { counted, namesInWords } from '../base/counted.js';
import { isOutside } from '../base/outside.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { filesThatMayMean } from '../graph/refer/reach-outside.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { E, R } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';

export interface Unsearched {
  /** Names of changed members, the one with the most uses first. */
  readonly names: readonly string[];
  /** Rows that say one of them after a dot. */
  readonly uses: number;
  readonly files: number;
}

/** The same as a clause of a sentence. */
export function unsearchedWords({ names, uses, files }: Unsearched): string {
  const one = uses === 1;
  return (
    `${uses} ${one ? 'use' : 'uses'} of ${namesInWords(names, undefined, 'name')} in ${counted(files, 'file')} ` +
    `from which no import leads to the library ${one ? 'was' : 'were'} not looked into`
  );
}

/** Undefined where nothing was left out. */
export function unsearched({ before, after }: Graphs, changes: readonly AtomicChange[]): Unsearched | undefined {
  const uses = new Map<string, number>();
  const files = new Set<string>();
  for (const { label, before: target } of changes) {
    if (target === undefined || target.decl < 0 || label.startsWith('A') || !isOutside(target.file)) continue;
    const summary = before.summary(target.file);
    const name = summary.decls.nameOf(target.decl);
    if (classOfMember(summary, target.decl) === undefined || uses.has(name)) continue;
    const searched = new Set(filesThatMayMean(before, target, name));
    for (const file of after.repo.filesMentioning(name)) {
      if (searched.has(file) || isOutside(file) || after.summary(file).language !== summary.language) continue;
      const found = usesOf(after, file, name);
      if (found === 0) continue;
      uses.set(name, (uses.get(name) ?? 0) + found);
      files.add(file);
    }
  }
  if (uses.size === 0) return undefined;
  const names = [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return { names: names.map(([name]) => name), uses: names.reduce((sum, [, n]) => sum + n, 0), files: files.size };
}

function usesOf(resolver: Resolver, file: string, name: string): number {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  return [...exprs.named(summary.idOf(name))].filter(
    (expr) => exprs.opOf(expr) === E.member && exprs.roleOf(expr) !== R.declares && exprs.roleOf(expr) !== R.doc,
  ).length;
}
