/** `codeplan propagate`: plan the edits that follow, show them, and write them with `--apply`. */
import { basename, resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { fingerprint, modelChoice, type PropagateParams, type PropagateReport } from '#protocol/propagate.js';
import { mentionKind } from '#protocol/mentions.js';
import { values } from '#protocol/words.js';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';
import { planPage } from '../page/plan-page.js';
import { amount, baselineOf, wholeNumber, withBaseline, withCommonFlags, type BaselineFlags } from './common-flags.js';
import { isLeft, planLines } from './plan-text.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface PropagateFlags extends BaselineFlags {
  readonly model?: string;
  readonly apply?: boolean;
  readonly html?: string;
  readonly value?: Readonly<Record<string, string>>;
  readonly accept?: PropagateParams['accept'];
  readonly mentions?: PropagateParams['mentions'];
  readonly rulesOnly?: boolean;
  readonly strict?: boolean;
  /** A preset, or false with `--no-oracle`. */
  readonly oracle?: string | boolean;
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxSeconds?: number;
  readonly maxFiles?: number;
  readonly parallel?: number;
  readonly task?: string;
  readonly without?: 'temporal' | 'spatial';
  readonly askAll?: boolean;
  readonly block?: readonly string[];
  readonly resume?: string | true;
  readonly sendAnyway?: readonly string[];
  readonly repairOnly?: boolean;
  readonly maxSteps?: number;
  readonly maxIterations?: number;
}

const REPLAY = /(^|,)replay:(.+)$/u;

export function addPropagate(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withBaseline(
    withCommonFlags(
      program
        .command('propagate')
        .alias('plan')
        .description('plan the edits that follow from the changes since a revision; write them with --apply'),
    ),
  )
    .addOption(
      new Option(
        '--model <model>',
        'who edits what no rule can: none, openai, chat, completions, fill-in, replay:<dir>, or several with commas between',
      ).argParser(parseModel),
    )
    .option('--apply', 'write the edits to the disk')
    .option('--html <file>', 'write the plan as one page to this file as well')
    .option(
      '--value <name[@path[:Outer.inner]][#call]=expression>',
      'what to pass for a new parameter, everywhere or at one place; name=name gives it to the callers as a parameter; may be given again',
      addValue,
    )
    .addOption(
      new Option(
        '--accept <what...>',
        'what to do as well: drop-unread drops parameters that nothing reads any more once an argument is gone',
      ).choices(['drop-unread']),
    )
    .option(
      '--mentions <kinds>',
      'rewrite mentions outside of code too: docs, comments, config, with commas between',
      kindsOfMentions,
    )
    .addOption(new Option('--rules-only', 'only edits that follow from a rule').conflicts('model'))
    .option('--strict', 'the rules as the paper prints them, without filters')
    .option('--oracle <preset>', 'check the result with this checker (default: the configured one)')
    .option('--no-oracle', 'check the result with none')
    .option('--max-calls <n>', 'most model calls', wholeNumber(0))
    .option('--max-tokens <n>', 'most tokens of prompts and answers', wholeNumber(0))
    .option('--max-cost <n>', 'most money, by the prices in the settings', amount)
    .option('--max-seconds <n>', 'no question to a model after this time', amount)
    .option('--max-files <n>', 'most files that the model may edit', wholeNumber(0))
    .option('--parallel <n>', 'questions to the model at once; the result is the same', wholeNumber(1))
    .option(
      '--task <words>',
      'the task in words, for the model; where nothing was edited yet, the model picks the blocks to begin with',
    )
    .option('--block <path:Outer.inner>', 'begin the task with this block; may be given again', addBlock)
    .option('--resume [run]', 'go on with a run that stopped at a limit or was killed (default: the newest)')
    .addOption(new Option('--without <part>', 'leave a part of the context out').choices(['temporal', 'spatial']))
    .option('--ask-all', 'ask about what may be affected even after several like it needed no change')
    .option(
      '--send-anyway <fingerprint>',
      'let the model see this one thing that looks like a secret, now and later; may be given again',
      addFingerprint,
    )
    .option('--repair-only', 'plan nothing, and ask only about what the oracle reports')
    .option('--max-steps <n>', 'most steps of the plan', wholeNumber(1))
    .option('--max-iterations <n>', 'most rounds of plan and oracle', wholeNumber(1))
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing has to follow or all is done, 1 something is open or not yet applied, or a file could not be read, 2 failure.',
    )
    .action(async (flags: PropagateFlags) => finish(await propagate(flags, world)));
}

