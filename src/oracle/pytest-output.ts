/**
 * A pytest run's failures, one diagnostic for each failing test.
 *
 * The report of a failure is a section: a rule with the test's name, lines starting with `E` that
 * say what went wrong, and `file:line: Error` where a frame ends. The last such place is taken, as
 * it is where the error was raised. A failure that is only in the summary (`--tb=no`, a file that
 * could not be collected) stands at line 1 of its file.
 */
import type { Diagnostic } from './diagnostic.js';

const SECTION = /^_+ (?:ERROR (?:collecting|at (?:setup|teardown) of) )?(?<test>\S.*?) _+$/;
const ENDING = /^(?:={3,} .* ={3,}|-{3,} .* -{3,})$/;
const ERROR = /^E {1,}(?<message>\S.*)$/;
const PLACE = /^(?<file>[^\s:][^:]*\.\w+):(?<line>\d+): ?(?<what>.*)$/;
const SUMMARY = /^(?:FAILED|ERROR) (?<file>[^\s:]+)(?:::(?<test>\S+(?:\[.*?\])?))?(?: - (?<message>.*))?$/;

export function readPytest(output: string): Diagnostic[] {
  const found: { test: string; diagnostic: Diagnostic }[] = [];
  let test: string | undefined;
  let message: string | undefined;
  let place: { file: string; line: number; what: string } | undefined;
  const finish = (): void => {
    if (test !== undefined && place !== undefined) {
      const code =
        /^\w*(?:Error|Exception|Warning|Interrupt|Exit)\b/.exec(message ?? '')?.[0] ?? /^[\w.]+$/.exec(place.what)?.[0];
      found.push({
        test,
        diagnostic: {
          file: place.file,
          line: place.line,
          column: 1,
          severity: 'error',
          message: `${test}: ${message ?? place.what}`,
          ...(code === undefined ? {} : { code }),
        },
      });
    }
    test = message = place = undefined;
  };
  for (const line of output.split(/\r\n|\n/)) {
    const section = SECTION.exec(line)?.groups;
    if (section !== undefined || ENDING.test(line)) finish();
    if (section !== undefined) test = section['test'];
    const summary = SUMMARY.exec(line)?.groups;
    if (summary !== undefined) addSummary(found, summary);
    message ??= test === undefined ? undefined : ERROR.exec(line)?.groups?.['message'];
    const at = PLACE.exec(line)?.groups;
    if (at === undefined) continue;
    const { file, line: number, what } = at as { file: string; line: string; what: string };
    if (test !== undefined) place = { file, line: Number(number), what };
    // Without sections (`--tb=line`) a failure is one line.
    else if (/^\w+(?:Error|Exception|Failed)\b/.test(what))
      found.push({ test: '', diagnostic: { file, line: Number(number), column: 1, severity: 'error', message: what } });
  }
  finish();
  return found.map(({ diagnostic }) => diagnostic);
}

/** A summary line repeats a section, which says more; alone it is all there is. */
function addSummary(
  found: { test: string; diagnostic: Diagnostic }[],
  summary: Record<string, string | undefined>,
): void {
  const file = summary['file'] as string;
  const test = summary['test']?.replaceAll('::', '.');
  if (
    found.some((known) => known.test === (test ?? file) || (known.test === '' && known.diagnostic.file.endsWith(file)))
  )
    return;
  const name = test ?? file;
  found.push({
    test: name,
    diagnostic: { file, line: 1, column: 1, severity: 'error', message: `${name}: ${summary['message'] ?? 'failed'}` },
  });
}
