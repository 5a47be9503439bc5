/**
 * What a run may cost, and what it has cost: it stops before the question that would exceed it, with
 * everything that was done until then.
 */

export interface Budget {
  readonly calls: number;
  /** Of prompts and answers together. */
  readonly tokens: number;
  /** In the currency of the prices. */
  readonly money: number;
  readonly seconds: number;
  /** Files that the plan edits. */
  readonly files: number;
}

/** Price of a million tokens. */
export interface Prices {
  readonly prompt: number;
  readonly completion: number;
}

export interface Spent {
  readonly calls: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly seconds: number;
}

export const FREE: Prices = { prompt: 0, completion: 0 };

/** The prices of some settings; what they do not name is free. */
export const pricesIn = (settings: {
  readonly promptPrice?: number | undefined;
  readonly completionPrice?: number | undefined;
}): Prices => ({
  prompt: settings.promptPrice ?? FREE.prompt,
  completion: settings.completionPrice ?? FREE.completion,
});

export const moneyFor = (spent: Pick<Spent, 'promptTokens' | 'completionTokens'>, prices: Prices): number =>
  (spent.promptTokens * prices.prompt + spent.completionTokens * prices.completion) / 1_000_000;

/**
 * Why no further question may be asked, in words; undefined while one may. `nextTokens` is what its prompt will take.
 */
export function exceeded(budget: Budget, spent: Spent, nextTokens: number, prices: Prices): string | undefined {
  if (spent.calls + 1 > budget.calls) return `stopped after ${spent.calls} model calls, the limit that was set`;
  const tokens = spent.promptTokens + spent.completionTokens;
  if (tokens + nextTokens > budget.tokens)
    return `stopped after ${tokens} tokens: the next question would exceed the limit of ${budget.tokens}`;
  const money = moneyFor(spent, prices);
  if (money + moneyFor({ promptTokens: nextTokens, completionTokens: 0 }, prices) > budget.money)
    return `stopped after a cost of ${money.toFixed(4)}: the next question would exceed the limit of ${budget.money}`;
  if (spent.seconds > budget.seconds)
    return `stopped after ${Math.round(spent.seconds)} seconds, the limit is ${budget.seconds}`;
  return undefined;
}

/** Why a further file may not be edited, in words. */
export function filesExceeded(budget: Budget, edited: ReadonlySet<string>, file: string): string | undefined {
  return edited.has(file) || edited.size + 1 <= budget.files
    ? undefined
    : `stopped at ${edited.size} edited files, the limit that was set`;
}
