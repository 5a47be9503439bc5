/**
 * A tree's answers as comparable text: every edge, with where its site stands.
 */
import type { WorkingTree } from '#src/engine/working-tree.js';
import { sitesOf } from '#src/graph/refer/references.js';
import type { Site } from '#src/graph/refer/site.js';
import { sitesIn } from '#src/graph/refer/sites-in.js';
import { blockRows } from '#src/change/match-blocks.js';

/** All sites of all files, one a line, sorted. */
export function edgesOf(tree: WorkingTree): string[] {
  return [...tree.snapshot.files.keys()]
    .flatMap((file) => sitesIn(tree.resolver, file).map((site) => describe(tree, site)))
    .sort();
}

/**
 * The same from the other end: the sites of every block. Those that lead to a file as a whole, or to no block,
 * have no other end.
 */
export function edgesFromTargets(tree: WorkingTree): string[] {
  return [...tree.snapshot.files]
    .flatMap(([file, summary]) =>
      blockRows(summary).flatMap((decl) => sitesOf(tree.resolver, { file, decl }).map((site) => describe(tree, site))),
    )
    .sort();
}

/** Sites whose target is a block, sorted: what `edgesFromTargets` must give. */
export function edgesToBlocks(tree: WorkingTree): string[] {
  const blocks = new Map([...tree.snapshot.files].map(([file, summary]) => [file, new Set(blockRows(summary))]));
  return [...tree.snapshot.files.keys()]
    .flatMap((file) =>
      sitesIn(tree.resolver, file)
        .filter((site) => blocks.get(site.target.file)?.has(site.target.decl) === true)
        .map((site) => describe(tree, site)),
    )
    .sort();
}

function describe(tree: WorkingTree, site: Site): string {
  const summary = tree.resolver.summary(site.file);
  const target = tree.resolver.summary(site.target.file);
  const at = site.expr < 0 ? '' : `@${summary.exprs.startOf(site.expr)}`;
  return `${site.file}::${summary.decls.pathOf(site.block)}${at} ${site.kind} ${site.target.file}::${target.decls.pathOf(site.target.decl)}#${site.target.decl} ${site.confidence}`;
}
