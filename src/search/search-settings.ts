/**
 * How a search goes: what makes new plans, what judges them, which is tried next, and when it ends.
 *
 * Defaults are those of the published comparison: three proposals a plan, eighty plans made, best first by how many
 * symbols a plan has.
 */

export const SUCCESSORS = ['unconstrained', 'monotonic'] as const;
export type SuccessorKind = (typeof SUCCESSORS)[number];

export const SCORERS = ['diversity', 'likert', 'blend', 'oracle'] as const;
export type ScorerKind = (typeof SCORERS)[number];

/** `breadth-first` is there to be compared with; nobody should want it. */
export const STRATEGIES = ['best-first', 'depth-first', 'breadth-first'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export const BUDGET_UNITS = ['created', 'expanded', 'samples', 'tokens'] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

export interface SearchSettings {
  readonly successor: SuccessorKind;
  readonly scorer: ScorerKind;
  readonly strategy: Strategy;
  /** Proposals for each plan. */
  readonly branching: number;
  /** `created` counts plans, the empty one that it begins with included. */
  readonly budget: { readonly unit: BudgetUnit; readonly most: number };
  /** A plan so far from the root is judged and not gone on with. */
  readonly depthMost: number;
  readonly stepsMost: number;
  /** Symbols of a step. */
  readonly symbolsEach: number;
  /** Stop at a plan that is judged to be complete. Needs a judge. */
  readonly stopsAtGoal: boolean;
  /** The endpoint's own when undefined. */
  readonly temperature: number | undefined;
  readonly seed: number;
  /** Names of the symbols that a right plan has, for the scorer `oracle`. */
  readonly truth: readonly string[];
}

export const SEARCH_DEFAULTS: SearchSettings = {
  successor: 'unconstrained',
  scorer: 'diversity',
  strategy: 'best-first',
  branching: 3,
  budget: { unit: 'created', most: 80 },
  depthMost: 20,
  stepsMost: 20,
  symbolsEach: 5,
  stopsAtGoal: false,
  temperature: undefined,
  seed: 0,
  truth: [],
};

/** One chain of thought and look-up, as ReAct goes: what plan search is compared with. */
export const LINEAR: Pick<SearchSettings, 'successor' | 'branching'> = { successor: 'monotonic', branching: 1 };

/** How a search is asked for, by name: on the command line, over the protocol, and in a request that is carried out. */
export const SEARCH_OPTIONS = [
  'mode',
  'successor',
  'scorer',
  'strategy',
  'branching',
  'budget',
  'budgetUnit',
  'depth',
  'steps',
  'symbols',
  'goal',
  'seed',
  'temperature',
  'truth',
  'exclude',
  'tests',
  'describe',
  'vectors',
] as const;

/** What it may cost, by name; plans of edits have limits of their own. */
export const SEARCH_LIMITS = ['searchCalls', 'searchTokens', 'searchCost', 'searchSeconds'] as const;
