/**
 * A private copy of a repository's files with an overlay on top, for a check to run in.
 *
 *     <cache>/copies/codeplan-oracle-<pid>-xxxxxx/     readable by its owner only; the name says whose it is
 *         tree/       the files, linked package folders
 *         scratch/    what the check needs beside them
 *
 * Not in the system's folder of temporary files: many tools look for settings in the folders above as well, up to the
 * outermost, and there anybody on the machine can leave some.
 *
 * A copy whose process is gone, or that is older than any run can be, belongs to nobody and is
 * swept when the next one is made. Paths that lead out of the root are refused.
 */
import { constants } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { cacheFolder, makePrivateFolder } from '../disk/folders.js';
import { isRunning } from '../process/processes.js';
import { isPathInside } from '../../base/paths.js';
import { isBelow, RealFolders, realPathInside } from '../disk/repository-file.js';

export interface OracleTree {
  readonly directory: string;
  /** `directory` with links resolved, as some tools print it. */
  readonly realDirectory: string;
  readonly scratch: string;
  /** Relative paths of all files in the copy, sorted. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

export interface TreeContents {
  readonly root: string;
  readonly files: readonly string[];
  readonly overlay: ReadonlyMap<string, string | null>;
  readonly linkedFolders: readonly string[];
  /** Says where copies are made. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether the repository is trusted: only then may a linked folder lie outside of it. */
  readonly ownTools: boolean;
}

export type LaidOut =
  { readonly ok: true; readonly tree: OracleTree } | { readonly ok: false; readonly message: string };

const PREFIX = 'codeplan-oracle-';
/** No run lasts that long; a process of that number would be another one by then. */
const AGE_MS_MAX = 24 * 3600 * 1000;
/** Enough to keep a disk busy, and far below the number of files that a process may hold open. */
const COPIES_AT_ONCE = 16;

/** Makes the copy. Rejects only with the reason of `signal`; what was made until then is removed. */
export async function layOut(contents: TreeContents, signal: AbortSignal): Promise<LaidOut> {
  const stray = [...contents.files, ...contents.overlay.keys()].find((path) => !isPathInside(path));
  if (stray !== undefined) return { ok: false, message: `${stray} does not lie inside of the repository` };
  let base: string | undefined;
  try {
    const copies = join(cacheFolder(contents.environment), 'copies');
    makePrivateFolder(copies);
    await sweep(copies);
    base = await mkdtemp(join(copies, `${PREFIX}${process.pid}-`));
    const tree = await fill(base, contents, signal);
    return { ok: true, tree };
  } catch (error) {
    if (base !== undefined) await rm(base, { recursive: true, force: true });
    signal.throwIfAborted();
    return {
      ok: false,
      message: `the files to check could not be copied: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

async function fill(base: string, contents: TreeContents, signal: AbortSignal): Promise<OracleTree> {
  const directory = join(base, 'tree');
  const scratch = join(base, 'scratch');
  await mkdir(directory);
  await mkdir(scratch);
  const real = new RealFolders(contents.root);
  const unchanged = contents.files.filter((file) => !contents.overlay.has(file) && real.areAbove(file));
  const written = [...contents.overlay].filter((entry): entry is [string, string] => entry[1] !== null);
  const folders = new Set([...unchanged, ...written.map(([file]) => file)].map((file) => dirname(file)));
  for (const folder of folders) await mkdir(join(directory, folder), { recursive: true });

  const copied: string[] = [];
  await eachOf(unchanged, async (file) => {
    signal.throwIfAborted();
    if (await copyEntry(contents.root, file, join(directory, file))) copied.push(file);
  });
  await eachOf(written, ([file, text]) => writeFile(join(directory, file), text));
  await linkFolders(contents, directory, folders);
  return {
    directory,
    realDirectory: await realpath(directory),
    scratch,
    files: [...copied, ...written.map(([file]) => file)].sort(),
    remove: () => rm(base, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Copies a file, or a link that stays in the root; false if there is none (deleted but still listed). */
async function copyEntry(root: string, file: string, to: string): Promise<boolean> {
  const from = join(root, file);
  const entry = await existing(lstat(from));
  if (entry === undefined) return false;
  if (entry.isSymbolicLink()) {
    const target = await readlink(from);
    const leadsOut = !isBelow(root, join(dirname(from), target)) || realPathInside(root, file) === undefined;
    if (isAbsolute(target) || leadsOut) return false;
    await symlink(target, to);
    return true;
  }
  if (!entry.isFile()) return false;
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  return true;
}

/** Links each package folder that stands beside a listed file or in a folder above one. */
async function linkFolders(contents: TreeContents, directory: string, folders: ReadonlySet<string>): Promise<void> {
  const above = new Set<string>(['.']);
  for (const folder of folders) for (let at = folder; !above.has(at); at = dirname(at)) above.add(at);
  const places = [...above].flatMap((folder) => contents.linkedFolders.map((name) => join(folder, name)));
  await eachOf(places, async (place) => {
    const target = join(contents.root, place);
    const taken = (await existing(lstat(join(directory, place)))) !== undefined;
    if (taken || (await existing(stat(target)))?.isDirectory() !== true) return;
    const real = await realpath(target);
    if (contents.ownTools || isBelow(contents.root, real)) await symlink(real, join(directory, place), 'junction');
  });
}

/** The answer of a look at the disk, or undefined if there is nothing at that path. */
async function existing<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}

async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: COPIES_AT_ONCE }, worker));
}

/** Removes copies that nobody uses: their process is gone, or they are older than any run. Only the person's own. */
async function sweep(copies: string): Promise<void> {
  const names = (await readdir(copies)).filter((name) => name.startsWith(PREFIX));
  for (const name of names) {
    const path = join(copies, name);
    const entry = await existing(lstat(path));
    if (entry === undefined || !entry.isDirectory() || entry.uid !== (process.getuid?.() ?? entry.uid)) continue;
    const owner = Number(/^\d+/.exec(name.slice(PREFIX.length))?.[0] ?? Number.NaN);
    const orphan = !Number.isNaN(owner) && (!isRunning(owner) || Date.now() - entry.mtimeMs > AGE_MS_MAX);
    if (orphan) await rm(path, { recursive: true, force: true });
  }
}
