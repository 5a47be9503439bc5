/**
 * Daemons of one root that ended before anybody wanted them to, as notes beside the socket.
 *
 * Whoever starts the next daemon without being asked by the person reads the notes: once may be chance, several
 * within minutes are something that the next one would die of as well, and starting it again and again
 * would be a loop that nobody sees.
 */
import * as z from 'zod';
import { shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { isSystemError, realFileSystem, type FileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';

/** So many ends within that time are no chance. One that was killed may have been the person's doing. */
const FULL_HEAPS_MOST = 2;
const ENDS_MOST = 3;
const WITHIN_MS = 10 * 60_000;

const notes = z.array(
  z.discriminatedUnion('why', [
    /** By itself, as its heap was full. */
    z.strictObject({ why: z.literal('heap'), at: z.number(), limitMegabytes: z.number() }),
    /** By itself, after too many defects. */
    z.strictObject({ why: z.literal('defects'), at: z.number() }),
    /** Without a word: killed by somebody or the system, or aborted by the runtime. */
    z.strictObject({ why: z.literal('killed'), at: z.number() }),
  ]),
);
type Notes = z.infer<typeof notes>;
export type SuddenEnd =
  { readonly why: 'heap'; readonly limitMegabytes: number } | { readonly why: 'defects' } | { readonly why: 'killed' };

const notesBeside = (lock: string): string => `${lock}.ends`;

/** Throws the file system's error; the notes are then those of before, or have this one too. */
export function noteSuddenEnd(lock: string, end: SuddenEnd, fs: FileSystem = realFileSystem): void {
  const text = JSON.stringify([...recent(lock, fs), { ...end, at: Date.now() }]);
  writeAtomically(fs, notesBeside(lock), text, { mode: 0o600, durable: false });
}

/** The person starts one by name: what was before is no reason against it. */
export function forgetSuddenEnds(lock: string): void {
  realFileSystem.rmSync(notesBeside(lock), { force: true });
}

/** Throws ServiceError `daemon` where daemons of this root have ended suddenly, one after the other. */
export function refuseAfterSuddenEnds(lock: string): void {
  const ends = recentOrSay(lock);
  const full = ends.flatMap((end) => (end.why === 'heap' ? [end] : []));
  const minutes = WITHIN_MS / 60_000;
  if (full.length >= FULL_HEAPS_MOST)
    throw new ServiceError(
      'daemon',
      `the daemon of this root ended ${full.length} times within ${minutes} minutes because its heap of ` +
        `${full.at(-1)?.limitMegabytes ?? 0} MB was full, so it is not started again; give it more with ` +
        'NODE_OPTIONS=--max-old-space-size=<megabytes> and run "codeplan daemon restart", or leave folders out ' +
        'in .codeplanignore',
    );
  if (ends.length >= ENDS_MOST)
    throw new ServiceError(
      'daemon',
      `the daemon of this root ended suddenly ${ends.length} times within ${minutes} minutes ` +
        `(${waysOf(ends)}), so it is not started again; "codeplan daemon logs" shows what it said, "codeplan ` +
        'daemon start" starts it all the same',
    );
}

function waysOf(ends: Notes): string {
  const count = (why: Notes[number]['why']): number => ends.filter((end) => end.why === why).length;
  return [
    [count('killed'), 'killed, or out of memory'],
    [count('heap'), 'with a full heap'],
    [count('defects'), 'after too many defects'],
  ]
    .filter(([times]) => times !== 0)
    .map(([times, way]) => `${times} ${way}`)
    .join(', ');
}

function recentOrSay(lock: string): Notes {
  try {
    return recent(lock, realFileSystem);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new ServiceError(
      'daemon',
      `cannot read ${shownName(notesBeside(lock))}, which says how daemons of this root ended (${error.message}), so ` +
        'none is started; "codeplan daemon start" removes it and starts one',
    );
  }
}

function recent(lock: string, fs: FileSystem): Notes {
  let text: string;
  try {
    text = fs.readFileSync(notesBeside(lock), 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
  const read = notes.safeParse(parsed(text));
  return read.success ? read.data.filter(({ at }) => Math.abs(Date.now() - at) < WITHIN_MS) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
