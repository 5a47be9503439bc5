/**
 * Writes edits to the disk so that each run can be taken back, also after a crash.
 *
 *     <state folder>/<root key>/journal/
 *       lock
 *       <run>/record.json    state, and for each path what it was and what it becomes
 *       <run>/<sha-256>      contents that the record names
 *
 * Every edit is a list of cells: a path, its content before and after (absent: no file). Applying
 * moves each cell from before to after, undoing moves it back; both check that the content on the
 * disk is the expected one, byte for byte, before anything is written and again before each
 * write. Contents and record are on the disk before the first write. A run that was interrupted
 * has some cells on either side; undo takes back those that moved. A refusal writes nothing.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { LogEntry } from '#protocol/undo.js';
import type { FileEdit } from '../engine/file-edit.js';
import { ServiceError } from '../engine/service.js';
import { makePrivateFolder, rootKey } from './folders.js';
import { tryLock, type ProcessLock } from './process-lock.js';
import { decodeSource, encodeSource } from './source-text.js';
import { syncFolder, writeAtomically } from './write-atomically.js';

/** Contents by digest; null: there is no file. */
interface Cell {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** Permissions, kept through edits and deletions; null for a new file. */
  readonly mode: number | null;
}
type RunState = 'writing' | 'applied' | 'undoing' | 'undone';
interface RunRecord {
  readonly run: string;
  readonly title: string;
  /** When it was applied, ISO 8601. */
  readonly time: string;
  readonly state: RunState;
  readonly cells: readonly Cell[];
  /** Folders that did not exist before, outermost first. */
  readonly madeFolders: readonly string[];
}

interface PlannedCell {
  readonly path: string;
  readonly before: Buffer | null;
  readonly after: Buffer | null;
  readonly mode: number | null;
}

/** Older runs are forgotten, unless they were interrupted. */
const RUNS_MOST = 100;
const RUN_NAME = /^[\w-]{1,64}$/u;
const RECORD = 'record.json';

export class Journal {
  private readonly folder: string;

  constructor(
    stateFolder: string,
    private readonly realRoot: string,
  ) {
    this.folder = join(stateFolder, rootKey(realRoot), 'journal');
  }

  /** Writes the edits. Gives the paths that were written. Throws ServiceError: textMovedOn, write, busy. */
  apply(run: string, title: string, edits: readonly FileEdit[]): readonly string[] {
    if (!RUN_NAME.test(run)) throw new Error(`not a name of a run: ${run}`);
    return this.exclusively(() => {
      const cells = this.plan(edits);
      const record = this.record(run, title, cells);
      try {
        this.moveAll(record, 'after');
      } catch (error) {
        this.moveBack(record);
        throw error;
      }
      this.save({ ...record, state: 'applied' });
      this.prune();
      return record.cells.map((cell) => cell.path);
    });
  }

  /** Takes a run back, the newest one that stands if none is named. Throws ServiceError: unknownRun, textMovedOn, write, busy. */
  undo(run: string | undefined): { readonly run: string; readonly files: readonly string[] } {
    return this.exclusively(() => {
      const record = this.undoable(run);
      const moved = record.cells.filter((cell) => !this.stands(cell, 'before', record));
      const foreign = moved.filter((cell) => !this.stands(cell, 'after', record));
      if (foreign.length > 0)
        throw this.movedOn(
          record,
          foreign.map((cell) => cell.path),
        );
      this.save({ ...record, state: 'undoing' });
      this.moveAll({ ...record, cells: moved }, 'before');
      for (const cell of record.cells) rmSync(temporaryBeside(this.place(cell.path)), { force: true });
      this.removeMadeFolders(record);
      this.save({ ...record, state: 'undone' });
      return { run: record.run, files: moved.map((cell) => cell.path) };
    });
  }

  /** Newest first. */
  entries(): readonly LogEntry[] {
    return this.records().map(({ run, time, title, state, cells }) => ({
      run,
      time,
      title,
      state: state === 'applied' || state === 'undone' ? state : 'interrupted',
      files: cells.map((cell) => cell.path),
    }));
  }

