/**
 * The members of a class as whoever uses it sees them: its own, and those it inherits, each once.
 */
import { oneLine } from '../base/one-line.js';
import { basesOf, searchOrder, typeName } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { signatureOf } from '../graph/resolve/signature.js';
import { kindName } from '../change/atomic-change.js';
import type { DeclRef } from '../languages/language.js';
import { headOf } from '../retrieve/head.js';
import { lineAt } from '../syntax/line-at.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, F, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import type { Repository } from './tool.js';

export interface Member extends DeclRef {
  readonly name: string;
  /** The class that declares it. */
  readonly owner: DeclRef;
  readonly inherited: boolean;
  readonly isConstructor: boolean;
}

/**
 * Own members before inherited ones, those of nearer classes first, then in the order of their text. Left out:
 * types inside of the class, what a nearer class hides, and what an inheriting class may not use.
 */
export function membersOf({ resolver }: Repository, type: DeclRef): Member[] {
  const language = resolver.language(type.file);
  const members: Member[] = [];
  const hidden = new Set<string>();
  const constructors = constructorsOf(resolver, type);
  for (const owner of searchOrder(resolver, type)) {
    const inherited = !sameDecl(owner, type);
    const keys: string[] = [];
    for (const part of resolver.bodies(owner)) {
      const summary = resolver.summary(part.file);
      const { decls } = summary;
      if (decls.innerOf(part.decl) < 0) continue;
      const rows = [...decls.allInScope(decls.innerOf(part.decl))].sort((a, b) => decls.startOf(a) - decls.startOf(b));
      for (const decl of rows) {
        const ref = { file: part.file, decl };
        const isConstructor = constructors.some((known) => sameDecl(known, ref));
        if (!isMember(summary, decl) || (decls.kindOf(decl) === D.constructor && !isConstructor)) continue;
        if (inherited && language.reach(decls.flagsOf(decl), decls.kindOf(owner.decl)) === 'class') continue;
        const key = keyOf(summary, decl, language.overloads);
        if (hidden.has(key)) continue;
        keys.push(key);
        members.push({ ...ref, name: spelledName(resolver, ref, owner), owner, inherited, isConstructor });
      }
    }
    for (const key of keys) hidden.add(key);
  }
  return members;
}

/** Its name as its users write it: a constructor may be called by that of its class. */
export function spelledName(resolver: Resolver, { file, decl }: DeclRef, owner: DeclRef | undefined): string {
  const name = resolver.summary(file).decls.nameOf(decl);
  const { constructorName, constructorsSpellClass } = resolver.language(file);
  return constructorsSpellClass && owner !== undefined && name === constructorName
    ? resolver.summary(owner.file).decls.nameOf(owner.decl)
    : name;
}

function isMember({ decls }: Summary, decl: number): boolean {
  const kind = decls.kindOf(decl);
  // What is reached through an interface alone is no member of the class to its users.
  if (decls.has(decl, F.explicit) || (decls.has(decl, F.reassigned) && !isFunctionLike(kind))) return false;
  return kind !== D.lambda && (isFunctionLike(kind) || isFieldLike(kind));
}

/** What hides a member further up: its name, and its types where overloads are told apart. */
function keyOf(summary: Summary, decl: number, overloads: boolean): string {
  const { decls } = summary;
  const name = decls.nameOf(decl);
  if (!overloads || !isFunctionLike(decls.kindOf(decl))) return name;
  return `${name}(${[...decls.paramsOf(decl)].map((param) => typeName(summary, param) ?? '?').join()})`;
}

export interface ParameterEntry {
  readonly name: string;
  readonly type?: string;
  readonly optional: boolean;
}

/** Parameters as a caller gives them, without the receiver. */
export function parameterEntries(text: string, summary: Summary, decl: number): ParameterEntry[] {
  return signatureOf(summary, decl).params.map(({ decl: param, name, optional }) => {
    const type = typeText(text, summary, param);
    return { name, optional, ...(type === undefined ? {} : { type }) };
  });
}

/** The type of a parameter as it is written, in front of the name or behind it. */
function typeText(text: string, { decls, exprs }: Summary, param: number): string | undefined {
  const type = decls.typeOf(param);
  if (type < 0) return undefined;
  const name = decls.nameStartOf(param);
  if (exprs.startOf(type) < name) return oneLine(text.slice(decls.startOf(param), name));
  const value = decls.valueOf(param);
  const end = value < 0 ? decls.endOf(param) : Math.min(exprs.startOf(value), decls.endOf(param));
  const behind = text.slice(name + decls.nameOf(param).length, end);
  return oneLine(behind.replace(/^\s*[?!]?\s*:\s*/, '').replace(/\s*=\s*$/, ''));
}

/** The result as it is written. */
export function resultText(text: string, { decls, exprs }: Summary, decl: number): string | undefined {
  const type = decls.typeOf(decl);
  if (type < 0) return undefined;
  let first = type;
  while (exprs.opOf(first) === E.member && exprs.baseOf(first) >= 0) first = exprs.baseOf(first);
  return oneLine(text.slice(exprs.startOf(first), exprs.endOf(type)));
}

const ACCESS: readonly (readonly [number, string])[] = [
  [F.private, 'private'],
  [F.protected, 'protected'],
  [F.public, 'public'],
];

/** A member as data. */
export function memberEntry({ resolver, text }: Repository, member: Member): object {
  const summary = resolver.summary(member.file);
  const { decls } = summary;
  const source = text(member.file) ?? '';
  const flags = decls.flagsOf(member.decl);
  const kind = decls.kindOf(member.decl);
  const result = resultText(source, summary, member.decl);
  return {
    owner: resolver.summary(member.owner.file).decls.nameOf(member.owner.decl),
    name: member.name,
    kind: member.isConstructor ? 'constructor' : kind === D.function ? 'method' : kindName(kind),
    file: member.file,
    line: lineAt(summary, Math.max(decls.nameStartOf(member.decl), decls.startOf(member.decl))),
    signature: headOf(source, summary, member.decl),
    ...(isFunctionLike(kind)
      ? { parameters: parameterEntries(source, summary, member.decl).map(({ name }) => name) }
      : {}),
    ...(result === undefined ? {} : { returns: result }),
    static: (flags & F.static) !== 0,
    abstract: (flags & F.abstract) !== 0,
    access: ACCESS.find(([flag]) => (flags & flag) !== 0)?.[1] ?? 'default',
    inherited: member.inherited,
  };
}

/** Names of a class's bases, those from outside of the repository among them. */
export function baseNames({ resolver }: Repository, type: DeclRef): string[] {
  const bases = basesOf(resolver, type);
  const own = bases.classes.map(({ file, decl }) => resolver.summary(file).decls.nameOf(decl));
  return [...new Set([...own, ...bases.external.map(({ name }) => name)])].filter((name) => name !== '');
}
