/**
 * Project files of MSBuild, as far as they say something for the code: the namespaces that they open everywhere, and
 * which projects they refer to.
 *
 *     <project>/X.csproj          its own items, and those of files that it imports
 *     Directory.Build.props       \ of every folder around the project,
 *     Directory.Build.targets     / and what they import
 *
 * Properties and conditions are not worked out: a property in a path stands for any text, and what is opened under a
 * condition is taken to be open. That errs towards names that are found.
 */
import { folderOf } from '../../base/paths.js';
import type { RepoView } from '../language.js';

/** A using directive as far as lookup needs it. */
export interface Using {
  /** `namespace`: its types; `static`: static members and nested types of a type; `alias`: one name. */
  readonly kind: 'namespace' | 'static' | 'alias';
  /** Namespace or type as written. */
  readonly path: string;
  /** The name of an alias; '' otherwise. */
  readonly alias: string;
}

/** Base names of the files that are read. */
export const BUILD_FILES = ['*.csproj', '*.props', '*.targets'] as const;
/** Those that count for every project below their folder. */
const SHARED = ['Directory.Build.props', 'Directory.Build.targets'];

/** The files that hold for each project, by its folder; without a project they hold for the repository, ''. */
export function buildFiles(repo: RepoView): ReadonlyMap<string, ReadonlySet<string>> {
  const all = BUILD_FILES.flatMap((name) => repo.configsNamed(name));
  const out = new Map<string, Set<string>>();
  const add = (project: string, file: string): void => {
    const files = out.get(project) ?? new Set<string>();
    out.set(project, files);
    const open = [file];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (files.has(next)) continue;
      files.add(next);
      open.push(...importedBy(next, repo.config(next) ?? '', all));
    }
  };
  const projects = repo.configsNamed('*.csproj');
  for (const file of projects) add(folderOf(file), file);
  for (const file of SHARED.flatMap((name) => repo.configsNamed(name))) {
    const folder = folderOf(file);
    const below = new Set(
      projects
        .map(folderOf)
        .filter((project) => folder === '' || project === folder || project.startsWith(`${folder}/`)),
    );
    for (const project of below.size === 0 ? [''] : below) add(project, file);
  }
  return out;
}

/** Files that `<Import Project="…" />` items mean. */
const importedBy = (file: string, text: string, all: readonly string[]): string[] =>
  [...text.matchAll(/<Import\b[^>]*>/g)].flatMap(([item]) => filesMeant(file, attribute(item, 'Project') ?? '', all));

/** Folders of the projects whose types those of a project can name: its own, and what it refers to, step by step. */
export function projectsNamed(repo: RepoView, project: string): ReadonlySet<string> {
  const all = repo.configsNamed('*.csproj');
  const files = buildFiles(repo);
  const out = new Set([project]);
  for (const folder of out)
    for (const file of files.get(folder) ?? [])
      for (const [item] of (repo.config(file) ?? '').matchAll(/<ProjectReference\b[^>]*>/g))
        for (const path of (attribute(item, 'Include') ?? '').split(';'))
          for (const named of filesMeant(file, path.trim(), all)) out.add(folderOf(named));
  return out;
}

/** Which of the files a path in a build file may mean. */
function filesMeant(file: string, written: string, all: readonly string[]): string[] {
  const path = written.replaceAll('\\', '/');
  if (path === '') return [];
  const here = `${folderOf(file)}/`.replace(/^\//, '');
  const isFromHere = !path.startsWith('$(') || THIS_FOLDER.test(path);
  const literals = `${isFromHere ? here : ''}${path.replace(THIS_FOLDER, '')}`.split(PROPERTY).map(plainPath);
  // A property alone may mean any file.
  return literals.some((literal) => /\w\/|\/\w|\w\.\w/.test(literal)) ? all.filter((each) => fits(each, literals)) : [];
}

const THIS_FOLDER = /^\$\(MSBuildThisFileDirectory\)\/?/i;
const PROPERTY = /\$\([^()]*\)/;

/** Without `./`, and with `a/../` gone. */
function plainPath(path: string): string {
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && out.length > 0 && out.at(-1) !== '..') out.pop();
    else if (part !== '.') out.push(part);
  }
  return out.join('/');
}

/** Whether the literals stand in the path in their order, the first at its beginning and the last at its end. */
function fits(path: string, literals: readonly string[]): boolean {
  const [first = '', ...others] = literals;
  const last = others.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const literal of others) {
    const found = path.indexOf(literal, at);
    if (found < 0) return false;
    at = found + literal.length;
  }
  return path.length - last.length >= at && path.endsWith(last);
}

/** `<Using Include="A.B;C" Static="true" Alias="X" />` items of a file. */
export function usingItems(text: string): Using[] {
  return [...text.matchAll(/<Using\b[^>]*>/g)].flatMap(([item]) => {
    const alias = attribute(item, 'Alias') ?? '';
    const isStatic = /\bStatic\s*=\s*"true"/i.test(item);
    const kind = alias !== '' ? 'alias' : isStatic ? 'static' : 'namespace';
    const paths = (attribute(item, 'Include') ?? '').split(';').map((path) => path.trim());
    return paths.filter((path) => path !== '').map((path): Using => ({ kind, path, alias }));
  });
}

const attribute = (item: string, name: 'Project' | 'Include' | 'Alias'): string | undefined =>
  ATTRIBUTES[name].exec(item)?.[1];

const ATTRIBUTES = {
  Project: /\bProject\s*=\s*"([^"]*)"/,
  Include: /\bInclude\s*=\s*"([^"]*)"/,
  Alias: /\bAlias\s*=\s*"([^"]*)"/,
};
