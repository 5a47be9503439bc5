/**
 * The first edit of a function, asked about before anybody makes it.
 *
 *     a file is opened, the person reads ──► each of its functions without its last parameter, and with another name:
 *     what would that affect? ──► the answers that the file does not touch are in the pool ──► the first key finds them
 *
 * A first key pays for all uses of what it changes: whose method each of them calls, through which values. Nearly all
 * of that lies in other files and is the same for each edit, so it can be found while nothing happens. Nothing else
 * comes of it; who wants something meanwhile ends it, and it goes on where it was at the next rest. Each text is read
 * in one go, as after a key.
 */
import { inTurns, othersFirst } from '../base/turns.js';
import type { SharedAnswers } from '../graph/resolve/answers.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import { impactOf } from '../impact/impact.js';
import { questionAbout } from '../impact/question.js';
import { summariseEdited } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { D, F, isFunctionLike, type Summary } from '../syntax/summary.js';
import { blockName } from '../change/block-name.js';
import { editInTurns } from './edit-between.js';
import { SETTLED_BASE, type Call } from './service.js';
import type { Trees } from './trees.js';

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
    private readonly grammars: Grammars,
    /** Tells this client's trees of edited files from those of others. */
    private readonly key: string,
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
      for (const decl of functionsOf(version.summary, after.snapshot)) {
        const block = blockName(version.summary, decl);
        if (standing.asked.has(block)) continue;
        for (const text of firstEdits(version.summary, version.text, decl)) {
          // Many of the questions take less than a turn, and nobody would be served between them.
          await othersFirst();
          signal.throwIfAborted();
          const { pool } = this.trees;
          if (pool?.answers !== answers || pool.filled > FILLED_MOST) return;
          await this.ask(file, text, version.summary, signal);
        }
        standing.asked.add(block);
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

  private async ask(file: string, text: string, now: Summary, signal: AbortSignal): Promise<void> {
    const summary = summariseEdited(this.grammars, `${this.key}\0ahead\0${file}`, file, text);
    if (summary === undefined || summary.errors.length > now.errors.length) return;
    const trees = this.trees.thoughtOf(file, text, summary);
    if (trees === undefined) return;
    const { before, after } = trees;
    const edit = await inTurns(editInTurns(before, after), signal);
    await inTurns(impactOf(questionAbout({ before: before.resolver, after: after.resolver }, edit)), signal);
  }
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

/** The file's text without the function's last parameter, and with a letter more to its name. */
function firstEdits(summary: Summary, text: string, decl: number): string[] {
  const { decls } = summary;
  const shorter = withoutLastParameter(summary, text, decl);
  const end = decls.nameStartOf(decl) + decls.nameOf(decl).length;
  const isNamedHere = text.slice(decls.nameStartOf(decl), end) === decls.nameOf(decl);
  return [
    ...(shorter === undefined ? [] : [shorter]),
    // A constructor has no name of its own.
    ...(isNamedHere && decls.kindOf(decl) !== D.constructor ? [`${text.slice(0, end)}X${text.slice(end)}`] : []),
  ];
}

/** Undefined where the last one is one that every call leaves out, or takes any number of values. */
export function withoutLastParameter({ decls }: Summary, text: string, decl: number): string | undefined {
  const params = decls.paramsOf(decl);
  const last = params.at(-1);
  if (last === undefined || decls.has(last, F.receiver | F.rest | F.keywordRest | F.keywordOnly)) return undefined;
  const before = params.at(-2);
  return (
    text.slice(0, before === undefined ? decls.startOf(last) : decls.endOf(before)) + text.slice(decls.endOf(last))
  );
}
