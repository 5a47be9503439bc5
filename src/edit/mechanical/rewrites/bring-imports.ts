/**
 * Imports that a moved definition needs: `clean` moved from `a.py`, which imports `re`, to `b.py`, so
 * `b.py` gets `import re`; what stands beside it in `a.py` is imported from there.
 *
 * What only checkers import (`if TYPE_CHECKING:`) is imported so again, and `try: import lz4` with what it does where
 * there is none goes along as it stands. An import under another condition is not brought along, nor is one that binds
 * several names at once.
 * Refused where the two files would import each other.
 */
import { applyEdits, type TextEdit } from '../../../base/text-edit.js';
import { boundAtTop, nameAt } from '../../../impact/moved-uses.js';
import type { AffectedSite } from '../../../impact/affected.js';
import { movedFiles } from '../../../impact/moved-files.js';
import { D, E, R, type ImportEntry, type Summary } from '../../../syntax/summary.js';
import { importEdits } from '../../import-merge.js';
import { importsFrom, newImport } from '../imports/add-import.js';
import { behindImports, belowGuard, guardOf, withGuard } from '../imports/guarded-import.js';
import {
  importInto,
  importStatements,
  listsValues,
  withModule,
  withoutNames,
  type ImportStatement,
} from '../imports/import-statement.js';
import { optionalImport } from '../imports/optional-import.js';
import { fileOf, moduleNameOfFile } from '../imports/module-name.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';

export const bringImports: Rewrite = {
  id: 'bring-imports',
  does: 'imports what a moved definition uses',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { block, site, summary, text } = context;
    if (site.rule !== 'moved-definition/Uses') return undefined;
    const edits: TextEdit[] = [];
    const found: Brought[] = [];
    const left: string[] = [];
    // All names at once; the same answer for each of the sites.
    for (const use of block.sites.filter((other) => other.rule === 'moved-definition/Uses')) {
      const brought = broughtFor(context, use);
      if (typeof brought === 'string') left.push(brought);
      else if (Array.isArray(brought)) edits.push(...brought);
      else found.push(brought);
    }
    const statements: string[] = [];
    const optional: string[] = [];
    const guarded: string[] = [];
    for (const names of inStatements([...found, ...guardNames(context, found)])) {
      const [first] = names;
      if (first === undefined) continue;
      const entries = names.flatMap(({ entry }) => entry ?? []);
      if (first.isOptional === true) {
        optional.push(first.statement(''));
        continue;
      }
      if (first.guard !== undefined) {
        guarded.push(first.statement(entries.join(', ')));
        continue;
      }
      const alike = importStatements(summary, text).filter(
        (statement) => !statement.isExport && listsValues(text, statement) === first.isValue,
      );
      const joined = entries.length === 0 ? undefined : importInto(text, alike, entries, first.module);
      if (joined !== undefined) edits.push(...joined);
      else statements.push(first.statement(entries.join(', ')));
    }
    const eol = text.includes('\r\n') ? '\r\n' : '\n';
    const added = importEdits(
      text,
      summary,
      statements.map((statement) => `${statement}\n`).join(''),
      eol,
      context.summarise,
    );
    if (!added.ok) left.push(added.reason);
    const plain = withOptional(context, added.ok ? added.edits : [], optional, eol);
    const all = [...edits, ...withGuarded(context, plain, found, guarded, eol)];
    const reason = left.join('; ');
    if (all.length === 0) return { cannot: reason, needs: 'model' };
    return left.length === 0 ? { edits: all } : { edits: all, open: { reason, needs: 'model' } };
  },
};

/** An import of the old file as the new one needs it. */
interface Brought {
  readonly module: string;
  /** The name as it is listed; undefined for an import of one thing as a whole. */
  readonly entry?: string;
  readonly isValue: boolean;
  /** Where the statement stands in the old file. */
  readonly at: number;
  /** The condition below which only checkers see it. */
  readonly guard?: string;
  /** Whether it is a whole statement that tries to import, and goes along as it stands. */
  readonly isOptional?: true;
  readonly statement: (entries: string) => string;
}

/** Names that stood in one statement stay in one; in the order of the old file. */
function inStatements(found: readonly Brought[]): Brought[][] {
  const byStatement = new Map<number, Brought[]>();
  for (const one of [...found].sort((a, b) => a.at - b.at))
    byStatement.set(one.at, [...(byStatement.get(one.at) ?? []), one]);
  return [...byStatement.values()];
}