  /** Turns edits into cells and checks that the disk is what they were computed from. */
  private plan(edits: readonly FileEdit[]): PlannedCell[] {
    const movedOn: string[] = [];
    const cells: PlannedCell[] = [];
    for (const edit of edits) {
      if (edit.kind === 'create') {
        if (existsSync(this.place(edit.file))) movedOn.push(edit.file);
        cells.push({ path: edit.file, before: null, after: encodeSource(edit.after, false), mode: null });
        continue;
      }
      const before = this.content(edit.file);
      const source = before === null ? undefined : decodeSource(before);
      if (before === null || source?.ok !== true || source.text !== edit.before) {
        movedOn.push(edit.file);
        continue;
      }
      const mode = statSync(this.place(edit.file)).mode & 0o7777;
      const after = edit.kind === 'delete' ? null : encodeSource(edit.after, source.byteOrderMark);
      if (edit.kind !== 'rename') cells.push({ path: edit.file, before, after, mode });
      else {
        if (existsSync(this.place(edit.to))) movedOn.push(edit.to);
        cells.push({ path: edit.file, before, after: null, mode }, { path: edit.to, before: null, after, mode });
      }
    }
    if (movedOn.length > 0)
      throw new ServiceError(
        'textMovedOn',
        `nothing was written: ${list(movedOn)} changed since the edits were computed; compute them again`,
        movedOn,
      );
    if (new Set(cells.map((cell) => cell.path)).size !== cells.length)
      throw new Error('two edits of one file in one run');
    // Removals come last, so that a renamed file is never on neither side.
    return [...cells.filter((cell) => cell.after !== null), ...cells.filter((cell) => cell.after === null)];
  }

  /** Puts contents and record on the disk. */
  private record(run: string, title: string, cells: readonly PlannedCell[]): RunRecord {
    const folder = join(this.folder, run);
    if (existsSync(folder)) throw new Error(`the run ${run} is recorded already`);
    try {
      mkdirSync(folder, { mode: 0o700 });
      const store = (bytes: Buffer | null): string | null => {
        if (bytes === null) return null;
        const name = createHash('sha256').update(bytes).digest('hex');
        if (!existsSync(join(folder, name))) writeAtomically(join(folder, name), bytes, { mode: 0o600, durable: true });
        return name;
      };
      const stored = cells.map((cell): Cell => ({
        path: cell.path,
        before: store(cell.before),
        after: store(cell.after),
        mode: cell.mode,
      }));
      const record: RunRecord = {
        run,
        title,
        time: new Date().toISOString(),
        state: 'writing',
        cells: stored,
        madeFolders: this.missingFolders(cells),
      };
      this.save(record);
      syncFolder(this.folder);
      return record;
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw writeError(`nothing was written: the journal in ${folder} cannot be kept`, error);
    }
  }

  private moveAll(record: RunRecord, side: 'before' | 'after'): void {
    for (const cell of record.cells) {
      const from = side === 'after' ? 'before' : 'after';
      if (!this.stands(cell, from, record)) throw this.movedOn(record, [cell.path]);
      try {
        this.put(cell, side, record);
      } catch (error) {
        throw writeError(`cannot write ${cell.path}`, error);
      }
    }
  }

  /** After a failure half way: what was written goes back. What cannot go back stays in the journal as interrupted. */
  private moveBack(record: RunRecord): void {
    try {
      for (const cell of record.cells)
        if (this.stands(cell, 'after', record) && !this.stands(cell, 'before', record))
          this.put(cell, 'before', record);
      this.removeMadeFolders(record);
    } catch (error) {
      throw writeError(
        `a part of the run ${record.run} was written and could not be taken back; run "codeplan undo ${record.run}" when the disk can be written again`,
        error,
      );
    }
    rmSync(join(this.folder, record.run), { recursive: true, force: true });
  }

  private put(cell: Cell, side: 'before' | 'after', record: RunRecord): void {
    const place = this.place(cell.path);
    const digest = cell[side];
    if (digest === null) {
      unlinkSync(place);
      syncFolder(dirname(place));
      return;
    }
    mkdirSync(dirname(place), { recursive: true });
    writeAtomically(place, readFileSync(join(this.folder, record.run, digest)), {
      mode: cell.mode ?? undefined,
      durable: true,
      temporary: temporaryBeside(place),
    });
  }

  /** Whether the disk has exactly the content of this side. */
  private stands(cell: Cell, side: 'before' | 'after', record: RunRecord): boolean {
    const digest = cell[side];
    const now = this.content(cell.path);
    if (digest === null || now === null) return digest === null && now === null;
    return now.equals(readFileSync(join(this.folder, record.run, digest)));
  }

