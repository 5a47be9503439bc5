/**
 * Names of the code that makes a call when it runs: as the block around the call, but for what
 * runs outside of it. The initial value of a variable is the module's doing, that of an attribute the
 * class's; decorators and defaults, where the language runs them at the definition, belong to the
 * block around that. Lambdas are no blocks, and count only where a call reaches them without a
 * name: `f.<lambda1>` is the first in f.
 */
import type { Language } from '../languages/language.js';
import { D, isFieldLike, S, type Summary } from '../syntax/summary.js';

/** The code that runs the row. */
export function runningBlock(language: Language, summary: Summary, expr: number, block: number): string {
  const { decls } = summary;
  let at = block;
  while (at >= 0 && runsOutside(language, summary, summary.exprs.scopeOf(expr), at)) at = decls.parentOf(at);
  return summary.decls.pathOf(at);
}

function runsOutside(language: Language, summary: Summary, scope: number, block: number): boolean {
  const { decls, scopes } = summary;
  const kind = decls.kindOf(block);
  if (isFieldLike(kind)) return kind !== D.property;
  if (!language.headersRunOutside) return false;
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) if (s === decls.innerOf(block)) return false;
  for (let s = scope; s >= 0; s = scopes.parentOf(s))
    if (scopes.kindOf(s) === S.header && scopes.blockOf(s) === block) return true;
  return false;
}

/** The innermost lambda around a scope as a dotted path; undefined where the block itself runs. */
export function lambdaAround(summary: Summary, scope: number): string | undefined {
  const { decls, scopes } = summary;
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (scopes.kindOf(s) !== S.function || owner < 0) continue;
    return decls.kindOf(owner) === D.lambda ? lambdaPath(summary, owner) : undefined;
  }
  return undefined;
}

export function lambdaPath(summary: Summary, lambda: number): string {
  const { decls } = summary;
  const place = placeOf(summary, lambda);
  let number = 0;
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.kindOf(decl) === D.lambda &&
      decls.startOf(decl) <= decls.startOf(lambda) &&
      placeOf(summary, decl) === place
    )
      number++;
  return place === '<module>' ? `<lambda${number}>` : `${place}.<lambda${number}>`;
}

/** Path of the lambda or block that makes a lambda. */
function placeOf(summary: Summary, lambda: number): string {
  const { decls } = summary;
  let block = decls.parentOf(lambda);
  while (block >= 0 && isFieldLike(decls.kindOf(block)) && decls.kindOf(block) !== D.property)
    block = decls.parentOf(block);
  return lambdaAround(summary, decls.scopeOf(lambda)) ?? summary.decls.pathOf(block);
}
