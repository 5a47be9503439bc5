/**
 * The edit that a refactoring begins with, as a value: what a person would have typed at the
 * definition, and nothing of what follows from it, which the plan finds out.
 *
 * Everything here is text and rows in, text out. What stands in the way is thrown as `Refused`.
 */
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import type { Told } from '../change/version.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { Summary } from '../syntax/summary.js';

/** A tree to refactor. */
export interface Texts {
  readonly resolver: Resolver;
  /** Text of a file of the tree. */
  text(file: string): string | undefined;
}

export interface Sources extends Texts {
  /** Summary of another text of a file. */
  summarise(file: string, text: string): Summary | undefined;
}

export interface Seed {
  /** New texts by path; undefined: the file goes. */
  readonly texts: ReadonlyMap<string, string | undefined>;
  /** Files that have another path afterwards, old to new; the new one is among `texts`, the old one need not be. */
  readonly renames: ReadonlyMap<string, string>;
  /** What is asked for, in words that complete "to …". */
  readonly title: string;
  /** The blocks that the seed is about, as they are called afterwards. */
  readonly subjects: readonly Subject[];
  /** What of the edit would have to be guessed from the texts, by file before it. */
  readonly told?: ReadonlyMap<string, Told>;
  /** Whether nothing outside of the seed can follow. */
  readonly isClosed?: true;
  /** What the person should know, and cannot be told from the repository. */
  readonly notes?: readonly string[];
  /** Values for new parameters that the seed knows itself, by name: a default where the language has none. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A definition that a seed renames or moves, for what goes by its name. */
export interface Subject {
  readonly before: DeclRef;
  readonly name: string;
  /** Its new name, where it gets one. */
  readonly newName?: string;
}

/** A refactoring that cannot be made: the message says what is in the way. */
export class Refused extends Error {
  constructor(
    message: string,
    /** Files that it is about. */
    readonly files: readonly string[] = [],
    /** What could be meant instead, each as it can be asked for. */
    readonly candidates: readonly string[] = [],
  ) {
    super(message);
    this.name = 'Refused';
  }
}

export function textOf(sources: Texts, file: string): string {
  const text = sources.text(file);
  if (text === undefined) throw new Refused(`${file} cannot be read`, [file]);
  return text;
}

/** Texts after edits, file by file. Throws RangeError where two edits of a file overlap. */
export function editedTexts(
  sources: Sources,
  edits: ReadonlyMap<string, readonly TextEdit[]>,
): Map<string, string | undefined> {
  return new Map([...edits].map(([file, list]) => [file, applyEdits(textOf(sources, file), list)]));
}

/** Edits by file, gathered. */
export class Edits {
  readonly byFile = new Map<string, TextEdit[]>();

  add(file: string, ...edits: readonly TextEdit[]): void {
    const list = this.byFile.get(file);
    if (list === undefined) this.byFile.set(file, [...edits]);
    else
      list.push(...edits.filter((edit) => !list.some((other) => other.start === edit.start && other.end === edit.end)));
  }
}

export const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
