/**
 * Names that are spelled outside of code and follow a rename all the same: in documentation
 * comments by the language's convention (`:param x:`, `@param x`, `{@link}`, `<see cref>`), and in a
 * module's list of exported names (`__all__`).
 *
 * No rule of the table reaches them, since they make no edge of the graph. A documentation comment
 * cannot break anything, a list of exports can. Only what led to the declaration before the edit
 * counts; other strings that spell the name are reported as undecided.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { blockOf } from '../graph/refer/site.js';
import { isDocumentedAs } from '../graph/resolve/doc-signature.js';
import { signatureOf } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Graphs } from './graphs.js';
import { typeParametersRenamedBy } from './predicates.js';
import { sameDecl } from '../syntax/rows.js';

interface Renamed {
  readonly from: string;
  readonly to: string;
  readonly target: DeclRef;
  readonly cause: AtomicChange;
}

/** Blocks that spell a renamed declaration or parameter, in the edited tree. Sorted by file and position. */
export function spelledNames(graphs: Graphs, changes: readonly AtomicChange[]): AffectedBlock[] {
  const found = new AffectedBlocks();
  for (const renamed of changes.flatMap((change) => renamedBy(graphs, change))) {
    for (const file of graphs.after.repo.filesMentioning(renamed.from)) {
      const summary = graphs.after.summary(file);
      for (const { expr, rule } of [
        ...docRows(graphs, file, summary, renamed),
        ...exportRows(graphs, file, summary, renamed),
      ]) {
        const decl = rule === 'documentation' ? blockOf(summary, expr) : -1;
        const tier = rule === 'documentation' ? 'may' : 'breaks';
        const reason =
          rule === 'documentation'
            ? `Its documentation names ${renamed.from}, which is named ${renamed.to} now.`
            : `The list of exported names has ${renamed.from}, which is named ${renamed.to} now.`;
        found.add(file, decl, {
          expr,
          tier,
          confidence: 'certain',
          reason,
          rule,
          relation: 'UsedBy',
          cause: { ...renamed.cause, detail: { rename: { from: renamed.from, to: renamed.to } } },
        });
      }
    }
  }
  return found.sorted();
}

/** The declaration, its parameters and type parameters that a change gave other names. */
function renamedBy(graphs: Graphs, change: AtomicChange): Renamed[] {
  const { before, detail } = change;
  if (before === undefined || before.decl < 0) return [];
  const types = [...graphs.before.summary(before.file).decls.typeParamsOf(before.decl)];
  const own = [
    ...(detail.rename === undefined ? [] : [{ ...detail.rename, target: before, cause: change }]),
    ...typeParametersRenamedBy(graphs, change).flatMap(({ from, to }) => {
      const decl = types.find((row) => graphs.before.summary(before.file).decls.nameOf(row) === from);
      return decl === undefined ? [] : [{ from, to, target: { file: before.file, decl }, cause: change }];
    }),
  ];
  const renamed = detail.signature?.renamed ?? [];
  if (renamed.length === 0) return own;
  const { params } = signatureOf(graphs.before.summary(before.file), before.decl);
  return [
    ...own,
    ...renamed.flatMap(({ from, to }) => {
      const param = params.find((candidate) => candidate.name === from);
      return param === undefined ? [] : [{ from, to, target: { file: before.file, decl: param.decl }, cause: change }];
    }),
  ];
}

interface SpelledRow {
  readonly expr: number;
  readonly rule: 'documentation' | 'export-list';
}

/**
 * Rows in documentation that led to the target and lead nowhere any more, or to an overload with other parameters than
 * they write.
 */
function docRows(graphs: Graphs, file: string, summary: Summary, { from, target, cause }: Renamed): SpelledRow[] {
  const oldFile = file === cause.after?.file && cause.before !== undefined ? cause.before.file : file;
  const old = graphs.before.repo.summary(oldFile);
  if (old === undefined) return [];
  const meant = rowsInDocs(old, from);
  const isTarget = (found: DeclRef): boolean => sameDecl(found, target);
  const leads = (expr: number): boolean => {
    if (oldFile === target.file && isOfConstructor(old, expr, target.decl)) return true;
    return graphs.before.resolve(oldFile, expr).targets.some(isTarget) && !isNameFirst(graphs, oldFile, old, expr);
  };
  const now = rowsInDocs(summary, from);
  // As many as before: the n-th is the n-th.
  const rows =
    now.length === meant.length
      ? now.filter((_, i) => leads(meant[i] as number))
      : meant.length > 0 && meant.every(leads)
        ? now
        : [];
  const isElsewhere = (expr: number, found: DeclRef): boolean =>
    summary.exprs.documentedTypesOf(expr) === undefined || isDocumentedAs(graphs.after, file, expr, found);
  return rows
    .filter((expr) => !graphs.after.resolve(file, expr).targets.some((found) => isElsewhere(expr, found)))
    .map((expr) => ({ expr, rule: 'documentation' }));
}

/**
 * Whether the row is a word for a parameter in a class's documentation, and the parameter is one of its constructor.
 */
function isOfConstructor({ exprs, decls, scopes }: Summary, expr: number, parameter: number): boolean {
  const owner = scopes.ownerOf(decls.scopeOf(parameter));
  return (
    exprs.opOf(expr) === E.string &&
    decls.kindOf(parameter) === D.param &&
    owner >= 0 &&
    decls.kindOf(owner) === D.constructor &&
    scopes.blockOf(exprs.scopeOf(expr)) === decls.parentOf(owner)
  );
}

/** Whether the row stands for a member of the class around, and the same word means something by itself. */
function isNameFirst({ before }: Graphs, file: string, { exprs }: Summary, expr: number): boolean {
  const base = exprs.operandOf(expr);
  if (exprs.opOf(expr) !== E.member || exprs.opOf(base) !== E.this) return false;
  const bare = base - 1;
  return (
    bare >= 0 &&
    exprs.opOf(bare) === E.name &&
    exprs.roleOf(bare) === R.doc &&
    exprs.startOf(bare) === exprs.startOf(expr) &&
    before.resolve(file, bare).targets.length > 0
  );
}

function rowsInDocs(summary: Summary, name: string): number[] {
  const row = summary.idOf(name);
  if (row < 0) return [];
  return [...summary.exprs.named(row)]
    .filter((expr) => summary.exprs.roleOf(expr) === R.doc)
    .sort((a, b) => summary.exprs.startOf(a) - summary.exprs.startOf(b));
}

/** Entries of the file's export list that stood for the target, where nothing goes on under its old name. */
function exportRows(graphs: Graphs, file: string, summary: Summary, { from, target }: Renamed): SpelledRow[] {
  if (!graphs.before.repo.hasFile(file)) return [];
  if (graphs.after.topLevel(file, from).some(({ kind }) => kind === 'decl')) return [];
  const entries = summary.exports.filter(
    (entry) =>
      entry.module === undefined &&
      entry.local === from &&
      entry.expr >= 0 &&
      summary.exprs.opOf(entry.expr) === E.string,
  );
  if (
    entries.length === 0 ||
    !graphs.before.topLevel(file, from).some((found) => found.kind === 'decl' && sameDecl(found, target))
  )
    return [];
  return entries.map(({ expr }) => ({ expr, rule: 'export-list' }));
}
