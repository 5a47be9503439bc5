/**
 * Long work that gives way: it is cut into turns, and between two of them others are served.
 *
 *     generator ── yield ──► enough time taken? ── yes ──► others run ──► next turn
 *     piece     ── asks the graph ──► turn is over ──► given up, and begun anew in the next turn
 *
 * Work is a generator that yields wherever it may be left for a while. What lies too deep to yield
 * is a `piece`: it may be given up at any question to the graph, and is begun anew; the answers that were
 * found meanwhile are remembered, so that it soon comes to where it was. A piece must therefore
 * change nothing until it gives its result.
 */

/** Long work; `atOnce` does all of it, `inTurns` lets others run meanwhile. */
export type Turns<T> = Generator<undefined, T, undefined>;

/** A turn takes about so long, so that nobody waits longer than 20 ms for one. */
const TURN_MS = 8;
/** So many times as long as a piece takes to come back to where it was, it goes on: a third is lost at most. */
const NEW_FOR_EACH_AGAIN = 2;
/** The clock is asked at every so many questions: about a tenth of a millisecond apart. */
const QUESTIONS = 16;

class GivenUp extends Error {}

/** The turn under way, in which pieces may be given up; undefined where work is done at once. */
interface Turn {
  readonly startedAt: number;
  /** Of the piece under way; undefined between pieces. */
  piece: Piece | undefined;
  questions: number;
}

interface Piece {
  readonly startedAt: number;
  /** When it first found something that was not known; until then it only comes back to where it was. */
  foundAt: number | undefined;
}

let turn: Turn | undefined;

/** Does all of the work without giving way. */
export function atOnce<T>(work: Turns<T>): T {
  const outer = turn;
  turn = undefined;
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
    }
  } finally {
    turn = outer;
  }
}

/**
 * Does the work in turns, with `between` after each. Rejects with the reason of `signal`, once it is aborted, at the
 * end of a turn.
 */
export async function inTurns<T>(
  work: Turns<T>,
  signal: AbortSignal,
  between: (signal: AbortSignal) => Promise<void> = othersFirst,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const step = oneTurn(work);
    if (step.done === true) return step.value;
    await between(signal);
  }
}

/**
 * How often the loop goes round between two turns. A message that came meanwhile is read in the first, waits its turn
 * in the second, and is heard in the third; a round in which nothing waits takes some microseconds.
 */
const ROUNDS = 3;

/** Until everything that waits now has been served. */
export async function othersFirst(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await new Promise((resolve) => setImmediate(resolve));
}

function oneTurn<T>(work: Turns<T>): IteratorResult<undefined, T> {
  turn = { startedAt: performance.now(), piece: undefined, questions: 0 };
  try {
    for (;;) {
      const step = work.next();
      if (step.done === true || performance.now() - turn.startedAt >= TURN_MS) return step;
    }
  } finally {
    turn = undefined;
  }
}

/**
 * Work that is given up when its turn is over, and then begun anew. It changes nothing but what is remembered of
 * the graph.
 */
export function* piece<T>(compute: () => T): Turns<T> {
  for (;;) {
    if (turn === undefined) return compute();
    turn.piece = { startedAt: performance.now(), foundAt: undefined };
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
    } finally {
      turn.piece = undefined;
    }
    yield;
  }
}

/** Each as a piece of its own. */
export function* pieces<T, R>(items: Iterable<T>, compute: (item: T) => R): Turns<R[]> {
  const out: R[] = [];
  for (const item of items) {
    out.push(yield* piece(() => compute(item)));
    yield;
  }
  return out;
}

/** Before something new is computed that will be remembered: ends the piece under way if its turn is over. */
export function giveWay(): void {
  if (turn?.piece !== undefined && ++turn.questions % QUESTIONS === 0) giveWayNow(turn, turn.piece);
}

function giveWayNow(turn: Turn, { startedAt, foundAt }: Piece): void {
  if (foundAt === undefined) return;
  const now = performance.now();
  if (now - turn.startedAt >= TURN_MS && now - foundAt >= NEW_FOR_EACH_AGAIN * (foundAt - startedAt))
    throw new GivenUp();
}

/** Something new was computed and is remembered: whoever begins anew comes further. */
export function found(): void {
  if (turn?.piece !== undefined) turn.piece.foundAt ??= performance.now();
}

/**
 * What is kept with a key, computed where it is not known yet: whoever goes through all files in one piece may be given
 * up between any two of them, since what is kept with a file can take milliseconds.
 */
export function keptWith<K extends WeakKey, V>(memo: WeakMap<K, V>, key: K, compute: (key: K) => V): V {
  const known = memo.get(key);
  return known === undefined ? keptAnew(memo, key, () => compute(key)) : known;
}

/** The same for each of the words that a key is asked about. */
export function keptUnder<K extends WeakKey, V>(
  memo: WeakMap<K, Map<string, V>>,
  key: K,
  word: string,
  compute: (key: K) => V,
): V {
  let byWord = memo.get(key);
  if (byWord === undefined) memo.set(key, (byWord = new Map<string, V>()));
  const known = byWord.get(word);
  return known === undefined ? keptAnew(byWord, word, () => compute(key)) : known;
}

function keptAnew<K, V>(memo: { set(key: K, value: V): unknown }, key: K, compute: () => V): V {
  if (turn?.piece !== undefined) giveWayNow(turn, turn.piece);
  const value = compute();
  memo.set(key, value);
  found();
  return value;
}
