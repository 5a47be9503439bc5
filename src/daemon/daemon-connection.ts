/**
 * Finding the daemon of a root: dial it, start it if that is wanted, and be introduced.
 */
import type { Socket } from 'node:net';
import type { HandshakeParams } from '#protocol/session.js';
import type { BuildIdentity } from '../io/process/build-identity.js';
import { dial, dialOrStart } from '../io/socket/dial.js';
import { logPath } from '../io/disk/log-file.js';
import { refuseAfterSuddenEnds } from './sudden-ends.js';
import { socketAddress } from '../io/socket/socket-address.js';

export interface DaemonPlace {
  /** A real path. */
  readonly root: string;
  readonly build: BuildIdentity;
  /** Module that runs a daemon with `daemon run`. */
  readonly program: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Once it is aborted nothing is waited for. */
  readonly signal?: AbortSignal;
}

/** Undefined if no daemon runs. Throws ServiceError: daemon. */
export function reachDaemon({ root, build, environment, signal }: DaemonPlace): Promise<Socket | undefined> {
  return dial(socketAddress(root, build, environment).socket, signal);
}

/** Starts a daemon if none runs. Throws ServiceError: daemon. */
export async function reachOrStartDaemon(place: DaemonPlace): Promise<Socket> {
  const { root, build, program, environment, signal } = place;
  const { socket, lock } = socketAddress(root, build, environment);
  const running = await dial(socket, signal);
  if (running !== undefined) return running;
  refuseAfterSuddenEnds(lock);
  const command = { program, args: ['daemon', 'run', '--root', root], environment, log: logPath(root, environment) };
  return dialOrStart(socket, command, signal);
}

export function introduction(
  name: string,
  pid: number,
  workingDirectory: string,
  environment: NodeJS.ProcessEnv,
): HandshakeParams['client'] {
  const defined = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { name, pid, workingDirectory, environment: Object.fromEntries(defined) };
}
