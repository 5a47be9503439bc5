/**
 * A snapshot together with the texts of its files: what a plan runs on.
 *
 * Texts come from a reader (disk, git, an editor's buffer) and from edits made on top; an edited
 * working tree is a new value that shares everything else.
 */
import { atOnce, type Turns } from '../base/turns.js';
import type { FileVersion, Told } from '../change/version.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { SharedAnswers } from '../graph/resolve/answers.js';
import { Resolver } from '../graph/resolve/resolver.js';
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import type { Summary } from '../syntax/summary.js';

/** Text of a file of the snapshot, without a byte order mark; undefined if it cannot be had. */
export type TextReader = (file: string) => string | undefined;

export class WorkingTree {
  private resolverMemo: Resolver | undefined;

  constructor(
    readonly snapshot: Snapshot,
    private readonly reader: TextReader,
    /** Texts that differ from the reader's. */
    private readonly edited: ReadonlyMap<string, string> = new Map(),
    /** Answers that hold in other trees too; must admit the snapshot. */
    private readonly answers?: SharedAnswers,
    /** What is known beforehand of an edit of this tree, by file. */
    private readonly told: ReadonlyMap<string, Told> = new Map(),
    /** Of the same snapshot. */
    private readonly earlier?: Resolver,
  ) {}

  /** One resolver, whose answers are kept as long as the tree. */
  get resolver(): Resolver {
    return (this.resolverMemo ??= new Resolver(this.snapshot, this.answers, this.earlier));
  }

  /** The same tree with a part in the answers, and what it knows; itself if it has that part already. */
  sharing(answers: SharedAnswers): WorkingTree {
    return this.answers === answers
      ? this
      : new WorkingTree(this.snapshot, this.reader, this.edited, answers, this.told, this.resolverMemo);
  }

  /** The same tree, as the one before an edit of which this is known. */
  knowing(told: ReadonlyMap<string, Told>): WorkingTree {
    return new WorkingTree(this.snapshot, this.reader, this.edited, this.answers, told);
  }

  text(file: string): string | undefined {
    return this.edited.get(file) ?? this.reader(file);
  }

  /** A file as it is compared with another version of it; undefined if the tree does not have it. */
  version(file: string): FileVersion | undefined {
    const summary = this.snapshot.summary(file);
    const told = this.told.get(file);
    return summary === undefined
      ? undefined
      : { file, summary, text: this.text(file) ?? '', ...(told === undefined ? {} : { told }) };
  }

  /** Files whose text was edited on top of the reader's. */
  get editedFiles(): readonly string[] {
    return [...this.edited.keys()].sort();
  }

  /** The tree with new texts; each is parsed. */
  with(texts: ReadonlyMap<string, string>, grammars: Grammars): WorkingTree {
    return atOnce(this.withInTurns(texts, grammars));
  }

  *withInTurns(texts: ReadonlyMap<string, string>, grammars: Grammars): Turns<WorkingTree> {
    const changes = new Map<string, Summary | undefined>();
    for (const [file, text] of texts) {
      yield;
      const summary = summarise(grammars, file, text);
      if (summary !== undefined) changes.set(file, summary);
    }
    return this.withRead(texts, changes);
  }

  /** The tree with new texts whose summaries are known. */
  withRead(texts: ReadonlyMap<string, string>, summaries: ReadonlyMap<string, Summary | undefined>): WorkingTree {
    return new WorkingTree(this.snapshot.with(summaries), this.reader, new Map([...this.edited, ...texts]));
  }
}
