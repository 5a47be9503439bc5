/** For a member that syntax calls (`__call__`, `operator+`, an indexer): where that syntax stands. */
import type { DeclRef } from '../../languages/language.js';
import { declKey } from '../../syntax/rows.js';
import { F, isClassLike, isFieldLike } from '../../syntax/summary.js';
import { classOfMember } from '../resolve/hierarchy.js';
import type { Resolver } from '../resolve/resolver.js';
import { filesRunning, impliedIn } from './implied-calls.js';
import { filesThatMayMean } from './reach-outside.js';
import { isDefaultExport, notedRows } from './noted-rows.js';
import { overridersOf } from './overriders.js';
import type { Site } from './site.js';
import { descendantsOf, namedSites, typesMadeBy } from './sites-by-name.js';

/** Whether syntax calls the member, so that its callers need not say its name: `__call__`, `operator+`, an indexer. */
export function isCalledBySyntax(resolver: Resolver, member: DeclRef): boolean {
  const { callMember, operatorMembers, functionMembers, descriptorMembers } = resolver.language(member.file);
  const name = resolver.summary(member.file).decls.nameOf(member.decl);
  return (
    name === callMember ||
    name === descriptorMembers?.read ||
    name === descriptorMembers?.write ||
    [...Object.values(operatorMembers), ...functionMembers.values()].some((names) => names.includes(name))
  );
}

/** For a special member (`__call__`, `operator+`): syntax that calls it. */
export function specialSites(resolver: Resolver, target: DeclRef): Site[] {
  const summary = resolver.summary(target.file);
  const home = classOfMember(summary, target.decl);
  if (home === undefined || !isCalledBySyntax(resolver, target)) return [];
  const name = summary.decls.nameOf(target.decl);
  const { files, rows } = filesRunning(resolver, summary.language, name);
  const sitesAmong = (some: readonly string[]): Site[] =>
    some.flatMap((file) => impliedIn(resolver, file, name).get(declKey(target)) ?? []);
  // The class of an extension method is said by nobody who runs it.
  if (summary.decls.has(target.decl, F.extension)) return sitesAmong(files);
  const looks = { left: rows > ROWS_FEW ? rows / ROWS_FOR_ONE : 0 };
  const near = around(resolver, { file: target.file, decl: home }, new Set(files), looks);
  return sitesAmong(looks.left > 0 ? near : files);
}

/**
 * So many rows of a repository are looked at one by one, whatever lies around a class: a row costs some ten
 * microseconds, and what lies around a class in the middle of a program costs seconds.
 */
const ROWS_FEW = 2000;
/**
 * Of more rows those are looked at that lie around the class, if that is found by looking at a row that says a name for
 * so many of them. For a class in the middle of a program it is not, and most of them lie around it.
 */
const ROWS_FOR_ONE = 32;

/**
 * Files that refer to the class or one that derives from it, and the files that refer to what does
 * so there. What a special member of another class gives is got without a name, in the files around
 * that class: each class counts once, since two may give each other.
 */
export function filesAround(resolver: Resolver, type: DeclRef): readonly string[] {
  return resolver.answer<readonly string[]>('files around', type.file, type.decl, [], () =>
    around(resolver, type, new Set(resolver.repo.filesOf(resolver.summary(type.file).language)), { left: Infinity }),
  );
}

/**
 * Those of `wanted` that are around the class. What can lead to none that is still wanted is not followed. The search
 * ends early where it would look at more than is left.
 */
export function around(resolver: Resolver, type: DeclRef, wanted: Set<string>, looks: { left: number }): string[] {
  const out: string[] = [];
  const add = (file: string): void => {
    if (wanted.delete(file)) out.push(file);
  };
  const sitesWithin = (ref: DeclRef): readonly Site[] => {
    looks.left -= looksFor(resolver, ref);
    return looks.left > 0 ? namedSites(resolver, ref) : [];
  };
  const classes = new Map([[declKey(type), type]]);
  for (const each of classes.values()) {
    for (const one of [each, ...(looks.left > 0 ? descendantsOf(resolver, each) : [])]) {
      add(one.file);
      for (const site of sitesWithin(one)) {
        if (wanted.size === 0 || looks.left <= 0) return out;
        add(site.file);
        const block = { file: site.file, decl: site.block };
        if (block.decl < 0) continue;
        looks.left--;
        if (mayBeNamedIn(resolver, block, wanted))
          for (const further of [...sitesWithin(block), ...overridersOf(resolver, block)]) add(further.file);
        const home = classOfMember(resolver.summary(block.file), block.decl);
        if (home === undefined || !isCalledBySyntax(resolver, block)) continue;
        const giver = { file: block.file, decl: home };
        classes.set(declKey(giver), giver);
      }
    }
  }
  return out;
}

/** What has to be looked at for who says the name of a declaration: files, and rows in them. */
function looksFor(resolver: Resolver, ref: DeclRef): number {
  const name = resolver.summary(ref.file).decls.nameOf(ref.decl);
  return resolver.repo.memo(`looks for ${name}`, () =>
    resolver.repo
      .filesMentioning(name)
      .map((file) => resolver.summary(file))
      .reduce((sum, summary) => sum + 1 + summary.exprs.named(summary.idOf(name)).length, 0),
  );
}

/** Whether one of the files may say a name of the declaration, as far as their names tell. */
function mayBeNamedIn(resolver: Resolver, target: DeclRef, files: ReadonlySet<string>): boolean {
  const of = resolver.summary(target.file);
  const home = classOfMember(of, target.decl);
  const wanted = [target, ...(home === undefined ? [] : typesMadeBy(resolver, target, home))];
  const kind = of.decls.kindOf(target.decl);
  const { madeAccessors, decoratorSpelling } = resolver.language(target.file);
  if (madeAccessors !== undefined && isFieldLike(kind)) return true;
  if (decoratorSpelling !== undefined && (isClassLike(kind) || wanted.length > 1)) return true;
  return wanted.some((ref) => {
    const summary = resolver.summary(ref.file);
    const name = summary.decls.nameOf(ref.decl);
    return (
      isDefaultExport(summary, ref.decl) ||
      filesThatMayMean(resolver, ref, name).some((file) => files.has(file) || givesOtherName(resolver, file, name))
    );
  });
}

/** Whether the file may give what a name means another name. */
function givesOtherName(resolver: Resolver, file: string, name: string): boolean {
  const summary = resolver.summary(file);
  return notedRows(summary).renamed.has(summary.idOf(name));
}
