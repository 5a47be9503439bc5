/** The options of a plan for a request: how it is searched for, and what it may cost. */
import { Option, type Command } from 'commander';
import type { PlanSearchParams } from '#protocol/plan-search.js';
import {
  BUDGET_UNITS,
  SCORERS,
  SEARCH_OPTIONS,
  STRATEGIES,
  SUCCESSORS,
  type SEARCH_LIMITS,
} from '../search/search-settings.js';
import { amount, wholeNumber } from './common-flags.js';

export const MODES = ['search', 'react', 'topk', 'bm25', 'full', 'instruction'] as const;

export interface SearchFlags {
  readonly mode?: PlanSearchParams['mode'];
  readonly successor?: PlanSearchParams['successor'];
  readonly scorer?: PlanSearchParams['scorer'];
  readonly strategy?: PlanSearchParams['strategy'];
  readonly branching?: number;
  readonly budget?: number;
  readonly budgetUnit?: PlanSearchParams['budgetUnit'];
  readonly depth?: number;
  readonly steps?: number;
  readonly symbols?: number;
  readonly goal?: boolean;
  readonly seed?: number;
  readonly temperature?: number;
  readonly truth?: readonly string[];
  readonly exclude?: readonly string[];
  readonly tests?: boolean;
  readonly describe?: PlanSearchParams['describe'];
  readonly vectors?: PlanSearchParams['vectors'];
  readonly maxCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxSeconds?: number;
}

/** Without the limits of cost, which plans of edits have too. */
export function withSearchOptions(command: Command): Command {
  return withModelsOfSymbols(withSearch(command));
}

/** What models add to the words by which symbols are found. */
export const withModelsOfSymbols = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--describe <which>',
        'have a model say what symbols could be asked for by: those that the words lead to, or all; it is kept',
      ).choices(['found', 'all']),
    )
    .addOption(
      new Option(
        '--vectors <which>',
        'where a model for vectors is configured: of what the words find, or of all symbols; they are kept',
      ).choices(['found', 'all']),
    );

function withSearch(command: Command): Command {
  const listed = (text: string, known: readonly string[] = []): readonly string[] => [...known, text];
  return command
    .addOption(
      new Option(
        '--mode <mode>',
        'search and react ask a model; topk, bm25, full and instruction need none, and are there to be compared with',
      ).choices(MODES),
    )
    .addOption(
      new Option(
        '--successor <kind>',
        'a new plan changes anything (unconstrained), or adds a step (monotonic)',
      ).choices(SUCCESSORS),
    )
    .addOption(
      new Option('--scorer <kind>', 'by symbols (diversity), by a judging model (likert), by both (blend)').choices(
        SCORERS,
      ),
    )
    .addOption(new Option('--strategy <kind>', 'which plan is gone on with next').choices(STRATEGIES))
    .option('--branching <n>', 'proposals for each plan (default: 3)', wholeNumber(1))
    .option('--budget <n>', 'how much of the budget unit (default: 80)', wholeNumber(1))
    .addOption(new Option('--budget-unit <unit>', 'what the budget counts (default: created)').choices(BUDGET_UNITS))
    .option('--depth <n>', 'a plan so far from the first is not gone on with (default: 20)', wholeNumber(1))
    .option('--steps <n>', 'most steps of a plan (default: 20)', wholeNumber(1))
    .option('-k, --symbols <n>', 'symbols of a step (default: 5)', wholeNumber(1))
    .option('--goal', 'stop at a plan that the judge calls complete')
    .option('--seed <n>', 'where the samples of the model begin', wholeNumber(0))
    .option('--temperature <n>', "the model's temperature (default: the endpoint's own)", degrees)
    .option('--truth <name>', 'a right symbol, for the scorer oracle (may be given again)', listed)
    .option('--exclude <glob>', 'leave the symbols of files out (may be given again)', listed)
    .option('--tests', 'symbols of tests may be in a plan');
}

/** How it is searched for, without what it may cost. */
export const searchChoicesOf = (flags: SearchFlags): Pick<PlanSearchParams, (typeof SEARCH_OPTIONS)[number]> =>
  Object.fromEntries(SEARCH_OPTIONS.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])));

export const searchOptionsOf = (flags: SearchFlags): Omit<PlanSearchParams, 'request'> => ({
  ...searchChoicesOf(flags),
  ...searchLimitsOf(flags),
});

export function searchLimitsOf(
  flags: Pick<SearchFlags, 'maxCalls' | 'maxTokens' | 'maxCost' | 'maxSeconds'>,
): Pick<PlanSearchParams, (typeof SEARCH_LIMITS)[number]> {
  return {
    ...(flags.maxCalls === undefined ? {} : { searchCalls: flags.maxCalls }),
    ...(flags.maxTokens === undefined ? {} : { searchTokens: flags.maxTokens }),
    ...(flags.maxCost === undefined ? {} : { searchCost: flags.maxCost }),
    ...(flags.maxSeconds === undefined ? {} : { searchSeconds: flags.maxSeconds }),
  };
}

function degrees(text: string): number {
  return text.trim() === '0' ? 0 : amount(text);
}
