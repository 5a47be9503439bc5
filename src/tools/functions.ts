/**
 * Functions by class and name: members, own or inherited, constructors, and functions outside of classes; all
 * overloads of each.
 */
import { findMember, searchOrder, ownMembers } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { isTestFile } from '../languages/test-file.js';
import { LANGUAGES } from '../languages/registry.js';
import type { DeclRef } from '../languages/language.js';
import { spelledLike } from '../retrieve/likeness.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import {
  classesCalled,
  classesLike,
  functionsLike,
  isFreeFunction,
  SAME_NAME_MOST,
  SUGGESTED_MOST,
} from './classes.js';
import { membersOf } from './members.js';
import type { Repository, Suggestion } from './tool.js';

export interface FoundFunction extends DeclRef {
  /** The class that declares it. */
  readonly owner?: DeclRef;
}

export interface FoundFunctions {
  readonly functions: readonly FoundFunction[];
  readonly suggestions: readonly Suggestion[];
}

/** Functions of one name that are listed. */
const FUNCTIONS_MOST = 20;

export function functionsCalled(repository: Repository, className: string | undefined, method: string): FoundFunctions {
  const dot = method.lastIndexOf('.');
  const inClass = className ?? (dot < 0 ? undefined : method.slice(0, dot));
  const name = method.slice(dot + 1).replace(/\(.*$/s, '');
  if (inClass !== undefined && inClass !== '') return inClasses(repository, inClass, name);
  const functions = freeFunctions(repository, name);
  return functions.length > 0
    ? { functions, suggestions: [] }
    : { functions, suggestions: [{ asked: name, names: functionsLike(repository, name) }] };
}

function freeFunctions({ resolver }: Repository, name: string): FoundFunction[] {
  const found: FoundFunction[] = [];
  for (const { id } of LANGUAGES)
    for (const file of resolver.repo.filesDeclaring(id, name)) {
      const summary = resolver.summary(file);
      for (const decl of summary.decls.named(summary.idOf(name)))
        if (isFreeFunction(summary, decl)) found.push({ file, decl });
    }
  return found
    .sort(
      (a, b) =>
        Number(isTestFile(a.file)) - Number(isTestFile(b.file)) ||
        (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl),
    )
    .slice(0, FUNCTIONS_MOST);
}

function inClasses(repository: Repository, className: string, name: string): FoundFunctions {
  const { resolver } = repository;
  const classes = classesCalled(repository, className).slice(0, SAME_NAME_MOST);
  if (classes.length === 0)
    return { functions: [], suggestions: [{ asked: className, names: classesLike(repository, className) }] };
  const functions: FoundFunction[] = [];
  const known = new Set<string>();
  for (const type of classes)
    for (const ref of membersCalled(repository, type, name)) {
      if (known.has(declKey(ref))) continue;
      known.add(declKey(ref));
      const owner = searchOrder(resolver, type).find((base) =>
        resolver.bodies(base).some((part) => isIn(repository, ref, part)),
      );
      functions.push({ ...ref, ...(owner === undefined ? {} : { owner }) });
    }
  if (functions.length > 0) return { functions, suggestions: [] };
  const names = new Set(classes.flatMap((type) => membersOf(repository, type).map((member) => member.name)));
  return {
    functions,
    suggestions: [
      { asked: `${className}.${name}`, names: spelledLike(name, names, SUGGESTED_MOST).map((like) => like.name) },
    ],
  };
}

/** Members of the name with all overloads, those of further classes that nearer ones do not hide included. */
function membersCalled({ resolver }: Repository, type: DeclRef, name: string): DeclRef[] {
  const summary = resolver.summary(type.file);
  const { constructorName } = resolver.language(type.file);
  if (
    name === summary.decls.nameOf(type.decl) ||
    name === constructorName ||
    /^(?:__init__|constructor|<init>)$/.test(name)
  )
    return constructorsOf(resolver, type);
  const found = [...findMember(resolver, type, name).found];
  // Signatures of overloads beside their body, getters beside setters.
  const first = found[0];
  if (first !== undefined)
    for (const owner of searchOrder(resolver, type)) {
      const own = ownMembers(resolver, owner, name);
      if (!own.some((ref) => sameDecl(ref, first))) continue;
      for (const ref of own) if (!found.some((other) => sameDecl(other, ref))) found.push(ref);
      break;
    }
  return found;
}

function isIn({ resolver }: Repository, { file, decl }: DeclRef, part: DeclRef): boolean {
  const { decls } = resolver.summary(part.file);
  return part.file === file && decls.scopeOf(decl) === decls.innerOf(part.decl);
}
