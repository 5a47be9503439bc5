/**
 * From a module specifier to the file of the repository that it means.
 *
 * Tried in order: relative path; `paths` and `baseUrl` of the nearest configuration; `#imports` of
 * the package around; packages of the repository by name. A path to built output that is not
 * there is mapped back to its source, by the compiler's settings of the package or else by custom: `dist/x.js` to
 * `src/x.ts`, `x.d.ts` to `x.ts`. Declarations that a build made,
 * and that are kept beside their source all the same, mean the source.
 */
import type { RepoView } from '../language.js';
import { optionsFor, outputsIn, packageAround, packagesByName, type PackageManifest } from './configuration.js';
import { folderOf, pathFrom } from '../../base/paths.js';

/** What a file that is imported without an extension may end in, best first. */
const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.mts', '.d.cts'];
/** What stands in the source for an ending as it is imported; TypeScript wins over JavaScript beside it. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts', '.js', '.jsx'],
  '.jsx': ['.tsx', '.jsx', '.d.ts'],
  '.mjs': ['.mts', '.d.mts', '.mjs'],
  '.cjs': ['.cts', '.d.cts', '.cjs'],
  '.d.ts': ['.d.ts', '.ts', '.tsx'],
  '.d.mts': ['.d.mts', '.mts', '.ts'],
  '.d.cts': ['.d.cts', '.cts', '.ts'],
  '.ts': ['.ts'],
  '.tsx': ['.tsx'],
  '.mts': ['.mts'],
  '.cts': ['.cts'],
};
const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/;
const DECLARATIONS = /\.d\.[cm]?ts$/;
const TYPED = /\.[cm]?tsx?$/;
/** Directories that hold what a build made. */
const BUILT: ReadonlySet<string> = new Set([
  'dist',
  'lib',
  'build',
  'out',
  'output',
  'esm',
  'cjs',
  'es',
  'umd',
  'types',
  'typings',
  'node',
  'browser',
  'module',
  'commonjs',
  'import',
  'require',
]);

/** Where the source of a built file may stand, below its package; the later ones by the custom of bundlers' entries. */
const SOURCE_FOLDERS = [
  'src',
  'source',
  '',
  'src/exports',
  'src/entries',
  'src/entrypoints',
  'exports',
  'entries',
  'entrypoints',
];

/** `../node_modules/x`: the package x, named by where it is installed. */
const INSTALLED = /^(?:.*\/)?node_modules\//;

/** A file; `missing`: it should be in the repository but is not; `outside`: it comes from elsewhere. */
export type ModuleFile = { readonly file: string } | 'missing' | 'outside';

export function moduleFile(repo: RepoView, specifier: string, from: string): ModuleFile {
  const dir = folderOf(from);
  return repo.memoOfPlaces(`typescript module ${dir}\0${specifier}`, () => find(repo, specifier, dir));
}

export const isRelative = (specifier: string): boolean => /^\.\.?(?:\/|$)/.test(specifier);

function find(repo: RepoView, specifier: string, dir: string): ModuleFile {
  if (isRelative(specifier)) {
    const path = pathFrom(dir, specifier);
    const file = fileAt(repo, path);
    if (file !== undefined) return { file };
    const source = sourceBeside(repo, path);
    if (source !== undefined) return { file: source };
    const installed = INSTALLED.exec(specifier);
    if (installed !== null) return packageFile(repo, specifier.slice(installed[0].length)) ?? 'outside';
    return /\.\w+$/.test(specifier) && !ENDING.test(specifier) && !hasStem(repo, path) ? 'outside' : 'missing';
  }
  const mapped = mappedFile(repo, specifier, dir);
  if (mapped !== undefined) return mapped;
  return specifier.startsWith('#') ? importedFile(repo, specifier, dir) : (packageFile(repo, specifier) ?? 'outside');
}

/** Of a path to what a build of the package around it made: tests are often written against that. */
function sourceBeside(repo: RepoView, path: string): string | undefined {
  const around = packageAround(repo, folderOf(path));
  if (around === undefined) return undefined;
  const below = around.dir === '' ? path : path.slice(around.dir.length + 1);
  // A build puts nothing among the sources.
  return /^(?:src|source)\//.test(below) ? undefined : sourceOfBuilt(repo, around.dir, below);
}

function importedFile(repo: RepoView, specifier: string, dir: string): ModuleFile {
  const around = packageAround(repo, dir);
  const file = around === undefined ? undefined : firstFile(repo, around.dir, matches(around.imports, specifier));
  return file === undefined ? 'missing' : { file };
}

