/**
 * What stands above and below a block: bases and derived classes, members overridden and overriding.
 */
import type { HierarchyParams, HierarchyReport, Relative } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { basesOf, overriddenBy, searchOrder } from '../graph/resolve/hierarchy.js';
import { overridersOf } from '../graph/refer/overriders.js';
import { derivedFrom } from '../graph/refer/sites-by-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { lineAt } from '../syntax/line-at.js';
import { isClassLike } from '../syntax/summary.js';
import { findBlock, lastName, withoutModule } from './block-names.js';
import type { Confirmation } from './confirmation.js';
import { blockEntry, endEntry, type GraphQuestion } from './graph-entries.js';

export async function hierarchyDocument(
  { resolver, problems, confirmation }: GraphQuestion,
  params: HierarchyParams,
): Promise<HierarchyReport> {
  const blocks = withoutModule(findBlock(resolver, params.block), params.block);
  const [first] = blocks;
  const classes = isClassLike(resolver.summary(first.file).decls.kindOf(first.decl)) ? [first] : [];
  const members = classes.length > 0 ? [] : blocks;
  const above = levels(classes, (type) => basesOf(resolver, type).classes);
  const below = levels(classes, (type) => derivedFrom(resolver, type));
  const overriding = levels(members, (member) =>
    overridersOf(resolver, member).map(({ file, block }) => ({ file, decl: block })),
  );
  const further = async (
    of: readonly DeclRef[],
    way: 'above' | 'below',
    known: readonly Level[],
  ): Promise<Relative[]> =>
    entries(resolver, await added(confirmation, of, way, known)).map((entry) => ({ ...entry, via: 'language server' }));
  return {
    schema: SCHEMA_VERSION,
    blocks: blocks.map((block) => blockEntry(resolver, block)),
    bases: [
      ...entries(resolver, above),
      ...(await further(classes, 'above', above)),
      ...classes.flatMap((type) => outsideBases(resolver, type, above)),
    ].sort((a, b) => a.depth - b.depth),
    derived: [...entries(resolver, below), ...(await further(classes, 'below', below))],
    searchOrder: classes.flatMap((type) => searchOrder(resolver, type)).map((type) => endEntry(resolver, type)),
    overrides: entries(
      resolver,
      levels(members, (member) => overriddenBy(resolver, member)),
    ),
    overriddenBy: [...entries(resolver, overriding), ...(await further(members, 'below', overriding))],
    unknownBase: classes.some((type) => searchOrder(resolver, type).some((base) => basesOf(resolver, base).unknown)),
    complete: problems.length === 0,
    problems: [...problems, ...(confirmation?.problems ?? [])],
  };
}

/** What only a language server knows; not all of them say how far away it stands, so all count as next to the block. */
async function added(
  confirmation: Confirmation | undefined,
  of: readonly DeclRef[],
  way: 'above' | 'below',
  known: readonly Level[],
): Promise<Level[]> {
  const out: Level[] = [];
  if (confirmation === undefined) return out;
  for (const block of of) {
    for (const ref of await confirmation.relatives(block, way)) {
      if (![...known, ...out].some(({ ref: { file, decl } }) => file === ref.file && decl === ref.decl))
        out.push({ depth: 1, ref, of: block });
    }
  }
  return out;
}

interface Level {
  readonly depth: number;
  readonly ref: DeclRef;
  readonly of: DeclRef;
}

/** All that is reached from the first ones, each once, nearest first. */
function levels(from: readonly DeclRef[], next: (ref: DeclRef) => readonly DeclRef[]): Level[] {
  const out: Level[] = [];
  const seen = new Set(from.map(({ file, decl }) => `${file}\0${decl}`));
  const queue = from.map((ref) => ({ ref, depth: 0 }));
  for (const { ref: of, depth } of queue) {
    for (const { file, decl } of next(of)) {
      if (seen.has(`${file}\0${decl}`)) continue;
      seen.add(`${file}\0${decl}`);
      out.push({ depth: depth + 1, ref: { file, decl }, of });
      queue.push({ ref: { file, decl }, depth: depth + 1 });
    }
  }
  return out;
}

function entries(resolver: Resolver, found: readonly Level[]): Relative[] {
  return found.map(({ depth, ref, of }) => {
    const summary = resolver.summary(ref.file);
    return {
      depth,
      ...endEntry(resolver, ref),
      line: lineAt(summary, summary.decls.startOf(ref.decl)),
      name: lastName(resolver, ref),
      of: endEntry(resolver, of),
    };
  });
}

function outsideBases(resolver: Resolver, type: DeclRef, above: readonly Level[]): Relative[] {
  return [{ depth: 0, ref: type }, ...above].flatMap(({ depth, ref }) =>
    basesOf(resolver, ref)
      .external.filter((base) => base.name !== '')
      .map((base) => ({ depth: depth + 1, name: base.name, of: endEntry(resolver, ref) })),
  );
}
