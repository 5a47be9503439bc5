/**
 * What using directives bring into a file: its own, by the namespace they stand in, and the
 * global ones of its project, from other files and from project files.
 *
 * A project is the nearest folder upwards with a `.csproj`; without any the repository is one.
 */
import { folderOf } from '../../base/paths.js';
import { D, type Summary } from '../../syntax/summary.js';
import type { RepoView } from '../language.js';
import { buildFiles, projectsNamed, usingItems, type Using } from './build-files.js';

const ofScope = new WeakMap<Summary, ReadonlyMap<number, readonly Using[]>>();

/** Usings of a file that are not aliases, by the scope they stand in. Aliases are declarations of that scope. */
export function usingsIn(summary: Summary, scope: number): readonly Using[] {
  let byScope = ofScope.get(summary);
  if (byScope === undefined) {
    const made = new Map<number, Using[]>();
    for (const entry of summary.imports) {
      if (entry.kind !== 'star' && entry.kind !== 'static') continue;
      const at = scopeOf(summary, entry.statementStart);
      const using: Using = { kind: entry.kind === 'star' ? 'namespace' : 'static', path: entry.module, alias: '' };
      const known = made.get(at);
      if (known === undefined) made.set(at, [using]);
      else known.push(using);
    }
    ofScope.set(summary, made);
    byScope = made;
  }
  return byScope.get(scope) ?? [];
}

/** The scope of the innermost namespace around an offset; 0 for none. */
function scopeOf(summary: Summary, offset: number): number {
  const { decls } = summary;
  let scope = 0;
  for (let d = 0; d < decls.count; d++) {
    if (decls.kindOf(d) === D.namespace && decls.bodyStartOf(d) <= offset && offset < decls.endOf(d))
      scope = decls.innerOf(d);
  }
  return scope;
}

/** Global usings that hold for a file. */
export function globalUsings(file: string, repo: RepoView): readonly Using[] {
  const byProject = repo.memoOfPlaces('csharp global usings', () => allGlobalUsings(repo));
  return byProject.get(projectOf(file, repo)) ?? [];
}

function allGlobalUsings(repo: RepoView): ReadonlyMap<string, readonly Using[]> {
  const out = new Map<string, Using[]>();
  const add = (project: string, usings: readonly Using[]): void => {
    if (usings.length > 0) out.set(project, [...(out.get(project) ?? []), ...usings]);
  };
  for (const file of repo.filesOf('csharp')) {
    const summary = repo.summary(file);
    if (summary !== undefined && summary.imports.some((entry) => entry.global))
      add(projectOf(file, repo), globalsOf(summary));
  }
  for (const [project, files] of buildFiles(repo))
    for (const file of files) add(project, usingItems(repo.config(file) ?? ''));
  return out;
}

function globalsOf(summary: Summary): Using[] {
  return summary.imports
    .filter((entry) => entry.global)
    .map((entry) => {
      if (entry.kind === 'star') return { kind: 'namespace', path: entry.module, alias: '' };
      if (entry.kind === 'static') return { kind: 'static', path: entry.module, alias: '' };
      return {
        kind: 'alias',
        path: entry.module === '' ? entry.name : `${entry.module}.${entry.name}`,
        alias: entry.decl < 0 ? '' : summary.decls.nameOf(entry.decl),
      };
    });
}

/** Whether a file's project refers to the one that holds another file, or either belongs to none. */
export function canName(from: string, target: string, repo: RepoView): boolean {
  const [own, other] = [projectOf(from, repo), projectOf(target, repo)];
  if (own === '' || other === '' || own === other) return true;
  return repo.memoOfPlaces(`csharp projects named by ${own}`, () => projectsNamed(repo, own)).has(other);
}

/** Folder of the project that a file belongs to; '' also where there is none. */
function projectOf(file: string, repo: RepoView): string {
  const folders = repo.memoOfPlaces(
    'csharp project folders',
    () => new Set(repo.configsNamed('*.csproj').map(folderOf)),
  );
  for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return folder;
  return '';
}
