/** `codeplan propagate`: plan the edits that follow, show them, and write them with `--apply`. */
import type { Command } from 'commander';
import type { PropagateParams } from '#protocol/propagate.js';
import { baselineOf, requireBaseline, withBaseline, withCommonFlags, type BaselineFlags } from './common-flags.js';
import { planOptionsOf, withPlanOptions, type PlanFlags } from './plan-flags.js';
import { told } from './plan-told.js';
import { searchChoicesOf, withSearchOptions, type SearchFlags } from './search-flags.js';
import { withService } from './with-service.js';
import type { ExitCode, World } from './world.js';

export interface PropagateFlags extends BaselineFlags, PlanFlags, SearchFlags {
  readonly task?: string;
  readonly block?: readonly string[];
  readonly resume?: string | true;
  readonly repairOnly?: boolean;
}

export function addPropagate(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const command = withCommonFlags(
    program
      .command('propagate')
      .description('plan the edits that follow from the changes since a revision; write them with --apply'),
  );
  withSearchOptions(withPropagateOptions(command))
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing has to follow or all is done, 1 something is open or not yet applied, or a ' +
        'file could not be read, 2 failure.',
    )
    .action(async (flags: PropagateFlags) => finish(await propagate(flags, world)));
}

/** Shared with `codeplan plan`, which is the same where it is given no request. */
export function withPropagateOptions(command: Command): Command {
  return withPlanOptions(withBaseline(command))
    .option(
      '--task <words>',
      'the task in words; where nothing was edited yet it is planned first, as codeplan do does',
    )
    .option('--block <path:Outer.inner>', 'begin the task with this block; may be given again', addBlock)
    .option('--resume [run]', 'go on with a run that stopped at a limit or was killed (default: the newest)')
    .option('--repair-only', 'plan nothing, and ask only about what the oracle reports');
}

export function propagate(flags: PropagateFlags, world: World): Promise<ExitCode> {
  return withService('propagate', flags, world, async (context) => {
    const { service, root, call } = context;
    if (flags.task === undefined && flags.resume === undefined && flags.block === undefined)
      await requireBaseline(flags, root, call.signal);
    const report = await service.ask('codeplan/plan', paramsOf(flags, world.workingDirectory), call);
    return told(report, flags, context, world);
  });
}

function paramsOf(flags: PropagateFlags, workingDirectory: string): PropagateParams {
  return {
    ...planOptionsOf(flags, workingDirectory),
    ...searchChoicesOf(flags),
    ...baselineOf(flags, workingDirectory),
    ...(flags.task === undefined ? {} : { instruction: flags.task }),
    ...(flags.block === undefined ? {} : { blocks: [...flags.block] }),
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(flags.repairOnly === undefined ? {} : { repairOnly: flags.repairOnly }),
  };
}

const addBlock = (block: string, known: readonly string[] = []): readonly string[] => [...known, block];
