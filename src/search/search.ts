/**
 * Search over plans: take the best so far, have the model change it, look up what the new steps say, judge, go on.
 *
 *     root (no steps) ──► proposals ──► grounded plans ──► frontier ──► the next best ──► ...
 *
 * Nothing is executed. Plans that are there already are dropped, each plan is gone on with at most once, and what
 * remains of the budget is known before a question is paid for: so every search ends, whatever a model answers. With
 * the same answers the result is the same to the byte. Whatever ends it, the best so far is given.
 *
 * Source: MutaGReP (arXiv 2502.15872), plan search.
 */
import type { ModelError } from '../model/model-error.js';
import { addSpending, NO_SPENDING, type Model, type Spending } from '../model/model.js';
import { meanOf } from './judgement.js';
import { EMPTY_PLAN, keyOf, type Plan, type PlanSymbol } from './plan.js';
import type { Material } from './questions.js';
import { nextOf, ranked } from './ranking.js';
import { diversityOf, isJudged, Judge, recallOf, type Scores } from './scorer.js';
import type { SearchSettings } from './search-settings.js';
import { successorsOf, type Ground, type Successors } from './successor.js';

export interface PlanNode {
  /** Its place among all plans, by age; the root is 0. */
  readonly id: number;
  readonly plan: Plan;
  /** Undefined for the root. */
  readonly parent: number | undefined;
  readonly depth: number;
  readonly state: 'frontier' | 'expanded' | 'leaf';
  readonly scores: Scores;
}

/** `budget`: by any of its limits. `goal`: a plan is judged to be complete. */
export type Stop = 'budget' | 'queueEmpty' | 'goal' | 'cancelled' | 'modelFailure';

export interface SearchUsage extends Spending {
  readonly expansions: number;
  readonly samples: number;
  /** Proposals that were equal to a plan that was there. */
  readonly duplicates: number;
  /** Answers that were no plan, or not one that is allowed. */
  readonly unusable: number;
  /** Intents that were looked up. */
  readonly grounded: number;
}

export interface SearchResult {
  readonly stop: Stop;
  /** Why, where the model or the budget said so. */
  readonly message?: string;
  readonly nodes: readonly PlanNode[];
  /** Best first. */
  readonly ranked: readonly number[];
  readonly usage: SearchUsage;
}

export interface SearchParts {
  readonly model: Model;
  /** Undefined where nobody judges; the scorers that need one then refuse. */
  readonly judge: Model | undefined;
  readonly ground: Ground;
  readonly definitionOf: (symbol: PlanSymbol) => string;
  /** Ends the search with what is best so far. */
  readonly signal: AbortSignal;
  progress(nodes: readonly PlanNode[], best: PlanNode | undefined): void;
}

/** Errors that only this question has; the search goes on with other plans. */
const PASSING: ReadonlySet<ModelError['kind']> = new Set(['timeout', 'server', 'bad-answer', 'too-long']);
/** So many questions in a row that fail are no accident. */
const FAILURES_MOST = 3;
/** What judges a plan to be complete, where the search may stop at one. */
const GOAL = { plan: 7, steps: 6 };

export async function searchPlans(
  material: Material,
  settings: SearchSettings,
  parts: SearchParts,
): Promise<SearchResult> {
  return new Search(material, settings, parts).run();
}

class Search {
  private readonly nodes: PlanNode[] = [];
  private readonly frontier: number[] = [0];
  private readonly seen = new Set<string>();
  private readonly judge: Judge | undefined;
  private failuresInARow = 0;
  private message: string | undefined;
  private usage: SearchUsage = { ...NO_SPENDING, expansions: 0, samples: 0, duplicates: 0, unusable: 0, grounded: 0 };

  constructor(
    private readonly material: Material,
    private readonly settings: SearchSettings,
    private readonly parts: SearchParts,
  ) {
    const { judge, definitionOf, signal } = parts;
    if (judge !== undefined && isJudged(settings.scorer))
      this.judge = new Judge(judge, material.request, definitionOf, signal);
    this.nodes.push({
      id: 0,
      plan: EMPTY_PLAN,
      parent: undefined,
      depth: 0,
      state: 'frontier',
      scores: { diversity: 0 },
    });
    this.seen.add(keyOf(EMPTY_PLAN));
  }

  async run(): Promise<SearchResult> {
    const stop = await this.untilStopped();
    const { nodes, usage, message } = this;
    return {
      stop,
      ...(message === undefined ? {} : { message }),
      nodes,
      ranked: ranked(nodes, this.settings.scorer).map(({ id }) => id),
      usage,
    };
  }

