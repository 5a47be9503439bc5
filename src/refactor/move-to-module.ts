/**
 * Definitions moved to a file that others import by its path (Python, TypeScript): put where they are
 * known before the file's own code needs them, exported where somebody outside needs them now, and
 * taken over from the list of exported names.
 */
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import { lineBreakOf } from '../edit/line-breaks.js';
import { importStatements, withoutNames } from '../edit/mechanical/imports/import-statement.js';
import { fileOf } from '../edit/mechanical/imports/module-name.js';
import { sitesOf } from '../graph/refer/references.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { lineAt } from '../syntax/line-at.js';
import { D, E, F, nameOf, R, type Summary } from '../syntax/summary.js';
import { importsLeft } from './left-imports.js';
import { checkHidesNothing } from './new-name.js';
import { passedNames, withPassed, type PassedNames } from './passed-names.js';
import { removals, type Move, type Piece } from './pieces.js';
import { Refused, textOf, type Sources } from './seed.js';
import { endOfImports, placeIn } from './target.js';

/** New texts of the files that the move touches. */
export function moveToModule(sources: Sources, move: Move): Map<string, string | undefined> {
  const { resolver } = sources;
  const { pieces, to, emptied } = move;
  const refs = pieces.flatMap((piece) => piece.refs);
  const passed = passedNames(sources, move);
  checkTaken(sources, refs, to);
  checkPassed(sources, passed, to);
  const texts = new Map<string, string | undefined>();
  const lists: string[] = [];
  for (const file of new Set(pieces.map((piece) => piece.file))) {
    if (emptied.includes(file)) {
      texts.set(file, undefined);
      lists.push(...listedNames(resolver.summary(file), refs, file));
      continue;
    }
    const text = textOf(sources, file);
    const here = pieces.filter((piece) => piece.file === file);
    const list = unlisted(resolver.summary(file), text, refs, file);
    lists.push(...list.names);
    texts.set(
      file,
      applyEdits(text, [
        ...removals(text, here),
        ...list.edits,
        ...exportsOfStaying(sources, file, refs),
        ...importsLeft(sources, file, here),
      ]),
    );
  }
  const pasted = pieces.map((piece) => exportedText(sources, piece, refs));
  const target = resolver.repo.hasFile(to)
    ? intoFile(sources, { to, pasted, refs, listed: lists, passed: passed.names, emptied })
    : newFile(sources, pieces, pasted);
  texts.set(to, applyEdits(target, withPassed(sources, to, target, passed)));
  return texts;
}

/** Throws Refused where the file has a definition under a name that comes along as an import. */
function checkPassed({ resolver }: Sources, { names }: PassedNames, to: string): void {
  const there = resolver.repo.summary(to);
  if (there === undefined) return;
  for (const name of names) {
    const row = there.idOf(name);
    const other =
      row < 0 ? undefined : there.decls.inScope(0, row).find((decl) => there.decls.kindOf(decl) !== D.importBinding);
    if (other !== undefined)
      throw new Refused(`${name} is taken: ${to} has one on line ${lineAt(there, there.decls.nameStartOf(other))}`, [
        to,
      ]);
  }
}

/** Throws Refused where the file has something of a moved name that is not an import of it. */
function checkTaken({ resolver }: Sources, refs: readonly DeclRef[], to: string): void {
  const there = resolver.repo.summary(to);
  if (there === undefined) return;
  for (const ref of refs) {
    const name = nameOf(resolver.summary(ref.file), ref.decl);
    const row = there.idOf(name);
    const other = row < 0 ? undefined : there.decls.inScope(0, row).find((decl) => !isImportOf(decl, ref));
    if (other !== undefined)
      throw new Refused(`${name} is taken: ${to} has one on line ${lineAt(there, there.decls.nameStartOf(other))}`, [
        to,
      ]);
    const kind = resolver.summary(ref.file).decls.kindOf(ref.decl);
    checkHidesNothing(resolver, { file: to, scope: 0, kind, name, refs });
  }
  function isImportOf(decl: number, ref: DeclRef): boolean {
    if (there === undefined || there.decls.kindOf(decl) !== D.importBinding) return false;
    const entry = there.imports.find((one) => one.decl === decl);
    if (entry === undefined || entry.expr < 0) return false;
    return resolver.resolve(to, entry.expr).targets.some((target) => sameDecl(target, ref) || target.file === ref.file);
  }
}

