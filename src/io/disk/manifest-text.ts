/** Texts of a repository's manifests, which say as what it is published and what it uses. */
import { readRepositoryFile, SETTINGS_BYTES_MOST } from './repository-file.js';

/** Undefined where there is none, or none that may be read. `root` is a real path. */
export function manifestText(root: string, file: string): string | undefined {
  const read = readRepositoryFile(root, file, { bytesMost: SETTINGS_BYTES_MOST, links: 'inside' });
  return read.kind === 'file' ? read.bytes.toString('utf8') : undefined;
}
