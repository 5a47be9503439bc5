/**
 * `codeplan generate`: have a model write a block or a file, with an oracle in the loop, and plan what follows from it.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { GenerateParams, GenerateReport } from '#protocol/generate.js';
import { shownInLine, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { MODES, type Mode } from '../generate/task.js';
import { wholeNumber, withCommonFlags, type CommonFlags } from './common-flags.js';
import { planOptionsOf, withPlanOptions, type PlanFlags } from './plan-flags.js';
import { isDone } from './plan-told.js';
import { planLines } from './plan-text.js';
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';
import { questionLines } from './question-text.js';
import { withService } from './with-service.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface GenerateFlags extends CommonFlags, PlanFlags {
  readonly name?: string;
  readonly description: string;
  readonly mode?: Mode;
  readonly test?: readonly string[];
  readonly oracleCalls?: number;
  /** False with `--no-test-source`. */
  readonly testSource: boolean;
  readonly prompt?: boolean;
  readonly force?: boolean;
}

const EXAMPLES = `
Examples:
  codeplan generate shop/cache.py --name Cache --description cache.md --oracle pytest --test tests/test_cache.py
  codeplan generate src/Cache.java --description "A store that forgets old entries" --oracle javac --apply
  codeplan generate shop/cache.py --name Cache --description cache.md --prompt

The model writes; the parser and the oracle look at it on a copy of the repository; the model may look things up in
the repository, and writes again. Nothing is written without --apply, and what does not pass is not written without
--force. What follows from it is planned as "codeplan propagate" does for an edit by hand.
Exit codes: 0 it passes and nothing is left to do, 1 it does not pass, something is open or not yet applied,
2 failure.`;

/** Longest description that is read from a file. */
const DESCRIPTION_BYTES_MOST = 200_000;

export function addGenerate(program: Command, world: World, finish: (code: ExitCode) => void): void {
  withPlanOptions(
    withCommonFlags(
      program
        .command('generate')
        .description(
          'have a model write a block or a file for a description, checked by an oracle; write it with --apply',
        )
        .argument('<file>', 'where it goes; need not exist'),
    ),
  )
    .option('--name <Outer.inner>', 'the block, there already or not (default: the whole file)')
    .requiredOption('--description <words|file>', 'what it is to be: words, or a file that says it')
    .addOption(new Option('--mode <mode>', 'the way it is gone about (default: rrr)').choices(MODES))
    .option('--test <id>', 'a test that is to pass; may be given again', gathered)
    .option('--oracle-calls <n>', 'most looks of the oracle (default: 5)', wholeNumber(1))
    .option('--no-test-source', 'do not tell the model the text of failing tests')
    .option('--prompt', 'print the first question with its tokens by part, and send nothing')
    .option('--force', 'with --apply: write it although it does not pass')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: GenerateFlags) => finish(await generate(file, flags, world)));
}

const gathered = (text: string, known: readonly string[] = []): readonly string[] => [...known, text];

function generate(file: string, flags: GenerateFlags, world: World): Promise<ExitCode> {
  return withService('generate', flags, world, async ({ service, call, print, root }) => {
    const report = await service.ask(
      'codeplan/generate',
      {
        ...planOptionsOf(flags, world.workingDirectory),
        file: pathBelow(root, resolve(world.workingDirectory, file)),
        description: descriptionOf(flags.description, world.workingDirectory),
        ...namedParams(flags),
      },
      call,
    );
    if (flags.json === true) print.json(report);
    else for (const line of generateLines(report, print.paint, flags.limit)) print.line(line);
    if (report.outcome === 'preview') return EXIT.done;
    return report.outcome === 'passed' && report.plan !== null && isDone(report.plan) ? EXIT.done : EXIT.open;
  });
}

const namedParams = (flags: GenerateFlags): Partial<GenerateParams> => ({
  ...(flags.name === undefined ? {} : { name: flags.name }),
  ...(flags.mode === undefined ? {} : { mode: flags.mode }),
  ...(flags.test === undefined ? {} : { tests: [...flags.test] }),
  ...(flags.oracleCalls === undefined ? {} : { oracleCalls: flags.oracleCalls }),
  ...(flags.testSource ? {} : { showTestSource: false }),
  ...(flags.prompt === undefined ? {} : { prompt: flags.prompt }),
  ...(flags.force === undefined ? {} : { force: flags.force }),
});

function pathBelow(root: string, path: string): string {
  return relative(root, path).split('\\').join('/');
}

/** The words themselves, or what the file of that name says. */
function descriptionOf(given: string, workingDirectory: string): string {
  const path = resolve(workingDirectory, given);
  if (given.includes('\n') || given.length > 300 || !existsSync(path) || !statSync(path).isFile()) return given;
  if (statSync(path).size > DESCRIPTION_BYTES_MOST)
    throw new ServiceError('settings', `${shownName(given)} is too long for a description`);
  return readFileSync(path, 'utf8');
}

const ENDS: Readonly<Record<GenerateReport['outcome'], string>> = {
  passed: 'it passes',
  exhausted: 'all looks of the oracle are used up',
  fixpoint: 'the model wrote the same code again and again',
  stagnant: 'the oracle said the same again and again',
  unchecked: 'it was written without an oracle in the loop',
  oracle: 'the oracle could not run',
  model: 'the model could not be asked',
  budget: 'a limit was reached',
  refused: 'no answer of the model could be used',
  preview: 'nothing was sent',
};

function generateLines(report: GenerateReport, paint: Paint, limit: number | undefined): string[] {
  const { prompt, plan } = report;
  if (prompt !== undefined) return questionLines(prompt);
  const lines = report.attempts.map((attempt) => {
    const tests =
      attempt.tests === undefined ? '' : `, ${attempt.tests.passed} of ${attempt.tests.expected} tests pass`;
    const said =
      attempt.compiles === null
        ? 'not checked'
        : `${attempt.compiles ? 'compiles' : 'does not compile'}, ${counted(attempt.findings ?? 0, 'finding')}${tests}`;
    const calls = attempt.calls.map(({ tool }) => tool).join(', ');
    return `try ${attempt.number}: ${said}${calls === '' ? '' : `; looked up with ${calls}`}`;
  });
  const by = report.oracle === null ? 'the parser and the names' : report.oracle;
  const why = report.message === undefined ? '' : `: ${shownInLine(report.message)}`;
  lines.push(
    `${shownName(report.block ?? report.file)}: ${ENDS[report.outcome]}${why} (checked by ${by}; ` +
      `${counted(report.usage.calls, 'question')}, ` +
      `${report.usage.promptTokens + report.usage.completionTokens} tokens)`,
  );
  const last = report.attempts.find(({ number }) => number === report.best);
  if (report.outcome !== 'passed' && last !== undefined && last.feedback !== '')
    lines.push(...last.feedback.split('\n').map((line) => `  ${line}`));
  if (plan === null) return lines;
  if (report.outcome !== 'passed' && !plan.applied)
    lines.push('What is best of it is shown; it is not written without --apply --force.');
  return [...lines, '', ...planLines(plan, paint, limit)];
}
