/**
 * A parameter, a type parameter or a local variable gets another name. What says a parameter
 * elsewhere follows by the plan; a local is said in its function alone, and all of it is the seed.
 */
import { mentionEdit } from '../edit/mechanical/names/shorthand.js';
import { mentionsIn } from '../edit/mechanical/names/body-renames.js';
import { NOTHING_TOLD } from '../change/version.js';
import { sameDecl } from '../syntax/rows.js';
import type { DeclRef } from '../languages/language.js';
import { lineAt } from '../syntax/line-at.js';
import { blockPath, D, E, nameOf, type Summary } from '../syntax/summary.js';
import { checkName, checkOutside, checkWritten } from './new-name.js';
import { Edits, editedTexts, Refused, textOf, type Seed, type Sources } from './seed.js';

/** A parameter or variable of a function, as it is asked for: `load(key)`, `load(i#2)` for the second of that name. */
export interface LocalName {
  readonly name: string;
  /** From 1; undefined where only one is expected. */
  readonly number: number | undefined;
}

/** What a function declares under the name: a row for each variable, parameters first. */
export function localsNamed(summary: Summary, decl: number, name: string): number[] {
  const { decls } = summary;
  const row = summary.idOf(name);
  if (row < 0) return [];
  const inside = [...decls.named(row)].filter(
    (local) =>
      (decls.kindOf(local) === D.param || decls.kindOf(local) === D.local || decls.kindOf(local) === D.typeParam) &&
      decls.nameStartOf(local) >= decls.startOf(decl) &&
      decls.nameStartOf(local) < decls.endOf(decl),
  );
  const isOfHeader = (local: number): boolean =>
    decls.paramsOf(decl).includes(local) || decls.typeParamsOf(decl).includes(local);
  const scopes = new Set<number>();
  return [...inside.filter(isOfHeader), ...inside.filter((local) => !isOfHeader(local))].filter((local) => {
    const scope = isOfHeader(local) ? decls.innerOf(decl) : decls.scopeOf(local);
    const isNew = !scopes.has(scope);
    scopes.add(scope);
    return isNew;
  });
}

export function renameLocalSeed(sources: Sources, owner: DeclRef, { name, number }: LocalName, to: string): Seed {
  const { resolver } = sources;
  const summary = resolver.summary(owner.file);
  const path = blockPath(summary, owner.decl);
  const found = localsNamed(summary, owner.decl, name);
  const linesOf = (rows: readonly number[]): string =>
    rows.map((row) => lineAt(summary, summary.decls.nameStartOf(row))).join(', ');
  const local =
    number === undefined && found.length > 1 && !isParameter(summary, owner.decl, found[0] as number)
      ? undefined
      : found[(number ?? 1) - 1];
  if (local === undefined)
    throw new Refused(
      found.length === 0
        ? `${path} has no parameter and no variable called ${name}`
        : `${path} has ${found.length} variables called ${name}, on lines ${linesOf(found)}; say which one`,
      [owner.file],
      found.length < 2 ? [] : found.map((_, i) => `${owner.file}:${path}(${name}#${i + 1})`),
    );
  checkName(summary.language, to);
  checkWritten(sources, owner.file);
  if (to === name) throw new Refused(`${name} is called so already`);
  const isSaid = mentionsIn(summary, owner.decl, to).length > 0 || localsNamed(summary, owner.decl, to).length > 0;
  if (isSaid) throw new Refused(`${to} is taken: ${path} uses the name for something else`, [owner.file]);
  const isOwn = isParameter(summary, owner.decl, local);
  if (isOwn && resolver.language(owner.file).writing.keywordArgument !== undefined)
    checkOutside(sources, owner, 'signature');
  const edits = new Edits();
  edits.add(
    owner.file,
    ...(isOwn ? [] : usesOf(sources, owner, local, name, to)),
    ...declarations(summary, textOf(sources, owner.file), local, isOwn, name, to),
  );
  return {
    texts: editedTexts(sources, edits.byFile),
    renames: new Map(),
    title: `rename ${name} of ${path} to ${to}`,
    subjects: [],
    ...(isOwn ? {} : { isClosed: true }),
    told: new Map([
      [owner.file, { ...NOTHING_TOLD, parameters: new Map(isOwn ? [[summary.decls.nameStartOf(local), to]] : []) }],
    ]),
  };
}

const isParameter = ({ decls }: Summary, decl: number, row: number): boolean =>
  decls.paramsOf(decl).includes(row) || decls.typeParamsOf(decl).includes(row);

/** The names that declare the variable: one, or each assignment in its scope. */
function declarations(
  summary: Summary,
  text: string,
  local: number,
  isOwn: boolean,
  name: string,
  to: string,
): { start: number; end: number; text: string }[] {
  const { decls } = summary;
  const rows = isOwn
    ? [local]
    : [...decls.inScope(decls.scopeOf(local), decls.nameIdOf(local))].filter(
        (row) => decls.kindOf(row) !== D.importBinding,
      );
  return rows
    .map((row) => decls.nameStartOf(row))
    .filter((start, i, all) => text.startsWith(name, start) && all.indexOf(start) === i)
    .map((start) => ({
      start,
      end: start + name.length,
      text: isShorthand(summary, start, name) ? `${name}: ${to}` : to,
    }));
}

/** `{ name }` of a pattern: both the key and the variable. */
function isShorthand({ exprs }: Summary, start: number, name: string): boolean {
  for (let row = 0; row < exprs.count; row++)
    if (exprs.startOf(row) === start && exprs.opOf(row) === E.member && exprs.nameOf(row) === name) return true;
  return false;
}

function usesOf(
  { resolver }: Sources,
  { file, decl }: DeclRef,
  local: number,
  from: string,
  to: string,
): { start: number; end: number; text: string }[] {
  const summary = resolver.summary(file);
  const { decls } = summary;
  const scope = decls.scopeOf(local);
  return mentionsIn(summary, decl, from)
    .filter((expr) =>
      resolver
        .resolve(file, expr)
        .targets.some(
          (target) =>
            sameDecl(target, { file, decl: local }) ||
            (target.file === file &&
              target.decl >= 0 &&
              decls.scopeOf(target.decl) === scope &&
              nameOf(summary, target.decl) === from),
        ),
    )
    .map((expr) => mentionEdit(summary, expr, { from, to }));
}
