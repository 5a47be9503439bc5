/** Members that override or implement another one. */
import type { DeclRef } from '../../languages/language.js';
import { declKey, sameDecl } from '../../syntax/rows.js';
import { D, isFieldLike, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { classOfMember, isCalledComponent, isDeclaredElsewhere, overriddenBy } from '../resolve/hierarchy.js';
import type { Confidence } from '../resolve/names.js';
import type { Resolver } from '../resolve/resolver.js';
import { blockOf, type Site } from './site.js';
import { descendantsOf } from './sites-by-name.js';

function isMember(summary: Summary, decl: number): boolean {
  const kind = summary.decls.kindOf(decl);
  return (
    (kind === D.method || kind === D.property || kind === D.field || kind === D.function) &&
    classOfMember(summary, decl) !== undefined
  );
}

export function overrideSites(resolver: Resolver, file: string, decl: number, out: Site[]): void {
  const summary = resolver.summary(file);
  if (!isMember(summary, decl)) return;
  for (const target of overriddenBy(resolver, { file, decl }))
    out.push({ file, expr: -1, block: decl, target, kind: 'override', confidence: 'certain', via: 'bases' });
}

/** Members of derived classes that override or implement the target directly. */
export function overridersOf(resolver: Resolver, target: DeclRef): readonly Site[] {
  return resolver.answer<readonly Site[]>('overriders', target.file, target.decl, [], () =>
    findOverriders(resolver, target),
  );
}

function findOverriders(resolver: Resolver, target: DeclRef): Site[] {
  const of = resolver.summary(target.file);
  const home = classOfMember(of, target.decl);
  const kind = of.decls.kindOf(target.decl);
  if (
    home === undefined ||
    kind === D.constructor ||
    !(isFunctionLike(kind) || isFieldLike(kind)) ||
    !isDeclaredElsewhere(resolver, target)
  )
    return [];
  const name = of.decls.nameOf(target.decl);
  const out: Site[] = [];
  const own = { file: target.file, decl: home };
  // A class may have a base by an interface of its name that is merged with it.
  const below = new Map(
    descendantsOf(resolver, own)
      .flatMap((type) => resolver.bodies(type))
      .map((body) => [declKey(body), body]),
  );
  for (const type of isCalledComponent(resolver, target) ? [own, ...below.values()] : below.values()) {
    const summary = resolver.summary(type.file);
    const row = summary.idOf(name);
    if (row < 0) continue;
    for (const decl of summary.decls.named(row)) {
      // Methods of a class without a name are no blocks (`overridersWithoutName`).
      if (classOfMember(summary, decl) !== type.decl || !isMember(summary, decl)) continue;
      for (const base of overriddenBy(resolver, { file: type.file, decl })) {
        if (sameDecl(base, target))
          out.push({
            file: type.file,
            expr: -1,
            block: decl,
            target,
            kind: 'override',
            confidence: 'certain',
            via: 'bases',
          });
      }
    }
  }
  return out;
}

export interface OverriderWithoutName {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  readonly confidence: Confidence;
}

/** Rows of methods in classes without a name that override the target: they are no blocks. */
export function overridersWithoutName(resolver: Resolver, target: DeclRef): readonly OverriderWithoutName[] {
  return resolver.answer<readonly OverriderWithoutName[]>('overriders without name', target.file, target.decl, [], () =>
    findOverridersWithoutName(resolver, target),
  );
}

function findOverridersWithoutName(resolver: Resolver, target: DeclRef): readonly OverriderWithoutName[] {
  const of = resolver.summary(target.file);
  if (classOfMember(of, target.decl) === undefined) return [];
  const name = of.decls.nameOf(target.decl);
  return resolver.repo.filesMentioning(name).flatMap((file) => {
    const summary = resolver.summary(file);
    const row = summary.idOf(name);
    if (summary.language !== of.language || row < 0) return [];
    return [...summary.exprs.named(row)].flatMap((expr) => {
      if (summary.exprs.operandOf(expr) >= 0 || summary.functionOfKey(expr) === undefined) return [];
      const { via, targets, confidence } = resolver.resolve(file, expr);
      return via === 'overrides' && targets.some((other) => sameDecl(other, target))
        ? [{ file, expr, block: blockOf(summary, expr), confidence }]
        : [];
    });
  });
}
