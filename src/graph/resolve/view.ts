/**
 * A snapshot as the resolver and the languages look at it: every look at what volatile files say
 * is noted, so that answers which depend on none of them can be shared (`answers.ts`).
 *
 * All ways to learn of a file's content lead through here. Paths, packages and configuration are
 * the same in all snapshots that share answers, so asking for them touches nothing.
 */
import type { RepoView } from '../../languages/language.js';
import type { LanguageId, Summary } from '../../syntax/summary.js';
import type { Answers, SharedAnswers } from './answers.js';
import type { Snapshot } from '../files/snapshot.js';

export class View implements RepoView {
  /** Whether what a volatile file says was seen; whoever wants to know clears it first. */
  touched = false;

  constructor(
    readonly snapshot: Snapshot,
    private readonly own: Answers,
    private readonly shared: SharedAnswers,
  ) {}

  /** All files, with what they say. */
  get files(): ReadonlyMap<string, Summary> {
    this.touched ||= this.shared.hasVolatile;
    return this.snapshot.files;
  }
  summary(file: string): Summary | undefined {
    if (this.shared.isVolatile(file)) this.touched = true;
    return this.snapshot.summary(file);
  }
  filesMentioning(name: string): readonly string[] {
    if (this.shared.touchesMentions(name)) this.touched = true;
    return this.snapshot.filesMentioning(name);
  }
  filesDeclaring(language: LanguageId, name: string): readonly string[] {
    if (this.shared.touchesDeclarations(name)) this.touched = true;
    return this.snapshot.filesDeclaring(language, name);
  }

  memo<T>(key: string, make: () => T): T {
    if (this.shared.memos.has(key)) return this.shared.memos.get(key) as T;
    if (this.own.memos.has(key)) {
      this.touched = true;
      return this.own.memos.get(key) as T;
    }
    const outer = this.touched;
    this.touched = false;
    const value = make();
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- make() may have set it
    (this.touched ? this.own : this.shared).memos.set(key, value);
    this.touched ||= outer;
    return value;
  }

  memoOfPlaces<T>(key: string, make: () => T): T {
    const outer = this.touched;
    const value = this.snapshot.memoOfPlaces(key, make);
    this.touched = outer;
    return value;
  }

  hasFile(file: string): boolean {
    return this.snapshot.hasFile(file);
  }
  config(file: string): string | undefined {
    return this.snapshot.config(file);
  }
  configsNamed(base: string): readonly string[] {
    return this.snapshot.configsNamed(base);
  }
  filesNamed(base: string): readonly string[] {
    return this.snapshot.filesNamed(base);
  }
  filesOf(language: LanguageId): readonly string[] {
    return this.snapshot.filesOf(language);
  }
  filesInPackage(language: LanguageId, name: string): readonly string[] {
    return this.snapshot.filesInPackage(language, name);
  }
  hasDirectory(dir: string): boolean {
    return this.snapshot.hasDirectory(dir);
  }
}
