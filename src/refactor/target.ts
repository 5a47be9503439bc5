/**
 * Where moved definitions are put in a file of modules (Python, TypeScript): at its end, or in front
 * of the first statement that needs one of them while the file is run.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { E, isFunctionLike, R, S, type Summary } from '../syntax/summary.js';
import { statementAt } from './cut.js';
import { lineAt } from '../syntax/line-at.js';

/** Offset at the start of a line, or the end of the text. */
export function placeIn(resolver: Resolver, file: string, text: string, moved: readonly DeclRef[]): number {
  const summary = resolver.summary(file);
  const afterImports = endOfImports(summary, text);
  const uses = usesAtRun(resolver, file, summary, moved).filter((at) => at >= afterImports);
  const first = uses.length === 0 ? undefined : statementAt(text, summary, lineAt(summary, Math.min(...uses)));
  if (first !== undefined) return aboveComments(text, first.start);
  const main = /^if __name__ == ['"]__main__['"]:/m.exec(text);
  return main !== null && resolver.language(file).offside ? aboveComments(text, main.index) : text.length;
}

/** Places where the file's own code, and not a function that is called later, says one of the definitions. */
function usesAtRun(resolver: Resolver, file: string, summary: Summary, moved: readonly DeclRef[]): number[] {
  const { exprs } = summary;
  const names = new Set(moved.map(({ file: from, decl }) => resolver.summary(from).decls.nameOf(decl)));
  const out: number[] = [];
  for (const name of names) {
    const row = summary.idOf(name);
    if (row < 0) continue;
    for (const expr of exprs.named(row)) {
      if (exprs.opOf(expr) !== E.name || exprs.roleOf(expr) === R.import || exprs.roleOf(expr) === R.doc) continue;
      if (isLater(summary, exprs.scopeOf(expr))) continue;
      if (resolver.resolve(file, expr).targets.some((target) => moved.some((ref) => sameDecl(ref, target))))
        out.push(exprs.startOf(expr));
    }
  }
  return out;
}

/** Whether code in the scope runs when a function is called. */
function isLater({ scopes, decls }: Summary, scope: number): boolean {
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (scopes.kindOf(s) === S.function && owner >= 0 && isFunctionLike(decls.kindOf(owner))) return true;
  }
  return false;
}

/** Behind the imports at the head of the file, and behind what stands in front of them. */
export function endOfImports(summary: Summary, text: string): number {
  const ends = summary.imports
    .filter(({ statementStart }) => text[statementStart - 1] === '\n' || statementStart === 0)
    .map(({ statementEnd }) => {
      const next = text.indexOf('\n', statementEnd);
      return next === -1 ? text.length : next + 1;
    });
  return Math.max(0, ...ends);
}

function aboveComments(text: string, lineStart: number): number {
  let from = lineStart;
  while (from > 0) {
    const above = text.lastIndexOf('\n', from - 2) + 1;
    if (!/^[ \t]*(?:#|\/\/)/.test(text.slice(above, from))) break;
    from = above;
  }
  return from;
}
