/**
 * A model on an account: what a question may cost is checked before it is sent, what it did cost is added after.
 *
 * One ledger may stand behind several models of a run, so that planning and judging share one budget. Questions that
 * are on their way at once count with their prompts until it is known what they cost.
 */
import { exceeded, moneyFor, type Budget, type Prices } from './budget.js';
import { estimateTokens } from '../context/tokens.js';
import {
  addSpending,
  NO_SPENDING,
  type Completion,
  type Embedded,
  type Embedder,
  type Message,
  type Model,
  type Spending,
} from './model.js';

export class Ledger {
  private sum: Spending = NO_SPENDING;
  private readonly onTheWay = new Set<Spending>();

  /** `seconds`: how long the run has taken so far. */
  constructor(
    private readonly budget: Budget,
    private readonly prices: Prices,
    private readonly seconds: () => number,
  ) {}

  get spent(): Spending {
    return this.sum;
  }

  /** Why a question whose prompt takes so many tokens may not be asked; undefined while it may. */
  refusal(promptTokens: number, own: Spending = NO_SPENDING): string | undefined {
    const spent = [...this.onTheWay].reduce(addSpending, addSpending(this.sum, own));
    return exceeded(this.budget, { ...spent, seconds: this.seconds() }, promptTokens, this.prices);
  }

  /** Asks, and adds what it cost. `asked` gets what may say while it asks whether it may ask once more. */
  async charged<Answer extends { readonly usage: Spending }>(
    promptTokens: number,
    asked: (permit: (own: Spending) => string | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const next: Spending = { calls: 1, promptTokens, completionTokens: 0 };
    let question = next;
    const permit = (own: Spending): string | undefined => {
      this.onTheWay.delete(question);
      const refused = this.refusal(promptTokens, own);
      question = refused === undefined ? addSpending(own, next) : own;
      this.onTheWay.add(question);
      return refused;
    };
    this.onTheWay.add(question);
    try {
      const answer = await asked(permit);
      this.add(answer.usage);
      return answer;
    } finally {
      this.onTheWay.delete(question);
    }
  }

  /** What may still be spent, never less than nothing. */
  left(): Omit<Budget, 'files'> {
    const { calls, promptTokens, completionTokens } = this.sum;
    const { budget } = this;
    return {
      calls: Math.max(0, budget.calls - calls),
      tokens: Math.max(0, budget.tokens - promptTokens - completionTokens),
      money: Math.max(0, budget.money - moneyFor(this.sum, this.prices)),
      seconds: Math.max(0, budget.seconds - this.seconds()),
    };
  }

  add(spending: Spending): void {
    this.sum = addSpending(this.sum, spending);
  }
}

/** The model, asked only while the ledger has room; a question that has none is answered with a `budget` error. */
export function metered(model: Model, ledger: Ledger): Model {
  return {
    ...model,
    async complete(request, options): Promise<Completion> {
      const tokens = promptTokensOf(request.messages);
      const message = ledger.refusal(tokens);
      if (message !== undefined) return { ok: false, error: { kind: 'budget', message }, usage: NO_SPENDING };
      return ledger.charged(tokens, (permit) => model.complete(request, { ...options, permit }));
    },
  };
}

/** The same for vectors. */
export function meteredEmbedder(embedder: Embedder, ledger: Ledger): Embedder {
  return {
    ...embedder,
    async embed(texts, signal): Promise<Embedded> {
      const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
      const message = ledger.refusal(tokens);
      if (message !== undefined) return { ok: false, error: { kind: 'budget', message }, usage: NO_SPENDING };
      return ledger.charged(tokens, () => embedder.embed(texts, signal));
    },
  };
}

/** What the chat format adds around each message. */
const TOKENS_A_MESSAGE = 8;

/** Estimate, on the high side. */
export function promptTokensOf(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) {
    tokens += estimateTokens(message.content) + TOKENS_A_MESSAGE;
    if (message.role === 'assistant')
      for (const call of message.toolCalls ?? []) tokens += estimateTokens(`${call.name} ${call.arguments}`);
  }
  return tokens;
}
