/**
 * The runs of one client's session, under their names: what was planned, what the person left out of it, and what of it
 * is written. They are kept in memory until the session ends, so that what was shown can be written.
 */
import type {
  ExecuteParams,
  ExecuteReport,
  PropagateParams,
  PropagateReport,
  ReviewParams,
  ReviewReport,
} from '#protocol/propagate.js';
import type { UndoParams, UndoReport } from '#protocol/undo.js';
import { SCHEMA_VERSION, type StepStatus } from '#protocol/words.js';
import type { Effects, RunNote } from './effects.js';
import type { PlaceOfBlock } from './left.js';
import type { Run, RunPart } from './propagation.js';
import { hunksLeftOut, partLeftIn, reviewed } from './review.js';
import { ServiceError } from './service.js';

/** Runs that a session remembers. */
const RUNS_MOST = 20;

export class RunDesk {
  private readonly runs = new Map<string, Run>();

  constructor(private readonly effects: Effects) {}

  /** Remembers a run, and writes it where that is asked for. */
  finished(run: Run, isApplied: boolean): PropagateReport {
    this.remember(run);
    if (!isApplied) return run.report;
    const edits = run.edits;
    if (edits.length === 0) return run.report;
    this.effects.apply(run.id, run.title, edits);
    this.keepMade(run);
    const applied: PropagateReport = {
      ...run.report,
      applied: true,
      undo: `codeplan undo ${run.id}`,
      steps: run.report.steps.map((step) =>
        step.status === 'proposed' ? { ...step, status: statusWhenWritten(run.report) } : step,
      ),
    };
    this.remember({ ...run, report: applied });
    return applied;
  }

  /**
   * A run is planned from the person's edits alone: what an earlier part of it wrote is undone before it is made again,
   * and more.
   */
  takeBack({ run }: RunNote, params: PropagateParams): void {
    const isWritten = this.effects.journal().entries.some((entry) => entry.run === run && entry.state !== 'undone');
    if (!isWritten) return;
    if (params.apply !== true)
      throw new ServiceError(
        'settings',
        `the edits of run ${run} were written: give --apply to go on and write again, or take them back ` +
          `first with codeplan undo ${run}`,
      );
    this.effects.undo(run);
  }

  /** Writes what was planned: the steps that are named, else all that the person has not left out. */
  execute(params: ExecuteParams): ExecuteReport {
    const run = this.run(params.run);
    const { steps, edits } = this.chosen(run, params.steps);
    // Told from the texts that were planned on, which are others once it is written.
    const files = edits.length === 0 ? [] : this.effects.apply(run.id, run.title, edits);
    if (files.length > 0) this.keepMade(run);
    // The oracle has judged all steps together, and says nothing of some of them.
    const isWhole = steps.size === run.report.steps.length && hunksLeftOut(run.report.steps).size === 0;
    const whenWritten = isWhole ? statusWhenWritten(run.report) : 'applied';
    const unwritten = (id: number): StepStatus => (params.steps?.includes(id) === false ? 'rejected' : 'blocked');
    return {
      schema: SCHEMA_VERSION,
      run: run.id,
      files: [...files],
      steps: run.report.steps.map(({ id, status }) => {
        if (status !== 'proposed' && status !== 'accepted') return { id, status };
        return { id, status: steps.has(id) ? whenWritten : unwritten(id) };
      }),
      ...(files.length > 0 ? { undo: `codeplan undo ${run.id}` } : {}),
    };
  }

  /** Takes or leaves out steps and hunks; what is left out stays so in later plans. */
  review(params: ReviewParams): ReviewReport {
    const run = this.run(params.run);
    const steps = reviewed(run, params);
    this.remember({ ...run, report: { ...run.report, steps } });
    const { accept = [], reject = [], acceptHunks = [], rejectHunks = [] } = params;
    const named = new Set([...accept, ...reject, ...[...acceptHunks, ...rejectHunks].map(({ step }) => step)]);
    const places = steps
      .filter(({ id }) => named.has(id))
      .map(({ file, block, reason, status }) => ({ file, block, reason, isOut: status === 'rejected' }));
    const leftOut = places.filter(({ isOut }) => isOut).map(({ isOut: _, ...place }) => place);
    this.effects.left.change((known) => ({
      ...known,
      rejected: [...known.rejected.filter((place) => !isAmong(place, places)), ...leftOut],
    }));
    return {
      schema: SCHEMA_VERSION,
      run: run.id,
      steps: steps.map(({ id, status, leftOut }) => ({ id, status, ...(leftOut === undefined ? {} : { leftOut }) })),
    };
  }

  /** Takes back what a run wrote, of this session or an earlier one. */
  undo(params: UndoParams): UndoReport {
    const undone = this.effects.undo(params.run);
    return { schema: SCHEMA_VERSION, run: undone.run, files: [...undone.files] };
  }

  /** What `execute` would write, for an editor that writes it itself. */
  editsOf({ run: id, steps }: ExecuteParams): RunPart['edits'] {
    const run = this.run(id);
    // Whether they were made is seen by the blocks' texts.
    this.keepMade(run);
    return this.chosen(run, steps).edits;
  }

  /** Notes the blocks that a run makes, so that no later question takes them for the person's edit. */
  keepMade({ made }: Run): void {
    if (made.length === 0) return;
    this.effects.left.change((known) => ({
      ...known,
      made: [...known.made.filter((block) => !isAmong(block, made)), ...made],
    }));
  }

  /** Under its name, in place of what it was before; the oldest is forgotten. */
  remember(run: Run): void {
    this.runs.delete(run.id);
    this.runs.set(run.id, run);
    for (const oldest of this.runs.keys()) {
      if (this.runs.size <= RUNS_MOST) break;
      this.runs.delete(oldest);
    }
  }

  /** Throws ServiceError: unknownRun. */
  run(id: string): Run {
    const run = this.runs.get(id);
    if (run === undefined)
      throw new ServiceError(
        'unknownRun',
        `there is no run ${id} in this session; plan again and use the name that it gives`,
      );
    return run;
  }

  /** The edits of the steps named, else of all that the person has not left out. */
  private chosen(run: Run, steps: readonly number[] | undefined): RunPart {
    if (steps !== undefined) return run.partOf(new Set(steps), hunksLeftOut(run.report.steps));
    return run.report.steps.some(({ status, leftOut }) => status === 'rejected' || leftOut !== undefined)
      ? partLeftIn(run)
      : { steps: new Set(run.report.steps.map(({ id }) => id)), edits: run.edits };
  }
}

const isAmong = (place: PlaceOfBlock, places: readonly PlaceOfBlock[]): boolean =>
  places.some(({ file, block }) => file === place.file && block === place.block);

/** What the oracle found nothing new in is not only written. */
function statusWhenWritten({ oracle }: PropagateReport): StepStatus {
  return oracle !== null && oracle.after !== null && oracle.new.length === 0 ? 'verified' : 'applied';
}
