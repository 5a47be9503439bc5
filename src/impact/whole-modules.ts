/**
 * Modules that are taken as a value: spread into an object, given away, handed on. Who does so has all that the module
 * exports, and says none of its names.
 *
 *     import * as math from './math';     export const filters: Record<string, Filter> = { ...math };
 *
 * Errs towards missing: what another module passes on by `export *`.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import type { Given } from '../graph/refer/given.js';
import { blockOf } from '../graph/refer/site.js';
import { expectedWhere } from '../graph/resolve/expected.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import type { ExprRow } from '../syntax/rows.js';
import { E, F, isBlockKind, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

export function* takersOfWholeModules({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  const { after } = graphs;
  for (const change of edit.changes) {
    const what = wordsFor(graphs, change);
    if (what === undefined || after.repo.summary(change.file) === undefined) continue;
    const files = yield* piece(() => filesTakingWhole(graphs));
    for (const found of yield* pieces(files, (file) => takersIn(after, file, change.file, what.isOther)))
      for (const { file, expr } of found) {
        const summary = after.summary(file);
        const block = blockOf(summary, expr);
        const path = block < 0 ? '<module>' : summary.decls.pathOf(block);
        out.addOnce(file, block, {
          expr,
          tier: 'may',
          confidence: 'possible',
          reason: `${path} has all of ${change.file} as a value: ${what.fact}.`,
          fact: what.fact,
          rule: 'whole-module',
          relation: 'UsedBy',
          cause: change,
        });
      }
  }
  return out.sorted();
}

/** What the module has otherwise now, in words, and whether its values are others; undefined where nobody can tell. */
function wordsFor(
  { before, after }: Graphs,
  change: AtomicChange,
): { readonly fact: string; readonly isOther: boolean } | undefined {
  const { before: was, after: is, detail } = change;
  const name = topName(before, was) ?? topName(after, is);
  if (name === undefined || was === undefined) return undefined;
  if (is === undefined || detail.modifiers?.removed.includes('exported') === true)
    return { fact: `it has no ${name} any more`, isOther: true };
  if (detail.rename !== undefined)
    return { fact: `its ${detail.rename.from} is called ${detail.rename.to} now`, isOther: true };
  if (detail.move !== undefined) return { fact: `its ${name} is in another file now`, isOther: true };
  if (detail.type !== undefined || detail.valueOnly === true)
    return { fact: `its ${name} is of another kind now`, isOther: true };
  return detail.signature === undefined
    ? undefined
    : { fact: `its ${name} takes or gives something else now`, isOther: false };
}

/** The name of a block at the top of a file that others can see. */
function topName(resolver: Resolver, ref: DeclRef | undefined): string | undefined {
  if (ref === undefined || ref.decl < 0) return undefined;
  const { decls } = resolver.summary(ref.file);
  const isSeen = decls.parentOf(ref.decl) < 0 && isBlockKind(decls.kindOf(ref.decl)) && decls.has(ref.decl, F.exported);
  return isSeen && resolver.language(ref.file).importsFiles ? decls.nameOf(ref.decl) : undefined;
}

/** Files that take some module as a value: known of the tree before for all keystrokes, and of edited ones anew. */
function filesTakingWhole({ before, after }: Graphs): ReadonlySet<string> {
  const known = before.repo.memo('files that take modules whole', () => {
    const of = [...before.repo.files].filter(([, summary]) => rowsTakingWhole(summary).length > 0);
    return new Set(of.map(([file]) => file));
  });
  const edited = after.repo.snapshot.differingFrom(before.repo.snapshot);
  return new Set([...known, ...edited].filter((file) => after.repo.summary(file) !== undefined));
}

/** Rows that name an imported module, and take it as a value. */
function rowsTakingWhole(summary: Summary): ExprRow[] {
  const { exprs, imports, decls } = summary;
  const names = imports.flatMap(({ kind, decl }) => (kind === 'module' && decl >= 0 ? [decls.nameOf(decl)] : []));
  return [...new Set(names)].flatMap((name) =>
    [...exprs.named(summary.idOf(name))].filter(
      (row) =>
        exprs.opOf(row) === E.name &&
        exprs.roleOf(row) === R.read &&
        exprs.usesOf(row).some(({ kind }) => TAKING.has(kind)),
    ),
  );
}

/**
 * Where a file takes the module so; what functions take and give matters only where it is spread, or given for a type.
 */
function takersIn(after: Resolver, file: string, module: string, isOther: boolean): Given[] {
  const summary = after.summary(file);
  return rowsTakingWhole(summary).flatMap((expr) => {
    const isSpread = summary.exprs.usesOf(expr).some(({ kind }) => kind === 'base');
    if (!isOther && !isSpread && expectedWhere(after, file, expr) === undefined) return [];
    const isMeant = after.typeOf(file, expr).values.some((value) => value.kind === 'module' && value.file === module);
    return isMeant ? [{ file, expr }] : [];
  });
}

const TAKING: ReadonlySet<string> = new Set(['base', 'argument', 'entry', 'value', 'result']);
