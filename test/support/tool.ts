/**
 * Programs that some tests need beside git and Node: which there are, how to get them, and what
 * becomes of a test whose tool is missing.
 *
 * Such a test does not run, and says so as its reason; scripts/test.mjs counts these reasons and
 * prints one line a tool as the last of the run. Where `CI` is set a missing tool is a failure of
 * its own, so that nothing is left out there unseen.
 */
import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test, type TestOptions } from 'node:test';
import { junitConsole } from '#src/io/tools/junit-console.js';

export interface Tool {
  /** As a person calls it. */
  readonly title: string;
  readonly found: () => boolean;
  /** The Debian package, which .ci/debian-packages lists too, or another way to have it. */
  readonly from: { readonly debian: string } | { readonly script: string };
}

/** Where Debian keeps the sources of Emacs packages, one folder each. */
export const EMACS_LIBRARIES = '/usr/share/emacs/site-lisp/elpa-src';

const POSTGRES_VERSIONS = '/usr/lib/postgresql';

/** Where .ci/newer-editors has written its starters; a folder that is not there, where it has not. */
export const NEWER_EDITORS = process.env['CODEPLAN_NEWER_EDITORS'] ?? '/nonexistent';

export const TOOLS = {
  // .ci/ is written for it; Node and git do without.
  bash: { title: 'bash', found: () => onPath('bash'), from: { debian: 'bash' } },
  chromium: { title: 'Chromium', found: () => onPath('chromium'), from: { debian: 'chromium' } },
  eglot: { title: "Emacs's Eglot", found: () => emacsLibrary('eglot'), from: { debian: 'elpa-eglot' } },
  emacs: { title: 'Emacs', found: () => onPath('emacs'), from: { debian: 'emacs-nox' } },
  'lsp-mode': { title: "Emacs's lsp-mode", found: () => emacsLibrary('lsp-mode'), from: { debian: 'elpa-lsp-mode' } },
  'package-lint': {
    title: "Emacs's package-lint",
    found: () => emacsLibrary('package-lint'),
    from: { debian: 'elpa-package-lint' },
  },
  fish: { title: 'fish', found: () => onPath('fish'), from: { debian: 'fish' } },
  helix: { title: 'Helix', found: () => newerEditor('hx'), from: { script: '.ci/newer-editors <folder>' } },
  // Any newer one does, by its path in JUNIT_CONSOLE.
  junit: {
    title: "JUnit's console launcher",
    found: () => junitConsole(process.env) !== undefined,
    from: { debian: 'junit5' },
  },
  javac: { title: 'javac', found: () => onPath('javac'), from: { debian: 'openjdk-17-jdk-headless' } },
  kak: { title: 'Kakoune', found: () => onPath('kak'), from: { debian: 'kakoune' } },
  mcs: { title: 'mcs', found: () => onPath('mcs'), from: { debian: 'mono-mcs' } },
  nvim: { title: 'Neovim', found: () => onPath('nvim'), from: { debian: 'neovim' } },
  'nvim-0.11': {
    title: 'Neovim 0.11 or newer',
    found: () => newerEditor('nvim-14'),
    from: { script: 'CODEPLAN_UNRELEASED_EDITORS=1 .ci/newer-editors <folder>' },
  },
  postgres: { title: 'PostgreSQL', found: () => postgresPrograms() !== undefined, from: { debian: 'postgresql' } },
  'redis-server': { title: 'Redis', found: () => onPath('redis-server'), from: { debian: 'redis-server' } },
  script: { title: 'script(1)', found: () => onPath('script'), from: { debian: 'bsdutils' } },
  zsh: { title: 'zsh', found: () => onPath('zsh'), from: { debian: 'zsh' } },
} as const satisfies Readonly<Record<string, Tool>>;

export type ToolName = keyof typeof TOOLS;

/**
 * Options for a test that needs these tools: `test('…', needs('emacs'), …)`.
 *
 * Without one of them the test does not run. With `CI` set that is one failure a file and tool, but
 * not for an editor newer than this Debian's: the archive that has it may be out of reach today.
 */
export function needs(...tools: readonly ToolName[]): TestOptions {
  const missing = tools.find((name) => !TOOLS[name].found());
  if (missing === undefined) return {};
  const { title, from }: Tool = TOOLS[missing];
  if (process.env['CI'] && 'debian' in from && !reported.has(missing)) {
    reported.add(missing);
    test(`${title} is there, as CI is set`, () => assert.fail(`${title} is missing: ${howToGet(from)}`));
  }
  return { skip: `${title} is missing: ${howToGet(from)}` };
}

const reported = new Set<ToolName>();

function howToGet(from: Tool['from']): string {
  return 'debian' in from
    ? `apt-get install ${from.debian}`
    : `unpack it with ${from.script} and name <folder>/bin in CODEPLAN_NEWER_EDITORS`;
}

const searchPath = (): string[] => (process.env['PATH'] ?? '').split(delimiter);

const onPath = (program: string): boolean => searchPath().some((folder) => runs(join(folder, program)));

function runs(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where Debian keeps the programs of servers, one folder a version; otherwise what the path has. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync(POSTGRES_VERSIONS) ? readdirSync(POSTGRES_VERSIONS) : [];
  const folders = [...versions.map((version) => join(POSTGRES_VERSIONS, version, 'bin')), ...searchPath()];
  return folders.find((folder) => runs(join(folder, 'postgres')) && runs(join(folder, 'initdb')));
}

/** Folders there are called `<name>-<version>`. */
const emacsLibrary = (name: string): boolean =>
  existsSync(EMACS_LIBRARIES) && readdirSync(EMACS_LIBRARIES).some((folder) => folder.startsWith(`${name}-`));

const newerEditor = (starter: string): boolean => runs(join(NEWER_EDITORS, starter));
