/**
 * The runs of one root's journal as they lie on the disk.
 *
 *     <journal>/
 *       lock
 *       <sequence>.<run>/record.json    see journal-record.ts
 *       <sequence>.<run>/<sha-256>      contents from before the run
 *       .damaged/…                      runs that do not add up, kept for the person
 *       new.<random>, old.<random>      a run that is being made, or has been forgotten
 *
 * A run's folder appears with everything in it and vanishes as a whole, both by a rename. A run
 * that does not add up is set aside and hinders no other. What is given back was checked.
 */
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isSystemError, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder } from '../disk/folders.js';
import { folderName, readFolderName, readRecord, writeRecord, type RunRecord } from './journal-record.js';
import { digestOf } from '../disk/tree.js';
import { syncFolder, writeAtomically, writeNewFile } from '../disk/write-atomically.js';

export interface DamagedRun {
  readonly run: string;
  readonly sequence: number;
  readonly problem: string;
  /** Where it lies now. */
  readonly folder: string;
}

export interface KnownRuns {
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  readonly damaged: readonly DamagedRun[];
}

type Found =
  | { readonly kind: 'run'; readonly record: RunRecord }
  | { readonly kind: 'damaged'; readonly damage: DamagedRun; readonly setAside: boolean };

const RECORD = 'record.json';
const DAMAGED = '.damaged';
const PROBLEM = 'problem.txt';
const UNFINISHED = /^(?:new|old)\.[0-9a-f]+$/u;
const PRIVATE_FILE = { mode: 0o600, durable: true } as const;

export class JournalStore {
  constructor(
    private readonly fs: FileSystem,
    readonly folder: string,
  ) {}

  /** Makes the journal's folder, if need be so that it outlives a power failure. */
  open(): void {
    const made = makePrivateFolder(this.folder, this.fs);
    if (made === undefined) return;
    for (let path = this.folder; path !== dirname(made); path = dirname(path)) syncFolder(this.fs, dirname(path));
  }

  read(): KnownRuns {
    const found = this.found();
    return {
      runs: found.flatMap((each) => (each.kind === 'run' ? [each.record] : [])).sort(newestFirst),
      damaged: [...found.flatMap((each) => (each.kind === 'damaged' ? [each.damage] : [])), ...this.setAsideBefore()],
    };
  }

  /** Only under the lock: removes what killed processes left in the journal, and sets damaged runs aside. */
  tidy(): void {
    for (const name of this.fs.readdirSync(this.folder))
      if (UNFINISHED.test(name)) this.removeQuietly(join(this.folder, name));
    for (const each of this.found()) if (each.kind === 'damaged' && each.setAside) this.setAside(each.damage);
  }

  /** Puts a run on the disk before anything of the tree is written. `contents`: those from before. */
  add(record: RunRecord, contents: readonly Buffer[]): void {
    const unfinished = join(this.folder, `new.${randomBytes(8).toString('hex')}`);
    try {
      this.fs.mkdirSync(unfinished, { mode: 0o700 });
      for (const [digest, bytes] of new Map(contents.map((content) => [digestOf(content), content])))
        writeNewFile(this.fs, join(unfinished, digest), bytes, { ...PRIVATE_FILE, owner: undefined });
      writeNewFile(this.fs, join(unfinished, RECORD), writeRecord(record), { ...PRIVATE_FILE, owner: undefined });
      syncFolder(this.fs, unfinished);
      this.fs.renameSync(unfinished, this.place(record));
      syncFolder(this.fs, this.folder);
    } catch (error) {
      this.removeQuietly(unfinished);
      // Under its name already, if only the wait for the disk failed.
      this.forget(record);
      throw error;
    }
  }

  save(record: RunRecord): void {
    writeAtomically(this.fs, join(this.place(record), RECORD), writeRecord(record), PRIVATE_FILE);
  }

