/**
 * All files of a repository at one moment, immutable.
 *
 * A snapshot maps each path to that file's summary and knows which files mention a name; edges
 * are found on demand by `resolver.ts`, so an edit costs one file and there is no link step.
 * CodePlan's D and D' are two snapshots. A snapshot shares everything but the changed entries
 * with the one before it.
 */
import { found } from '../../base/turns.js';
import type { RepoView } from '../../languages/language.js';
import { D, type LanguageId, type Summary } from '../../syntax/summary.js';
import { NameIndex } from './name-index.js';
import { baseName, groupBy, PathFacts } from './path-facts.js';

/** Summaries that come and go; undefined removes the file. */
export type FileChanges = ReadonlyMap<string, Summary | undefined>;
/** Texts of configuration files; undefined removes the file. */
export type ConfigChanges = ReadonlyMap<string, string | undefined>;

/**
 * Which files lie where: shared by snapshots between which no file came, went, or changed its package or global
 * imports, and no configuration changed.
 */
interface Places {
  readonly paths: PathFacts;
  readonly configs: ReadonlyMap<string, string>;
  /** Files by package, sorted, as far as asked. */
  readonly packages: Map<LanguageId, ReadonlyMap<string, readonly string[]>>;
  /** What languages keep of all this. */
  readonly memos: Map<string, unknown>;
}

const placesOf = (files: ReadonlyMap<string, Summary>, configs: ReadonlyMap<string, string>): Places => ({
  paths: new PathFacts([...files.keys()]),
  configs,
  packages: new Map(),
  memos: new Map(),
});

export class Snapshot implements RepoView {
  private readonly memos = new Map<string, unknown>();
  private constructor(
    /** Grows by one with each `with`. */
    readonly number: number,
    readonly files: ReadonlyMap<string, Summary>,
    private readonly names: NameIndex,
    private readonly shared: Places,
  ) {}

  static empty(): Snapshot {
    return new Snapshot(0, new Map(), NameIndex.of(new Map()), placesOf(new Map(), new Map()));
  }

  /** The snapshot after the changes. Entries equal to the present ones cost nothing. */
  with(changes: FileChanges, configs: ConfigChanges = new Map()): Snapshot {
    const files = new Map(this.files);
    for (const [path, summary] of changes) {
      if (summary === undefined) files.delete(path);
      else files.set(path, summary);
    }
    const names = this.files.size === 0 ? NameIndex.of(files) : this.names.with(changes, files);
    const keeps = configs.size === 0 && keepsPlaces(this.files, changes);
    return new Snapshot(
      this.number + 1,
      files,
      names,
      keeps ? this.shared : placesOf(files, withConfigs(this.shared.configs, configs)),
    );
  }

  /** Whether files, packages and configuration are the same as there, so that only contents can differ. */
  liesLike(other: Snapshot): boolean {
    return this.shared === other.shared;
  }

  /**
   * Files that are not the same there, in either of the two; sorted. Cheap between snapshots that follow each other,
   * else linear in the files.
   */
  differingFrom(other: Snapshot): string[] {
    const candidates = this.names.differingFrom(other.names) ?? new Set([...this.files.keys(), ...other.files.keys()]);
    return [...candidates].filter((file) => this.files.get(file) !== other.files.get(file)).sort();
  }

  memo<T>(key: string, make: () => T): T {
    if (this.memos.has(key)) return this.memos.get(key) as T;
    const value = make();
    this.memos.set(key, value);
    found();
    return value;
  }
  memoOfPlaces<T>(key: string, make: () => T): T {
    const { memos } = this.shared;
    if (memos.has(key)) return memos.get(key) as T;
    const value = make();
    memos.set(key, value);
    return value;
  }

  summary(file: string): Summary | undefined {
    return this.files.get(file);
  }
  hasFile(file: string): boolean {
    return this.files.has(file);
  }
  config(file: string): string | undefined {
    return this.shared.configs.get(file);
  }
  configsNamed(base: string): readonly string[] {
    const isCalledSo = (path: string): boolean =>
      base.startsWith('*') ? path.endsWith(base.slice(1)) : baseName(path) === base;
    return this.memoOfPlaces(`configs ${base}`, () => [...this.shared.configs.keys()].filter(isCalledSo).sort());
  }

  filesNamed(base: string): readonly string[] {
    return this.shared.paths.filesNamed(base);
  }
  filesOf(language: LanguageId): readonly string[] {
    return this.shared.paths.filesOf(language);
  }
  hasDirectory(dir: string): boolean {
    return this.shared.paths.hasDirectory(dir);
  }

  /** Files of any language that mention the name as an identifier or in a dotted string. Sorted. */
  filesMentioning(name: string): readonly string[] {
    return this.names.filesWith(name);
  }
  filesDeclaring(language: LanguageId, name: string): readonly string[] {
    return this.names.filesDeclaring(language, name);
  }
  filesInPackage(language: LanguageId, name: string): readonly string[] {
    let byPackage = this.shared.packages.get(language);
    if (byPackage === undefined)
      this.shared.packages.set(
        language,
        (byPackage = groupBy(this.filesOf(language), (path) => packagesOf(this.files.get(path) as Summary))),
      );
    return byPackage.get(name) ?? [];
  }

  /** Number of distinct names, for status. */
  get nameCount(): number {
    return this.names.size;
  }
}

function withConfigs(configs: ReadonlyMap<string, string>, changes: ConfigChanges): ReadonlyMap<string, string> {
  const out = new Map(configs);
  for (const [path, text] of changes) {
    if (text === undefined) out.delete(path);
    else out.set(path, text);
  }
  return out;
}

/**
 * Whether the changes neither add nor remove a file and leave each in its packages, without global imports before and
 * after.
 */
function keepsPlaces(files: ReadonlyMap<string, Summary>, changes: FileChanges): boolean {
  for (const [path, summary] of changes) {
    const before = files.get(path);
    if ((before === undefined) !== (summary === undefined)) return false;
    if (before === undefined || summary === undefined) continue;
    if (before.imports.some((entry) => entry.global) || summary.imports.some((entry) => entry.global)) return false;
    const [was, is] = [packagesOf(before), packagesOf(summary)];
    if (was.length !== is.length || was.some((name, i) => name !== is[i])) return false;
  }
  return true;
}

const packagesMemo = new WeakMap<Summary, readonly string[]>();

/** Packages a file takes part in: the Java package; each C# namespace and those above it. */
function packagesOf(summary: Summary): readonly string[] {
  const known = packagesMemo.get(summary);
  if (known !== undefined) return known;
  const out = new Set<string>();
  if (summary.package !== '') out.add(summary.package);
  for (let d = 0; d < summary.decls.count; d++) {
    if (summary.decls.kindOf(d) !== D.namespace) continue;
    const full = namespacePath(summary, d);
    for (let dot = full.length; dot > 0; dot = full.lastIndexOf('.', dot - 1)) out.add(full.slice(0, dot));
  }
  const list = [...out];
  packagesMemo.set(summary, list);
  return list;
}

/** Full name of a namespace declaration: its name after those of the namespaces around it. */
export function namespacePath(summary: Summary, decl: number): string {
  const outer = namespaceOfScope(summary, summary.decls.scopeOf(decl));
  return outer === '' ? summary.decls.nameOf(decl) : `${outer}.${summary.decls.nameOf(decl)}`;
}

/** Full name of the namespace that a scope lies in; '' at the top. */
export function namespaceOfScope(summary: Summary, scope: number): string {
  const { scopes, decls } = summary;
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (owner >= 0 && decls.kindOf(owner) === D.namespace) return namespacePath(summary, owner);
  }
  return '';
}
