/**
 * Import statements at the head of an answer: split off, compared with the file's, put in place.
 *
 * An import that the file has is dropped, name by name; what is left goes below the last import of
 * the file's head (or where the first one would stand), as a statement of its own: extending an
 * existing statement would need each language's syntax, while one more statement is right in all.
 * An answer that binds a name which the file imports from elsewhere is refused: one of the two uses
 * would change its meaning.
 */
import { languageById } from '../languages/registry.js';
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import { D, isBlockKind, E, R, type ImportEntry, type Summary } from '../syntax/summary.js';
import { leadingBlanks } from './indentation.js';

export type Summarise = (text: string) => Summary;

export interface SplitAnswer {
  /** Import statements and comments between them, as written; '' for none. */
  readonly head: string;
  /** The rest, without blank lines in front. */
  readonly rest: string;
}

/** Longest import statement, in lines, that is looked for at an answer's head. */
const STATEMENT_LINES_MAX = 40;

/**
 * Splits the leading import statements off. The head is parsed on its own, line by line, because
 * the rest is often a member that does not parse outside its class. Line breaks are `\n`.
 */
export function splitImports(answer: string, summarise: Summarise): SplitAnswer {
  const lines = answer.split('\n');
  let taken = 0;
  for (let count = 1; count < lines.length && count - taken <= STATEMENT_LINES_MAX; count++) {
    if (isOnlyImports(lines.slice(0, count).join('\n'), summarise)) taken = count;
    else if (taken === 0 && count === 1 && !/\w/.test(lines[0] as string)) break;
  }
  const rest = lines.slice(taken);
  while (rest.length > 0 && (rest[0] as string).trim() === '') rest.shift();
  return rest.length === 0
    ? { head: '', rest: answer }
    : { head: lines.slice(0, taken).join('\n').trim(), rest: rest.join('\n') };
}

function isOnlyImports(text: string, summarise: Summarise): boolean {
  const summary = summarise(text);
  if (summary.imports.length === 0 || summary.errors.length > 0) return false;
  let reached = 0;
  for (const { start, end } of statementsOf(summary)) {
    if (/[^\s;]/.test(text.slice(reached, start))) return false;
    reached = Math.max(reached, end);
  }
  return !/[^\s;]/.test(text.slice(reached));
}

export type ImportEdits =
  { readonly ok: true; readonly edits: readonly TextEdit[] } | { readonly ok: false; readonly reason: string };

/** Edits that bring the head's imports into the file. */
export function importEdits(
  text: string,
  summary: Summary,
  head: string,
  eol: string,
  summarise: Summarise,
): ImportEdits {
  if (head === '') return { ok: true, edits: [] };
  const asked = summarise(head);
  const known = topImports(text, summary);
  const missing = new Set<ImportEntry>();
  for (const entry of asked.imports) {
    const standing = known.map((other) => compare(summary, other, asked, entry));
    if (standing.includes('same')) continue;
    const clash = standing.indexOf('clash');
    if (clash !== -1) {
      const other = known[clash] as ImportEntry;
      return {
        ok: false,
        reason:
          `the answer imports ${boundName(asked, entry)} from ${entry.module}, but the file imports that name ` +
          `from ${other.module}`,
      };
    }
    missing.add(entry);
  }
  const early: string[] = [];
  const usual: string[] = [];
  for (const { start, end, entries } of statementsOf(asked)) {
    const wanted = entries.filter((entry) => missing.has(entry));
    if (wanted.length === 0) continue;
    const unwanted = entries.filter((entry) => !missing.has(entry));
    const statement = withoutEntries(head, start, end, unwanted) + (/^[ \t]*;/.test(head.slice(end)) ? ';' : '');
    (isFirstOfAll(entries[0] as ImportEntry) ? early : usual).push(statement);
  }
  const place = insertionPlace(text, summary, known, eol);
  const { libraryFirst } = languageById(summary.language).writing;
  const placed = usual.map((statement) => ({ statement, at: placeInOrder(text, known, statement, libraryFirst) }));
  const inOrder = placed.flatMap(({ statement, at }) => (at === undefined ? [] : insertion([statement], at, eol)));
  return {
    ok: true,
    edits: [
      ...insertion(early, place.before, eol),
      ...inOrder,
      ...insertion(
        placed.flatMap(({ statement, at }) => (at === undefined ? [statement] : [])),
        place.after,
        eol,
      ),
    ],
  };
}

