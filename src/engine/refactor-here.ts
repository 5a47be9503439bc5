/**
 * What a place of a file names, exactly, and what could be refactored there: for an editor, which has a cursor and no
 * names of blocks.
 */
import { stemOf } from '../base/paths.js';
import type { HereParams, HereReport } from '#protocol/refactor.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { isExportedElsewhere } from '../refactor/kept-exports.js';
import { localsNamed } from '../refactor/rename-local.js';
import { listOfParameters } from '../refactor/parameter-list.js';
import { wordsOf } from '../base/words-of-name.js';
import { D, E, F, isFunctionLike, type Summary } from '../syntax/summary.js';
import { askedFor, isNamedBlock, type FoundBlock } from './block-names.js';
import { ServiceError } from './service.js';
import { offsetOf } from './spans.js';
import type { WorkingTree } from './working-tree.js';

/** A parameter or variable, as `renameLocalSeed` takes it. */
export interface NamedLocal {
  readonly owner: DeclRef;
  readonly name: string;
  readonly number: number;
}

export type NamedAt = { readonly local: NamedLocal } | { readonly block: FoundBlock };

const LOCAL_KINDS: ReadonlySet<number> = new Set([D.param, D.local, D.typeParam]);

/** What is declared or said at the offset; undefined for a keyword, a literal, and a name that leads nowhere. */
export function namedAt(resolver: Resolver, file: string, offset: number): NamedAt | undefined {
  const summary = resolver.summary(file);
  const { decls } = summary;
  for (let decl = 0; decl < decls.count; decl++) {
    if (!isNameAt(summary, decl, offset)) continue;
    if (LOCAL_KINDS.has(decls.kindOf(decl))) {
      const local = localOf(resolver, { file, decl });
      if (local !== undefined) return { local };
    } else if (isNamedBlock(summary, decl)) return { block: [{ file, decl }] };
  }
  return saidAt(resolver, file, summary, offset);
}

function saidAt(resolver: Resolver, file: string, summary: Summary, offset: number): NamedAt | undefined {
  const { exprs } = summary;
  for (let expr = 0; expr < exprs.count; expr++) {
    const op = exprs.opOf(expr);
    const isName = op === E.name || op === E.member || op === E.initializer;
    if (!isName || offset < exprs.startOf(expr) || offset > exprs.endOf(expr)) continue;
    // Of `a.b` the member's name is the end.
    if (op === E.member && offset < exprs.endOf(expr) - exprs.nameOf(expr).length) continue;
    const targets = resolver.resolve(file, expr).targets.filter(({ decl }) => decl >= 0);
    const [first, ...others] = targets.filter((to) => isNamedBlock(resolver.summary(to.file), to.decl));
    if (first !== undefined) return { block: [first, ...others] };
    const local = targets.find((to) => LOCAL_KINDS.has(resolver.summary(to.file).decls.kindOf(to.decl)));
    const known = local === undefined ? undefined : localOf(resolver, local);
    if (known !== undefined) return { local: known };
  }
  return undefined;
}

function isNameAt({ decls }: Summary, decl: number, offset: number): boolean {
  const start = decls.nameStartOf(decl);
  return start >= 0 && offset >= start && offset <= start + decls.nameOf(decl).length;
}

/** As the innermost function around it declares it; undefined outside of functions. */
function localOf(resolver: Resolver, { file, decl }: DeclRef): NamedLocal | undefined {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const name = decls.nameOf(decl);
  const at = decls.nameStartOf(decl);
  const owner = aroundOf(summary, at).find((row) => isFunctionLike(decls.kindOf(row)) || decls.hasParams(row));
  if (owner === undefined) return undefined;
  const found = localsNamed(summary, owner, name);
  const number = found.findIndex((row) => row === decl || decls.scopeOf(row) === decls.scopeOf(decl));
  return number < 0 ? undefined : { owner: { file, decl: owner }, name, number: number + 1 };
}

/** Named blocks around an offset, the innermost first. */
function aroundOf(summary: Summary, offset: number): number[] {
  const { decls } = summary;
  return [...Array(decls.count).keys()]
    .filter((row) => isNamedBlock(summary, row) && decls.startOf(row) <= offset && decls.endOf(row) > offset)
    .sort((a, b) => decls.endOf(a) - decls.startOf(a) - (decls.endOf(b) - decls.startOf(b)));
}

