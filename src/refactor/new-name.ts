/**
 * Whether a definition can have another name: one that the language takes for a name, that nothing
 * beside it has, and that nobody outside of the repository knows it by.
 */
import { generatedBy } from '../edit/generated.js';
import { mayServeOutside, outsideBaseAt } from '../edit/mechanical/headers/outside-member.js';
import { sitesOf } from '../graph/refer/references.js';
import { basesOf, classOfMember, findMember, typeName } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { familyOf } from '../impact/family.js';
import { languageById } from '../languages/registry.js';
import type { DeclRef } from '../languages/language.js';
import { lineAt } from '../syntax/line-at.js';
import { hiddenMeaning, type Coming } from './hidden-meaning.js';
import { blockPath, D, isClassLike, isFunctionLike, nameOf, type LanguageId, type Summary } from '../syntax/summary.js';
import { Refused, textOf, type Sources } from './seed.js';

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** A dollar sign is a letter of a name there. */
const WITH_DOLLAR: ReadonlySet<LanguageId> = new Set(['typescript', 'java']);

/** Throws Refused for what is no name in the language. */
export function checkName(language: LanguageId, name: string): void {
  if (!IDENTIFIER.test(name) || (name.includes('$') && !WITH_DOLLAR.has(language)))
    throw new Refused(
      `${name === '' ? 'the empty text' : name} is no name; give letters, digits and underscores, a letter first`,
    );
  if (languageById(language).writing.keywords.has(name))
    throw new Refused(`${name} is a word of the language, and cannot be a name; give another`);
}

/** Throws Refused for a file that must not be edited. */
export function checkWritten(sources: Sources, file: string): void {
  const generated = generatedBy(file, textOf(sources, file));
  if (generated !== undefined) throw new Refused(`${file} cannot be refactored: ${generated}`, [file]);
}

/**
 * Throws Refused where a member is known by its name, or its signature, outside of the repository. `what`: what
 * it keeps.
 */
export function checkOutside({ resolver }: Sources, ref: DeclRef, what: 'name' | 'signature'): void {
  const family = [ref, ...familyOf(resolver, ref)];
  for (const member of family) {
    const outside = outsideBaseAt(resolver, member);
    if (outside === undefined) continue;
    const name = blockPath(resolver.summary(member.file), member.decl);
    throw new Refused(
      `${name} stands for a member of ${outside}, which is not in the repository: it keeps its ${what}`,
      [member.file],
    );
  }
}

/** What to say of a member whose class has a base that nobody here can look into. */
export function mayBeOutside({ resolver }: Sources, ref: DeclRef): string[] {
  const summary = resolver.summary(ref.file);
  const owner = ref.decl < 0 ? undefined : classOfMember(summary, ref.decl);
  if (owner === undefined || !isFunctionLike(summary.decls.kindOf(ref.decl)) || !mayServeOutside(resolver, ref))
    return [];
  const bases = basesOf(resolver, { file: ref.file, decl: owner })
    .external.map(({ name }) => name)
    .filter((name) => name !== '');
  // Of what nothing here uses the plan says it, by `unmet-interface`.
  if (bases.length > 0 && sitesOf(resolver, ref).length === 0) return [];
  const name = nameOf(summary, ref.decl);
  return [
    `${nameOf(summary, owner)} derives from ${bases.join(', ') || 'a class'}, which is not in the repository: ` +
      `if that has a member ${name}, this one stood for it`,
  ];
}

/** Throws Refused where something that would be mixed up with the definition has the name. */
export function checkFree({ resolver }: Sources, refs: readonly DeclRef[], name: string): void {
  for (const ref of refs) {
    const summary = resolver.summary(ref.file);
    const taken =
      besideIt(summary, ref.decl, name, refs) ?? memberTaken(resolver, ref, name, refs) ?? inSpace(resolver, ref, name);
    if (taken === undefined) continue;
    const of = resolver.summary(taken.file);
    const place = `${taken.file}:${lineAt(of, Math.max(0, of.decls.nameStartOf(taken.decl)))}`;
    throw new Refused(`${name} is taken: it is ${isImported(of, taken.decl) ? 'imported' : 'declared'} at ${place}`, [
      taken.file,
    ]);
  }
  for (const ref of refs) {
    const { decls } = resolver.summary(ref.file);
    checkHidesNothing(resolver, {
      file: ref.file,
      scope: decls.scopeOf(ref.decl),
      kind: decls.kindOf(ref.decl),
      name,
      refs,
    });
  }
}

