/**
 * Which files of a library make its public face: all that its packages' entries lead to, without what is there to try
 * the library out.
 *
 * Folders of tests, documents and tools are known by their names, and only where a name is a folder's alone: what
 * `org.apache.tools`, `django.test` and the files of a .NET project hold is offered, and bears such a name.
 */
import { folderOf } from '../base/paths.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { languageById } from '../languages/registry.js';
import { baseName } from '../graph/files/path-facts.js';
import { foldersUp } from './dependencies/dependency.js';
import type { Snapshot } from '../graph/files/snapshot.js';

/** Folders of tests, documents and tools, in the customs of all four languages. */
const FOLDERS_BESIDE = [
  'tests?',
  '__tests__',
  '__mocks__',
  'specs?',
  'testing',
  'fixtures?',
  'docs?',
  'documentation',
  'examples?',
  'samples?',
  'benchmarks?',
  'bench',
  'perf(?:ormance)?',
  'demo',
  'playground',
  'scripts?',
  'tools?',
  'website',
  'src/(?:test|testFixtures|jmh|it)',
  String.raw`[\w.-]*[.-](?:Tests?|Specs?|Benchmarks?|Samples?)`,
  // A .NET project of tests says after it what they are for.
  String.raw`[\w.-]*\.Tests\.[\w.-]+`,
];
const BESIDE_THE_LIBRARY = new RegExp(`(?:^|/)(?:${FOLDERS_BESIDE.join('|')})(?:/|$)`, 'iu');
const TEST_FILE =
  /^(?:test_.*|.*_test|conftest|setup)\.py$|\.(?:test|spec|bench|stories|config)\.\w+$|Tests?\.(?:cs|java)$/u;

/** What a package itself holds to try it out; `test` and `testing` are for those who use it. */
const BESIDE_IN_PACKAGE = /(?:^|\/)(?:tests|__tests__|fixtures?|examples?|benchmarks?|bench)(?:\/|$)/iu;
/** Whose files are all built into what is published, whatever they are called. */
const BUILT_FOLDER = /(?:^|\/)src\/main\//u;

function isBeside(snapshot: Snapshot, file: string): boolean {
  const folder = folderOf(file);
  const above = aboveNames(snapshot, file);
  return (
    BESIDE_THE_LIBRARY.test(above) ||
    (snapshot.summary(file)?.language === 'python' && BESIDE_IN_PACKAGE.test(folder.slice(above.length))) ||
    (TEST_FILE.test(baseName(file)) && !BUILT_FOLDER.test(`${above}/`))
  );
}

/** Whether what a manifest leads to is beside the library: the manifest is, or what it leads to is there for itself. */
function isEntryBeside(snapshot: Snapshot, file: string): boolean {
  const folder = folderOf(file);
  const above = foldersUp(file).find((around) => snapshot.config(inFolder(around, 'package.json')) !== undefined) ?? '';
  return (
    BESIDE_THE_LIBRARY.test(above) ||
    BESIDE_IN_PACKAGE.test(folder.slice(above.length)) ||
    TEST_FILE.test(baseName(file))
  );
}

const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

/** The folders around a file without those that are named in the code, or are one project. */
function aboveNames(snapshot: Snapshot, file: string): string {
  const folder = folderOf(file);
  switch (snapshot.summary(file)?.language) {
    case 'java':
      return withoutPackage(snapshot, file, folder);
    case 'python': {
      const top = foldersUp(file).findLast((around) => isPackage(snapshot, around, folder));
      return top ?? folder;
    }
    case 'csharp': {
      const projects = new Set(snapshot.configsNamed('*.csproj').map(folderOf));
      return foldersUp(file).find((around) => around !== '' && projects.has(around)) ?? folder;
    }
    default:
      return folder;
  }
}

/** Whether a folder and all from there down to another one are packages of Python. */
function isPackage(snapshot: Snapshot, top: string, folder: string): boolean {
  const between = foldersUp(`${folder}/`).filter((around) => around.length >= top.length);
  return between.every((around) =>
    ['py', 'pyi'].some((ending) => snapshot.summary(inFolder(around, `__init__.${ending}`))),
  );
}

/** The folder above those that the package of a file of Java is spelled by. */
function withoutPackage(snapshot: Snapshot, file: string, folder: string): string {
  const path = `/${(snapshot.summary(file)?.package ?? '').replaceAll('.', '/')}`;
  return path !== '/' && `/${folder}`.endsWith(path)
    ? folder.slice(0, Math.max(0, folder.length - path.length))
    : folder;
}

/** Sorted. */
export function publicFiles(snapshot: Snapshot, resolver: Resolver): readonly string[] {
  const out = new Set<string>();
  for (const [file, summary] of snapshot.files) {
    if (isBeside(snapshot, file)) continue;
    if (languageById(summary.language).entryFiles === undefined) out.add(file);
  }
  for (const language of new Set([...snapshot.files.values()].map((summary) => languageById(summary.language)))) {
    if (language.entryFiles === undefined) continue;
    const entries = language.entryFiles(snapshot).filter((file) => !isEntryBeside(snapshot, file));
    const all = snapshot.filesOf(language.id).filter((file) => !isBeside(snapshot, file));
    for (const file of entries.length === 0 ? all : reachedFrom(snapshot, resolver, entries)) out.add(file);
  }
  return [...out].sort();
}

/** The files and all that they import or hand on. */
function reachedFrom(snapshot: Snapshot, resolver: Resolver, entries: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const summary = snapshot.summary(file);
    if (seen.has(file) || summary === undefined) continue;
    seen.add(file);
    const modules = [
      ...summary.imports.map((entry) => entry.module),
      ...summary.exports.flatMap((entry) => entry.module ?? []),
    ];
    for (const module of new Set(modules))
      for (const entity of languageById(summary.language).resolveModule(module, file, resolver))
        if (entity.kind === 'module') open.push(entity.file);
  }
  return seen;
}