  private content(path: string): Buffer | null {
    const place = this.place(path);
    try {
      return statSync(place, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(place) : null;
    } catch (error) {
      throw writeError(`cannot read ${path}`, error);
    }
  }

  /** Where a path lies: the target of a link, and never outside of the root. */
  private place(path: string): string {
    const full = join(this.realRoot, path);
    let existing = full;
    while (lstatSync(existing, { throwIfNoEntry: false }) === undefined) existing = dirname(existing);
    let real: string;
    try {
      real = join(realpathSync(existing), relative(existing, full));
    } catch (error) {
      throw writeError(`nothing was written: ${path} is a link that leads nowhere`, error);
    }
    const inside = relative(this.realRoot, real);
    if (inside === '' || inside === '..' || inside.startsWith(`..${sep}`))
      throw new ServiceError('write', `${path} lies outside of ${this.realRoot} and is not written`, [path]);
    return real;
  }

  private missingFolders(cells: readonly PlannedCell[]): string[] {
    const missing = new Set<string>();
    for (const cell of cells) {
      for (
        let folder = dirname(cell.path);
        folder !== '.' && !existsSync(join(this.realRoot, folder));
        folder = dirname(folder)
      )
        missing.add(folder);
    }
    return [...missing].sort((a, b) => a.length - b.length);
  }

  private removeMadeFolders(record: RunRecord): void {
    for (const folder of [...record.madeFolders].reverse()) {
      const full = join(this.realRoot, folder);
      if (existsSync(full) && readdirSync(full).length === 0) rmdirSync(full);
    }
  }

  private undoable(run: string | undefined): RunRecord {
    const records = this.records();
    const found =
      run === undefined
        ? records.find((record) => record.state !== 'undone')
        : records.find((record) => record.run === run);
    if (found === undefined)
      throw new ServiceError(
        'unknownRun',
        run === undefined
          ? 'there is no run to undo; "codeplan log" lists them'
          : `there is no run ${run}; "codeplan log" lists them`,
      );
    if (found.state === 'undone') throw new ServiceError('unknownRun', `the run ${found.run} was undone already`);
    return found;
  }

  private movedOn(record: RunRecord, files: readonly string[]): ServiceError {
    const later = this.records().find(
      (other) =>
        other.time > record.time && other.state !== 'undone' && other.cells.some((cell) => files.includes(cell.path)),
    );
    const advice =
      later === undefined ? 'put the texts back first, or edit by hand' : `undo the later run ${later.run} first`;
    return new ServiceError(
      'textMovedOn',
      `nothing was written: ${list(files)} changed since the run ${record.run}; ${advice}`,
      files,
    );
  }

  /** Newest first. */
  private records(): RunRecord[] {
    if (!existsSync(this.folder)) return [];
    const records: RunRecord[] = [];
    for (const entry of readdirSync(this.folder, { withFileTypes: true })) {
      const path = join(this.folder, entry.name, RECORD);
      // A folder without a record was interrupted before anything of the repository was written.
      if (entry.isDirectory() && existsSync(path)) records.push(JSON.parse(readFileSync(path, 'utf8')) as RunRecord);
    }
    return records.sort((a, b) => (a.time < b.time ? 1 : -1));
  }

  private save(record: RunRecord): void {
    writeAtomically(join(this.folder, record.run, RECORD), JSON.stringify(record), { mode: 0o600, durable: true });
  }

  private prune(): void {
    const settled = this.records().filter((record) => record.state === 'applied' || record.state === 'undone');
    for (const record of settled.slice(RUNS_MOST))
      rmSync(join(this.folder, record.run), { recursive: true, force: true });
  }

  private exclusively<T>(work: () => T): T {
    let lock: ProcessLock | undefined;
    try {
      makePrivateFolder(this.folder);
      lock = tryLock(join(this.folder, 'lock'));
    } catch (error) {
      throw new ServiceError(
        'write',
        `nothing was written: the journal in ${this.folder} cannot be kept: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
    if (lock === undefined)
      throw new ServiceError('busy', `another codeplan is writing to ${this.realRoot}; try again when it is done`);
    try {
      return work();
    } finally {
      lock.release();
    }
  }
}

/** Always the same name, so that an undo finds what a killed process left behind; the lock keeps others away from it. */
function temporaryBeside(place: string): string {
  return `${place}.codeplan.tmp`;
}

function list(files: readonly string[]): string {
  const shown = files.slice(0, 5).join(', ');
  return files.length > 5 ? `${shown} and ${files.length - 5} more` : shown;
}

function writeError(message: string, error: unknown): unknown {
  if (error instanceof ServiceError || !(error instanceof Error) || !('code' in error)) return error;
  return new ServiceError('write', `${message}: ${error.message}`);
}
