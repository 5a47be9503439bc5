/**
 * What is to be written, and in which way it is gone about.
 *
 * The ways are the published loop and those it was compared with, as switches of one run: each is a row here and
 * nothing else.
 *
 * Source: RRR (arXiv 2405.01573), section 3, and its baselines BasicPrompting, NaiveRAG, RepoCoder and Reflexion.
 */
import type { LanguageId } from '../syntax/summary.js';

export interface Task {
  readonly language: LanguageId;
  /** Relative to the root, with `/`; need not exist. */
  readonly file: string;
  /** Dotted path of the block in the file, there already or not; undefined: the whole file. */
  readonly name: string | undefined;
  /** What it is to be, in words. */
  readonly description: string;
}

export const MODES = ['rrr', 'reflexion', 'repocoder', 'rag', 'basic'] as const;
export type Mode = (typeof MODES)[number];

export interface Switches {
  /** Whether pieces of the repository that the description is about are shown at first. */
  readonly hasSnippets: boolean;
  /** Whether pieces are looked up again by what was generated. */
  readonly looksUpAgain: boolean;
  /** Whether what the oracle says is told. */
  readonly hasOracle: boolean;
  readonly hasTools: boolean;
  readonly reflects: boolean;
  /** Whether there is more than one try. */
  readonly isLoop: boolean;
}

const BASIC: Switches = {
  hasSnippets: false,
  looksUpAgain: false,
  hasOracle: false,
  hasTools: false,
  reflects: false,
  isLoop: false,
};

export const SWITCHES: Readonly<Record<Mode, Switches>> = {
  rrr: { ...BASIC, hasSnippets: true, hasOracle: true, hasTools: true, reflects: true, isLoop: true },
  reflexion: { ...BASIC, hasOracle: true, reflects: true, isLoop: true },
  repocoder: { ...BASIC, hasSnippets: true, looksUpAgain: true, isLoop: true },
  rag: { ...BASIC, hasSnippets: true },
  basic: BASIC,
};

/** Most looks of the oracle at one task, and most tool calls between two of them. */
export const ORACLE_CALLS_MOST = 5;
export const TOOL_CALLS_MOST = 3;
