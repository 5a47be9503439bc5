/**
 * From what a person calls a block to its declarations.
 *
 *     store.py:Store.put     in that file
 *     Store.put, put         anywhere, if that is the only one
 *     com.shop.Store.put     with package or namespace (Java, C#)
 *     Store.put(int,String)  the overload with these types of parameters, as written
 *     store.py:12            the block whose name is on the line, else the innermost around it
 *     store.py:12:8          what the name at that place means, else the same as store.py:12
 *     store.py               the file as a module; store.py:<module> says the same
 *
 * Overloads of one name in one class are one block here unless the types are given, and so are the
 * parts of a partial class. Throws ServiceError: unknownBlock, ambiguousBlock.
 */
import { counted } from '../base/counted.js';
import { shownName } from '../base/shown.js';
import { blockNamed } from '../change/block-name.js';
import { D, E, F, isBlockKind, isClassLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import { qualifiedName, typeName } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { languageOf, LANGUAGES } from '../languages/registry.js';
import { spelledLike } from '../retrieve/likeness.js';
import { ServiceError } from './service.js';
import { offsetOf } from './spans.js';

/** Declarations of one name: never empty. Decl -1 is the module. */
export type FoundBlock = readonly [DeclRef, ...DeclRef[]];

export const MODULE = '<module>';
/** How many candidates a refusal lists. */
const CANDIDATES_MOST = 20;
/** How many names that are spelt alike are offered for one that nothing has. */
const ALIKE_MOST = 5;

export function findBlock(resolver: Resolver, asked: string): FoundBlock {
  const place = /^(.+?):(\d+)(?::(\d+))?$/u.exec(asked);
  if (place?.[1] !== undefined && resolver.repo.hasFile(place[1]))
    return atPlace(resolver, asked, place[1], Number(place[2]), place[3] === undefined ? undefined : Number(place[3]));
  if (resolver.repo.hasFile(asked)) return [{ file: asked, decl: -1 }];
  const colon = asked.search(/:+[^:]*$/u);
  const file = colon < 0 ? undefined : asked.slice(0, colon);
  const name = colon < 0 ? asked : asked.slice(colon).replace(/^:+/u, '');
  if (file !== undefined && !resolver.repo.hasFile(file)) throw unknownFile(resolver, file);
  if (file !== undefined && name === MODULE) return [{ file, decl: -1 }];
  return named(resolver, asked, file, name);
}

/** The block that documents name `path:Outer.inner`, overloads with their number; undefined where there is none. */
export function namedExactly(resolver: Resolver, name: string): DeclRef | undefined {
  for (let at = name.indexOf(':'); at >= 0; at = name.indexOf(':', at + 1)) {
    const file = name.slice(0, at);
    const decl = resolver.repo.hasFile(file) ? blockNamed(resolver.summary(file), name.slice(at + 1)) : undefined;
    if (decl !== undefined) return { file, decl };
  }
  return undefined;
}

/** `path:line` as the line itself, else the span of a block: where a reference stands. */
export function findPlace(
  resolver: Resolver,
  asked: string,
): { readonly file: string; readonly decl: number; readonly start: number; readonly end: number } {
  const line = /^(.+?):(\d+)$/u.exec(asked);
  const summary = line?.[1] === undefined ? undefined : resolver.repo.summary(line[1]);
  if (line?.[1] !== undefined && summary !== undefined) {
    const start = offsetOf(summary, Number(line[2]), 0);
    if (start === undefined) throw noSuchLine(asked, summary);
    return {
      file: line[1],
      decl: innermostAt(summary, start, summary.lineStarts[Number(line[2])] ?? summary.textLength),
      start,
      end: summary.lineStarts[Number(line[2])] ?? summary.textLength + 1,
    };
  }
  const [{ file, decl }] = findBlock(resolver, asked);
  const of = resolver.summary(file);
  return decl < 0
    ? { file, decl, start: 0, end: of.textLength }
    : { file, decl, start: of.decls.startOf(decl), end: of.decls.endOf(decl) };
}

/** As it can be asked for again. */
export function askedFor(resolver: Resolver, { file, decl }: DeclRef): string {
  return `${file}:${resolver.summary(file).decls.pathOf(decl)}`;
}

// ---- by name

function named(resolver: Resolver, asked: string, file: string | undefined, name: string): FoundBlock {
  const { path, types } = split(name);
  const candidates = declarationsOf(resolver, file, path).filter(
    (ref) => types === undefined || typesOf(resolver, ref) === types,
  );
  const groups = grouped(resolver, candidates);
  const exact = groups.filter(([first]) => resolver.summary(first.file).decls.pathOf(first.decl) === path);
  // In one file the whole path wins over the end of a longer one.
  const chosen = file !== undefined && exact.length > 0 ? exact : groups;
  if (chosen.length === 1) return chosen[0] as FoundBlock;
  if (chosen.length === 0) throw unknown(resolver, asked, file, path);
  const shown = chosen.slice(0, CANDIDATES_MOST).map(([first]) => askedFor(resolver, first));
  throw new ServiceError(
    'ambiguousBlock',
    `${chosen.length} blocks are called ${name}; say which ` +
      `one${chosen.length > shown.length ? ` (the first ${shown.length})` : ''}:`,
    [],
    shown,
  );
}

function split(name: string): { path: string; types: string | undefined } {
  const open = name.indexOf('(');
  return open < 0
    ? { path: name, types: undefined }
    : { path: name.slice(0, open), types: name.slice(open).replace(/\s/gu, '') };
}

function declarationsOf(resolver: Resolver, file: string | undefined, path: string): DeclRef[] {
  const name = path.slice(path.lastIndexOf('.') + 1);
  const files = file !== undefined ? [file] : LANGUAGES.flatMap(({ id }) => resolver.repo.filesDeclaring(id, name));
  return files.flatMap((inFile) => {
    const summary = resolver.summary(inFile);
    const row = summary.idOf(name);
    const rows = row < 0 ? [] : [...summary.decls.named(row)];
    return rows
      .filter(
        (decl) =>
          (isNamedBlock(summary, decl) || (file !== undefined && summary.decls.kindOf(decl) === D.namespace)) &&
          isCalled(summary, decl, path),
      )
      .sort((a, b) => a - b)
      .map((decl) => ({ file: inFile, decl }));
  });
}

/** Namespaces are left out: a bare name would mean one in every file that adds to it. */
export function isNamedBlock(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return isBlockKind(kind) && kind !== D.namespace && !summary.decls.has(decl, F.reassigned);
}

function isCalled(summary: Summary, decl: number, path: string): boolean {
  const own = summary.decls.pathOf(decl);
  return (
    own === path ||
    own.endsWith(`.${path}`) ||
    (path.includes('.') && `.${qualifiedName(summary, decl)}`.endsWith(`.${path}`))
  );
}

/** Declarations of one path in one file are one block, and so are the parts of a partial class. */
function grouped(resolver: Resolver, candidates: readonly DeclRef[]): FoundBlock[] {
  const groups = new Map<string, [DeclRef, ...DeclRef[]]>();
  for (const ref of candidates) {
    const summary = resolver.summary(ref.file);
    const isClass = isClassLike(summary.decls.kindOf(ref.decl));
    const home = isClass
      ? [...groups.values()].find(([first]) =>
          resolver.bodies(first).some((part) => part.file === ref.file && part.decl === ref.decl),
        )
      : undefined;
    const key = `${ref.file}\0${summary.decls.pathOf(ref.decl)}`;
    const group = home ?? groups.get(key);
    if (group === undefined) groups.set(key, [ref]);
    else group.push(ref);
  }
  return [...groups.values()];
}

/** Types of a function's parameters as written, `(int,String)`. */
function typesOf(resolver: Resolver, { file, decl }: DeclRef): string | undefined {
  const summary = resolver.summary(file);
  if (!isFunctionLike(summary.decls.kindOf(decl))) return undefined;
  const params = [...summary.decls.paramsOf(decl)].filter((param) => !summary.decls.has(param, F.receiver));
  return `(${params.map((param) => typeName(summary, param) ?? '?').join(',')})`;
}

function unknown(resolver: Resolver, asked: string, file: string | undefined, path: string): ServiceError {
  if (resolver.repo.files.size === 0) return nothingIndexed();
  // A path alone, with a slip in it.
  if (file === undefined && languageOf(asked) !== undefined) return unknownFile(resolver, asked);
  const last = path.slice(path.lastIndexOf('.') + 1);
  const where = file === undefined ? 'the repository' : file;
  const none = `${where} has no block called ${path}`;
  const same = blocksCalled(resolver, last);
  if (same.length > 0)
    return new ServiceError('unknownBlock', `${none}; these have its last name:`, [], same.slice(0, CANDIDATES_MOST));
  const alike = spelledLike(last, namesOfBlocks(resolver), ALIKE_MOST)
    .flatMap(({ name }) => blocksCalled(resolver, name))
    // What is beside the place that was named is likelier meant.
    .sort((a, b) => Number(b.startsWith(`${file}:`)) - Number(a.startsWith(`${file}:`)))
    .slice(0, ALIKE_MOST);
  return new ServiceError(
    'unknownBlock',
    alike.length === 0
      ? `${none}; give path:Outer.inner, a name, or path:line (${asked})`
      : `${none}; these are spelt like it:`,
    [],
    alike,
  );
}

function unknownFile(resolver: Resolver, file: string): ServiceError {
  if (resolver.repo.files.size === 0) return nothingIndexed();
  const none = `the index has no file ${shownName(file)}`;
  const base = baseOf(file);
  const same = resolver.repo.filesNamed(base);
  const bases = (): string[] => [...resolver.repo.files.keys()].map(baseOf);
  const alike =
    same.length > 0
      ? same
      : spelledLike(base, bases(), ALIKE_MOST).flatMap(({ name }) => resolver.repo.filesNamed(name));
  return new ServiceError(
    'unknownBlock',
    alike.length === 0
      ? `${none}; give a path relative to the root, of a language that is indexed`
      : `${none}; these are called like it:`,
    [],
    alike.slice(0, ALIKE_MOST),
  );
}

const baseOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1);

