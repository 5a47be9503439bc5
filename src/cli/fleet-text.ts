/** A campaign for people: a line a repository, with what waits for somebody first, and the sums. */
import type { FleetReport, FleetRepository } from '#protocol/fleet.js';
import { shownInLine, shownName, shownWord } from '../base/shown.js';
import { counted } from '../base/counted.js';
import { adviceOn } from '../fleet/advice.js';
import type { Paint } from './print.js';

/** In the order in which a person wants to see them. */
const ORDER: readonly FleetRepository['state'][] = [
  'failed',
  'needs-person',
  'needs-value',
  'waiting',
  'affected',
  'planned',
  'checked',
  'proposed',
  'withdrawn',
  'merged',
  'not-affected',
];
/** A screen or two; those that want somebody come first, and "codeplan fleet report" has all. */
const LISTED_MOST = 60;

/** Whether nobody has to do anything about it. */
export const isSettled = ({ state, open }: FleetRepository, report: FleetReport): boolean => {
  if (state === 'not-affected' || state === 'merged' || state === 'withdrawn') return true;
  if (state === 'checked' || state === 'proposed') return open.length === 0;
  return report.status === 'aborted' && state !== 'failed';
};

export function fleetLines(report: FleetReport, isWhole: boolean, paint: Paint): string[] {
  const { campaign, title, status, running, counts, repositories, damaged } = report;
  const lines = [
    `${paint(campaign, 'bold')}  ${shownInLine(title)}  ` +
      (running ? 'work is handed out' : status === 'running' ? '' : status),
    '',
  ];
  const ordered = [...repositories].sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const listed = isWhole ? ordered : ordered.slice(0, LISTED_MOST);
  for (const each of listed) lines.push(...repositoryLines(each, isWhole, paint));
  if (listed.length < ordered.length)
    lines.push(`  and ${ordered.length - listed.length} more, with "codeplan fleet report"`);
  const sums = ORDER.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${state}`);
  lines.push('', `${counted(repositories.length, 'repository', 'repositories')}: ${sums.join(', ')}.`);
  if (damaged > 0)
    lines.push(paint(`${damaged} lines of the log are damaged; what they said is done again.`, 'yellow'));
  const next = adviceOn(report);
  return next === undefined ? lines : [...lines, next];
}

function repositoryLines(each: FleetRepository, isWhole: boolean, paint: Paint): string[] {
  const { key, state, reason, files, open, notes, ready, proposal } = each;
  const style = state === 'failed' ? 'red' : state.startsWith('needs') || state === 'waiting' ? 'yellow' : 'green';
  const lines = [`  ${paint(state, style)}  ${shownName(key)}  ${shownInLine(reason)}`];
  if (!isWhole) return lines;
  for (const file of files) lines.push(`      edited ${shownName(file)}`);
  for (const place of open) {
    const at = `${shownName(place.file)}${place.line === undefined ? '' : `:${place.line}`}`;
    lines.push(`      open ${at}: ${shownInLine(place.reason)}`);
  }
  for (const note of notes) lines.push(`      left ${shownInLine(note)}`);
  if (ready !== undefined) lines.push(`      git fetch ${shownWord(ready.repository)} ${shownWord(ready.branch)}`);
  if (proposal !== undefined) lines.push(`      ${shownInLine(proposal)}`);
  return lines;
}
