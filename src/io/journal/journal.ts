/**
 * Writes edits to the disk so that each run can be taken back, also after a crash.
 *
 * Every edit is a list of cells: a path, its content before and after (absent: no file). Applying
 * moves each cell from before to after, undoing moves it back, in reverse order, so that a renamed
 * file is never at neither place. Contents and record are on the disk before the first write, and
 * the record names the new files in which the next contents are prepared. All of them are written
 * before the first takes its place, so a full disk is met while the tree is as it was.
 *
 * That the disk holds what is expected is checked before anything is written and again before each
 * change. A run that was interrupted has some cells on either side; undo takes back those that
 * moved. A refusal writes nothing.
 */
import { join } from 'node:path';
import type { LogReport } from '#protocol/undo.js';
import { namesInWords } from '../../base/counted.js';
import { shownName } from '../../base/shown.js';
import type { FileEdit } from '../../engine/file-edit.js';
import { ServiceError } from '../../engine/service.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { rootKey } from '../disk/folders.js';
import type { Cell, RunRecord } from './journal-record.js';
import { JournalStore, temporaryName, type DamagedRun, type KnownRuns } from './journal-store.js';
import { plannedCells, type PlannedCell } from './planned-cells.js';
import { tryLock, type ProcessLock } from '../process/process-lock.js';
import { digestOf, folderOf, Tree } from '../disk/tree.js';

type Side = 'before' | 'after';
type ContentOf = (digest: string) => Buffer;

/** Older runs are forgotten, unless they were interrupted. */
const RUNS_MOST = 100;
/** Runs before the latest that a message names. */
const EARLIER_RUNS_TOLD = 3;
const RUN_NAME = /^[\w-]{1,64}$/u;

export class Journal {
  private readonly store: JournalStore;
  private readonly tree: Tree;

  constructor(
    stateFolder: string,
    private readonly realRoot: string,
    private readonly fs: FileSystem = realFileSystem,
  ) {
    this.store = new JournalStore(fs, join(stateFolder, rootKey(realRoot), 'journal'));
    this.tree = new Tree(fs, realRoot);
  }

  /** Writes the edits. Gives the paths that were written. Throws ServiceError: textMovedOn, write, busy, unknownRun. */
  apply(run: string, title: string, edits: readonly FileEdit[]): readonly string[] {
    if (!RUN_NAME.test(run)) throw new Error(`not a name of a run: ${run}`);
    return this.exclusively((known) => {
      if (known.runs.some((other) => other.run === run && other.state !== 'undone'))
        throw new ServiceError('unknownRun', `the run ${run} is written already; "codeplan undo ${run}" takes it back`);
      const planned = this.asWrite('nothing was written', () => plannedCells(this.tree, edits));
      const record = this.begin(run, title, planned, known);
      const contentOf = contentsOf(planned);
      const begun: Cell[] = [];
      try {
        this.carryOut(record, record.cells, 'after', contentOf, begun);
        this.asWrite('the journal cannot be kept', () => this.store.save({ ...record, state: 'applied' }));
      } catch (error) {
        this.moveBack(record, begun, contentOf);
        throw withOutcome(error, 'everything is as it was before');
      }
      const settled = known.runs.filter(({ state }) => state === 'applied' || state === 'undone');
      for (const old of settled.slice(RUNS_MOST - 1)) this.store.forget(old);
      return record.cells.map((cell) => cell.path);
    });
  }

