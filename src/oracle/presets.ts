/**
 * Oracles that are known by name: which program checks which language, and how to read it.
 *
 * A preset is data: the command as an argument list (no shell), the pattern of its output, and the
 * files at the root that hint that a repository uses it. Words in braces are filled in when it
 * runs: `{files}` a response file with the sources of the language, `{out}` a scratch directory, `{classes}` a class
 * path of that, of JUnit's console launcher and of what the repository brings; `{execute}` is what newer ones of these
 * launchers want said.
 * Nothing here runs by itself; what a program runs of a repository says `programs.ts`, and whether it may, trust.
 */
import type { LanguageId } from '../syntax/summary.js';
import type { TestResults } from './diagnostic.js';
import type { PatternName } from './patterns.js';
import { readJunitResults } from './junit-output.js';
import { readPytestResults, readSurefireResults } from './test-results.js';

export interface OraclePreset {
  readonly name: string;
  readonly languages: readonly LanguageId[];
  readonly command: readonly string[];
  readonly pattern: PatternName;
  /** What has to be run first; where it finds something, that is the answer. */
  readonly first?: { readonly command: readonly string[]; readonly pattern: PatternName };
  /** Base names of files, or `*.ext`, at the root: the more specific preset comes first in the table. */
  readonly hints: readonly string[];
  /** Which sources `{files}` lists: endings with the dot. */
  readonly sources: readonly string[];
  readonly timeoutMs: number;
  /** Where it can run some tests alone: the command for these, and which of them passed, from the output. */
  readonly tests?: {
    readonly command: (names: readonly string[]) => readonly string[];
    readonly results: (output: string) => TestResults;
  };
}

/** In milliseconds. */
const MINUTE_MS = 60_000;

/** Annotation processors are repository code, so they are looked for in an empty folder. */
const JAVAC = ['javac', '-proc:none', '-processorpath', '{out}', '-implicit:none', '-encoding', 'UTF-8'];
/** Besides what it emits it writes what it knows of a build, and traces, wherever a tsconfig.json says. */
const TSC_WRITES_NOTHING = [
  ...['--incremental', 'false', '--composite', 'false'],
  ...['--tsBuildInfoFile', 'null', '--generateTrace', 'null'],
];
const JUNIT = [
  'java',
  '-cp',
  '{classes}',
  'org.junit.platform.console.ConsoleLauncher',
  '{execute}',
  '--disable-banner',
  '--disable-ansi-colors',
  '--details=verbose',
  '--details-theme=ascii',
];

