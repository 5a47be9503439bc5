/**
 * From the last keystroke to the hints in an editor: a client of the daemon takes a parameter away from a function,
 * whose callers are open, then changes its name by a letter and another one, and waits for the new hints each time. The
 * time that the daemon waits for a further key is taken off.
 */
import { EventEmitter, on } from 'node:events';
import { performance } from 'node:perf_hooks';
import type { ImpactReport } from '#protocol/impact.js';
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
  const first: number[] = [];
  const next: number[] = [];
  await editor.start();
  for (const { file, name, before, texts: versions, callers } of edits) {
    // Without a caller in an open file there is nothing to be published.
    const open = callers.slice(0, OPEN_MOST);
    if (open.length === 0) continue;
    await editor.open(file, before);
    for (const path of open) await editor.open(path, texts.get(path) ?? '');
    // What came of opening them is over.
    await editor.connection.sendRequest<ImpactReport>('codeplan/impact', {});
    for (const text of versions) {
      const hints = hintsThatSay(nameIn(text, versions[0], name), published);
      const started = performance.now();
      await editor.change(file, text);
      if (!(await hints)) break;
      (text === versions[0] ? first : next).push(performance.now() - started - QUIET_MS);
    }
    for (const path of [file, ...open]) await editor.close(path);
  }
  await editor.quit();
  return [
    ...figuresOf('first edit of a function', first, `${first.length} functions, less the ${QUIET_MS} ms of quiet`),
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