  /**
   * Takes a run back, the newest one that stands if none is named. Throws ServiceError: unknownRun, textMovedOn, write,
   * busy.
   */
  undo(run: string | undefined): { readonly run: string; readonly files: readonly string[] } {
    return this.exclusively((known) => {
      const record = undoable(run, known);
      const moved = this.movedCells(record, known);
      this.expectContents(record, moved);
      const undoing: RunRecord = {
        ...record,
        state: 'undoing',
        cells: record.cells.map((cell) => ({ ...cell, temporary: temporaryName() })),
      };
      const back = undoing.cells.filter((cell) => moved.has(cell.path)).reverse();
      const begun: Cell[] = [];
      this.asWrite('nothing was written: the journal cannot be kept', () => this.store.save(undoing));
      try {
        this.carryOut(undoing, back, 'before', (digest) => this.contentFromBefore(record, digest), begun);
        this.asWrite('cannot remove folders', () => this.removeMadeFolders(undoing));
        this.asWrite('the journal cannot be kept', () => this.store.save({ ...undoing, state: 'undone' }));
      } catch (error) {
        throw this.stopped(record, undoing, begun, error);
      }
      return { run: record.run, files: record.cells.map(({ path }) => path).filter((path) => moved.has(path)) };
    });
  }

  log(): Pick<LogReport, 'entries' | 'damaged'> {
    const { runs, damaged } = this.store.read();
    return {
      entries: runs.map(({ run, time, title, state, cells }) => ({
        run,
        time,
        title,
        state: state === 'applied' || state === 'undone' ? state : 'interrupted',
        files: cells.map((cell) => cell.path),
      })),
      damaged: damaged.map(({ run, problem, folder }) => ({ run, problem, folder })),
    };
  }

  /** Puts contents and record on the disk. */
  private begin(run: string, title: string, planned: readonly PlannedCell[], known: KnownRuns): RunRecord {
    const numbers = [...known.runs, ...known.damaged].map(({ sequence }) => sequence);
    const folders = this.asWrite('nothing was written', () =>
      planned.flatMap(({ path, before }) => (before === null ? this.tree.missingFolders(path) : [])),
    );
    const record: RunRecord = {
      run,
      sequence: numbers.reduce((most, number) => Math.max(most, number), 0) + 1,
      title,
      time: new Date().toISOString(),
      state: 'writing',
      cells: planned.map(({ path, before, after, like }) => ({
        path,
        before: before && digestOf(before),
        after: after && digestOf(after),
        like,
        temporary: temporaryName(),
      })),
      madeFolders: [...new Set(folders)].sort((a, b) => a.length - b.length),
    };
    this.asWrite(`nothing was written: the journal in ${shownName(this.store.folder)} cannot be kept`, () =>
      this.store.add(
        record,
        planned.flatMap(({ before }) => before ?? []),
      ),
    );
    return record;
  }

  /** Moves cells to a side. `begun` gets each whose place may have changed, so that a failure can be answered. */
  private carryOut(record: RunRecord, cells: readonly Cell[], side: Side, contentOf: ContentOf, begun: Cell[]): void {
    const from = side === 'after' ? 'before' : 'after';
    const at = <T>(cell: Cell, work: () => T): T => this.asWrite(`cannot write ${shownName(cell.path)}`, work);
    for (const cell of cells) {
      const digest = cell[side];
      if (digest === null) continue;
      at(cell, () => {
        this.tree.prepare(cell.path, cell.temporary, contentOf(digest), cell.like ?? undefined);
      });
    }
    for (const cell of cells) {
      begun.push(cell);
      const isDone = at(cell, () =>
        cell[side] === null
          ? this.tree.remove(cell.path, cell[from])
          : this.tree.replace(cell.path, cell.temporary, cell[from]),
      );
      if (isDone) continue;
      begun.pop();
      throw new ServiceError('textMovedOn', `${shownName(cell.path)} changed while it was about to be written`, [
        cell.path,
      ]);
    }
    this.asWrite('cannot write', () => this.syncFolders(record, cells));
  }

  /** After a failure half way: what was written goes back. What cannot go back stays in the journal as interrupted. */
  private moveBack(record: RunRecord, begun: readonly Cell[], contentOf: ContentOf): void {
    const advice = `run "codeplan undo ${record.run}" when the disk can be written again`;
    this.asWrite(`a part of the run ${record.run} was written and could not be taken back; ${advice}`, () => {
      for (const cell of record.cells) this.tree.discard(cell.path, cell.temporary);
      const moved = begun.filter((cell) => !this.tree.holds(cell.path, cell.before)).reverse();
      this.carryOut(record, moved, 'before', contentOf, []);
      this.removeMadeFolders(record);
    });
    this.store.forget(record);
  }

