/**
 * Which files of a repository say what a tool runs: those of its settings, those that these or its command name, and
 * so on through files that are no sources.
 *
 * A folder that is a link holds, under its own name, what lies where it leads. Too much is found rather than too
 * little: what is found ends a consent when it changes.
 */
import { lstatSync } from 'node:fs';
import { join, posix } from 'node:path';
import ignore from 'ignore';
import { languageOf } from '../../languages/registry.js';
import type { ProgramFacts } from '../../oracle/programs.js';
import { readRepositoryFile, realPathInside, SETTINGS_BYTES_MOST } from '../disk/repository-file.js';
import { LINKED_FOLDERS } from '../process/tool-process.js';

export interface ToolPlace {
  /** A real path. */
  readonly root: string;
  /** Files that the tool will find, relative to the root. */
  readonly files: readonly string[];
  /** Texts that it will find in place of those on the disk; null for none. */
  readonly overlay: ReadonlyMap<string, string | null>;
}

export interface FilesSaid {
  readonly files: ReadonlySet<string>;
  /** False where links to folders give so many names that not all were looked at. */
  readonly isWhole: boolean;
}

/**
 * Links in circles give names without end; real trees have fewer, and where not it is said that not all was looked at.
 */
const NAMES_MOST = 200_000;
const WORD = /[\w@./-]+/gu;
/** Texts for people name all sorts of files. */
const FOR_PEOPLE = /\.(?:md|rst|txt|adoc|html|css)$/iu;
const IMPORT = /^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#]*)|import[ \t]+([^\n#]+))/gmu;

export function filesSaid(place: ToolPlace, command: readonly string[], facts: ProgramFacts): FilesSaid {
  const known = knownFiles(place);
  const names = new Names(place, known.files);
  // Whole arguments and values of options; a program text among the arguments is in the command's own digest.
  const ofCommand = command.flatMap((word) => word.split(/[=,:]/u)).flatMap((part) => names.called(part));
  const saying = ignore().add([...facts.saidBy]);
  const settings = facts.saidBy.length === 0 ? [] : [...known.files].filter((file) => saying.ignores(file));
  const named = settings.flatMap((file) => names.inText(file, facts.folderSaid));
  const found = new Set([...ofCommand, ...settings, ...named]);
  for (const file of found) {
    if (!isSource(file) && !FOR_PEOPLE.test(file))
      for (const next of names.inText(file, undefined)) if (!isSource(next)) found.add(next);
  }
  for (const file of facts.modulesSaid === undefined ? [] : names.modules(settings, facts.modulesSaid)) found.add(file);
  return { files: found, isWhole: known.isWhole };
}

/** The text that a tool will find there. */
export function textSaid({ root, overlay }: ToolPlace, file: string): string | undefined {
  const proposed = proposedFor({ root, overlay }, file);
  if (proposed !== undefined) return proposed ?? undefined;
  const read = readRepositoryFile(root, file, { bytesMost: SETTINGS_BYTES_MOST, links: 'inside' });
  return read.kind === 'file' ? read.bytes.toString('utf8') : undefined;
}

/** What is proposed for a file, or for what it is a link to; null: that it goes. */
export function proposedFor(
  { root, overlay }: Pick<ToolPlace, 'root' | 'overlay'>,
  file: string,
): string | null | undefined {
  if (overlay.has(file) || overlay.size === 0) return overlay.get(file);
  const real = realPathInside(root, file);
  return real === undefined ? undefined : overlay.get(real);
}

const isSource = (file: string): boolean => languageOf(file) !== undefined;

/** With those that a link to a folder gives another name. */
function knownFiles({ root, files, overlay }: ToolPlace): FilesSaid {
  const listed = [...new Set([...files, ...overlay.keys()])];
  const known = new Set(listed);
  let isWhole = true;
  const follow = (link: string, passed: readonly string[]): void => {
    if (!isLink(join(root, link))) return;
    const real = realPathInside(root, link);
    if (real === undefined || real === link || passed.includes(real)) return;
    const prefix = real === '' ? '' : `${real}/`;
    for (const file of listed) {
      if (!file.startsWith(prefix)) continue;
      const alias = `${link}/${file.slice(prefix.length)}`;
      isWhole &&= known.size < NAMES_MOST;
      if (!isWhole) return;
      known.add(alias);
      follow(alias, [...passed, real]);
    }
  };
  for (const file of listed) follow(file, []);
  return { files: known, isWhole };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    // A name that is too long, or a folder that may not be looked into: nothing leads anywhere from there.
    if (error instanceof Error && 'code' in error) return false;
    throw error;
  }
}

