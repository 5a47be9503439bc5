/**
 * What the journal says about one run, and how it is written so that damage is seen.
 *
 *     { "version": 2, "checksum": <SHA-256 of the record's JSON>, "record": { … } }
 *
 * Runs are ordered by their sequence number, which stands in the folder's name too, so that it is
 * known of a run whose record is damaged: `00000012.5f0c2a1b`. Version 1 had neither number nor
 * checksum; its runs come before all others, in the order of their times.
 */
import { createHash } from 'node:crypto';
import * as z from 'zod';

/** Of the form of a record; one of another version is left alone. */
const VERSION = 2;
const FOLDER = /^(?:(\d{8,15})\.)?([\w-]{1,64})$/u;
/** Names of runs sort as their numbers do, for a hundred million runs. */
const SEQUENCE_DIGITS = 8;

export const pathInside = z
  .string()
  .min(1)
  .refine(
    (value) => value.split('/').every((part) => part !== '' && part !== '.' && part !== '..'),
    'not a path inside the root',
  );
const digest = z.string().regex(/^[0-9a-f]{64}$/u);
const rights = z.int().min(0).max(0o7777);
const id = z.int().min(0);
const temporaryName = z.string().regex(/^\.codeplan-[0-9a-f]{24}\.tmp$/u);
const common = {
  run: z.string().regex(/^[\w-]{1,64}$/u),
  title: z.string(),
  /** When it was applied, ISO 8601. */
  time: z.iso.datetime(),
  state: z.enum(['writing', 'applied', 'undoing', 'undone']),
  /** Folders that did not exist before, outermost first. */
  madeFolders: z.array(pathInside),
};

const cell = z.strictObject({
  path: pathInside,
  /** Contents; null: there is no file. */
  before: digest.nullable(),
  after: digest.nullable(),
  /** Permissions and owner, kept through edits and deletions; null for a new file. */
  like: z.strictObject({ mode: rights, owner: z.strictObject({ uid: id, gid: id }).optional() }).nullable(),
  /** The file in which the next content is prepared beside the path; it exists only while the run is under way. */
  temporary: temporaryName,
});
const record = z.strictObject({ ...common, sequence: z.int().min(0), cells: z.array(cell) });

const firstCell = z.strictObject({
  path: pathInside,
  before: digest.nullable(),
  after: digest.nullable(),
  mode: rights.nullable(),
});
const firstRecord = z.strictObject({ ...common, cells: z.array(firstCell) });

export type Cell = z.infer<typeof cell>;
export type RunRecord = z.infer<typeof record>;

export type ReadRecord =
  | { readonly ok: true; readonly record: RunRecord }
  /** `foreign`: not damaged, but of a version that this program does not know. */
  | { readonly ok: false; readonly problem: string; readonly foreign: boolean };

export function folderName(sequence: number, run: string): string {
  return `${String(sequence).padStart(SEQUENCE_DIGITS, '0')}.${run}`;
}

/** Undefined for what is no folder of a run. Sequence 0: of version 1. */
export function readFolderName(name: string): { readonly sequence: number; readonly run: string } | undefined {
  const [, sequence, run] = FOLDER.exec(name) ?? [];
  return run === undefined ? undefined : { sequence: Number(sequence ?? 0), run };
}

export function writeRecord(value: RunRecord): string {
  return JSON.stringify({ version: VERSION, checksum: checksumOf(value), record: value });
}

/** `folder`: the name of the folder it lies in, which it has to belong to. */
export function readRecord(text: string, folder: string, freshName: () => string): ReadRecord {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return damaged('its record is no JSON');
    throw error;
  }
  const named = readFolderName(folder);
  const read = isObject(value) && 'version' in value ? readCurrent(value) : readFirst(value, freshName);
  if (!read.ok) return read;
  return read.record.run === named?.run && read.record.sequence === named.sequence
    ? read
    : damaged('its record is that of another run');
}

function readCurrent(value: object): ReadRecord {
  const { version, checksum, record: inner } = value as Readonly<Record<string, unknown>>;
  if (typeof version === 'number' && version > VERSION)
    return { ok: false, problem: `it was written by a later version of codeplan (journal ${version})`, foreign: true };
  if (version !== VERSION) return damaged('its record has no version');
  if (inner === undefined || checksumOf(inner) !== checksum) return damaged('its record does not match its checksum');
  const known = record.safeParse(inner);
  return known.success ? { ok: true, record: known.data } : damaged(`its record is not valid: ${said(known.error)}`);
}

function readFirst(value: unknown, freshName: () => string): ReadRecord {
  const known = firstRecord.safeParse(value);
  if (!known.success) return damaged(`its record is not valid: ${said(known.error)}`);
  const { cells, ...rest } = known.data;
  return {
    ok: true,
    record: {
      ...rest,
      sequence: 0,
      cells: cells.map(({ mode, ...cell }) => ({
        ...cell,
        like: mode === null ? null : { mode },
        temporary: freshName(),
      })),
    },
  };
}

/** SHA-256 of a record's JSON. */
export function checksumOf(value: unknown): string {
  return checksumOfText(JSON.stringify(value));
}

/** The same of the JSON itself. */
export function checksumOfText(json: string): string {
  return createHash('sha256').update(json).digest('hex');
}

function damaged(problem: string): ReadRecord {
  return { ok: false, problem, foreign: false };
}

function said(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? error.message : `${issue.path.join('.') || 'the whole'}: ${issue.message}`;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
