/**
 * The two trees of a question: as it was at the baseline, and as the client sees it now.
 */
import type { ChangeFile } from '#protocol/api.js';
import type { Problem } from '#protocol/words.js';
import type { Summary } from '../syntax/summary.js';
import { SharedAnswers } from '../graph/resolve/answers.js';
import type { Use } from '../api/dependence.js';
import { placesOf, placesTogether } from '../api/whereabouts.js';
import { Snapshot } from '../graph/files/snapshot.js';
import type { Grammars } from '../syntax/grammar.js';
import { hashText } from '../base/hash.js';
import { inTurns, type Turns } from '../base/turns.js';
import { movesOf, sideOf, toldOf, treeOf, withSide } from './api-tree.js';
import { apartFrom } from './apart.js';
import { shownName } from '../base/shown.js';
import type { BaseFile, Effects } from './effects.js';
import type { ClientId } from './event.js';
import type { Host } from './host.js';
import { showing } from './last-good.js';
import type { SearchMemory } from './search-memory.js';
import { ServiceError, SETTLED_BASE, type Call } from './service.js';
import { summarise } from '../languages/summarise.js';
import { WorkingTree, type TextReader } from './working-tree.js';

export interface BaselineParams {
  readonly base?: string | undefined;
  readonly baseDir?: string | undefined;
  /** A change file: what is measured is the library's change, and the root is as it is. */
  readonly change?: string | undefined;
}

export interface TreePair {
  readonly before: WorkingTree;
  readonly after: WorkingTree;
  /** Name of the baseline, as documents show it. */
  readonly name: string;
  readonly renames: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
  /** For what is searched by words; absent where nothing is. */
  readonly search?: SearchMemory;
  /** Which of the two lies on the disk and in the client's buffers; the other one is only thought of. */
  readonly present: 'before' | 'after';
  /** Whether nothing can follow from the edit, which is known of it beforehand. */
  readonly isClosed?: boolean;
  /** The change file that is asked about. */
  readonly change?: ChangeFile;
  /** What manifests say of its packages, if they were read already. */
  readonly uses?: readonly Use[];
}

/** Texts of earlier contents that are remembered, by hash. */
const TEXTS_MOST = 256;
/** Answers that are kept while the person edits: some 100 MB. */
const ANSWERS_MOST = 1_000_000;

/** What leads from a tree to its baseline. */
interface Earlier {
  /** Summaries of the baseline's files, undefined for one that it does not have. */
  readonly changes: ReadonlyMap<string, Summary | undefined>;
  /** The baseline's summaries of files that are broken now. */
  readonly lastGood: ReadonlyMap<string, Summary>;
  readonly texts: ReadonlyMap<string, string>;
  /** Old paths to new ones. */
  readonly renames: ReadonlyMap<string, string>;
}

export class Trees {
  /** Texts by hash: what a file held at the baseline cannot be read from the disk once it was saved over. */
  private readonly texts = new Map<string, string>();
  private latest: WorkingTree | undefined;
  /** The unsaved texts that it was made with: some are of files that no snapshot has. */
  private unsaved: ReadonlyMap<string, string> | undefined;
  /** And what the disk's broken texts were read as. */
  private broken: ReadonlyMap<string, Summary> | undefined;
  /** Kept over the edits that are measured against it, with the answers of its resolver. */
  private settled: WorkingTree | undefined;
  /** Answers that no file under edit touches: those of one keystroke serve the next. */
  private answers: SharedAnswers | undefined;

  constructor(
    private readonly host: Host,
    private readonly effects: Effects,
    private readonly grammars: Grammars,
    private readonly client: ClientId | undefined,
    private readonly search: SearchMemory,
  ) {}

  /** The tree as the client sees it, one value as long as nothing changes. */
  current(): WorkingTree {
    const snapshot = this.host.snapshot(this.client);
    const unsaved = this.host.unsavedTexts(this.client);
    const broken = this.host.brokenOnDisk();
    if (this.latest?.snapshot === snapshot && this.unsaved === unsaved && this.broken === broken) return this.latest;
    this.unsaved = unsaved;
    this.broken = broken;
    const answers = this.answersIn(this.host.baselineOf(this.client), snapshot);
    return (this.latest = new WorkingTree(snapshot, this.reader(snapshot, unsaved, broken), new Map(), answers));
  }

  /** The answers that no file under edit touches, and how much of what is kept of them is full, 0 to 1. */
  get pool(): { readonly answers: SharedAnswers; readonly filled: number } | undefined {
    const { answers } = this;
    return answers === undefined ? undefined : { answers, filled: answers.count / ANSWERS_MOST };
  }