  private async untilStopped(): Promise<Stop> {
    const { settings } = this;
    for (;;) {
      if (this.isCancelled()) return 'cancelled';
      if (this.remaining() <= 0) return 'budget';
      const id = nextOf(this.frontier, this.nodes, settings.strategy, settings.scorer);
      if (id === undefined) return 'queueEmpty';
      this.frontier.splice(this.frontier.indexOf(id), 1);
      const node = this.nodes[id] as PlanNode;
      if (node.depth >= settings.depthMost) {
        this.nodes[id] = { ...node, state: 'leaf' };
        continue;
      }
      try {
        const stop = await this.expand(node);
        if (stop !== undefined) return stop;
      } catch (error) {
        if (this.isCancelled()) return 'cancelled';
        throw error;
      }
    }
  }

  private isCancelled(): boolean {
    return this.parts.signal.aborted;
  }

  /** What may still be spent, in the unit of the budget. */
  private remaining(): number {
    const { unit, most } = this.settings.budget;
    const { expansions, samples, promptTokens, completionTokens } = this.usage;
    if (unit === 'created') return most - this.nodes.length;
    if (unit === 'expanded') return most - expansions;
    return most - (unit === 'samples' ? samples : promptTokens + completionTokens);
  }

  private async expand(node: PlanNode): Promise<Stop | undefined> {
    const { settings, parts, material } = this;
    const remaining = this.remaining();
    const isCounted = settings.budget.unit === 'created' || settings.budget.unit === 'samples';
    const wanted = isCounted ? Math.min(settings.branching, remaining) : settings.branching;
    const samplesMost = settings.budget.unit === 'samples' ? remaining : Infinity;
    const found = await successorsOf(node.plan, material, wanted, samplesMost, settings, parts);
    this.count(found);
    let fresh = 0;
    let stop = this.failed(found.error);
    for (const plan of found.plans) {
      const key = keyOf(plan);
      if (this.seen.has(key)) {
        this.usage = { ...this.usage, duplicates: this.usage.duplicates + 1 };
        continue;
      }
      this.seen.add(key);
      fresh++;
      const { scores, error } = await this.score(plan);
      const id = this.nodes.length;
      this.nodes.push({ id, plan, parent: node.id, depth: node.depth + 1, state: 'frontier', scores });
      this.frontier.push(id);
      stop ??= this.failed(error) ?? this.goal(scores);
    }
    this.nodes[node.id] = { ...node, state: fresh === 0 ? 'leaf' : 'expanded' };
    const [best] = ranked(this.nodes, settings.scorer);
    parts.progress(this.nodes, best);
    if (found.plans.length === 0 && node.id === 0) {
      this.message ??= 'the model proposed no plan that could be read';
      return stop ?? 'modelFailure';
    }
    return stop;
  }

  private count(found: Successors): void {
    const { usage } = this;
    this.usage = {
      ...addSpending(usage, found.usage),
      expansions: usage.expansions + 1,
      samples: usage.samples + found.samples,
      duplicates: usage.duplicates,
      unusable: usage.unusable + found.unusable,
      grounded: usage.grounded + found.grounded,
    };
  }

  private async score(plan: Plan): Promise<{ readonly scores: Scores; readonly error?: ModelError }> {
    const { truth } = this.settings;
    const scores: Scores = {
      diversity: diversityOf(plan),
      ...(truth.length === 0 ? {} : { recall: recallOf(plan, truth) }),
    };
    if (this.judge === undefined || this.parts.signal.aborted) return { scores };
    const { judgement, usage, error } = await this.judge.judge(plan);
    this.usage = { ...this.usage, ...addSpending(this.usage, usage) };
    return {
      scores: judgement === undefined ? scores : { ...scores, judgement },
      ...(error === undefined ? {} : { error }),
    };
  }

  /** Whether an error ends the search; one of a passing kind does when it comes again and again. */
  private failed(error: ModelError | undefined): Stop | undefined {
    if (error === undefined) {
      this.failuresInARow = 0;
      return undefined;
    }
    this.message = error.message;
    if (error.kind === 'budget') return 'budget';
    this.failuresInARow++;
    return PASSING.has(error.kind) && this.failuresInARow < FAILURES_MOST ? undefined : 'modelFailure';
  }

  private goal({ judgement }: Scores): Stop | undefined {
    if (!this.settings.stopsAtGoal || judgement === undefined) return undefined;
    return judgement.plan >= GOAL.plan && meanOf(judgement.steps) >= GOAL.steps ? 'goal' : undefined;
  }
}
