/**
 * Blocks, sites and paths of resolution as the documents about the graph show them.
 */
import type { BlockEntry, FactEntry, Reference } from '#protocol/graph.js';
import type { BlockKind, Problem } from '#protocol/words.js';
import { kindName } from '../change/atomic-change.js';
import type { HiddenUse } from '../graph/refer/hidden-uses.js';
import type { Fact } from '../graph/explain/facts.js';
import { pathOf } from '../graph/explain/path-of-resolution.js';
import type { Site } from '../graph/refer/site.js';
import { TracingResolver } from '../graph/resolve/trace.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { lineAt } from '../syntax/line-at.js';
import type { Confirmation } from './confirmation.js';
import { spanOf, type Span } from './spans.js';

/** What every question about the graph is answered from. */
export interface GraphQuestion {
  readonly resolver: Resolver;
  /** What the index could not read. */
  readonly problems: readonly Problem[];
  readonly signal: AbortSignal;
  /** Where a language server was asked for. */
  readonly confirmation: Confirmation | undefined;
}

/** Paths cost more than the references themselves, and nobody reads hundreds of them. */
const PATHS_MOST = 200;

/** Paths of resolution for one answer, as many as are shown. */
export class Paths {
  private readonly trace: TracingResolver;
  private count = 0;

  constructor(private readonly resolver: Resolver) {
    this.trace = new TracingResolver(resolver.repo.snapshot);
  }

  /** What a language server said has no path of its own. */
  of(site: Site): { path?: FactEntry[] } {
    if (this.count++ >= PATHS_MOST) return {};
    const facts =
      site.via !== 'language server'
        ? pathOf(this.trace, site)
        : [
            {
              file: site.file,
              at: this.resolver.summary(site.file).exprs.startOf(site.expr),
              words: 'the language server says so',
            },
          ];
    return { path: factEntries(this.resolver, facts) };
  }
}

export function blockEntry(resolver: Resolver, { file, decl }: DeclRef): BlockEntry {
  const summary = resolver.summary(file);
  const { start, end } =
    decl < 0
      ? { start: 0, end: summary.textLength }
      : { start: summary.decls.startOf(decl), end: summary.decls.endOf(decl) };
  return {
    file,
    block: summary.decls.pathOf(decl),
    kind: (decl < 0 ? 'module' : kindName(summary.decls.kindOf(decl))) as BlockKind,
    startLine: lineAt(summary, start),
    endLine: lineAt(summary, Math.max(end - 1, start)),
  };
}

export function endEntry(resolver: Resolver, { file, decl }: DeclRef): { file: string; block: string } {
  return { file, block: resolver.summary(file).decls.pathOf(decl) };
}

export function spanOfSite(resolver: Resolver, site: Pick<Site, 'file' | 'expr' | 'block'>): Span {
  const summary = resolver.summary(site.file);
  if (site.expr >= 0) return spanOf(summary, summary.exprs.startOf(site.expr), summary.exprs.endOf(site.expr));
  const at = Math.max(summary.decls.nameStartOf(site.block), summary.decls.startOf(site.block));
  return spanOf(summary, at, at + summary.decls.nameOf(site.block).length);
}

export function referenceEntry(resolver: Resolver, site: Site, path: { path?: FactEntry[] }): Reference {
  return {
    ...endEntry(resolver, { file: site.file, decl: site.block }),
    relation: RELATION_OF_EDGE[site.kind],
    confidence: site.confidence,
    via: site.via,
    ...spanOfSite(resolver, site),
    ...path,
  };
}

export function factEntries(resolver: Resolver, path: readonly Fact[]): FactEntry[] {
  return path.map(({ file, at, words }) => ({ file, line: lineAt(resolver.summary(file), at), words }));
}

export function hiddenEntries(
  resolver: Resolver,
  uses: readonly HiddenUse[],
): { file: string; line: number; reason: string }[] {
  const entries = uses.map(({ file, expr, reason }) => {
    const summary = resolver.summary(file);
    return { file, line: lineAt(summary, summary.exprs.startOf(expr)), reason };
  });
  return [...new Map(entries.map((entry) => [`${entry.file}\0${entry.line}\0${entry.reason}`, entry])).values()];
}