/** An import of one dotted name, with the words in front of it. */
const DOTTED = /^((?:import|using)(?: static)?) ([\w.]+);$/;

/**
 * The line in front of which a dotted import belongs, where those of its sort are in order: behind
 * the last that comes before it in the group of lines that is most like it. Undefined where they are not.
 */
function placeInOrder(
  text: string,
  known: readonly ImportEntry[],
  statement: string,
  libraryFirst: string | undefined,
): Place | undefined {
  const [, sort, name = ''] = DOTTED.exec(statement) ?? [];
  const like = known
    .map((entry) => ({ entry, written: DOTTED.exec(text.slice(entry.statementStart, entry.statementEnd)) }))
    .flatMap(({ entry, written }) =>
      written?.[1] === sort && written !== null ? [{ entry, name: written[2] ?? '' }] : [],
    );
  if (sort === undefined || like.length === 0) return undefined;
  const groups: (typeof like)[] = [];
  for (const one of like) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || /\n[ \t]*\r?\n/.test(text.slice(last.entry.statementEnd, one.entry.statementStart)))
      groups.push([one]);
    else groups.at(-1)?.push(one);
  }
  const likeness = (group: typeof like): number => Math.max(...group.map((one) => sharedParts(one.name, name)));
  const best = groups.reduce((most, group) => (likeness(group) >= likeness(most) ? group : most));
  // Usings of the library may stand in front of all others.
  const isOfLibrary = (one: string): boolean => libraryFirst !== undefined && one.startsWith(libraryFirst);
  const keyOf = (one: string): string => `${isOfLibrary(best[0]?.name ?? '') && !isOfLibrary(one) ? '1' : '0'}${one}`;
  const isInOrder = (some: typeof like): boolean =>
    some.every((one, i) => i === 0 || keyOf(some[i - 1]?.name ?? '') <= keyOf(one.name));
  // Where one stands astray, those of the same package may be in order still.
  const near = isInOrder(best) ? best : best.filter((one) => sharedParts(one.name, name) === likeness(best));
  if (!isInOrder(near)) return undefined;
  const next = near.find((one) => keyOf(one.name) > keyOf(name));
  const beside = next ?? near.at(-1);
  if (beside === undefined) return undefined;
  const lineStart = text.lastIndexOf('\n', beside.entry.statementStart - 1) + 1;
  const lineEnd = text.indexOf('\n', beside.entry.statementEnd);
  const indent = indentAt(text, beside.entry.statementStart);
  if (next !== undefined)
    return { offset: text.startsWith('\uFEFF', lineStart) ? lineStart + 1 : lineStart, indent, lead: '', tail: '' };
  return lineEnd === -1 ? undefined : { offset: lineEnd + 1, indent, lead: '', tail: '' };
}

/** Number of leading parts that two dotted names have in common. */
function sharedParts(a: string, b: string): number {
  const [one, other] = [a.split('.'), b.split('.')];
  const first = one.findIndex((part, i) => part !== other[i]);
  return first === -1 ? one.length : first;
}

/** Python's directives to the compiler are spelled as imports and must precede the others. */
function isFirstOfAll(entry: ImportEntry): boolean {
  return entry.module === '__future__';
}

interface Statement {
  readonly start: number;
  readonly end: number;
  readonly entries: readonly ImportEntry[];
}

function statementsOf(summary: Summary): Statement[] {
  const byStart = new Map<number, { start: number; end: number; entries: ImportEntry[] }>();
  for (const entry of summary.imports) {
    const statement = byStart.get(entry.statementStart);
    if (statement === undefined)
      byStart.set(entry.statementStart, { start: entry.statementStart, end: entry.statementEnd, entries: [entry] });
    else statement.entries.push(entry);
  }
  return [...byStart.values()].sort((x, y) => x.start - y.start);
}