/** Throws Refused where a definition would take a name from code that means something else by it. */
export function checkHidesNothing(resolver: Resolver, coming: Coming): void {
  const { file, name } = coming;
  const hidden = hiddenMeaning(resolver, coming);
  if (hidden === undefined) return;
  const summary = resolver.summary(file);
  throw new Refused(
    `${name} means something else already at ${file}:${lineAt(summary, summary.exprs.startOf(hidden))}, ` +
      'and would mean this there',
    [file],
  );
}

const isImported = ({ decls }: Summary, decl: number): boolean => decls.kindOf(decl) === D.importBinding;

/** What the same scope declares under the name. */
function besideIt(summary: Summary, decl: number, name: string, refs: readonly DeclRef[]): DeclRef | undefined {
  const row = summary.idOf(name);
  const file = refs.find((ref) => ref.decl === decl)?.file ?? '';
  if (row < 0) return undefined;
  const other = summary.decls
    .inScope(summary.decls.scopeOf(decl), row)
    .find((candidate) => isMixedUp(summary, decl, summary, candidate));
  return other === undefined ? undefined : { file, decl: other };
}

/** A member of the same name that the class inherits. */
function memberTaken(
  resolver: Resolver,
  { file, decl }: DeclRef,
  name: string,
  refs: readonly DeclRef[],
): DeclRef | undefined {
  const summary = resolver.summary(file);
  const owner = classOfMember(summary, decl);
  if (owner === undefined || summary.decls.parentOf(decl) !== owner) return undefined;
  return findMember(resolver, { file, decl: owner }, name, true).found.find(
    (other) =>
      !refs.some((ref) => ref.file === other.file && ref.decl === other.decl) &&
      isMixedUp(summary, decl, resolver.summary(other.file), other.decl),
  );
}

/** A type of the same package or namespace, whichever file has it. */
function inSpace(resolver: Resolver, { file, decl }: DeclRef, name: string): DeclRef | undefined {
  const language = resolver.language(file);
  const { decls, scopes } = resolver.summary(file);
  if (language.importsFiles || decls.parentOf(decl) >= 0 || !isClassLike(decls.kindOf(decl))) return undefined;
  const found = language.ambient(name, file, decls.scopeOf(decl), resolver);
  return found.flatMap((entity) =>
    entity.kind === 'decl' &&
    spaceOf(resolver, entity) === spaceOf(resolver, { file, decl }) &&
    scopes.parentOf(decls.scopeOf(decl)) >= -1
      ? [{ file: entity.file, decl: entity.decl }]
      : [],
  )[0];
}

/** The package or namespace that a declaration stands in. */
export function spaceOf(resolver: Resolver, { file, decl }: DeclRef): string {
  const summary = resolver.summary(file);
  const { scopes, decls } = summary;
  const parts: string[] = summary.package === '' ? [] : [summary.package];
  for (let s = decls.scopeOf(decl); s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (owner >= 0 && decls.kindOf(owner) === D.namespace) return [...parts, nameOf(summary, owner)].join('.');
  }
  return parts.join('.');
}

/**
 * Whether the two could not both have one name: all but functions of other parameters, where these tell
 * functions apart.
 */
function isMixedUp(summary: Summary, decl: number, of: Summary, other: number): boolean {
  const { decls } = summary;
  const language = languageById(summary.language);
  const [kind, otherKind] = [decls.kindOf(decl), of.decls.kindOf(other)];
  if (language.methodsApart && isFunctionLike(kind) !== isFunctionLike(otherKind)) return false;
  if (!language.overloads || !isFunctionLike(kind) || !isFunctionLike(otherKind)) return true;
  const types = (s: Summary, row: number): string =>
    [...s.decls.paramsOf(row)].map((param) => typeName(s, param) ?? '?').join();
  return types(summary, decl) === types(of, other);
}
