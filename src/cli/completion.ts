/**
 * `codeplan completion bash|zsh|fish` prints what a shell needs, and `codeplan complete <shell> <words…>` is what that
 * asks at each press of Tab: commands and flags from the commands themselves, names of blocks from the root's daemon.
 *
 * It never starts a daemon and waits for none that is slow. Where it has nothing to say it prints nothing, and the
 * shell completes paths.
 */
import { Argument, type Command, type Option } from 'commander';
import { shownInLine } from '../base/shown.js';
import { withinTime } from '../base/time-limit.js';
import { introduction, reachDaemon } from '../daemon/daemon-connection.js';
import { resolveRoot } from './common-flags.js';
import { COMPLETION_SCRIPTS, SHELLS, type Shell } from './completion-scripts.js';
import { writeLines } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

/** Longer than this nobody waits for a Tab. */
const WAIT_MS = 1000;
/** A shell asks before it lists more than about a hundred; twice that leaves room for what it filters itself. */
const NAMES_MOST = 200;

export function addCompletion(program: Command, world: World, finish: (code: ExitCode) => void): void {
  program
    .command('completion')
    .description('print what completes commands, flags and names of blocks in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText(
      'after',
      `
In the file that your shell reads at its start:
  bash   source <(codeplan completion bash)
  zsh    source <(codeplan completion zsh)      (behind compinit)
  fish   codeplan completion fish | source`,
    )
    .action((shell: Shell) => {
      writeLines(world.stdout, COMPLETION_SCRIPTS[shell]);
      finish(EXIT.done);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]', 'what stands on the line behind codeplan, the unfinished word last')
    .helpOption(false)
    .action(async (words: string[]) => {
      const offers = await offered(program, words, world);
      writeLines(world.stdout, offers.map((offer) => `${shownInLine(offer)}\n`).join(''));
      finish(EXIT.done);
    });
}

async function offered(program: Command, words: readonly string[], world: World): Promise<readonly string[]> {
  const begun = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const { command, given, flag } = placeIn(program, before);
  const beginning = (offers: readonly string[]): string[] => offers.filter((offer) => offer.startsWith(begun));
  if (flag !== undefined) {
    if (flag.argChoices !== undefined) return beginning(flag.argChoices);
    return isOfBlocks(flag.flags) ? blocks(before, begun, world) : [];
  }
  if (begun.startsWith('-'))
    return beginning(
      command
        .createHelp()
        .visibleOptions(command)
        .map(({ long, flags }) => long ?? flags),
    );
  // A word that is no command has none below it.
  if (command.commands.length > 0 && given > 0 && command.registeredArguments.length === 0) return [];
  if (command.commands.length > 0)
    return beginning(
      command
        .createHelp()
        .visibleCommands(command)
        .map((each) => each.name()),
    );
  const all = command.registeredArguments;
  const argument = all[given] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined);
  if (argument?.argChoices !== undefined) return beginning(argument.argChoices);
  return argument !== undefined && isOfBlocks(argument.name()) ? blocks(before, begun, world) : [];
}

const isOfBlocks = (name: string): boolean => /\bblocks?\b/u.test(name);

interface PlaceInLine {
  readonly command: Command;
  /** How many arguments of it stand there. */
  readonly given: number;
  /** Whose value is being typed. */
  readonly flag: Option | undefined;
}

function placeIn(program: Command, words: readonly string[]): PlaceInLine {
  let command = program;
  let given = 0;
  let flag: Option | undefined;
  for (const word of words) {
    if (flag !== undefined) {
      flag = undefined;
      continue;
    }
    const option = command.options.find(({ long, short }) => word === long || word === short);
    if (option !== undefined) flag = option.required || option.optional ? option : undefined;
    else if (!word.startsWith('-')) {
      const below = command.commands.find((each) => each.name() === word);
      if (below === undefined) given++;
      else [command, given] = [below, 0];
    }
  }
  return { command, given, flag };
}

/** What the daemon of the root has; nothing if none runs, or none answers in time. */
async function blocks(before: readonly string[], begun: string, world: World): Promise<readonly string[]> {
  const at = before.indexOf('--root');
  const flags = at < 0 || before[at + 1] === undefined ? {} : { root: before[at + 1] as string };
  try {
    const root = await resolveRoot(flags, world.workingDirectory);
    return await withinTime(world.signal, WAIT_MS, async (signal) => {
      const { build, program, environment } = world;
      const socket = await reachDaemon({ root, build, program, environment, signal });
      if (socket === undefined) return [];
      const { RemoteService } = await import('../daemon/remote-service.js');
      const client = introduction('codeplan complete', world.pid, world.workingDirectory, environment);
      const service = await RemoteService.over(socket, build, client, signal);
      try {
        const call = { signal, progress: () => undefined };
        return (await service.ask('codeplan/graph/names', { begun, limit: NAMES_MOST }, call)).names;
      } finally {
        await service.close();
      }
    });
  } catch {
    // Whatever is wrong, a message in the middle of a line that is being typed helps nobody.
    return [];
  }
}
