/**
 * What a class could be used for while it was another kind of type: making objects of it, deriving from it, handing
 * it on. A class that became an interface has no objects of its own, one that became a structure none below it, and
 * what is a type alone is no value.
 */
import { piece, type Turns } from '../base/turns.js';
import { TYPE_TEST } from '../graph/refer/conversions.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import { basesOf, ownMembers } from '../graph/resolve/hierarchy.js';
import { receiverAt } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl, type DeclRow } from '../syntax/rows.js';
import { D, E, F, isBlockKind, isClassLike, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* usesAsOtherKind({ graphs: { before, after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const { before: was, after: is } = cause;
    if (was === undefined || is === undefined || was.decl < 0 || is.decl < 0) continue;
    const [old, now] = [kindAt(before, was), kindAt(after, is)];
    if (old === now || old === undefined || now === undefined) continue;
    for (const decl of old === 'static class' ? extensionsIn(after, is) : [])
      out.addOnce(is.file, decl, {
        expr: -1,
        tier: 'breaks',
        confidence: 'certain',
        reason: `${after.summary(is.file).decls.pathOf(decl)} extends a type, and ${cause.block} is ${NAMES[now]} now.`,
        fact: `${cause.block} is ${NAMES[now]} now`,
        rule: 'other-kind',
        relation: 'ParentOf',
        cause,
      });
    for (const site of yield* sitesInTurns(after, is)) {
      const does = sameDecl(site.target, is) ? yield* piece(() => usedAs(after, site, old, now)) : undefined;
      if (does === undefined) continue;
      const path = after.summary(site.file).decls.pathOf(site.block);
      out.addOnce(site.file, site.block, {
        expr: site.expr,
        tier: 'breaks',
        confidence: site.confidence,
        reason: `${path} ${does} ${cause.block}, which is ${NAMES[now]} now.`,
        fact: `${cause.block} is ${NAMES[now]} now`,
        rule: 'other-kind',
        relation: RELATION_OF_EDGE[site.kind],
        cause,
      });
    }
  }
  return out.sorted();
}

/** Kinds of types as far as it matters what one can do with them. */
type Kind = 'class' | 'inner class' | 'static class' | 'interface' | 'value' | 'enum' | 'alias';

const NAMES: Readonly<Record<Kind, string>> = {
  class: 'a class',
  'inner class': 'an inner class',
  'static class': 'a static class',
  interface: 'an interface',
  value: 'a type that nothing derives from',
  enum: 'an enumeration',
  alias: 'another name of a type',
};

function kindAt(resolver: Resolver, { file, decl }: DeclRef): Kind | undefined {
  const summary = resolver.summary(file);
  const kind = summary.decls.kindOf(decl);
  if (kind === D.class) return classKind(resolver, { file, decl });
  if (kind === D.interface) return 'interface';
  if (kind === D.enum) return 'enum';
  if (kind === D.typeAlias) return 'alias';
  return (kind === D.struct || kind === D.record) && isClassLike(kind) ? 'value' : undefined;
}

function classKind(resolver: Resolver, { file, decl }: DeclRef): Kind {
  const { decls } = resolver.summary(file);
  const { staticClasses, innerClasses } = resolver.language(file);
  if (decls.has(decl, F.static)) return staticClasses ? 'static class' : 'class';
  const around = decls.parentOf(decl);
  const kind = around < 0 ? D.interface : decls.kindOf(around);
  return innerClasses && isClassLike(kind) && kind !== D.interface && kind !== D.annotation ? 'inner class' : 'class';
}

/** What a site does with the type that it cannot do with one of its kind now; undefined where it can. */
function usedAs(resolver: Resolver, site: Site, old: Kind, now: Kind): string | undefined {
  const { file, kind } = site;
  if (isTypeAlone(resolver, file, now) && isValueAt(resolver, site))
    return kind === 'instantiate' ? 'makes an object of' : 'uses the value of';
  return old === 'alias' || now === 'alias' ? undefined : usedAsClass(resolver, site, old, now);
}

const isTypeAlone = (resolver: Resolver, file: string, now: Kind): boolean =>
  resolver.language(file).structural && (now === 'interface' || now === 'alias');

function usedAsClass(resolver: Resolver, site: Site, old: Kind, now: Kind): string | undefined {
  const { file, expr, kind } = site;
  if (old === 'inner class' || now === 'inner class') {
    if (kind === 'instantiate') return madeElsewhere(resolver, site, now);
    if (old === 'class' || now === 'class') return undefined;
  }
  if (now === 'static class' && kind === 'use')
    return isOfValues(resolver, site) ? 'says that values are of' : undefined;
  if (kind === 'instantiate') return now === 'class' || now === 'value' ? undefined : 'makes an object of';
  return kind === 'inherit' && expr >= 0 && resolver.summary(file).exprs.roleOf(expr) === R.base
    ? usedAsBase(resolver, site, old, now)
    : undefined;
}

function usedAsBase(resolver: Resolver, site: Site, old: Kind, now: Kind): string | undefined {
  if (now === 'value' || now === 'enum' || now === 'static class') return 'derives from';
  const { basesApart, interfaceName } = resolver.language(site.file);
  // Where a word says what overrides, what stood for an interface says none.
  if (interfaceName !== undefined && old === 'interface' && now === 'class')
    return isNoSubclass(resolver, site) ? 'stands, as for an interface, for' : undefined;
  if (basesApart === 'never' || (basesApart === 'from classes' && old === 'interface')) return undefined;
  const isInterface = resolver.summary(site.file).decls.kindOf(site.block) === D.interface;
  return isInterface && now === 'interface' ? undefined : `derives, as from ${NAMES[old]}, from`;
}

/** Whether a type cannot derive as it is: it is no class, has another base, or members that override by no word. */
function isNoSubclass(resolver: Resolver, { file, block, target }: Site): boolean {
  const { decls } = resolver.summary(file);
  if (decls.kindOf(block) !== D.class) return true;
  const isOther = (base: DeclRef): boolean =>
    !sameDecl(base, target) && resolver.summary(base.file).decls.kindOf(base.decl) !== D.interface;
  const lacksWord = (row: DeclRow): boolean =>
    !decls.has(row, F.override) && ownMembers(resolver, target, decls.nameOf(row)).length > 0;
  return (
    basesOf(resolver, { file, decl: block }).classes.some(isOther) ||
    membersOf(resolver, { file, decl: block }).some(lacksWord)
  );
}

function membersOf(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRow[] {
  const { decls } = resolver.summary(file);
  const inner = decls.innerOf(decl);
  return inner < 0 ? [] : [...decls.allInScope(inner)].filter((row) => isBlockKind(decls.kindOf(row)));
}

const extensionsIn = (resolver: Resolver, type: DeclRef): readonly DeclRow[] =>
  membersOf(resolver, type).filter((row) => resolver.summary(type.file).decls.has(row, F.extension));

/** An object of a nested class that is made on one of the class around it, or is not, where the other is asked. */
function madeElsewhere(resolver: Resolver, { file, expr, block, target }: Site, now: Kind): string | undefined {
  const summary = resolver.summary(file);
  const { exprs, decls } = summary;
  const isOnObject =
    expr >= 0 && exprs.opOf(expr) === E.member && receiverAt(resolver, file, expr)?.kind === 'instance';
  if (now !== 'inner class') return isOnObject ? 'makes, on an object, one of' : undefined;
  const around = file === target.file ? decls.parentOf(target.decl) : -1;
  const isInside =
    around >= 0 && decls.startOf(around) <= decls.startOf(block) && decls.startOf(block) < decls.endOf(around);
  return isOnObject || (isInside && !decls.has(block, F.static))
    ? undefined
    : 'makes, on no object of the class around,';
}

/** Whether a site asks for what a name stands for when the program runs. */
function isValueAt(resolver: Resolver, { file, expr }: Site): boolean {
  if (expr < 0) return false;
  const { exprs } = resolver.summary(file);
  const role = exprs.roleOf(expr);
  // Classes are asked about when the program runs.
  const isTested = exprs
    .wholesOf(expr)
    .some((whole) => exprs.opOf(whole) === E.operator && exprs.nameOf(whole) === TYPE_TEST);
  if (isTested) return true;
  return role !== R.import && role !== R.type && role !== R.doc && role !== R.base;
}

/** Whether a value, or the element of one, is declared, or said, to be of the type. */
function isOfValues(resolver: Resolver, { file, expr }: Site): boolean {
  const { exprs } = expr < 0 ? { exprs: undefined } : resolver.summary(file);
  return (
    exprs !== undefined &&
    exprs.roleOf(expr) === R.type &&
    exprs.wholeBy(expr, E.classOf) < 0 &&
    exprs.wholeBy(expr, E.member) < 0
  );
}
