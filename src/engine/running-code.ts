/**
 * Names of the code that makes a call when it runs: as the block around the call, but for what
 * runs outside of it. The initial value of a variable is the module's doing, that of an attribute the
 * class's; decorators and defaults, where the language runs them at the definition, belong to the
 * block around that. Lambdas are no blocks, and count only where a call reaches them without a
 * name: `f.<lambda1>` is the first in f.
 */
import type { Language } from '../languages/language.js';
import { blockPath, D, isFieldLike, S, type Summary } from '../syntax/summary.js';

/** The code that runs the row. */
export function runningBlock(language: Language, summary: Summary, expr: number, block: number): string {
  const { decls } = summary;
  let at = block;
  while (at >= 0 && runsOutside(language, summary, summary.exprs.scope[expr] as number, at))
    at = decls.parent[at] as number;
  return blockPath(summary, at);
}

function runsOutside(language: Language, summary: Summary, scope: number, block: number): boolean {
  const { decls, scopes } = summary;
  const kind = decls.kind[block] as number;
  if (isFieldLike(kind)) return kind !== D.property;
  if (!language.headersRunOutside) return false;
  for (let s = scope; s >= 0; s = scopes.parent[s] as number) if (s === decls.inner[block]) return false;
  for (let s = scope; s >= 0; s = scopes.parent[s] as number)
    if (scopes.kind[s] === S.header && scopes.block[s] === block) return true;
  return false;
}

/** The innermost lambda around a scope as a dotted path; undefined where the block itself runs. */
export function lambdaAround(summary: Summary, scope: number): string | undefined {
  const { decls, scopes } = summary;
  for (let s = scope; s >= 0; s = scopes.parent[s] as number) {
    const owner = scopes.owner[s] as number;
    if (scopes.kind[s] !== S.function || owner < 0) continue;
    return decls.kind[owner] === D.lambda ? lambdaPath(summary, owner) : undefined;
  }
  return undefined;
}

export function lambdaPath(summary: Summary, lambda: number): string {
  const { decls } = summary;
  const place = placeOf(summary, lambda);
  let number = 0;
  for (let decl = 0; decl < decls.count; decl++)
    if (
      decls.kind[decl] === D.lambda &&
      (decls.start[decl] as number) <= (decls.start[lambda] as number) &&
      placeOf(summary, decl) === place
    )
      number++;
  return place === '<module>' ? `<lambda${number}>` : `${place}.<lambda${number}>`;
}

/** Path of the lambda or block that makes a lambda. */
function placeOf(summary: Summary, lambda: number): string {
  const { decls } = summary;
  let block = decls.parent[lambda] as number;
  while (block >= 0 && isFieldLike(decls.kind[block] as number) && decls.kind[block] !== D.property)
    block = decls.parent[block] as number;
  return lambdaAround(summary, decls.scope[lambda] as number) ?? blockPath(summary, block);
}
