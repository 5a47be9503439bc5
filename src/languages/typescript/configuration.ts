/**
 * What `tsconfig.json`, `jsconfig.json` and `package.json` say about where modules are.
 *
 * Read from the texts that the repository view keeps, parsed once a snapshot. `extends` is
 * followed where it is relative, and `references` of a configuration without paths of its own.
 * A text that is no JSON counts as empty: broken configuration is data, and the modules that it
 * would have mapped are not found.
 */
import type { RepoView } from '../language.js';
import { folderOf, pathFrom } from '../../base/paths.js';

export const CONFIG_FILES: readonly string[] = [
  'package.json',
  'tsconfig.json',
  'jsconfig.json',
  ...[
    'base',
    'app',
    'lib',
    'build',
    'common',
    'options',
    'settings',
    'shared',
    'paths',
    'node',
    'web',
    'src',
    'browser',
    'test',
    'spec',
  ].map((part) => `tsconfig.${part}.json`),
];

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

export interface PathMapping {
  /** `@app/*`: at most one star. */
  readonly pattern: string;
  /** Paths from the root of the repository, with the star. */
  readonly targets: readonly string[];
}

export interface ModuleOptions {
  readonly mappings: readonly PathMapping[];
  /** Directory that bare specifiers are tried in. */
  readonly baseUrl: string | undefined;
}

export interface PackageManifest {
  readonly dir: string;
  readonly name: string;
  /** Never published as it is. */
  readonly isPrivate: boolean;
  /** Paths that the package as a whole means, as written, best first. */
  readonly entries: readonly string[];
  /** Subpaths (`.`, `./x`, `./x/*`) with their targets, as written; undefined if the package does not say. */
  readonly exports: ReadonlyMap<string, readonly string[]> | undefined;
  /** `#x` with its targets. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** Paths of sources that its scripts name, as written: what a bundler begins with. */
  readonly bundled: readonly string[];
}

const NO_OPTIONS: ModuleOptions = { mappings: [], baseUrl: undefined };
/** How many configurations `extends` and `references` may lead through. */
const CHAIN_MOST = 8;

/** The options of the nearest configuration above a directory. */
export function optionsFor(repo: RepoView, dir: string): ModuleOptions {
  return repo.memoOfPlaces(`typescript options ${dir}`, () => {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const file = pathFrom(dir, name);
      if (repo.config(file) !== undefined) return optionsOf(repo, file, 0) ?? NO_OPTIONS;
    }
    return dir === '' ? NO_OPTIONS : optionsFor(repo, folderOf(dir));
  });
}

/** Own options of a configuration, else those it extends, else those of a project it refers to. */
function optionsOf(repo: RepoView, file: string, depth: number): ModuleOptions | undefined {
  const text = repo.config(file);
  if (text === undefined || depth > CHAIN_MOST) return undefined;
  const json = parseLoose(text);
  const dir = folderOf(file);
  const compiler = objectIn(json['compilerOptions']);
  const inherited = stringsIn(json['extends'])
    .map((base) => extendedOptions(repo, dir, base, depth))
    .filter((options) => options !== undefined)
    .pop();
  const baseUrl = typeof compiler['baseUrl'] === 'string' ? pathFrom(dir, compiler['baseUrl']) : inherited?.baseUrl;
  const paths = compiler['paths'] === undefined ? undefined : objectIn(compiler['paths']);
  const mappings =
    paths === undefined
      ? (inherited?.mappings ?? [])
      : Object.entries(paths).map(([pattern, targets]) => ({
          pattern,
          targets: stringsIn(targets).map((target) => pathFrom(baseUrl ?? dir, target)),
        }));
  if (mappings.length > 0 || baseUrl !== undefined) return { mappings, baseUrl };
  for (const reference of Array.isArray(json['references']) ? (json['references'] as readonly Json[]) : []) {
    const path = objectIn(reference)['path'];
    if (typeof path !== 'string') continue;
    const target = pathFrom(dir, path);
    const found = optionsOf(repo, target.endsWith('.json') ? target : pathFrom(target, 'tsconfig.json'), depth + 1);
    if (found !== undefined && (found.mappings.length > 0 || found.baseUrl !== undefined)) return found;
  }
  return inherited;
}

function extendedOptions(repo: RepoView, dir: string, base: string, depth: number): ModuleOptions | undefined {
  const file = extendedFile(dir, base);
  return file === undefined ? undefined : optionsOf(repo, file, depth + 1);
}

function extendedFile(dir: string, base: string): string | undefined {
  if (!base.startsWith('.')) return undefined;
  const path = pathFrom(dir, base);
  return path.endsWith('.json') ? path : `${path}.json`;
}

