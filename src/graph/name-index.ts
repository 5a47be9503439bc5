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
import { nameId, type LanguageId, type Summary } from '../syntax/summary.js';

/** How many changed files are looked at one by one before the base is built again. */
const CHANGED_MOST = 128;

/** Files by name, as positions in `paths`, ascending. */
type Postings = ReadonlyMap<string, readonly number[]>;

interface Base {
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
    return this.found(this.base.mentioned, name, () => true, (summary) => nameId(summary, name) >= 0);
  }

  /** Paths of the files of a language that declare the name, at any level; sorted. */
  filesDeclaring(language: LanguageId, name: string): readonly string[] {
    return this.found(this.base.declared, name, (position) => this.base.languages[position] === language, (summary) => summary.language === language && declares(summary, nameId(summary, name)));
  }

  private found(postings: Postings, name: string, counts: (position: number) => boolean, countsNow: (summary: Summary) => boolean): readonly string[] {
    const out: string[] = [];
    for (const position of postings.get(name) ?? []) {
      const path = this.base.paths[position] as string;
      if (counts(position) && !this.changed.has(path)) out.push(path);
    }
    let added = false;
    for (const [path, summary] of this.changed) {
      if (summary === undefined || !countsNow(summary)) continue;
      out.push(path);
      added = true;
    }
    return added ? out.sort() : out;
  }

  /** Number of distinct names in the base. */
  get size(): number {
    return this.base.mentioned.size;
  }
}

function buildBase(files: ReadonlyMap<string, Summary>): Base {
  const mentioned = new Map<string, number[]>();
  const declared = new Map<string, number[]>();
  const paths = [...files.keys()].sort();
  const languages = paths.map((path) => (files.get(path) as Summary).language);
  paths.forEach((path, position) => {
    const summary = files.get(path) as Summary;
    for (let i = 1; i < summary.names.length; i++) {
      const name = summary.names[i] as string;
      post(mentioned, name, position);
      if (declares(summary, i)) post(declared, name, position);
    }
  });
  return { mentioned, declared, paths, languages };
}

function post(postings: Map<string, number[]>, name: string, position: number): void {
  const known = postings.get(name);
  if (known === undefined) postings.set(name, [position]);
  else known.push(position);
}

/** `row`: of the name, -1 if the file does not say it. */
export const declares = (summary: Summary, row: number): boolean => row >= 0 && (summary.declStart[row] as number) < (summary.declStart[row + 1] as number);