  /** After a failure of an undo: if nothing moved, it is as if it had not been tried. */
  private stopped(record: RunRecord, undoing: RunRecord, begun: readonly Cell[], error: unknown): unknown {
    try {
      for (const cell of undoing.cells) this.tree.discard(cell.path, cell.temporary);
      if (begun.length === 0) this.store.save(record);
    } catch (further) {
      // The run stands as interrupted then, and is tidied when the disk can be written again.
      if (!isSystemError(further) && !(further instanceof ServiceError)) throw further;
    }
    return withOutcome(
      error,
      begun.length === 0
        ? 'nothing was taken back'
        : `a part of the run ${record.run} was taken back, "codeplan undo ${record.run}" takes back the rest`,
    );
  }

  /** Paths of a run that are not as they were before it. Throws unless all of them are as the run left them. */
  private movedCells(record: RunRecord, known: KnownRuns): ReadonlySet<string> {
    const moved = new Set<string>();
    const foreign: string[] = [];
    for (const cell of record.cells) {
      const now = this.asWrite(`cannot read ${shownName(cell.path)}`, () => this.tree.look(cell.path));
      if (now.kind === 'refused') throw new ServiceError('write', `nothing was written: ${now.reason}`, [cell.path]);
      const digest = now.kind === 'file' ? digestOf(now.bytes) : null;
      if (digest === cell.before) continue;
      moved.add(cell.path);
      if (digest !== cell.after) foreign.push(cell.path);
    }
    if (foreign.length > 0) throw movedOn(record, foreign, known);
    return moved;
  }

  /** Before a byte is given back, all of them are looked at. */
  private expectContents(record: RunRecord, moved: ReadonlySet<string>): void {
    for (const cell of record.cells) {
      const digest = cell.before;
      if (digest === null || !moved.has(cell.path)) continue;
      const content = this.asWrite('nothing was written: the journal cannot be read', () =>
        this.store.content(record, digest),
      );
      if (content !== undefined) continue;
      const folder = this.store.putAside(
        record,
        `the content of ${shownName(cell.path)} from before it is damaged or missing`,
      );
      throw new ServiceError(
        'write',
        `nothing was written: what the journal holds of ${shownName(cell.path)} from before the run ` +
          `${record.run} is damaged; the run was set aside in ${shownName(folder)}, take the file from version ` +
          'control',
        [cell.path],
      );
    }
  }

  private contentFromBefore(record: RunRecord, digest: string): Buffer {
    const content = this.store.content(record, digest);
    if (content === undefined)
      throw new ServiceError('write', `what the journal holds of the run ${record.run} was damaged meanwhile`);
    return content;
  }

  private removeMadeFolders({ madeFolders }: RunRecord): void {
    for (const folder of [...madeFolders].reverse()) this.tree.removeFolder(folder);
  }

  private syncFolders(record: RunRecord, cells: readonly Cell[]): void {
    const folders = [...cells.map((cell) => cell.path), ...record.madeFolders].map(folderOf);
    for (const folder of new Set(folders)) this.tree.sync(folder);
  }

  private exclusively<T>(work: (known: KnownRuns) => T): T {
    let lock: ProcessLock | undefined;
    try {
      this.store.open();
      lock = tryLock(join(this.store.folder, 'lock'), this.fs);
    } catch (error) {
      throw new ServiceError(
        'write',
        `nothing was written: the journal in ${shownName(this.store.folder)} cannot be kept: ` +
          (error instanceof Error ? error.message : String(error)),
      );
    }
    if (lock === undefined)
      throw new ServiceError(
        'busy',
        `another codeplan is writing to ${shownName(this.realRoot)}; try again when it is done`,
      );
    try {
      const known = this.asWrite('nothing was written: the journal cannot be read', () => {
        this.store.tidy();
        return this.store.read();
      });
      this.sweep(known);
      return work(known);
    } finally {
      lock.release();
    }
  }

