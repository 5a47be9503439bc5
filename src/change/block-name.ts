/**
 * Names of blocks that tell overloads apart: the dotted path, and from the second block of one path
 * on its number, `Env.<init>#2`.
 *
 * A number outlives an edit of a signature, which the types of parameters do not; it shifts when an
 * overload comes or goes before it, so whoever keeps a name follows it through the pairing of blocks.
 */
import { type Summary } from '../syntax/summary.js';
import { blockRows, isOwnBlock } from './match-blocks.js';

/** Name of a block in its file; `<module>` for -1. */
export function blockName(summary: Summary, decl: number): string {
  const path = summary.decls.pathOf(decl);
  if (decl < 0) return path;
  const number = twinsOf(summary, decl, path).indexOf(decl);
  return number > 0 ? `${path}#${number + 1}` : path;
}

/** Row of the block with that name; undefined if the file has none. */
export function blockNamed(summary: Summary, name: string): number | undefined {
  const [, path, number] = /^(.*?)(?:#(\d+))?$/s.exec(name) as RegExpExecArray;
  const first = blockRows(summary).find((row) => summary.decls.pathOf(row) === path);
  if (first === undefined || number === undefined) return first;
  return twinsOf(summary, first, path as string)[Number(number) - 1];
}

/** What a further member of that name would be called, below `owner`, behind those that are there and `others`. */
export function nextMemberName(summary: Summary, owner: number, name: string, others: number): string {
  const row = summary.idOf(name);
  const path = `${summary.decls.pathOf(owner)}.${name}`;
  const known =
    row < 0
      ? 0
      : [...summary.decls.named(row)].filter(
          (other) => isOwnBlock(summary, other) && summary.decls.pathOf(other) === path,
        ).length;
  return known + others === 0 ? name : `${name}#${known + others + 1}`;
}

/** Blocks of one path, in the order of the file's rows. */
function twinsOf(summary: Summary, decl: number, path: string): number[] {
  const row = summary.idOf(summary.decls.nameOf(decl));
  if (row < 0) return [decl];
  return [...summary.decls.named(row)]
    .filter((other) => isOwnBlock(summary, other) && summary.decls.pathOf(other) === path)
    .sort((a, b) => a - b);
}
