/**
 * Which blocks an edit's report names already, so that nothing names them twice.
 */
import { Places } from '../base/places.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { AffectedBlock } from './affected.js';

/**
 * Whether a block of the edited tree changed or is affected. They are gone through when the first one is asked about:
 * often none is.
 */
export function knownBlocks(
  changes: readonly AtomicChange[],
  affected: readonly AffectedBlock[],
): (file: string, decl: number) => boolean {
  let places: Places | undefined;
  return (file, decl) => (places ??= placesOf(changes, affected)).has(file, decl);
}

function placesOf(changes: readonly AtomicChange[], affected: readonly AffectedBlock[]): Places {
  const out = new Places();
  for (const { file, decl } of affected) out.add(file, decl);
  for (const { after } of changes) if (after !== undefined) out.add(after.file, after.decl);
  return out;
}
