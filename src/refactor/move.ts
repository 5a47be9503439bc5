/**
 * Definitions get another file. Cut out and put there as they are: what they need there, and what
 * needs them, follows by the plan. Whole files can be emptied into another one.
 */
import { NOTHING_TOLD } from '../change/version.js';
import { languageOf } from '../languages/registry.js';
import type { DeclRef } from '../languages/language.js';
import { isOwnBlock } from '../change/match-blocks.js';
import { blockPath, F, isClassLike, nameOf, type Summary } from '../syntax/summary.js';
import { lineAt } from '../syntax/line-at.js';
import { cutLines, statementAt, type Cut } from './cut.js';
import { memberApart } from './members-apart.js';
import { checkWritten } from './new-name.js';
import { moveToModule } from './move-to-module.js';
import { moveToSpace } from './move-to-space.js';
import type { Movable, Move, Piece } from './pieces.js';
import { Refused, textOf, type Seed, type Sources } from './seed.js';

export function moveSeed(sources: Sources, asked: readonly Movable[], to: string): Seed {
  const pieces = asked.flatMap((one) =>
    'decl' in one ? [pieceOf(sources, one), ...defaultExport(sources, one, to)] : [statementPiece(sources, one)],
  );
  return moved(sources, { pieces: inOrder(pieces), to, emptied: [] });
}

/** All definitions and statements of a file; its docstring, its imports and its `__all__` stay behind, and it goes. */
export function moveAllSeed(sources: Sources, from: string, to: string): Seed {
  const { resolver } = sources;
  if (!resolver.repo.hasFile(from))
    throw new Refused(
      `the index has no file ${from}; give a path relative to the root, of a language that is indexed`,
      [from],
    );
  if (!resolver.language(from).importsFiles)
    throw new Refused(`${from} cannot be emptied into another file; move its types by name`, [from]);
  return moved(sources, { pieces: statementsOf(sources, from), to, emptied: [from] });
}

function moved(sources: Sources, move: Move): Seed {
  const { resolver } = sources;
  const [first] = move.pieces;
  if (first === undefined) throw new Refused('there is nothing to move');
  const { to } = move;
  const language = resolver.language(first.file);
  for (const { file } of move.pieces) {
    checkWritten(sources, file);
    if (file === to) throw new Refused(`${to} is where it is already`, [to]);
    if (resolver.language(file) !== language) throw new Refused('blocks of different languages cannot go to one file');
  }
  if (resolver.repo.hasFile(to)) checkWritten(sources, to);
  if (languageOf(to) !== language)
    throw new Refused(
      `${to} would not be a file of that language; give an ending of ${language.extensions.join(', ')}`,
      [to],
    );
  const texts = language.importsFiles ? moveToModule(sources, move) : moveToSpace(sources, move);
  const refs = move.pieces.flatMap((piece) => piece.refs);
  return {
    texts,
    renames: new Map(),
    title: `move ${refs
      .slice(0, 3)
      .map((ref) => blockPath(resolver.summary(ref.file), ref.decl))
      .join(', ')}${refs.length > 3 ? ` and ${refs.length - 3} more` : ''} to ${to}`,
    told: toldOf(sources, refs, to),
    subjects: refs.map((before) => ({ before, name: nameOf(resolver.summary(before.file), before.decl) })),
  };
}

function toldOf({ resolver }: Sources, refs: readonly DeclRef[], to: string): NonNullable<Seed['told']> {
  const moves = new Map<string, Map<number, string>>();
  for (const { file, decl } of refs) {
    const known = moves.get(file) ?? new Map<number, string>();
    moves.set(file, known.set(resolver.summary(file).decls.nameStartOf(decl), to));
  }
  return new Map([...moves].map(([file, list]) => [file, { ...NOTHING_TOLD, moves: list }]));
}

/** By file and place, each once. */
const inOrder = (pieces: readonly Piece[]): Piece[] =>
  [...new Map(pieces.map((piece) => [`${piece.file}\0${piece.start}`, piece])).values()].sort((a, b) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start,
  );

