/**
 * What is done to a value where it stands: through casts and awaits, and through the locals that hold it, within one
 * file.
 */
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Use } from '../syntax/parts.js';
import { D, E, R, type Summary } from '../syntax/summary.js';

/** Locals that hold one another are followed so far. */
const HOLDERS_MOST = 8;

export interface ValuePlace {
  readonly file: string;
  /** The row that is the value: a mention, a call. */
  readonly expr: number;
}

/** Uses of the value that are neither a cast nor a local without a declared type; undefined where too many hold it. */
export function usesOfValue(resolver: Resolver, { file, expr }: ValuePlace): readonly Use[] | undefined {
  const summary = resolver.summary(file);
  const uses: Use[] = [];
  const seen = new Set([expr]);
  const rows = [expr];
  let holders = 0;
  for (let at = rows.pop(); at !== undefined; at = rows.pop()) {
    for (const use of summary.exprs.usesOf(at)) {
      if (use.kind === 'same') rows.push(use.row);
      else if (use.kind !== 'value' || !isPlainLocal(summary, use.decl)) uses.push(use);
      else if (++holders > HOLDERS_MOST) return undefined;
      else rows.push(...mentionsOf(resolver, file, use.decl).filter((row) => !seen.has(row) && seen.add(row)));
    }
  }
  return uses;
}

const isPlainLocal = ({ decls }: Summary, decl: number): boolean =>
  decls.kindOf(decl) === D.local && decls.typeOf(decl) < 0;

function mentionsOf(resolver: Resolver, file: string, local: number): readonly number[] {
  const { exprs, decls } = resolver.summary(file);
  return [...exprs.named(decls.nameIdOf(local))].filter(
    (row) =>
      exprs.opOf(row) === E.name &&
      exprs.roleOf(row) !== R.declares &&
      resolver.resolve(file, row).targets.some((target) => target.file === file && target.decl === local),
  );
}
