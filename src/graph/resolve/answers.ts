/**
 * Answers that were found, by question, and which of them hold in more than one snapshot.
 *
 * Most of what is asked around an edit has nothing to do with the edited file. Files that may
 * differ between the snapshots in question are *volatile*: those under edit. An answer that was
 * found without a look at any of them is shared by all snapshots that agree on the rest.
 *
 *     SharedAnswers ── the answers that no volatile file touches      D and D', keystroke by keystroke
 *     Answers       ── a resolver's own: those that one touched       one snapshot
 *
 * Invariant: what an untouched answer asked about names stays true. So the pool keeps the names
 * that volatile files say in any of its snapshots, whose look-up touches, and those that were
 * looked up untouched; a snapshot in which a volatile file says one of the latter is not admitted.
 */
import type { Summary } from '../../syntax/summary.js';
import { declares } from '../files/name-index.js';
import type { Resolution } from './names.js';
import type { QuestionKind } from './questions.js';
import type { Snapshot } from '../files/snapshot.js';
import type { Type } from './value.js';

/** Answers of one kind, by file and what in it was asked about: a row, or a word. */
export class Memo<T> {
  private readonly byFile = new Map<string, Map<string | number, T>>();
  get(file: string, what: string | number): T | undefined {
    return this.byFile.get(file)?.get(what);
  }
  has(file: string, what: string | number): boolean {
    return this.byFile.get(file)?.has(what) === true;
  }
  set(file: string, what: string | number, value: T): void {
    let answers = this.byFile.get(file);
    if (answers === undefined) this.byFile.set(file, (answers = new Map<string | number, T>()));
    answers.set(what, value);
  }
  delete(file: string, what: string | number): void {
    this.byFile.get(file)?.delete(what);
  }
  deleteWhere(isGone: (value: T) => boolean): void {
    for (const [file, answers] of this.byFile) {
      for (const [what, value] of answers) if (isGone(value)) answers.delete(what);
      if (answers.size === 0) this.byFile.delete(file);
    }
  }
  values(): T[] {
    return [...this.byFile.values()].flatMap((answers) => [...answers.values()]);
  }
}

/** A question: its kind, the file, and what in it is asked about. */
export type Asked = readonly [kind: QuestionKind, file: string, what: string | number];

/** An answer that came up within itself, which counts only while none of what led back to it is open. */
export interface Circular<T = unknown> {
  readonly value: T;
  /** The questions that were answered short because they led back to it. */
  readonly circle: readonly Asked[];
}

export class Answers {
  readonly types = new Memo<Type>();
  readonly declTypes = new Memo<Type>();
  readonly rows = new Memo<Resolution>();
  /** What languages keep for a repository; see `RepoView.memo`. */
  readonly memos = new Map<string, unknown>();
  /** How many are kept. */
  count = 0;
  private readonly kinds = new Map<QuestionKind, Memo<unknown>>();
  private readonly circles = new Map<QuestionKind, Memo<Circular>>();

  /** Answers of a kind that came up within themselves; they stand nowhere else. */
  circular(kind: QuestionKind): Memo<Circular> {
    return memoOf(this.circles, kind);
  }

  /** Answers to any other kind of question. */
  ofKind(kind: QuestionKind): Memo<unknown> {
    return memoOf(this.kinds, kind);
  }
}

export function memoOf<T>(kinds: Map<QuestionKind, Memo<T>>, kind: QuestionKind): Memo<T> {
  let memo = kinds.get(kind);
  if (memo === undefined) kinds.set(kind, (memo = new Memo<T>()));
  return memo;
}

export class SharedAnswers extends Answers {
  /** Names that a volatile file declares, or says at all, in some admitted snapshot. */
  private readonly declared = new Set<string>();
  private readonly said = new Set<string>();
  /** Names that were looked up and that no volatile file declares, or says. */
  private readonly lookedUp = new Set<string>();
  private readonly searched = new Set<string>();
  private readonly admitted = new WeakSet<Snapshot>();
  private readonly known = new WeakSet<Summary>();

  constructor(
    private readonly reference: Snapshot,
    private readonly volatile: ReadonlySet<string>,
  ) {
    super();
    this.admit(reference);
  }

  isVolatile(file: string): boolean {
    return this.volatile.has(file);
  }
  /** Whether any file may differ. */
  get hasVolatile(): boolean {
    return this.volatile.size > 0;
  }
  covers(files: Iterable<string>): boolean {
    for (const file of files) if (!this.volatile.has(file)) return false;
    return true;
  }

  /** Whether a look-up of the declarations of a name depends on volatile files; if not, that must remain so. */
  touchesDeclarations(name: string): boolean {
    if (this.declared.has(name)) return true;
    if (this.hasVolatile) this.lookedUp.add(name);
    return false;
  }
  touchesMentions(name: string): boolean {
    if (this.said.has(name)) return true;
    if (this.hasVolatile) this.searched.add(name);
    return false;
  }

  /** Whether the answers hold in the snapshot too; if so, it counts from now on. */
  admits(snapshot: Snapshot): boolean {
    if (this.admitted.has(snapshot)) return true;
    if (!snapshot.liesLike(this.reference)) return false;
    if (!this.covers(snapshot.differingFrom(this.reference))) return false;
    for (const file of this.volatile) {
      const summary = snapshot.summary(file);
      if (summary !== undefined && !this.known.has(summary) && this.contradicts(summary)) return false;
    }
    this.admit(snapshot);
    return true;
  }

  private contradicts(summary: Summary): boolean {
    return summary.names.some(
      (name, row) => this.searched.has(name) || (this.lookedUp.has(name) && declares(summary, row)),
    );
  }

  private admit(snapshot: Snapshot): void {
    this.admitted.add(snapshot);
    for (const file of this.volatile) {
      const summary = snapshot.summary(file);
      if (summary === undefined || this.known.has(summary)) continue;
      this.known.add(summary);
      summary.names.forEach((name, row) => {
        this.said.add(name);
        if (declares(summary, row)) this.declared.add(name);
      });
    }
  }
}
