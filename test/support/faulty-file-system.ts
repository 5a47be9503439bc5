/**
 * The real file system, in which one call goes wrong.
 *
 * Calls are counted from 0 as they are made. A kill is the last call that has an effect: it and
 * all later ones throw, so what a program does while it gives up does not reach the disk.
 */
import { constants, type PathLike } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { realFileSystem, type FileSystem } from '#src/io/disk/file-system.js';

export const FAULTS = [
  /** The call does nothing and fails. */
  'EIO',
  'ENOSPC',
  'EACCES',
  /** The call is done, and reported as failed. */
  'late EIO',
  /** A write takes half of what it is given. */
  'short',
  /** A write takes half of what it is given and fails. */
  'torn',
  /** From here on there is no space. */
  'full',
  /** The process ends before the call, or in the middle of a write. */
  'kill',
] as const;
export type Fault = (typeof FAULTS)[number];

/** Thrown in place of the end of the process. */
export class Killed extends Error {}

export interface FaultyFileSystem {
  readonly fs: FileSystem;
  /** How many calls were made. */
  calls(): number;
  /** Whether the fault made a difference: `short` needs a write, for instance. */
  struck(): boolean;
}

type Call = (...given: unknown[]) => unknown;

/** `at`: index of the call; undefined: nothing goes wrong, and calls are counted. */
export function faultyFileSystem(
  at: number | undefined,
  fault: Fault,
  base: FileSystem = realFileSystem,
): FaultyFileSystem {
  let calls = 0;
  let struck = false;
  const strike = (): void => void (struck = true);
  const around = (name: string, call: Call): Call => {
    return (...given) => {
      const index = calls++;
      if (at === undefined || index < at) return call(...given);
      if (fault === 'kill') return killed(index === at, name, call, given, strike);
      if (fault === 'full' ? !needsSpace(name, given) : index > at) return call(...given);
      return failing(fault, name, call, given, strike);
    };
  };
  return { fs: wrapped(base, around), calls: () => calls, struck: () => struck };
}

/** Without paths through open folders, as on systems other than Linux. */
export function withoutOpenFolders(base: FileSystem): FileSystem {
  const readlinkSync = (path: PathLike): string => {
    throw refusal('ENOENT', `readlink ${String(path)}`);
  };
  return { ...base, readlinkSync: readlinkSync as FileSystem['readlinkSync'] };
}

function killed(isNow: boolean, name: string, call: Call, given: unknown[], strike: () => void): unknown {
  strike();
  // A descriptor is closed by the end of its process.
  if (name === 'closeSync' || name === 'close') void call(...given);
  else if (isNow && name === 'writeSync') half(call, given);
  throw new Killed();
}

function failing(fault: Fault, name: string, call: Call, given: unknown[], strike: () => void): unknown {
  const isWrite = name === 'writeSync' && (given[1] as Uint8Array).length - Number(given[2] ?? 0) > 1;
  if (fault === 'short' || fault === 'torn') {
    if (!isWrite) return call(...given);
    strike();
    const written = half(call, given);
    if (fault === 'short') return written;
    throw refusal('ENOSPC', name);
  }
  strike();
  const error = refusal(fault === 'late EIO' ? 'EIO' : fault === 'full' ? 'ENOSPC' : fault, name);
  if (fault === 'late EIO' || name === 'closeSync' || name === 'close') return thenThrow(call(...given), name, error);
  throw error;
}

/** What was opened is not handed out, and so is closed. */
function thenThrow(result: unknown, name: string, error: Error): unknown {
  if (name === 'openSync') realFileSystem.closeSync(Number(result));
  if (!(result instanceof Promise)) throw error;
  return result.then(async (given: unknown) => {
    if (name === 'open') await (given as FileHandle).close();
    throw error;
  });
}

function half(call: Call, [descriptor, bytes, offset]: unknown[]): unknown {
  const from = Number(offset ?? 0);
  return call(descriptor, bytes, from, Math.ceil(((bytes as Uint8Array).length - from) / 2));
}

function needsSpace(name: string, given: unknown[]): boolean {
  if (name === 'openSync') return typeof given[1] === 'number' && (given[1] & constants.O_CREAT) !== 0;
  if (name === 'open') return typeof given[1] === 'string' && given[1].startsWith('w');
  return ['writeSync', 'writev', 'mkdirSync', 'linkSync'].includes(name);
}

function refusal(code: string, call: string): Error {
  return Object.assign(new Error(`${code}: made to fail, ${call}`), { code });
}

/** Every function of the file system, and of the handles that it gives. */
function wrapped<T extends object>(whole: T, around: (name: string, call: Call) => Call): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === 'promises') return asynchronous(value as FileSystem['promises'], around);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return around(name, (...given) => Reflect.apply(value, target, given) as unknown);
    },
  });
}

function asynchronous<T extends object>(whole: T, around: (name: string, call: Call) => Call): T {
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      const call = around(name, (...given) => Reflect.apply(value, target, given) as unknown);
      return async (...given: unknown[]) => {
        const result = await call(...given);
        return name === 'open' && typeof result === 'object' && result !== null ? asynchronous(result, around) : result;
      };
    },
  });
}