function pieceOf(sources: Sources, ref: DeclRef): Piece {
  const { file, decl } = ref;
  const { resolver } = sources;
  const summary = resolver.summary(file);
  const { decls } = summary;
  if (decl < 0)
    throw new Refused('name blocks, or a line of a statement; a whole file gets another path with rename-file', [file]);
  const path = blockPath(summary, decl);
  const parent = decls.parentOf(decl);
  const isMember = parent >= 0 && isClassLike(decls.kindOf(parent));
  const language = resolver.language(file);
  const isFree = parent < 0 || (isMember && !language.importsFiles && decls.has(decl, F.static));
  if (!isFree)
    throw new Refused(`${path} belongs to ${blockPath(summary, parent)}, and cannot stand in another file by itself`, [
      file,
    ]);
  const apart = memberApart(summary, decl);
  if (apart !== -1)
    throw new Refused(
      `${path} has members outside of its text, ${blockPath(summary, apart)} on line ` +
        `${lineAt(summary, decls.startOf(apart))}, which would stay behind`,
      [file],
    );
  const cut = cutLines(textOf(sources, file), ...statementSpan(summary, textOf(sources, file), decl), language.offside);
  if (cut === undefined)
    throw new Refused(`${path} shares its line with other code; give it a line of its own first`, [file]);
  const isNested =
    language.importsFiles &&
    /[ \t]/.test(textOf(sources, file)[decls.startOf(decl) - 1] ?? '\n') &&
    statementIndent(textOf(sources, file), decls.startOf(decl)) !== '';
  if (isNested)
    throw new Refused(
      `${path} stands under a condition, on line ${lineAt(summary, decls.startOf(decl))}, and cannot go without it`,
      [file],
    );
  return { ...cut, file, refs: declaredIn(summary, file, cut) };
}

/** What stands in front of a declaration on its line, if that is blanks. */
const statementIndent = (text: string, start: number): string =>
  /(?:^|\n)([ \t]*)$/.exec(text.slice(0, start))?.[1] ?? '';

/** The statement of a declaration with the words in front of it: `export const`. */
function statementSpan({ decls }: Summary, text: string, decl: number): [number, number] {
  const start = decls.startOf(decl);
  const words = /(?:\b(?:export|default|declare|const|let|var)[ \t]+)+$/.exec(
    text.slice(text.lastIndexOf('\n', start - 1) + 1, start),
  );
  return [start - (words?.[0].length ?? 0), decls.endOf(decl)];
}

/** The blocks at the top of a file that lie in a stretch of it. */
function declaredIn(summary: Summary, file: string, { start, end }: Pick<Cut, 'start' | 'end'>): DeclRef[] {
  const { decls } = summary;
  return Array.from({ length: decls.count }, (_, row) => row)
    .filter((row) => isOwnBlock(summary, row) && decls.startOf(row) >= start && decls.endOf(row) <= end)
    .filter((row, _, all) => !all.includes(decls.parentOf(row)))
    .map((decl) => ({ file, decl }));
}

function statementPiece(sources: Sources, { file, line }: { readonly file: string; readonly line: number }): Piece {
  const { resolver } = sources;
  const text = textOf(sources, file);
  const summary = resolver.summary(file);
  const span = statementAt(text, summary, line);
  const language = resolver.language(file);
  const cut =
    span === undefined || !language.importsFiles ? undefined : cutLines(text, span.start, span.end, language.offside);
  if (cut === undefined) throw new Refused(`${file}:${line} is no statement at the margin that could be moved`, [file]);
  return { ...cut, file, refs: declaredIn(summary, file, cut) };
}

/**
 * `export default Store;` of a definition that moves: it goes along, since who imports the file's default means it. In
 * a list of exports it stays.
 */
