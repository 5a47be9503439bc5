/**
 * One of the two versions of a file that are compared, and a block in it.
 */
import { languageById } from '../languages/registry.js';
import type { Summary } from '../syntax/summary.js';
import { spelled } from './written-union.js';

/**
 * What whoever makes an edit says of the version before it, and what would have to be guessed else. Keys are offsets of
 * names.
 */
export interface Told {
  /** New names of blocks. */
  readonly blocks: ReadonlyMap<number, string>;
  /** New names of parameters. */
  readonly parameters: ReadonlyMap<number, string>;
  /** Files that blocks are in now, and those inside them with them. */
  readonly moves: ReadonlyMap<number, string>;
}

export const NOTHING_TOLD: Told = { blocks: new Map(), parameters: new Map(), moves: new Map() };

export interface Version {
  readonly summary: Summary;
  readonly text: string;
  /** Of the version before: names that the same edit gave to others. Text that differs in them alone says the same. */
  readonly renames?: ReadonlyMap<string, string>;
  /** Of the version before. */
  readonly told?: Told;
}

export interface FileVersion extends Version {
  readonly file: string;
}

/** A block as it is in one version; `decl` is its row. */
export interface BlockVersion {
  readonly version: FileVersion;
  readonly decl: number;
}

/** A piece of the version's text, with the names as they are after the edit. */
export function inNewWords({ renames }: Version, text: string): string {
  return renames === undefined || renames.size === 0
    ? text
    : text.replace(/[\p{L}_$][\p{L}\p{N}_$]*/gu, (word) => renames.get(word) ?? word);
}

/** Whether a piece of the version's text says what another says after the edit. */
export const saysSame = (before: Version, from: string, to: string): boolean =>
  from === to || inNewWords(before, from) === to;

/** The same of a type, which the language may write in several ways. */
export function saysSameType(before: Version, from: string, after: Version, to: string): boolean {
  const { typeNames } = languageById(before.summary.language).writing;
  if (saysSame(before, from, to)) return true;
  if (typeNames === undefined || from === '' || to === '') return false;
  return spelled(inNewWords(before, from), before.summary, typeNames) === spelled(to, after.summary, typeNames);
}
