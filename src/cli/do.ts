/**
 * `codeplan do "<request>"`: a request in words carried out, from the plan to the edits with all that follows.
 *
 * Stops after any stage, and goes on from a plan that a person edited.
 */
import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { DoReport, DoStage } from '#protocol/do.js';
import type { PropagateReport } from '#protocol/propagate.js';
import { ServiceError } from '../engine/service.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { planOptionsOf, withPlanOptions, type PlanFlags } from './plan-flags.js';
import { endingWell, readPlanFile } from './plan.js';
import { planLines } from './plan-text.js';
import { isDone, writePage } from './plan-told.js';
import { writeLines } from './print.js';
import { searchOptionsOf, withSearchOptions, type SearchFlags } from './search-flags.js';
import { withService, type CommandContext } from './with-service.js';
import { isWorkDone, workLines } from './work-text.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface DoFlags extends CommonFlags, PlanFlags, SearchFlags {
  readonly plan?: string;
  readonly stopAfter?: DoStage;
  readonly markdown?: boolean;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxSeconds?: number;
}

export function addDo(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const command = withCommonFlags(
    program
      .command('do')
      .argument('[request]', 'what is to be done, in plain words')
      .description('carry a request out: plan it, edit what each step is about, and all that follows; --apply writes'),
  );
  withSearchOptions(withPlanOptions(command))
    .option('--plan <file>', 'go on with this plan, which an earlier run printed and you may have edited')
    .addOption(
      new Option('--stop-after <stage>', 'stop after the plan, or after saying what each step asks for').choices([
        'plan',
        'work',
      ]),
    )
    .option('--markdown', 'print the plan alone, as a text to be edited and given back with --plan')
    .addHelpText(
      'after',
      '\nExit codes: 0 all is done, or the plan stands where that was asked for, 1 something is open or not ' +
        'yet applied, 2 failure.',
    )
    .action(async (request: string | undefined, flags: DoFlags) => finish(await carriedOut(request, flags, world)));
}

function carriedOut(request: string | undefined, flags: DoFlags, world: World): Promise<ExitCode> {
  if (request === undefined && flags.plan === undefined)
    throw new ServiceError('settings', 'say what is to be done, in quotes, or give a plan with --plan <file>');
  const plan = flags.plan === undefined ? undefined : readPlanFile(resolve(world.workingDirectory, flags.plan));
  return withService('do', flags, world, async (context) => {
    const { service, call } = context;
    const search = randomUUID();
    const report = await endingWell(service, search, call, world, (own) =>
      service.ask(
        'codeplan/do',
        {
          ...(request === undefined ? {} : { request }),
          ...(plan === undefined ? {} : { plan }),
          ...(flags.stopAfter === undefined ? {} : { stopAfter: flags.stopAfter }),
          search,
          ...searchOptionsOf(flags),
          ...planOptionsOf(flags, world.workingDirectory),
        },
        own,
      ),
    );
    show(report, flags, context, world);
    return world.signal.aborted ? EXIT.interrupted : codeOf(report);
  });
}

function show(report: DoReport, flags: DoFlags, { root, print }: CommandContext, world: World): void {
  const edits = editsOf(report);
  if (flags.html !== undefined && edits !== null) writePage(resolve(world.workingDirectory, flags.html), edits, root);
  if (flags.json === true) {
    print.json(report);
    return;
  }
  if (flags.markdown === true) writeLines(world.stdout, report.text);
  else {
    for (const line of workLines(report, print.paint)) print.line(line);
    if (edits !== null) for (const line of ['', ...planLines(edits, print.paint, flags.limit)]) print.line(line);
  }
  for (const note of report.notes) print.note(note);
}

/** The edits with what the steps of the request came to. */
const editsOf = ({ edits, steps, text, search, work }: DoReport): PropagateReport | null =>
  edits === null ? null : { ...edits, task: { steps, text, search, work } };

function codeOf(report: DoReport): ExitCode {
  const { stage, work, steps, search } = report;
  const edits = editsOf(report);
  if (steps.length === 0) return EXIT.open;
  if (stage === 'plan') return search?.message === undefined && search?.stop !== 'cancelled' ? EXIT.done : EXIT.open;
  if (!isWorkDone(work)) return EXIT.open;
  return stage === 'work' || edits === null || isDone(edits) ? EXIT.done : EXIT.open;
}