/** In order of preference; a preset without hints fits any repository of its language. */
export const PRESETS: readonly OraclePreset[] = [
  {
    name: 'mypy',
    languages: ['python'],
    command: ['mypy', '--no-error-summary', '--show-column-numbers', '--no-color-output', '.'],
    pattern: 'mypy',
    hints: ['mypy.ini', '.mypy.ini'],
    sources: ['.py', '.pyi'],
    timeoutMs: 5 * MINUTE_MS,
  },
  {
    name: 'pyright',
    languages: ['python'],
    command: ['pyright', '--outputjson'],
    pattern: 'pyright-json',
    hints: [],
    sources: ['.py', '.pyi'],
    timeoutMs: 5 * MINUTE_MS,
  },
  {
    name: 'tsc',
    languages: ['typescript'],
    command: ['tsc', '--noEmit', ...TSC_WRITES_NOTHING, '--pretty', 'false', '-p', '.'],
    pattern: 'tsc',
    hints: ['tsconfig.json'],
    sources: ['.ts', '.tsx', '.mts', '.cts'],
    timeoutMs: 5 * MINUTE_MS,
  },
  {
    name: 'maven',
    languages: ['java'],
    command: ['mvn', '-B', '-o', '-q', '-DskipTests', 'test-compile'],
    pattern: 'maven',
    hints: ['pom.xml'],
    sources: ['.java'],
    timeoutMs: 10 * MINUTE_MS,
  },
  {
    name: 'gradle',
    languages: ['java'],
    command: ['gradle', '--offline', '-q', '--console=plain', 'testClasses'],
    pattern: 'gradle',
    hints: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    sources: ['.java'],
    timeoutMs: 10 * MINUTE_MS,
  },
  // Compiler plugins are looked for in an empty folder as well; analysis goes on after unknown imports,
  // which a tree without its libraries is full of.
  {
    name: 'javac',
    languages: ['java'],
    command: [
      ...JAVAC,
      '-Xmaxerrs',
      '10000',
      '-Xmaxwarns',
      '100',
      '-XDshould-stop.ifError=FLOW',
      '-d',
      '{out}',
      '@{files}',
    ],
    pattern: 'javac',
    hints: [],
    sources: ['.java'],
    timeoutMs: 5 * MINUTE_MS,
  },
  {
    name: 'dotnet',
    languages: ['csharp'],
    command: ['dotnet', 'build', '--nologo', '--no-restore', '-v', 'q', '-clp:NoSummary'],
    pattern: 'msbuild',
    hints: ['*.sln', '*.slnx', '*.csproj'],
    sources: ['.cs'],
    timeoutMs: 10 * MINUTE_MS,
  },
  {
    name: 'mcs',
    languages: ['csharp'],
    command: ['mcs', '-target:library', '-langversion:latest', '-out:{out}/oracle.dll', '@{files}'],
    pattern: 'mcs',
    hints: [],
    sources: ['.cs'],
    timeoutMs: 5 * MINUTE_MS,
  },
  {
    name: 'pytest',
    languages: ['python'],
    command: ['pytest', '-q', '--color=no', '-p', 'no:cacheprovider'],
    pattern: 'pytest',
    hints: ['pytest.ini', 'conftest.py'],
    sources: ['.py'],
    timeoutMs: 10 * MINUTE_MS,
    tests: {
      command: (names) => ['pytest', '-q', '--color=no', '-p', 'no:cacheprovider', '-rpfE', ...names],
      results: readPytestResults,
    },
  },
  // Classes of JUnit, through the build that knows what they need.
  {
    name: 'maven-test',
    languages: ['java'],
    command: ['mvn', '-B', '-o', 'test'],
    pattern: 'maven-test',
    hints: ['junit-platform.properties'],
    sources: ['.java'],
    timeoutMs: 15 * MINUTE_MS,
    tests: {
      command: (names) => [
        'mvn',
        '-B',
        '-o',
        'test',
        `-Dtest=${names.join(',')}`,
        '-Dsurefire.failIfNoSpecifiedTests=false',
        '-DfailIfNoTests=false',
      ],
      results: readSurefireResults,
    },
  },
  // The same classes without a build: all sources of the repository are compiled, and the launcher runs what they say.
  {
    name: 'junit',
    languages: ['java'],
    first: { command: [...JAVAC, '-cp', '{classes}', '-d', '{out}', '@{files}'], pattern: 'javac' },
    command: [...JUNIT, '--scan-class-path={out}'],
    pattern: 'junit',
    hints: ['junit-platform.properties'],
    sources: ['.java'],
    timeoutMs: 10 * MINUTE_MS,
    tests: {
      command: (names) => [
        ...JUNIT,
        ...names.map((name) => (name.includes('#') ? `--select-method=${name}` : `--select-class=${name}`)),
      ],
      results: readJunitResults,
    },
  },
];

export function presetNamed(name: string): OraclePreset | undefined {
  return PRESETS.find((preset) => preset.name === name);
}

/**
 * Presets that fit a repository, best first: those that its root's files hint at, then those that
 * need no hint. Tests are never proposed by language alone.
 */
export function presetsFor(language: LanguageId, rootFiles: readonly string[]): OraclePreset[] {
  const fitting = PRESETS.filter((preset) => preset.languages.includes(language));
  const hinted = fitting.filter((preset) => isHintedAt(preset, rootFiles));
  return [...hinted, ...fitting.filter((preset) => preset.hints.length === 0)];
}

/** Whether one of these base names hints that the repository uses the tool. */
export function isHintedAt({ hints }: OraclePreset, names: readonly string[]): boolean {
  return hints.some((hint) => names.some((name) => matchesHint(name, hint)));
}

function matchesHint(file: string, hint: string): boolean {
  return hint.startsWith('*') ? file.endsWith(hint.slice(1)) : file === hint;
}
