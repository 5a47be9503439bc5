/**
 * Runs a check of the whole repository on texts that are not on the disk yet.
 *
 *     root ──copy──► private folder of the person's own ◄── overlay: changed texts, deletions
 *                          │ folders of installed packages are linked, not copied
 *                          └─► command, no shell, own process group ──► diagnostics
 *
 * Files are copied (as clones sharing blocks, where the file system can), not linked: a tool that
 * follows links to their targets would read the texts without the overlay, and one that writes in
 * place would change the person's files. The root is never written to. The copy is removed whatever
 * happens; copies of killed processes are swept by the next run.
 *
 * A run that ended badly without a readable message is `failed`, never clean.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import type { Diagnostic, OracleError, OracleOutcome, TestResults } from '../../oracle/diagnostic.js';
import { parseOutput, withoutEscapes, type ProblemPattern } from '../../oracle/patterns.js';
import { junitConsole, NO_JUNIT } from './junit-console.js';
import { layOut, type OracleTree } from './oracle-tree.js';
import { killGroup, signalGroup, startFailure, toolEnvironment } from '../process/tool-process.js';

export interface OracleRun {
  /** Absolute path of the repository. */
  readonly root: string;
  /**
   * Files that the command may need, relative to the root with `/`: sources and configuration, all that version control
   * knows.
   */
  readonly files: readonly string[];
  /** Texts by path that differ from the disk; `null` for a deleted file. */
  readonly overlay: ReadonlyMap<string, string | null>;
  /** Folders that are linked into the copy wherever they stand beside a file: `node_modules`, `.venv`. */
  readonly linkedFolders: readonly string[];
  /** Program and arguments; `{files}` and `{out}` are filled in as in `oracle/presets.ts`. */
  readonly command: readonly string[];
  /** Endings of the sources that `{files}` lists. */
  readonly sources: readonly string[];
  readonly pattern: ProblemPattern;
  /** What has to be run first; where it finds something, that is the answer. */
  readonly first?: { readonly command: readonly string[]; readonly pattern: ProblemPattern };
  /** Which tests passed, from what the command wrote; absent where it runs none by name. */
  readonly results?: (output: string) => TestResults;
  /** The environment of the person who asks, not of a daemon that started long ago. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether programs that lie in the repository (`node_modules/.bin`) may be run: they are its content. */
  readonly ownTools: boolean;
  readonly timeoutMs: number;
  readonly outputBytesMax: number;
}

/** A hundred thousand errors: far more than anybody mends, and little to hold in memory. */
export const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;

