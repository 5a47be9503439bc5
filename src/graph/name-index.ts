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
 */
import { nameId, type Summary } from '../syntax/summary.js';

/** How many changed files are looked at one by one before the base is built again. */
const CHANGED_MOST = 128;

interface Base {
  /** Positions in `paths`, ascending. */
  readonly postings: ReadonlyMap<string, readonly number[]>;
  readonly paths: readonly string[];
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

  /** Paths of the files that mention the name, sorted. */
  filesWith(name: string): readonly string[] {
    const out: string[] = [];
    for (const position of this.base.postings.get(name) ?? []) {
      const path = this.base.paths[position] as string;
      if (!this.changed.has(path)) out.push(path);
    }
    let added = false;
    for (const [path, summary] of this.changed) {
      if (summary !== undefined && nameId(summary, name) >= 0) {
        out.push(path);
        added = true;
      }
    }
    return added ? out.sort() : out;
  }

  /** Number of distinct names in the base. */
  get size(): number {
    return this.base.postings.size;
  }
}

function buildBase(files: ReadonlyMap<string, Summary>): Base {
  const postings = new Map<string, number[]>();
  const paths = [...files.keys()].sort();
  paths.forEach((path, position) => {
    const names = (files.get(path) as Summary).names;
    for (let i = 1; i < names.length; i++) {
      const name = names[i] as string;
      const known = postings.get(name);
      if (known === undefined) postings.set(name, [position]);
      else known.push(position);
    }
  });
  return { postings, paths };
}
