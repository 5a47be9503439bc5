/**
 * Definitions that stand in another file of the library now, while its users reach them as before: whatever their
 * texts are like, they are the same.
 */
import type { ApiSide } from './api-diff.js';

export interface KnownMove {
  readonly file: string;
  /** A top-level block; all overloads of it are meant. */
  readonly block: string;
  /** The file in which one with the same name is now. */
  readonly to: string;
}

/** In order of the old files and blocks, each once. A block whose paths lead to several files now is left out. */
export function knownMoves(before: ApiSide, after: ApiSide): KnownMove[] {
  const targets = new Map<string, { readonly file: string; readonly block: string; readonly to: Set<string> }>();
  for (const [path, { file, decl }] of before.paths) {
    const now = after.paths.get(path);
    if (now === undefined) continue;
    const block = before.resolver.summary(file).decls.nameOf(decl);
    if (after.resolver.summary(now.file).decls.nameOf(now.decl) !== block) continue;
    const known = targets.get(`${file}\0${block}`) ?? { file, block, to: new Set() };
    known.to.add(now.file);
    targets.set(`${file}\0${block}`, known);
  }
  return [...targets.values()]
    .flatMap(({ file, block, to: [to, ...others] }) =>
      to === undefined || others.length > 0 || to === file ? [] : [{ file, block, to }],
    )
    .sort((a, b) => (a.file === b.file ? (a.block < b.block ? -1 : 1) : a.file < b.file ? -1 : 1));
}
