/**
 * Namespaces of the repository and the types in them.
 *
 * A namespace is wherever some file declares it or one below it; its types are found by name
 * through the name index, so nothing is built in advance. Types are looked up by
 * their names alone: `Foo` and `Foo<T>` are found together, as are the parts of a partial type, and
 * the use says which it means (`arityInNames`).
 */
import { D, F, S, type Summary } from '../../syntax/summary.js';
import type { DeclRef, RepoView } from '../language.js';

/** Full name of the namespace that a scope lies in; '' for the global one. */
export function namespaceAt(summary: Summary, scope: number): string {
  const parts: string[] = [];
  for (let s = scope; s >= 0; s = summary.scopes.parentOf(s)) {
    if (summary.scopes.kindOf(s) === S.namespace) parts.unshift(summary.decls.nameOf(summary.scopes.ownerOf(s)));
  }
  return parts.join('.');
}

/** Full names of all namespaces that a file declares. */
export function namespacesOf(summary: Summary): readonly string[] {
  const out: string[] = [];
  for (let d = 0; d < summary.decls.count; d++)
    if (summary.decls.kindOf(d) === D.namespace) out.push(namespaceAt(summary, summary.decls.innerOf(d)));
  return out;
}

export function isNamespace(name: string, repo: RepoView): boolean {
  return repo.filesInPackage('csharp', name).length > 0;
}

/** Whether some namespace's name ends in the word. */
export function endsNamespace(word: string, repo: RepoView): boolean {
  return repo
    .memoOfPlaces('csharp ends of namespaces', () => {
      const words = new Set<string>();
      for (const file of repo.filesOf('csharp'))
        for (const name of namespacesOf(repo.summary(file) as Summary))
          for (const part of name.split('.')) words.add(part);
      return words;
    })
    .has(word);
}

/**
 * Types of a namespace by name, as seen from a file: another file's `file` types are left out, and of copies the
 * nearest count.
 */
export function typesIn(namespace: string, name: string, from: string, repo: RepoView): readonly DeclRef[] {
  return seenFrom(from, typesNamed(name, repo).get(namespace), repo);
}

export function seenFrom(from: string, types: readonly DeclRef[] | undefined, repo: RepoView): readonly DeclRef[] {
  if (types === undefined) return [];
  const visible = types.filter((type) => type.file === from || (flagsOf(type, repo) & F.private) === 0);
  return visible.length < 2 ? visible : withoutCopies(visible, from, repo);
}

/** All types of a name, by namespace. */
export function typesNamed(name: string, repo: RepoView): ReadonlyMap<string, readonly DeclRef[]> {
  return repo.memo(`csharp types named ${name}`, () => findTypes(name, repo));
}

function findTypes(name: string, repo: RepoView): ReadonlyMap<string, readonly DeclRef[]> {
  const out = new Map<string, DeclRef[]>();
  for (const file of repo.filesDeclaring('csharp', name)) {
    const summary = repo.summary(file);
    const row = summary === undefined ? -1 : summary.idOf(name);
    if (summary === undefined || row < 0) continue;
    for (const decl of summary.decls.named(row)) {
      if (summary.decls.kindOf(decl) > D.delegate) continue;
      const scope = summary.decls.scopeOf(decl);
      if (scope !== 0 && summary.scopes.kindOf(scope) !== S.namespace) continue;
      const namespace = namespaceAt(summary, scope);
      const known = out.get(namespace);
      if (known === undefined) out.set(namespace, [{ file, decl }]);
      else known.push({ file, decl });
    }
  }
  return out;
}

const flagsOf = (type: DeclRef, repo: RepoView): number => repo.summary(type.file)?.decls.flagsOf(type.decl) ?? 0;

/**
 * Where several projects declare a type of the same full name and arity, the nearest in the tree of folders; parts of a
 * partial type stay together.
 */
function withoutCopies(types: readonly DeclRef[], from: string, repo: RepoView): readonly DeclRef[] {
  const nearest = new Map<number, number>();
  const arityOf = (type: DeclRef): number => {
    const summary = repo.summary(type.file);
    return summary === undefined ? 0 : summary.decls.typeParamsOf(type.decl).length;
  };
  for (const type of types)
    nearest.set(arityOf(type), Math.max(nearest.get(arityOf(type)) ?? 0, sharedFolders(type.file, from)));
  return types.filter(
    (type) => (flagsOf(type, repo) & F.partial) !== 0 || sharedFolders(type.file, from) === nearest.get(arityOf(type)),
  );
}

/** Number of leading folders that two paths have in common. */
function sharedFolders(a: string, b: string): number {
  let count = 0;
  for (let i = 0; i < a.length && a[i] === b[i]; i++) if (a[i] === '/') count++;
  return count;
}
