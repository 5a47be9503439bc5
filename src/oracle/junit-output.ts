/**
 * What JUnit's console launcher prints with `--details=verbose --details-theme=ascii`: which tests passed, and one
 * diagnostic for each that failed.
 *
 *     | +-- CartTest
 *     | | +-- sums()
 *     | | |  uniqueId: [engine:junit-jupiter]/[class:shop.CartTest]/[method:sums()]
 *     | | |    source: MethodSource [className = 'shop.CartTest', methodName = 'sums', methodParameterTypes = '']
 *     | | |    caught: org.opentest4j.AssertionFailedError: expected: <3> but was: <-1>
 *     | | |              	at shop.CartTest.sums(CartTest.java:7)
 *     | | |    status: [X] FAILED
 *     | '-- CartTest finished after 294 ms.
 *
 * A test is called `shop.CartTest.sums`, one of several runs of it `shop.CartTest.sums[2]`. A class that could not be
 * set up catches something itself, and has failed under its own name: none of its tests says anything. A failure
 * stands where it was raised, at the first frame that lies in a file of the tree.
 */
import type { Diagnostic, TestResults } from './diagnostic.js';

const BEGUN = /^(?:\| )*\+-- /;
const FINISHED = /^(?:\| )*'-- (.*) finished after \d+ ms\.$/;
const ID = /^[| ]+uniqueId: (\[.*\])$/;
const SOURCE = /^[| ]+source: MethodSource \[className = '([^']+)', methodName = '([^']*)'/;
const CAUGHT = /^[| ]+caught: (.*)$/;
const FRAME = /^[| ]+\tat (?:[^\s(]*\/)?([\w.$]+)\.[\w$<>]+\(([\w$]+\.\w+):(\d+)\)$/;
const MORE = /^[| ]+(?:\tat |\t?\.\.\. |\t?Caused by: |\t?Suppressed: )/;
const STATUS = /^[| ]+status: \[\w+\] (\w+)$/;
const FIELD = /^[| ]+(?:duration|reason): /;
const RUN = /-invocation:#(\d+)\]$/;

/** A test, or a class that caught something. */
interface Entry {
  readonly name: string;
  readonly hasPassed: boolean;
  readonly thrown: readonly string[];
  readonly frames: readonly Frame[];
}

interface Frame {
  readonly type: string;
  readonly file: string;
  readonly line: number;
}

export function readJunitResults(output: string): TestResults {
  const entries = entriesIn(output);
  const failed = new Set(entries.flatMap(({ name, hasPassed }) => (hasPassed ? [] : [name])));
  const passed = new Set(entries.flatMap(({ name, hasPassed }) => (hasPassed && !failed.has(name) ? [name] : [])));
  return { passed: [...passed], failed: [...failed] };
}

/** `fileOf`: the file of the tree whose path ends so. */
export function readJunit(output: string, fileOf: (ending: string) => string | undefined): Diagnostic[] {
  return entriesIn(output).flatMap(({ name, hasPassed, thrown, frames }): Diagnostic[] => {
    if (hasPassed) return [];
    const [place] = frames.flatMap(({ type, file, line }) => {
      const found = fileOf([...type.split('.').slice(0, -1), file].join('/'));
      return found === undefined ? [] : [{ file: found, line }];
    });
    const whole = thrown.join('\n').trim();
    const [, error = '', said = ''] = /^([\w.$]+)(?:: ([^]*))?$/.exec(whole) ?? [];
    const code = error.replace(/^.*[.$]/, '');
    const shown = name.split('.').slice(-2).join('.');
    return [
      {
        file: place?.file ?? ownFile(name, fileOf),
        line: place?.line ?? 1,
        column: 1,
        severity: 'error',
        message: `${shown}: ${said === '' ? whole || 'failed' : said}`,
        ...(code === '' ? {} : { code }),
      },
    ];
  });
}

/** The file that is named like the test's class, or the class's name where there is none. */
function ownFile(name: string, fileOf: (ending: string) => string | undefined): string {
  const parts = name.split('.');
  for (let at = parts.length; at > 0; at--) {
    const file = fileOf(`${parts.slice(0, at).join('/')}.java`);
    if (file !== undefined) return file;
  }
  return name;
}

/** What is being read of one entry. */
interface Open {
  id: string;
  name: string | undefined;
  thrown: string[] | undefined;
  readonly frames: Frame[];
  /** Whether the next line may belong to what was thrown. */
  isMessage: boolean;
}

const begun = (): Open => ({ id: '', name: undefined, thrown: undefined, frames: [], isMessage: false });

function entriesIn(output: string): Entry[] {
  const entries: Entry[] = [];
  let open = begun();
  for (const line of output.split(/\r\n|\n/)) {
    const finished = FINISHED.exec(line)?.[1];
    const status = STATUS.exec(line)?.[1];
    const { id, name, thrown, frames } = open;
    if (finished !== undefined && thrown !== undefined && name === undefined)
      entries.push({ name: typeNamed(finished, frames), hasPassed: false, thrown, frames });
    if (name !== undefined && (status === 'SUCCESSFUL' || status === 'FAILED'))
      entries.push({ name: `${name}${runOf(id)}`, hasPassed: status === 'SUCCESSFUL', thrown: thrown ?? [], frames });
    if (finished !== undefined || status !== undefined || BEGUN.test(line)) open = begun();
    else readField(open, line);
  }
  return entries;
}

function readField(open: Open, line: string): void {
  open.id = ID.exec(line)?.[1] ?? open.id;
  const [, type, method] = SOURCE.exec(line) ?? [];
  if (type !== undefined) open.name = `${type.replaceAll('$', '.')}.${method ?? ''}`;
  const caught = CAUGHT.exec(line)?.[1];
  if (caught !== undefined) {
    open.isMessage = open.thrown === undefined;
    open.thrown ??= [caught];
    return;
  }
  const [, at, file, number] = FRAME.exec(line) ?? [];
  if (at !== undefined && file !== undefined) open.frames.push({ type: at, file, line: Number(number) });
  if (MORE.test(line) || FIELD.test(line)) open.isMessage = false;
  else if (open.isMessage) open.thrown?.push(line.replace(/^[| ]+/, ''));
}

/** The class that calls itself so in what it caught. */
function typeNamed(shown: string, frames: readonly Frame[]): string {
  const own = frames.find(({ type }) => type.replace(/^.*[.$]/, '') === shown);
  return own === undefined ? shown : own.type.replaceAll('$', '.');
}

function runOf(id: string): string {
  const number = RUN.exec(id)?.[1];
  return number === undefined ? '' : `[${number}]`;
}