  /** A run that cannot be forgotten now stays as it is, which hinders nothing. */
  forget(record: RunRecord): void {
    const forgotten = join(this.folder, `old.${randomBytes(8).toString('hex')}`);
    try {
      this.fs.renameSync(this.place(record), forgotten);
    } catch (error) {
      if (isSystemError(error)) return;
      throw error;
    }
    this.removeQuietly(forgotten);
  }

  /** A content from before the run; undefined when it is missing or is not what it was. */
  content(record: RunRecord, digest: string): Buffer | undefined {
    let bytes: Buffer;
    try {
      bytes = this.fs.readFileSync(join(this.place(record), digest));
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'EISDIR')) return undefined;
      throw error;
    }
    return digestOf(bytes) === digest ? bytes : undefined;
  }

  /** Gives where the run lies now. */
  putAside(record: RunRecord, problem: string): string {
    const { run, sequence } = record;
    return this.setAside({ run, sequence, problem, folder: this.place(record) });
  }

  private found(): readonly Found[] {
    let names: readonly string[];
    try {
      names = this.fs.readdirSync(this.folder);
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return [];
      throw error;
    }
    return names.flatMap((name) => this.runIn(name) ?? []);
  }

  private runIn(name: string): Found | undefined {
    const named = readFolderName(name);
    const folder = join(this.folder, name);
    if (named === undefined || this.fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
      return undefined;
    const damaged = (problem: string, setAside: boolean): Found => ({
      kind: 'damaged',
      damage: { ...named, problem, folder },
      setAside,
    });
    let text: string;
    try {
      text = this.fs.readFileSync(join(folder, RECORD), 'utf8');
    } catch (error) {
      if (!isSystemError(error)) throw error;
      // Another process may have forgotten the run just now.
      if (this.fs.lstatSync(folder, { throwIfNoEntry: false }) === undefined) return undefined;
      return error.code === 'ENOENT'
        ? damaged('it has no record', true)
        : damaged(`its record cannot be read: ${error.message}`, false);
    }
    const read = readRecord(text, name, temporaryName);
    return read.ok ? { kind: 'run', record: read.record } : damaged(read.problem, !read.foreign);
  }

  private setAsideBefore(): readonly DamagedRun[] {
    let names: readonly string[];
    try {
      names = this.fs.readdirSync(join(this.folder, DAMAGED));
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
      throw error;
    }
    return names.flatMap((name) => {
      const named = readFolderName(name);
      const folder = join(this.folder, DAMAGED, name);
      return named === undefined ? [] : [{ ...named, folder, problem: this.problemIn(folder) }];
    });
  }

  private problemIn(folder: string): string {
    try {
      return this.fs.readFileSync(join(folder, PROBLEM), 'utf8').trim();
    } catch (error) {
      if (isSystemError(error)) return 'it was damaged';
      throw error;
    }
  }

  /** Gives where it lies now: where it lay, if it cannot be moved. */
  private setAside({ problem, folder }: DamagedRun): string {
    const aside = join(this.folder, DAMAGED, folder.slice(this.folder.length + 1));
    try {
      writeAtomically(this.fs, join(folder, PROBLEM), `${problem}\n`, PRIVATE_FILE);
      makePrivateFolder(join(this.folder, DAMAGED), this.fs);
      this.fs.renameSync(folder, aside);
      return aside;
    } catch (error) {
      // It is named from where it lies, and hinders as little there.
      if (isSystemError(error)) return folder;
      throw error;
    }
  }

  private place({ sequence, run }: RunRecord): string {
    // Version 1 had no number.
    return join(this.folder, sequence === 0 ? run : folderName(sequence, run));
  }

  /** What stays is removed by the next process that tidies. */
  private removeQuietly(path: string): void {
    try {
      this.fs.rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }
}

/** A name in the person's tree that nobody can know before. */
export function temporaryName(): string {
  return `.codeplan-${randomBytes(12).toString('hex')}.tmp`;
}

function newestFirst(a: RunRecord, b: RunRecord): number {
  return b.sequence - a.sequence || (a.time < b.time ? 1 : -1);
}
