/**
 * A job as it travels to a worker, on this machine or another, and what comes back: plain data, checked when it comes
 * in. Change files are named by their digests; who hands the job over sees to it that they are there.
 */
import * as z from 'zod';
import { campaignId, digest, repository, settings } from '../../fleet/campaign.js';
import { outcome, step } from '../../fleet/event.js';

export const job = z.strictObject({
  id: z.string().min(1).max(250),
  campaign: campaignId,
  attempt: z.int().min(1),
  repository,
  settings,
  steps: z.array(step).min(1),
  packages: z.array(
    z.strictObject({ ecosystem: z.string(), name: z.string(), from: z.string().optional(), to: z.string().optional() }),
  ),
  changes: z.array(digest),
  isLibrary: z.boolean(),
  /** What the steps depend on, as one digest. */
  input: z.string(),
  /** Outcomes of earlier steps, which the later ones go on from. */
  earlier: z.array(outcome),
  /** Every commit that was made for this repository. */
  made: z.array(z.string()),
});

export const report = z.discriminatedUnion('kind', [
  /** `changeText`: the change file that the outcome names. */
  z.strictObject({ kind: z.literal('outcome'), outcome, changeText: z.string().optional() }),
  z.strictObject({ kind: z.literal('failed'), step, reason: z.string().min(1), isFinal: z.boolean() }),
]);

export type Job = z.infer<typeof job>;
export type JobReport = z.infer<typeof report>;

/** A step that cannot be done. */
export class StepFailed extends Error {
  constructor(
    message: string,
    /** Whether trying again would help nobody. */
    readonly isFinal: boolean,
  ) {
    super(message);
    this.name = 'StepFailed';
  }
}
