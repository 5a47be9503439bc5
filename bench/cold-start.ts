/**
 * From nothing to what an editor shows: `codeplan lsp` with nothing kept, a file with a caller beside the one that is
 * edited at once. How long until something is seen to be done, until the first hint in the caller's file, which the
 * part of the repository around the two suffices for, and until all is read; then how long the next place takes.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeftReport, NextReport } from '#protocol/left.js';
import { EditorClient } from './editor-client.js';
import type { Figure } from './figure.js';
import type { SignatureEdit } from './signature-edits.js';
import type { Sources } from './sources.js';
import { median, percentile } from './timing.js';

const STARTS = 5;
/** Places that are asked for after one edit. */
const ASKED = 20;
/** After everything was answered a hint that has not come does not come: the edit breaks no call in that file. */
const GRACE_MS = 500;
/** So long a plan is being made when the first place is asked for. */
const PLANNING_MS = 10;
/** A person reads the hints before they go to the next place. */
const READING_MS = 500;

interface Start {
  readonly progressMs: number;
  /** Undefined where nothing is to be said in the caller. */
  readonly hintMs: number | undefined;
  readonly readyMs: number;
  /** The next place, asked for as soon as the plan was begun. */
  readonly unplannedMs: number;
  readonly nextMs: readonly number[];
}

export async function measureColdStart(
  root: string,
  sources: Sources,
  edits: readonly SignatureEdit[],
): Promise<Figure[]> {
  const texts = new Map(sources.files.map(({ path, text }) => [path, text]));
  const starts: Start[] = [];
  for (const edit of inFilesApart(edits).slice(0, STARTS)) {
    const folder = mkdtempSync(join(tmpdir(), 'codeplan-bench-'));
    try {
      starts.push(await start(root, texts, edit, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const group = 'Cold start in an editor, an edit sent at once';
  const hints = starts.flatMap(({ hintMs }) => hintMs ?? []);
  if (hints.length === 0) return [];
  const on = `${starts.length} starts, ${hints.length} with a hint`;
  const row = (name: string, value: number, bound?: number): Figure => ({
    group,
    name,
    value,
    unit: 'ms',
    ...(bound === undefined ? {} : { bound }),
    on,
  });
  const next = starts.flatMap(({ nextMs }) => nextMs);
  return [
    row('first progress, the slowest', Math.max(...starts.map(({ progressMs }) => progressMs)), 300),
    row('first hint in a caller, median', median(hints), 2000),
    row('first hint in a caller, the slowest', Math.max(...hints), 2000),
    row('all files read, median', median(starts.map(({ readyMs }) => readyMs))),
    row(
      'codeplan/next, the plan just begun, the slowest',
      Math.max(...starts.map(({ unplannedMs }) => unplannedMs)),
      10,
    ),
    row('codeplan/next, asked for first, the slowest', Math.max(...starts.map(({ nextMs }) => nextMs[0] ?? 0)), 10),
    row('codeplan/next, p95', percentile(next, 0.95), 10),
  ];
}

/** Those that have a caller elsewhere, one for each file: the rest would be the same start again. */
function inFilesApart(edits: readonly SignatureEdit[]): SignatureEdit[] {
  const seen = new Set<string>();
  return edits.filter(({ file, callers }) => callers.length > 0 && !seen.has(file) && seen.add(file));
}

async function start(
  root: string,
  texts: ReadonlyMap<string, string>,
  // Of another name too, so that every caller breaks.
  { file, line, name, before, texts: [, edited], callers }: SignatureEdit,
  folder: string,
): Promise<Start> {
  const sockets = join(folder, 'sockets');
  mkdirSync(sockets, { mode: 0o700 });
  const began = performance.now();
  const since = (): number => performance.now() - began;
  const editor = new EditorClient(root, {
    ...process.env,
    CODEPLAN_CACHE_DIR: join(folder, 'cache'),
    XDG_STATE_HOME: join(folder, 'state'),
    // A daemon of its own: the one before may still be ending.
    XDG_RUNTIME_DIR: sockets,
    CODEPLAN_IDLE_SECONDS: '1',
  });
  const progress = new Promise<number>((resolve) => (editor.onProgress = () => resolve(since())));
  const [caller = file] = callers;
  const hint = new Promise<number>((resolve) => {
    editor.onHints = (path, hints) => {
      const says = ({ message }: (typeof hints)[number]): boolean =>
        (typeof message === 'string' ? message : message.value).includes(name);
      if (path === caller && hints.some(says)) resolve(since());
    };
  });
  await editor.greet();
  await editor.open(caller, texts.get(caller) ?? '');
  await editor.open(file, before);
  await editor.change(file, edited);
  const progressMs = await progress;
  await editor.ready();
  const readyMs = since();
  await editor.connection.sendRequest<LeftReport>('codeplan/left', {});
  // What the daemon makes of itself at the next rest.
  const plan = editor.connection.sendRequest<LeftReport>('codeplan/left', { plan: true });
  await delay(PLANNING_MS);
  const next = async (): Promise<number> => {
    const asked = performance.now();
    await editor.connection.sendRequest<NextReport>('codeplan/next', { file, line, early: true });
    return performance.now() - asked;
  };
  const unplannedMs = await next();
  await plan;
  const hintMs = await Promise.race([hint, delay(GRACE_MS, undefined)]);
  await delay(READING_MS);
  const nextMs: number[] = [];
  for (let n = 0; n < ASKED; n++) nextMs.push(await next());
  await editor.quit();
  return { progressMs, hintMs, readyMs, unplannedMs, nextMs };
}
