/**
 * Answers what names mean in one snapshot: the centre of the graph.
 *
 * Nothing is linked in advance. A question about one row follows scopes, imports, types and
 * bases as far as needed; answers are kept, those that no file under edit touches for several
 * snapshots (`answers.ts`). The steps live in
 * files of their own and take the resolver as their context:
 *
 *     imports.ts             what a module exports, what an import binding means
 *     hierarchy.ts           bases, search order, members, subclasses
 *     declaration-types.ts   the values of what a name declares
 *     expression-types.ts    the values of an expression
 *     written-types.ts       the objects of a type as written
 *     expected.ts            the type that the place of an expression asks for
 *     bindings.ts            what type parameters stand for
 *     containers.ts          what comes out of values that hold others
 *     overloads.ts           which functions a call's arguments fit
 *     names.ts               what a row refers to
 *     possible-members.ts    what it may refer to where the receiver's type is unknown
 *     extension-methods.ts   static methods that are called on their first argument
 *     references.ts          which rows refer to a declaration
 *
 * Recursion through mutually dependent declarations is cut: a question asked while it is being
 * answered is unknown. So that answers do not depend on the order of questions, what was computed
 * under such a cut is not remembered, and the answer to a question that came up within itself does
 * not count while one that led back to it is open: that one would have cut it elsewhere.
 *
 *     first a:  a ── b ── a (cut)      a is remembered, with b in its circle
 *     then b:   b ── a ── b (cut)      a is found anew, as if nobody had asked before
 */
import { found, giveWay } from '../../base/turns.js';
import type { DeclRef, Entity, Language, NameLookup } from '../../languages/language.js';
import { languageById } from '../../languages/registry.js';
import type { Summary } from '../../syntax/summary.js';
import { bodiesOf, memberEntities } from './hierarchy.js';
import { exportedEntities, topLevelEntities } from './imports.js';
import { resolveRow, type Resolution } from './names.js';
import { Answers, memoOf, SharedAnswers, type Asked, type Circular, type Memo } from './answers.js';
import type { QuestionKind } from './questions.js';
import type { Snapshot } from '../files/snapshot.js';
import { View } from './view.js';
import { typeOfDecl } from './declaration-types.js';
import { typeOfExpr } from './expression-types.js';
import { UNKNOWN, type Type } from './value.js';

/** How deep one question may lead before its answer is unknown. */
const DEPTH_MOST = 64;
/** So many answers of earlier resolvers are kept: some 50 MB. */
const KEPT_MOST = 500_000;
/**
 * How often answers are found anew under one question because their circle is open. Beyond that they count all the
 * same: circles within circles would take as many times as there are ways through them.
 */
const ANEW_MOST = 100;
/** How deep type arguments are put into each other. */
const SUBSTITUTIONS_MOST = 12;

export class Resolver implements NameLookup {
  readonly repo: View;
  /** Answers that a volatile file touched. */
  private readonly own = new Answers();
  /** Questions under way, with their depth. */
  private readonly open = new Map<QuestionKind, Memo<number>>();
  private depth = 0;
  private substitutions = 0;
  /** Depth of the outermost open question that an answer under way was cut at. */
  private cutAt = Infinity;
  /** How often a question was cut because it lies too deep. */
  private tooDeep = 0;
  /**
   * Answers that lie above what is too deep, kept until the outermost question is answered: found
   * anew at every turn of the way, they would take twice the time for each level.
   */
  private readonly shallow = new Map<QuestionKind, Memo<Shallow>>();

  /** How often that was, of {@link ANEW_MOST}. */
  private anew = 0;
  /** Questions that were answered short, and the depth of the open one that they led back to. */
  private readonly short: { readonly asked: Asked; readonly cutAt: number }[] = [];

  /**
   * What files that pass on all of each other offer, as far as it was found before the circle closed, until the
   * question at which it closed is answered: that one gathers what these lack. Without them a circle would be walked
   * along each of its ways, of which there are more than can be walked.
   */
  private readonly inCircle = new Map<QuestionKind, Memo<InCircle>>();

  /**
   * What was asked for last, beside it the last one of which every look has to be noted: sites come file by file, and
   * each is asked about often, as is what they are of.
   */
  private lastFile = '';
  private lastSummary: Summary | undefined;
  private lastVolatile = '';
  private lastNoted: Summary | undefined;

  /** What resolvers of this very snapshot found beside other pools, the latest first. */
  private readonly kept: readonly Answers[];
  private readonly pools: readonly Answers[];

  /** `shared` must admit the snapshot; `earlier` must be of the same one: its answers hold here too. */
  constructor(
    snapshot: Snapshot,
    private readonly shared = new SharedAnswers(snapshot, new Set()),
    earlier?: Resolver,
  ) {
    this.repo = new View(snapshot, this.own, shared);
    this.kept = earlier === undefined ? [] : withinKept([earlier.own, earlier.shared, ...earlier.kept]);
    this.pools = [this.shared, this.own, ...this.kept];
  }

