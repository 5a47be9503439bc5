/** Where manifests name a changed library, for people. */
import type { DependencyEntry } from '#protocol/api.js';
import { shownInLine } from '../base/shown.js';
import type { Paint } from './print.js';

export function dependencyLines(entries: readonly DependencyEntry[] | undefined, paint: Paint): string[] {
  if (entries === undefined) return [];
  if (entries.length === 0) return [`${paint('manifests', 'cyan')}  no manifest here names the library.`];
  return entries.map(({ standing, reason, now, left }) => {
    const next = now === undefined ? left : `it becomes ${now}`;
    return shownInLine(`${paint(standing, 'cyan')}  ${reason}${next === undefined ? '' : `; ${next}`}`);
  });
}
