/**
 * Spatial context: the declarations that a block's text refers to, as they are now, nearest and
 * most specific first. Signatures for all (of what an edit changed, those of every overload and
 * constructor), whole text for the few that the change is about.
 */
import { basesOf, searchOrder, overriddenBy, classOfMember } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { overridersOf } from '../graph/refer/overriders.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, isBlockKind, isClassLike, isFunctionLike } from '../syntax/summary.js';
import { plainHead } from './class-sketch.js';
import type { RelatedBlock } from './edit-request.js';

/** How many declarations are given. */
const BLOCKS_MOST = 24;
/** How many of them may be members that override the block: they resemble each other. */
const OVERRIDERS_MOST = 4;
/** How many overloads of one name are given. */
const OVERLOADS_MOST = 6;
/** A class's head without bases: the fragment has the name already. */
const SAYS_ONLY_A_NAME = /^[\w\s]*\b(?:class|interface|struct)\s+[\w<>, ]+:?$/;

/**
 * `hidden`: parts of the block's text that are not shown. `focus`: declarations whose whole text is given. `changed`
 * says which declarations an edit that led here changed: of these, every overload is given.
 */
export function spatialContext(
  resolver: Resolver,
  textOf: (file: string) => string | undefined,
  block: DeclRef,
  focus: readonly DeclRef[],
  changed: (ref: DeclRef) => boolean = () => false,
  hidden: readonly { readonly start: number; readonly end: number }[] = [],
): RelatedBlock[] {
  const summary = resolver.summary(block.file);
  const seen = new Set<string>([`${block.file}:${block.decl}`]);
  const order: { ref: DeclRef; whole: boolean }[] = [];
  const above = new Set<string>();
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
      for (const ref of searchOrder(resolver, { file: block.file, decl: owner })) {
        add(ref, false);
        above.add(`${ref.file}:${ref.decl}`);
      }
    const from = summary.decls.startOf(block.decl);
    const to = summary.decls.endOf(block.decl);
    for (let expr = 0; expr < summary.exprs.count && order.length < BLOCKS_MOST; expr++) {
      const at = summary.exprs.startOf(expr);
      if (at < from || at >= to || (summary.exprs.opOf(expr) !== E.name && summary.exprs.opOf(expr) !== E.member))
        continue;
      if (hidden.some((span) => span.start <= at && at < span.end)) continue;
      const resolution = resolver.resolve(block.file, expr);
      if (resolution.confidence !== 'certain') continue;
      for (const target of resolution.targets)
        for (const ref of [target, ...(changed(target) ? alternatives(resolver, target) : [])]) add(ref, false);
    }
  }
  const shown = order.slice(0, BLOCKS_MOST);
  const owners = ownersOf(resolver, shown);
  /** Of a class of which a member is told, that is what the block has of it. */
  const isSaidByMember = ({ file, decl }: DeclRef): boolean =>
    !above.has(`${file}:${decl}`) && owners.has(`${file}:${decl}`) && !changed({ file, decl });
  return shown.flatMap(({ ref, whole }) => {
    const text = textOf(ref.file);
    if (text === undefined) return [];
    const of = resolver.summary(ref.file);
    const signature = plainHead(text, of, ref.decl);
    if (!whole && isClassLike(of.decls.kindOf(ref.decl)) && (SAYS_ONLY_A_NAME.test(signature) || isSaidByMember(ref)))
      return [];
    return [
      {
        file: ref.file,
        block: of.decls.pathOf(ref.decl),
        signature,
        ...(whole ? { code: text.slice(of.decls.startOf(ref.decl), of.decls.endOf(ref.decl)) } : {}),
      },
    ];
  });
}

/** Classes of which a member is among these. */
function ownersOf(resolver: Resolver, shown: readonly { readonly ref: DeclRef }[]): ReadonlySet<string> {
  return new Set(
    shown.flatMap(({ ref: { file, decl } }) => {
      const summary = resolver.summary(file);
      const owner = summary.decls.kindOf(decl) === D.constructor ? undefined : classOfMember(summary, decl);
      return owner === undefined ? [] : [`${file}:${owner}`];
    }),
  );
}

/** The constructors of a class, the overloads of a function. */
function alternatives(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRef[] {
  const { decls } = resolver.summary(file);
  const kind = decls.kindOf(decl);
  if (isClassLike(kind)) return constructorsOf(resolver, { file, decl }).slice(0, OVERLOADS_MOST);
  if (!isFunctionLike(kind)) return [];
  const name = decls.nameOf(decl);
  const out: DeclRef[] = [];
  for (let row = 0; row < decls.count && out.length < OVERLOADS_MOST; row++)
    if (
      row !== decl &&
      decls.nameOf(row) === name &&
      decls.parentOf(row) === decls.parentOf(decl) &&
      isFunctionLike(decls.kindOf(row))
    )
      out.push({ file, decl: row });
  return out;
}
