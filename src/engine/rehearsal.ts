/**
 * The first edit of a function, asked about before anybody makes it.
 *
 *     a file is opened, the person reads ──► each of its functions without its last parameter, and with another name:
 *     what would that affect? ──► the answers that the file does not touch are in the pool ──► the first key finds them
 *
 * A first key pays for all uses of what it changes: whose method each of them calls, through which values. Nearly all
 * of that lies in other files and is the same for each edit, so it can be found while nothing happens. Nothing else
 * comes of it; who wants something meanwhile ends it, and it goes on where it was at the next rest. The text is read
 * twice, once with each of its functions edited in one way, by another thread; the questions are about one function
 * each.
 */
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import { inTurns, othersFirst } from '../base/turns.js';
import type { SharedAnswers } from '../graph/resolve/answers.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import { impactOf } from '../impact/impact.js';
import { questionAbout, type Question } from '../impact/question.js';
import { D, F, isFunctionLike, type Summary } from '../syntax/summary.js';
import { blockName } from '../change/block-name.js';
import { allBlocks } from '../change/match-blocks.js';
import type { Edit } from '../change/edit.js';
import { NOTHING_TOLD, type FileVersion } from '../change/version.js';
import { editInTurns } from './edit-between.js';
import type { Effects } from './effects.js';
import { SETTLED_BASE, type Call } from './service.js';
import type { TreePair, Trees } from './trees.js';

/** So long the functions of a file are asked about: no longer than a person takes to find their place in it. */
const FILE_MS_MOST = 2_000;
/** Part of the pool that may be filled so: a full one is begun anew, and what the person asked for would be lost. */
const FILLED_MOST = 0.5;

/** How far the functions of a file were asked about. */
interface Standing {
  readonly file: string;
  /** The pool that the answers went to: with another one nothing is known any more. */
  readonly answers: SharedAnswers;
  /** Functions that were asked about, by the name of their block. */
  readonly asked: Set<string>;
  spentMs: number;
}

export class Rehearsal {
  private standing: Standing | undefined;

  constructor(
    private readonly trees: Pick<Trees, 'around' | 'pool' | 'thoughtOf'>,
    private readonly summaryOf: Effects['summaryOf'],
    /** Resolves when nobody has to be answered first. */
    private readonly standBack: (signal: AbortSignal) => Promise<void> = othersFirst,
  ) {}

  /**
   * Asks about the functions of a file that the client has open, those whose names most files say first. Rejects with
   * the reason of `call.signal`; what was found until then is kept.
   */
  async of(file: string, call: Call): Promise<void> {
    const { after } = await this.trees.around({ base: SETTLED_BASE }, call);
    const version = after.version(file);
    const answers = this.trees.pool?.answers;
    // Of a text that hides blocks another summary is shown.
    if (version === undefined || answers === undefined || version.text.length !== version.summary.textLength) return;
    const standing = this.standingIn(file, answers);
    if (standing.spentMs >= FILE_MS_MOST) return;
    const startedAt = performance.now();
    const enough = AbortSignal.timeout(Math.ceil(FILE_MS_MOST - standing.spentMs));
    const signal = AbortSignal.any([call.signal, enough]);
    try {
      const functions = functionsOf(version.summary, after.snapshot).filter(
        (decl) => !standing.asked.has(blockName(version.summary, decl)),
      );
      const edited: Edited[] = [];
      for (const editOf of FIRST_EDITS) {
        await this.standBack(signal);
        signal.throwIfAborted();
        const one = functions.length === 0 ? undefined : await this.edited(version, functions, editOf, signal);
        if (one !== undefined) edited.push(one);
      }
      for (const decl of functions) {
        for (const one of edited) {
          // Many of the questions take less than a turn, and nobody would be served between them.
          await this.standBack(signal);
          signal.throwIfAborted();
          const { pool } = this.trees;
          if (pool?.answers !== answers || pool.filled > FILLED_MOST) return;
          await inTurns(impactOf(questionOf(one, decl)), signal, this.standBack);
        }
        standing.asked.add(blockName(version.summary, decl));
      }
    } catch (error) {
      // A question that takes longer than all of them may is left to who asks it.
      if (!enough.aborted || call.signal.aborted) throw error;
    } finally {
      standing.spentMs += performance.now() - startedAt;
    }
  }

  private standingIn(file: string, answers: SharedAnswers): Standing {
    if (this.standing?.file !== file || this.standing.answers !== answers)
      this.standing = { file, answers, asked: new Set(), spentMs: 0 };
    return this.standing;
  }

