/**
 * What the oracle made of one candidate, and which of two candidates is the better one.
 *
 * Errors that the repository had before and that have nothing to do with the candidate are none of it.
 */

/** An error of a checker or a compiler, or what a failing test says. */
export interface Finding {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly message: string;
  readonly code?: string | undefined;
}

export interface FailedTest {
  readonly name: string;
  /** Its text, where it is known. */
  readonly source?: string;
}

export interface Judgement {
  /** Whether it could be parsed and no checker or compiler had anything to say. */
  readonly compiles: boolean;
  readonly findings: readonly Finding[];
  /** Undefined where no tests were run. */
  readonly tests?: {
    readonly passed: readonly string[];
    readonly failed: readonly FailedTest[];
    /** How many were to run: those that did not count as failed. */
    readonly expected: number;
  };
}

export function hasPassed({ compiles, findings, tests }: Judgement): boolean {
  if (!compiles) return false;
  return tests === undefined
    ? findings.length === 0
    : tests.failed.length === 0 && tests.passed.length >= tests.expected;
}

/** Whether the second is at least as good: passed, compiled, more tests, fewer findings; ties go to the later one. */
export function isAsGood(earlier: Judgement, later: Judgement): boolean {
  const [a, b] = [rank(earlier), rank(later)];
  for (const [i, value] of a.entries()) if (value !== b[i]) return (b[i] ?? 0) > value;
  return true;
}

const rank = (judged: Judgement): readonly number[] => [
  Number(hasPassed(judged)),
  Number(judged.compiles),
  judged.tests?.passed.length ?? 0,
  -judged.findings.length,
];

/** The same for judgements that say the same, wherever their lines are. */
export function signatureOf({ compiles, findings, tests }: Judgement): string {
  return JSON.stringify([
    compiles,
    findings.map(({ file, message, code }) => [file, message.replace(/\d+/g, '#'), code ?? '']).sort(),
    tests?.failed.map(({ name }) => name).sort() ?? [],
  ]);
}