function newFile(sources: Sources, pieces: readonly Piece[], pasted: readonly string[]): string {
  const [first] = pieces;
  const text = first === undefined ? '' : textOf(sources, first.file);
  const eol = lineBreakOf(text);
  const head = /^from __future__ import [^\n\r]+/m.exec(text)?.[0];
  const gap = gapOf(sources, first?.file);
  return `${[...(head === undefined ? [] : [head]), ...pasted].join(eol.repeat(gap + 1))}${eol}`;
}

/** Blank lines between two definitions, by the custom of the language. */
const gapOf = ({ resolver }: Sources, file: string | undefined): number =>
  file !== undefined && resolver.language(file).offside ? 2 : 1;

/** What is put into a file that is there. */
interface Incoming {
  readonly to: string;
  readonly pasted: readonly string[];
  readonly refs: readonly DeclRef[];
  /** Names for its list of exported ones. */
  readonly listed: readonly string[];
  /** Names that come along as imports. */
  readonly passed: ReadonlySet<string>;
  readonly emptied: readonly string[];
}

function intoFile(sources: Sources, incoming: Incoming): string {
  const { to, pasted, refs, listed } = incoming;
  const text = textOf(sources, to);
  const summary = sources.resolver.summary(to);
  const eol = lineBreakOf(text);
  const gap = eol.repeat(gapOf(sources, to) + 1);
  const at = placeIn(sources.resolver, to, text, refs);
  const lines = pasted.map((piece) => piece.replace(/\r?\n/g, eol)).join(gap);
  const list = listWith(summary, text, listed);
  const before = text.slice(0, at).trimEnd();
  const behind = text.slice(at).trimStart();
  const isBehindImports = before.length <= endOfImports(summary, text);
  const lead = before === '' ? '' : isBehindImports && gapOf(sources, to) === 1 ? eol + eol : gap;
  const put: TextEdit = {
    start: before.length,
    end: text.length - behind.length,
    text: `${lead}${lines}${behind === '' ? eol : gap}`,
  };
  const target = applyEdits(text, [put, ...list, ...importsOfMoved(sources, incoming)]);
  // The first import may have gone.
  return /^\s/.test(text) ? target : target.trimStart();
}

/**
 * What drops the imports of a moved definition from the file that it goes to. One under another name stays, and
 * is somebody's to mend.
 */
function importsOfMoved({ resolver, text: textAt }: Sources, { to, refs, passed, emptied }: Incoming): TextEdit[] {
  const text = textAt(to) ?? '';
  const summary = resolver.summary(to);
  return importStatements(summary, text).flatMap((statement): readonly TextEdit[] => {
    const from = fileOf(resolver, statement.module, to);
    const moved = new Set(
      refs.filter((ref) => ref.file === from).map((ref) => nameOf(resolver.summary(ref.file), ref.decl)),
    );
    const isEmptied = from !== undefined && emptied.includes(from);
    const gone = statement.names.filter(
      ({ name, start, end }) => (moved.has(name) || (isEmptied && passed.has(name))) && text.slice(start, end) === name,
    );
    return gone.length === 0 || statement.isExport ? [] : (withoutNames(text, statement, gone) ?? []);
  });
}

// ---- the list of exported names

