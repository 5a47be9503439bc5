/**
 * One of the two versions of a file that are compared, and a block in it.
 */
import type { Summary } from '../syntax/summary.js';

export interface Version {
  readonly summary: Summary;
  readonly text: string;
  /** Of the version before: names that the same edit gave to others. Text that differs in them alone says the same. */
  readonly renames?: ReadonlyMap<string, string>;
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
