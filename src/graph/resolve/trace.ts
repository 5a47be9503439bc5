/**
 * A resolver that notes which questions each answer rests on.
 *
 *     row put ──┬─ expression store ──┬─ row store         the receiver: what the name means
 *               │                     └─ declaration store ── written type Store ── row Store ──
 *               │                              import Store ── export store.py Store
 *               └─ member Store put                        the member of the class
 *
 * It answers as the resolver does, since it is one; it starts with no answers, so that every
 * question comes up and is noted. The kinds stand in `questions.ts`. For explaining, not for work
 * in bulk: it keeps every question that it was ever asked.
 */
import type { Entity } from '../../languages/language.js';
import type { Resolution } from './names.js';
import type { QuestionKind } from './questions.js';
import { Resolver } from './resolver.js';
import type { Type } from './value.js';

/** A question, its answer, and what was asked on the way. */
export interface Question {
  readonly kind: QuestionKind;
  readonly file: string;
  /** The row, or whatever else the kind is about. */
  readonly what: string | number;
  /** Undefined while it is being answered. */
  readonly answer: unknown;
  /** In the order in which they came up. */
  readonly parts: readonly Question[];
}

interface OpenQuestion extends Question {
  answer: unknown;
  parts: Question[];
}

export class TracingResolver extends Resolver {
  /** The first asking of each question: later ones find the answer and ask nothing. */
  private readonly first = new Map<string, OpenQuestion>();
  private under: OpenQuestion | undefined;
  /** Those that are being answered: asked within themselves they give no more than a cut. */
  private readonly answering = new Set<OpenQuestion>();

  /** The question about a row, an expression's values or a declaration's, asked and answered. */
  question(kind: 'row' | 'expression' | 'declaration', file: string, row: number): Question {
    if (kind === 'row') this.resolve(file, row);
    else if (kind === 'expression') this.typeOf(file, row);
    else this.typeOfDecl(file, row);
    return this.first.get(keyOf(kind, file, row)) ?? { kind, file, what: row, answer: undefined, parts: [] };
  }

  override resolve(file: string, expr: number): Resolution {
    return this.noted('row', file, expr, () => super.resolve(file, expr));
  }
  override typeOf(file: string, expr: number): Type {
    return this.noted('expression', file, expr, () => super.typeOf(file, expr));
  }
  override typeOfDecl(file: string, decl: number): Type {
    return this.noted('declaration', file, decl, () => super.typeOfDecl(file, decl));
  }
  override answer<T>(kind: QuestionKind, file: string, what: string | number, cut: T, compute: () => T): T {
    return this.noted(kind, file, what, () => super.answer(kind, file, what, cut, compute));
  }

  private noted<T>(kind: QuestionKind, file: string, what: string | number, ask: () => T): T {
    const key = keyOf(kind, file, what);
    const known = this.first.get(key);
    const question: OpenQuestion = known ?? { kind, file, what, answer: undefined, parts: [] };
    if (known === undefined) this.first.set(key, question);
    const outer = this.under;
    if (outer?.parts.includes(question) === false) outer.parts.push(question);
    if (this.answering.has(question)) return ask();
    this.answering.add(question);
    this.under = question;
    try {
      const answer = ask();
      question.answer = answer;
      return answer;
    } finally {
      this.under = outer;
      this.answering.delete(question);
    }
  }
}

const keyOf = (kind: QuestionKind, file: string, what: string | number): string => `${kind}\0${file}\0${what}`;

const TYPES: ReadonlySet<QuestionKind> = new Set([
  'expression',
  'declaration',
  'written type',
  'result',
  'expected type',
  'expected of literal',
]);

/** The answer of a question about values; undefined for any other, or one that is still open. */
export const typeIn = (question: Question): Type | undefined =>
  TYPES.has(question.kind) ? (question.answer as Type | undefined) : undefined;
/** The answer of a question about a row. */
export const resolutionIn = (question: Question): Resolution | undefined =>
  question.kind === 'row' ? (question.answer as Resolution | undefined) : undefined;
/** The answer of a question about an import binding or an exported name. */
export const entitiesIn = (question: Question): readonly Entity[] =>
  question.kind === 'import' || question.kind === 'export'
    ? ((question.answer as readonly Entity[] | undefined) ?? [])
    : [];

/** The question about what stands before a member's dot. */
export function receiverIn(trace: TracingResolver, question: Question): Question | undefined {
  const base = trace.summary(question.file).exprs.operandOf(question.what as number);
  return question.parts.find(
    (part) =>
      (part.kind === 'expression' || part.kind === 'written type') && part.file === question.file && part.what === base,
  );
}
