/**
 * Which files mention a name: the inverted index that makes "who refers to this?" cost a few
 * files instead of the repository.
 *
 * A base, built over all files at some time, is shared by every later snapshot; files that
 * changed since are looked at directly, which costs a binary search each. When those become
 * many, a new base is built. An index is immutable.
 *
 *     names of a file ── summary.names (identifiers and dotted-path strings it says)
 *     files of a name ── base postings, less changed files, plus changed files that say it
 *     files that declare a name ── the same with postings of declared names alone: there are few
 */
import { type LanguageId, type Summary } from '../../syntax/summary.js';

/** How many changed files are looked at one by one before the base is built again. */
const CHANGED_MOST = 128;

/** Files of each name, as positions in `paths`, ascending: `files[start[n] .. start[n + 1])` are those of name `n`. */
interface Postings {
  readonly start: Uint32Array;
  readonly files: Uint32Array;
}

interface Base {
  /** Number of each name. */
  readonly names: ReadonlyMap<string, number>;
  readonly mentioned: Postings;
  readonly declared: Postings;
  readonly paths: readonly string[];
  readonly languages: readonly LanguageId[];
}

export class NameIndex {
  private constructor(
    private readonly base: Base,
    /** Files that differ from the base; undefined: removed. */
    private readonly changed: ReadonlyMap<string, Summary | undefined>,
  ) {}

  static of(files: ReadonlyMap<string, Summary>): NameIndex {
    return new NameIndex(buildBase(files), new Map());
  }

  /** The index after some files changed; `files` is the state with the changes. */
  with(changes: ReadonlyMap<string, Summary | undefined>, files: ReadonlyMap<string, Summary>): NameIndex {
    const changed = new Map([...this.changed, ...changes]);
    if (changed.size > CHANGED_MOST) return NameIndex.of(files);
    return new NameIndex(this.base, changed);
  }

  /** Files that may differ from those of the other index; undefined: any may. */
  differingFrom(other: NameIndex): Iterable<string> | undefined {
    return this.base === other.base ? new Set([...this.changed.keys(), ...other.changed.keys()]) : undefined;
  }

  /** Paths of the files that mention the name, sorted. */
  filesWith(name: string): readonly string[] {
    return this.found(
      this.base.mentioned,
      name,
      () => true,
      (summary) => summary.idOf(name) >= 0,
    );
  }

  /** Paths of the files of a language that declare the name, at any level; sorted. */
  filesDeclaring(language: LanguageId, name: string): readonly string[] {
    return this.found(
      this.base.declared,
      name,
      (position) => this.base.languages[position] === language,
      (summary) => summary.language === language && declares(summary, summary.idOf(name)),
    );
  }

  private found(
    postings: Postings,
    name: string,
    counts: (position: number) => boolean,
    countsNow: (summary: Summary) => boolean,
  ): readonly string[] {
    const out: string[] = [];
    const known = this.base.names.get(name);
    const from = known === undefined ? 0 : (postings.start[known] as number);
    const to = known === undefined ? 0 : (postings.start[known + 1] as number);
    for (let i = from; i < to; i++) {
      const position = postings.files[i] as number;
      const path = this.base.paths[position] as string;
      if (counts(position) && !this.changed.has(path)) out.push(path);
    }
    for (const [path, summary] of this.changed)
      if (summary !== undefined && countsNow(summary)) out.splice(placeIn(out, path), 0, path);
    return out;
  }

  /** Number of distinct names in the base. */
  get size(): number {
    return this.base.names.size;
  }
}

/** Where a path belongs in a sorted list. */
function placeIn(paths: readonly string[], path: string): number {
  let low = 0;
  let high = paths.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((paths[middle] as string) < path) low = middle + 1;
    else high = middle;
  }
  return low;
}

function buildBase(files: ReadonlyMap<string, Summary>): Base {
  const names = new Map<string, number>();
  const paths = [...files.keys()].sort();
  const summaries = paths.map((path) => files.get(path) as Summary);
  /** For each file the number of each of its names. */
  const numbers = summaries.map((summary) => {
    const own = new Uint32Array(summary.names.length);
    for (let row = 1; row < own.length; row++) {
      const name = summary.names[row] as string;
      let number = names.get(name);
      if (number === undefined) names.set(name, (number = names.size));
      own[row] = number;
    }
    return own;
  });
  const languages = summaries.map((summary) => summary.language);
  return {
    names,
    paths,
    languages,
    mentioned: postingsOf(summaries, numbers, names.size, () => true),
    declared: postingsOf(summaries, numbers, names.size, declares),
  };
}

function postingsOf(
  summaries: readonly Summary[],
  numbers: readonly Uint32Array[],
  names: number,
  counts: (summary: Summary, row: number) => boolean,
): Postings {
  const start = new Uint32Array(names + 1);
  const each = (take: (number: number, position: number) => void): void => {
    summaries.forEach((summary, position) => {
      const own = numbers[position] as Uint32Array;
      for (let row = 1; row < own.length; row++) if (counts(summary, row)) take(own[row] as number, position);
    });
  };
  each((number) => (start[number + 1] = (start[number + 1] as number) + 1));
  for (let number = 0; number < names; number++)
    start[number + 1] = (start[number + 1] as number) + (start[number] as number);
  const files = new Uint32Array(start[names] as number);
  const next = start.slice();
  each((number, position) => {
    const at = next[number] as number;
    files[at] = position;
    next[number] = at + 1;
  });
  return { start, files };
}

/** `row`: of the name, -1 if the file does not say it. */
export const declares = (summary: Summary, row: number): boolean => summary.decls.declares(row);