/** What the guard's own condition needs, where the file has no such guard. */
function guardNames(context: RewriteSite, found: readonly Brought[]): Brought[] {
  const { graphs, block, summary, site, text } = context;
  const guard = found.find((one) => one.guard !== undefined)?.guard;
  const oldFile = site.cause.before?.file ?? '';
  if (guard === undefined || hasGuard(context, text)) return [];
  const { unevaluated } = graphs.after.language(block.file).writing;
  const old = graphs.before.summary(oldFile);
  const needed = [
    old.imports.find((entry) => entry.module === unevaluated?.module && entry.name === unevaluated.name),
    old.imports.find((entry) => entry.decl >= 0 && old.decls.nameOf(entry.decl) === guard.split('.')[0]),
  ];
  return needed.flatMap((entry) =>
    entry === undefined || boundAtTop(summary, old.decls.nameOf(entry.decl)) >= 0
      ? []
      : (ofImport(context, oldFile, entry) ?? []),
  );
}

const hasGuard = ({ graphs, block }: RewriteSite, text: string): boolean => {
  const guard = graphs.after.language(block.file).writing.checkersGuard;
  return guard !== undefined && text.split('\n').some((line) => guard.test(line));
};

/** The edits with the imports for checkers alone: below the file's guard, or below one of their own. */
function withGuarded(
  { graphs, block, text, summary, summarise }: RewriteSite,
  added: readonly TextEdit[],
  found: readonly Brought[],
  lines: readonly string[],
  eol: string,
): readonly TextEdit[] {
  const guard = graphs.after.language(block.file).writing.checkersGuard;
  const condition = found.find((one) => one.guard !== undefined)?.guard;
  if (guard === undefined || condition === undefined || lines.length === 0) return added;
  const below = belowGuard(text, guard, lines, eol);
  return below === undefined ? withGuard(text, summary, added, condition, lines, eol, summarise) : [...added, ...below];
}

/** The edits with statements that try to import, behind the other imports. */
function withOptional(
  { text, summary, summarise }: RewriteSite,
  added: readonly TextEdit[],
  statements: readonly string[],
  eol: string,
): readonly TextEdit[] {
  if (statements.length === 0) return added;
  const block = statements.map((statement) => statement.replace(/\r?\n/g, eol)).join(eol);
  return behindImports(text, summary, added, { block, like: 'import anything' }, eol, summarise);
}

/** The statement of the old file that tries to import the name, where the new one has none of what it binds. */
function optionallyImported(
  { graphs, summary, texts }: RewriteSite,
  oldFile: string,
  decl: number,
): Brought | undefined {
  const old = graphs.before.summary(oldFile);
  const text = texts.before(oldFile) ?? '';
  if (decl < 0 || !graphs.before.language(oldFile).offside) return undefined;
  const statement = optionalImport(text, old, old.decls.startOf(decl));
  if (statement === undefined || statement.names.some((name) => boundAtTop(summary, name) >= 0)) return undefined;
  const { start, end } = statement;
  return { module: '', isValue: true, at: start, isOptional: true, statement: () => text.slice(start, end) };
}

/** How the name of a site comes to be bound, or why it does not. */
function broughtFor(context: RewriteSite, use: AffectedSite): Brought | TextEdit[] | string {
  const { graphs, summary } = context;
  const name = nameAt(summary, use.expr);
  const oldFile = use.cause.before?.file ?? '';
  const old = graphs.before.summary(oldFile);
  const decl = boundAtTop(old, name);
  const entry = old.decls.kindOf(decl) === D.importBinding ? old.imports.find((one) => one.decl === decl) : undefined;
  const optional = optionallyImported(context, oldFile, decl);
  if (optional !== undefined) return optional;
  if (entry !== undefined && isOwnModule(context, oldFile, entry)) return throughItself(context, use, name);
  if (entry !== undefined) return ofImport(context, oldFile, entry) ?? `${name} is not imported here`;
  const target = boundAtTop(graphs.after.summary(oldFile), name);
  if (target < 0) return `${name} is not bound here`;
  const made = newImport(context, { file: oldFile, decl: target });
  if ('cannot' in made) return made.cannot;
  return { ...made, entry: made.name, at: made.isValue ? Infinity : Number.MAX_VALUE };
}