function nothingIndexed(): ServiceError {
  const languages = LANGUAGES.map(({ id }) => id).join(', ');
  return new ServiceError(
    'unknownBlock',
    `the repository has no source that is indexed (${languages}): is this the folder that you mean, and are its ` +
      'sources not ignored?',
  );
}

function blocksCalled(resolver: Resolver, name: string): string[] {
  return grouped(resolver, declarationsOf(resolver, undefined, name)).map(([first]) => askedFor(resolver, first));
}

function* namesOfBlocks(resolver: Resolver): Generator<string> {
  for (const summary of resolver.repo.files.values())
    for (let decl = 0; decl < summary.decls.count; decl++)
      if (isNamedBlock(summary, decl)) yield summary.decls.nameOf(decl);
}

// ---- by place

function atPlace(
  resolver: Resolver,
  asked: string,
  file: string,
  line: number,
  column: number | undefined,
): FoundBlock {
  const summary = resolver.summary(file);
  const start = offsetOf(summary, line, 0);
  if (start === undefined) throw noSuchLine(asked, summary);
  const meant =
    column === undefined ? undefined : meantAt(resolver, file, summary, offsetOf(summary, line, column) as number);
  return meant ?? [{ file, decl: innermostAt(summary, start, summary.lineStarts[line] ?? summary.textLength + 1) }];
}

