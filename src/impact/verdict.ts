/**
 * What a judge says of one site: broken, perhaps affected, or fine.
 */
import { isPartOf } from '../change/written-union.js';
import type { Confidence } from '../graph/resolve/names.js';

export type Tier = 'breaks' | 'may';

/** `fine`: nothing to do here. `detail` completes the sentence of the rule, `fact` says it at a glance. `offers`: nothing changed for the site but that it could give a new parameter of this name. `isIdle`: and need not be told of it. `fits`: as far as types are written, the site can stay as it is. */
export type Verdict =
  | {
      readonly tier: Tier;
      readonly detail?: string;
      readonly fact?: string;
      readonly offers?: string;
      readonly isIdle?: true;
      readonly fits?: true;
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
  fits: true,
});
/** What the site gets is of another type now. */
export const gets = (detail: string, { from, to }: Retyped): Verdict => retyped(detail, isPartOf(to, from));
/** What the site gives has to be of another type now. */
export const gives = (detail: string, { from, to }: Retyped): Verdict => retyped(detail, isPartOf(from, to));

interface Retyped {
  readonly from: string;
  readonly to: string;
}

const retyped = (detail: string, fits: boolean): Verdict => ({ tier: 'may', detail, ...(fits ? { fits } : {}) });
