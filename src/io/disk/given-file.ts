/**
 * Files that a person gives a command, read whole: plans, cassettes, tasks.
 *
 * A pipe would be waited for without an end, and a device never ends, so that both are refused, as is what is
 * larger than such a file can be.
 */
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';
import { readWhereItLeads, type RepositoryFile } from './repository-file.js';

/** `what` is the file to a person, as "the plan". Throws ServiceError: settings, for a file that cannot be read. */
export function readGivenFile(path: string, what: string, bytesMost: number): string {
  const refuse = (why: string): ServiceError =>
    new ServiceError('settings', `cannot read ${what} ${shownName(path)}: ${why}`);
  let file: RepositoryFile;
  try {
    file = readWhereItLeads(path, bytesMost);
  } catch (error) {
    throw refuse(error instanceof Error ? error.message : String(error));
  }
  if (file.kind === 'gone') throw refuse('there is no file of this name');
  if (file.kind === 'refused') throw refuse(`it ${file.reason}`);
  return file.bytes.toString('utf8');
}
