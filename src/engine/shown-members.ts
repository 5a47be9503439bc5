/**
 * Members of a class that was just answered. Whoever was shown the whole class, and why it is affected,
 * had its members before their eyes: what they left as it was is not asked of each member again. What
 * is sure to break is asked all the same, and so is what something else led to.
 */
import type { Cause, Plan, Step } from '../plan/plan-graph.js';

/** Whether a block is part of the step's block. */
export const isWithin = (step: Step, file: string, block: string): boolean =>
  file === step.file && block.startsWith(`${step.nowBlock}.`);

/** The plan without questions about members that the answer to the step, just given, has answered as well. */
export function withMembersAnswered(plan: Plan, step: Step): Plan {
  const known = new Set(step.causes.map(keyOf));
  return {
    steps: plan.steps.map((member): Step => {
      const isAnswered =
        member.status === 'pending' &&
        member.tier === 'may' &&
        member.open === undefined &&
        member.causes.length > 0 &&
        isWithin(step, member.file, member.nowBlock) &&
        member.causes.every((cause) => known.has(keyOf(cause)));
      return isAnswered
        ? { ...member, status: 'proposed', how: member.diff === '' ? 'model' : member.how, answeredWith: step.id }
        : member;
    }),
  };
}

/** By whatever relation a change leads there, it is told once. */
const keyOf = ({ step, label, file, block }: Cause): string => `${step} ${label} ${file}::${block}`;
