/** How much is left, for people, in every editor and in a terminal. */
import type { LeftCounts, LeftReport } from '#protocol/left.js';
import { counted, namesInWords } from '../base/counted.js';
import { shownInLine } from '../base/shown.js';

/** Changed blocks that are named above a list. */
const CHANGES_MOST = 3;

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

/** ` so far: 89 of 3583 files read`; nothing where all is. */
export const soFar = ({ read }: Pick<LeftReport, 'read'>): string =>
  read === undefined ? '' : ` so far: ${read.files} of ${read.of} files read`;

/** What stands above a list of what is left. */
export function leftSays(report: Pick<LeftReport, 'changes' | 'counts' | 'complete' | 'read'>): string[] {
  const { changes, counts, complete, read } = report;
  const names = [...new Set(changes.map(({ block }) => block))];
  const sum =
    names.length === 0
      ? 'nothing changed since the last settled state'
      : `${leftWords(counts)} after ${namesInWords(names, CHANGES_MOST)}`;
  const unread = complete || read !== undefined ? [] : ['not all could be read: more may be left'];
  return [shownInLine(sum + soFar(report)), ...unread];
}
