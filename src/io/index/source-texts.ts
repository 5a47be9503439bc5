/**
 * Texts of all that an index is made from, read without one: sources and configuration files, as far as ignore files
 * leave them in. What cannot be read is a problem, as it is of the index.
 */
import { readRepositoryFile, SOURCE_BYTES_MOST } from '../disk/repository-file.js';
import { decodeSource } from '../disk/source-text.js';
import { scan, type ScanOptions, type ScanProblem } from './scan.js';

export type TextOrProblem = { readonly file: string; readonly text: string } | ScanProblem;

/** Files are read in between two turns of others: about a millisecond. */
const TURN_FILES = 20;

/** `root` must be a real path. */
export async function* sourceTexts(root: string, options: ScanOptions): AsyncGenerator<TextOrProblem> {
  const { sources, configs, problems } = await scan(root, options);
  yield* problems;
  let seen = 0;
  for (const { path: file } of [...sources, ...configs]) {
    if (++seen % TURN_FILES === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      options.signal.throwIfAborted();
    }
    const read = readRepositoryFile(root, file, { bytesMost: SOURCE_BYTES_MOST, links: 'inside' });
    if (read.kind === 'refused') yield { file, message: read.reason };
    if (read.kind !== 'file') continue;
    const source = decodeSource(read.bytes);
    yield source.ok ? { file, text: source.text } : { file, message: source.reason };
  }
}
