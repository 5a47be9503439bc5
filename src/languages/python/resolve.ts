/**
 * Modules, names without a declaration, and the method resolution order.
 *
 * A specifier is looked for from source roots: directories that are no packages themselves and
 * hold the first part of the name. Roots around the importing file come first, then the
 * repository's root and `src`, then other roots by name; roots among test data and examples only
 * serve files that lie there too. Several distributions of a repository may share a namespace: what one root does
 * not have of it is looked for in the next. A name of the standard library means the library unless one of
 * the first three holds a regular module or package of that name.
 */
import { isOutside } from '../../base/outside.js';
import type { DeclRef, Entity, NameLookup, Reach, RepoView } from '../language.js';
import { BUILTINS, STANDARD_MODULES } from './builtins.js';
import { declKey, sameDecl } from '../../syntax/rows.js';

const EXTENSIONS = ['.py', '.pyi'] as const;
const PACKAGE_FILES = ['__init__.py', '__init__.pyi'] as const;
/** Directories whose modules are nobody else's. */
const PRIVATE_DIRECTORY =
  /(?:^|\/)(?:tests?|testing|testdata|test_data|fixtures?|data|examples?|samples?|docs?|benchmarks?|scripts|node_modules|site-packages|\.venv|venv)(?:\/|$)/;

// ---- modules

export function resolveModule(specifier: string, from: string, lookup: NameLookup): readonly Entity[] {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const rest = specifier.slice(dots);
  const parts = rest === '' ? [] : rest.split('.');
  if (dots > 0) return relativeModule(lookup.repo, dots, parts, from);
  return parts.length === 0 ? [] : absoluteModule(lookup.repo, parts, from);
}

function relativeModule(repo: RepoView, dots: number, parts: readonly string[], from: string): readonly Entity[] {
  let directory: string | undefined = directoryOf(from);
  for (let i = 1; i < dots && directory !== undefined; i++)
    directory = directory === '' ? undefined : directoryOf(directory);
  if (directory === undefined) return [];
  const found = moduleAt(repo, join(directory, parts.join('/')), true);
  return found === undefined ? [] : [found];
}

function absoluteModule(repo: RepoView, parts: readonly string[], from: string): readonly Entity[] {
  const [first = ''] = parts;
  const path = parts.join('/');
  const isStandard = STANDARD_MODULES.has(first);
  let held = false;
  for (const root of rootsFor(repo, first, from)) {
    const head = moduleAt(repo, join(root, first), !isStandard);
    if (head === undefined) continue;
    const found = parts.length === 1 ? head : moduleAt(repo, join(root, path), true);
    // No module means itself by a bare name.
    if (found?.kind === 'module' && found.file === from && root !== '' && root === directoryOf(from)) continue;
    // By the name that is written, so that its parts are looked for in all roots.
    if (found?.kind === 'namespace') return [{ kind: 'namespace', name: parts.join('.') }];
    if (found !== undefined) return [found];
    held ||= head.kind === 'module';
  }
  // A regular package of the repository that lacks the module: generated, or an error. A bare
  // directory of that name says nothing: distributions share namespace packages.
  return held ? [] : [{ kind: 'external', name: parts.join('.') }];
}

/**
 * The module or package at a path without extension; a directory without `__init__` is a namespace, named by its path
 * from the repository's root.
 */
function moduleAt(repo: RepoView, path: string, allowNamespace: boolean): Entity | undefined {
  for (const file of PACKAGE_FILES)
    if (repo.hasFile(join(path, file))) return { kind: 'module', file: join(path, file) };
  if (path !== '')
    for (const extension of EXTENSIONS)
      if (repo.hasFile(`${path}${extension}`)) return { kind: 'module', file: `${path}${extension}` };
  if (allowNamespace && (path === '' || repo.hasDirectory(path)))
    return { kind: 'namespace', name: path.replaceAll('/', '.') };
  return undefined;
}

