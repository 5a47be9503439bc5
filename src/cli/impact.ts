/** `codeplan impact`: what the changes since a revision affect, and why. */
import { Option, type Command } from 'commander';
import type { ImpactParams } from '#protocol/impact.js';
import { baselineOf, wholeNumber, withBaseline, withCommonFlags, type BaselineFlags } from './common-flags.js';
import { impactLines } from './impact-text.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ImpactFlags extends BaselineFlags {
  readonly depth?: number;
  readonly all?: boolean;
  readonly strict?: boolean;
  readonly certain?: boolean;
}

export function addImpact(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withBaseline(
    withCommonFlags(program.command('impact').description('print what the changes since a revision affect, and why')),
  )
    .addOption(
      new Option('--depth <n>', 'how many relations away from a change to look')
        .argParser(wholeNumber(1))
        .conflicts('all'),
    )
    .option('--all', 'follow relations as far as a forecast is worth anything')
    .option('--strict', 'the rules as the paper prints them, without filters')
    .option('--certain', 'leave out what rests on a name alone')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing is affected, 1 something is, or may be, also where a file could not be read, 2 failure.',
    )
    .action(async (flags: ImpactFlags) => finish(await impact(flags, world)));
}

function impact(flags: ImpactFlags, world: World): Promise<ExitCode> {
  return withService('impact', flags, world, async ({ service, call, print }) => {
    const params: ImpactParams = {
      ...baselineOf(flags, world.workingDirectory),
      ...(flags.depth === undefined ? {} : { depth: flags.depth }),
      ...(flags.all === undefined ? {} : { all: flags.all }),
      ...(flags.strict === undefined ? {} : { strict: flags.strict }),
      mentions: true,
      ...(flags.certain === undefined ? {} : { certain: flags.certain }),
    };
    const report = await service.ask('codeplan/impact', params, call);
    if (flags.json === true) print.json(report);
    else for (const line of impactLines(report, print.paint)) print.line(line);
    return report.affected.length + report.undecided.length > 0 || !report.complete ? EXIT.open : EXIT.done;
  });
}
