/**
 * How good a plan is: by how many symbols it has, by a judge, by the symbols that a right plan has.
 *
 *     diversity  different symbols of all steps
 *     likert     a model's numbers from 1 to 7: guidance is the mean of the plan's and its steps' mean
 *     oracle     share of the true symbols that it names; for evaluation alone
 *     blend      mean of the places that diversity and likert give it among all plans so far
 *
 * A plan is judged once, whatever asks for it; a judge that fails several times leaves it without a number, which
 * ranks behind any.
 */
import type { ModelError } from '../model/model-error.js';
import { addSpending, NO_SPENDING, type Model, type Spending } from '../model/model.js';
import { structured } from '../model/structured.js';
import { guidanceOf, judgementForm, type Judgement } from './judgement.js';
import { keyOf, symbolsOf, type Plan, type PlanSymbol } from './plan.js';
import { judgeRequest } from './questions.js';
import type { ScorerKind } from './search-settings.js';

export interface Scores {
  readonly diversity: number;
  /** From 0 to 1, where the truth is given. */
  readonly recall?: number;
  /** Absent where nobody judges, or the judge failed. */
  readonly judgement?: Judgement;
}

/** Until an answer is a judgement: a model whose answers are none under three seeds will not give one. */
const JUDGED_MOST = 3;

export const isJudged = (scorer: ScorerKind): boolean => scorer === 'likert' || scorer === 'blend';

export const diversityOf = (plan: Plan): number => symbolsOf(plan).length;

/** Share of the names that are the last part of a symbol's; `isLoose`: or stand anywhere in its name, as published. */
export function recallOf(plan: Plan, truth: readonly string[], isLoose = false): number {
  if (truth.length === 0) return 0;
  const symbols = symbolsOf(plan);
  const isNamed = (name: string): boolean =>
    symbols.some(({ qualifiedName }) =>
      isLoose ? qualifiedName.includes(name) : lastPart(qualifiedName) === lastPart(name),
    );
  return truth.filter(isNamed).length / truth.length;
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

export interface Judged {
  readonly judgement?: Judgement;
  readonly usage: Spending;
  readonly error?: ModelError;
}

/** Judges plans, each once. */
export class Judge {
  private readonly known = new Map<string, Judged>();

  constructor(
    private readonly model: Model,
    private readonly request: string,
    private readonly definitionOf: (symbol: PlanSymbol) => string,
    private readonly signal: AbortSignal,
  ) {}

  /** What an earlier judgement of an equal plan took is not counted again. */
  async judge(plan: Plan): Promise<Judged> {
    const key = keyOf(plan);
    const known = this.known.get(key);
    if (known !== undefined) return { ...known, usage: NO_SPENDING };
    const judged = await this.asked(plan);
    this.known.set(key, judged);
    return judged;
  }

  private async asked(plan: Plan): Promise<Judged> {
    if (plan.steps.length === 0) return { judgement: { plan: 0, steps: [] }, usage: NO_SPENDING };
    let usage = NO_SPENDING;
    for (let attempt = 0; attempt < JUDGED_MOST; attempt++) {
      const answer = await structured(
        this.model,
        judgeRequest(this.request, plan, this.definitionOf),
        judgementForm(plan.steps.length),
        { signal: this.signal, temperature: 0, seed: attempt },
        false,
      );
      usage = addSpending(usage, answer.usage);
      const [judgement] = answer.values;
      if (judgement !== undefined) return { judgement, usage };
      if (answer.error !== undefined) return { usage, error: answer.error };
    }
    return { usage };
  }
}

/** What guides the search, by place in the list: higher is better, -Infinity for a plan without a number. */
export function guidance(scorer: ScorerKind, all: readonly Scores[]): number[] {
  const judged = all.map(({ judgement }) => (judgement === undefined ? -Infinity : guidanceOf(judgement)));
  const diversities = all.map(({ diversity }) => diversity);
  if (scorer === 'diversity') return diversities;
  if (scorer === 'likert') return judged;
  if (scorer === 'oracle') return all.map(({ recall = 0 }) => recall);
  const [a, b] = [placesOf(diversities), placesOf(judged)];
  return all.map((_, at) => ((a[at] as number) + (b[at] as number)) / 2);
}

/** How many values are lower than each, equal ones counted half. */
function placesOf(values: readonly number[]): number[] {
  return values.map((value) =>
    values.reduce((sum, other) => sum + (other < value ? 1 : other === value ? 0.5 : 0), -0.5),
  );
}