/** A folder that the compiler fills, and the one whose files it makes it of. */
export interface OutputFolder {
  readonly made: string;
  readonly sources: string;
}

/** The folders that the compiler's settings in a directory say to be filled, of whichever configuration. */
export function outputsIn(repo: RepoView, dir: string): readonly OutputFolder[] {
  return repo.memoOfPlaces(`typescript outputs ${dir}`, () => {
    const outputs = CONFIG_FILES.filter((name) => name !== 'package.json').flatMap((name) => {
      const { made, sources, read } = outputOf(repo, pathFrom(dir, name), 0);
      const from = sources ?? commonFolder(read);
      return from === undefined ? [] : made.flatMap((one) => (one === from ? [] : [{ made: one, sources: from }]));
    });
    return outputs.filter(({ made }, i) => outputs.findIndex((other) => other.made === made) === i);
  });
}

/** What a configuration says, itself or by what it extends, of what is made of which files. */
interface OutputSettings {
  readonly made: readonly string[];
  readonly sources: string | undefined;
  /** Folders of the files that are compiled. */
  readonly read: readonly string[];
}

function outputOf(repo: RepoView, file: string, depth: number): OutputSettings {
  const text = repo.config(file);
  if (text === undefined || depth > CHAIN_MOST) return { made: [], sources: undefined, read: [] };
  const json = parseLoose(text);
  const dir = folderOf(file);
  const compiler = objectIn(json['compilerOptions']);
  const bases = stringsIn(json['extends']).flatMap((base) => extendedFile(dir, base) ?? []);
  const inherited = bases.map((base) => outputOf(repo, base, depth + 1));
  const own = ['outDir', 'declarationDir'].flatMap((key) => stringsIn(compiler[key]));
  const made = own.map((folder) => pathFrom(dir, folder));
  const read = [...stringsIn(json['include']), ...stringsIn(json['files'])].map((path) =>
    pathFrom(dir, folderOfPattern(path)),
  );
  return {
    made: made.length > 0 ? made : (inherited.findLast((one) => one.made.length > 0)?.made ?? []),
    sources:
      typeof compiler['rootDir'] === 'string'
        ? pathFrom(dir, compiler['rootDir'])
        : inherited.findLast((one) => one.sources !== undefined)?.sources,
    read: read.length > 0 ? read : (inherited.findLast((one) => one.read.length > 0)?.read ?? []),
  };
}

/** The folder of `src/**` and `src/index.ts`: what stands before a star, without the name of a file. */
function folderOfPattern(pattern: string): string {
  const plain = pattern.slice(0, /[*?]/.exec(pattern)?.index ?? pattern.length);
  return plain === pattern && !/\.\w+$/.test(plain) ? plain : plain.slice(0, Math.max(0, plain.lastIndexOf('/')));
}

/** The nearest folder around all of them; undefined for none. */
function commonFolder(folders: readonly string[]): string | undefined {
  const [first, ...others] = folders.map((folder) => folder.split('/').filter((part) => part !== ''));
  if (first === undefined) return undefined;
  const isShared = (i: number): boolean => others.every((other) => other[i] === first[i]);
  const end = first.findIndex((_, i) => !isShared(i));
  return (end < 0 ? first : first.slice(0, end)).join('/');
}

/** Whether a type has to be imported as a type (`verbatimModuleSyntax`) by the files of a directory. */
export function importsTypesAlone(repo: RepoView, dir: string): boolean {
  return repo.memoOfPlaces(`typescript types alone ${dir}`, () => {
    const file = pathFrom(dir, 'tsconfig.json');
    if (repo.config(file) !== undefined) return isVerbatim(repo, file, 0) ?? false;
    return dir !== '' && importsTypesAlone(repo, folderOf(dir));
  });
}

function isVerbatim(repo: RepoView, file: string, depth: number): boolean | undefined {
  const text = repo.config(file);
  if (text === undefined || depth > CHAIN_MOST) return undefined;
  const json = parseLoose(text);
  const own = objectIn(json['compilerOptions'])['verbatimModuleSyntax'];
  if (typeof own === 'boolean') return own;
  return stringsIn(json['extends'])
    .map((base) => extendedFile(folderOf(file), base))
    .map((base) => (base === undefined ? undefined : isVerbatim(repo, base, depth + 1)))
    .filter((said) => said !== undefined)
    .pop();
}