/** Throws ServiceError: unknownBlock. */
export function hereDocument(tree: WorkingTree, { file, line, column }: HereParams): HereReport {
  const { resolver } = tree;
  const summary = resolver.repo.summary(file);
  const offset = summary === undefined ? undefined : offsetOf(summary, line, column);
  if (summary === undefined || offset === undefined)
    throw new ServiceError('unknownBlock', `${file}:${line} is no place of a file that is indexed`);
  const named = namedAt(resolver, file, offset);
  return {
    schema: SCHEMA_VERSION,
    rename: named === undefined ? null : { block: `${file}:${line}:${column}`, ...renameHere(tree, named) },
    signature: signatureHere(resolver, file, offset, named),
    move: moveHere(resolver, file, offset),
  };
}

function renameHere(tree: WorkingTree, named: NamedAt): { readonly name: string; readonly isExported: boolean } {
  if ('local' in named) return { name: named.local.name, isExported: false };
  const [{ file, decl }] = named.block;
  const sources = { resolver: tree.resolver, text: (of: string) => tree.text(of) };
  return {
    name: tree.resolver.summary(file).decls.nameOf(decl),
    isExported: isExportedElsewhere(sources, named.block),
  };
}

function signatureHere(
  resolver: Resolver,
  file: string,
  offset: number,
  named: NamedAt | undefined,
): HereReport['signature'] {
  const summary = resolver.summary(file);
  const isFunction = ({ file: of, decl }: DeclRef): boolean => isFunctionLike(resolver.summary(of).decls.kindOf(decl));
  const meant = named !== undefined && 'block' in named ? named.block.find(isFunction) : undefined;
  const around = aroundOf(summary, offset).find((decl) => isFunction({ file, decl }));
  const ref = meant ?? (around === undefined ? undefined : { file, decl: around });
  if (ref === undefined) return null;
  const of = resolver.summary(ref.file);
  return {
    block: placeOf(of, ref.file, ref.decl),
    name: of.decls.nameOf(ref.decl),
    parameters: listOfParameters(of, ref.decl),
    isAsync: resolver.language(ref.file).writing.async === undefined ? null : of.decls.has(ref.decl, F.async),
    isHeader: ref.file === file && isNameAt(of, ref.decl, offset),
  };
}

/** `path:line:column` of its name: overloads are told apart by it. */
function placeOf(summary: Summary, file: string, decl: number): string {
  const at = summary.decls.nameStartOf(decl);
  const line = summary.lineStarts.findLastIndex((start) => start <= at) + 1;
  return `${file}:${line}:${at - (summary.lineStarts[line - 1] ?? 0)}`;
}

function moveHere(resolver: Resolver, file: string, offset: number): HereReport['move'] {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const decl = aroundOf(summary, offset).find((row) => decls.parentOf(row) < 0);
  if (decl === undefined) return null;
  const name = decls.nameOf(decl);
  const isAlone = [...Array(decls.count).keys()].every(
    (row) => row === decl || !isNamedBlock(summary, row) || decls.parentOf(row) >= 0,
  );
  const own = file.slice(0, file.lastIndexOf('/') + 1) + fileNameFor(resolver, file, name);
  return {
    block: askedFor(resolver, { file, decl }),
    name,
    to: isAlone || resolver.repo.hasFile(own) ? null : own,
    isHeader: isNameAt(summary, decl, offset),
  };
}

/** What a file would be called that holds the block alone, in the spelling of the file that it is in. */
function fileNameFor(resolver: Resolver, file: string, name: string): string {
  const stem = stemOf(file);
  const ending = file.slice(file.lastIndexOf('.'));
  const { importsFiles, offside } = resolver.language(file);
  const words = wordsOf(name);
  if (!importsFiles || words.length === 0) return `${name}${ending}`;
  if (offside || stem.includes('_')) return `${words.join('_')}${ending}`;
  return `${stem.toLowerCase() === stem ? words.join('-') : name}${ending}`;
}

/** The place that was asked for by `path:line:column`; undefined for any other form. */
export function placeAsked(
  resolver: Resolver,
  asked: string,
): { readonly file: string; readonly offset: number } | undefined {
  const [, file, line, column] = /^(.+?):(\d+):(\d+)$/u.exec(asked) ?? [];
  const summary = file === undefined ? undefined : resolver.repo.summary(file);
  if (file === undefined || summary === undefined) return undefined;
  const offset = offsetOf(summary, Number(line), Number(column));
  return offset === undefined ? undefined : { file, offset };
}