/** Roots in which the first part of an absolute name may lie, best first. */
function rootsFor(repo: RepoView, first: string, from: string): readonly string[] {
  const own = directoryOf(from);
  const around: string[] = [];
  for (
    let directory: string | undefined = own;
    directory !== undefined;
    directory = directory === '' ? undefined : directoryOf(directory)
  ) {
    if (directory === '' || !isPackage(repo, directory)) around.push(directory);
    const source = join(directory, 'src');
    if (directory !== own && !around.includes(source) && repo.hasDirectory(source)) around.push(source);
  }
  if (!around.includes('src')) around.push('src');
  const known = new Set(around);
  if (!STANDARD_MODULES.has(first)) {
    for (const root of rootsHolding(repo, first)) if (!known.has(root) && isOpenTo(repo, root, own)) known.add(root);
    // A distribution is for everybody, wherever it lies.
    for (const root of namespaceRoots(repo).get(first) ?? []) known.add(root);
    // A script may import what lies beside it, even inside a package that nobody uses as one.
    const isBeside = moduleAt(repo, join(own, first), false) !== undefined;
    if (isBeside && !isUsedAsPackage(repo, own)) known.add(own);
  }
  return [...known];
}

/**
 * Whether some file right in a package imports by dots, or by the package's own name, as no script can that lies there:
 * a bare name is a library then, also where a module beside it is called so (`import redis` in `backends/redis.py`).
 */
const isUsedAsPackage = (repo: RepoView, directory: string): boolean =>
  directory !== '' &&
  isPackage(repo, directory) &&
  repo.memo('python packages in use', () => packagesInUse(repo)).has(directory);

function packagesInUse(repo: RepoView): ReadonlySet<string> {
  const used = new Set<string>();
  for (const file of repo.filesOf('python')) {
    const directory = directoryOf(file);
    if (used.has(directory) || !isPackage(repo, directory)) continue;
    let outermost = directory;
    while (outermost.includes('/') && isPackage(repo, directoryOf(outermost))) outermost = directoryOf(outermost);
    const name = outermost.slice(outermost.lastIndexOf('/') + 1);
    const isOwn = (module: string): boolean =>
      module.startsWith('.') || module === name || module.startsWith(`${name}.`);
    if (repo.summary(file)?.imports.some(({ module }) => isOwn(module)) === true) used.add(directory);
  }
  return used;
}

/** Whether files in `directory` may import from a root that is not around them. */
function isOpenTo(repo: RepoView, root: string, directory: string): boolean {
  // What a library keeps inside of a package, as what it has taken over from others, is no module of its own to users.
  if (isOutside(root) && !isOutside(directory) && isBelowPackage(repo, root)) return false;
  const match = PRIVATE_DIRECTORY.exec(root);
  if (match === null) return true;
  const shared = root.slice(0, match.index + match[0].length).replace(/\/$/, '');
  return directory === shared || directory.startsWith(`${shared}/`);
}

/** Directories that are no packages and hold a module or package of the name. Shortest first. */
function rootsHolding(repo: RepoView, name: string): readonly string[] {
  return repo.memoOfPlaces(`python roots ${name}`, () => {
    const roots = new Set<string>();
    for (const extension of EXTENSIONS)
      for (const file of repo.filesNamed(`${name}${extension}`)) roots.add(directoryOf(file));
    for (const directory of packageDirectories(repo).get(name) ?? []) roots.add(directoryOf(directory));
    return [...roots]
      .filter((root) => root === '' || !isPackage(repo, root))
      .sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  });
}

/** Directories with an `__init__` by their own name. */
function packageDirectories(repo: RepoView): ReadonlyMap<string, readonly string[]> {
  return repo.memoOfPlaces('python packages', () => {
    const byName = new Map<string, string[]>();
    for (const base of PACKAGE_FILES) {
      for (const file of repo.filesNamed(base)) {
        const directory = directoryOf(file);
        const name = directory.slice(directory.lastIndexOf('/') + 1);
        const known = byName.get(name);
        if (known === undefined) byName.set(name, [directory]);
        else known.push(directory);
      }
    }
    return byName;
  });
}

/**
 * The files of the packages that a module is in, the outermost first: importing it runs them before it. A folder
 * without one may be a package all the same.
 */
