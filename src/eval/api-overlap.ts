/**
 * How many of a library's names a piece of code calls: the measure by which code from plans is compared.
 *
 * Only calls count, bare or on something; imports and mentions do not, and nothing is resolved.
 *
 * Source: library-based code generation of Long Code Arena, which MutaGReP (arXiv 2502.15872) is measured with.
 */
import { summarise } from '../languages/summarise.js';
import type { Grammars } from '../syntax/grammar.js';
import { E, R, type LanguageId } from '../syntax/summary.js';

const FILE_OF: Readonly<Record<LanguageId, string>> = {
  python: 'answer.py',
  typescript: 'answer.ts',
  java: 'Answer.java',
  csharp: 'Answer.cs',
};

/** Names that the code calls or makes instances of, without what stands before them. */
export function calledNames(grammars: Grammars, language: LanguageId, code: string): Set<string> {
  const names = new Set<string>();
  const summary = summarise(grammars, FILE_OF[language], code);
  if (summary === undefined) return names;
  const { exprs } = summary;
  for (let row = 0; row < exprs.count; row++) {
    const op = exprs.opOf(row);
    if (op !== E.call && op !== E.new) continue;
    // What a builtin calls of what it is passed is mentioned there.
    if (op === E.call && exprs.roleOf(exprs.operandOf(row)) !== R.callee) continue;
    const name = exprs.nameOf(exprs.calleeOf(row));
    if (name !== '') names.add(name);
  }
  return names;
}

/** Share of the names (their last parts) that the code calls, from 0 to 1; undefined where none is asked for. */
export function apiOverlap(called: ReadonlySet<string>, apis: readonly string[]): number | undefined {
  const wanted = new Set(apis.map((api) => api.slice(api.lastIndexOf('.') + 1)));
  if (wanted.size === 0) return undefined;
  return [...wanted].filter((name) => called.has(name)).length / wanted.size;
}
