/**
 * What an edit leads to that is counted and not listed place by place: each by itself is far more often nothing.
 */
import { idleOfferWords, type IdleOffer } from './offers.js';
import { unsearchedWords, type Unsearched } from './unsearched.js';

export interface Unlisted {
  readonly unsearched?: Unsearched | undefined;
  readonly offers?: readonly IdleOffer[] | undefined;
}

/** How many new parameters are named. */
const OFFERS_SHOWN = 5;

/** As clauses of sentences, each with the word that begins its line. */
export function unlistedWords({
  unsearched,
  offers = [],
}: Unlisted): { readonly head: string; readonly words: string }[] {
  const rest = offers.length - OFFERS_SHOWN;
  return [
    ...(unsearched === undefined ? [] : [{ head: 'not searched', words: unsearchedWords(unsearched) }]),
    ...offers.slice(0, OFFERS_SHOWN).map((offer) => ({ head: 'not listed', words: idleOfferWords(offer) })),
    ...(rest > 0 ? [{ head: 'not listed', words: `uses that could give ${rest} more new parameters` }] : []),
  ];
}
