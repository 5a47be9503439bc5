/**
 * All that can happen in a campaign, as a closed union: what a step found, what a process did, what a person said.
 *
 * Events are facts, and are only ever appended. What a campaign is at a moment is a fold over them (`state.ts`).
 */
import * as z from 'zod';
import { fleetStep } from '#protocol/fleet.js';
import { open, oracleVerdict } from '#protocol/propagate.js';
import { values } from '#protocol/words.js';
import { digest, repositoryKey } from './campaign.js';

/** In their order. Each is safe to repeat. */
export const step = z.enum(['look', 'plan', 'commit', 'propose', 'watch']);
export type Step = z.infer<typeof step>;

const commit = z.string().regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/u);
const reason = z.string().min(1);
/** `ecosystem name`, as registries compare names. */
const packageName = z.string().min(1);

/** What a step found. `input`: of all that it depends on; the same input gives the same outcome. */
export const outcome = z.discriminatedUnion('step', [
  z.strictObject({
    step: z.literal('look'),
    input: digest,
    /** What the branch is made on. */
    base: commit,
    baseBranch: z.string(),
    dependence: z.enum(['behind', 'unknown', 'ahead', 'pinned', 'none']),
    reason,
    publishes: z.array(packageName),
    uses: z.array(packageName),
    /** Of files that are not committed, where the source is a folder. */
    isDirty: z.boolean(),
  }),
  z.strictObject({
    step: z.literal('plan'),
    input: digest,
    verdict: z.enum(['not-affected', 'planned', 'needs-value', 'needs-person']),
    reason,
    /** Holds the result; absent where nothing is edited. */
    commit: commit.optional(),
    edits: z.int().min(0),
    files: z.array(z.string()),
    steps: z.array(fleetStep).default([]),
    open: z.array(open),
    /** What is left to package managers and people in manifests, and hinders nothing. */
    notes: z.array(z.string()),
    undecided: z.int().min(0),
    oracle: oracleVerdict.nullable(),
    /** What of its own API changed by this, for those who use it. */
    change: digest.optional(),
  }),
  z.strictObject({
    step: z.literal('commit'),
    input: digest,
    verdict: z.enum(['ready', 'taken-over']),
    reason,
    commit,
    /** The repository that holds the branch. */
    place: z.string(),
  }),
  z.strictObject({
    step: z.literal('propose'),
    input: digest,
    verdict: z.enum(['pushed', 'proposed', 'taken-over', 'unclear']),
    reason,
    address: z.string().optional(),
  }),
  z.strictObject({ step: z.literal('watch'), input: digest, verdict: z.enum(['open', 'merged', 'withdrawn']), reason }),
]);
export type Outcome = z.infer<typeof outcome>;
export type OutcomeOf<S extends Step> = Extract<Outcome, { step: S }>;

const at = { time: z.iso.datetime() };
const of = { ...at, repository: repositoryKey, attempt: z.int().min(1) };

export const event = z.discriminatedUnion('type', [
  z.strictObject({ ...of, type: z.literal('outcome'), outcome }),
  /** A step that could not be done: `isFinal` where to try again would not help. */
  z.strictObject({ ...of, type: z.literal('failed'), step, reason, isFinal: z.boolean() }),
  /** A person asks for another attempt: of these, or of all that failed or wait for somebody. */
  z.strictObject({
    ...at,
    type: z.literal('retry'),
    repositories: z.array(repositoryKey).nullable(),
    values: values.optional(),
  }),
  z.strictObject({ ...at, type: z.enum(['pause', 'resume', 'abort', 'approve']) }),
]);
export type FleetEvent = z.infer<typeof event>;
