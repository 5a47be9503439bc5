/**
 * Definitions whose name, or name and parameters, another one beside them got: a second `put(key)` of a class, two
 * functions of one name in a file. A compiler refuses both; without one, the later of them is the only one there is.
 *
 * Errs towards missing: definitions of two kinds, overloads whose types are written in other words, and what stands in
 * branches.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { isOwnBlock } from '../change/match-blocks.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { Language } from '../languages/language.js';
import { D, F, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { earlierIn } from './counterparts.js';
import type { Question } from './question.js';

export function* takenNames({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const earlier = earlierIn({ graphs, edit });
  for (const cause of edit.changes) {
    const now = cause.after;
    if (now === undefined || now.decl < 0 || !mayTakeName(cause)) continue;
    const { file, decl } = now;
    const summary = after.summary(file);
    const language = after.language(file);
    for (const other of yield* piece(() => besideOf(summary, decl))) {
      if (!isSame(language, summary, decl, other)) continue;
      const [was, wasOther] = [cause.before, earlier({ file, decl: other })];
      // Two that were alike before are no news, and one that is new itself is a change of its own.
      if (wasOther === undefined) continue;
      const old = before.summary(wasOther.file);
      if (was?.file === wasOther.file && isSame(language, old, was.decl, wasOther.decl)) continue;
      const { decls } = summary;
      out.addOnce(file, other, {
        expr: -1,
        tier: language.checksTypes ? 'breaks' : 'may',
        confidence: 'certain',
        reason: `${decls.pathOf(other)} is declared twice now, beside ${cause.block}.`,
        fact: `two are named ${decls.nameOf(decl)}`,
        rule: 'taken-name',
        relation: 'UsedBy',
        cause,
      });
    }
  }
  return out.sorted();
}

/** Whether it may be called, or called with, what it was not before. */
const mayTakeName = ({ before, detail }: AtomicChange): boolean =>
  before === undefined || detail.rename !== undefined || detail.signature !== undefined;

/** Blocks of the same name in the same scope. */
function besideOf(summary: Summary, decl: number): number[] {
  const { decls } = summary;
  return [...decls.named(decls.nameIdOf(decl))].filter(
    (other) => other !== decl && decls.scopeOf(other) === decls.scopeOf(decl) && isOwnBlock(summary, other),
  );
}

function isSame(language: Language, summary: Summary, a: number, b: number): boolean {
  const { decls } = summary;
  const [kind, other] = [decls.kindOf(a), decls.kindOf(b)];
  if (decls.nameIdOf(a) !== decls.nameIdOf(b) || decls.scopeOf(a) !== decls.scopeOf(b)) return false;
  const either = (flags: number): boolean => decls.has(a, flags) || decls.has(b, flags);
  if (isFunctionLike(kind)) {
    if (kind !== other || either(F.getter | F.setter | F.explicit | F.partial)) return false;
    if (language.overloads) return haveSameParameters(summary, a, b);
    // Signatures without a body are overloads, and a member of the class is none of its objects.
    if (either(F.bodiless) || decls.has(a, F.static) !== decls.has(b, F.static)) return false;
    return language.checksTypes || areUnconditional(summary, a, b);
  }
  if (isFieldLike(kind)) return isFieldLike(other) && language.checksTypes && kind !== D.variable;
  if (!isClassLike(kind) && kind !== D.typeAlias) return false;
  // Interfaces of one name, and parts of one class, are one.
  if (kind !== other || (kind === D.interface && !language.overloads) || either(F.partial)) return false;
  return (
    decls.typeParamsOf(a).length === decls.typeParamsOf(b).length &&
    (language.checksTypes || areUnconditional(summary, a, b))
  );
}

function haveSameParameters(summary: Summary, a: number, b: number): boolean {
  const { decls } = summary;
  const [params, others] = [[...decls.paramsOf(a)], [...decls.paramsOf(b)]];
  return (
    params.length === others.length &&
    decls.typeParamsOf(a).length === decls.typeParamsOf(b).length &&
    params.every((param, i) => sameWritten(summary, decls.typeOf(param), summary, decls.typeOf(others[i] as number)))
  );
}

/** Whether both stand where every definition of their scope does, and nothing makes one of the two into both. */
function areUnconditional(summary: Summary, a: number, b: number): boolean {
  const { decls, lineStarts } = summary;
  const indentOf = (decl: number): number => {
    const start = decls.startOf(decl);
    return start - (lineStarts.findLast((line) => line <= start) ?? 0);
  };
  const scope = [...decls.allInScope(decls.scopeOf(a))].filter((decl) => isOwnBlock(summary, decl));
  const least = Math.min(...scope.map(indentOf));
  return [a, b].every((decl) => decls.decoratorsOf(decl).length === 0 && indentOf(decl) === least);
}
