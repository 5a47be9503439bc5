/**
 * The root of a repository as a person names it, made sure of.
 */
import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { shownName } from '../../base/shown.js';
import { ServiceError } from '../../engine/service.js';

/** The real path of a root, which must be a readable folder. */
export function rootOf(root: string): string {
  let real: string;
  let stats: Stats;
  try {
    real = realpathSync(root);
    stats = statSync(real);
    if (stats.isDirectory()) readdirSync(real);
  } catch (error) {
    throw new ServiceError(
      'root',
      `cannot read the root ${shownName(root)}: ${messageOf(error)}; give an existing folder with --root`,
    );
  }
  if (!stats.isDirectory())
    throw new ServiceError('root', `the root ${shownName(root)} is not a folder; give one with --root`);
  return real;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
