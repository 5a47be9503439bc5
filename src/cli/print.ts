/**
 * Writing to the person or the program that called: documents on standard output, everything else
 * on standard error. The one place that writes to either (the test of the sources sees to it), so that
 * nothing that a repository, a model or a tool chose reaches the terminal as a command to it.
 *
 * Colours only on a terminal that did not refuse them (NO_COLOR, TERM=dumb). Progress only on a
 * terminal, on one line that is wiped when the command ends.
 */
import { randomUUID } from 'node:crypto';
import { shownInLine, shownJson, shownText } from '../base/shown.js';
import type { World } from './world.js';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
/** Ends every style of a terminal (SGR 0). */
const PLAIN = 0;
/**
 * What stands for a colour's code until a line is written: nobody else can know it, so all other escapes are texts'.
 */
const MARK = `\u001b${randomUUID()}:`;
export type Paint = (text: string, style: keyof typeof CODES) => string;

/** A narrow terminal has 80 columns: a line that wraps could not be erased by a carriage return. */
const PROGRESS_MOST = 78;
const INDENT = '    ';

export interface Printer {
  /** Only for what is given to `line`, which knows its colours from those of others. */
  readonly paint: Paint;
  /** One line of a document for people; what has more goes on indented, so that it cannot pass for the next. */
  line(text?: string): void;
  /** The document for programs. */
  json(document: unknown): void;
  /** One of many documents, on a line of its own. */
  jsonLine(document: unknown): void;
  /** Advice and warnings, on standard error. */
  note(text: string): void;
  progress(text: string): void;
  /** Wipes the line of progress. */
  clear(): void;
}

export function printerFor(world: Pick<World, 'stdout' | 'stderr' | 'environment'>, quiet: boolean): Printer {
  const { stdout, stderr, environment } = world;
  const plain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb' || stdout.isTTY !== true;
  const live = stderr.isTTY === true && !quiet && environment['TERM'] !== 'dumb';
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001b[K');
    isShown = false;
  };
  return {
    paint: (text, style) => (plain ? text : `${MARK}${CODES[style]};${text}${MARK}${PLAIN};`),
    line: (text = '') => {
      clear();
      stdout.write(`${coloured(indented(text))}\n`);
    },
    json: (document) => {
      clear();
      stdout.write(`${shownJson(document, 2)}\n`);
    },
    jsonLine: (document) => {
      clear();
      stdout.write(`${shownJson(document, 0)}\n`);
    },
    note: (text) => {
      clear();
      if (!quiet) complain(stderr, text);
    },
    progress: (text) => {
      if (!live) return;
      stderr.write(`\r\u001b[K${shownInLine(text).slice(0, PROGRESS_MOST)}`);
      isShown = true;
    },
    clear,
  };
}

/** Why a command failed or what it warns of; its further lines are indented. */
export function complain(stderr: World['stderr'], text: string): void {
  writeLines(stderr, `codeplan: ${indented(text)}\n`);
}

/** Several lines as they are, such as the help text. */
export function writeLines(stream: World['stdout'], text: string): void {
  stream.write(shownText(text));
}

/** Further lines cannot pass for lines of our own. */
export const indented = (text: string): string => text.replaceAll('\n', `\n${INDENT}`);

function coloured(text: string): string {
  const [head = '', ...painted] = text.split(MARK);
  const rest = painted.map((part) => {
    const end = part.indexOf(';');
    return `\u001b[${part.slice(0, end)}m${shownText(part.slice(end + 1))}`;
  });
  return shownText(head) + rest.join('');
}
