/** `codeplan eval`: the published cases of CodePlan, laid out, scored and planned; tasks of writing what is missing. */
import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { Evaluation } from '#protocol/evaluation.js';
import type { EvaluationOptions } from '../eval/codeplan-evaluation.js';
import { addEvalPlans } from './eval-plans.js';
import { addRrr } from './eval-rrr.js';
import { addTools } from './eval-tools.js';
import { printerFor } from './print.js';
import { EXIT, type ExitCode, type World } from './world.js';

interface EvalFlags {
  readonly package: string;
  readonly upstreams: string;
  readonly case?: readonly string[];
  readonly tree?: readonly { readonly id: string; readonly directory: string }[];
  readonly oracle?: string;
  /** False with `--no-predictions`. */
  readonly predictions: boolean;
  /** False with `--no-plan`. */
  readonly plan: boolean;
  readonly json?: boolean;
  readonly ablations?: boolean;
  readonly tokens?: boolean;
  readonly quiet?: boolean;
}

export function addEval(program: Command, world: World, finish: (code: ExitCode) => void): void {
  const evaluations = program.command('eval').description('measure this program on published cases, or on your own');
  addEvalPlans(evaluations, world, finish);
  addRrr(evaluations, world, finish);
  addTools(evaluations, world, finish);
  evaluations
    .command('codeplan')
    .description(
      'the five repository edits of the CodePlan package: score its predictions, and plan with the target as the model',
    )
    .requiredOption('--package <dir>', "clone of the authors' package (microsoft/CodePlan)")
    .requiredOption(
      '--upstreams <dir>',
      'folder with clones of openai/whisper, facebookresearch/audiocraft and microsoft/JARVIS',
    )
    .option('--case <id>', 'only this case; may be given again', addId)
    .option('--tree <case=dir>', 'score this tree as well; may be given again', addTree)
    .option('--oracle <preset>', 'count new errors with this checker, and run oracle-guided repair too')
    .option('--no-predictions', 'do not score the predictions of the package')
    .option('--no-plan', 'do not run the planner')
    .option('--ablations', 'run the planner without temporal and without spatial context as well')
    .option('--tokens', 'print what the questions take, in tokens by part, in place of the scores')
    .option('--json', 'print one JSON document on standard output')
    .option('--quiet', 'print no progress and no advice')
    .action(async (flags: EvalFlags) => finish(await evaluate(flags, world)));
}

const addId = (id: string, known: readonly string[] | undefined): readonly string[] => [...(known ?? []), id];

function addTree(
  text: string,
  known: readonly { id: string; directory: string }[] = [],
): readonly { id: string; directory: string }[] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('give <case>=<directory>.');
  return [...known, { id: text.slice(0, equals), directory: text.slice(equals + 1) }];
}

async function evaluate(flags: EvalFlags, world: World): Promise<ExitCode> {
  const print = printerFor(world, flags.quiet === true);
  const here = (path: string): string => resolve(world.workingDirectory, path);
  // Only this command pays for loading what it needs.
  const { evaluateCodeplan } = await import('../eval/codeplan-evaluation.js');
  const { grammarsOfThread } = await import('../io/index/grammar-bytes.js');
  const options: EvaluationOptions = {
    packageDirectory: here(flags.package),
    upstreams: here(flags.upstreams),
    only: flags.case ?? [],
    predictions: flags.predictions,
    plan: flags.plan,
    ablations: flags.ablations === true,
    trees: (flags.tree ?? []).map(({ id, directory }) => ({ id, directory: here(directory) })),
    ...(flags.oracle === undefined ? {} : { oracle: flags.oracle }),
    createEngine: await world.loadEngine(),
    environment: world.environment,
    grammars: await grammarsOfThread(),
    call: { signal: world.signal, progress: (message) => print.progress(message) },
  };
  const document = await evaluateCodeplan(options);
  print.clear();
  if (flags.json === true) print.json(document);
  else for (const line of flags.tokens === true ? tokensOf(document) : tableOf(document)) print.line(line);
  return EXIT.done;
}

/** One table for all cases, in Markdown. */
function tableOf(document: Evaluation): string[] {
  const rows = document.cases.flatMap(({ id, results }) =>
    results.map(({ approach, scores, published, planning }) => [
      id,
      approach,
      `${scores.matched}/${scores.missed}/${scores.spurious}`,
      scores.diffBleu.toFixed(4),
      scores.diffBleuStrict.toFixed(4),
      String(scores.levenshtein),
      scores.newErrors === null ? '' : String(scores.newErrors),
      published === undefined ? '' : agreement(scores, published),
      planning === undefined
        ? ''
        : `${planning.derived - planning.missed.length} of ${planning.derived} derived, ${planning.questions} ` +
          `questions, ${planning.needless} needless, about ${planning.promptTokens} tokens in the questions ` +
          'known at first',
    ]),
  );
  return [
    '| case | tree | matched/missed/spurious | DiffBLEU | strict | Levenshtein | new errors | as published | ' +
      'planning |',
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

/** What the questions of each case take, in Markdown: in all, by part, and what of it could come from a cache. */
function tokensOf(document: Evaluation): string[] {
  const rows = document.cases.flatMap(({ id, results }) =>
    results.flatMap(({ approach, planning }) => {
      const tokens = planning?.questionTokens;
      if (planning === undefined || tokens === undefined) return [];
      const derived = `${planning.derived - planning.missed.length} of ${planning.derived}`;
      const parts = tokens.parts.map(({ part, tokens: count }) => `${part} ${count}`).join(', ');
      return [
        [
          id,
          approach,
          derived,
          planning.questions,
          planning.needless,
          planning.asked,
          planning.unchanged,
          tokens.total,
          tokens.shared.toFixed(2),
          parts,
        ],
      ];
    }),
  );
  return [
    '| case | run | derived | questions | needless | blocks asked | unchanged | tokens | common beginning | by part |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
}

type Result = Evaluation['cases'][number]['results'][number];

function agreement(scores: Result['scores'], published: NonNullable<Result['published']>): string {
  const differs = [
    scores.diffBleu === published.diffBleu ? [] : [`DiffBLEU ${published.diffBleu}`],
    scores.levenshtein === published.levenshtein ? [] : [`Levenshtein ${published.levenshtein}`],
    scores.matched === published.matched && scores.missed === published.missed && scores.spurious === published.spurious
      ? []
      : [`blocks ${published.matched}/${published.missed}/${published.spurious}`],
  ].flat();
  return differs.length === 0 ? 'the same' : differs.join(', ');
}