  /** What killed processes prepared in the tree goes. What cannot be removed now is tried again next time. */
  private sweep({ runs }: KnownRuns): void {
    for (const record of runs) {
      if (record.state === 'applied' || record.state === 'undone') continue;
      for (const cell of record.cells) {
        try {
          this.tree.discard(cell.path, cell.temporary);
        } catch (error) {
          if (!isSystemError(error) && !(error instanceof ServiceError)) throw error;
        }
      }
    }
  }

  /** Says what was tried when the file system refuses. */
  private asWrite<T>(tried: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isSystemError(error) || error instanceof ServiceError) throw error;
      throw new ServiceError('write', `${tried}: ${error.message}`);
    }
  }
}

function contentsOf(planned: readonly PlannedCell[]): ContentOf {
  const contents = new Map(
    planned.flatMap(({ before, after }) => [before ?? [], after ?? []].flat().map((bytes) => [digestOf(bytes), bytes])),
  );
  return (digest) => {
    const content = contents.get(digest);
    if (content === undefined) throw new Error('a content that was not planned');
    return content;
  };
}

function undoable(run: string | undefined, { runs, damaged }: KnownRuns): RunRecord {
  if (run === undefined) {
    const newest = runs.find((record) => record.state !== 'undone');
    const later = damaged.find(({ sequence }) => newest === undefined || sequence > newest.sequence);
    if (later !== undefined)
      throw new ServiceError(
        'unknownRun',
        'nothing was written: ' +
          describe(later) +
          (newest === undefined ? '' : `; to take back the one before it: codeplan undo ${newest.run}`),
      );
    if (newest === undefined) throw new ServiceError('unknownRun', 'there is no run to undo');
    return newest;
  }
  const named = runs.filter((record) => record.run === run);
  const found = named.find((record) => record.state !== 'undone');
  if (found !== undefined) return found;
  if (named.length > 0) throw new ServiceError('unknownRun', `the run ${run} was undone already`);
  const broken = damaged.find((other) => other.run === run);
  throw new ServiceError(
    'unknownRun',
    broken === undefined
      ? `there is no run ${run}; ${latestInWords(runs)}`
      : `nothing was written: ${describe(broken)}`,
  );
}

/** Which runs could be meant, the newest first. */
function latestInWords(runs: readonly RunRecord[]): string {
  const [newest, ...others] = runs.filter(({ state }) => state !== 'undone').map(({ run }) => run);
  if (newest === undefined) return 'there is none to undo';
  const earlier = others.length === 0 ? '' : `, before it ${others.slice(0, EARLIER_RUNS_TOLD).join(', ')}`;
  return `the latest is ${newest}${earlier}`;
}

function describe({ run, problem, folder }: DamagedRun): string {
  return `the run ${run} cannot be taken back: ${problem}; what it holds of your files lies in ${shownName(folder)}`;
}

function withOutcome(error: unknown, outcome: string): unknown {
  return error instanceof ServiceError
    ? new ServiceError(error.kind, `${error.message}; ${outcome}`, error.files)
    : error;
}

/** Says which later run changed them, if one did. */
function movedOn(record: RunRecord, files: readonly string[], { runs }: KnownRuns): ServiceError {
  const later = runs
    .slice(0, runs.indexOf(record))
    .find(({ state, cells }) => state !== 'undone' && cells.some((cell) => files.includes(cell.path)));
  const advice =
    later === undefined ? 'put the texts back first, or edit by hand' : `undo the later run ${later.run} first`;
  return new ServiceError(
    'textMovedOn',
    `nothing was written: ${namesInWords(files)} changed since the run ${record.run}; ${advice}`,
    files,
  );
}