/** The statement's text without some of its entries and their commas. */
function withoutEntries(text: string, start: number, end: number, unwanted: readonly ImportEntry[]): string {
  const edits: TextEdit[] = unwanted.map((entry) => {
    const comma = /^\s*,\s*/.exec(text.slice(entry.end, end));
    if (comma !== null) return { start: entry.start - start, end: entry.end + comma[0].length - start, text: '' };
    const before = /,\s*$/.exec(text.slice(start, entry.start));
    return { start: entry.start - start - (before?.[0].length ?? 0), end: entry.end - start, text: '' };
  });
  // Two unwanted neighbours at the end both claim the comma between them.
  const separate = edits.map((edit, i) => {
    const last = edits[i - 1];
    return last !== undefined && edit.start < last.end ? { ...edit, start: last.end } : edit;
  });
  return applyEdits(text.slice(start, end), separate);
}

type Standing = 'same' | 'clash' | 'other';

function compare(file: Summary, known: ImportEntry, asked: Summary, entry: ImportEntry): Standing {
  const knownName = boundName(file, known);
  const name = boundName(asked, entry);
  const same =
    known.kind === entry.kind && known.module === entry.module && known.name === entry.name && knownName === name;
  if (same) return known.typeOnly && !entry.typeOnly ? 'clash' : 'same';
  return name !== '' && knownName === name && known.kind === 'name' && entry.kind === 'name' ? 'clash' : 'other';
}

function boundName(summary: Summary, entry: ImportEntry): string {
  return entry.decl < 0 ? '' : summary.decls.nameOf(entry.decl);
}

/**
 * Imports that the whole file sees: at the margin, or directly inside a namespace. Those in functions and under
 * conditions are not.
 */
function topImports(text: string, summary: Summary): ImportEntry[] {
  const { decls } = summary;
  const rows = Array.from({ length: decls.count }, (_, row) => row);
  const covers = (row: number, entry: ImportEntry): boolean =>
    decls.startOf(row) <= entry.statementStart && decls.endOf(row) >= entry.statementEnd;
  const namespaces = rows.filter((row) => decls.kindOf(row) === D.namespace);
  const blocks = rows.filter((row) => isBlockKind(decls.kindOf(row)) && decls.kindOf(row) !== D.namespace);
  return summary.imports.filter((entry) => {
    if (!isStatement(text, entry) || blocks.some((row) => covers(row, entry))) return false;
    return indentAt(text, entry.statementStart) === '' || namespaces.some((row) => covers(row, entry));
  });
}

/** Whether it begins a statement: `{import('./store.js').Store}` in a comment or a type is none. */
const isStatement = (text: string, { statementStart }: ImportEntry): boolean =>
  /(?:^|;)[\s\uFEFF]*$/.test(text.slice(text.lastIndexOf('\n', statementStart - 1) + 1, statementStart));

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return leadingBlanks(text.slice(lineStart, offset).replace(/^\uFEFF/, ''));
}

interface Place {
  readonly offset: number;
  readonly indent: string;
  /** Line break in front, where the place is the end of a last line without one. */
  readonly lead: string;
  /** What separates the inserted lines from the code below. */
  readonly tail: string;
}

function insertion(statements: readonly string[], place: Place, eol: string): TextEdit[] {
  if (statements.length === 0) return [];
  const lines = statements
    .flatMap((statement) => statement.split('\n'))
    .map((line) => (line === '' ? line : place.indent + line));
  return [
    {
      start: place.offset,
      end: place.offset,
      text: place.lead + lines.join(eol) + (place.lead === '' ? eol : '') + place.tail,
    },
  ];
}

