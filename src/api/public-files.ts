/**
 * Which files of a library make its public face: all that its packages' entries lead to, without what is there to try
 * the library out.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import { languageById } from '../languages/registry.js';
import { baseName } from '../graph/files/path-facts.js';
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

const isBeside = (path: string): boolean => BESIDE_THE_LIBRARY.test(path) || TEST_FILE.test(baseName(path));

/** Sorted. */
export function publicFiles(snapshot: Snapshot, resolver: Resolver): readonly string[] {
  const out = new Set<string>();
  for (const [file, summary] of snapshot.files) {
    if (isBeside(file)) continue;
    if (languageById(summary.language).entryFiles === undefined) out.add(file);
  }
  for (const language of new Set([...snapshot.files.values()].map((summary) => languageById(summary.language)))) {
    if (language.entryFiles === undefined) continue;
    const entries = language.entryFiles(snapshot).filter((file) => !isBeside(file));
    const all = snapshot.filesOf(language.id).filter((file) => !isBeside(file));
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
