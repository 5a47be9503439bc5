/** The one table of what reads dependencies: a row an ecosystem. */
import type { Ecosystem } from '../manifests.js';
import { isCalled, type Dependency, type ManifestTexts } from './dependency.js';
import { MAVEN_FILES, mavenDependencies } from './maven.js';
import { NPM_FILES, npmDependencies } from './npm.js';
import { NUGET_FILES, nugetDependencies } from './nuget.js';
import { PYTHON_FILES, pythonDependencies } from './python.js';

interface Reader {
  readonly ecosystem: Ecosystem;
  readonly files: RegExp;
  readonly read: (texts: ManifestTexts) => Dependency[];
}

const READERS: readonly Reader[] = [
  { ecosystem: 'npm', files: NPM_FILES, read: npmDependencies },
  { ecosystem: 'pypi', files: PYTHON_FILES, read: pythonDependencies },
  { ecosystem: 'maven', files: MAVEN_FILES, read: mavenDependencies },
  { ecosystem: 'nuget', files: NUGET_FILES, read: nugetDependencies },
];

/** Folders that hold what others wrote, or what tests feed to programs. */
const NOT_OWN =
  /(?:^|\/)(?:node_modules|vendor|third_party|\.venv|venv|site-packages|testdata|fixtures|__fixtures__)\//u;

/** Whether a file says what the repository uses. */
export const isManifest = (path: string): boolean =>
  READERS.some(({ files }) => isCalled(path, files)) && !NOT_OWN.test(path);

/** All of the repository's dependencies, of the ecosystems that are asked for. */
export const dependenciesIn = (texts: ManifestTexts, ecosystems: ReadonlySet<Ecosystem>): Dependency[] =>
  READERS.filter(({ ecosystem }) => ecosystems.has(ecosystem)).flatMap(({ read }) => read(texts));
