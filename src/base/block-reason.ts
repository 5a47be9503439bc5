/**
 * What a person reads of a block whose name stands there already: what is wrong first, then how the block comes by it.
 */

export interface BlockReason {
  readonly block: string;
  /** Sentences; what the graph says of a block begins with the block's name. */
  readonly reason: string;
  /** What is wrong, at a glance. */
  readonly fact?: string | undefined;
}

/** `1 argument too many`; a reason that is about something else than the fact, such as why it is left, follows it. */
export function factFirst(told: BlockReason): string {
  const { reason, fact } = told;
  const rest = reasonBeside(told);
  if (fact === undefined) return rest;
  return rest === reason ? `${fact} – ${reason}` : fact;
}

/** `1 argument too many (calls method Cart.add)`, for where nothing else says why; all of it where the fact is cut. */
export function factAndCause(told: BlockReason): string {
  const { reason, fact } = told;
  const rest = reasonBeside(told);
  if (fact === undefined || rest === reason) return factFirst(told);
  return fact.includes('…') ? rest : `${fact} (${rest.split(/: |; |\.$/u, 1)[0]})`;
}

/** The reason without the block's name at the beginning of its sentences. */
export function reasonBeside({ block, reason }: BlockReason): string {
  const name = `${block} `;
  return reason.startsWith(name) ? reason.slice(name.length).replaceAll(`. ${name}`, '; ') : reason;
}
