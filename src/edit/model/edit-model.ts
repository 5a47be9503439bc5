/**
 * What edits one block when no rule can: obligation and context in, a fragment out.
 *
 * A model decides nothing else: it neither chooses what to edit nor writes anything. Its answer is
 * the new text of the one block it was asked for; `merge.ts` checks that it stays there. Whoever
 * asks gets an answer as a value even if the outside world fails (`cannot`); only an abort through
 * the signal rejects, with the signal's reason.
 */
import type { EditRequest } from '../../context/edit-request.js';
import type { PickRequest } from '../../context/pick.js';
import type { Prompt } from '../../context/prompt.js';
import type { ModelError } from '../../model/model-error.js';
import type { Usage } from '../../model/usage.js';

export interface EditModel {
  /** Name under which the plan records who answered: `openai`, `replay`. */
  readonly id: string;
  /** False for a model that continues edits and is told neither the task nor reasons. */
  readonly readsWords?: false;
  edit(request: EditRequest, signal: AbortSignal): Promise<EditAnswer>;
  /**
   * Several requests as one question, with an answer for each in their order, of which the first says what it took;
   * absent where it cannot be asked that. Where the question as a whole fails, each answer says so with one error.
   */
  editTogether?(requests: readonly EditRequest[], signal: AbortSignal): Promise<readonly EditAnswer[]>;
  /**
   * Chooses where a task begins; absent where it cannot be asked that. As `edit`, it rejects only with the signal's
   * reason.
   */
  pick?(request: PickRequest, signal: AbortSignal): Promise<PickAnswer>;
  /**
   * What `edit`, or with others `editTogether`, would send, without sending it; absent where nothing leaves this
   * process.
   */
  preview?(request: EditRequest, company?: readonly EditRequest[]): Preview;
}

export interface Preview {
  /** Host of the endpoint. */
  readonly to: string;
  readonly model: string;
  readonly prompt: Prompt;
  /** Why it would not be sent. */
  readonly refused?: string;
}

export type PickAnswer =
  /** Positions in the request's candidates. */
  | { readonly kind: 'picked'; readonly picked: readonly number[]; readonly usage: Usage }
  | { readonly kind: 'cannot'; readonly reason: string; readonly error?: ModelError; readonly usage: Usage };

interface Answered {
  /** Id of the model that answered. */
  readonly model: string;
  readonly usage: Usage;
  /** The answer as it came; empty where nothing came. */
  readonly raw: string;
}

export type EditAnswer =
  /** The block's new text, indentation as the model wrote it; `name` is the path under which it may come back. */
  | (Answered & { readonly kind: 'edit'; readonly text: string; readonly name?: string })
  /** The block is to go. */
  | (Answered & { readonly kind: 'delete' })
  | (Answered & { readonly kind: 'noChange' })
  /** No usable answer; `reason` is fit to be shown and to be given back as `EditRequest.refusal`. */
  | (Answered & { readonly kind: 'cannot'; readonly reason: string; readonly error?: ModelError });
