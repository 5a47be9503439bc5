/**
 * Types moved to another file of a language whose imports name packages and namespaces (Java, C#),
 * and static members moved to another type. A new file gets the package or namespace of its folder
 * and the imports that the text may need; one that exists gets those that it lacks.
 */
import { folderOf, stemOf } from '../base/paths.js';
import { applyEdits } from '../base/text-edit.js';
import { lineBreakOf } from '../edit/line-breaks.js';
import { importEdits } from '../edit/import-merge.js';
import type { DeclRef } from '../languages/language.js';
import { blockPath, D, F, nameOf, type Summary } from '../syntax/summary.js';
import { indented } from './cut.js';
import { textInType } from './bare-members.js';
import { checkHidesNothing } from './new-name.js';
import { isType, removals, type Move, type Piece } from './pieces.js';
import { spaceAt, spacesIn } from './rename-file.js';
import { Refused, textOf, type Sources } from './seed.js';

/** New texts of the files that the move touches. */
export function moveToSpace(sources: Sources, { pieces, to }: Move): Map<string, string | undefined> {
  const { resolver } = sources;
  const [first] = pieces as [Piece, ...Piece[]];
  const refs = pieces.flatMap((piece) => piece.refs);
  const areTypes = refs.every((ref) => resolver.summary(ref.file).decls.parentOf(ref.decl) < 0);
  if (!areTypes && refs.some((ref) => resolver.summary(ref.file).decls.parentOf(ref.decl) < 0))
    throw new Refused('types and members cannot be moved at once; name one sort');
  if (areTypes) checkFileNames(sources, refs, to);
  const texts = new Map<string, string | undefined>();
  for (const file of new Set(pieces.map((piece) => piece.file))) {
    const text = textOf(sources, file);
    const rest = applyEdits(
      text,
      removals(
        text,
        pieces.filter((piece) => piece.file === file),
      ),
    );
    texts.set(file, isEmpty(sources, file, rest) ? undefined : rest);
  }
  const exists = resolver.repo.hasFile(to);
  if (!exists && !areTypes) throw new Refused(`${to} does not exist: a member needs a type to go to`, [to]);
  const target = exists
    ? areTypes
      ? typesInto(sources, pieces, to)
      : membersInto(sources, pieces, to)
    : newFile(sources, first, pieces, to);
  texts.set(to, withImports(sources, pieces, to, target));
  return texts;
}

/** Throws Refused where a public type would not be in the file of its name (Java). */
function checkFileNames({ resolver }: Sources, refs: readonly DeclRef[], to: string): void {
  for (const { file, decl } of refs) {
    const summary = resolver.summary(file);
    const name = nameOf(summary, decl);
    if (
      resolver.language(file).writing.filesSpellClass === true &&
      summary.decls.has(decl, F.public) &&
      stemOf(to) !== name
    )
      throw new Refused(`${name} is public and must be in a file called ${name}${to.slice(to.lastIndexOf('.'))}`, [to]);
  }
}

/** Whether nothing is declared in what is left. */
function isEmpty({ summarise }: Sources, file: string, text: string): boolean {
  const summary = summarise(file, text);
  if (summary === undefined) return false;
  for (let row = 0; row < summary.decls.count; row++) if (summary.decls.kindOf(row) < D.namespace) return false;
  return summary.errors.length === 0;
}

