/**
 * The blocks that the authors' package counts, and how two versions of a tree differ in them.
 *
 * Python: functions at module level and methods of classes. C#: methods, constructors and
 * properties of classes, structs and records, and fields. Blocks of one name pair by equal text,
 * then by equal parameters, then by likeness. A block that only moves is the same.
 *
 * Source: inferred from the package's lists of blocks (arXiv 2309.12499).
 */
import { isOwnBlock } from '../change/match-blocks.js';
import { typeName } from '../graph/resolve/hierarchy.js';
import { D, F, isFunctionLike, type Summary } from '../syntax/summary.js';
import { editDistance } from './edit-distance.js';

export interface ScoredBlock {
  readonly file: string;
  /** Dotted path with the kind, the same for overloads. */
  readonly name: string;
  readonly params: string;
  /** Text without what does not count as a change. */
  readonly text: string;
}

/** Blocks of one file, in order. */
export function scoredBlocks(file: string, text: string, summary: Summary): ScoredBlock[] {
  const out: ScoredBlock[] = [];
  const { decls } = summary;
  for (let row = 0; row < decls.count; row++) {
    const kind = isOwnBlock(summary, row) ? kindOf(summary, text, row) : undefined;
    if (kind === undefined) continue;
    const params = [...decls.paramsOf(row)].map((param) => typeName(summary, param) ?? '').join();
    out.push({
      file,
      name: `${kind} ${summary.decls.pathOf(row)}`,
      params,
      text: normalised(text.slice(decls.startOf(row), decls.endOf(row)), summary.language === 'csharp'),
    });
  }
  return out;
}

function kindOf(summary: Summary, text: string, row: number): 'METHOD' | 'VARIABLE' | undefined {
  const { decls } = summary;
  const kind = decls.kindOf(row);
  const parent = decls.parentOf(row);
  const inside = parent < 0 ? undefined : decls.kindOf(parent);
  if (summary.language === 'python') {
    if (!isFunctionLike(kind) || decls.decoratorsOf(row).length > 1 || !isInLine(summary, text, row)) return undefined;
    return isPlainScope(summary, parent) ? 'METHOD' : undefined;
  }
  if (inside !== D.class && inside !== D.struct && inside !== D.record) return undefined;
  const name = summary.decls.pathOf(row);
  if (kind === D.field)
    return /\bevent\b/.test(text.slice(decls.startOf(row), decls.endOf(row))) ? undefined : 'VARIABLE';
  if (kind === D.property)
    return name.endsWith('[]') ||
      decls.has(row, F.parameterField) ||
      /^[^{;=]*\bevent\b/.test(text.slice(decls.startOf(row), decls.endOf(row)))
      ? undefined
      : 'METHOD';
  return (kind === D.method || kind === D.constructor) && !/\.(operator|~)[^.]*$/.test(name) ? 'METHOD' : undefined;
}

/** Whether all that is around a Python block is classes. */
function isPlainScope({ decls }: Summary, parent: number): boolean {
  for (let at = parent; at >= 0; at = decls.parentOf(at)) if (decls.kindOf(at) !== D.class) return false;
  return true;
}

/** Whether a Python block stands right in its class or module, and not under an `if` or `try` there. */
function isInLine({ decls }: Summary, text: string, row: number): boolean {
  const column = (offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);
  const parent = decls.parentOf(row);
  return column(decls.startOf(row)) === (parent < 0 ? 0 : column(decls.bodyStartOf(parent)));
}

function normalised(text: string, withoutBlanks: boolean): string {
  if (withoutBlanks) return text.replace(/\s+/g, '');
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** Pairs the blocks of two versions of a file; those without a partner are removed and added. */
export function pairBlocks(
  before: readonly ScoredBlock[],
  after: readonly ScoredBlock[],
): ReadonlyMap<ScoredBlock, ScoredBlock> {
  const out = new Map<ScoredBlock, ScoredBlock>();
  const byName = groupedByName(after);
  for (const [name, olds] of groupedByName(before)) pairNamesakes(olds, byName.get(name) ?? [], out);
  return out;
}

function groupedByName(blocks: readonly ScoredBlock[]): Map<string, ScoredBlock[]> {
  const out = new Map<string, ScoredBlock[]>();
  for (const block of blocks) out.set(block.name, [...(out.get(block.name) ?? []), block]);
  return out;
}

function pairNamesakes(
  olds: readonly ScoredBlock[],
  news: readonly ScoredBlock[],
  out: Map<ScoredBlock, ScoredBlock>,
): void {
  const free = new Set(news);
  const take = (old: ScoredBlock, now: ScoredBlock): void => {
    out.set(old, now);
    free.delete(now);
  };
  const open = (): ScoredBlock[] => olds.filter((old) => !out.has(old));
  for (const same of [
    (a: ScoredBlock, b: ScoredBlock) => a.text === b.text,
    (a: ScoredBlock, b: ScoredBlock) => a.params === b.params,
  ]) {
    for (const old of open()) {
      const now = [...free].find((candidate) => same(old, candidate));
      if (now !== undefined) take(old, now);
    }
  }
  if (open().length === 0 || free.size === 0) return;
  const candidates = open().flatMap((old) =>
    [...free].map((now) => ({
      old,
      now,
      distance: olds.length === 1 && free.size === 1 ? 0 : editDistance(old.text, now.text),
    })),
  );
  for (const { old, now } of candidates.sort((a, b) => a.distance - b.distance))
    if (!out.has(old) && free.has(now)) take(old, now);
}
