/** What a folder holds, to be compared. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Every file with its bytes, permissions and owner, every folder, every link. */
export function pictureOf(root: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const stats = lstatSync(join(root, path));
    const rights = `${(stats.mode & 0o7777).toString(8)} ${stats.uid}:${stats.gid}`;
    if (stats.isFile()) out[path] = `${rights} ${readFileSync(join(root, path)).toString('base64')}`;
    else if (stats.isSymbolicLink()) out[path] = `link to ${readlinkSync(join(root, path))}`;
    else out[path] = 'folder';
  }
  return out;
}

/** A folder of plain files as it is now. Gives what makes it so again. */
export function rememberFolder(folder: string): () => void {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => {
      const stats = lstatSync(join(folder, path));
      return {
        path: join(folder, path),
        mode: stats.mode & 0o7777,
        bytes: stats.isFile() ? readFileSync(join(folder, path)) : undefined,
      };
    });
  return () => {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
    for (const { path, mode, bytes } of entries) {
      if (bytes === undefined) mkdirSync(path, { mode });
      else {
        writeFileSync(path, bytes);
        chmodSync(path, mode);
      }
    }
  };
}
