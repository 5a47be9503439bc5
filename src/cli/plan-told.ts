/** A plan as its command tells of it: as text, as one document, as a page; and by the exit code. */
import { basename, resolve } from 'node:path';
import type { PropagateReport } from '#protocol/propagate.js';
import { shownInLine, shownName } from '../base/shown.js';
import { ServiceError } from '../engine/service.js';
import { realFileSystem } from '../io/disk/file-system.js';
import { writeAtomically } from '../io/disk/write-atomically.js';
import { planPage } from '../page/plan-page.js';
import type { CommonFlags } from './common-flags.js';
import { isLeft, newlyWritten, planLines, planStat } from './plan-text.js';
import type { Paint } from './print.js';
import type { CommandContext } from './with-service.js';
import { isWorkDone, workLines } from './work-text.js';
import { EXIT, type ExitCode, type World } from './world.js';

/** Prints the report, writes the page if one is asked for, and says how it went. Throws ServiceError: write. */
export function told(
  report: PropagateReport,
  flags: CommonFlags & { readonly html?: string; readonly limit?: number; readonly stat?: boolean },
  { root, print }: CommandContext,
  world: World,
): ExitCode {
  if (flags.html !== undefined) writePage(resolve(world.workingDirectory, flags.html), report, root);
  if (flags.json === true) print.json(report);
  else
    for (const line of [
      ...taskLines(report, print.paint),
      ...(flags.stat === true ? planStat(report, print.paint) : planLines(report, print.paint, flags.limit)),
    ])
      print.line(line);
  return isDone(report) ? EXIT.done : EXIT.open;
}

/** How a task in words was planned, above the edits that came of it. */
function taskLines({ task }: PropagateReport, paint: Paint): string[] {
  if (task === undefined) return [];
  const isOnlyUsed = task.work.every(({ kind }) => kind === 'use');
  return [
    ...workLines(task, paint),
    ...(task.search?.message === undefined ? [] : [paint(shownInLine(task.search.message), 'yellow')]),
    ...(isOnlyUsed ? [paint('No step of the plan edits anything or makes something new.', 'yellow')] : []),
    'To change the plan: codeplan do --stop-after work --markdown "<words>", and go on with its --plan.',
    '',
  ];
}

/** Throws ServiceError: write. */
export function writePage(path: string, report: PropagateReport, root: string): void {
  const page = planPage(report, { title: basename(root) });
  try {
    writeAtomically(realFileSystem, path, page, { mode: undefined, durable: false });
  } catch (error) {
    throw new ServiceError(
      'write',
      `cannot write the page to ${shownName(path)}: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Whether nothing of the plan is left to anybody. */
export function isDone(report: PropagateReport): boolean {
  const unfinished = report.steps.some(
    (step) => step.diff !== '' && step.status !== 'applied' && step.status !== 'verified',
  );
  const isBroken = report.steps.some((step) => isLeft(step) && step.tier === 'breaks');
  return (
    report.complete &&
    (report.task === undefined || isWorkDone(report.task.work)) &&
    !unfinished &&
    (report.applied || newlyWritten(report) === 0) &&
    !isBroken &&
    report.open.length === 0 &&
    report.undecided.length === 0 &&
    (report.oracle?.new.length ?? 0) === 0
  );
}
