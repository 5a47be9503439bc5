/**
 * `codeplan ground`: the blocks that could implement what a sentence says, by their words alone.
 */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import * as z from 'zod';
import type { GroundedSymbol } from '#protocol/tools.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { shownInLine, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { withService, type CommandContext } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface GroundFlags extends CommonFlags {
  readonly k: number;
  readonly batch?: string;
  readonly exclude: readonly string[];
}

/** Lines of a batch that are asked for at once. */
const BATCH_LINES = 100;
const batchLine = z.object({ id: z.union([z.string(), z.number()]), intent: z.string().min(1) });

export function addGround(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withCommonFlags(
    program
      .command('ground')
      .argument('[words]', 'a sentence that says what code should do')
      .description('print the blocks that could implement what a sentence says; no model is asked'),
  )
    .option('-k <n>', 'how many blocks to print', wholeNumber(1), 5)
    .option('--batch <file>', 'answer every line {"id","intent"} of this file, each with a line {"id","symbols"}')
    .option(
      '--exclude <glob>',
      'leave files out of the search (may be given again)',
      (glob: string, others: readonly string[]) => [...others, glob],
      [],
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
    const [result] = await asked([intent], flags, context);
    const symbols = result?.symbols ?? [];
    if (flags.json === true) context.print.json({ schema: SCHEMA_VERSION, intent, symbols });
    else if (symbols.length === 0) context.print.line('no block shares a word with the sentence');
    else for (const symbol of symbols) context.print.line(lineOf(symbol));
    return symbols.length === 0 ? EXIT.open : EXIT.done;
  });
}

const lineOf = ({ file, line, block, signature, score }: GroundedSymbol): string =>
  `${shownName(file)}:${line}  ${shownName(block)}  ${score.toFixed(1)}  ${shownInLine(signature)}`;

async function asked(
  intents: string[],
  flags: GroundFlags,
  { service, call }: CommandContext,
): Promise<{ readonly symbols: readonly GroundedSymbol[] }[]> {
  const report = await service.ask('codeplan/ground', { intents, k: flags.k, exclude: [...flags.exclude] }, call);
  return report.results;
}

async function groundBatch(file: string, flags: GroundFlags, context: CommandContext): Promise<ExitCode> {
  let code: ExitCode = EXIT.done;
  for await (const lines of batchesOf(file)) {
    const results = await asked(
      lines.map(({ intent }) => intent),
      flags,
      context,
    );
    lines.forEach(({ id }, i) => {
      const symbols = results[i]?.symbols ?? [];
      if (symbols.length === 0) code = EXIT.open;
      context.print.jsonLine({ id, symbols });
    });
  }
  return code;
}

async function* batchesOf(file: string): AsyncGenerator<z.infer<typeof batchLine>[]> {
  let lines: z.infer<typeof batchLine>[] = [];
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })) {
    number++;
    if (text.trim() === '') continue;
    lines.push(parsedLine(text, `${shownName(file)}:${number}`));
    if (lines.length < BATCH_LINES) continue;
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
