/**
 * What somebody allows who lets a tool loose on a repository: its command, the program itself where
 * that lies in the repository, the files that say what it runs, and files that those name.
 *
 * Content counts, not dates, but for what lies behind many files of one folder. Of an installed package everything that
 * can be run is read; of a virtual environment the lists of what is installed in it.
 */
import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { namesInWords } from '../../base/counted.js';
import { factsOfProgram, type ProgramFacts } from '../../oracle/programs.js';
import { isBelow, pathBelow, readRepositoryFile } from '../disk/repository-file.js';
import { TOOL_FOLDERS } from '../process/tool-process.js';
import { filesSaid, proposedFor, type ToolPlace } from './files-said.js';
import { digestOfText, type Grant, type Standing } from './trust.js';

export interface ToolGrant extends Grant {
  readonly command: readonly string[];
  /** Path of the program in the repository, or undefined: it is the person's own. */
  readonly ownProgram: string | undefined;
  /** Whether it may only be run once this is granted. */
  readonly needed: boolean;
  readonly facts: ProgramFacts;
}

/** A compiler in one file, bundled, takes some ten megabytes. */
const PROGRAM_BYTES_MOST = 64 * 1024 * 1024;
/** So many files of a folder are read before a tool is run; of those behind them it counts when they last changed. */
const PACKAGE_FILES_READ_MOST = 5000;
/** Of a package, what is not run: types, maps, texts. */
const NOT_RUN = /\.(?:d\.[cm]?ts|pyi|map|md|txt|html|css)$/iu;

/** Under which names tools are trusted. */
export const oracleGrant = (preset: string): string => `oracle ${preset}`;
export const serverGrant = (language: string): string => `language server ${language}`;
/** In place of a preset's name. */
export const COMMAND_OF_SETTINGS = 'of the settings';

/** The command by which a person allows a tool. */
export function howToTrust(grant: string): string {
  const preset = /^oracle (\S+)$/u.exec(grant)?.[1];
  return preset === undefined ? 'codeplan trust' : `codeplan trust --oracle ${preset}`;
}

/** Whether a tool may be run, with the repository's own programs or without; `refusal` says why it may not. */
export function consentTo(
  grant: ToolGrant,
  standing: (grant: Grant) => Standing,
): { readonly ownTools: boolean; readonly refusal?: string } {
  const said = standing(grant);
  if (said.kind === 'granted') return { ownTools: true };
  if (!grant.needed) return { ownTools: false };
  const since =
    said.kind === 'never' ? 'you have not allowed that' : `since you allowed it, ${namesInWords(said.items)} changed`;
  return {
    ownTools: false,
    refusal:
      `${grant.command[0] ?? ''} runs ${grant.facts.runs}, and ${since}; "${howToTrust(grant.name)}" shows ` +
      'what it would run, and allows it',
  };
}

/** `fixed`: the arguments are ours, so a program that only reads needs no consent. */
export function grantOfTool(name: string, command: readonly string[], place: ToolPlace, fixed: boolean): ToolGrant {
  const facts = factsOfProgram(command, fixed);
  const items = new Map([['the command', digestOfText(JSON.stringify(command))]]);
  const ownProgram = programIn(place.root, command[0] ?? '');
  if (ownProgram !== undefined) takeProgram(items, place.root, ownProgram);
  for (const path of facts.installed ?? []) takeInstalled(items, place.root, path);
  const said = filesSaid(place, command, facts);
  for (const file of said.files) items.set(file, digestOf(place, file));
  // Nobody can consent to what nobody has looked at.
  if (!said.isWhole) items.set('links to folders', randomUUID());
  const isHarmless = facts.onlyReads && (fixed || said.files.size === 0);
  const needed = !isHarmless || inRepository(place.root, command[0] ?? '');
  return { name, items, command, ownProgram, needed, facts };
}

/** The program of that name in the repository's tool folders, or the path itself where it leads into the repository. */
function programIn(root: string, program: string): string | undefined {
  if (inRepository(root, program)) return pathBelow(root, resolve(root, program));
  if (/[\\/]/u.test(program)) return undefined;
  const places = TOOL_FOLDERS.flatMap((folder) =>
    ['', '.cmd', '.exe'].map((ending) => `${folder}/${program}${ending}`),
  );
  return places.find((path) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined);
}

/** Whether a program is named by a path that leads into the repository. */
function inRepository(root: string, program: string): boolean {
  return /[\\/]/u.test(program) && isBelow(root, resolve(root, program));
}