/** Whether `./x.y` may be the start of the name of a file `x.y.ts`, rather than a style sheet or picture. */
const hasStem = (repo: RepoView, path: string): boolean => repo.hasDirectory(path);

function mappedFile(repo: RepoView, specifier: string, dir: string): ModuleFile | undefined {
  const options = optionsFor(repo, dir);
  const table = new Map(options.mappings.map((mapping) => [mapping.pattern, mapping.targets]));
  for (const target of matches(table, specifier)) {
    const file = fileAt(repo, target) ?? sourceOfBuilt(repo, '', target);
    if (file !== undefined) return { file };
  }
  const file = options.baseUrl === undefined ? undefined : fileAt(repo, pathFrom(options.baseUrl, specifier));
  return file === undefined ? undefined : { file };
}

/** Targets of the patterns that fit, an exact one first, then the one with the longest text before its star. */
function matches(table: ReadonlyMap<string, readonly string[]>, specifier: string): string[] {
  const exact = table.get(specifier);
  if (exact !== undefined) return [...exact];
  const fitting: { readonly length: number; readonly star: string; readonly targets: readonly string[] }[] = [];
  for (const [pattern, targets] of table) {
    const star = pattern.indexOf('*');
    if (star < 0) continue;
    const before = pattern.slice(0, star);
    const after = pattern.slice(star + 1);
    if (specifier.length < before.length + after.length || !specifier.startsWith(before) || !specifier.endsWith(after))
      continue;
    fitting.push({
      length: before.length,
      star: specifier.slice(before.length, specifier.length - after.length),
      targets,
    });
  }
  fitting.sort((a, b) => b.length - a.length);
  return fitting.flatMap((fit) => fit.targets.map((target) => target.replace('*', () => fit.star)));
}

function packageFile(repo: RepoView, specifier: string): ModuleFile | undefined {
  const parts = specifier.split('/');
  const length = specifier.startsWith('@') ? 2 : 1;
  const found = packagesByName(repo).get(parts.slice(0, length).join('/'));
  if (found === undefined) return undefined;
  const file = fileOfPackage(repo, found, parts.slice(length).join('/'));
  return file === undefined ? 'missing' : { file };
}

function fileOfPackage(repo: RepoView, manifest: PackageManifest, subpath: string): string | undefined {
  const exported =
    manifest.exports === undefined ? [] : matches(manifest.exports, subpath === '' ? '.' : `./${subpath}`);
  const targets =
    subpath === ''
      ? [...exported, ...manifest.entries, 'src/index', 'index']
      : [...exported, subpath, `src/${subpath}`];
  const file = firstFile(repo, manifest.dir, targets);
  if (file === undefined) return subpath === '' ? bundledEntry(repo, manifest) : undefined;
  return typedSource(repo, manifest.dir, file, subpath) ?? file;
}

