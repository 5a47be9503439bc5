/**
 * Where git would open a pipe or a device as a file, and wait for ever. No clone brings one; an archive can.
 *
 * The places that git always reads are looked at before it is asked. All others cost a walk, which is worth its time
 * only once git is late: `pipeThatHolds` finds what it waits for then.
 */
import { lstatSync, readdirSync, type Dirent, type Stats } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { devNull, homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { gitFolders, statOf, type GitRepository } from './git-repository.js';

const READ_IN_THE_TOP_FOLDER = ['.gitignore', '.gitattributes', '.gitmodules'];
const READ_IN_ALL_FOLDERS: ReadonlySet<string> = new Set(['.gitignore', '.gitattributes']);
/** Files of settings that are looked into, each named by another; git itself follows ten, one in the other. */
const SETTINGS_MOST = 100;

/** Name and value of each setting of one file. */
export type SettingsOf = (file: string) => Promise<readonly (readonly [name: string, value: string])[]>;

/** What held git up before, by work tree: looked at first from then on. */
const held = new Map<string, string>();

/** A path, from the work tree, of what git would wait for; undefined where nothing is known. */
export function pipeWhereGitReads({ workTree }: GitRepository): string | undefined {
  const known = [...READ_IN_THE_TOP_FOLDER, ...[held.get(workTree) ?? []].flat()];
  const inTree = known.filter((name) => waits(lstatSync(resolve(workTree, name), { throwIfNoEntry: false })));
  const inGit = ['.git', '.git/info'].flatMap((folder) =>
    entriesOf(join(workTree, folder))
      .filter((entry) => waitsInGit(join(workTree, folder), entry))
      .map(({ name }) => `${folder}/${name}`),
  );
  return [...inTree, ...inGit][0];
}

/** For a git that is late: what it waits for, from the work tree. Ends early when `signal` aborts. */
export async function pipeThatHolds(
  repository: GitRepository,
  settingsOf: SettingsOf,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { workTree, dotGit } = repository;
  const folders = gitFolders(dotGit);
  const found =
    (await namedBySettings(repository, folders, settingsOf)) ??
    (await below(folders, (folder, entry) => waitsInGit(folder, entry), signal)) ??
    (await below([workTree], (_, entry) => READ_IN_ALL_FOLDERS.has(entry.name) && waits(entry), signal));
  if (found === undefined) return undefined;
  const path = relative(workTree, found);
  held.set(workTree, path);
  return path;
}

/**
 * Any setting can name a file, in whatever way it is written, so that git itself says what there is. Looks into the
 * files that are included as well.
 */
async function namedBySettings(
  { workTree }: GitRepository,
  folders: readonly string[],
  settingsOf: SettingsOf,
): Promise<string | undefined> {
  const looked = new Set(folders.flatMap((folder) => ['config', 'config.worktree'].map((name) => join(folder, name))));
  for (const file of looked) {
    if (statOf(file)?.isFile() !== true) continue;
    for (const [name, value] of await settingsOf(file)) {
      const path = value.replace(/^~(?=\/)/u, homedir());
      const places = [resolve(dirname(file), path), resolve(workTree, path)];
      const holding = places.find((place) => waits(statOf(place)));
      if (holding !== undefined) return holding;
      if (/^include(?:if\..*)?\.path$/isu.test(name) && looked.size < SETTINGS_MOST)
        for (const place of places) looked.add(place);
    }
  }
  return undefined;
}

async function below(
  tops: readonly string[],
  isMeant: (folder: string, entry: Dirent) => boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  const folders = [...tops];
  for (let folder = folders.pop(); folder !== undefined && !signal.aborted; folder = folders.pop()) {
    for (const entry of await entriesSoon(folder)) {
      if (isMeant(folder, entry)) return join(folder, entry.name);
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
    }
  }
  return undefined;
}

/** In its own folder git follows links. */
const waitsInGit = (folder: string, entry: Dirent): boolean =>
  entry.isSymbolicLink() || entry.isCharacterDevice() ? waits(statOf(join(folder, entry.name))) : waits(entry);

const waits = (found: Stats | Dirent | undefined): boolean =>
  found?.isFIFO() === true || (found?.isCharacterDevice() === true && !isNull(found));

/** Empty whenever it is read, hence in use as a file of no rules. */
const isNull = (found: Stats | Dirent): boolean => 'rdev' in found && found.rdev === statOf(devNull)?.rdev;

/** None where there is no folder, or it may not be looked into. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}

async function entriesSoon(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
