/**
 * Classes by what a person, a model or a compiler calls them: simple, nested or qualified names.
 */
import { sharedFolders } from '../base/paths.js';
import { publicName } from '../graph/resolve/public-name.js';
import { isTestFile } from '../languages/test-file.js';
import { LANGUAGES } from '../languages/registry.js';
import type { DeclRef } from '../languages/language.js';
import { spelledLike } from '../retrieve/likeness.js';
import { declKey } from '../syntax/rows.js';
import { D, F, isClassLike, type Summary } from '../syntax/summary.js';
import type { Repository } from './tool.js';

/** More classes of one name than this are not told apart by a reader. */
export const SAME_NAME_MOST = 5;
/** Names like one that nothing has: past these they are hardly like it. */
export const SUGGESTED_MOST = 5;

/** A class: not one without a name, nor a further value of a name. */
export function isClass({ decls }: Summary, decl: number): boolean {
  const kind = decls.kindOf(decl);
  return isClassLike(kind) && kind !== D.anonymousClass && !decls.has(decl, F.reassigned);
}

/**
 * All classes of the name, none guessed: those nearest to `near` first, sources before tests, outer before
 * nested. Parts of one class are one. A qualified name may be that of a re-export: its parts have to come in
 * the class's full name, in order.
 */
export function classesCalled(repository: Repository, asked: string, near?: string): DeclRef[] {
  const plain = asked.trim().replace(/<.*$/s, '');
  const partsBy = (separators: RegExp): string[] => plain.split(separators).filter((part) => part !== '');
  const found = classesAt(repository, partsBy(/[.:/#]+/), near);
  // A nested class's name in Java's bytecode; elsewhere the sign is a letter like others.
  return found.length > 0 || !plain.includes('$') ? found : classesAt(repository, partsBy(/[.:/#$]+/), near);
}

function classesAt({ resolver }: Repository, path: readonly string[], near: string | undefined): DeclRef[] {
  const name = path[path.length - 1];
  if (name === undefined) return [];
  const found: DeclRef[] = [];
  const known = new Set<string>();
  for (const { id } of LANGUAGES)
    for (const file of resolver.repo.filesDeclaring(id, name)) {
      const summary = resolver.summary(file);
      for (const decl of summary.decls.named(summary.idOf(name))) {
        const ref = { file, decl };
        if (!isClass(summary, decl) || known.has(declKey(ref)) || !comeInOrder(path, publicName(resolver, ref)))
          continue;
        for (const part of resolver.bodies(ref)) known.add(declKey(part));
        found.push(ref);
      }
    }
  const depth = ({ file, decl }: DeclRef): number => resolver.summary(file).decls.pathOf(decl).split('.').length;
  return found.sort(
    (a, b) =>
      (near === undefined ? 0 : sharedFolders(b.file, near) - sharedFolders(a.file, near)) ||
      Number(isTestFile(a.file)) - Number(isTestFile(b.file)) ||
      depth(a) - depth(b) ||
      a.file.length - b.file.length ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl),
  );
}

function comeInOrder(path: readonly string[], full: string): boolean {
  const parts = full.split('.');
  let at = parts.length - 1;
  for (let i = path.length - 1; i >= 0; i--) {
    while (at >= 0 && parts[at] !== path[i]) at--;
    if (at < 0) return false;
    at--;
  }
  return true;
}

/** Names of classes that are spelt like one that nothing has. */
export function classesLike(repository: Repository, asked: string): string[] {
  const name = asked.slice(Math.max(asked.lastIndexOf('.'), asked.lastIndexOf(':')) + 1);
  return spelledLike(name, namesOf(repository, 'classes', isClass), SUGGESTED_MOST).map((like) => like.name);
}

/** Names of functions outside of classes that are spelt like one that nothing has. */
export function functionsLike(repository: Repository, asked: string): string[] {
  return spelledLike(asked, namesOf(repository, 'functions', isFreeFunction), SUGGESTED_MOST).map((like) => like.name);
}

/** A function that no class and no function is around. */
export function isFreeFunction({ decls }: Summary, decl: number): boolean {
  return decls.kindOf(decl) === D.function && decls.parentOf(decl) < 0;
}

const namesMemo = new WeakMap<Summary, Map<string, readonly string[]>>();

function* namesOf(
  { snapshot }: Repository,
  which: string,
  counts: (summary: Summary, decl: number) => boolean,
): Generator<string> {
  for (const summary of snapshot.files.values()) {
    let known = namesMemo.get(summary);
    if (known === undefined) namesMemo.set(summary, (known = new Map<string, readonly string[]>()));
    let names = known.get(which);
    if (names === undefined) {
      const found = new Set<string>();
      for (let decl = 0; decl < summary.decls.count; decl++)
        if (counts(summary, decl)) found.add(summary.decls.nameOf(decl));
      known.set(which, (names = [...found]));
    }
    yield* names;
  }
}
