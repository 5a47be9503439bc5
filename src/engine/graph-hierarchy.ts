/**
 * What stands above and below a block: bases and derived classes, members overridden and overriding.
 */
import type { HierarchyParams, HierarchyReport, Relative } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { basesOf, overriddenBy, searchOrder } from '../graph/hierarchy.js';
import { derivedFrom, overridersOf } from '../graph/references.js';
import type { Resolver } from '../graph/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { lineAt } from '../syntax/line-at.js';
import { isClassLike } from '../syntax/summary.js';
import { findBlock, lastName, withoutModule } from './block-names.js';
import { blockEntry, endEntry, type GraphQuestion } from './graph-entries.js';

export function hierarchyDocument({ resolver, problems }: GraphQuestion, params: HierarchyParams): HierarchyReport {
  const blocks = withoutModule(findBlock(resolver, params.block), params.block);
  const [first] = blocks;
  const classes = isClassLike(resolver.summary(first.file).decls.kind[first.decl] as number) ? [first] : [];
  const members = classes.length > 0 ? [] : blocks;
  const above = levels(classes, (type) => basesOf(resolver, type).classes);
  return {
    schema: SCHEMA_VERSION, blocks: blocks.map((block) => blockEntry(resolver, block)),
    bases: [...entries(resolver, above), ...classes.flatMap((type) => outsideBases(resolver, type, above))].sort((a, b) => a.depth - b.depth),
    derived: entries(resolver, levels(classes, (type) => derivedFrom(resolver, type))),
    searchOrder: classes.flatMap((type) => searchOrder(resolver, type)).map((type) => endEntry(resolver, type)),
    overrides: entries(resolver, levels(members, (member) => overriddenBy(resolver, member))),
    overriddenBy: entries(resolver, levels(members, (member) => overridersOf(resolver, member).map(({ file, block }) => ({ file, decl: block })))),
    unknownBase: classes.some((type) => searchOrder(resolver, type).some((base) => basesOf(resolver, base).unknown)),
    complete: problems.length === 0, problems: [...problems],
  };
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
    return { depth, ...endEntry(resolver, ref), line: lineAt(summary, summary.decls.start[ref.decl] as number), name: lastName(resolver, ref), of: endEntry(resolver, of) };
  });
}

function outsideBases(resolver: Resolver, type: DeclRef, above: readonly Level[]): Relative[] {
  return [{ depth: 0, ref: type }, ...above].flatMap(({ depth, ref }) => basesOf(resolver, ref).external.filter((base) => base.name !== '').map((base) => ({ depth: depth + 1, name: base.name, of: endEntry(resolver, ref) })));
}
