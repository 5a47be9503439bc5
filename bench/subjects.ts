/**
 * Which definitions of a repository a bench edits: one seed chooses the same ones in the next version of the program.
 */
import { hashText } from '#src/base/hash.js';
import type { WorkingTree } from '#src/engine/working-tree.js';
import { lineAt } from '#src/syntax/line-at.js';
import type { Kind, Subject } from './refactoring-kinds.js';

export interface Choice {
  readonly tree: WorkingTree;
  /** Files whose definitions may be edited. */
  readonly files: readonly string[];
  readonly seed: string;
  /** `<file>:<line>` of the only definition that is wanted. */
  readonly at: string | undefined;
}

/**
 * Definitions of the kind outside of tests, in the order of the hashes of their names; those that are said nowhere
 * else are left out.
 */
export function* subjectsOf(kind: Kind, { tree, files, seed, at }: Choice): Iterable<Subject> {
  const all: { key: string; file: string; decl: number }[] = [];
  for (const file of files) {
    if (/(?:^|\/)(?:tests?|spec|__tests__|testing)\/|[._](?:test|spec)\.\w+$|(?:^|\/)(?:test_|conftest)/.test(file))
      continue;
    const summary = tree.resolver.summary(file);
    for (let decl = 0; decl < summary.decls.count; decl++) {
      if (
        !kind.fits(summary, decl) ||
        (at !== undefined && at !== `${file}:${lineAt(summary, summary.decls.nameStartOf(decl))}`)
      )
        continue;
      all.push({ key: hashText(`${seed} ${kind.name} ${file} ${summary.decls.pathOf(decl)}`), file, decl });
    }
  }
  all.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.decl - b.decl));
  const seen = new Set<string>();
  for (const { key, file, decl } of all) {
    if (seen.has(key)) continue;
    seen.add(key);
    yield {
      tree,
      file,
      decl,
      summary: tree.resolver.summary(file),
      text: tree.text(file) ?? '',
      pick: (most, purpose) => (most === 0 ? 0 : Number.parseInt(hashText(`${key} ${purpose}`).slice(0, 8), 16) % most),
    };
  }
}
