/** How much is left, for people. */
import type { LeftCounts } from '#protocol/left.js';
import { counted } from '../base/counted.js';

export function leftWords({ left, breaks, waiting, rejected, dismissed, undecided }: LeftCounts): string {
  const beside = [
    ...(breaks > 0 ? [`${breaks} ${breaks === 1 ? 'breaks' : 'break'}`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for you`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(dismissed > 0 ? [`${dismissed} dismissed`] : []),
    ...(undecided > 0 ? [`${counted(undecided, 'place')} undecided`] : []),
  ];
  const words = left === 0 ? 'nothing is left' : `${counted(left, 'block')} left`;
  return beside.length === 0 ? words : `${words} (${beside.join(', ')})`;
}