  summary(file: string): Summary {
    if (file === this.lastFile && this.lastSummary !== undefined) return this.lastSummary;
    if (file === this.lastVolatile && this.lastNoted !== undefined) {
      this.repo.touched = true;
      return this.lastNoted;
    }
    const summary = this.repo.summary(file);
    if (summary === undefined) throw new Error(`${file} is not in the snapshot`);
    if (this.shared.isVolatile(file)) {
      this.lastVolatile = file;
      this.lastNoted = summary;
    } else {
      this.lastFile = file;
      this.lastSummary = summary;
    }
    return summary;
  }
  language(file: string): Language {
    return languageById(this.summary(file).language);
  }

  /** What the named row (name, member, initializer, imported name) refers to. */
  resolve(file: string, expr: number): Resolution {
    const known =
      this.shared.rows.get(file, expr) ??
      this.touching(this.own.rows.get(file, expr) ?? this.taken(({ rows }) => rows, file, expr));
    if (known !== undefined) return known;
    return this.guarded(
      'row',
      file,
      expr,
      NO_RESOLUTION,
      () => resolveRow(this, file, expr),
      (value, answers) => answers.rows.set(file, expr, value),
    );
  }

  /** The values an expression can have. */
  typeOf(file: string, expr: number): Type {
    if (expr < 0) return UNKNOWN;
    const known =
      this.shared.types.get(file, expr) ??
      this.touching(this.own.types.get(file, expr) ?? this.taken(({ types }) => types, file, expr));
    if (known !== undefined) return known;
    return this.guarded(
      'expression',
      file,
      expr,
      UNKNOWN,
      () => typeOfExpr(this, file, expr),
      (value, answers) => answers.types.set(file, expr, value),
    );
  }

  /** The values that a declared name has when it is used. */
  typeOfDecl(file: string, decl: number): Type {
    const known =
      this.shared.declTypes.get(file, decl) ??
      this.touching(this.own.declTypes.get(file, decl) ?? this.taken(({ declTypes }) => declTypes, file, decl));
    if (known !== undefined) return known;
    return this.guarded(
      'declaration',
      file,
      decl,
      UNKNOWN,
      () => typeOfDecl(this, file, decl),
      (value, answers) => answers.declTypes.set(file, decl, value),
    );
  }

  /**
   * Remembers the answer to any other question: of a kind, about a file ('' for none)
   * and what in it. `cut` is the answer when the question comes up within itself.
   */
  answer<T>(kind: QuestionKind, file: string, what: string | number, cut: T, compute: () => T): T {
    const shared = this.shared.ofKind(kind);
    if (shared.has(file, what)) return shared.get(file, what) as T;
    const own = this.own.ofKind(kind);
    this.taken((answers) => answers.ofKind(kind), file, what);
    if (own.has(file, what)) {
      this.repo.touched = true;
      return own.get(file, what) as T;
    }
    return this.guarded(kind, file, what, cut, compute, (value, answers) =>
      answers.ofKind(kind).set(file, what, value),
    );
  }

  /** Whether the answer to such a question is kept: then it costs nothing. */
  knows(kind: QuestionKind, file: string, what: string | number): boolean {
    return this.pools.some((answers) => answers.ofKind(kind).has(file, what) || answers.circular(kind).has(file, what));
  }

  /** Whether it is known already what the row refers to. */
  knowsRow(file: string, expr: number): boolean {
    return this.pools.some((answers) => answers.rows.has(file, expr) || answers.circular('row').has(file, expr));
  }

  exported(file: string, name: string): readonly Entity[] {
    return this.answer<readonly Entity[]>('export', file, name, [], () => exportedEntities(this, file, name));
  }
  topLevel(file: string, name: string): readonly Entity[] {
    return topLevelEntities(this, file, name);
  }
  member(type: DeclRef, name: string): readonly Entity[] {
    return memberEntities(this, type, name);
  }
  /** All declarations of one type: its partial parts, merged interfaces and namespaces; the type itself first. */
  bodies(type: DeclRef): readonly DeclRef[] {
    return this.answer<readonly DeclRef[]>('bodies', type.file, type.decl, [type], () => bodiesOf(this, type));
  }

  /** Substitution of type arguments is not remembered, so a type that names itself is cut at a small depth. */
  substituted(compute: () => Type): Type {
    if (this.substitutions >= SUBSTITUTIONS_MOST) return UNKNOWN;
    this.substitutions++;
    try {
      return compute();
    } finally {
      this.substitutions--;
    }
  }

  /**
   * An answer that was kept, which becomes our own: what it touched is known of the pool that it was found beside, not
   * of this one.
   */
  private taken<T>(of: (answers: Answers) => Memo<T>, file: string, what: string | number): T | undefined {
    for (const answers of this.kept) {
      const memo = of(answers);
      if (!memo.has(file, what)) continue;
      const value = memo.get(file, what) as T;
      of(this.own).set(file, what, value);
      this.own.count++;
      return value;
    }
    return undefined;
  }