/** Whether the import is of the module that the definition is in now. */
function isOwnModule({ graphs, block }: RewriteSite, oldFile: string, entry: ImportEntry): boolean {
  return (
    entry.expr >= 0 &&
    graphs.before.resolve(oldFile, entry.expr).targets.some((target) => target.decl < 0 && target.file === block.file)
  );
}

/** `words.plain(x)` in `words` itself: `plain(x)`. */
function throughItself({ summary }: RewriteSite, use: AffectedSite, name: string): TextEdit[] | string {
  const { exprs, decls } = summary;
  const { after } = use.cause;
  const edits: TextEdit[] = [];
  for (const expr of exprs.named(summary.idOf(name))) {
    const at = exprs.startOf(expr);
    const isMoved = after !== undefined && at >= decls.startOf(after.decl) && at < decls.endOf(after.decl);
    if (!isMoved || exprs.opOf(expr) !== E.name || exprs.roleOf(expr) === R.import || exprs.roleOf(expr) === R.doc)
      continue;
    const member = exprs.wholeBy(expr, E.member);
    if (member < 0) return `${name} is the file itself, and used as a value`;
    edits.push({ start: at, end: exprs.startOf(member), text: '' });
  }
  return edits.length === 0 ? `${name} is not bound here` : edits;
}

/** The guard of an import that only checkers run. */
function guardAbove({ graphs, block }: RewriteSite, text: string, statement: ImportStatement): string | undefined {
  const { checkersGuard } = graphs.after.language(block.file).writing;
  return checkersGuard === undefined ? undefined : guardOf(text, statement, checkersGuard);
}

/**
 * Whether the file leaves annotations alone as the one did that the definition comes from; a new one can be made to.
 */
function leavesAnnotations({ graphs, block, summary }: RewriteSite, oldFile: string): boolean {
  const { unevaluated } = graphs.after.language(block.file).writing;
  const says = ({ imports }: Summary): boolean =>
    imports.some((entry) => entry.module === unevaluated?.module && entry.name === unevaluated.name);
  return says(summary) || !graphs.before.repo.hasFile(block.file) || !says(graphs.before.summary(oldFile));
}

function ofImport(context: RewriteSite, oldFile: string, entry: ImportEntry): Brought | undefined {
  const { graphs, changes, block, texts } = context;
  const text = texts.before(oldFile) ?? '';
  const statement = importStatements(graphs.before.summary(oldFile), text).find(
    (one) => one.moduleStart === entry.moduleStart,
  );
  const named = fileOf(graphs.before, entry.module, oldFile);
  const target =
    named === undefined || graphs.after.repo.hasFile(named) ? named : movedFiles(graphs, changes).get(named);
  if (named !== undefined && target === undefined) return undefined;
  const module =
    target === undefined ? entry.module : moduleNameOfFile(graphs, block.file, oldFile, target, entry.module);
  if (statement === undefined || module === undefined) return undefined;
  const above = guardAbove(context, text, statement);
  if (above === undefined && statement.start > 0 && text[statement.start - 1] !== '\n') return undefined;
  const guard = above !== undefined && leavesAnnotations(context, oldFile) ? above : undefined;
  if (above !== guard && target !== undefined && importsFrom(context, target)) return undefined;
  const written = text.slice(statement.start, statement.end);
  const isValue = listsValues(text, statement);
  if (entry.kind === 'name' && entry.name !== 'default')
    return {
      module,
      entry: text.slice(entry.start, entry.end),
      isValue,
      at: statement.start,
      ...(guard === undefined ? {} : { guard }),
      statement: (entries) =>
        graphs.after.language(block.file).writing.importStatement(module, entries, undefined, written),
    };
  const others = withoutNames(
    text,
    statement,
    statement.names.filter(({ start }) => start !== entry.start),
  );
  if (statement.names.length > 1 && others === undefined) return undefined;
  const alone = applyEdits(text, [
    ...(statement.names.length > 1 ? (others ?? []) : []),
    withModule(statement, module),
  ]);
  const length = statement.end - statement.start + alone.length - text.length;
  return {
    module,
    isValue,
    at: entry.start,
    ...(guard === undefined ? {} : { guard }),
    statement: () => alone.slice(statement.start, statement.start + length),
  };
}
