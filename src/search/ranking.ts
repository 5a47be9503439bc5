/**
 * In which order plans are tried, and in which they are given at the end.
 *
 * Equal ones are ordered by fewer steps, then by age, so that the same answers always give the same order. At the end
 * a judged plan goes first by its own number and only then by its steps', other than during the search.
 */
import { guidanceOf, meanOf } from './judgement.js';
import type { PlanNode } from './search.js';
import { guidance } from './scorer.js';
import type { ScorerKind, Strategy } from './search-settings.js';

/** The next of the frontier, by its id; undefined for an empty one. */
export function nextOf(
  frontier: readonly number[],
  nodes: readonly PlanNode[],
  strategy: Strategy,
  scorer: ScorerKind,
): number | undefined {
  if (strategy === 'depth-first') return frontier.at(-1);
  if (strategy === 'breadth-first') return frontier[0];
  const worth = guidance(
    scorer,
    nodes.map(({ scores }) => scores),
  );
  return [...frontier].sort(
    (a, b) =>
      higher(worth[a] as number, worth[b] as number) ||
      (nodes[a] as PlanNode).plan.steps.length - (nodes[b] as PlanNode).plan.steps.length ||
      a - b,
  )[0];
}

/** All plans but an empty root, best first: those that were never gone on with included. */
export function ranked(nodes: readonly PlanNode[], scorer: ScorerKind): PlanNode[] {
  const worth = guidance(
    scorer,
    nodes.map(({ scores }) => scores),
  );
  const byJudge = (a: PlanNode, b: PlanNode): number =>
    higher(a.scores.judgement?.plan ?? -Infinity, b.scores.judgement?.plan ?? -Infinity) ||
    higher(stepsMean(a), stepsMean(b)) ||
    higher(a.scores.diversity, b.scores.diversity);
  const byWorth = (a: PlanNode, b: PlanNode): number => higher(worth[a.id] as number, worth[b.id] as number);
  return nodes
    .filter(({ plan }) => plan.steps.length > 0)
    .sort(
      (a, b) =>
        (scorer === 'likert' ? byJudge(a, b) : byWorth(a, b)) ||
        a.plan.steps.length - b.plan.steps.length ||
        a.id - b.id,
    );
}

/** The number that a plan is shown with; undefined where the judge gave none. */
export function shownScore({ scores }: PlanNode, scorer: ScorerKind): number | undefined {
  if (scorer === 'diversity') return scores.diversity;
  if (scorer === 'oracle') return scores.recall;
  return scores.judgement === undefined ? undefined : guidanceOf(scores.judgement);
}

const stepsMean = ({ scores }: PlanNode): number =>
  scores.judgement === undefined ? -Infinity : meanOf(scores.judgement.steps);

/** Negative where `a` goes first; NaN never comes of two equal infinities. */
const higher = (a: number, b: number): number => (a === b ? 0 : b - a);
