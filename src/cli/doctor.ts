/**
 * `codeplan doctor`: one page that tells whether everything the program leans on is there.
 *
 * Every check stands alone: one that fails says what to do, and the rest goes on. Nothing is
 * started, written or sent, but for the private folders that the program would make anyway.
 */
import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { reachDaemon } from '../daemon/daemon-connection.js';
import { cacheFolder, makePrivateFolder, stateFolder } from '../io/disk/folders.js';
import { grammarsOfThread } from '../io/index/grammar-bytes.js';
import { hostOf, settingsFromEnvironment } from '../io/model/model-settings.js';
import { watch } from '../io/watch/watcher.js';
import { gitVersion, runGit } from '../io/process/run-git.js';
import { readSettings, type Settings } from '../io/settings/settings.js';
import { socketAddress } from '../io/socket/socket-address.js';
import { LANGUAGES } from '../languages/registry.js';
import { resolveRoot, withCommonFlags, type CommonFlags } from './common-flags.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface Check {
  readonly name: string;
  /** `warn`: works, with less; `fail`: something does not work. */
  readonly state: 'ok' | 'warn' | 'fail';
  readonly message: string;
}

type Finding = Omit<Check, 'name'>;

interface Patient {
  readonly root: string;
  readonly world: World;
  readonly configFile: string | undefined;
}

const INOTIFY_LIMITS = ['max_user_watches', 'max_user_instances'];

export function addDoctor(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program
      .command('doctor')
      .description('check what the program leans on: git, grammars, folders, watcher, daemon, settings, model'),
  ).action(async (flags: CommonFlags) => finish(await doctor(flags, world)));
}

async function doctor(flags: CommonFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const root = await resolveRoot(flags, world.workingDirectory);
  const patient: Patient = { root, world, configFile: flags.config };
  const checks: Check[] = [];
  for (const [name, check] of CHECKS) {
    try {
      checks.push({ name, ...(await check(patient)) });
    } catch (error) {
      // A check that throws has found what it looked for.
      checks.push({ name, state: 'fail', message: error instanceof Error ? error.message : String(error) });
    }
  }
  if (flags.json === true) print.json({ schema: SCHEMA_VERSION, root, checks });
  else
    for (const { name, state, message } of checks)
      print.line(
        `${print.paint(state.padEnd(4), state === 'ok' ? 'green' : state === 'warn' ? 'yellow' : 'red')}  ` +
          `${name.padEnd(9)} ${message}`,
      );
  return checks.some((check) => check.state === 'fail') ? EXIT.open : EXIT.done;
}

const ok = (message: string): Finding => ({ state: 'ok', message });
const warn = (message: string): Finding => ({ state: 'warn', message });

const CHECKS: readonly (readonly [string, (patient: Patient) => Finding | Promise<Finding>])[] = [
  [
    'program',
    ({ world }) =>
      ok(
        `codeplan ${world.build.version} (build ${world.build.stamp}), node ${process.version}, ` +
          `${process.platform} ${process.arch}`,
      ),
  ],
  ['root', ({ root }) => ok(shownName(root))],
  ['git', checkGit],
  ['grammars', checkGrammars],
  [
    'folders',
    ({ world: { environment } }) => {
      for (const folder of [cacheFolder(environment), stateFolder(environment)]) makePrivateFolder(folder);
      return ok(`cache ${shownName(cacheFolder(environment))}, state ${shownName(stateFolder(environment))}`);
    },
  ],
  ['watcher', checkWatcher],
  ['daemon', checkDaemon],
  ['settings', checkSettings],
  [
    'oracle',
    (patient) => {
      const { oracle } = settingsOf(patient).configuration;
      if (oracle === undefined)
        return warn('none is configured; name a preset under "oracle" in the settings to have results checked');
      return ok('preset' in oracle ? `preset ${oracle.preset}` : oracle.command.join(' '));
    },
  ],
  ['model', checkModel],
];

async function checkGit({ root }: Patient): Promise<Finding> {
  const version = await gitVersion();
  if (!version.ok) return warn('git was not found; compare with an earlier tree by --base-dir');
  const inside = await runGit(root, ['rev-parse', '--is-inside-work-tree']);
  return inside.ok
    ? ok(version.stdout.toString('utf8').trim())
    : warn(`${shownName(root)} is in no git work tree; compare with an earlier tree by --base-dir`);
}

async function checkGrammars(): Promise<Finding> {
  const grammars = await grammarsOfThread();
  const names = new Set(
    LANGUAGES.flatMap((language) => language.extensions.map((extension) => language.grammarFor(`x${extension}`))),
  );
  for (const name of names) grammars.parse(name, '');
  return ok([...names].join(', '));
}

async function checkWatcher({ root }: Patient): Promise<Finding> {
  const watcher = await watch({ root, report: () => Promise.resolve(), fellBack: () => undefined });
  await watcher.close();
  if (watcher.reason !== undefined)
    return warn(
      `${watcher.mode === 'polling' ? 'changes would be polled for' : 'files are watched through Node'}: ` +
        watcher.reason,
    );
  const limits =
    process.platform === 'linux'
      ? INOTIFY_LIMITS.map((name) => `${name} ${readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8').trim()}`)
      : [];
  return ok(['native', ...limits].join(', '));
}

async function checkDaemon({ root, world }: Patient): Promise<Finding> {
  const { build, program, environment } = world;
  const { socket } = socketAddress(root, build, environment);
  const connection = await reachDaemon({ root, build, program, environment });
  connection?.destroy();
  return ok(`${connection === undefined ? 'not running' : 'running'}, ${shownName(socket)}`);
}

function checkSettings(patient: Patient): Finding {
  const { trusted, notice } = settingsOf(patient);
  if (notice !== undefined) return warn(notice);
  return ok(trusted === true ? 'valid, and this repository is trusted' : 'valid');
}

function checkModel(patient: Patient): Finding {
  const { model } = settingsOf(patient).configuration;
  const fromFiles = {
    ...(model.baseUrl === undefined ? {} : { OPENAI_BASE_URL: model.baseUrl }),
    ...(model.model === undefined ? {} : { OPENAI_MODEL: model.model }),
  };
  const found = settingsFromEnvironment({ ...fromFiles, ...patient.world.environment });
  return found.ok
    ? ok(`${found.settings.model} at ${hostOf(found.settings.baseUrl)}`)
    : warn(`${found.message}; edits that follow from a rule need none`);
}

function settingsOf({ root, world, configFile }: Patient): Settings {
  return readSettings({
    realRoot: root,
    environment: world.environment,
    ...(configFile === undefined ? {} : { configFile }),
  });
}
