/**
 * The command line as a whole: commands are put together, run, and their failures told.
 *
 * The one place where a command's failure is caught. A refusal is told by its message alone, since
 * that says what was tried and what to do; anything else is our own bug and comes with its stack.
 */
import { Command, CommanderError } from 'commander';
import * as z from 'zod';
import { shownInLine, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { heldBack } from './held-back.js';
import { complain, indented, writeLines } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

type Add = (program: Command, world: World, finish: (code: ExitCode) => void) => void;

interface Row {
  readonly names: readonly string[];
  readonly load: () => Promise<Add>;
  /** Whether its answer is for reading: one longer than the terminal goes through a pager. */
  readonly paged?: true;
}

/** In the order of the help. What a command is made of is loaded where it is asked for, or where all are shown. */
const COMMANDS: readonly Row[] = [
  { names: ['impact'], load: async () => (await import('./impact.js')).addImpact, paged: true },
  { names: ['propagate'], load: async () => (await import('./propagate.js')).addPropagate, paged: true },
  { names: ['plan'], load: async () => (await import('./plan.js')).addPlan, paged: true },
  { names: ['do'], load: async () => (await import('./do.js')).addDo, paged: true },
  { names: ['refactor'], load: async () => (await import('./refactor.js')).addRefactor, paged: true },
  { names: ['generate'], load: async () => (await import('./generate.js')).addGenerate },
  { names: ['next'], load: async () => (await import('./next.js')).addNext },
  { names: ['undo'], load: async () => (await import('./undo.js')).addUndo },
  { names: ['log'], load: async () => (await import('./log.js')).addLog, paged: true },
  { names: ['status'], load: async () => (await import('./status.js')).addStatus },
  { names: ['daemon'], load: async () => (await import('./daemon.js')).addDaemon },
  { names: ['lsp'], load: async () => (await import('./lsp.js')).addLsp },
  { names: ['mcp'], load: async () => (await import('./mcp.js')).addMcp },
  { names: ['hook'], load: async () => (await import('./hook.js')).addHook },
  { names: ['trust'], load: async () => (await import('./trust.js')).addTrust },
  { names: ['graph'], load: async () => (await import('./graph.js')).addGraph, paged: true },
  { names: ['refs', 'context'], load: async () => (await import('./agent-answers.js')).addAgentAnswers, paged: true },
  { names: ['api'], load: async () => (await import('./api.js')).addApi, paged: true },
  { names: ['fleet'], load: async () => (await import('./fleet.js')).addFleet },
  { names: ['ground'], load: async () => (await import('./ground.js')).addGround, paged: true },
  { names: ['editors'], load: async () => (await import('./editors.js')).addEditors },
  { names: ['doctor'], load: async () => (await import('./doctor.js')).addDoctor },
  { names: ['eval'], load: async () => (await import('./eval.js')).addEval },
  { names: ['completion', 'complete'], load: async () => (await import('./completion.js')).addCompletion },
  { names: ['explain'], load: async () => (await import('./explain.js')).addExplain, paged: true },
];

export const COMMAND_NAMES: ReadonlySet<string> = new Set(COMMANDS.flatMap(({ names }) => names));

/** `args` without the program's own name. Never rejects. */
export async function runProgram(args: readonly string[], world: World): Promise<ExitCode> {
  const isPaged = COMMANDS.some(({ names, paged }) => paged === true && names.includes(args[0] ?? ''));
  const { page } = world;
  if (!isPaged || page === undefined || args.includes('--no-pager')) return run(args, world);
  const held = heldBack(world.stdout);
  const code = await run(args, { ...world, stdout: held.stream });
  await page(held.text());
  return code;
}

async function run(args: readonly string[], world: World): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  const program = new Command('codeplan')
    .description('Finds what else must change after an edit, says why, and makes the edits.')
    .version(world.build.version)
    .configureOutput({
      writeOut: (text) => writeLines(world.stdout, text),
      writeErr: (text) => writeLines(world.stderr, text),
      outputError: (text, write) => write(`${indented(text.trimEnd())}\n`),
    })
    .exitOverride();
  // What a word may become (`complete -- <command> …`) hangs on its command; of the others the names will do.
  const isCompleted = args[0] === 'complete';
  const asked = COMMANDS.filter(
    ({ names }) => names.includes(args[0] ?? '') || (isCompleted && names.includes(args[2] ?? '')),
  );
  if (isCompleted)
    for (const row of COMMANDS) if (!asked.includes(row)) for (const name of row.names) program.command(name);
  const versionAlone = args.length === 1 && (args[0] === '--version' || args[0] === '-V');
  for (const { load } of asked.length > 0 || versionAlone ? asked : COMMANDS)
    (await load())(program, world, (result) => (code = result));
  inherit(program);
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    if (world.signal.aborted) return EXIT.interrupted;
    // Help and version come as errors too, with exit code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.failed;
    complain(world.stderr, told(error));
    return EXIT.failed;
  }
}

/**
 * Commander gives a command its parent's settings only when it is made by name alone, without settings that come
 * later.
 */
function inherit(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command).exitOverride();
    inherit(child);
  }
}

function told(error: unknown): string {
  if (error instanceof ServiceError)
    return [error.message, ...error.furtherFiles.map(shownName), ...error.candidates.map(shownInLine)].join('\n');
  if (error instanceof z.ZodError)
    return `the answer does not have the form that it should have:\n${z.prettifyError(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
