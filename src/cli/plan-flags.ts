/**
 * The options of a plan, whatever edit it begins with: who edits, what is passed, how far it goes,
 * and what becomes of it.
 */
import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { fingerprint, modelChoice, type PropagateParams } from '#protocol/propagate.js';
import { mentionKind } from '#protocol/mentions.js';
import { values } from '#protocol/words.js';
import type { SEARCH_LIMITS, SEARCH_OPTIONS } from '../search/search-settings.js';
import { amount, wholeNumber } from './common-flags.js';

export interface PlanFlags {
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
  readonly without?: 'temporal' | 'spatial';
  readonly askAll?: boolean;
  readonly oneByOne?: boolean;
  readonly toolsOnFailure?: boolean;
  readonly sendAnyway?: readonly string[];
  readonly maxSteps?: number;
  readonly maxIterations?: number;
  readonly limit?: number;
  readonly stat?: boolean;
}

const REPLAY = /(^|,)replay:(.+)$/u;

/** What may be spent on questions to models. */
export const withSpendingLimits = (command: Command): Command =>
  command
    .option('--max-calls <n>', 'most model calls', wholeNumber(0))
    .option('--max-tokens <n>', 'most tokens of prompts and answers', wholeNumber(0))
    .option('--max-cost <n>', 'most money, by the prices in the settings', amount)
    .option('--max-seconds <n>', 'no question to a model after this time', amount);

export function withPlanOptions(command: Command): Command {
  return withSpendingLimits(command)
    .addOption(
      new Option(
        '--model <model>',
        'who edits what no rule can: none, openai, chat, completions, fill-in, replay:<dir>, or several with ' +
          'commas between',
      ).argParser(parseModel),
    )
    .option('--apply', 'write the edits to the disk')
    .option('--limit <n>', 'print at most so many steps and open places, and the sums of all', wholeNumber(0))
    .option('--stat', 'print the sums alone: by rule, by file, what is open')
    .option('--html <file>', 'write the plan as one page to this file as well')
    .option(
      '--value <name[@path[:Outer.inner]][#call]=expression>',
      'what to pass for a new parameter, everywhere or at one place; name=name gives it to the callers as a ' +
        'parameter; may be given again',
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
    .option('--max-files <n>', 'most files that the model may edit', wholeNumber(0))
    .option('--parallel <n>', 'questions to the model at once; the result is the same', wholeNumber(1))
    .addOption(new Option('--without <part>', 'leave a part of the context out').choices(['temporal', 'spatial']))
    .option('--ask-all', 'ask about what may be affected even after several like it needed no change')
    .option('--one-by-one', 'ask about each block in a question of its own')
    .option('--tools-on-failure', 'let the model look things up after an answer that failed its check')
    .option(
      '--send-anyway <fingerprint>',
      'let the model see this one thing that looks like a secret, now and later; may be given again',
      addFingerprint,
    )
    .option('--max-steps <n>', 'most steps of the plan', wholeNumber(1))
    .option('--max-iterations <n>', 'most rounds of plan and oracle', wholeNumber(1));
}

type NotHere =
  | ('base' | 'baseDir' | 'instruction' | 'blocks' | 'resume' | 'repairOnly')
  | (typeof SEARCH_OPTIONS | typeof SEARCH_LIMITS)[number];

/** What the flags say of the plan. */
export function planOptionsOf(flags: PlanFlags, workingDirectory: string): Omit<PropagateParams, NotHere> {
  const model = flags.model?.replace(
    REPLAY,
    (_whole, before: string, directory: string) => `${before}replay:${resolve(workingDirectory, directory)}`,
  );
  return {
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
    ...(flags.without === undefined ? {} : { without: [flags.without] }),
    ...(flags.askAll === undefined ? {} : { askAll: flags.askAll }),
    ...(flags.oneByOne === undefined ? {} : { oneByOne: flags.oneByOne }),
    ...(flags.toolsOnFailure === undefined ? {} : { toolsOnFailure: flags.toolsOnFailure }),
    ...(flags.sendAnyway === undefined ? {} : { sendAnyway: [...flags.sendAnyway] }),
    ...(flags.maxSteps === undefined ? {} : { maxSteps: flags.maxSteps }),
    ...(flags.maxIterations === undefined ? {} : { maxIterations: flags.maxIterations }),
  };
}

function parseModel(text: string): string {
  if (!modelChoice.safeParse(text).success)
    throw new InvalidArgumentError(
      'give none, openai, or replay:<directory>; or chat, completions, fill-in; several with commas between.',
    );
  return text;
}

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