const ALL = /^__all__\s*(?::[^=\n]*)?=\s*[([]/m;

function listedNames({ exports, decls }: Summary, refs: readonly DeclRef[], file: string): string[] {
  const own = new Set(refs.filter((ref) => ref.file === file).map((ref) => decls.nameOf(ref.decl)));
  return exports.filter((entry) => entry.module === undefined && own.has(entry.local)).map((entry) => entry.local);
}

/** Entries of Python's `__all__` that go with their definitions, and what takes them out. */
function unlisted(
  summary: Summary,
  text: string,
  refs: readonly DeclRef[],
  file: string,
): { readonly names: readonly string[]; readonly edits: readonly TextEdit[] } {
  if (!ALL.test(text)) return { names: [], edits: [] };
  const names = listedNames(summary, refs, file);
  const edits = summary.exports
    .filter((entry) => entry.module === undefined && names.includes(entry.local))
    .flatMap(({ start, end }): TextEdit[] => {
      const quoted = /^['"]/.test(text[start - 1] ?? '') ? { start: start - 1, end: end + 1 } : { start, end };
      const behind = /^[ \t]*,[ \t]*(?:\r?\n[ \t]*(?=['"]))?/.exec(text.slice(quoted.end));
      if (behind !== null) return [{ start: quoted.start, end: quoted.end + behind[0].length, text: '' }];
      const before = /,\s*$/.exec(text.slice(0, quoted.start));
      return [{ start: quoted.start - (before?.[0].length ?? 0), end: quoted.end, text: '' }];
    });
  return { names, edits };
}

/** What adds names to Python's `__all__`, where the file has one that lists others. */
function listWith({ exports }: Summary, text: string, names: readonly string[]): TextEdit[] {
  const known = exports.filter((entry) => entry.module === undefined);
  const added = names.filter((name) => !known.some((entry) => entry.local === name));
  const last = known.at(-1);
  if (added.length === 0 || last === undefined || !ALL.test(text)) return [];
  const quote = text[last.end] === '"' || text[last.end] === "'" ? (text[last.end] as string) : undefined;
  const at = quote === undefined ? last.end : last.end + 1;
  const sign = quote ?? text[last.start] ?? "'";
  const previous = known.at(-2);
  const between = previous === undefined ? ', ' : (/,\s*/.exec(text.slice(previous.end, last.start))?.[0] ?? ', ');
  return [{ start: at, end: at, text: added.map((name) => `${between}${sign}${name}${sign}`).join('') }];
}

// ---- exports of TypeScript

/** The piece, with `export` in front of what is needed outside of its new file. */
function exportedText(sources: Sources, piece: Piece, moved: readonly DeclRef[]): string {
  const { resolver } = sources;
  const summary = resolver.summary(piece.file);
  if (summary.language !== 'typescript' || !summary.isModule) return piece.text;
  const [ref] = piece.refs;
  if (ref === undefined || piece.refs.length > 1 || isExported(summary, ref.decl)) return piece.text;
  const isNeeded = sitesOf(resolver, ref).some(
    (site) =>
      !moved.some((other) => other.file === site.file && isWithin(resolver.summary(site.file), site.block, other.decl)),
  );
  const { decls } = summary;
  const at = piece.text.indexOf(
    textOf(sources, piece.file).slice(decls.startOf(ref.decl), decls.nameStartOf(ref.decl)),
  );
  if (!isNeeded || at < 0) return piece.text;
  const line = piece.text.lastIndexOf('\n', at) + 1;
  return `${piece.text.slice(0, line)}export ${piece.text.slice(line)}`;
}

/** What puts `export` in front of definitions that stay, and that the moved ones need. */
function exportsOfStaying(sources: Sources, file: string, moved: readonly DeclRef[]): TextEdit[] {
  const { resolver } = sources;
  const summary = resolver.summary(file);
  const { exprs, decls } = summary;
  if (summary.language !== 'typescript' || !summary.isModule) return [];
  const own = moved.filter((ref) => ref.file === file);
  const needed = new Set<number>();
  for (let expr = 0; expr < exprs.count; expr++) {
    const at = exprs.startOf(expr);
    if (exprs.opOf(expr) !== E.name || exprs.roleOf(expr) === R.doc) continue;
    if (!own.some(({ decl }) => at >= decls.startOf(decl) && at < decls.endOf(decl))) continue;
    for (const target of resolver.resolve(file, expr).targets) {
      const isOther = target.file === file && target.decl >= 0 && !own.some((ref) => sameDecl(ref, target));
      if (
        isOther &&
        decls.scopeOf(target.decl) === 0 &&
        decls.kindOf(target.decl) <= D.variable &&
        !isExported(summary, target.decl)
      )
        needed.add(target.decl);
    }
  }
  const text = textOf(sources, file);
  return [...needed].flatMap((decl): TextEdit[] => {
    const line = text.lastIndexOf('\n', decls.startOf(decl) - 1) + 1;
    return /^\S/.test(text.slice(line)) ? [{ start: line, end: line, text: 'export ' }] : [];
  });
}

const isExported = ({ decls, exports }: Summary, decl: number): boolean =>
  decls.has(decl, F.exported | F.defaultExport) ||
  exports.some((entry) => entry.module === undefined && entry.local === decls.nameOf(decl));

function isWithin({ decls }: Summary, block: number, outer: number): boolean {
  for (let at = block; at >= 0; at = decls.parentOf(at)) if (at === outer) return true;
  return false;
}
