/**
 * `codeplan hook`: after an edit of an agent, what it breaks elsewhere, and nothing where nothing breaks.
 *
 * A host must never fail because of it: whatever goes wrong, it says nothing and ends well. It asks a daemon that
 * runs; where none does, one is started for the next time.
 */
import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { answerFor, breaksText, readEvent } from '../agents/hook-event.js';
import { withinTime } from '../base/time-limit.js';
import { untilAborted } from '../base/until-aborted.js';
import { withoutSecrets } from '../context/secrets.js';
import { introduction, reachOrStartDaemon } from '../daemon/daemon-connection.js';
import type { Call } from '../engine/service.js';
import { languageOf } from '../languages/registry.js';
import { repositoryAround } from './common-flags.js';
import { writeLines } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

/** A longer event is not read to its end. */
const EVENT_CHARACTERS_MOST = 16_000_000;
/** The host waits no longer; `CODEPLAN_HOOK_MS` says another time. */
const WAIT_MS_MOST = 2000;

export function addHook(program: Command, world: World, finish: (code: ExitCode) => void): void {
  program
    .command('hook')
    .description("read an agent's edit from standard input and say what it breaks; for the settings of a host")
    .action(async () => {
      try {
        await withinTime(world.signal, waitMs(world.environment), (signal) => hook(world, signal));
      } catch {
        // The host goes on as if nothing had been said.
      }
      finish(EXIT.done);
    });
}

async function hook(world: World, signal: AbortSignal): Promise<void> {
  const event = readEvent(await textOf(world.stdin, signal));
  if (event === undefined || languageOf(event.file) === undefined) return;
  const folder = event.folder ?? world.workingDirectory;
  const file = realpathSync(isAbsolute(event.file) ? event.file : resolve(folder, event.file));
  const root = await repositoryAround(dirname(file));
  if (root === undefined) return;
  const path = relative(root, file).split(sep).join('/');
  if (path.startsWith('..')) return;
  const { build, program, environment } = world;
  const socket = await reachOrStartDaemon({ root, build, program, environment, signal });
  const { RemoteService } = await import('../daemon/remote-service.js');
  const client = introduction('a hook', world.pid, world.workingDirectory, environment);
  const service = await RemoteService.over(socket, build, client, signal);
  try {
    const call: Call = { signal, progress: () => undefined };
    const text = breaksText(await service.ask('codeplan/impact', { certain: true }, call), path);
    if (text !== undefined) writeLines(world.stdout, `${withoutSecrets(answerFor(event, text))}\n`);
  } finally {
    await service.close();
  }
}

function waitMs(environment: World['environment']): number {
  const given = Number(environment['CODEPLAN_HOOK_MS']);
  return Number.isInteger(given) && given > 0 ? given : WAIT_MS_MOST;
}

/** What comes until the end, or until it is too much to be an event. Rejects with the reason of `signal`. */
export async function textOf(input: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  let text = '';
  // A character may be cut between two chunks.
  input.setEncoding('utf8');
  const read = async (): Promise<string> => {
    for await (const chunk of input) {
      text += String(chunk);
      if (text.length > EVENT_CHARACTERS_MOST) return '';
    }
    return text;
  };
  return untilAborted(read(), signal);
}