  /**
   * The trees of an edit that nobody made: another text of a file, with what was read of it. Undefined where answers
   * about it would not hold for what is there.
   */
  thoughtOf(file: string, text: string, summary: Summary): Pick<TreePair, 'before' | 'after'> | undefined {
    const { answers, settled } = this;
    const after = this.current().withRead(new Map([[file, text]]), new Map([[file, summary]]));
    if (answers?.isVolatile(file) !== true || settled === undefined || !answers.admits(after.snapshot))
      return undefined;
    return { before: settled, after: after.sharing(answers) };
  }

  /** What of the tree is not read, and why. */
  problems(): Problem[] {
    return [...this.effects.problems(), ...this.host.unread(this.client)];
  }

  /**
   * The texts that a snapshot was made from; an unsaved one wins over the disk's. Throws ServiceError `textMovedOn`
   * for a file that holds another text by now: what was computed from the two would be neither's.
   */
  private reader(
    snapshot: Snapshot,
    unsaved: ReadonlyMap<string, string>,
    broken: ReadonlyMap<string, Summary>,
  ): TextReader {
    return (file) => {
      const open = unsaved.get(file);
      if (open !== undefined) return open;
      const text = this.effects.diskText(file);
      const summary = broken.get(file) ?? snapshot.summary(file);
      if (summary !== undefined && (text === undefined || !isOf(summary, text)))
        throw new ServiceError(
          'textMovedOn',
          `${shownName(file)} was changed on the disk while this was being answered; ask again`,
          [file],
        );
      return text;
    };
  }

  async around(params: BaselineParams, call: Call): Promise<TreePair> {
    if (params.change !== undefined) return this.acrossTheBorder(params.change, call);
    await this.effects.refresh(call.signal, (message, fraction) => call.progress(message, fraction));
    if (params.base === SETTLED_BASE) {
      await this.effects.baseline(call.signal);
      return this.sinceSettled();
    }
    const base = await this.effects.base(params.base, params.baseDir, call.signal);
    const current = this.current();
    const { changes, lastGood, texts, renames } = await inTurns(this.earlier(base.files, current), call.signal);
    const after =
      lastGood.size === 0 ? current : new WorkingTree(current.snapshot.with(lastGood), (file) => current.text(file));
    const before = new WorkingTree(after.snapshot.with(changes), (file) => texts.get(file) ?? after.text(file));
    const broken = [...lastGood.keys()].map((file): Problem => ({
      file,
      message: 'has syntax errors that hide blocks, so its changes are not followed; mend it and ask again',
    }));
    return {
      ...this.paired(before, after),
      name: base.name,
      search: this.search,
      present: 'after',
      renames,
      problems: [...base.problems, ...broken, ...this.problems()],
    };
  }

  /** What the baseline's files were, as changes that lead back to it. */
  private *earlier(files: readonly BaseFile[], current: WorkingTree): Turns<Earlier> {
    const changes = new Map<string, Summary | undefined>();
    const lastGood = new Map<string, Summary>();
    const texts = new Map<string, string>();
    const renames = new Map<string, string>();
    for (const file of files) {
      yield;
      if (file.kind === 'added') {
        changes.set(file.path, undefined);
        continue;
      }
      const path = file.kind === 'renamed' ? file.from : file.path;
      if (file.kind === 'renamed') {
        changes.set(file.path, undefined);
        renames.set(file.from, file.path);
      }
      const summary = summarise(this.grammars, path, file.before);
      texts.set(path, file.before);
      if (summary === undefined) continue;
      const now = file.kind === 'changed' ? current.snapshot.summary(path) : undefined;
      if (now !== undefined && showing(now, summary).broken) lastGood.set(path, summary);
      else changes.set(path, summary);
    }
    return { changes, lastGood, texts, renames };
  }

