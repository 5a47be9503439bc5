/** `codeplan eval plans`: ways from a request to its context, compared on tasks of one's own. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { PlanComparison } from '#protocol/evaluation.js';
import { wholeNumber } from './common-flags.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface EvalPlansFlags {
  readonly modes: string;
  readonly codegen: number;
  readonly budget?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export function addEvalPlans(evaluations: Command, world: World, finish: (code: ExitCode) => void): void {
  evaluations
    .command('plans')
    .argument('<tasks>', 'a file with one task a line: {"id", "root", "request", "apis": [...]}')
    .description('compare plan search with no context, names, whole files and ReAct: tokens, recall, calls in code')
    .option('--modes <list>', 'what to compare, with commas between', 'instruction,bm25,topk,full,react,search')
    .option('--codegen <n>', 'have the model write code so many times for each; 0 is none', wholeNumber(0), 5)
    .option('--budget <n>', 'plans that each search makes (default: 80)', wholeNumber(1))
    .option('--json', 'print one JSON document on standard output')
    .option('--quiet', 'print no progress and no advice')
    .action(async (tasks: string, flags: EvalPlansFlags) => finish(await evaluate(tasks, flags, world)));
}

async function evaluate(tasks: string, flags: EvalPlansFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const { comparePlans, modesIn } = await import('../eval/plan-comparison.js');
  const { grammarsOfThread } = await import('../io/index/grammar-bytes.js');
  const document = await comparePlans({
    tasks: resolve(world.workingDirectory, tasks),
    modes: modesIn(flags.modes),
    codegen: flags.codegen,
    budget: flags.budget,
    createEngine: await world.loadEngine(),
    environment: world.environment,
    workingDirectory: world.workingDirectory,
    grammars: await grammarsOfThread(),
    call: { signal: world.signal, progress: (message) => print.progress(message) },
  });
  print.clear();
  if (flags.json === true) print.json(document);
  else for (const line of tableOf(document)) print.line(line);
  const failures = new Set(
    document.results.flatMap(({ failure, mode }) => (failure === undefined ? [] : [`${mode}: ${failure}`])),
  );
  for (const failure of failures) print.note(failure);
  return failures.size > 0 ? EXIT.open : EXIT.done;
}

function tableOf({ modes }: PlanComparison): string[] {
  const percent = (share: number | null): string => (share === null ? '' : (share * 100).toFixed(1));
  const number = (value: number | null, digits: number): string => (value === null ? '' : value.toFixed(digits));
  return [
    '| mode | tasks | failed | tokens | steps | symbols found | calls right, best | calls right, mean | ' +
      'questions | seconds |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...modes.map((row) => {
      const cells = [row.mode, row.tasks, row.failed, number(row.tokens, 0), number(row.steps, 1)];
      const shares = [percent(row.recall), percent(row.overlapBest), percent(row.overlapMean)];
      return `| ${[...cells, ...shares, number(row.calls, 1), number(row.seconds, 1)].join(' | ')} |`;
    }),
  ];
}
