/** `codeplan eval tools`: whether the repository tools would put a model right that invented a name. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { shownName } from '../base/shown.js';
import { wholeNumber } from './common-flags.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface ToolsFlags {
  readonly most: number;
  readonly quiet?: boolean;
}

export function addTools(evaluation: Command, world: World, finish: (code: ExitCode) => void): void {
  evaluation
    .command('tools [directory]')
    .description('misspell members that the code of a directory uses, and look for the true names with a tool')
    .option('--most <n>', 'uses that are tried', wholeNumber(1), 1000)
    .option('--quiet', 'print no progress and no advice')
    .action(async (directory: string | undefined, flags: ToolsFlags) =>
      finish(await evaluate(directory ?? '.', flags, world)),
    );
}

async function evaluate(directory: string, flags: ToolsFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const { recoverable } = await import('../eval/recoverable.js');
  const { grammarsOfThread } = await import('../io/index/grammar-bytes.js');
  print.progress('reading the repository');
  const { ways, lost } = await recoverable({
    root: resolve(world.workingDirectory, directory),
    most: flags.most,
    grammars: await grammarsOfThread(),
    signal: world.signal,
  });
  print.clear();
  const tried = ways.reduce((sum, way) => sum + way.tried, 0);
  const recovered = ways.reduce((sum, way) => sum + way.recovered, 0);
  for (const line of [
    '| misspelt by | tried | recoverable | rate |',
    '|---|---|---|---|',
    ...[...ways].map((row) => lineOf(row.way, row.tried, row.recovered)),
    lineOf('all', tried, recovered),
  ])
    print.line(line);
  for (const { file, type, name, wrong } of lost)
    print.note(`${shownName(file)}: ${shownName(type)}.${shownName(name)} is not found from ${shownName(wrong)}`);
  return EXIT.done;
}

const lineOf = (way: string, tried: number, recovered: number): string =>
  `| ${way} | ${tried} | ${recovered} | ${tried === 0 ? '–' : (recovered / tried).toFixed(3)} |`;