  /** The root with the library's old API beside it, and with the new one; without its files where none can mean it. */
  private async acrossTheBorder(path: string, call: Call): Promise<TreePair> {
    const { signal } = call;
    const change = this.effects.changeFile(path);
    const common = { name: path, present: 'after', renames: new Map<string, string>(), change } as const;
    // A change file that says its places is parsed only where the root says one of them.
    const parsed = change.places === undefined ? await this.sidesAlone(change, signal) : undefined;
    const apart = await apartFrom({
      change,
      places:
        change.places ?? placesTogether((parsed ?? []).map(({ snapshot }) => placesOf(snapshot, change.packages))),
      unsaved: this.host.unsavedTexts(this.client),
      effects: this.effects,
      signal,
    });
    if (apart !== undefined) {
      const nothing = new WorkingTree(Snapshot.empty(), () => undefined);
      const problems = [...change.problems, ...apart.problems];
      return { ...common, ...apart, before: nothing, after: nothing, problems, isClosed: true };
    }
    const [alone, grown] = parsed ?? (await this.sidesAlone(change, signal));
    await this.effects.refresh(signal, (message, fraction) => call.progress(message, fraction));
    const current = this.current();
    const old = await inTurns(withSide(current, sideOf(change, 'before'), this.grammars, alone), signal);
    const before = old.knowing(toldOf(movesOf(change), old));
    const after = await inTurns(withSide(current, sideOf(change, 'after'), this.grammars, grown), signal);
    return {
      ...this.paired(before, after),
      ...common,
      problems: [...change.problems, ...unparsed(current, change), ...this.problems()],
    };
  }

  /** The two sides of a change file beside a root without files. */
  private async sidesAlone(change: ChangeFile, signal: AbortSignal): Promise<readonly [WorkingTree, WorkingTree]> {
    const old = await inTurns(treeOf(sideOf(change, 'before'), this.grammars), signal);
    const before = old.knowing(toldOf(movesOf(change), old));
    return [before, await inTurns(treeOf(sideOf(change, 'after'), this.grammars, before), signal)];
  }

  /** In a session: from the last settled state to what the client sees. */
  private sinceSettled(): TreePair {
    const after = this.current();
    const settled = this.host.baselineOf(this.client);
    if (this.settled?.snapshot !== settled)
      this.settled = new WorkingTree(settled, (file) => this.textAt(file, settled.summary(file), this.current()));
    const pair = this.paired(this.settled, after);
    this.settled = pair.before;
    return {
      ...pair,
      name: SETTLED_BASE,
      search: this.search,
      present: 'after',
      renames: this.host.earlier.renames,
      problems: this.problems(),
    };
  }

  /** The two trees with a pool of answers in common, where they have the same files. */
  private paired(before: WorkingTree, after: WorkingTree): Pick<TreePair, 'before' | 'after'> {
    const answers = this.answersIn(before.snapshot, after.snapshot);
    if (answers === undefined) return { before, after };
    this.latest = after.sharing(answers);
    return { before: before.sharing(answers), after: this.latest };
  }

  /**
   * The pool that holds in both snapshots, made anew where the present one does not; undefined if they do not have the
   * same files.
   */
  private answersIn(before: Snapshot, after: Snapshot): SharedAnswers | undefined {
    const underEdit = [
      ...after.differingFrom(before),
      ...(this.client === undefined ? [] : this.host.overlayPaths(this.client)),
    ];
    const serves = (answers: SharedAnswers): boolean =>
      answers.count <= ANSWERS_MOST && answers.covers(underEdit) && answers.admits(before) && answers.admits(after);
    if (this.answers === undefined || !serves(this.answers)) {
      const made = new SharedAnswers(before, new Set(underEdit));
      this.answers = serves(made) ? made : undefined;
    }
    return this.answers;
  }

  /** The text that a summary was made from: what is there now, on the disk, or was seen before. */
  private textAt(file: string, summary: Summary | undefined, after: WorkingTree): string | undefined {
    if (summary === undefined) return undefined;
    const known = this.texts.get(summary.hash);
    if (known !== undefined) return known;
    for (const text of [this.host.earlier.files.get(file)?.text, this.effects.diskText(file), after.text(file)]) {
      if (text === undefined || !isOf(summary, text)) continue;
      this.texts.set(summary.hash, text);
      for (const oldest of this.texts.keys()) {
        if (this.texts.size <= TEXTS_MOST) break;
        this.texts.delete(oldest);
      }
      return text;
    }
    return undefined;
  }
}

/** Files with syntax errors that say a name which changed: what they do with it may be overlooked. */
function unparsed({ snapshot }: WorkingTree, { changes }: ChangeFile): Problem[] {
  const names = [...new Set(changes.map(({ name }) => name.slice(name.lastIndexOf('.') + 1)))];
  return [...snapshot.files].flatMap(([file, summary]) =>
    summary.errors.length > 0 && names.some((name) => summary.idOf(name) >= 0)
      ? [
          {
            file,
            message: 'has syntax errors, so what it does with the library may be overlooked; mend it and ask again',
          },
        ]
      : [],
  );
}

function isOf(summary: Summary, text: string): boolean {
  return text.length === summary.textLength && hashText(text) === summary.hash;
}