/** The package whose directory is nearest above `dir`. */
export function packageAround(repo: RepoView, dir: string): PackageManifest | undefined {
  return repo.memoOfPlaces(`typescript package ${dir}`, () => {
    const file = pathFrom(dir, 'package.json');
    if (repo.config(file) !== undefined) return manifestOf(repo, file);
    return dir === '' ? undefined : packageAround(repo, folderOf(dir));
  });
}

/** Packages of the repository by name. Of two with one name the one nearer to the root counts. */
export function packagesByName(repo: RepoView): ReadonlyMap<string, PackageManifest> {
  return repo.memoOfPlaces('typescript packages', () => {
    const out = new Map<string, PackageManifest>();
    const files = [...repo.configsNamed('package.json')].sort((a, b) => a.split('/').length - b.split('/').length);
    for (const file of files) {
      const manifest = manifestOf(repo, file);
      if (manifest.name !== '' && !out.has(manifest.name)) out.set(manifest.name, manifest);
    }
    return out;
  });
}

function manifestOf(repo: RepoView, file: string): PackageManifest {
  return repo.memoOfPlaces(`typescript manifest ${file}`, () => {
    const json = parseLoose(repo.config(file) ?? '');
    const entries = ['source', 'types', 'typings', 'module', 'main'].flatMap((key) => stringsIn(json[key]));
    return {
      dir: folderOf(file),
      name: typeof json['name'] === 'string' ? json['name'] : '',
      isPrivate: json['private'] === true,
      entries,
      exports: json['exports'] === undefined ? undefined : subpaths(json['exports'], '.'),
      imports: json['imports'] === undefined ? new Map() : subpaths(json['imports'], '#'),
      bundled: bundledIn(json),
    };
  });
}

/** The sources that the scripts of a package name: `tsup src/core/index.ts`. */
const bundledIn = (json: JsonObject): readonly string[] =>
  Object.values(objectIn(json['scripts'])).flatMap((script) =>
    typeof script === 'string' ? (script.match(SOURCE_PATH) ?? []) : [],
  );

const SOURCE_PATH = /(?<![^\s'"=])(?:\.\/)?(?:src|source|lib)\/(?:[\w@.-]+\/)*[\w@.-]+\.[cm]?tsx?(?![^\s'"&;|])/g;

/** `exports` or `imports` as subpath to targets; one without subpaths is that of the package itself. */
function subpaths(value: Json, prefix: string): ReadonlyMap<string, readonly string[]> {
  const entries = Object.entries(objectIn(value)).filter(([key]) => key.startsWith(prefix));
  if (entries.length === 0) return new Map([['.', targetsIn(value)]]);
  return new Map(entries.map(([key, target]) => [key, targetsIn(target)]));
}

/** All targets under conditions, those for sources and types first. */
function targetsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(targetsIn);
  const rank = (condition: string): number =>
    condition === 'source' || condition.startsWith('@') ? 0 : condition === 'types' ? 1 : 2;
  return Object.entries(objectIn(value))
    .sort(([a], [b]) => rank(a) - rank(b))
    .flatMap(([, target]) => targetsIn(target));
}

function objectIn(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

function stringsIn(value: Json | undefined): readonly string[] {
  if (typeof value === 'string') return [value];
  return Array.isArray(value)
    ? (value as readonly Json[]).filter((item): item is string => typeof item === 'string')
    : [];
}

/** Keys of a package's or the compiler's settings that say where modules are, and for whom. */
const PLACING = [
  ...['name', 'private', 'main', 'module', 'types', 'typings', 'source', 'exports', 'imports'],
  ...['extends', 'include', 'files', 'scripts'],
];
const PLACING_OPTIONS = ['baseUrl', 'paths', 'outDir', 'declarationDir', 'rootDir'];

/** What of a configuration file says where modules are; undefined for nothing. */
export function placingSettings(text: string): string | undefined {
  const json = parseLoose(text);
  const options = Object.entries(objectIn(json['compilerOptions'])).filter(([key]) => PLACING_OPTIONS.includes(key));
  const kept = [
    ...Object.entries(json).filter(([key]) => PLACING.includes(key)),
    ...(options.length === 0 ? [] : [['compilerOptions', Object.fromEntries(options)] as const]),
  ];
  return kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept));
}

/** JSON with comments and trailing commas; an empty object for anything else. */
export function parseLoose(text: string): JsonObject {
  const plain = text
    .replace(/^\ufeff/, '')
    .replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (token) => (token.startsWith('"') ? token : ' '));
  const strict = plain.replace(/"(?:[^"\\\n]|\\.)*"|,(?=\s*[}\]])/g, (token) => (token === ',' ? '' : token));
  try {
    return objectIn(JSON.parse(strict) as Json);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}
