/**
 * One import or re-export statement as rewrites see it: which names it lists, from where, and the
 * edits that point it, or some of its names, at another module.
 *
 *     from .a import x, y  # x moved to b   ->   from .a import y
 *                                                from .b import x
 */
import type { TextEdit } from '../../../base/text-edit.js';
import type { SourceWriting } from '../../../languages/writing.js';
import type { Summary } from '../../../syntax/summary.js';
import { dropItems, editList, type WantedItem } from '../calls/list-edit.js';

export interface ListedName {
  /** Row of the imported name; -1 for none. */
  readonly expr: number;
  /** Imported name; `*` for all, '' for the module itself. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

export interface ImportStatement {
  readonly start: number;
  readonly end: number;
  readonly module: string;
  readonly moduleStart: number;
  readonly isExport: boolean;
  readonly names: readonly ListedName[];
}

/**
 * Statements of the file that name a module, in order. A re-export whose module cannot be found in the text is left
 * out.
 */
export function importStatements(summary: Summary, text: string): ImportStatement[] {
  const byStart = new Map<
    string,
    { start: number; end: number; module: string; moduleStart: number; isExport: boolean; names: ListedName[] }
  >();
  for (const entry of summary.imports) {
    const name = {
      expr: entry.expr,
      name: entry.kind === 'star' ? '*' : entry.name,
      start: entry.start,
      end: entry.end,
    };
    const key = `${entry.moduleStart}`;
    const known = byStart.get(key);
    if (known === undefined)
      byStart.set(key, {
        start: entry.statementStart,
        end: entry.statementEnd,
        module: entry.module,
        moduleStart: entry.moduleStart,
        isExport: false,
        names: [name],
      });
    else known.names.push(name);
  }
  for (const entry of summary.exports) {
    if (entry.module === undefined) continue;
    const source = exportSource(text, entry.start, entry.module);
    if (source === undefined) continue;
    const name = { expr: entry.expr, name: entry.local, start: entry.start, end: entry.end };
    const known = byStart.get(`${source.moduleStart}`);
    if (known === undefined)
      byStart.set(`${source.moduleStart}`, { ...source, module: entry.module, isExport: true, names: [name] });
    else known.names.push(name);
  }
  return [...byStart.values()].sort((a, b) => a.start - b.start);
}

/** Where the module of `export { x } from 'm'` stands. */
function exportSource(
  text: string,
  from: number,
  module: string,
): { start: number; end: number; moduleStart: number } | undefined {
  const start = text.lastIndexOf('export', from);
  const found = /\bfrom\s*(['"])/g;
  found.lastIndex = Math.max(start, 0);
  const match = found.exec(text);
  if (start < 0 || match === null) return undefined;
  const moduleStart = match.index + match[0].length;
  if (!text.startsWith(module, moduleStart)) return undefined;
  const end = moduleStart + module.length + 1;
  return { start, end: text[end] === ';' ? end + 1 : end, moduleStart };
}

/** The statement names another module. */
export function withModule(statement: Pick<ImportStatement, 'module' | 'moduleStart'>, module: string): TextEdit {
  return { start: statement.moduleStart, end: statement.moduleStart + statement.module.length, text: module };
}

/**
 * The statement without some of its names; without all of them it goes with its line. Undefined where that cannot be
 * told apart from other code.
 */
export function withoutNames(
  text: string,
  statement: ImportStatement,
  dropped: readonly ListedName[],
): TextEdit[] | undefined {
  if (dropped.length === statement.names.length) {
    const line = ownLines(text, statement);
    return line === undefined ? undefined : [{ ...line, text: '' }];
  }
  // `import Whole, { part }`: the brace belongs to what is inside.
  const inside = statement.names.filter((name) => text.slice(statement.start, name.start).includes('{'));
  const list = inside.length === 0 ? statement.names : inside;
  const left = list.filter((name) => !dropped.includes(name));
  if (left.length === list.length || left.length === 0 || dropped.some((name) => !list.includes(name)))
    return withoutPart(text, statement, inside, dropped);
  return dropItems(
    text,
    list,
    dropped.map((name) => list.indexOf(name)),
  );
}

/** `import Whole, { part }` without the one or the other. Undefined where it is neither that is dropped. */
function withoutPart(
  text: string,
  { names, end }: ImportStatement,
  inside: readonly ListedName[],
  dropped: readonly ListedName[],
): TextEdit[] | undefined {
  const [whole, ...more] = names.filter((name) => !inside.includes(name));
  if (whole === undefined || more.length > 0 || inside.length === 0) return undefined;
  const braces = /^\s*,\s*(\{[^{}]*\})/.exec(text.slice(whole.end, end));
  if (braces?.[1] === undefined) return undefined;
  const close = whole.end + braces[0].length;
  if (dropped.length === inside.length && !dropped.includes(whole)) return [{ start: whole.end, end: close, text: '' }];
  return dropped.length === 1 && dropped[0] === whole
    ? [{ start: whole.start, end: close - braces[1].length, text: '' }]
    : undefined;
}

/**
 * A statement below `statement` that imports some of its names from another module. Undefined if it cannot be put
 * there.
 */
export function importBelow(
  text: string,
  statement: ImportStatement,
  names: readonly string[],
  module: string,
  writing: SourceWriting,
): readonly TextEdit[] | undefined {
  const like = text.slice(statement.start, statement.end);
  const written = writing.importStatement(module, names.join(', '), undefined, like);
  const edit = statementBelow(text, statement, statement.isExport ? written.replace(/^import/, 'export') : written);
  return edit === undefined ? undefined : [edit];
}

/** A line of its own below the statement, as far in. Undefined if it cannot be put there. */
export function statementBelow(text: string, statement: ImportStatement, written: string): TextEdit | undefined {
  const lines = ownLines(text, statement);
  if (lines === undefined) return undefined;
  const eol = text.slice(lines.start, lines.end).endsWith('\r\n') ? '\r\n' : '\n';
  const line = lines.indent + written;
  const isLast = lines.end === text.length && !text.endsWith('\n');
  return { start: lines.end, end: lines.end, text: isLast ? eol + line : line + eol };
}

/**
 * The names put into the one of `statements` that lists names of that module already, in order where
 * its names are. Undefined if there is none.
 */
export function importInto(
  text: string,
  statements: readonly ImportStatement[],
  names: readonly string[],
  module: string,
): readonly TextEdit[] | undefined {
  const other = statements.find(
    (candidate) => candidate.module === module && isAtMargin(text, candidate) && listOf(text, candidate).length > 0,
  );
  if (other === undefined) return undefined;
  const list = listOf(text, other);
  const written = list.map((name) => text.slice(name.start, name.end));
  const isSorted = written.every((name, i) => i === 0 || order(written[i - 1] as string, name) <= 0);
  const items = written.map((name, from): WantedItem => ({ from, text: name }));
  for (const name of names.filter((wanted) => !written.includes(wanted))) {
    const at = isSorted ? items.findIndex((item) => order(item.text, name) > 0) : -1;
    items.splice(at === -1 ? items.length : at, 0, { text: name });
  }
  return editList(text, list, items, (list[0] as ListedName).start);
}

const order = (a: string, b: string): number =>
  a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0;

/** Other statements of the same kind: imports, imports of types, re-exports. */
export const alikeTo = (
  text: string,
  statements: readonly ImportStatement[],
  statement: ImportStatement,
): ImportStatement[] =>
  isAtMargin(text, statement)
    ? statements.filter(
        (other) =>
          other !== statement &&
          other.isExport === statement.isExport &&
          wordsBefore(text, other) === wordsBefore(text, statement),
      )
    : [];

/** Whether what the statement names can be used as a value in the file. */
export const listsValues = (text: string, statement: ImportStatement): boolean =>
  !statement.isExport && !/\stype$/.test(wordsBefore(text, statement));

/** What is imported elsewhere is so under a condition, or in one function. */
export const isAtMargin = (text: string, { start }: ImportStatement): boolean =>
  start === 0 || /[\n\uFEFF]/.test(text[start - 1] as string);

/** What tells kinds of imports apart: `import`, `import type`, `from`. */
const wordsBefore = (text: string, statement: ImportStatement): string =>
  /^(?:\w+\s+type\b|\w+)/.exec(text.slice(statement.start, statement.end))?.[0].replace(/\s+/g, ' ') ?? '';

/** The names that stand in a list: in braces, or behind `import` where the module is named first. */
function listOf(text: string, statement: ImportStatement): readonly ListedName[] {
  const inBraces = statement.names.filter((name) => text.slice(statement.start, name.start).includes('{'));
  const listed = inBraces.length > 0 ? inBraces : statement.names.filter((name) => name.start > statement.moduleStart);
  return listed.every((name) => name.expr >= 0 && name.name !== '*') ? listed : [];
}

/** The lines of a statement that stands alone on them, line break included. */
function ownLines(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
): { start: number; end: number; indent: string } | undefined {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(lineStart, start);
  const rest = /^[ \t]*;?[ \t]*(?:(?:#|\/\/)[^\n]*)?(?:\r?\n|$)/.exec(text.slice(end));
  return !/^[ \t\uFEFF]*$/.test(indent) || rest === null
    ? undefined
    : { start: lineStart, end: end + rest[0].length, indent: indent.replace('\uFEFF', '') };
}
