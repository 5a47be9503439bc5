/**
 * Which tests passed and which did not, from what test runners print. Tests that are named nowhere did not run.
 */
import type { TestResults } from './diagnostic.js';

/** The short summary of pytest with `-rpfE`: a line a test, with its id. */
export function readPytestResults(output: string): TestResults {
  const passed = new Set<string>();
  const failed = new Set<string>();
  for (const line of output.split(/\r\n|\n/)) {
    const [, word, name] = /^(PASSED|FAILED|ERROR) ([^\s:]+\.py(?:::[^\s[:]+)*(?:\[.*\])?)(?: - .*)?$/.exec(line) ?? [];
    if (word === undefined || name === undefined) continue;
    (word === 'PASSED' ? passed : failed).add(name);
  }
  return { passed: [...passed].filter((name) => !failed.has(name)), failed: [...failed] };
}

/**
 * Surefire's lines of a class (`Tests run: 3, Failures: 1, …, in a.FooTest`) and of its failures (`FooTest.bar:12 …`).
 * Those that passed are known by number alone, and named after their class.
 */
export function readSurefireResults(output: string): TestResults {
  const passed: string[] = [];
  const failed = new Set<string>();
  for (const line of output.split(/\r\n|\n/)) {
    const [, run = '', failures = '', errors = '', skipped = '', type = ''] =
      /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+),.*(?:in|-- in) ([\w.$]+)\s*$/.exec(line) ?? [];
    if (type !== '') {
      const good = Number(run) - Number(failures) - Number(errors) - Number(skipped);
      for (let i = 1; i <= good; i++) passed.push(`${type}#${i}`);
    }
    const [, test] =
      /^\[ERROR\]\s+([\w.$]+\.[\w$]+(?:\(.*?\))?)(?:\s+Time elapsed|\s+--\s+Time elapsed).*<<< (?:FAILURE|ERROR)!/.exec(
        line,
      ) ?? [];
    if (test !== undefined) failed.add(test);
  }
  return { passed, failed: [...failed] };
}
