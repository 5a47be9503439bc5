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
 *     files that declare a name ── of those the ones where it is a declaration's; the base's are
 *                        kept with the base, so that they outlive an edit
 */
import { nameId, type LanguageId, type Summary } from '../syntax/summary.js';

/** How many changed files are looked at one by one before the base is built again. */
const CHANGED_MOST = 128;

interface Base {
  /** Positions in `paths`, ascending. */
  readonly postings: ReadonlyMap<string, readonly number[]>;
  readonly paths: readonly string[];
  readonly files: ReadonlyMap<string, Summary>;
  /** Files that declare a name, as far as asked. */
  readonly declaring: Map<LanguageId, Map<string, readonly string[]>>;
}

export class NameIndex {
  private constructor(
    private readonly base: Base,
    /** Files that differ from the base; undefined: removed. */
    private readonly changed: ReadonlyMap<string, Summary | undefined>,
  ) {}

  private readonly declaring = new Map<LanguageId, Map<string, readonly string[]>>();

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

  /** Paths of the files of a language that declare the name, at any level; sorted. */
  filesDeclaring(language: LanguageId, name: string): readonly string[] {
    return remembered(this.declaring, language, name, () => {
      const inBase = remembered(this.base.declaring, language, name, () =>
        (this.base.postings.get(name) ?? []).map((position) => this.base.paths[position] as string).filter((path) => declares(this.base.files.get(path), language, name)),
      );
      const out = inBase.filter((path) => !this.changed.has(path));
      let added = false;
      for (const [path, summary] of this.changed) {
        if (!declares(summary, language, name)) continue;
        out.push(path);
        added = true;
      }
      return added ? out.sort() : out;
    });
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
  return { postings, paths, files, declaring: new Map() };
}

function declares(summary: Summary | undefined, language: LanguageId, name: string): boolean {
  if (summary?.language !== language) return false;
  const row = nameId(summary, name);
  return row >= 0 && (summary.declStart[row] as number) < (summary.declStart[row + 1] as number);
}

function remembered(known: Map<LanguageId, Map<string, readonly string[]>>, language: LanguageId, name: string, find: () => readonly string[]): readonly string[] {
  let names = known.get(language);
  if (names === undefined) known.set(language, (names = new Map<string, readonly string[]>()));
  let found = names.get(name);
  if (found === undefined) names.set(name, (found = find()));
  return found;
}
