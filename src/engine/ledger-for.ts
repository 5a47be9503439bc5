/**
 * What a run may spend on questions, as it was asked for and, where nothing was said, as the settings have it; and
 * the ledger of it.
 */
import { pricesIn, type Budget } from '../model/budget.js';
import { Ledger } from '../model/metered.js';
import type { SEARCH_LIMITS } from '../search/search-settings.js';
import type { Configuration } from './configuration.js';

/** Questions about symbols and plans, where neither the request nor the settings say how many. */
const SEARCH_CALLS_MOST = 500;

/** Undefined: what the settings say, and without them as much as it takes. */
export interface SpendingLimits {
  readonly calls: number | undefined;
  readonly tokens: number | undefined;
  readonly money: number | undefined;
  readonly seconds: number | undefined;
}

/** Its time begins now. `callsMost`: where neither the request nor the settings say how many. */
export function ledgerFor(
  { calls, tokens, money, seconds }: SpendingLimits,
  { limits, model }: Pick<Configuration, 'limits' | 'model'>,
  callsMost = Infinity,
): Ledger {
  const budget: Budget = {
    calls: calls ?? limits.modelCalls ?? callsMost,
    tokens: tokens ?? limits.tokens ?? Infinity,
    money: money ?? limits.cost ?? Infinity,
    seconds: seconds ?? limits.seconds ?? Infinity,
    files: Infinity,
  };
  const began = performance.now();
  return new Ledger(budget, pricesIn(model), () => (performance.now() - began) / 1000);
}

/** Of a question that searches: symbols, or plans. */
export const searchLedger = (
  limits: { readonly [name in (typeof SEARCH_LIMITS)[number]]?: number | undefined },
  configuration: Pick<Configuration, 'limits' | 'model'>,
): Ledger =>
  ledgerFor(
    { calls: limits.searchCalls, tokens: limits.searchTokens, money: limits.searchCost, seconds: limits.searchSeconds },
    configuration,
    SEARCH_CALLS_MOST,
  );
