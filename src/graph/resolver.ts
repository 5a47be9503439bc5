/**
 * Answers what names mean in one snapshot: the centre of the graph.
 *
 * Nothing is linked in advance. A question about one row follows scopes, imports, types and
 * bases as far as needed; answers are kept for the life of the snapshot. The steps live in
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
 *     references.ts          which rows refer to a declaration
 *
 * Recursion through mutually dependent declarations is cut: a question asked while it is being
 * answered is unknown, and what was computed under such a cut is not remembered, so answers do
 * not depend on the order of questions.
 */
import type { DeclRef, Entity, Language, NameLookup } from '../languages/language.js';
import { languageById } from '../languages/registry.js';
import type { Summary } from '../syntax/summary.js';
import { bodiesOf, memberEntities } from './hierarchy.js';
import { exportedEntities, topLevelEntities } from './imports.js';
import { resolveRow, type Resolution } from './names.js';
import type { Snapshot } from './snapshot.js';
import { typeOfDecl } from './declaration-types.js';
import { typeOfExpr } from './expression-types.js';
import { UNKNOWN, type Type } from './value.js';

/** How deep one question may lead before its answer is unknown. */
const DEPTH_MOST = 64;
/** How deep type arguments are put into each other. */
const SUBSTITUTIONS_MOST = 12;

/** Answers of one kind, by file and row. */
class Memo<T> {
  private readonly byFile = new Map<string, Map<number, T>>();
  get(file: string, row: number): T | undefined {
    return this.byFile.get(file)?.get(row);
  }
  set(file: string, row: number, value: T): void {
    let rows = this.byFile.get(file);
    if (rows === undefined) this.byFile.set(file, (rows = new Map<number, T>()));
    rows.set(row, value);
  }
}

export class Resolver implements NameLookup {
  private readonly types = new Memo<Type>();
  private readonly declTypes = new Memo<Type>();
  private readonly rows = new Memo<Resolution>();
  private readonly keyed = new Map<string, unknown>();
  /** Questions under way, with their depth. */
  private readonly open = new Map<string, number>();
  private depth = 0;
  private substitutions = 0;
  private remembered = 0;
  /** Depth of the outermost open question that an answer under way was cut at. */
  private cutAt = Infinity;

  constructor(readonly repo: Snapshot) {}

  /** How many answers are kept: what the resolver weighs. */
  get answers(): number {
    return this.remembered;
  }

  summary(file: string): Summary {
    const summary = this.repo.summary(file);
    if (summary === undefined) throw new Error(`${file} is not in the snapshot`);
    return summary;
  }
  language(file: string): Language {
    return languageById(this.summary(file).language);
  }

  /** What the named row (name, member, initializer, imported name) refers to. */
  resolve(file: string, expr: number): Resolution {
    const known = this.rows.get(file, expr);
    if (known !== undefined) return known;
    return this.guarded(`r${file}\0${expr}`, NO_RESOLUTION, () => resolveRow(this, file, expr), (value) => this.rows.set(file, expr, value));
  }

  /** The values an expression can have. */
  typeOf(file: string, expr: number): Type {
    if (expr < 0) return UNKNOWN;
    const known = this.types.get(file, expr);
    if (known !== undefined) return known;
    return this.guarded(`t${file}\0${expr}`, UNKNOWN, () => typeOfExpr(this, file, expr), (value) => this.types.set(file, expr, value));
  }

  /** The values that a declared name has when it is used. */
  typeOfDecl(file: string, decl: number): Type {
    const known = this.declTypes.get(file, decl);
    if (known !== undefined) return known;
    return this.guarded(`d${file}\0${decl}`, UNKNOWN, () => typeOfDecl(this, file, decl), (value) => this.declTypes.set(file, decl, value));
  }

  /** Remembers the answer to any other question; `cut` is the answer when the question comes up within itself. */
  answer<T>(key: string, cut: T, compute: () => T): T {
    if (this.keyed.has(key)) return this.keyed.get(key) as T;
    return this.guarded(key, cut, compute, (value) => this.keyed.set(key, value));
  }

  exported(file: string, name: string): readonly Entity[] {
    return this.answer(`x${file}\0${name}`, [], () => exportedEntities(this, file, name));
  }
  topLevel(file: string, name: string): readonly Entity[] {
    return topLevelEntities(this, file, name);
  }
  member(type: DeclRef, name: string): readonly Entity[] {
    return memberEntities(this, type, name);
  }
  /** All declarations of one type: its partial parts, merged interfaces and namespaces; the type itself first. */
  bodies(type: DeclRef): readonly DeclRef[] {
    return this.answer(`b${type.file}\0${type.decl}`, [type], () => bodiesOf(this, type));
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

  private guarded<T>(key: string, cut: T, compute: () => T, remember: (value: T) => void): T {
    const openAt = this.open.get(key);
    if (openAt !== undefined || this.depth >= DEPTH_MOST) {
      this.cutAt = Math.min(this.cutAt, openAt ?? 0);
      return cut;
    }
    const depth = this.depth++;
    this.open.set(key, depth);
    const outerCut = this.cutAt;
    this.cutAt = Infinity;
    let done = false;
    try {
      const value = compute();
      if (this.cutAt >= depth) {
        remember(value);
        this.remembered++;
        this.cutAt = outerCut;
      } else this.cutAt = Math.min(this.cutAt, outerCut);
      done = true;
      return value;
    } finally {
      if (!done) this.cutAt = outerCut;
      this.open.delete(key);
      this.depth--;
    }
  }
}

const NO_RESOLUTION: Resolution = { targets: [], external: false, confidence: 'possible', via: 'cycle' };