/** Where imports go: `before` all others, and `after` those of the file's head. */
function insertionPlace(
  text: string,
  summary: Summary,
  known: readonly ImportEntry[],
  eol: string,
): { before: Place; after: Place } {
  const top = fixedTop(text);
  const code = firstCode(summary, top);
  const head = known.filter((entry) => entry.statementStart < code);
  const first = head[0];
  const last = head.reduce<ImportEntry | undefined>(
    (latest, entry) => (latest === undefined || entry.statementEnd > latest.statementEnd ? entry : latest),
    undefined,
  );
  if (first === undefined || last === undefined) {
    // In front of a namespace, not in it.
    const space = /^\uFEFF?(?=namespace[ \t])/m.exec(text);
    const offset =
      space !== null && space.index < code ? space.index + space[0].length : aboveComments(text, code, top);
    const below = text.slice(offset);
    // Two blank lines set a definition off where blocks are told by how far in they stand.
    const isSetOff = languageById(summary.language).offside && /^(?:#|@|class\b|def\b|async def\b)/.test(below);
    const tail = below === '' || /^\r?\n/.test(below) ? '' : isSetOff ? eol + eol : eol;
    const place = { offset, indent: '', lead: '', tail };
    return { before: { ...place, tail: '' }, after: place };
  }
  const indent = indentAt(text, last.statementStart);
  const bom = text.startsWith('\uFEFF') ? 1 : 0;
  const lineEnd = text.indexOf('\n', last.statementEnd);
  // A directive stands by itself.
  const behind = isFirstOfAll(last)
    ? { offset: endOfLine(text, last.statementEnd), indent, lead: eol + eol, tail: '' }
    : { offset: lineEnd === -1 ? text.length : lineEnd + 1, indent, lead: lineEnd === -1 ? eol : '', tail: '' };
  return {
    before: { offset: Math.max(bom, text.lastIndexOf('\n', first.statementStart - 1) + 1), indent, lead: '', tail: '' },
    after: behind,
  };
}

/** Offset of the line break behind a place, or of the end of the text. */
function endOfLine(text: string, from: number): number {
  const found = /\r?\n/g;
  found.lastIndex = from;
  return found.exec(text)?.index ?? text.length;
}

/**
 * Offset of the first thing from `top` on that is neither import nor namespace nor a bare literal (a docstring, a
 * directive).
 */
function firstCode(summary: Summary, top: number): number {
  const { decls, exprs } = summary;
  let first = summary.textLength;
  const consider = (start: number): void => {
    if (start >= top && start < first && !inImport(summary, start)) first = start;
  };
  for (let row = 0; row < decls.count; row++) if (decls.kindOf(row) !== D.namespace) consider(decls.startOf(row));
  for (let row = 0; row < exprs.count; row++)
    if (exprs.opOf(row) !== E.literal && exprs.roleOf(row) !== R.import && exprs.roleOf(row) !== R.doc)
      consider(exprs.startOf(row));
  return first;
}

function inImport(summary: Summary, offset: number): boolean {
  return summary.imports.some((entry) => entry.statementStart <= offset && offset < entry.statementEnd);
}

/** End of what must stay above all imports: byte order mark, interpreter and coding lines, a package. */
function fixedTop(text: string): number {
  let top = text.startsWith('\uFEFF') ? 1 : 0;
  for (let match; (match = /^#(?:!|.*coding[:=])[^\n]*\n/.exec(text.slice(top))) !== null;) top += match[0].length;
  const owner = /^package[ \t]+[\w.]+[ \t]*;[^\n]*\n/m.exec(text.slice(top));
  return owner === null ? top : top + owner.index + owner[0].length;
}

/** Start of the line of the first code, or of the comment that stands directly above it. */
function aboveComments(text: string, code: number, top: number): number {
  let at = code >= text.length ? top : Math.max(top, text.lastIndexOf('\n', code - 1) + 1);
  while (at > top) {
    const above = text.lastIndexOf('\n', at - 2) + 1;
    if (above < top || !/^[ \t]*(?:#|\/\/|\/\*|\*)/.test(text.slice(above, at))) break;
    at = above;
  }
  return at;
}