export function packagesAround(file: string, repo: RepoView): readonly string[] {
  const out: string[] = [];
  for (let directory = directoryOf(file); directory !== ''; directory = directoryOf(directory)) {
    const own = join(directory, '__init__.py');
    if (own !== file && repo.hasFile(own)) out.unshift(own);
  }
  return out;
}

/**
 * Source roots of distributions, by the namespaces without an `__init__` in them. Only of distributions: any other
 * directory with code may bear the name of a library.
 */
function namespaceRoots(repo: RepoView): ReadonlyMap<string, ReadonlySet<string>> {
  return repo.memoOfPlaces('python namespace roots', () => {
    const byName = new Map<string, Set<string>>();
    for (const directory of [...packageDirectories(repo).values()].flat()) {
      const above: string[] = [];
      let at = directory === '' ? '' : directoryOf(directory);
      for (; at !== '' && !isPackage(repo, at) && !isSourceRoot(repo, at); at = directoryOf(at)) above.push(at);
      const outermost = above.at(-1);
      if (outermost === undefined || isPackage(repo, at) || !isSourceRoot(repo, at)) continue;
      const name = outermost.slice(at === '' ? 0 : at.length + 1);
      const known = byName.get(name);
      if (known === undefined) byName.set(name, new Set([at]));
      else known.add(at);
    }
    return byName;
  });
}

/** Whether a distribution has its packages right in the directory. */
function isSourceRoot(repo: RepoView, directory: string): boolean {
  if (/(?:^|\/)src$/.test(directory)) return isDistribution(repo, directoryOf(directory));
  return isDistribution(repo, directory) && !repo.hasDirectory(join(directory, 'src'));
}

/** Whatever is outside of the repository came as a distribution, whose `setup.py` is no part of what it offers. */
const isDistribution = (repo: RepoView, directory: string): boolean =>
  repo.hasFile(join(directory, 'setup.py')) ||
  repo.config(join(directory, 'pyproject.toml')) !== undefined ||
  (isOutside(`${directory}/`) && !directory.includes('/'));

const isBelowPackage = (repo: RepoView, directory: string): boolean =>
  directory !== '' && (isPackage(repo, directory) || isBelowPackage(repo, directoryOf(directory)));

const isPackage = (repo: RepoView, directory: string): boolean =>
  PACKAGE_FILES.some((file) => repo.hasFile(join(directory, file)));

function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

function join(directory: string, path: string): string {
  return directory === '' ? path : path === '' ? directory : `${directory}/${path}`;
}

/** `pkg.name` where `pkg` is the module of a file: a module or package beside its `__init__`. */
export function submodule(module: string, name: string, lookup: NameLookup): readonly Entity[] {
  if (!/(?:^|\/)__init__\.pyi?$/.test(module)) return [];
  const found = moduleAt(lookup.repo, join(directoryOf(module), name), true);
  return found === undefined ? [] : [found];
}

/** Generated code often has no more than the stub says. */
export function stubOf(module: string, repo: RepoView): string | undefined {
  const stub = module.endsWith('.py') ? `${module}i` : undefined;
  return stub !== undefined && repo.hasFile(stub) ? stub : undefined;
}

// ---- names

/** Star imports of the file, a module of its package that it imports from, then builtins. */
export function ambient(name: string, from: string, _scope: number, lookup: NameLookup): readonly Entity[] {
  const starred = fromStars(name, from, lookup, new Set());
  if (starred.length > 0) return starred;
  const beside = boundByImport(name, from, lookup);
  if (beside.length > 0) return beside;
  return BUILTINS.has(name) ? [{ kind: 'external', name }] : [];
}

/** In a package's `__init__`, `from .loader import X` binds `loader` as well. */
function boundByImport(name: string, file: string, lookup: NameLookup): readonly Entity[] {
  const found = submodule(file, name, lookup);
  const imports = found.length === 0 ? [] : (lookup.repo.summary(file)?.imports ?? []);
  const isImported = imports.some(({ module }) => {
    const last = module.slice(module.lastIndexOf('.') + 1);
    return last === name && resolveModule(module, file, lookup).some((entity) => isSameModule(entity, found[0]));
  });
  return isImported ? found : [];
}

