/**
 * A base: the tree as it was before, as the list of files in which it differs from the working
 * tree, with their earlier texts.
 *
 * It comes from a git revision (git.ts) or from a directory; everything after reads only this.
 * Files of no interest to the index are not listed. A deleted and an added file with much the
 * same text are one renamed file.
 */
import { isAbsolute } from 'node:path';
import type { Problem } from '#protocol/words.js';
import { inTurns } from '../../base/turns.js';
import type { Base, BaseFile } from '../../engine/effects.js';
import { ServiceError } from '../../engine/service.js';
import { sourceBytes } from '../disk/repository-file.js';
import { rootOf } from '../disk/root.js';
import { scan, type ScanOptions } from '../index/scan.js';
import { decodeSource } from '../disk/source-text.js';
import { pairRenames } from './renames.js';

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
  return found.finish(directory, options.signal);
}

/** Collects differing files and pairs up the renamed ones. */
export class BaseFiles {
  private readonly files: BaseFile[] = [];
  private readonly deletedTexts = new Map<string, string>();
  private readonly addedTexts = new Map<string, string>();
  private readonly problems: Problem[] = [];

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

  async finish(name: string, signal: AbortSignal): Promise<Base> {
    const { renames, left } = await inTurns(pairRenames(this.deletedTexts, this.addedTexts), signal);
    for (const [path, from] of renames) {
      this.files.push({ kind: 'renamed', path, from, before: this.deletedTexts.get(from) as string });
      this.deletedTexts.delete(from);
      this.addedTexts.delete(path);
    }
    if (left.deleted > 0)
      this.problems.push({
        message:
          `${left.deleted} deleted files were not compared with ${left.added} new ones, which are too many: one that ` +
          'was renamed and edited counts as deleted and new',
      });
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
