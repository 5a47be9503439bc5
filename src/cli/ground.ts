/**
 * `codeplan ground`: the blocks that could implement what a sentence says, by their words, and by what models add where
 * that is asked for.
 */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import type { GroundedSymbol, GroundReport } from '#protocol/tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownInLine, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { readGivenFile } from '../io/disk/given-file.js';
import { wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { withSpendingLimits } from './plan-flags.js';
import { searchLimitsOf, withModelsOfSymbols, type SearchFlags } from './search-flags.js';
import { withService, type CommandContext } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface GroundFlags
  extends CommonFlags, Pick<SearchFlags, 'describe' | 'vectors' | 'maxCalls' | 'maxTokens' | 'maxCost' | 'maxSeconds'> {
  readonly k: number;
  readonly batch?: string;
  readonly exclude: readonly string[];
}

/** Lines of a batch that are asked for at once. */
const BATCH_LINES = 100;
/** Some half a million sentences: a larger file is not a list of sentences. */
const BATCH_BYTES_MOST = 64 * 1024 * 1024;
const batchLine = z.object({ id: z.union([z.string(), z.number()]), intent: z.string().min(1) });

export function addGround(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const command = withCommonFlags(
    program
      .command('ground')
      .argument('[words]', 'a sentence that says what code should do')
      .description(
        'print the blocks that could implement what a sentence says; no model is asked without --describe or --vectors',
      ),
  )
    .option('-k <n>', 'how many blocks to print', wholeNumber(1), 5)
    .option('--batch <file>', 'answer every line {"id","intent"} of this file, each with a line {"id","symbols"}')
    .option(
      '--exclude <glob>',
      'leave files out of the search (may be given again)',
      (glob: string, others: readonly string[]) => [...others, glob],
      [],
    );
  withSpendingLimits(withModelsOfSymbols(command))
    .addHelpText(
      'after',
      '\nExit codes: 0 every sentence has a block, 1 a sentence has none, or none but such as are spelt like it, or ' +
        'models did not give all that was asked for, 2 an error.',
    )
    .action(async (words: string | undefined, flags: GroundFlags) => finish(await ground(words, flags, world)));
}

function ground(words: string | undefined, flags: GroundFlags, world: World): Promise<ExitCode> {
  const { batch } = flags;
  if ((words === undefined) === (batch === undefined))
    throw new ServiceError('settings', 'give either a sentence or --batch with a file of them');
  return withService('ground', flags, world, async (context) => {
    if (batch !== undefined) return groundBatch(resolve(world.workingDirectory, batch), flags, context);
    const intent = words as string;
    const { results, usage, notes } = await asked([intent], flags, context);
    const symbols = results[0]?.symbols ?? [];
    if (flags.json === true)
      context.print.json({
        schema: SCHEMA_VERSION,
        intent,
        symbols,
        ...(usage === undefined ? {} : { usage }),
        ...(notes === undefined ? {} : { notes }),
      });
    else if (symbols.length === 0) context.print.line('no block shares a word with the sentence');
    else for (const symbol of symbols) context.print.line(lineOf(symbol));
    const isGuess = isGuessed(symbols);
    if (isGuess) context.print.note(GUESSED);
    if (flags.json !== true) for (const note of notes ?? []) context.print.note(note);
    return symbols.length === 0 || isGuess || isShort(notes) ? EXIT.open : EXIT.done;
  });
}

const GUESSED = 'no block says a word of the sentence; these have one that is spelt nearly like it';

/** Whether nothing is known of what the sentence says, and what was found is a guess by spelling. */
const isGuessed = (symbols: readonly GroundedSymbol[]): boolean =>
  symbols.length > 0 && symbols.every(({ via }) => via === 'spelling');

/** Whether models did not give all that was asked for. */
const isShort = (notes: GroundReport['notes']): boolean => notes !== undefined && notes.length > 0;

const lineOf = ({ file, line, block, signature, score }: GroundedSymbol): string =>
  `${shownName(file)}:${line}  ${shownName(block)}  ${score.toFixed(1)}  ${shownInLine(signature)}`;

async function asked(intents: string[], flags: GroundFlags, { service, call }: CommandContext): Promise<GroundReport> {
  const { k, exclude, describe, vectors } = flags;
  return service.ask(
    'codeplan/ground',
    {
      intents,
      k,
      exclude: [...exclude],
      ...(describe === undefined ? {} : { describe }),
      ...(vectors === undefined ? {} : { vectors }),
      ...searchLimitsOf(flags),
    },
    call,
  );
}

async function groundBatch(file: string, flags: GroundFlags, context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  // What models are asked for is one question with one account.
  const isOne = flags.describe !== undefined || flags.vectors !== undefined;
  for (const lines of batchesOf(file, isOne ? Infinity : BATCH_LINES)) {
    const { results, notes } = await asked(
      lines.map(({ intent }) => intent),
      flags,
      context,
    );
    lines.forEach(({ id }, i) => {
      const symbols = results[i]?.symbols ?? [];
      if (symbols.length === 0 || isGuessed(symbols)) code = EXIT.open;
      context.print.jsonLine({ id, symbols });
    });
    for (const note of notes ?? []) context.print.note(note);
    if (isShort(notes)) code = EXIT.open;
  }
  return code;
}

function* batchesOf(file: string, linesMost: number): Generator<z.infer<typeof batchLine>[]> {
  let lines: z.infer<typeof batchLine>[] = [];
  let number = 0;
  for (const text of readGivenFile(file, 'the batch', BATCH_BYTES_MOST).split(/\r?\n/u)) {
    number++;
    if (text.trim() === '') continue;
    lines.push(parsedLine(text, `${shownName(file)}:${number}`));
    if (lines.length < linesMost) continue;
    yield lines;
    lines = [];
  }
  if (lines.length > 0) yield lines;
}

function parsedLine(text: string, place: string): z.infer<typeof batchLine> {
  try {
    return batchLine.parse(JSON.parse(text));
  } catch {
    throw new ServiceError('settings', `${place} is no line of a batch: give {"id": …, "intent": "…"}`);
  }
}
