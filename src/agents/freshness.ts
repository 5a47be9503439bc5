/**
 * One line on how far an answer can be trusted: the graph is what the disk holds, or what it still lacks.
 */
import type { Status } from '#protocol/status.js';
import { counted } from '../base/counted.js';
import { shownName } from '../base/shown.js';

export function freshness({ state, pending, broken, problems, watch }: Status): string {
  const lacks: string[] = [];
  if (state !== 'ready')
    lacks.push(state === 'indexing' ? 'the first index is being built' : 'the index could not be built');
  if (pending.files > 0) lacks.push(`${counted(pending.files, 'file')} still to be read`);
  if (broken.length > 0)
    lacks.push(
      `${broken.length} with syntax errors (last good version used): ${broken.slice(0, 3).map(shownName).join(', ')}`,
    );
  if (problems.length > 0) lacks.push(`${problems.length} could not be read`);
  if (watch.mode === 'polling') lacks.push('the disk is looked at from time to time');
  return `graph: ${lacks.length === 0 ? 'current' : lacks.join('; ')}`;
}
