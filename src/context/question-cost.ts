/**
 * What the questions of a run cost in tokens: each by its parts, and how much of it stands at the
 * beginning of an earlier one, word for word, which providers can answer from a cache.
 */
import type { Prompt, PromptPart } from './prompt.js';
import { estimateTokens } from './tokens.js';

export interface QuestionCost {
  readonly file: string;
  readonly block: string;
  /** Numbers of the steps that it asked about; the first is that of the block. */
  readonly steps: readonly number[];
  readonly tokens: number;
  readonly parts: readonly { readonly part: PromptPart; readonly tokens: number }[];
  /** Tokens of the longest beginning that it has in common with an earlier question. */
  readonly shared: number;
}

export class QuestionCosts {
  private readonly texts: string[] = [];
  private readonly costs: QuestionCost[] = [];

  add(
    { file, block }: { readonly file: string; readonly block: string },
    steps: readonly number[],
    { messages, tokens, parts }: Prompt,
  ): void {
    const text = messages.map(({ content }) => content).join('\n\n');
    const common = Math.max(0, ...this.texts.map((earlier) => commonBeginning(earlier, text)));
    this.texts.push(text);
    this.costs.push({ file, block, steps, tokens, parts, shared: estimateTokens(text.slice(0, common)) });
  }

  get all(): readonly QuestionCost[] {
    return this.costs;
  }
}

function commonBeginning(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}
