/** What stands for a long list: how much of it is shown, and how much there is of what. */
import { counted } from '../base/counted.js';
import type { Paint } from './print.js';

/** Up to so many entries (two screens) are all shown; of more, half a screen, so that the sums stay in sight. */
const ALL_SHOWN_MOST = 60;
const SHOWN_OF_MANY = 25;
/** Of the names that come most often; with its title and the rest a table of sums takes half a screen. */
export const TALLIES_MOST = 10;

/** Of entries with their differences, which take a dozen lines each. */
const DIFFERENCES_OF_MANY = 5;

/** How many of so many steps are shown, where nobody says it. */
export const stepsShownOf = (count: number): number => (count > ALL_SHOWN_MOST ? DIFFERENCES_OF_MANY : count);

/** How many of so many entries are shown, where nobody says it. */
export const shownOf = (count: number): number => (count > ALL_SHOWN_MOST ? SHOWN_OF_MANY : count);

/** How often each name is there, the most often first; `what` they are, as a word for one. */
export function tallyLines(title: string, what: string, names: readonly string[], paint: Paint): string[] {
  const tallies = new Map<string, number>();
  for (const name of names) tallies.set(name, (tallies.get(name) ?? 0) + 1);
  const sorted = [...tallies].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  const rest = sorted.slice(TALLIES_MOST);
  const width = String(sorted[0]?.[1] ?? 0).length;
  const left = rest.reduce((sum, [, count]) => sum + count, 0);
  return [
    paint(title, 'cyan'),
    ...sorted.slice(0, TALLIES_MOST).map(([name, count]) => `  ${String(count).padStart(width)}  ${name}`),
    ...(rest.length === 0 ? [] : [`  … ${rest.length} more: ${counted(left, what)}`]),
  ];
}
