/**
 * The last answer to a question, for as long as what it was found from is the same: lens, hints and list of an editor
 * ask for one impact each after every key.
 */
export class AskedAgain<T> {
  private last: { readonly from: readonly unknown[]; readonly answer: T } | undefined;

  /** The last answer, if it was found from the very same values; undefined otherwise. */
  to(from: readonly unknown[]): T | undefined {
    return this.last?.from.length === from.length && this.last.from.every((value, i) => value === from[i])
      ? this.last.answer
      : undefined;
  }

  keep(from: readonly unknown[], answer: T): T {
    this.last = { from, answer };
    return answer;
  }
}
