/**
 * A tree of source files as text: from a directory, or from a revision of a git repository.
 *
 * A byte order mark stays in the text, and so do line endings: what is scored depends on both.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '../engine/service.js';
import { fieldsOf, runGit } from '../io/process/run-git.js';

/** Texts by path, relative to the tree's root and with `/`. */
export type Tree = ReadonlyMap<string, string>;

/** Files below a directory whose names end with one of the suffixes. */
export function treeOfDirectory(directory: string, suffix: string): Tree {
  const out = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(directory, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== '.git') walk(path);
      else if (entry.isFile() && path.endsWith(suffix)) out.set(path, readFileSync(join(directory, path), 'utf8'));
    }
  };
  walk('');
  return out;
}

/** Files below a folder of a revision ('' for all). Throws ServiceError when git cannot give them. */
export async function treeOfRevision(
  repository: string,
  revision: string,
  folder: string,
  suffix: string,
  signal: AbortSignal,
): Promise<Tree> {
  const listing = await gitOutput(
    repository,
    ['ls-tree', '-r', '-z', '--full-tree', folder === '' ? revision : `${revision}:${folder}`],
    signal,
  );
  const files = fieldsOf(listing).flatMap((field) => {
    const [, type, id, path] = /^\d+ (\w+) (\w+)\t([^]*)$/.exec(field) ?? [];
    return type === 'blob' && id !== undefined && path?.endsWith(suffix) === true ? [{ id, path }] : [];
  });
  const texts = await blobs(
    repository,
    files.map(({ id }) => id),
    signal,
  );
  return new Map(files.map(({ path }, i) => [path, (texts[i] as Buffer).toString('utf8')]));
}

/** Content of one file of a revision. Throws ServiceError when there is none. */
export async function fileOfRevision(
  repository: string,
  revision: string,
  path: string,
  signal: AbortSignal,
): Promise<string> {
  return (await gitOutput(repository, ['cat-file', 'blob', `${revision}:${path}`], signal)).toString('utf8');
}

export async function gitOutput(
  repository: string,
  args: readonly string[],
  signal: AbortSignal,
  input?: Buffer,
): Promise<Buffer> {
  const outcome = await runGit(repository, args, { input, signal, bare: true });
  if (outcome.ok) return outcome.stdout;
  throw new ServiceError('settings', `git ${args[0] ?? ''} in ${repository} failed: ${outcome.stderr || outcome.kind}`);
}

async function blobs(repository: string, ids: readonly string[], signal: AbortSignal): Promise<Buffer[]> {
  const output = await gitOutput(
    repository,
    ['cat-file', '--batch'],
    signal,
    Buffer.from(ids.map((id) => `${id}\n`).join('')),
  );
  const out: Buffer[] = [];
  let at = 0;
  for (const id of ids) {
    const end = output.indexOf('\n', at);
    const size = /^\w+ blob (\d+)$/.exec(output.subarray(at, end).toString())?.[1];
    if (size === undefined)
      throw new ServiceError('settings', `${repository} lacks the object ${id}; fetch the repository in full`);
    out.push(output.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return out;
}
