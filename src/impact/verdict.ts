/**
 * What a judge says of one site: broken, perhaps affected, or fine.
 */
import type { Confidence } from '../graph/resolve/names.js';

export type Tier = 'breaks' | 'may';

/** `fine`: nothing to do here. `detail` completes the sentence of the rule, `fact` says it at a glance. `offers`: nothing changed for the site but that it could give a new parameter of this name. `isIdle`: and need not be told of it. */
export type Verdict =
  | {
      readonly tier: Tier;
      readonly detail?: string;
      readonly fact?: string;
      readonly offers?: string;
      readonly isIdle?: true;
    }
  | 'fine';

/** A site in the edited tree; `expr` -1 stands for the block as a whole. */
export interface JudgedSite {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  /** Of the site in the graph in which it was found. */
  readonly confidence: Confidence;
  /** It calls what it holds, and says no name of it. */
  readonly followed?: true;
}

export const may = (detail?: string): Verdict => ({ tier: 'may', ...(detail === undefined ? {} : { detail }) });
export const breaks = (detail?: string, fact?: string): Verdict => ({
  tier: 'breaks',
  ...(detail === undefined ? {} : { detail }),
  ...(fact === undefined ? {} : { fact }),
});
export const offers = (param: string): Verdict => ({
  tier: 'may',
  detail: `it can be given ${param} now`,
  offers: param,
});
