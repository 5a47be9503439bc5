/**
 * Why a model behind a network could not be asked, or did not answer: a closed union.
 *
 * The kind decides what the caller does (`unauthorised` ends the run, `rate-limited` can be tried
 * later, `too-long` calls for less context); the message is for a person and says what was tried on
 * which host, what came back and what to do. No message holds a key, a URL's query or a prompt.
 */

export type ModelErrorKind =
  /** Name not found, connection refused, reset or closed in the middle. */
  | 'unreachable'
  | 'unauthorised'
  /** No such path on the host, or no such model. */
  | 'not-found'
  | 'rate-limited'
  | 'timeout'
  /** Not the format that was asked for: broken JSON, no choices, cut short. */
  | 'bad-answer'
  /** The other side said no: bad request, content filter, a redirect to elsewhere. */
  | 'refused'
  /** Prompt and answer do not fit into the model. */
  | 'too-long'
  | 'server'
  /** Not sent, because the text holds what looks like a secret. */
  | 'secret'
  /** Not sent, because the settings withhold the file. */
  | 'withheld'
  /** Not sent, because it would exceed what the run may cost. */
  | 'budget';

export interface ModelError {
  readonly kind: ModelErrorKind;
  readonly message: string;
  /** After how long the other side asked to be tried again, where it said so. */
  readonly retryAfterMs?: number;
  /** The status that the other side answered with, where it answered. */
  readonly status?: number;
  /** The parameter that the other side named as the one it does not take. */
  readonly parameter?: string;
}
