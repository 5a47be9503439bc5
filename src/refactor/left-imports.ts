/**
 * Imports that a file did for what has left it:
 *
 *     import re                         (gone)
 *     from typing import Any, List  ->  from typing import Any
 *
 * Only what the moved definitions used goes, and only where nobody else can see it: the name is said nowhere in what
 * stays (a comment counts), no list of exports has it, and no other file takes it from here. An import under a
 * condition stays, but for one that checkers alone do; so does one in a package's own file, and one that says why.
 */
import { stemOf } from '../base/paths.js';
import type { TextEdit } from '../base/text-edit.js';
import { guardOf } from '../edit/mechanical/imports/guarded-import.js';
import {
  importStatements,
  isAtMargin,
  withoutNames,
  type ImportStatement,
  type ListedName,
} from '../edit/mechanical/imports/import-statement.js';
import { fileOf } from '../edit/mechanical/imports/module-name.js';
import { isFolderFile } from '../languages/folder-file.js';
import { D, E, R, type ImportEntry, type Summary } from '../syntax/summary.js';
import type { Piece } from './pieces.js';
import { textOf, type Sources } from './seed.js';

/** What takes the imports out of `file` that only `pieces` of it used; nothing of the pieces is touched. */
export function importsLeft(sources: Sources, file: string, pieces: readonly Piece[]): TextEdit[] {
  const { resolver } = sources;
  const summary = resolver.summary(file);
  if (isFolderFile(file) || isTakenWhole(sources, file)) return [];
  const text = textOf(sources, file);
  return importStatements(summary, text).flatMap((statement): readonly TextEdit[] => {
    if (!mayGo(sources, file, text, statement) || pieces.some((piece) => isIn(piece, statement.start))) return [];
    const gone = statement.names.filter((name) => isLeft(sources, file, statement, name, pieces));
    if (gone.length === 0 || (gone.length === statement.names.length && isAlone(text, statement))) return [];
    return withoutNames(text, statement, gone) ?? [];
  });
}

const isIn = ({ start, end }: Pick<Piece, 'start' | 'end'>, at: number): boolean => at >= start && at < end;

/** Whether another file takes all that the file has, and so may use what it imports. */
const isTakenWhole = ({ resolver }: Sources, file: string): boolean =>
  [...resolver.repo.files].some(
    ([path, { imports, exports }]) =>
      path !== file &&
      (imports.some((entry) => entry.kind === 'star' && fileOf(resolver, entry.module, path) === file) ||
        exports.some(
          (entry) => entry.module !== undefined && entry.local === '*' && fileOf(resolver, entry.module, path) === file,
        )),
  );

function mayGo({ resolver }: Sources, file: string, text: string, statement: ImportStatement): boolean {
  const lineEnd = text.indexOf('\n', statement.end);
  const comment = /(?:#|\/\/|\/\*)/.test(text.slice(statement.end, lineEnd === -1 ? text.length : lineEnd));
  if (statement.isExport || comment || statement.module === '__future__') return false;
  const guard = resolver.language(file).writing.checkersGuard;
  return isAtMargin(text, statement) || (guard !== undefined && guardOf(text, statement, guard) !== undefined);
}

/** Whether it is the only line below a condition, which cannot do without one. */
function isAlone(text: string, statement: ImportStatement): boolean {
  if (isAtMargin(text, statement)) return false;
  const above = text.slice(0, statement.start).trimEnd();
  const below = text.slice(statement.end).replace(/^[^\n]*\n(?:[ \t]*\r?\n)*/, '');
  return above.endsWith(':') && !/^[ \t]/.test(below);
}

function isLeft(
  sources: Sources,
  file: string,
  statement: ImportStatement,
  listed: ListedName,
  pieces: readonly Piece[],
): boolean {
  const { resolver } = sources;
  const summary = resolver.summary(file);
  const entry = summary.imports.find((one) => one.start === listed.start && one.moduleStart === statement.moduleStart);
  if (entry === undefined || entry.decl < 0 || entry.kind === 'star') return false;
  const bound = summary.decls.nameOf(entry.decl);
  const written = textOf(sources, file).slice(entry.start, entry.end);
  // `x as x` says that others may take it from here; classic JSX needs `React` without a word of it.
  if (new RegExp(String.raw`\b${escaped(bound)}\s+as\s+${escaped(bound)}$`).test(written) || bound === 'React')
    return false;
  const said = saidBy(entry, bound);
  return (
    isUsedIn(summary, bound, pieces) &&
    isNotSaid(textOf(sources, file), said, [...pieces, { start: statement.start, end: statement.end }]) &&
    (said === bound || isNotSaid(textOf(sources, file), bound, [...pieces, ...rangesOf(summary)])) &&
    !isTakenByOthers(sources, file, bound)
  );
}

/** What code says to use the import: `a.b` for `import a.b`, which binds `a`. */
const saidBy = (entry: ImportEntry, bound: string): string =>
  entry.kind === 'module' && entry.module.startsWith(`${bound}.`) ? entry.module : bound;

const rangesOf = ({ imports }: Summary): { start: number; end: number }[] =>
  imports.map((entry) => ({ start: entry.statementStart, end: entry.statementEnd }));

function isUsedIn(summary: Summary, name: string, pieces: readonly Piece[]): boolean {
  const { exprs } = summary;
  for (const expr of exprs.named(summary.idOf(name)))
    if (
      exprs.opOf(expr) === E.name &&
      exprs.roleOf(expr) !== R.import &&
      exprs.roleOf(expr) !== R.doc &&
      pieces.some((piece) => isIn(piece, exprs.startOf(expr)))
    )
      return true;
  return false;
}

/** Whether no word of the text outside of the ranges is the name. */
function isNotSaid(
  text: string,
  name: string,
  outside: readonly { readonly start: number; readonly end: number }[],
): boolean {
  for (const { index } of text.matchAll(wordOf(escaped(name))))
    if (!outside.some(({ start, end }) => index >= start && index < end)) return false;
  return true;
}

/** Whether another file imports the name from here, or says it behind the file's own name, in code or in a text. */
export function isTakenByOthers(sources: Sources, file: string, name: string): boolean {
  const { resolver } = sources;
  return resolver.repo.filesMentioning(name).some((path) => {
    if (path === file) return false;
    const { imports, decls, exports } = resolver.summary(path);
    const isTaken =
      imports.some((entry) => entry.name === name && fileOf(resolver, entry.module, path) === file) ||
      exports.some(
        ({ local, module }) => local === name && module !== undefined && fileOf(resolver, module, path) === file,
      );
    const called = imports
      .filter((entry) => entry.decl >= 0 && decls.kindOf(entry.decl) === D.importBinding)
      .filter(
        ({ expr }) => expr >= 0 && resolver.resolve(path, expr).targets.some((to) => to.file === file && to.decl < 0),
      )
      .map((entry) => decls.nameOf(entry.decl));
    const behind = [stemOf(file), ...called].map(escaped).join('|');
    return isTaken || wordOf(String.raw`(?:${behind})\.${escaped(name)}`).test(sources.text(path) ?? '');
  });
}

const escaped = (name: string): string => name.replace(/[$.]/g, String.raw`\$&`);
const wordOf = (pattern: string): RegExp => new RegExp(String.raw`(?<![\w$])${pattern}(?![\w$])`, 'g');