/** The source that a package's scripts make its entry of: the first that they name and that is no other subpath's. */
function bundledEntry(repo: RepoView, manifest: PackageManifest): string | undefined {
  const sources = manifest.bundled.flatMap((path) => {
    const file = pathFrom(manifest.dir, path);
    return repo.hasFile(file) ? [file] : [];
  });
  if (sources.length < 2) return sources[0];
  const subpaths = [...(manifest.exports?.keys() ?? [])].filter((subpath) => subpath !== '.' && !subpath.includes('*'));
  const taken = new Set(subpaths.map((subpath) => fileOfPackage(repo, manifest, subpath.replace(/^\.\//, ''))));
  return sources.find((file) => !taken.has(file));
}

/** The TypeScript file that declarations in an output folder of a package are made of, where it can be told. */
function typedSource(repo: RepoView, dir: string, declarations: string, subpath: string): string | undefined {
  const target = dir === '' ? declarations : declarations.slice(dir.length + 1);
  if (!DECLARATIONS.test(target) || !target.split('/').some((part) => BUILT.has(part))) return undefined;
  const sources = [
    sourceOfBuilt(repo, dir, target),
    subpath === '' ? fileAt(repo, pathFrom(dir, 'src/index')) : undefined,
  ];
  return sources.find((file) => file !== undefined && TYPED.test(file) && !DECLARATIONS.test(file));
}

function firstFile(repo: RepoView, dir: string, targets: readonly string[]): string | undefined {
  for (const target of targets) {
    const file = fileAt(repo, pathFrom(dir, target)) ?? sourceOfBuilt(repo, dir, target);
    if (file !== undefined) return file;
  }
  return undefined;
}

/** The source of a built file, in what the compiler's settings say, or where it stands by custom. */
const sourceOfBuilt = (repo: RepoView, dir: string, target: string): string | undefined =>
  sourceBySettings(repo, dir, target) ?? sourceByCustom(repo, dir, target);

function sourceBySettings(repo: RepoView, dir: string, target: string): string | undefined {
  const path = pathFrom(dir, target);
  for (const { made, sources } of outputsIn(repo, dir)) {
    if (!path.startsWith(`${made}/`)) continue;
    const source = pathFrom(sources, path.slice(made.length + 1));
    const file = fileAt(repo, source) ?? fileAt(repo, source.replace(ENDING, ''));
    if (file !== undefined) return file;
  }
  return undefined;
}

/** Leading output directories dropped, in `src` or beside the package file. */
function sourceByCustom(repo: RepoView, dir: string, target: string): string | undefined {
  const parts = pathFrom('', target).split('/');
  const first = parts.findIndex((part) => BUILT.has(part));
  if (first < 0) return undefined;
  let last = first;
  while (last < parts.length - 1 && BUILT.has(parts[last] as string)) last++;
  const before = parts.slice(0, first).join('/');
  for (let skipped = last; skipped > first; skipped--) {
    const rest = parts.slice(skipped).join('/');
    for (const source of SOURCE_FOLDERS) {
      const path = pathFrom(pathFrom(dir, before), `${source}/${rest}`);
      // A bundler names its output as it likes: `x.mjs` may be made of `x.ts`.
      const file = fileAt(repo, path) ?? fileAt(repo, path.replace(ENDING, ''));
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

/** The file that a path without or with an ending means; a directory means its package's entry or its index. */
function fileAt(repo: RepoView, path: string): string | undefined {
  const ending = ENDING.exec(path)?.[0];
  if (ending !== undefined) {
    const stem = path.slice(0, path.length - ending.length);
    for (const other of SOURCES[ending] ?? [ending]) if (repo.hasFile(stem + other)) return stem + other;
  }
  for (const other of ENDINGS) if (repo.hasFile(path + other)) return path + other;
  if (path !== '' && !repo.hasDirectory(path)) return undefined;
  for (const other of ENDINGS) {
    const index = path === '' ? `index${other}` : `${path}/index${other}`;
    if (repo.hasFile(index)) return index;
  }
  const manifest = repo.config(pathFrom(path, 'package.json'));
  return manifest === undefined ? undefined : entryOf(repo, path);
}

function entryOf(repo: RepoView, dir: string): string | undefined {
  const manifest = packageAround(repo, dir);
  if (manifest === undefined || manifest.dir !== dir) return undefined;
  for (const target of manifest.entries) {
    const path = pathFrom(dir, target);
    if (path !== dir) {
      const ending = ENDING.exec(path)?.[0] ?? '';
      const stem = path.slice(0, path.length - ending.length);
      for (const other of SOURCES[ending] ?? ENDINGS) if (repo.hasFile(stem + other)) return stem + other;
    }
  }
  return undefined;
}

/**
 * What the packages of a repository hand to those who name them, by their `exports` and entries; a pattern says no
 * file. Private packages hand out nothing, unless there are no others or they say themselves what they hand out and are
 * the repository as a whole: some are published from a folder that a build makes.
 */
export function entryFiles(repo: RepoView): readonly string[] {
  const packages = [...packagesByName(repo).values()].map((manifest) => ({
    manifest,
    files: entriesOf(repo, manifest),
  }));
  const published = packages.filter(({ manifest, files }) => isPublished(manifest) && files.length > 0);
  return [...new Set((published.length > 0 ? published : packages).flatMap(({ files }) => files))].sort();
}

const isPublished = ({ isPrivate, dir, entries, exports }: PackageManifest): boolean =>
  !isPrivate || (dir === '' && (entries.length > 0 || exports !== undefined));

function entriesOf(repo: RepoView, manifest: PackageManifest): readonly string[] {
  return [...new Set(['.', ...(manifest.exports?.keys() ?? [])])].flatMap((subpath) =>
    subpath.includes('*') ? [] : (fileOfPackage(repo, manifest, subpath.replace(/^\.\/?/, '')) ?? []),
  );
}
