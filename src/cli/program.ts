/**
 * The command line as a whole: commands are put together, run, and their failures told.
 *
 * The one place where a command's failure is caught. A refusal is told by its message alone, since
 * that says what was tried and what to do; anything else is our own bug and comes with its stack.
 */
import { Command, CommanderError } from 'commander';
import { z } from 'zod';
import { shownInLine, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { addAgentAnswers } from './agent-answers.js';
import { addApi } from './api.js';
import { addDaemon } from './daemon.js';
import { addDo } from './do.js';
import { addDoctor } from './doctor.js';
import { addEval } from './eval.js';
import { addExplain } from './explain.js';
import { addFleet } from './fleet.js';
import { addGenerate } from './generate.js';
import { addGraph } from './graph.js';
import { addGround } from './ground.js';
import { addHook } from './hook.js';
import { addImpact } from './impact.js';
import { addLog } from './log.js';
import { addLsp } from './lsp.js';
import { complain, indented, writeLines } from './print.js';
import { addMcp } from './mcp.js';
import { addNext } from './next.js';
import { addPlan } from './plan.js';
import { addPropagate } from './propagate.js';
import { addRefactor } from './refactor.js';
import { addStatus } from './status.js';
import { addTrust } from './trust.js';
import { addUndo } from './undo.js';
import { EXIT, type ExitCode, type World } from './world.js';

const COMMANDS = [
  addImpact,
  addPropagate,
  addPlan,
  addDo,
  addRefactor,
  addGenerate,
  addNext,
  addUndo,
  addLog,
  addStatus,
  addDaemon,
  addLsp,
  addMcp,
  addHook,
  addTrust,
  addGraph,
  addAgentAnswers,
  addApi,
  addFleet,
  addGround,
  addDoctor,
  addEval,
  addExplain,
];

/** `args` without the program's own name. Never rejects. */
export async function runProgram(args: readonly string[], world: World): Promise<ExitCode> {
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
  for (const add of COMMANDS) add(program, world, (result) => (code = result));
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
    return [error.message, ...error.files.map(shownName), ...error.candidates.map(shownInLine)].join('\n');
  if (error instanceof z.ZodError)
    return `the answer does not have the form that it should have:\n${z.prettifyError(error)}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