function defaultExport(sources: Sources, { file, decl }: DeclRef, to: string): Piece[] {
  const { resolver } = sources;
  const summary = resolver.summary(file);
  const text = textOf(sources, file);
  const name = nameOf(summary, decl);
  const entry = summary.exports.find((one) => one.module === undefined && one.name === 'default' && one.local === name);
  const line = entry === undefined ? undefined : lineAt(summary, entry.start);
  if (line === undefined || !/^export\s+default\s+[\w$]+[ \t]*;?[ \t]*$/.test(lineOf(text, summary, line))) return [];
  if (resolver.repo.hasFile(to) && resolver.exported(to, 'default').length > 0)
    throw new Refused(`${name} is what ${file} exports as its default, and ${to} has a default of its own`, [to]);
  return [statementPiece(sources, { file, line })];
}

const lineOf = (text: string, { lineStarts }: Summary, line: number): string =>
  text.slice(lineStarts[line - 1], lineStarts[line] ?? text.length).trimEnd();

/** Statement by statement, all of a file but imports, the docstring and the list of exported names. */
function statementsOf(sources: Sources, file: string): Piece[] {
  const { resolver } = sources;
  const text = textOf(sources, file);
  const summary = resolver.summary(file);
  const { offside, writing } = resolver.language(file);
  const isImport = (start: number, end: number): boolean =>
    summary.imports.some(
      ({ statementStart, statementEnd }) =>
        statementStart >= start && statementEnd <= end + 1 && statementStart === start,
    ) || isForCheckers(summary, text, start, end, writing.checkersGuard);
  const out: Piece[] = [];
  for (let line = 1; line <= summary.lineStarts.length;) {
    const at = summary.lineStarts[line - 1] as number;
    const written = text.slice(at, summary.lineStarts[line] ?? text.length);
    const isStart = /^[^\s)\]}#]/.test(written) && !/^(?:\/\/|\/\*|\*)/.test(written);
    const span = isStart ? statementAt(text, summary, line) : undefined;
    if (span === undefined) {
      line++;
      continue;
    }
    const next = lineAt(summary, Math.max(span.start, span.end - 1)) + 1;
    const isDocstring = out.length === 0 && offside && /^[rRuU]?(?:"""|'''|"|')/.test(written);
    const isExportList =
      /^__all__\b/.test(written) ||
      /^export\s*(?:\*|\{[^}]*\}\s*from)/.test(text.slice(span.start, span.end)) ||
      /^['"]use strict/.test(written);
    if (!isDocstring && !isExportList && !isImport(span.start, span.end)) {
      const cut = cutLines(text, span.start, span.end, offside);
      if (cut !== undefined) out.push({ ...cut, file, refs: declaredIn(summary, file, cut) });
    }
    line = Math.max(next, line + 1);
  }
  // A decorator is a statement's head, and comments between statements go with the one below them.
  return joined(text, out);
}

/** Whether a statement is imports alone, below the guard that only checkers pass. */
function isForCheckers(
  { imports }: Summary,
  text: string,
  start: number,
  end: number,
  guard: RegExp | undefined,
): boolean {
  if (guard?.test(text.slice(start, end)) !== true) return false;
  let rest = text.slice(start, end).replace(guard, '');
  for (const { statementStart, statementEnd } of imports)
    if (statementStart >= start && statementEnd <= end)
      rest = rest.replace(text.slice(statementStart, statementEnd), '');
  return /^(?:\s|#[^\n]*(?:\n|$))*$/.test(rest);
}

/** What stands between two statements and belongs to neither: it goes along. */
const ONLY_COMMENTS = /^(?:\s|(?:#|\/\/)[^\n]*(?:\n|$))*$/;

/** Pieces that lie side by side in their file, as one each. */
function joined(text: string, pieces: readonly Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const piece of pieces) {
    const last = out.at(-1);
    if (last === undefined || !ONLY_COMMENTS.test(text.slice(last.end, piece.start))) {
      out.push(piece);
      continue;
    }
    out[out.length - 1] = {
      ...last,
      text: text.slice(last.start, piece.end).replace(/\r?\n$/, ''),
      end: piece.end,
      refs: [...last.refs, ...piece.refs],
    };
  }
  return out;
}
