/** `codeplan impact`: what the changes since a revision affect, and why. */
import { Option, type Command } from 'commander';
import type { ImpactParams, ImpactReport } from '#protocol/impact.js';
import { REVIEW_FORMATS, type ReviewFormat } from '../review/formats.js';
import {
  baselineOf,
  requireBaseline,
  wholeNumber,
  withBaseline,
  withCommonFlags,
  type BaselineFlags,
} from './common-flags.js';
import { impactLines, impactStat, unfollowed } from './impact-text.js';
import { writeLines } from './print.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ImpactFlags extends BaselineFlags {
  readonly depth?: number;
  readonly all?: boolean;
  readonly strict?: boolean;
  readonly certain?: boolean;
  readonly format?: ReviewFormat;
  readonly failOn?: FailOn;
  readonly stat?: boolean;
  readonly limit?: number;
}

/** What ends with exit code 1. */
const FAIL_ON = ['breaks', 'may', 'never'] as const;
type FailOn = (typeof FAIL_ON)[number];
const FORMATS = Object.keys(REVIEW_FORMATS);

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
    .addOption(
      new Option('--format <form>', 'for a review: markdown for a comment, sarif, github for annotations')
        .choices(FORMATS)
        .conflicts('json'),
    )
    .addOption(
      new Option(
        '--fail-on <what>',
        'end with exit code 1 if something certainly breaks, may have to follow, or never (default: may)',
      ).choices(FAIL_ON),
    )
    .option('--stat', 'print the sums alone: by change, by what is wrong, by file')
    .option('--limit <n>', 'show at most so many blocks, and the sums of the others', wholeNumber(0))
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing that --fail-on names, 1 there is, or a file could not be read or a change not be ' +
        'followed, 2 failure.',
    )
    .action(async (flags: ImpactFlags) => finish(await impact(flags, world)));
}

function impact(flags: ImpactFlags, world: World): Promise<ExitCode> {
  return withService('impact', flags, world, async ({ service, root, call, print }) => {
    await requireBaseline(flags, root, call.signal);
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
    else if (flags.format !== undefined)
      writeLines(world.stdout, REVIEW_FORMATS[flags.format](report, world.build.version));
    else {
      const lines =
        flags.stat === true ? impactStat(report, print.paint) : impactLines(report, print.paint, flags.limit);
      for (const line of lines) print.line(line);
    }
    return fails(report, flags.failOn ?? 'may') ? EXIT.open : EXIT.done;
  });
}

/** What could not be read may hold anything, so it counts unless nothing does; so does what nothing follows. */
function fails(report: ImpactReport, failOn: FailOn): boolean {
  const { affected, undecided, complete } = report;
  switch (failOn) {
    case 'never':
      return false;
    case 'breaks':
      return !complete || affected.some(({ tier, confidence }) => tier === 'breaks' && confidence === 'certain');
    case 'may':
      return !complete || affected.length + undecided.length + unfollowed(report).length > 0;
  }
}
