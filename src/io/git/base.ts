/**
 * A base: the tree as it was before, as the list of files in which it differs from the working
 * tree, with their earlier texts.
 *
 * It comes from a git revision (git.ts) or from a directory; everything after reads only this.
 * Files of no interest to the index are not listed. A deleted and an added file with much the
 * same text are one renamed file.
 */
import { isAbsolute } from 'node:path';
import type { Base, BaseFile } from '../../engine/effects.js';
import { ServiceError } from '../../engine/service.js';
import { languageOf } from '../../languages/registry.js';
import { sourceBytes } from '../disk/repository-file.js';
import { rootOf } from '../disk/root.js';
import { scan, type ScanOptions } from '../index/scan.js';
import { decodeSource } from '../disk/source-text.js';

/** Share of lines that two texts must have in common to be one renamed file: git's default. */
const SIMILAR_LEAST = 0.5;
/** Beyond this many pairs only equal texts are looked for; the comparison is quadratic. */
const PAIRS_MOST = 20_000;
/** How many files are compared before other work gets a turn: some milliseconds. */
const TURN_FILES = 50;

/** The difference between a directory and the root. Throws ServiceError if the directory cannot be read. */
export async function baseOfDirectory(root: string, directory: string, options: ScanOptions): Promise<Base> {
  if (!isAbsolute(directory))
    throw new ServiceError('baseDirectory', `the base directory ${directory} is not an absolute path`);
  let realBase: string;
  try {
    realBase = rootOf(directory);
  } catch (error) {
    throw new ServiceError(
      'baseDirectory',
      `cannot read the base directory ${directory}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const realRoot = rootOf(root);
  const [before, after] = [await scan(realBase, options), await scan(realRoot, options)];
  const now = new Map([...after.sources, ...after.configs].map((file) => [file.path, file.stamp.size]));
  const found = new BaseFiles();
  let compared = 0;
  for (const { path, stamp } of [...before.sources, ...before.configs]) {
    const sizeNow = now.get(path);
    now.delete(path);
    const old = sourceBytes(realBase, path);
    if (old === undefined) found.missing(path, 'its earlier text can no longer be read');
    else if (sizeNow === undefined) found.deleted(path, old);
    else if (sizeNow !== stamp.size || sourceBytes(realRoot, path)?.equals(old) !== true) found.changed(path, old);
    if (++compared % TURN_FILES === 0) await new Promise((resolve) => setImmediate(resolve));
    options.signal.throwIfAborted();
  }
  for (const path of now.keys()) found.added(path, sourceBytes(realRoot, path));
  return found.finish(directory);
}

/** Collects differing files and pairs up the renamed ones. */
export class BaseFiles {
  private readonly files: BaseFile[] = [];
  private readonly deletedTexts = new Map<string, string>();
  private readonly addedTexts = new Map<string, string>();
  private readonly problems: { file: string; message: string }[] = [];

  /** The earlier content cannot be had. */
  missing(path: string, message: string): void {
    this.problems.push({ file: path, message });
  }
  changed(path: string, before: Buffer): void {
    const text = this.decode(path, before);
    if (text !== undefined) this.files.push({ kind: 'changed', path, before: text });
  }
  renamed(path: string, from: string, before: Buffer): void {
    const text = this.decode(from, before);
    if (text !== undefined) this.files.push({ kind: 'renamed', path, from, before: text });
  }
  deleted(path: string, before: Buffer): void {
    const text = this.decode(path, before);
    if (text !== undefined) this.deletedTexts.set(path, text);
  }
  /** `now` is compared with the deleted files; the reader of the working tree reports what it cannot decode. */
  added(path: string, now: Buffer | undefined): void {
    if (now === undefined) return;
    const source = decodeSource(now);
    this.addedTexts.set(path, source.ok ? source.text : '');
  }

  finish(name: string): Base {
    for (const [path, from] of pairRenames(this.deletedTexts, this.addedTexts)) {
      this.files.push({ kind: 'renamed', path, from, before: this.deletedTexts.get(from) as string });
      this.deletedTexts.delete(from);
      this.addedTexts.delete(path);
    }
    for (const [path, before] of this.deletedTexts) this.files.push({ kind: 'deleted', path, before });
    for (const path of this.addedTexts.keys()) this.files.push({ kind: 'added', path });
    this.files.sort((a, b) => (a.path < b.path ? -1 : 1));
    return { name, files: this.files, problems: this.problems };
  }

  private decode(path: string, bytes: Buffer): string | undefined {
    const source = decodeSource(bytes);
    if (source.ok) return source.text;
    this.problems.push({ file: path, message: `its earlier text: ${source.reason}` });
    return undefined;
  }
}

/** Pairs of new path and old path, best first; each path at most once. Only files of one language are compared. */
export function pairRenames(
  deleted: ReadonlyMap<string, string>,
  added: ReadonlyMap<string, string>,
): Map<string, string> {
  const pairs: { path: string; from: string; share: number }[] = [];
  const exactOnly = deleted.size * added.size > PAIRS_MOST;
  const lines = new Map<string, ReadonlyMap<string, number>>();
  const linesOf = (key: string, text: string): ReadonlyMap<string, number> => {
    const known = lines.get(key) ?? countLines(text);
    lines.set(key, known);
    return known;
  };
  for (const [from, before] of deleted) {
    for (const [path, after] of added) {
      if (before.trim() === '' || languageOf(from)?.id !== languageOf(path)?.id) continue;
      const share =
        before === after ? 1 : exactOnly ? 0 : sharedLines(linesOf(`-${from}`, before), linesOf(`+${path}`, after));
      if (share >= SIMILAR_LEAST) pairs.push({ path, from, share });
    }
  }
  pairs.sort(
    (a, b) => b.share - a.share || (a.from < b.from ? -1 : a.from > b.from ? 1 : 0) || (a.path < b.path ? -1 : 1),
  );
  const renames = new Map<string, string>();
  const taken = new Set<string>();
  for (const { path, from } of pairs) {
    if (renames.has(path) || taken.has(from)) continue;
    renames.set(path, from);
    taken.add(from);
  }
  return renames;
}

function countLines(text: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line !== '') counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return counts;
}

/** Characters in common lines, as a share of the larger text's: so short common lines say little. */
function sharedLines(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0;
  for (const [line, count] of a) shared += Math.min(count, b.get(line) ?? 0) * line.length;
  const larger = Math.max(weigh(a), weigh(b));
  return larger === 0 ? 0 : shared / larger;
}

function weigh(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const [line, count] of counts) sum += line.length * count;
  return sum;
}
