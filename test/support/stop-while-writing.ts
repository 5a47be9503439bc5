/**
 * Loaded before the program by `--import`: lets it stand still at one call of its write phase, so
 * that a test can kill it there, or counts these calls.
 *
 * The write phase begins when the journal's lock is taken. `WRITE_PHASE_STOP` is the index of the
 * call before which it stands still; each call is said on standard error, as `write-phase <index>
 * <call> <last part of the path>`. The program itself knows nothing of it.
 */
import fs, { writeSync } from 'node:fs';
import { basename } from 'node:path';

const stop = Number(process.env['WRITE_PHASE_STOP']);
const write = writeSync;
let calls: number | undefined;

/** All of a text, also where whoever reads it is slow and the pipe is full. */
function say(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += write(2, bytes, at);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

type Call = (...given: unknown[]) => unknown;
const NAMES = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'closeSync',
  'renameSync',
  'linkSync',
  'unlinkSync',
  'rmSync',
  'mkdirSync',
  'rmdirSync',
] as const;

for (const name of NAMES) {
  const call = fs[name] as Call;
  const counted: Call = (...given) => {
    const place = typeof given[1] === 'string' ? given[1] : typeof given[0] === 'string' ? given[0] : '';
    if (calls === undefined && name === 'linkSync' && place.endsWith('/journal/lock')) calls = 0;
    if (calls === undefined) return call(...given);
    say(`write-phase ${calls} ${name} ${basename(place)}\n`);
    if (calls++ === stop) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    return call(...given);
  };
  Object.defineProperty(fs, name, { value: counted });
}
