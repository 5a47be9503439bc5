/**
 * What runs asked and were answered, on the disk, so that a run can be gone on with.
 *
 *     <state folder>/<root key>/runs/<run>.jsonl
 *       { "params": …, "written": … } the request, once, and new code that was written before its edits
 *       { "key": …, "answer": … }     each answer of a model, as it came
 *       { "end": true }               nothing is left to go on with
 *
 * A line is written before the answer is used, so a killed process loses no answer; a line that was
 * cut in the middle is no line. Nothing of the plan itself is kept: it follows from the tree and
 * the answers, and from a tree that changed meanwhile another plan follows, with the answers to
 * those questions that are still the same.
 */
import { constants } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { propagateParams, type PropagateParams } from '#protocol/propagate.js';
import { shownName } from '../../base/shown.js';
import type { RunNote, RunNotes, WrittenFile } from '../../engine/effects.js';
import { ServiceError } from '../../engine/service.js';
import { isSystemError, realFileSystem, type FileSystem } from '../disk/file-system.js';
import { makePrivateFolder, rootKey } from '../disk/folders.js';

/** Older ones are forgotten. */
const RUNS_MOST = 20;
const ENDING = '.jsonl';
const RUN_NAME = /^[\w-]{1,64}$/u;

const usage = z.object({ promptTokens: z.number(), completionTokens: z.number() });
const common = { model: z.string(), usage, raw: z.string() };
const answer = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('edit'), text: z.string() }),
  z.object({ ...common, kind: z.literal('noChange') }),
]);
const written = z.object({ file: z.string(), before: z.string().nullable(), after: z.string() });
const entry = z.union([
  z.object({ params: propagateParams, written: z.array(written).optional() }),
  z.object({ key: z.string(), answer }),
  z.object({ end: z.literal(true) }),
]);

export class DiskRunNotes implements RunNotes {
  private readonly folder: string;

  constructor(
    stateFolder: string,
    realRoot: string,
    private readonly fs: FileSystem = realFileSystem,
  ) {
    this.folder = join(stateFolder, rootKey(realRoot), 'runs');
  }

  begin(run: string, params: PropagateParams, files: readonly WrittenFile[] = []): void {
    try {
      makePrivateFolder(this.folder, this.fs);
      for (const old of this.runs().slice(RUNS_MOST - 1)) this.fs.rmSync(this.place(old), { force: true });
    } catch (error) {
      throw new ServiceError(
        'write',
        `nothing was asked: the notes in ${shownName(this.folder)} cannot be kept: ` +
          `${error instanceof Error ? error.message : String(error)}; set XDG_STATE_HOME to a folder of yours`,
      );
    }
    this.write(run, { params, ...(files.length === 0 ? {} : { written: [...files] }) });
  }

  answered(run: string, key: string, given: z.infer<typeof answer>): void {
    this.write(run, { key, answer: given });
  }

  end(run: string): void {
    this.write(run, { end: true });
  }

  forget(run: string): void {
    this.fs.rmSync(this.place(run), { force: true });
  }

  read(run: string | undefined): RunNote {
    const found =
      run === undefined
        ? this.runs()
            .map((name) => this.note(name))
            .find((note) => note !== undefined && !note.ended)
        : this.note(run);
    if (found === undefined)
      throw new ServiceError(
        'unknownRun',
        run === undefined ? 'no run stopped before its end' : `there is no run ${run} to go on with`,
      );
    return found;
  }

  private note(run: string): RunNote | undefined {
    const text = RUN_NAME.test(run) ? this.text(run) : undefined;
    if (text === undefined) return undefined;
    const entries = text.split('\n').flatMap(parsed);
    const begun = entries.find((line) => 'params' in line);
    if (begun === undefined) return undefined;
    return {
      run,
      params: begun.params,
      written: begun.written ?? [],
      answers: new Map(entries.flatMap((line) => ('key' in line ? [[line.key, line.answer] as const] : []))),
      ended: entries.some((line) => 'end' in line),
    };
  }

  private text(run: string): string | undefined {
    try {
      return this.fs.readFileSync(this.place(run), 'utf8');
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Newest first. */
  private runs(): string[] {
    let names: string[];
    try {
      names = this.fs.readdirSync(this.folder);
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) return [];
      throw error;
    }
    names = names.filter((name) => name.endsWith(ENDING)).map((name) => name.slice(0, -ENDING.length));
    // Another process may forget one meanwhile.
    const timeOf = (name: string): number =>
      this.fs.statSync(this.place(name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const times = new Map(names.map((name) => [name, timeOf(name)]));
    return names.sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  }

  private place(run: string): string {
    return join(this.folder, `${run}${ENDING}`);
  }

  /** The line break before a line ends what was cut in the middle, so that no later line is lost with it. */
  private write(run: string, line: z.input<typeof entry>): void {
    const { O_WRONLY, O_APPEND, O_CREAT } = constants;
    const bytes = Buffer.from(`\n${JSON.stringify(line)}\n`, 'utf8');
    const descriptor = this.fs.openSync(this.place(run), O_WRONLY | O_APPEND | O_CREAT, 0o600);
    try {
      for (let at = 0; at < bytes.length;) at += this.fs.writeSync(descriptor, bytes, at);
    } finally {
      this.fs.closeSync(descriptor);
    }
  }
}

function parsed(line: string): z.infer<typeof entry>[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    // A line that was cut in the middle, or an empty one.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
  const known = entry.safeParse(value);
  return known.success ? [known.data] : [];
}
