/** What the steps of a plan ask for and what became of them, for people. */
import type { DoReport } from '#protocol/do.js';
import type { WorkEntry } from '#protocol/work.js';
import { shownInLine, shownName } from '../base/shown.js';
import { diffLines } from './plan-text.js';
import type { Paint } from './print.js';

export function workLines({ steps, work }: Pick<DoReport, 'steps' | 'work'>, paint: Paint): string[] {
  return steps.flatMap(({ intent, symbols }, at) => {
    const entry = work[at];
    const places = entry === undefined ? symbols : entry.blocks;
    return [
      `${paint(`${at + 1}.`, 'bold')} ${shownInLine(intent)}${entry === undefined ? '' : `  ${stateOf(entry, paint)}`}`,
      ...places.map(({ file, block }) => `     ${paint(shownName(file), 'cyan')}: ${shownName(block)}`),
      ...(entry?.diff === undefined ? [] : diffLines(entry.diff, paint)),
    ];
  });
}

function stateOf({ kind, state, reason, file, name }: WorkEntry, paint: Paint): string {
  const where = [file, name].filter((part) => part !== undefined).map(shownName);
  const what = kind === 'create' && where.length > 0 ? `create ${where.join(': ')}` : kind;
  const told = state === 'open' ? `open: ${reason ?? 'by hand'}` : state;
  return `${paint(what, 'cyan')}, ${paint(shownInLine(told), state === 'open' ? 'yellow' : 'dim')}`;
}

/** Whether nothing is left open; a plan that only uses what is there did nothing of what was asked for. */
export const isWorkDone = (work: readonly WorkEntry[]): boolean =>
  work.every(({ state }) => state !== 'open') && work.some(({ kind }) => kind !== 'use');