function newFile(sources: Sources, first: Piece, pieces: readonly Piece[], to: string): string {
  const text = textOf(sources, first.file);
  const summary = sources.resolver.summary(first.file);
  const eol = lineBreakOf(text);
  const [space] = spacesIn(summary, text);
  const body = pieces.map((piece) => piece.text).join(eol + eol);
  if (space === undefined) return `${body}${eol}`;
  const name = spaceAt(space.name, folderOf(first.file), folderOf(to)) ?? space.name;
  if (summary.package !== '') return `package ${name};${eol}${eol}${body}${eol}`;
  if (/^[^\n{]*;/.test(text.slice(space.start))) return `namespace ${name};${eol}${eol}${body}${eol}`;
  const indent = /\n([ \t]+)\S/.exec(text.slice(space.start))?.[1] ?? '    ';
  return `namespace ${name}${eol}{${eol}${indented(body, indent)}${eol}}${eol}`;
}

/** Types behind the last of a file: in its namespace, where that has braces. */
function typesInto(sources: Sources, pieces: readonly Piece[], to: string): string {
  const text = textOf(sources, to);
  const summary = sources.resolver.summary(to);
  const { decls } = summary;
  const eol = lineBreakOf(text);
  const tops = topTypes(summary);
  for (const { file, refs } of pieces)
    for (const { decl } of refs) {
      const name = nameOf(sources.resolver.summary(file), decl);
      if (tops.some((row) => nameOf(summary, row) === name)) throw new Refused(`${name} is taken: ${to} has one`, [to]);
    }
  const last = tops.at(-1);
  const at = last === undefined ? text.trimEnd().length : decls.endOf(last);
  const indent = last === undefined ? '' : indentAt(text, decls.startOf(last));
  const put = pieces.map((piece) => eol + eol + indented(piece.text, indent)).join('');
  return applyEdits(text, [{ start: at, end: at, text: put }]);
}

/** Types that stand in no other, in order. */
const topTypes = (summary: Summary): number[] =>
  Array.from({ length: summary.decls.count }, (_, row) => row).filter(
    (row) => isType(summary, row) && summary.decls.parentOf(row) < 0,
  );

/** Members at the end of the type that the file is about. */
function membersInto(sources: Sources, pieces: readonly Piece[], to: string): string {
  const text = textOf(sources, to);
  const summary = sources.resolver.summary(to);
  const { decls } = summary;
  const eol = lineBreakOf(text);
  const tops = topTypes(summary);
  const home = tops.find((row) => nameOf(summary, row) === stemOf(to)) ?? (tops.length === 1 ? tops[0] : undefined);
  if (home === undefined)
    throw new Refused(`${to} has no type that is called like it; say where by the file of one type`, [to]);
  for (const { file, refs } of pieces)
    for (const { decl } of refs) {
      const name = nameOf(sources.resolver.summary(file), decl);
      const row = summary.idOf(name);
      if (row >= 0 && decls.inScope(decls.innerOf(home), row).length > 0)
        throw new Refused(`${name} is taken: ${blockPath(summary, home)} has one`, [to]);
      const kind = sources.resolver.summary(file).decls.kindOf(decl);
      checkHidesNothing(sources.resolver, { file: to, scope: decls.innerOf(home), kind, name, refs });
    }
  const brace = decls.endOf(home) - 1;
  const close = text.lastIndexOf('\n', brace) + 1;
  const first = Array.from({ length: decls.count }, (_, row) => row).find((row) => decls.parentOf(row) === home);
  const indent =
    first === undefined ? `${indentAt(text, decls.startOf(home))}    ` : indentAt(text, decls.startOf(first));
  const at = text.slice(0, close).trimEnd().length;
  const moved = pieces.flatMap((piece) => piece.refs);
  const put = pieces.map(
    (piece) => eol + eol + indented(textInType(sources, piece, moved, { file: to, decl: home }), indent),
  );
  return applyEdits(text, [{ start: at, end: at, text: put.join('') }]);
}

const indentAt = (text: string, start: number): string =>
  /[ \t]*$/.exec(text.slice(text.lastIndexOf('\n', start - 1) + 1, start))?.[0] ?? '';

/** The target with the imports of the old files that the moved text may need. */
function withImports(sources: Sources, pieces: readonly Piece[], to: string, target: string): string {
  let text = target;
  for (const file of new Set(pieces.map((piece) => piece.file))) {
    const from = textOf(sources, file);
    const words = new Set(
      pieces.filter((piece) => piece.file === file).flatMap((piece) => piece.text.match(/\w+/g) ?? []),
    );
    const statements = neededImports(sources.resolver.summary(file), from, words);
    const summary = sources.summarise(to, text);
    if (statements.length === 0 || summary === undefined) continue;
    const eol = lineBreakOf(text);
    const merged = importEdits(
      text,
      summary,
      statements.map((one) => `${one}\n`).join(''),
      eol,
      (other) => sources.summarise(to, other) ?? summary,
    );
    if (!merged.ok)
      throw new Refused(
        `the imports of ${file} and of ${to} do not go together: ${merged.reason.replace(/^the answer/, 'the first')}`,
        [file, to],
      );
    text = applyEdits(text, merged.edits);
  }
  return text;
}

/** Imports of one name where the text says it, and all that import whole packages, namespaces, or members. */
function neededImports(summary: Summary, text: string, words: ReadonlySet<string>): string[] {
  const seen = new Set<number>();
  return summary.imports.flatMap((entry) => {
    const bound = entry.decl >= 0 ? nameOf(summary, entry.decl) : entry.name;
    const isNeeded = entry.kind === 'star' || bound === '*' || bound === '' || words.has(bound);
    if (!isNeeded || seen.has(entry.statementStart) || entry.global) return [];
    seen.add(entry.statementStart);
    return [text.slice(entry.statementStart, entry.statementEnd).trim()];
  });
}