function takeProgram(items: Map<string, string>, root: string, program: string): void {
  const real = realIn(root, program);
  items.set(program, real === undefined ? 'leads out of the repository' : fileDigest(root, real));
  const environment = /^(\.venv|venv)\//u.exec(program)?.[1];
  if (environment !== undefined) items.set(`${environment}: what is installed`, installedDigest(root, environment));
  if (real === undefined || !/(?:^|\/)node_modules\//u.test(real)) return;
  for (let folder = dirname(real); folder !== '.' && !folder.endsWith('node_modules'); folder = dirname(folder)) {
    if (lstatSync(join(root, folder, 'package.json'), { throwIfNoEntry: false }) === undefined) continue;
    items.set(`${folder}/`, packageDigest(root, folder));
    break;
  }
  takeInstalled(items, root, 'node_modules/.package-lock.json');
}

/** A package, with a slash behind it, or a list of what is installed. */
function takeInstalled(items: Map<string, string>, root: string, path: string): void {
  const real = realIn(root, path);
  if (real === undefined) return;
  items.set(path, path.endsWith('/') ? packageDigest(root, real) : fileDigest(root, real));
}

function realIn(root: string, path: string): string | undefined {
  try {
    const real = realpathSync.native(join(root, path));
    return isBelow(root, real) ? pathBelow(root, real) : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function fileDigest(root: string, path: string): string {
  const file = readRepositoryFile(root, path, { bytesMost: PROGRAM_BYTES_MOST, links: 'inside' });
  return file.kind === 'file' ? digestOfText(file.bytes) : file.kind === 'gone' ? 'gone' : file.reason;
}

/** Over names and contents of everything in a package's folder that can be run, but for packages inside of it. */
function packageDigest(root: string, folder: string): string {
  const paths = filesBelow(root, folder, (entry) => entry.name !== 'node_modules');
  return filesDigest(
    root,
    paths.filter((path) => !NOT_RUN.test(path)),
  );
}

/** What cannot be read in time goes by its size and the time of its last change, which nobody can set back. */
function filesDigest(root: string, paths: readonly string[]): string {
  const lines = paths.map((path, i) => {
    if (i < PACKAGE_FILES_READ_MOST) return `${path} ${fileDigest(root, path)}\n`;
    const stats = statSync(join(root, path), { throwIfNoEntry: false, bigint: true });
    return `${path} ${stats === undefined ? 'gone' : `${stats.size} ${stats.ctimeNs}`}\n`;
  });
  return digestOfText(lines.join(''));
}

/** Over the lists of installed files, which hold a digest of each, and the files that run at every start. */
function installedDigest(root: string, environment: string): string {
  const isSpoken = (path: string): boolean => /(?:\.dist-info\/RECORD|\.pth|\/pyvenv\.cfg)$/u.test(path);
  const skipped = /^(?:__pycache__|bin|include|share)$/u;
  // <environment>/lib/python3.12/site-packages/<name>.dist-info
  const paths = filesBelow(root, environment, (entry, depth) =>
    depth < 3 ? !skipped.test(entry.name) : depth === 3 && entry.name.endsWith('.dist-info'),
  );
  return filesDigest(root, paths.filter(isSpoken));
}

/** Sorted; what links lead to inside of the root is there under their names, each folder once. */
function filesBelow(root: string, folder: string, enters: (entry: Dirent, depth: number) => boolean): string[] {
  const out: string[] = [];
  const seen = new Set<string>();
  const walk = (at: string, depth: number): void => {
    const real = realIn(root, at);
    if (real === undefined || seen.has(real)) return;
    seen.add(real);
    const entries = readdirSync(join(root, at), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${at}/${entry.name}`;
      const kind = entry.isSymbolicLink() ? linked(root, path) : entry;
      if (kind?.isFile() === true) out.push(path);
      else if (kind?.isDirectory() === true && enters(entry, depth)) walk(path, depth + 1);
    }
  };
  walk(folder, 0);
  return out;
}

/** What a link leads to inside of the root. */
function linked(root: string, path: string): Stats | undefined {
  const real = realIn(root, path);
  return real === undefined ? undefined : statSync(join(root, real), { throwIfNoEntry: false });
}

function digestOf(place: ToolPlace, file: string): string {
  const proposed = proposedFor(place, file);
  if (proposed === undefined) return fileDigest(place.root, file);
  return proposed === null ? 'gone' : digestOfText(proposed);
}