function propagate(flags: PropagateFlags, world: World): Promise<ExitCode> {
  return withService('propagate', flags, world, async ({ service, root, call, print }) => {
    const report = await service.ask('codeplan/plan', paramsOf(flags, world.workingDirectory), call);
    if (flags.html !== undefined)
      writePage(resolve(world.workingDirectory, flags.html), planPage(report, { title: basename(root) }));
    if (flags.json === true) print.json(report);
    else for (const line of planLines(report, print.paint)) print.line(line);
    return isDone(report) ? EXIT.done : EXIT.open;
  });
}

function paramsOf(flags: PropagateFlags, workingDirectory: string): PropagateParams {
  const model = flags.model?.replace(
    REPLAY,
    (_whole, before: string, directory: string) => `${before}replay:${resolve(workingDirectory, directory)}`,
  );
  return {
    ...baselineOf(flags, workingDirectory),
    ...(model === undefined ? {} : { model }),
    ...(flags.apply === undefined ? {} : { apply: flags.apply }),
    ...(flags.value === undefined ? {} : { values: { ...flags.value } }),
    mentions: flags.mentions ?? [],
    ...(flags.accept === undefined ? {} : { accept: flags.accept }),
    ...(flags.rulesOnly === undefined ? {} : { rulesOnly: flags.rulesOnly }),
    ...(flags.strict === undefined ? {} : { strict: flags.strict }),
    // Commander gives true when neither form was used.
    ...(flags.oracle === undefined || flags.oracle === true ? {} : { oracle: flags.oracle }),
    ...(flags.maxCalls === undefined ? {} : { maxCalls: flags.maxCalls }),
    ...(flags.maxTokens === undefined ? {} : { maxTokens: flags.maxTokens }),
    ...(flags.maxCost === undefined ? {} : { maxCost: flags.maxCost }),
    ...(flags.maxSeconds === undefined ? {} : { maxSeconds: flags.maxSeconds }),
    ...(flags.maxFiles === undefined ? {} : { maxFiles: flags.maxFiles }),
    ...(flags.parallel === undefined ? {} : { parallel: flags.parallel }),
    ...(flags.task === undefined ? {} : { instruction: flags.task }),
    ...(flags.block === undefined ? {} : { blocks: [...flags.block] }),
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
    ...(flags.without === undefined ? {} : { without: [flags.without] }),
    ...(flags.askAll === undefined ? {} : { askAll: flags.askAll }),
    ...(flags.sendAnyway === undefined ? {} : { sendAnyway: [...flags.sendAnyway] }),
    ...(flags.repairOnly === undefined ? {} : { repairOnly: flags.repairOnly }),
    ...(flags.maxSteps === undefined ? {} : { maxSteps: flags.maxSteps }),
    ...(flags.maxIterations === undefined ? {} : { maxIterations: flags.maxIterations }),
  };
}

function writePage(path: string, page: string): void {
  try {
    writeAtomically(realFileSystem, path, page, { mode: undefined, durable: false });
  } catch (error) {
    throw new ServiceError(
      'write',
      `cannot write the page to ${shownName(path)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function isDone(report: PropagateReport): boolean {
  const unfinished = report.steps.some(
    (step) => step.diff !== '' && step.status !== 'applied' && step.status !== 'verified',
  );
  const isBroken = report.steps.some((step) => isLeft(step) && step.tier === 'breaks');
  return (
    report.complete &&
    !unfinished &&
    !isBroken &&
    report.open.length === 0 &&
    report.undecided.length === 0 &&
    (report.oracle?.new.length ?? 0) === 0
  );
}

function parseModel(text: string): string {
  if (!modelChoice.safeParse(text).success)
    throw new InvalidArgumentError(
      'give none, openai, or replay:<directory>; or chat, completions, fill-in; several with commas between.',
    );
  return text;
}

const addBlock = (block: string, known: readonly string[] = []): readonly string[] => [...known, block];

function addFingerprint(text: string, known: readonly string[] = []): readonly string[] {
  if (!fingerprint.safeParse(text).success)
    throw new InvalidArgumentError('give it as the message names it that says what was held back: <rule>:<16 digits>.');
  return [...known, text];
}

function addValue(text: string, known: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const equals = text.indexOf('=');
  const given = { [text.slice(0, equals)]: text.slice(equals + 1) };
  if (equals < 1 || !values.safeParse(given).success)
    throw new InvalidArgumentError(
      'give <name>=<expression>, for example timeout=30, or for one place timeout@src/jobs.py:Job.run=30.',
    );
  return { ...known, ...given };
}

function kindsOfMentions(text: string): PropagateParams['mentions'] {
  return text.split(',').map((part) => {
    const kind = mentionKind.safeParse(part.trim());
    if (!kind.success)
      throw new InvalidArgumentError(
        `${part} is no kind of mention; give ${mentionKind.options.join(', ')}, with commas between`,
      );
    return kind.data;
  });
}