const isSameModule = (one: Entity, other: Entity | undefined): boolean =>
  one.kind === 'module' && other?.kind === 'module' && one.file === other.file;

/** What the star imports of a file bring in under the name; the last of them wins. */
function fromStars(name: string, file: string, lookup: NameLookup, seen: Set<string>): readonly Entity[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const summary = lookup.repo.summary(file);
  if (summary === undefined) return [];
  for (let i = summary.imports.length - 1; i >= 0; i--) {
    const entry = summary.imports[i];
    if (entry?.kind !== 'star') continue;
    for (const module of resolveModule(entry.module, file, lookup)) {
      if (module.kind !== 'module') continue;
      const of = lookup.repo.summary(module.file);
      if (
        of === undefined ||
        !isPublic(
          name,
          of.exports.map((each) => each.name),
        )
      )
        continue;
      if (lookup.topLevel(module.file, name).length > 0) return lookup.exported(module.file, name);
      const further = fromStars(name, module.file, lookup, seen);
      if (further.length > 0) return further;
    }
  }
  return [];
}

/** Whether a star import brings the name: as `__all__` says, else unless it starts with an underscore. */
function isPublic(name: string, exports: readonly string[]): boolean {
  return exports.length > 0 ? exports.includes(name) : !name.startsWith('_');
}

/** Mangled names belong to their class. One underscore is a request that code in the same package often overrules. */
export function isPrivate(name: string): boolean {
  return name.startsWith('__') && !name.endsWith('__');
}

/** What a name begins with is a request, and no rule. */
export const reach = (): Reach => 'everywhere';

// ---- classes

/** C3 linearisation; where the bases contradict each other, depth first from the left. */
export function baseOrder(type: DeclRef, basesOf: (type: DeclRef) => readonly DeclRef[]): readonly DeclRef[] {
  const order = linearised(type, basesOf, new Set(), new Map());
  return (order ?? depthFirst(type, basesOf)).filter((each) => !sameDecl(each, type));
}

/**
 * The class and its bases in order; undefined for cycles and contradictions. `known`: those that were found, since
 * there can be exponentially many ways to a base.
 */
function linearised(
  type: DeclRef,
  basesOf: (type: DeclRef) => readonly DeclRef[],
  open: Set<string>,
  known: Map<string, DeclRef[]>,
): DeclRef[] | undefined {
  const key = declKey(type);
  const found = known.get(key);
  if (found !== undefined) return found;
  if (open.has(key)) return undefined;
  const bases = basesOf(type);
  const [only] = bases;
  if (only === undefined) return [type];
  open.add(key);
  const lists: DeclRef[][] = [];
  for (const base of bases) {
    const order = linearised(base, basesOf, open, known);
    if (order === undefined) return undefined;
    lists.push(order);
  }
  open.delete(key);
  const rest = bases.length === 1 ? lists[0] : merge([...lists, [...bases]]);
  if (rest === undefined) return undefined;
  const order = [type, ...rest];
  known.set(key, order);
  return order;
}

function merge(lists: DeclRef[][]): DeclRef[] | undefined {
  const out: DeclRef[] = [];
  let left = lists.filter((list) => list.length > 0);
  while (left.length > 0) {
    const head = left
      .map((list) => list[0] as DeclRef)
      .find((candidate) => !left.some((list) => list.slice(1).some((each) => sameDecl(each, candidate))));
    if (head === undefined) return undefined;
    out.push(head);
    left = left
      .map((list) => (sameDecl(list[0] as DeclRef, head) ? list.slice(1) : list))
      .filter((list) => list.length > 0);
  }
  return out;
}

function depthFirst(type: DeclRef, basesOf: (type: DeclRef) => readonly DeclRef[]): DeclRef[] {
  const seen = new Set<string>();
  const out: DeclRef[] = [];
  const visit = (each: DeclRef): void => {
    if (seen.has(declKey(each))) return;
    seen.add(declKey(each));
    out.push(each);
    basesOf(each).forEach(visit);
  };
  visit(type);
  return out;
}
