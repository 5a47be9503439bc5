/**
 * A campaign: one change of a library, the repositories that it is carried through, and how.
 *
 * Written once and never changed; all that happens later is an event (`event.ts`).
 */
import * as z from 'zod';
import { changeFile } from '#protocol/api.js';
import { values } from '#protocol/words.js';

export const digest = z.string().regex(/^[0-9a-f]{64}$/u);
/** Part of a branch's name, a folder's and a job's. */
export const campaignId = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/u);
/** A folder's name, so neither `.` nor `..`. */
export const repositoryKey = z.string().regex(/^\w[\w.-]{0,79}$/u);

export const repository = z.strictObject({
  key: repositoryKey,
  /** A path or an address that git can fetch from. */
  source: z.string().min(1),
  /** Whose proposals are counted together. */
  owner: z.string(),
});

/** Programs with their arguments; nothing of a repository is among them. */
export const command = z.array(z.string()).min(1);

export const settings = z.strictObject({
  model: z.string(),
  values,
  /** Preset of the oracle; null: no check. */
  oracle: z.string().nullable(),
  /** Whether the person allowed the oracle to run what lies in the repositories. */
  trustOracle: z.boolean(),
  push: z.boolean(),
  /** Makes a proposal, and prints its address. */
  propose: command.nullable(),
  /** Says what became of a proposal: its address and `open`, `merged` or `closed`, or nothing where there is none. */
  lookUp: command.nullable(),
  title: z.string(),
  author: z.strictObject({ name: z.string(), email: z.string() }),
  /** How many repositories go first; 0: all at once. */
  canary: z.int().min(0),
  /** Most open proposals of an owner, and most in an hour; 0: no limit. */
  openMost: z.int().min(0),
  hourMost: z.int().min(0),
});

export const campaign = z.strictObject({
  version: z.literal(1),
  id: campaignId,
  created: z.iso.datetime(),
  /** SHA-256 of the change file, which lies under that name. */
  change: digest,
  packages: changeFile.shape.packages,
  repositories: z.array(repository),
  settings,
});

export type Campaign = z.infer<typeof campaign>;
export type Repository = z.infer<typeof repository>;
export type Settings = z.infer<typeof settings>;

export const branchOf = (id: string): string => `codeplan/${id}`;
