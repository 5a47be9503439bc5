/**
 * `npm run demo`: the main job on a small repository, as a person would see it.
 *
 * Lays fixtures/demo/before into a temporary git repository, puts the person's edit over it,
 * asks the command line what is affected, has it make the edits that follow, has pyright judge
 * each state, and takes all back. Exit code 0 only if every step did what it says. Settings,
 * cache and journal of the person who runs it are left alone.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FIXTURE = fileURLToPath(new URL('../../fixtures/demo/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../cli/main.js', import.meta.url));
const PYRIGHT = join(dirname(createRequire(import.meta.url).resolve('pyright/package.json')), 'index.js');
/** Where npm puts the checker under its name, which is how the oracle calls it. */
const BIN = join(dirname(PYRIGHT), '..', '.bin');

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'codeplan-demo-')));
const root = join(folder, 'shop');
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`,
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_STATE_HOME: join(folder, 'state'),
  CODEPLAN_CACHE_DIR: join(folder, 'cache'),
};

try {
  demo();
  say('Done: the edit was followed everywhere, the checker agrees, and it could be taken back.');
} catch (error) {
  process.exitCode = 1;
  process.stdout.write(`\nThe demo failed: ${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function demo(): void {
  mkdirSync(root);
  cpSync(join(FIXTURE, 'before'), root, { recursive: true });
  git('init', '--quiet');
  git('add', '--all');
  git(
    '-c',
    'user.name=demo',
    '-c',
    'user.email=demo@example.invalid',
    '-c',
    'commit.gpgsign=false',
    'commit',
    '--quiet',
    '--message',
    'The shop',
  );
  say('A small shop in Python. Its settings name pyright as the oracle, which we allow');
  expectCode(codeplan('trust'), 0);
  const errorsAtFirst = pyrightErrors();

  say('Somebody renames Cart.add_item to add, and drops the parameter currency of PriceList.price_of');
  cpSync(join(FIXTURE, 'edit'), root, { recursive: true });
  show('git', ['diff', '--unified=0']);
  const errorsAfterEdit = pyrightErrors();
  process.stdout.write(`pyright: ${errorsAtFirst} errors before the edit, ${errorsAfterEdit} after it\n`);
  expect(errorsAfterEdit > errorsAtFirst, 'the edit should have broken something');

  say('What else must change, and why');
  expectCode(codeplan('impact'), 1);

  say('The edits that follow, made by rule, without a model and without a network');
  const edited = textsBelow(root);
  expectCode(codeplan('propagate', '--apply'), 0);
  const errorsAfterPlan = pyrightErrors();
  process.stdout.write(
    `pyright: ${errorsAtFirst} errors before the edit, ${errorsAfterEdit} after it, ${errorsAfterPlan} after ` +
      `the plan\n`,
  );
  expect(errorsAfterPlan === errorsAtFirst, 'the plan should have left no new error');
  expect(differing(edited, textsBelow(root)).length > 0, 'the plan should have written files');

  say('And back');
  expectCode(codeplan('undo'), 0);
  expect(
    differing(edited, textsBelow(root)).length === 0,
    `undo should have given back the bytes of ${differing(edited, textsBelow(root)).join(', ')}`,
  );
  process.stdout.write('Every file holds the bytes that it held before the plan.\n');
}

function say(what: string): void {
  process.stdout.write(`\n== ${what}\n\n`);
}

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}

function codeplan(command: string, ...flags: readonly string[]): number {
  process.stdout.write(`$ codeplan ${[command, ...flags].join(' ')}\n`);
  return show(process.execPath, [
    PROGRAM,
    command,
    ...(command === 'trust' ? ['--yes'] : ['--no-daemon', '--quiet']),
    ...flags,
  ]);
}

function expectCode(code: number, wanted: number): void {
  expect(code === wanted, `the command ended with exit code ${code} in place of ${wanted}`);
}

function git(...args: readonly string[]): void {
  expectCode(show('git', args), 0);
}

/** Runs a program in the shop and lets the person see what it prints. Gives its exit code. */
function show(command: string, args: readonly string[]): number {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, env: environment, encoding: 'utf8' });
  if (error !== undefined) throw error;
  process.stdout.write(stdout + stderr);
  return status ?? -1;
}

/** The checker itself, asked without codeplan. */
function pyrightErrors(): number {
  const { stdout, error } = spawnSync(process.execPath, [PYRIGHT, '--outputjson'], {
    cwd: root,
    env: environment,
    encoding: 'utf8',
  });
  if (error !== undefined) throw error;
  return (JSON.parse(stdout) as { summary: { errorCount: number } }).summary.errorCount;
}

/** Contents of the repository's files but git's own, by path. */
function textsBelow(directory: string): Map<string, string> {
  const paths = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    paths
      .filter((path) => !path.startsWith(join(directory, '.git')))
      .map((path) => [path, readFileSync(path, 'latin1')]),
  );
}

function differing(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}
