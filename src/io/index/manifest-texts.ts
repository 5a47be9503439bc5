/** Texts of all that says what a repository uses: manifests and lock files, as far as ignore files leave them in. */
import { isManifest } from '../../api/dependencies/read.js';
import { readRepositoryFile } from '../disk/repository-file.js';
import { decodeSource } from '../disk/source-text.js';
import { scan, type ScanOptions } from './scan.js';

/** Lock files of large repositories have some megabytes. */
const BYTES_MOST = 32 * 1024 * 1024;

/** By path, without a byte order mark. `root` must be a real path. */
export async function manifestTexts(root: string, options: ScanOptions): Promise<ReadonlyMap<string, string>> {
  const { configs } = await scan(root, { ...options, isWanted: isManifest });
  const texts = new Map<string, string>();
  for (const { path } of configs) {
    const file = readRepositoryFile(root, path, { bytesMost: BYTES_MOST, links: 'none' });
    const source = file.kind === 'file' ? decodeSource(file.bytes) : undefined;
    if (source?.ok === true) texts.set(path, source.text);
  }
  return texts;
}