class Names {
  constructor(
    private readonly place: ToolPlace,
    private readonly known: ReadonlySet<string>,
  ) {}

  /** Files that a file's text names, by their path or as a Python module, or by a folder. */
  inText(file: string, folderSaid: RegExp | undefined): string[] {
    // Projects of C# name files as Windows does.
    const text = (textSaid(this.place, file) ?? '').replaceAll('\\', '/');
    const folder = posix.dirname(file);
    const below = [...(folderSaid === undefined ? [] : text.matchAll(folderSaid))].flatMap(([, named = '']) => {
      const prefix = `${posix.join(folder, named)}/`;
      return [...this.known].filter((one) => one.startsWith(prefix));
    });
    return [...[...text.matchAll(WORD)].flatMap(([word]) => this.called(word, folder)), ...below];
  }

  /**
   * From the root, from the `folder` of who names it, or from one that a variable stands for (`$rootDir/lib/x.jar`).
   */
  called(word: string, folder = '.'): string[] {
    const path = word.replace(/^(?:\.?\/)+/u, '');
    const module = path.replaceAll('.', '/');
    const paths = [path, posix.join(folder, word), path.slice(path.indexOf('/') + 1)];
    return [...paths, `${module}.py`, `${module}/__init__.py`].filter((file) => this.isThere(file));
  }

  /** Python modules that settings name, wherever they lie, with the packages that they are in, and what they import. */
  modules(settings: readonly string[], said: RegExp): ReadonlySet<string> {
    const begun = settings
      .flatMap((file) => [...(textSaid(this.place, file) ?? '').matchAll(said)])
      .flatMap(([, named = '']) => [...named.matchAll(WORD)])
      .flatMap(([word]) => [...this.called(word), ...this.moduleFiles(word)]);
    const found = new Set(begun);
    for (const file of found) {
      if (!file.endsWith('.py')) continue;
      for (const [, from = '', names = '', imported = ''] of (textSaid(this.place, file) ?? '').matchAll(IMPORT)) {
        const parts = [...names.matchAll(/\w+/gu)].map(([name]) => (from.endsWith('.') ? from : `${from}.`) + name);
        const whole = [from, ...parts, ...[...imported.matchAll(/[.\w]+/gu)].map(([name]) => name)];
        for (const name of whole) for (const one of this.moduleFiles(name, file)) found.add(one);
      }
    }
    return found;
  }

  /** `a.b` is also `a`, which is run first. Dots before it lead up from the folder of who imports it. */
  private moduleFiles(name: string, from = ''): string[] {
    const dots = /^\.*/u.exec(name)?.[0].length ?? 0;
    const parts = name
      .slice(dots)
      .split('.')
      .filter((part) => part !== '');
    const near = dots === 0 ? undefined : posix.join(from, ...Array<string>(dots).fill('..'));
    return parts.flatMap((_, i) => {
      const path = parts.slice(0, i + 1).join('/');
      return [`${path}.py`, `${path}/__init__.py`].flatMap((file) =>
        near === undefined ? this.endingWith(file) : [posix.join(near, file)].filter((one) => this.isThere(one)),
      );
    });
  }

  /** Wherever the search path begins. */
  private endingWith(file: string): string[] {
    return [...this.known].filter((one) => one === file || one.endsWith(`/${file}`));
  }

  /** Installed packages are listed nowhere. */
  private isThere(file: string): boolean {
    if (this.known.has(file)) return true;
    const isInstalled = LINKED_FOLDERS.some((folder) => file.startsWith(`${folder}/`));
    return isInstalled && readRepositoryFile(this.place.root, file, { bytesMost: 0, links: 'inside' }).kind !== 'gone';
  }
}