function noSuchLine(asked: string, summary: Summary): ServiceError {
  return new ServiceError(
    'unknownBlock',
    `${asked} is no place: the file has ${counted(summary.lineStarts.length, 'line')}`,
  );
}

/** What the name at an offset refers to, if it is a block. */
function meantAt(resolver: Resolver, file: string, summary: Summary, offset: number): FoundBlock | undefined {
  const { exprs } = summary;
  for (let expr = 0; expr < exprs.count; expr++) {
    const op = exprs.opOf(expr);
    if (
      (op !== E.name && op !== E.member && op !== E.initializer) ||
      exprs.startOf(expr) > offset ||
      exprs.endOf(expr) < offset
    )
      continue;
    const [first, ...others] = resolver
      .resolve(file, expr)
      .targets.filter((target) => target.decl >= 0 && isNamedBlock(resolver.summary(target.file), target.decl));
    if (first !== undefined) return [first, ...others];
  }
  return undefined;
}

/** The block whose name stands between the offsets, else the smallest around them; -1 for none. */
export function innermostAt(summary: Summary, start: number, end: number): number {
  const { decls } = summary;
  const length = (decl: number): number => decls.endOf(decl) - decls.startOf(decl);
  const rows = [...Array(decls.count).keys()]
    .filter((decl) => isNamedBlock(summary, decl))
    .sort((a, b) => length(a) - length(b));
  const on = rows.find((decl) => decls.nameStartOf(decl) >= start && decls.nameStartOf(decl) < end);
  return on ?? rows.find((decl) => decls.startOf(decl) < end && decls.endOf(decl) > start) ?? -1;
}

/** For questions that only a block has an answer to. */
export function withoutModule(block: FoundBlock, asked: string): FoundBlock {
  if (block[0].decl >= 0) return block;
  throw new ServiceError(
    'unknownBlock',
    `${asked} is code outside of all blocks, which has no name to ask for; name a block of the file, or ` +
      'path:line of one',
  );
}

export const lastName = (resolver: Resolver, ref: DeclRef): string =>
  ref.decl < 0 ? MODULE : resolver.summary(ref.file).decls.nameOf(ref.decl);
