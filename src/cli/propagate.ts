/** `codeplan propagate`: plan the edits that follow, show them, and write them with `--apply`. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { PropagateParams } from '#protocol/propagate.js';
import { withCommonFlags, type CommonFlags } from './common-flags.js';
import { planOptionsOf, withPlanOptions, type PlanFlags } from './plan-flags.js';
import { told } from './plan-told.js';
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
import type { ExitCode, World } from './world.js';

interface PropagateFlags extends CommonFlags, PlanFlags {
  readonly base?: string;
  readonly baseDir?: string;
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
  readonly block?: readonly string[];
  readonly resume?: string | true;
  readonly repairOnly?: boolean;
}

export function addPropagate(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const command = withCommonFlags(
    program
      .command('propagate')
      .alias('plan')
      .description('plan the edits that follow from the changes since a revision; write them with --apply'),
  )
    .addOption(
      new Option(
        '--base <revision>',
        'compare with this revision, or :index for what is staged (default: the last commit)',
      ).conflicts('baseDir'),
    )
    .option('--base-dir <dir>', 'compare with the tree in this directory');
  withPlanOptions(command)
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
    .option('--repair-only', 'plan nothing, and ask only about what the oracle reports')
    .addHelpText(
      'after',
      '\nExit codes: 0 nothing has to follow or all is done, 1 something is open or not yet applied, or a file could not be read, 2 failure.',
    )
    .action(async (flags: PropagateFlags) => finish(await propagate(flags, world)));
}

function propagate(flags: PropagateFlags, world: World): Promise<ExitCode> {
  return withService('propagate', flags, world, async (context) =>
    told(await context.service.ask('codeplan/plan', paramsOf(flags, world.workingDirectory), context.call), flags, context, world),
  );
}

function paramsOf(flags: PropagateFlags, workingDirectory: string): PropagateParams {
  return {
    ...planOptionsOf(flags, workingDirectory),
    ...(flags.base === undefined ? {} : { base: flags.base }),
    ...(flags.baseDir === undefined ? {} : { baseDir: resolve(workingDirectory, flags.baseDir) }),
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
    ...(flags.repairOnly === undefined ? {} : { repairOnly: flags.repairOnly }),
  };
}

const addBlock = (block: string, known: readonly string[] = []): readonly string[] => [...known, block];
