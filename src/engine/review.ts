/** What a person says of the steps of a run and of hunks of their differences, and what that makes of the others. */
import type { PropagateReport, ReviewParams, Step } from '#protocol/propagate.js';
import type { HunksLeftOut } from '../edit/layered-text.js';
import type { Run, RunPart } from './propagation.js';
import { ServiceError } from './service.js';

type Steps = PropagateReport['steps'];
type PersonsChoice = Pick<ReviewParams, 'accept' | 'reject' | 'acceptHunks' | 'rejectHunks'>;

/**
 * The steps after that. A step all of whose hunks are left out is left out itself. Throws for a hunk that stands for no
 * edit of its own.
 */
export function reviewed(
  run: Run,
  { accept = [], reject = [], acceptHunks = [], rejectHunks = [] }: PersonsChoice,
): Steps {
  for (const { step, hunk } of [...acceptHunks, ...rejectHunks])
    if (run.hunks.get(step)?.has(hunk) !== true)
      throw new ServiceError(
        'refused',
        `step ${step} of run ${run.id} has no hunk ${hunk} that can be had without the others; name the step`,
      );
  const said = run.report.steps.map((step): Step => {
    if (step.diff === '') return step;
    const { leftOut: before = [], ...whole } = step;
    if (reject.includes(step.id)) return { ...whole, status: 'rejected' };
    if (accept.includes(step.id)) return { ...whole, status: 'accepted' };
    // What hung on a step that was left out may stand again.
    const status = step.status === 'blocked' ? 'proposed' : step.status;
    const taken = hunksOf(acceptHunks, step.id);
    const dropped = hunksOf(rejectHunks, step.id);
    if (taken.length + dropped.length === 0) return { ...step, status };
    const all = [...(run.hunks.get(step.id) ?? [])].sort((a, b) => a - b);
    const out = new Set([...(step.status === 'rejected' ? all : before), ...dropped]);
    for (const hunk of taken) out.delete(hunk);
    if (out.size === all.length) return { ...whole, status: 'rejected' };
    return {
      ...whole,
      status: status === 'rejected' ? 'proposed' : status,
      ...(out.size === 0 ? {} : { leftOut: all.filter((hunk) => out.has(hunk)) }),
    };
  });
  const standing = partLeftIn(run, said).steps;
  return said.map((step) =>
    step.diff === '' || step.status === 'rejected' || standing.has(step.id) ? step : { ...step, status: 'blocked' },
  );
}

/** The edits of all steps that are not left out, without the hunks that are. */
export const partLeftIn = (run: Run, steps: Steps = run.report.steps): RunPart =>
  run.partOf(new Set(steps.filter(({ status }) => status !== 'rejected').map(({ id }) => id)), hunksLeftOut(steps));

export const hunksLeftOut = (steps: Steps): HunksLeftOut =>
  new Map(steps.flatMap(({ id, leftOut }) => (leftOut === undefined ? [] : [[id, new Set(leftOut)]])));

const hunksOf = (hunks: readonly { readonly step: number; readonly hunk: number }[], step: number): number[] =>
  hunks.flatMap((one) => (one.step === step ? [one.hunk] : []));
