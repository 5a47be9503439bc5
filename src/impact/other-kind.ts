/**
 * What a class could be used for while it was another kind of type: making objects of it, deriving from it. A class
 * that became an interface has no objects of its own, one that became a structure none below it.
 */
import { piece, type Turns } from '../base/turns.js';
import { sitesInTurns, type Site } from '../graph/refer/references.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, F, isClassLike, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* usesAsOtherKind({ graphs: { before, after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const { before: was, after: is } = cause;
    if (was === undefined || is === undefined || was.decl < 0 || is.decl < 0) continue;
    const [old, now] = [kindAt(before, was), kindAt(after, is)];
    if (old === now || old === undefined || now === undefined) continue;
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
type Kind = 'class' | 'static class' | 'interface' | 'value' | 'enum';

const NAMES: Readonly<Record<Kind, string>> = {
  class: 'a class',
  'static class': 'a static class',
  interface: 'an interface',
  value: 'a type that nothing derives from',
  enum: 'an enumeration',
};

function kindAt(resolver: Resolver, { file, decl }: DeclRef): Kind | undefined {
  const summary = resolver.summary(file);
  const kind = summary.decls.kindOf(decl);
  if (kind === D.class)
    return summary.decls.has(decl, F.static) && resolver.language(file).staticClasses ? 'static class' : 'class';
  if (kind === D.interface) return 'interface';
  if (kind === D.enum) return 'enum';
  return (kind === D.struct || kind === D.record) && isClassLike(kind) ? 'value' : undefined;
}

/** What a site does with the type that it cannot do with one of its kind now; undefined where it can. */
function usedAs(resolver: Resolver, { file, expr, kind, block }: Site, old: Kind, now: Kind): string | undefined {
  if (kind === 'instantiate') return now === 'class' || now === 'value' ? undefined : 'makes an object of';
  if (kind !== 'inherit' || expr < 0 || resolver.summary(file).exprs.roleOf(expr) !== R.base) return undefined;
  if (now === 'value' || now === 'enum' || now === 'static class') return 'derives from';
  const { basesApart } = resolver.language(file);
  if (basesApart === 'never' || (basesApart === 'from classes' && old === 'interface')) return undefined;
  const isInterface = resolver.summary(file).decls.kindOf(block) === D.interface;
  return isInterface && now === 'interface' ? undefined : `derives, as from ${NAMES[old]}, from`;
}
