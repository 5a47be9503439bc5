/**
 * What a fuzz target is, and how one is run: rounds of random inputs until the time is over.
 *
 * A round is a run of fast-check from a seed of its own, so a failure is shrunk, and shows again at once with the
 * seed that is printed with it. Nothing of one input reaches the next, but in what a target keeps on purpose.
 */
import fc from 'fast-check';

export interface Target {
  readonly name: string;
  /** What is counted, as `edits`. */
  readonly unit: string;
  start(): Promise<Campaign>;
}

export interface Campaign {
  round(seed: number): Promise<Failure | undefined>;
  /** Units that were tried so far. */
  tried(): number;
  /** Further figures, for the last line. */
  figures(): Readonly<Record<string, string | number>>;
  /** What only the whole campaign shows, such as growth. Undefined: nothing is wrong. */
  verdict(): string | undefined;
  close(): Promise<void>;
}

export interface Failure {
  /** The smallest input that shows it. */
  readonly input: string;
  readonly error: string;
}

/** Inputs of one round where a target does not say. A failure's seed repeats at most this many. */
const INPUTS = 20;
const SHRINK_MS_MOST = 60_000;

/** A round over inputs that fast-check makes. `check` throws for one that shows a defect. */
export function roundOf<T>(
  inputs: fc.Arbitrary<T>,
  check: (input: T) => void | Promise<void>,
  show: (input: T) => string,
  numRuns = INPUTS,
): Campaign['round'] {
  return async (seed) => {
    const property = fc.asyncProperty(inputs, async (input) => {
      await check(input);
    });
    const result = await fc.check(property, { seed, numRuns, interruptAfterTimeLimit: SHRINK_MS_MOST });
    if (!result.failed || result.counterexample === null) return undefined;
    const error = result.errorInstance;
    return {
      input: show(result.counterexample[0]),
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  };
}

/** Runs a target and says what came of it. True: nothing was found. */
export async function runTarget(target: Target, seconds: number, seed: number, say: (text: string) => void) {
  const campaign = await target.start();
  const began = performance.now();
  const elapsed = (): number => (performance.now() - began) / 1000;
  let failed = false;
  let rounds = 0;
  const end = process.cpuUsage();
  try {
    while (!failed && (rounds === 0 || elapsed() < seconds)) {
      const roundSeed = (seed + rounds++) | 0;
      const failure = await campaign.round(roundSeed);
      if (failure === undefined) continue;
      failed = true;
      say(`${target.name}: FAILED with --seed ${roundSeed}\ninput: ${failure.input}\n${failure.error}`);
    }
    const verdict = campaign.verdict();
    if (verdict !== undefined) {
      failed = true;
      say(`${target.name}: FAILED: ${verdict}`);
    }
    const tried = campaign.tried();
    const { user, system } = process.cpuUsage(end);
    const figures = Object.entries(campaign.figures()).map(([name, value]) => `, ${name} ${value}`);
    say(
      `${target.name}: seed ${seed}, ${rounds} rounds, ${tried} ${target.unit} in ${elapsed().toFixed(0)} s ` +
        `(${Math.round(tried / elapsed())}/s, ${((user + system) / 1e6).toFixed(0)} s of processor), most memory ` +
        `${Math.round(process.resourceUsage().maxRSS / 1024)} MB${figures.join('')}`,
    );
  } finally {
    await campaign.close();
  }
  return !failed;
}
