/**
 * Writing to the person or the program that called: documents on standard output, everything else
 * on standard error.
 *
 * Colours only on a terminal that did not refuse them (NO_COLOR, TERM=dumb). Progress only on a
 * terminal, on one line that is wiped when the command ends.
 */
import type { World } from './world.js';

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
export type Paint = (text: string, style: keyof typeof CODES) => string;

export interface Printer {
  readonly paint: Paint;
  /** One line of a document for people. */
  line(text?: string): void;
  /** The document for programs. */
  json(document: unknown): void;
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
  let shown = false;
  const clear = (): void => {
    if (shown) stderr.write('\r\u001b[K');
    shown = false;
  };
  return {
    paint: (text, style) => (plain ? text : `\u001b[${CODES[style]}m${text}\u001b[0m`),
    line: (text = '') => {
      clear();
      stdout.write(`${text}\n`);
    },
    json: (document) => {
      clear();
      stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    },
    note: (text) => {
      clear();
      if (!quiet) stderr.write(`codeplan: ${text}\n`);
    },
    progress: (text) => {
      if (!live) return;
      stderr.write(`\r\u001b[K${text.slice(0, 78)}`);
      shown = true;
    },
    clear,
  };
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
