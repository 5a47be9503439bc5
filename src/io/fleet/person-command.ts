/** Programs that the person named, with their arguments: started without a shell, so that no text becomes a command. */
import { spawn } from 'node:child_process';
import { shownInLine } from '../../base/shown.js';
import { killGroup } from '../process/tool-process.js';

/** Hundreds of thousands of addresses. More is an error: the half of a list would be a campaign without the rest. */
const OUTPUT_MOST = 32 * 1024 * 1024;
/** The end of what it says goes wrong, in characters: a person reads the last screen. */
const ERRORS_MOST = 64 * 1024;
/** To list repositories over a slow network, page by page, takes minutes. */
const LIMIT_MS = 5 * 60_000;

export type CommandOutcome =
  { readonly ok: true; readonly stdout: string } | { readonly ok: false; readonly reason: string };

/**
 * A line as words: quotes hold words together, and a backslash outside of single quotes takes what follows as it is.
 */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [part] of line.matchAll(/\s+|'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\]+|["'\\]/gsu)) {
    if (/^\s/u.test(part)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (part.length > 1 && part.startsWith("'")) word = (word ?? '') + part.slice(1, -1);
    else if (part.length > 1 && part.startsWith('"')) word = (word ?? '') + part.slice(1, -1).replace(/\\(.)/gsu, '$1');
    else word = (word ?? '') + part.replace(/^\\(.)/su, '$1');
  }
  return word === undefined ? words : [...words, word];
}

/** Words with `{name}` filled in; what is not known stays as it is. */
export const filled = (words: readonly string[], values: Readonly<Record<string, string>>): string[] =>
  words.map((word) => word.replace(/\{(\w+)\}/gu, (whole, name: string) => values[name] ?? whole));

export interface CommandPlace {
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/** Rejects only when `signal` aborts. */
export function runCommand(
  [program = '', ...args]: readonly string[],
  { directory, environment, signal }: CommandPlace,
): Promise<CommandOutcome> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: directory,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    let [stdout, stderr] = ['', ''];
    const timer = setTimeout(() => killGroup(child), LIMIT_MS);
    const abort = (): void => killGroup(child);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
      if (stdout.length > OUTPUT_MOST) killGroup(child);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr = (stderr + chunk).slice(-ERRORS_MOST)));
    const end = (outcome: CommandOutcome): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve(outcome);
    };
    child.on('error', (error) => end({ ok: false, reason: `${program} could not be started: ${error.message}` }));
    child.on('close', (code, killedBy) => {
      if (stdout.length > OUTPUT_MOST) end({ ok: false, reason: `${program} printed more than ${OUTPUT_MOST} bytes` });
      else if (code === 0) end({ ok: true, stdout });
      else
        end({
          ok: false,
          reason:
            `${program} ended with ${killedBy ?? String(code)}: ` + shownInLine((stderr || stdout).trim().slice(-500)),
        });
    });
  });
}
