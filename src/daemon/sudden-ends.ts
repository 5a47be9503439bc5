/**
 * Daemons of one root that ended before anybody wanted them to, as notes beside the socket.
 *
 * Whoever starts the next daemon without being asked by the person reads the notes: once may be chance, several
 * within minutes are something that the next one would die of as well, and starting it again and again
 * would be a loop that nobody sees.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { ServiceError } from '../engine/service.js';

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

export function noteSuddenEnd(lock: string, end: SuddenEnd): void {
  writeFileSync(notesBeside(lock), JSON.stringify([...recent(lock), { ...end, at: Date.now() }]), { mode: 0o600 });
}

/** The person starts one by name: what was before is no reason against it. */
export function forgetSuddenEnds(lock: string): void {
  rmSync(notesBeside(lock), { force: true });
}

/** Throws ServiceError `daemon` where daemons of this root have ended suddenly, one after the other. */
export function refuseAfterSuddenEnds(lock: string): void {
  const ends = recent(lock);
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

function recent(lock: string): Notes {
  let text: string;
  try {
    text = readFileSync(notesBeside(lock), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
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
