/** `codeplan eval rrr`: generation measured on tasks that somebody laid out, in one or several ways. */
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { RrrEvaluation } from '#protocol/rrr-evaluation.js';
import { MODES, type Mode } from '../generate/task.js';
import { wholeNumber } from './common-flags.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface RrrFlags {
  readonly data: string;
  readonly task?: readonly string[];
  readonly mode?: readonly Mode[];
  readonly samples?: number;
  readonly sketchy?: boolean;
  readonly runTests?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addRrr(evaluation: Command, world: World, finish: (code: ExitCode) => void): void {
  evaluation
    .command('rrr')
    .description('write classes, functions or files for tasks that are laid out in a folder, with the configured model')
    .requiredOption('--data <dir>', 'holds a folder a task, with task.json and the repository in repo')
    .option('--task <name>', 'only this task; may be given again', (name: string, known?: readonly string[]) => [
      ...(known ?? []),
      name,
    ])
    .addOption(new Option('--mode <mode...>', 'the ways to compare (default: rrr)').choices(MODES))
    .option('--samples <n>', 'tries at each task in each way (default: 1)', wholeNumber(1))
    .option('--sketchy', 'give the short descriptions')
    .option('--run-tests', 'let the oracles of the tasks run what lies in their repositories')
    .option('--json', 'print one JSON document on standard output')
    .option('--quiet', 'print no progress and no advice')
    .action(async (flags: RrrFlags) => finish(await evaluate(flags, world)));
}

async function evaluate(flags: RrrFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const { evaluateRrr } = await import('../eval/rrr-evaluation.js');
  const document = await evaluateRrr({
    data: resolve(world.workingDirectory, flags.data),
    only: flags.task ?? [],
    modes: flags.mode ?? ['rrr'],
    samples: flags.samples ?? 1,
    isSketchy: flags.sketchy === true,
    runsTests: flags.runTests === true,
    createEngine: await world.loadEngine(),
    environment: world.environment,
    call: { signal: world.signal, progress: (message) => print.progress(message) },
  });
  print.clear();
  if (flags.json === true) print.json(document);
  else for (const line of tableOf(document)) print.line(line);
  return EXIT.done;
}

/** Two tables in Markdown: the sums of each way, and each task. */
function tableOf({ sums, tasks }: RrrEvaluation): string[] {
  const share = (value: number | null): string => (value === null ? '' : value.toFixed(3));
  return [
    '| mode | Pass@k | test rate | compile rate | passed by try | tools | questions | tokens |',
    '|---|---|---|---|---|---|---|---|',
    ...sums.map((sum) => {
      const tools = Object.entries(sum.tools).map(([tool, times]) => `${tool} ${times}`);
      const cells = [
        sum.mode,
        sum.passAt.map(({ k, value }) => `@${k} ${share(value)}`).join(', '),
        share(sum.testRate),
        share(sum.compileRate),
        sum.curve.map(share).join(' '),
        tools.join(', '),
        sum.calls,
        sum.tokens,
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    '',
    '| task | mode | passed | how each ended |',
    '|---|---|---|---|',
    ...tasks.flatMap(({ id, modes }) =>
      modes.map(({ mode, samples }) => {
        const ends = samples.map(({ outcome, solvedAt }) => (solvedAt === null ? outcome : `try ${solvedAt}`));
        const passed = samples.filter((sample) => sample.passed).length;
        return `| ${id} | ${mode} | ${passed} of ${samples.length} | ${ends.join(', ')} |`;
      }),
    ),
  ];
}
