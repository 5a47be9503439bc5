/**
 * Judges what uses the name of an import that is gone or binds another name now.
 *
 *     try: from shop import Panel as Board
 *     except ImportError: Panel = None
 *     Panel(…)                               bound on the other way alone
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { mayBeUnset } from '../graph/resolve/last-assignments.js';
import { declarationsOfName } from '../graph/resolve/names.js';
import { D, F, R, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** A use of an import's name that nothing binds any more, or something else. */
export function unbound(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  if (site.expr < 0) return 'fine';
  const summary = after.summary(site.file);
  if (summary.exprs.roleOf(site.expr) === R.import) return 'fine';
  const name = summary.exprs.nameOf(site.expr);
  const newBinding = change.detail.import?.newBinding;
  const words = newBinding !== undefined ? `the import binds ${newBinding} now` : 'nothing binds the name now';
  const resolution = after.resolve(site.file, site.expr);
  const others = declarationsOfName(after, site.file, site.expr);
  if (others.some((decl) => summary.decls.kindOf(decl) !== D.importBinding)) {
    // What came with the edit was written to take the import's place.
    const stood = change.before === undefined ? undefined : before.repo.summary(change.before.file);
    if (stood === undefined || countAssigned(stood, name) < countAssigned(summary, name)) return 'fine';
    return mayBeUnset(summary, others, site.expr)
      ? breaks(`${words}, and only another branch assigns ${name}`, `${name} is unset where it was imported`)
      : may(`${words}, and what else is assigned to ${name} is read instead`);
  }
  if (resolution.targets.length > 0 && resolution.confidence === 'certain') return 'fine';
  return newBinding === undefined && isImportedAtTop(summary, name) ? 'fine' : breaks(words);
}

/** How often a file declares a name otherwise than by an import. */
const countAssigned = (summary: Summary, name: string): number => {
  const { decls } = summary;
  const row = summary.idOf(name);
  if (row < 0) return 0;
  return [...decls.named(row)].filter((decl) => decls.kindOf(decl) !== D.importBinding && !decls.has(decl, F.narrowing))
    .length;
};

/**
 * Whether another import at the top of the file binds the name, as one in each branch of a condition may; `import a.b`
 * binds `a` for what it has besides.
 */
const isImportedAtTop = ({ imports, decls }: Summary, name: string): boolean =>
  imports.some(
    ({ decl, module }) =>
      decl >= 0 && decls.scopeOf(decl) === 0 && decls.nameOf(decl) === name && !module.startsWith(`${name}.`),
  );
