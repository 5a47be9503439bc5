/**
 * Where the daemon of a root listens.
 *
 *     $XDG_RUNTIME_DIR/codeplan/  or  <cache folder>/run/       0700, ours
 *       <key>.sock     the socket, 0600
 *       <key>.lock     held by the daemon for as long as it lives
 *
 * The key is a digest of protocol, build and real root: different builds never meet, and the name
 * stays within the length that the system allows for a socket. Whoever can reach the socket can
 * read the repository and write to it, hence a folder that others can look into is refused.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { PROTOCOL_VERSION } from '#protocol/names.js';
import { shownName, shownWord } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import type { BuildIdentity } from '../process/build-identity.js';
import { cacheFolder, makePrivateFolder } from '../disk/folders.js';

export interface SocketAddress {
  /** What to connect to: a path, or the name of a pipe on Windows. */
  readonly socket: string;
  readonly lock: string;
}

/** `sun_path` less its final zero: 108 on Linux, 104 elsewhere. */
const SOCKET_PATH_BYTES_MOST = process.platform === 'linux' ? 107 : 103;

/** Makes the folder if need be. Throws ServiceError: daemon. */
export function socketAddress(realRoot: string, build: BuildIdentity, environment: NodeJS.ProcessEnv): SocketAddress {
  const runtime = environment['XDG_RUNTIME_DIR'];
  const folder =
    runtime !== undefined && isAbsolute(runtime) ? join(runtime, 'codeplan') : join(cacheFolder(environment), 'run');
  try {
    makePrivateFolder(folder);
  } catch (error) {
    throw new ServiceError(
      'daemon',
      `cannot keep the daemon's socket in ${shownName(folder)}: ` +
        `${error instanceof Error ? error.message : String(error)}; set XDG_RUNTIME_DIR to a folder of your ` +
        'own, or use --no-daemon',
    );
  }
  if (process.platform !== 'win32' && (lstatSync(folder).mode & 0o077) !== 0) {
    throw new ServiceError(
      'daemon',
      `others can look into ${shownName(folder)}, where the daemon's socket lies; run "chmod 700 ${shownWord(folder)}"`,
    );
  }
  const key = createHash('sha256')
    .update(`${PROTOCOL_VERSION}\0${build.version}\0${build.stamp}\0${realRoot}`)
    .digest('hex')
    .slice(0, 16);
  const lock = join(folder, `${key}.lock`);
  if (process.platform === 'win32') return { socket: `\\\\.\\pipe\\codeplan-${key}`, lock };
  const socket = join(folder, `${key}.sock`);
  if (Buffer.byteLength(socket) > SOCKET_PATH_BYTES_MOST) {
    throw new ServiceError(
      'daemon',
      `${socket} is longer than the ${SOCKET_PATH_BYTES_MOST} bytes that the system allows for a socket; set ` +
        'XDG_RUNTIME_DIR to a shorter folder, or use --no-daemon',
    );
  }
  return { socket, lock };
}
