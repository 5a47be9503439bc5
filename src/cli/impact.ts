/** `codeplan impact`: what the changes since a revision affect, and why. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ImpactParams } from '#protocol/impact.js';
import { wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { impactLines } from './impact-text.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ImpactFlags extends CommonFlags {
  readonly base?: string;
  readonly baseDir?: string;
  readonly change?: string;
  readonly depth?: number;
  readonly all?: boolean;
  readonly strict?: boolean;
  readonly certain?: boolean;
}

export function addImpact(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(program.command('impact').description('print what the changes since a revision affect, and why'))
    .addOption(
      new Option(
        '--base <revision>',
        'compare with this revision, or :index for what is staged (default: the last commit)',
      ).conflicts('baseDir'),
    )
    .option('--base-dir <dir>', 'compare with the tree in this directory')
    .addOption(
      new Option(
        '--change <file>',
        'follow what changed in a library, by the change file of "codeplan api diff", instead of edits here',
      ).conflicts(['base', 'baseDir']),
    )
    .addOption(
      new Option('--depth <n>', 'how many relations away from a change to look')
        .argParser(wholeNumber(1))
        .conflicts('all'),
    )
    .option('--all', 'follow relations as far as a forecast is worth anything')
    .option('--strict', 'the rules as the paper prints them, without filters')
    .option('--certain', 'leave out what rests on a name alone')
    .addHelpText('after', '\nExit codes: 0 nothing is affected, 1 something is, or may be, 2 failure.')
    .action(async (flags: ImpactFlags) => finish(await impact(flags, world)));
}

function impact(flags: ImpactFlags, world: World): Promise<ExitCode> {
  return withService('impact', flags, world, async ({ service, call, print }) => {
    const params: ImpactParams = {
      ...(flags.base === undefined ? {} : { base: flags.base }),
      ...(flags.baseDir === undefined ? {} : { baseDir: resolve(world.workingDirectory, flags.baseDir) }),
      ...(flags.change === undefined ? {} : { change: resolve(world.workingDirectory, flags.change) }),
      ...(flags.depth === undefined ? {} : { depth: flags.depth }),
      ...(flags.all === undefined ? {} : { all: flags.all }),
      ...(flags.strict === undefined ? {} : { strict: flags.strict }),
      mentions: true,
      ...(flags.certain === undefined ? {} : { certain: flags.certain }),
    };
    const report = await service.ask('codeplan/impact', params, call);
    if (flags.json === true) print.json(report);
    else for (const line of impactLines(report, print.paint)) print.line(line);
    return report.affected.length + report.undecided.length > 0 ? EXIT.open : EXIT.done;
  });
}
