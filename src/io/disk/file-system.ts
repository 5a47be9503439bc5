/**
 * The calls of the file system through which everything is written that must not be lost: the
 * person's tree, the journal, notes of runs, trust, locks and the cache of summaries.
 *
 * The program's is Node's own. It is handed in, so that a test can let any single call fail, write
 * less than it was given, or be the last one that a killed process makes.
 */
import nodeFileSystem from 'node:fs';

export type FileSystem = Pick<
  typeof nodeFileSystem,
  | 'closeSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'readSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'realpathSync'
  | 'renameSync'
  | 'rmSync'
  | 'rmdirSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
> & {
  readonly promises: Pick<
    typeof nodeFileSystem.promises,
    'open' | 'readFile' | 'readdir' | 'rename' | 'rm' | 'stat' | 'utimes'
  >;
};

export const realFileSystem: FileSystem = nodeFileSystem;

const { O_NOFOLLOW, O_NONBLOCK } = nodeFileSystem.constants as Partial<typeof nodeFileSystem.constants>;
/** Flags of opening: not through a link, and without waiting for the other end of a pipe. Windows has neither. */
export const NO_LINKS = O_NOFOLLOW ?? 0;
export const NO_WAITING = O_NONBLOCK ?? 0;

/** Whether the system refused a call for one of these reasons; for any, when none is given. */
export function isSystemError(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return codes.length === 0 || codes.includes(error.code);
}
