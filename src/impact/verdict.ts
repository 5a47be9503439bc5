/**
 * What a judge says of one site: broken, perhaps affected, or fine.
 */
import type { Confidence } from '../graph/resolve/names.js';
import type { TypesFit } from './retyped-fit.js';

export type Tier = 'breaks' | 'may';

/**
 * `fine`: nothing to do here. `detail` completes the sentence of the rule, `fact` says it at a glance. `offers`:
 * nothing changed for the site but that it could give a new parameter of this name; with `infers`, but how the type
 * parameter of this name is inferred; with `widens`, but that the parameter has another type now; with
 * `retold`, but that a type is written otherwise, while what runs is what it was. `isIdle`: and need not be told of it.
 * `fits`: as far as types are written, the site can stay as it is. `behaves`: its text fits, and
 * does something else; whether that is wanted only a person knows.
 */
export type Verdict =
  | {
      readonly tier: Tier;
      readonly detail?: string;
      readonly fact?: string;
      readonly offers?: string;
      readonly infers?: true;
      readonly widens?: true;
      readonly retold?: true;
      readonly isIdle?: true;
      readonly fits?: true;
      readonly behaves?: true;
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
/** The site leaves a type parameter to be inferred, of which other words than before say how. */
export const infers = (param: string): Verdict => ({
  tier: 'may',
  detail: `what its type parameter ${param} stands for follows from the call in another way now`,
  offers: param,
  infers: true,
});
/** The site fits as it is, and does something else now. */
export const behaves = (detail: string): Verdict => ({ tier: 'may', detail, behaves: true });
export const offers = (param: string): Verdict => ({
  tier: 'may',
  detail: `it can be given ${param} now`,
  offers: param,
  fits: true,
});
/** What the site gets is of another type now. */
export function gets(detail: string, fit: TypesFit): Verdict {
  if (fit === 'same') return 'fine';
  if (fit === 'computed') return behaves(detail);
  return { tier: 'may', detail, ...(fit === 'unknown' ? {} : { fits: true }) };
}
/** What is written of a type is another thing, and what runs is what it was; `of` is the block. */
export const retold = (detail: string, of: string): Verdict => ({
  tier: 'may',
  detail,
  fits: true,
  offers: of,
  retold: true,
});
/** What the site gives has to be of another type now; `param` that it gives it for. */
export const gives = (detail: string, fit: TypesFit, param?: string): Verdict => {
  if (fit !== 'fits' || param === undefined) return gets(detail, fit);
  return { tier: 'may', detail, fits: true, offers: param, widens: true };
};
