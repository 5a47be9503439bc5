/**
 * Spatial context: the declarations that a block's text refers to, as they are now, nearest and
 * most specific first. Signatures for all, whole text for the few that the change is about.
 */
import { basesOf, searchOrder, overriddenBy, classOfMember } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { overridersOf } from '../graph/refer/references.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, isBlockKind } from '../syntax/summary.js';
import type { RelatedBlock } from './edit-request.js';

/** How many declarations are given. */
const BLOCKS_MOST = 24;
/** How many of them may be members that override the block: they resemble each other. */
const OVERRIDERS_MOST = 4;

/** `focus`: declarations whose whole text is given, such as the one that changed. */
export function spatialContext(
  resolver: Resolver,
  textOf: (file: string) => string | undefined,
  block: DeclRef,
  focus: readonly DeclRef[],
): RelatedBlock[] {
  const summary = resolver.summary(block.file);
  const seen = new Set<string>([`${block.file}:${block.decl}`]);
  const order: { ref: DeclRef; whole: boolean }[] = [];
  const add = (ref: DeclRef, whole: boolean): void => {
    const key = `${ref.file}:${ref.decl}`;
    if (seen.has(key) || ref.decl < 0 || !isBlockKind(resolver.summary(ref.file).decls.kindOf(ref.decl))) return;
    seen.add(key);
    order.push({ ref, whole });
  };
  for (const ref of focus) add(ref, true);
  if (block.decl >= 0) {
    for (const ref of overriddenBy(resolver, block)) add(ref, true);
    const owner = classOfMember(summary, block.decl);
    if (owner !== undefined && summary.decls.kindOf(block.decl) === D.constructor)
      for (const base of basesOf(resolver, { file: block.file, decl: owner }).classes)
        for (const ref of constructorsOf(resolver, base)) add(ref, true);
    for (const site of overridersOf(resolver, block).slice(0, OVERRIDERS_MOST))
      add({ file: site.file, decl: site.block }, false);
    if (owner !== undefined)
      for (const ref of searchOrder(resolver, { file: block.file, decl: owner })) add(ref, false);
    const from = summary.decls.startOf(block.decl);
    const to = summary.decls.endOf(block.decl);
    for (let expr = 0; expr < summary.exprs.count && order.length < BLOCKS_MOST; expr++) {
      const at = summary.exprs.startOf(expr);
      if (at < from || at >= to || (summary.exprs.opOf(expr) !== E.name && summary.exprs.opOf(expr) !== E.member))
        continue;
      const resolution = resolver.resolve(block.file, expr);
      if (resolution.confidence === 'certain') for (const target of resolution.targets) add(target, false);
    }
  }
  return order.slice(0, BLOCKS_MOST).flatMap(({ ref, whole }) => {
    const text = textOf(ref.file);
    if (text === undefined) return [];
    const of = resolver.summary(ref.file);
    return [
      {
        file: ref.file,
        block: of.decls.pathOf(ref.decl),
        signature: text.slice(of.decls.startOf(ref.decl), of.decls.bodyStartOf(ref.decl)).trim(),
        ...(whole ? { code: text.slice(of.decls.startOf(ref.decl), of.decls.endOf(ref.decl)) } : {}),
      },
    ];
  });
}