/** A tool says why it ended in its last lines; with these the message fits on a screen. */
const ENDING_LINES_MAX = 8;
/** Where something was thrown, which hides what it was. */
const TRACE = /^\s+at [\w.$/]+\(|^\s*\.\.\. \d+ more$/;
/** Compilers do not agree on how these are written in a list of files. */
const UNSAFE_NAME = /["'\\\p{Cc}\u2028\u2029]/u;

/** Runs the check. Rejects only with the reason of `signal`, after the processes are gone and the copy is removed. */
export async function runOracle(run: OracleRun, signal: AbortSignal): Promise<OracleOutcome> {
  signal.throwIfAborted();
  const tree = await layOut(run, signal);
  if (!tree.ok) return { ok: false, error: { kind: 'unreadable', message: tree.message } };
  try {
    const unsafe = tree.tree.files.find((file) => isListed(run, file) && UNSAFE_NAME.test(file));
    if (unsafe !== undefined) return { ok: false, error: { kind: 'unreadable', message: unsafeName(unsafe) } };
    const filled = await fillerFor(run, tree.tree);
    if (filled === undefined) return { ok: false, error: { kind: 'missing', message: NO_JUNIT } };
    const check = async (part: Part): Promise<OracleOutcome> => {
      const ended = await execute(filled(part.command), run, tree.tree, signal);
      signal.throwIfAborted();
      return outcomeOf(ended, part, run.root, tree.tree);
    };
    const before = run.first === undefined ? undefined : await check(run.first);
    const isOver =
      before !== undefined && (!before.ok || before.diagnostics.some(({ severity }) => severity === 'error'));
    return isOver ? before : await check(run);
  } finally {
    await tree.tree.remove();
  }
}

/** How words in braces are filled in; undefined where the launcher that one stands for is not found. */
async function fillerFor(
  run: OracleRun,
  tree: OracleTree,
): Promise<((command: readonly string[]) => string[]) | undefined> {
  const out = join(tree.scratch, 'out');
  const list = join(tree.scratch, 'files');
  await mkdir(out);
  // `./` keeps a name from being an option, or another list.
  const quoted = tree.files.filter((file) => isListed(run, file)).map((file) => `"./${file}"\n`);
  await writeFile(list, quoted.join(''));
  const junit = junitConsole(run.environment);
  if (junit === undefined && run.command.includes('{classes}')) return undefined;
  const classes = [
    out,
    junit?.classPath ?? '',
    ...CLASSES_OF_REPOSITORY,
    ...(run.environment['CLASSPATH'] ?? '').split(delimiter).filter((place) => place !== ''),
  ].join(delimiter);
  const words = { '{files}': list, '{out}': out, '{classes}': classes };
  return (command) =>
    command
      .filter((word) => word !== '{execute}' || junit?.hasExecute === true)
      .map((word) =>
        Object.entries({ ...words, '{execute}': 'execute' }).reduce(
          (filled, [name, value]) => filled.replaceAll(name, () => value),
          word,
        ),
      );
}

/** Libraries that lie in it, and what its programs read. */
const CLASSES_OF_REPOSITORY = ['lib/*', 'libs/*', 'src/main/resources', 'src/test/resources'];

const isListed = ({ command, first, sources }: OracleRun, file: string): boolean =>
  [...command, ...(first?.command ?? [])].some((word) => word.includes('{files}')) &&
  sources.some((ending) => file.endsWith(ending));

const unsafeName = (file: string): string =>
  `the file name ${JSON.stringify(file)} holds a quote, a backslash or a control character, which a list of ` +
  'files could be misread by; rename the file';

type Ended =
  | {
      readonly kind: 'exit';
      readonly code: number | null;
      readonly signalName: string | null;
      readonly stdout: string;
      readonly stderr: string;
    }
  | { readonly kind: 'stopped'; readonly error: OracleError };

function execute(command: readonly string[], run: OracleRun, tree: OracleTree, signal: AbortSignal): Promise<Ended> {
  const [program, ...args] = command;
  if (program === undefined)
    return Promise.resolve({ kind: 'stopped', error: { kind: 'missing', message: 'the check has no command' } });
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: tree.directory,
      // What lies above the copy is another repository, if it is one.
      env: {
        ...toolEnvironment({ ...run, repository: run.root, directory: tree.directory }),
        GIT_CEILING_DIRECTORIES: dirname(tree.realDirectory),
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let stopped: OracleError | undefined;
    const stop = (error: OracleError): void => {
      stopped ??= error;
      killGroup(child);
    };
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[], bytes: 0 };
    const collect =
      (stream: 'stdout' | 'stderr') =>
      (chunk: Buffer): void => {
        output.bytes += chunk.length;
        if (output.bytes <= run.outputBytesMax) output[stream].push(chunk);
        else
          stop({
            kind: 'too-much-output',
            message: `${program} wrote more than ${run.outputBytesMax} bytes and was stopped`,
          });
      };
    child.stdout.on('data', collect('stdout'));
    child.stderr.on('data', collect('stderr'));
    const timer = setTimeout(
      () =>
        stop({
          kind: 'timeout',
          message: `${program} did not finish within ${Math.round(run.timeoutMs / 100) / 10} s and was stopped`,
        }),
      run.timeoutMs,
    );
    const onAbort = (): void => stop({ kind: 'failed', message: `${program} was stopped` });
    signal.addEventListener('abort', onAbort, { once: true });
    const done = (ended: Ended): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // What the program left behind in its group would keep using the copy.
      signalGroup(child, 'SIGKILL');
      resolve(ended);
    };
    child.on('error', (error) => done({ kind: 'stopped', error: startFailure(program, error, 'name another check') }));
    child.on('close', (code, signalName) =>
      done(
        stopped !== undefined
          ? { kind: 'stopped', error: stopped }
          : {
              kind: 'exit',
              code,
              signalName,
              stdout: Buffer.concat(output.stdout).toString('utf8'),
              stderr: Buffer.concat(output.stderr).toString('utf8'),
            },
      ),
    );
    if (signal.aborted) onAbort();
  });
}

type Part = Pick<OracleRun, 'command' | 'pattern' | 'results'>;

function outcomeOf(ended: Ended, run: Part, root: string, tree: OracleTree): OracleOutcome {
  if (ended.kind === 'stopped') return { ok: false, error: ended.error };
  const program = run.command[0] as string;
  const roots = [tree.directory, tree.realDirectory, root];
  const diagnostics = [ended.stdout, ended.stderr].flatMap((output): Diagnostic[] =>
    parseOutput(output, run.pattern, roots, tree.files),
  );
  if (ended.signalName !== null) return failure(program, `was killed by ${ended.signalName}`, ended);
  const tests = run.results?.(withoutEscapes(ended.stdout));
  const hasFailed = tests !== undefined && tests.failed.length > 0;
  if (ended.code !== 0 && diagnostics.length === 0 && !hasFailed)
    return failure(program, `ended with code ${ended.code} and no message that could be read`, ended);
  return { ok: true, diagnostics, ...(tests === undefined ? {} : { tests }) };
}

function failure(
  program: string,
  how: string,
  ended: { readonly stdout: string; readonly stderr: string },
): OracleOutcome {
  const said = withoutEscapes(ended.stderr.trim() === '' ? ended.stdout : ended.stderr).trim();
  const ending = said
    .split(/\r?\n/)
    .filter((line) => !TRACE.test(line))
    .slice(-ENDING_LINES_MAX)
    .join('\n')
    .slice(-1000);
  return {
    ok: false,
    error: { kind: 'failed', message: `${program} ${how}${ending === '' ? '' : `; it wrote last:\n${ending}`}` },
  };
}
