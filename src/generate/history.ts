/**
 * Whether a loop goes on: what was tried, and when trying again makes no sense.
 */
import { estimateTokens } from '../context/tokens.js';

/** A candidate that came for the third time, or feedback that stayed the same for so many rounds, ends the loop. */
const SAME_CODE_MOST = 2;
const SAME_FEEDBACK_MOST = 3;
/** A fifth of the feedback (`engine/written-block.ts`), a line a try, the latest first. */
const TRIED_TOKENS_MOST = 400;

export class History {
  private readonly codes = new Map<string, number>();
  private lastSignature: string | undefined;
  private same = 0;
  private readonly lines: string[] = [];

  /** Why it is no use to go on after this round; undefined while it is. `wrong`: what the check said, on one line. */
  add(code: string, signature: string, wrong: string): 'fixpoint' | 'stagnant' | undefined {
    const key = code.replace(/\s+/g, ' ').trim();
    const times = (this.codes.get(key) ?? 0) + 1;
    this.codes.set(key, times);
    this.same = signature === this.lastSignature ? this.same + 1 : 1;
    this.lastSignature = signature;
    if (wrong !== '') this.lines.push(wrong.slice(0, 200));
    return times > SAME_CODE_MOST ? 'fixpoint' : this.same >= SAME_FEEDBACK_MOST ? 'stagnant' : undefined;
  }

  /** What was wrong in the rounds before the last one, latest first within a few hundred tokens, oldest first told. */
  get tried(): readonly string[] {
    const out: string[] = [];
    let tokens = 0;
    for (const line of this.lines.slice(0, -1).reverse()) {
      tokens += estimateTokens(line) + 2;
      if (tokens > TRIED_TOKENS_MOST) break;
      out.unshift(line);
    }
    return out;
  }
}