  /** An answer that came up within itself, unless a question of its circle is open. */
  private circular<T>(kind: QuestionKind, file: string, what: string | number): Circular<T> | undefined {
    for (const answers of this.pools) {
      const found = answers.circular(kind).get(file, what) as Circular<T> | undefined;
      if (found === undefined) continue;
      const isOpen = found.circle.some(([of, where, about]) => this.open.get(of)?.has(where, about) === true);
      if (isOpen && this.anew++ < ANEW_MOST) return undefined;
      if (answers !== this.shared) this.repo.touched = true;
      return found;
    }
    return undefined;
  }

  private circleSince(start: number, depth: number): readonly Asked[] {
    return this.short.slice(start).flatMap(({ asked, cutAt }) => (cutAt === depth ? [asked] : []));
  }

  /** An answer of our own that was found, if it was, touches whoever asks. */
  private touching<T>(own: T | undefined): T | undefined {
    if (own !== undefined) this.repo.touched = true;
    return own;
  }

  /** What a question gets that nothing is computed for: one that is open, or too deep, or led back to itself before. */
  private withoutComputing<T>(
    kind: QuestionKind,
    file: string,
    what: string | number,
    cut: T,
  ): { readonly value: T } | undefined {
    const openAt = memoOf(this.open, kind).get(file, what);
    if (openAt !== undefined) {
      this.cutAt = Math.min(this.cutAt, openAt);
      return { value: cut };
    }
    const circular = this.circular<T>(kind, file, what);
    if (circular !== undefined) return circular;
    const shallow = memoOf(this.shallow, kind).get(file, what) as Shallow<T> | undefined;
    if (shallow !== undefined || this.depth >= DEPTH_MOST) {
      this.tooDeep++;
      if (shallow?.touched === true) this.repo.touched = true;
      return shallow ?? { value: cut };
    }
    if (kind !== 'export') return undefined;
    const passing = memoOf(this.inCircle, kind).get(file, what) as InCircle<T> | undefined;
    if (passing === undefined) return undefined;
    this.cutAt = Math.min(this.cutAt, passing.cutAt);
    this.repo.touched ||= passing.touched;
    return passing;
  }

  private guarded<T>(
    kind: QuestionKind,
    file: string,
    what: string | number,
    cut: T,
    compute: () => T,
    remember: (value: T, answers: Answers) => void,
  ): T {
    const known = this.withoutComputing(kind, file, what, cut);
    if (known !== undefined) return known.value;
    const open = memoOf(this.open, kind);
    const circle = kind === 'export' ? (memoOf(this.inCircle, kind) as Memo<InCircle<T>>) : undefined;
    giveWay();
    const depth = this.depth++;
    open.set(file, what, depth);
    const outerCut = this.cutAt;
    const outerTouched = this.repo.touched;
    const tooDeepBefore = this.tooDeep;
    const shortBefore = this.short.length;
    this.cutAt = Infinity;
    // Rows of a volatile file mean something in its own snapshot only.
    this.repo.touched = this.shared.isVolatile(file);
    let done = false;
    try {
      const value = compute();
      if (this.cutAt >= depth && this.tooDeep > tooDeepBefore && depth > 0) {
        memoOf(this.shallow, kind).set(file, what, { value, touched: this.repo.touched });
        this.short.length = shortBefore;
        this.cutAt = outerCut;
      } else if (this.cutAt >= depth) {
        const answers = this.repo.touched ? this.own : this.shared;
        if (this.cutAt > depth || kind === 'export') remember(value, answers);
        else answers.circular(kind).set(file, what, { value, circle: this.circleSince(shortBefore, depth) });
        answers.count++;
        found();
        this.short.length = shortBefore;
        this.cutAt = outerCut;
      } else {
        this.short.push({ asked: [kind, file, what], cutAt: this.cutAt });
        circle?.set(file, what, { value, touched: this.repo.touched, cutAt: this.cutAt });
        this.cutAt = Math.min(this.cutAt, outerCut);
      }
      done = true;
      return value;
    } finally {
      if (!done) {
        this.cutAt = outerCut;
        this.short.length = shortBefore;
      }
      this.repo.touched ||= outerTouched;
      open.delete(file, what);
      circle?.deleteWhere(({ cutAt }) => cutAt >= depth);
      this.depth--;
      if (depth === 0) {
        this.shallow.clear();
        this.anew = 0;
      }
    }
  }
}

/** The latest of them, as far as they are not too many. */
function withinKept(all: readonly Answers[]): Answers[] {
  let count = 0;
  return all.filter(({ count: found }) => (count += found) <= KEPT_MOST);
}

/** An answer that holds for as long as the outermost question is open. */
interface Shallow<T = unknown> {
  readonly value: T;
  readonly touched: boolean;
}

/** An answer that was cut short at the open question of this depth. */
interface InCircle<T = unknown> extends Shallow<T> {
  readonly cutAt: number;
}

const NO_RESOLUTION: Resolution = { targets: [], external: false, confidence: 'possible', via: 'cycle' };