  /**
   * The file with all of these functions edited in one way: one reading of the text serves the questions about each of
   * them. Undefined where it cannot be read so.
   */
  private async edited(
    { file, text, summary }: FileVersion,
    functions: readonly number[],
    editOf: EditOf,
    signal: AbortSignal,
  ): Promise<Edited | undefined> {
    const after = applyEdits(text, apart(functions.flatMap((decl) => editOf(summary, text, decl) ?? [])));
    const read = await this.summaryOf(file, after, signal);
    if (read === undefined || read.errors.length > summary.errors.length) return undefined;
    const trees = this.trees.thoughtOf(file, after, read);
    if (trees === undefined) return undefined;
    const settled = trees.before.version(file)?.summary;
    const rows = settled === undefined ? new Map<number, number>() : settledRows(settled, summary, functions);
    // To guess which of them was which takes long where all of many have another name.
    const blocks = new Map(settled && [...rows.values()].map((row) => otherName(settled, row)));
    const told = trees.before.knowing(new Map([[file, { ...NOTHING_TOLD, blocks }]]));
    return { ...trees, rows, edit: await inTurns(editInTurns(told, trees.after), signal, this.standBack) };
  }
}

/** A file with many of its functions edited. */
type Edited = Pick<TreePair, 'before' | 'after'> & {
  readonly edit: Edit;
  /** Their rows in what the client last settled, by the present ones. */
  readonly rows: ReadonlyMap<number, number>;
};

/** What one of the functions would affect, had nobody edited the others. */
function questionOf({ before, after, edit, rows }: Edited, decl: number): Question {
  const row = rows.get(decl);
  const changes = edit.changes.filter((change) => row !== undefined && change.before?.decl === row);
  return questionAbout({ before: before.resolver, after: after.resolver }, { ...edit, changes });
}

/** Those that lie within none before them. */
function apart(edits: readonly TextEdit[]): TextEdit[] {
  const out: TextEdit[] = [];
  for (const edit of [...edits].sort((a, b) => a.start - b.start || b.end - a.end))
    if (edit.start >= (out.at(-1)?.end ?? 0)) out.push(edit);
  return out;
}

/** What is called by a name, the names that most files say first. */
function functionsOf(summary: Summary, snapshot: Snapshot): number[] {
  const { decls } = summary;
  const functions = Array.from({ length: decls.count }, (_, decl) => decl).filter(
    (decl) => isFunctionLike(decls.kindOf(decl)) && decls.kindOf(decl) !== D.lambda && decls.nameOf(decl) !== '',
  );
  const mentions = new Map(functions.map((decl) => [decl, snapshot.filesMentioning(decls.nameOf(decl)).length]));
  return functions.sort((a, b) => (mentions.get(b) ?? 0) - (mentions.get(a) ?? 0) || a - b);
}

/** The first edit of a function of a text; undefined for what cannot be edited so. */
type EditOf = (summary: Summary, text: string, decl: number) => TextEdit | undefined;

/** A word: operators and what quotes stand around have another name beside them, or none. */
const WORD = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** So near behind a parameter its comma stands. */
const COMMA_WITHIN = 80;

/** What is put behind a name to have another one. */
const LETTER = 'X';

/** The place of a block's name, and its other name. */
const otherName = ({ decls }: Summary, row: number): [number, string] => [
  decls.nameStartOf(row),
  `${decls.nameOf(row)}${LETTER}`,
];

/** What has the same name in both, by its row in the one that is there now. */
function settledRows(settled: Summary, now: Summary, functions: readonly number[]): ReadonlyMap<number, number> {
  const byName = new Map(allBlocks(settled).map((row) => [blockName(settled, row), row]));
  return new Map(
    functions.flatMap((decl): [number, number][] => {
      const row = byName.get(blockName(now, decl));
      return row === undefined ? [] : [[decl, row]];
    }),
  );
}

const FIRST_EDITS: readonly EditOf[] = [
  lastParameter,
  /** A letter more to the name. */
  ({ decls }, text, decl) => {
    const name = decls.nameOf(decl);
    const end = decls.nameStartOf(decl) + name.length;
    // A constructor has no name of its own.
    const isNamedHere = decls.kindOf(decl) !== D.constructor && text.slice(decls.nameStartOf(decl), end) === name;
    return isNamedHere && WORD.test(name) ? { start: end, end, text: LETTER } : undefined;
  },
];

/** Undefined where the last one is one that every call leaves out, or takes any number of values. */
export function withoutLastParameter(summary: Summary, text: string, decl: number): string | undefined {
  const last = lastParameter(summary, text, decl);
  return last === undefined ? undefined : text.slice(0, last.start) + text.slice(last.end);
}

function lastParameter({ decls }: Summary, text: string, decl: number): TextEdit | undefined {
  const params = decls.paramsOf(decl);
  const last = params.at(-1);
  if (last === undefined || decls.has(last, F.receiver | F.rest | F.keywordRest | F.keywordOnly)) return undefined;
  const before = params.at(-2);
  const end = decls.endOf(last);
  // A comma behind the only one may not stay.
  const comma = /^\s*,/u.exec(text.slice(end, end + COMMA_WITHIN))?.[0] ?? '';
  return before === undefined
    ? { start: decls.startOf(last), end: end + comma.length, text: '' }
    : { start: decls.endOf(before), end, text: '' };
}
