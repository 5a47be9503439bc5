/**
 * A long answer on a terminal, page by page, as git shows one: by `CODEPLAN_PAGER`, else `PAGER`, else `less`. None
 * where that is empty or `cat`. What fits the screen is printed as it is.
 */
import { spawn } from 'node:child_process';
import { installedProgram } from './installed-program.js';

interface Terminal {
  readonly rows: number;
  write(text: string): boolean;
}

/** Quits where the text fits, keeps colours, leaves the text on the screen: what git gives to less. */
const LESS = 'FRX';
const NONE = ['', 'cat'];

export function pagerOf(
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): ((text: string) => Promise<void>) | undefined {
  const asked = environment['CODEPLAN_PAGER'] ?? environment['PAGER'] ?? installedProgram(['less'], environment) ?? '';
  if (NONE.includes(asked.trim()) || environment['TERM'] === 'dumb') return undefined;
  return (text) => {
    if (text.split('\n').length > terminal.rows) return shownBy(asked, text, environment, terminal);
    terminal.write(text);
    return Promise.resolve();
  };
}

/**
 * The person's own command, by the shell as git runs it. A pager that cannot be started leaves the text to the
 * terminal.
 */
function shownBy(command: string, text: string, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  return new Promise((resolve) => {
    const pager = spawn(command, {
      shell: true,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { ...environment, LESS: environment['LESS'] ?? LESS, LV: environment['LV'] ?? '-c' },
    });
    // Who reads no further than the first page closes the pipe.
    pager.stdin.on('error', () => undefined);
    pager.on('error', () => {
      terminal.write(text);
      resolve();
    });
    pager.on('close', () => resolve());
    pager.stdin.end(text);
  });
}
