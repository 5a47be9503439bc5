/**
 * From the last keystroke to the hints in an editor: a client of the daemon takes a parameter away from a function,
 * whose callers are open, then changes its name by a letter and another one, and waits for the new hints each time. The
 * time that the daemon waits for a further key is taken off.
 */
import { EventEmitter, on } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { ImpactReport } from '#protocol/impact.js';
import type { LeftReport } from '#protocol/left.js';
import { QUIET_MS } from '#src/daemon/latest-left.js';
import { EditorClient } from './editor-client.js';
import type { Figure } from './figure.js';
import type { SignatureEdit } from './signature-edits.js';
import type { Sources } from './sources.js';
import { percentile } from './timing.js';

/** Files with callers that are open. */
const OPEN_MOST = 3;
const WAIT_MS_MOST = 5_000;

export async function measureHints(
  root: string,
  sources: Sources,
  edits: readonly SignatureEdit[],
  environment: NodeJS.ProcessEnv,
): Promise<Figure[]> {
  const group = 'Keystroke to published hints';
  const editor = new EditorClient(root, { ...environment, CODEPLAN_IDLE_SECONDS: '2' });
  const published = new EventEmitter();
  editor.onHints = (_path, hints) =>
    published.emit(
      'hints',
      hints.map(({ message }) => (typeof message === 'string' ? message : message.value)).join('\n'),
    );
  const texts = new Map(sources.files.map(({ path, text }) => [path, text]));
  await editor.start();
  /** Edits one function, and says how long its first hints took and those after each further key. */
  const edited = async (
    { file, name, before, texts: versions, callers }: SignatureEdit,
    isRead: boolean,
  ): Promise<number[]> => {
    const times: number[] = [];
    const open = callers.slice(0, OPEN_MOST);
    for (const path of open) await editor.open(path, texts.get(path) ?? '');
    await editor.open(file, before);
    // What came of opening them is over; and whoever reads the file first gives time to look ahead.
    await editor.connection.sendRequest<ImpactReport>('codeplan/impact', {});
    if (isRead) await editor.connection.sendRequest<LeftReport>('codeplan/left', { ahead: true });
    for (const text of versions) {
      const hints = hintsThatSay(nameIn(text, versions[0], name), published);
      const send = editor.typing(file, text);
      const started = performance.now();
      await send();
      if (!(await hints)) break;
      times.push(performance.now() - started - QUIET_MS);
    }
    for (const path of [file, ...open]) await editor.close(path);
    return times;
  };
  // Without a caller in an open file there is nothing to be published.
  const shown = edits.filter(({ callers }) => callers.length > 0);
  const atOnce: number[][] = [];
  for (const edit of shown) atOnce.push(await edited(edit, false));
  const read: number[][] = [];
  for (const edit of shown) read.push(await edited(edit, true));
  await editor.quit();
  const first = (times: readonly number[][]): number[] => times.flatMap((of) => of.slice(0, 1));
  const next = atOnce.flatMap((of) => of.slice(1));
  const on = `less the ${QUIET_MS} ms of quiet`;
  return [
    ...figuresOf('first edit of a function, at once', first(atOnce), `${atOnce.length} functions, ${on}`),
    ...figuresOf('first edit of a function, the file read before', first(read), `${read.length} functions, ${on}`),
    ...figuresOf('next edits', next, `${next.length} keys`),
  ].map((figure) => ({ group, ...figure }));
}

function figuresOf(of: string, times: readonly number[], on: string): Omit<Figure, 'group'>[] {
  if (times.length === 0) return [];
  return [
    { name: `${of}, median`, value: percentile(times, 0.5), unit: 'ms', bound: 50, on },
    { name: `${of}, p95`, value: percentile(times, 0.95), unit: 'ms', bound: 50 },
  ];
}

/** The name as it stands in a text that differs from `first` only in being longer there. */
function nameIn(text: string, first: string, name: string): string {
  return name + 'Xy'.slice(0, text.length - first.length);
}

/** False if they do not come; callers of a name that changed as well are told in other words. */
async function hintsThatSay(words: string, published: EventEmitter): Promise<boolean> {
  const signal = AbortSignal.timeout(WAIT_MS_MOST);
  try {
    for await (const [messages] of on(published, 'hints', { signal }))
      if ((messages as string).includes(words)) return true;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return false;
}
