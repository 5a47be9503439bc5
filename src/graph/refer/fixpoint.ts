/**
 * Questions whose answers depend on each other in circles, answered together.
 *
 * Every question starts with nothing found and is asked again whenever an answer that it used has
 * grown, until none grows. Answers only grow, so what comes out is the least that satisfies all,
 * whatever the order. The number of questions is bounded: those beyond it are answered with
 * "anything", and the answer to the first one is then open, since what asked them may have been
 * content with less.
 */

export interface Answer<T> {
  /** What was found, by identity. */
  readonly values: ReadonlyMap<string, T>;
  /** Whether there may be more than was found. */
  readonly open: boolean;
}

export interface Question<T> {
  /** Questions with the same key are the same question. */
  readonly key: string;
  /** The answer as far as the present answers to others tell; must grow with them. */
  readonly find: (ask: Ask) => Answer<T>;
}

export type Ask = <T>(question: Question<T>) => Answer<T>;

/** At most this many questions hang on one: chains of calls through some files. */
const QUESTIONS_MOST = 120;
/** How often questions are asked in all: several times each. */
const TURNS_MOST = 500;

export const NOTHING_HELD: Answer<never> = { values: new Map<string, never>(), open: false };
const ANYTHING: Answer<never> = { values: new Map<string, never>(), open: true };

interface Asked {
  readonly question: Question<unknown>;
  readonly dependents: Set<Asked>;
  answer: Answer<unknown>;
  queued: boolean;
}

/**
 * The answer to a question and all that it leads to. `whole`: an open answer is of no use, so the search ends as soon
 * as it is one.
 */
export function answerTo<T>(question: Question<T>, whole = false): Answer<T> {
  const all = new Map<string, Asked>();
  const queue: Asked[] = [];
  const enter = <V>(asked: Question<V>): Asked => {
    const entry: Asked = { question: asked, dependents: new Set(), answer: NOTHING_HELD, queued: true };
    all.set(asked.key, entry);
    queue.push(entry);
    return entry;
  };
  const root = enter(question);
  let turns = 0;
  let refused = 0;
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    if (whole && (refused > 0 || root.answer.open)) return ANYTHING;
    if (++turns > TURNS_MOST) break;
    const asking = entry;
    asking.queued = false;
    const ask: Ask = <V>(asked: Question<V>): Answer<V> => {
      const known = all.get(asked.key) ?? (all.size < QUESTIONS_MOST ? enter(asked) : undefined);
      if (known === undefined) {
        refused++;
        return ANYTHING;
      }
      known.dependents.add(asking);
      return known.answer as Answer<V>;
    };
    const answer = asking.question.find(ask);
    if (answer.values.size === asking.answer.values.size && answer.open === asking.answer.open) continue;
    const opened = answer.open && !asking.answer.open;
    asking.answer = answer;
    // What was newly asked stands above them in the queue, and so is answered before; that an answer is open goes up at
    // once.
    for (const dependent of asking.dependents) {
      if (opened && whole) queue.push(dependent);
      else if (!dependent.queued) queue.unshift(dependent);
      dependent.queued = true;
    }
  }
  const { values, open } = root.answer as Answer<T>;
  return { values, open: open || refused > 0 || turns > TURNS_MOST };
}

/** Collects an answer. */
export class Finding<T> implements Answer<T> {
  readonly values = new Map<string, T>();
  open = false;
  constructor(private readonly keyOf: (value: T) => string) {}
  add(value: T): void {
    this.values.set(this.keyOf(value), value);
  }
  join(answer: Answer<T>): void {
    for (const [key, value] of answer.values) this.values.set(key, value);
    this.open ||= answer.open;
  }
}
