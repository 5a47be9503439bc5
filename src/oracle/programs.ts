/**
 * What programs run of a repository that they are let loose on, by the program's name: the one place
 * that says so, for presets, for commands of settings and for language servers.
 *
 * A program that only reads may be run on anything, if it is the person's own. Any other runs after
 * `codeplan trust` alone; the files that say what it runs are shown then, and a change of one ends it.
 * A program that is not listed runs whatever it likes, as far as anybody here knows.
 */

export interface ProgramFacts {
  /** Whether it runs and writes nothing for the repository, whatever lies there and whatever its settings say. */
  readonly onlyReads: boolean;
  /** With the arguments of our preset it is another matter. */
  readonly byPreset?: ProgramFacts;
  /** Files that say what it runs, as patterns of `.gitignore`'s syntax. */
  readonly saidBy: readonly string[];
  /** Where such a file names a folder whose files all say it: its first group is the folder, from the file's own. */
  readonly folderSaid?: RegExp;
  /** Where such a file names Python modules that it runs: its first group has their names. */
  readonly modulesSaid?: RegExp;
  /** What it runs of installed packages: folders, with a slash behind them, and lists of what is installed. */
  readonly installed?: readonly string[];
  /** What it runs, for the person to read; completes "<program> runs …". */
  readonly runs: string;
}

const READS: ProgramFacts = { onlyReads: true, saidBy: [], runs: 'nothing of the repository' };
const UNKNOWN: ProgramFacts = {
  onlyReads: false,
  saidBy: [],
  runs: 'what it likes of the repository, as far as is known here',
};

const GRADLE_FILES = ['*.gradle', '*.gradle.kts', '*.gradle.dcl', 'gradle.properties', 'gradle/', 'buildSrc/'];
const INCLUDED_BUILD = /\bincludeBuild\s*\(?\s*["']([^"'\n]+)["']/gu;
const MAVEN_FILES = ['pom.xml', '.mvn/'];
const MAKE: ProgramFacts = {
  onlyReads: false,
  saidBy: ['/Makefile', '/makefile', '/GNUmakefile', '*.mk'],
  runs: 'what the makefiles say',
};
const SCRIPTS: ProgramFacts = {
  onlyReads: false,
  saidBy: ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.*', '.pnp.*', 'pnpm-workspace.yaml'],
  installed: ['.package-lock.json', '.yarn-state.yml', '.yarn-integrity', '.modules.yaml'].map(
    (list) => `node_modules/${list}`,
  ),
  runs: 'scripts and installed packages',
};
const GRADLE: ProgramFacts = {
  onlyReads: false,
  saidBy: GRADLE_FILES,
  folderSaid: INCLUDED_BUILD,
  runs: 'the build scripts, and plugins and annotation processors that they name',
};
const MAVEN: ProgramFacts = {
  onlyReads: false,
  saidBy: MAVEN_FILES,
  runs: 'plugins and annotation processors that the build names',
};

const BASED: ProgramFacts = {
  onlyReads: false,
  saidBy: ['/pyrightconfig.json', '/pyproject.toml'],
  runs: 'nothing, but writes to the baseline file that its settings name',
};

const PROGRAMS: Readonly<Record<string, ProgramFacts>> = {
  pyright: READS,
  'pyright-langserver': READS,
  basedpyright: BASED,
  'basedpyright-langserver': BASED,
  tsc: {
    onlyReads: false,
    // It takes back what a tsconfig.json says of files to write.
    byPreset: READS,
    saidBy: ['tsconfig*.json'],
    runs: 'nothing, but writes where its settings or arguments say',
  },
  javac: {
    onlyReads: false,
    // No annotation processors, and plugins from an empty folder.
    byPreset: READS,
    saidBy: ['META-INF/services/', '*.jar', '*.class'],
    runs: 'annotation processors and plugins that lie there',
  },
  mcs: { onlyReads: false, byPreset: READS, saidBy: [], runs: 'nothing, but writes where its arguments say' },
  mypy: {
    onlyReads: false,
    saidBy: ['/mypy.ini', '/.mypy.ini', '/setup.cfg', '/pyproject.toml'],
    modulesSaid: /^[ \t]*["']?plugins["']?[ \t]*=[ \t]*(\[[^\]]*\]|[^\n]*(?:\n[ \t]+[^\n]*)*)/gmu,
    runs: 'the plugins and the interpreter that its settings name',
  },
  pytest: {
    onlyReads: false,
    saidBy: [
      'conftest.py',
      '/pytest.ini',
      '/.pytest.ini',
      '/pytest.toml',
      '/.pytest.toml',
      '/tox.ini',
      '/setup.cfg',
      '/pyproject.toml',
    ],
    runs: 'the tests and all that they import, as they are at the time and with the edits that a plan proposes',
  },
  java: {
    onlyReads: false,
    saidBy: ['*.jar', 'junit-platform.properties', 'META-INF/services/'],
    runs: 'the classes that it is given, tests and all that they use, with the edits that a plan proposes',
  },
  mvn: MAVEN,
  mvnw: MAVEN,
  gradle: GRADLE,
  gradlew: GRADLE,
  jdtls: {
    onlyReads: false,
    saidBy: [...GRADLE_FILES, ...MAVEN_FILES, '.project', '.classpath', '.factorypath', '.settings/'],
    folderSaid: INCLUDED_BUILD,
    runs: 'the build, to learn of its libraries, and annotation processors',
  },
  dotnet: {
    onlyReads: false,
    saidBy: [
      '*.*proj',
      '*.props',
      '*.targets',
      '*.tasks',
      '*.sln',
      '*.slnx',
      '*.slnf',
      '*.rsp',
      'global.json',
      'nuget.config',
      '.config/dotnet-tools.json',
      '.dotnet/',
    ],
    runs: 'tasks, analyzers and generators that the projects name',
  },
  'typescript-language-server': {
    onlyReads: false,
    saidBy: ['tsconfig*.json', 'jsconfig.json'],
    installed: ['node_modules/typescript/', 'node_modules/.package-lock.json'],
    runs: "the repository's own TypeScript, and plugins that tsconfig.json names",
  },
  make: MAKE,
  gmake: MAKE,
  npm: SCRIPTS,
  npx: SCRIPTS,
  yarn: SCRIPTS,
  pnpm: SCRIPTS,
};

/** `command`: the program, as a name or a path, and its arguments; `isPreset`: these are ours. */
export function factsOfProgram(command: readonly string[], isPreset: boolean): ProgramFacts {
  const name = (command[0] ?? '').replace(/^.*[\\/]/u, '').replace(/\.(?:exe|cmd|bat)$/iu, '');
  const facts = Object.hasOwn(PROGRAMS, name) ? (PROGRAMS[name] ?? UNKNOWN) : UNKNOWN;
  return isPreset ? (facts.byPreset ?? facts) : facts;
}
