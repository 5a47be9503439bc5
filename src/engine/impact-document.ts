/**
 * Turns changes and affected blocks into the impact document of the protocol.
 */
import type { Affected, Change, ImpactReport, Site } from '#protocol/impact.js';
import { SCHEMA_VERSION, type BlockKind, type Problem } from '#protocol/words.js';
import { isOutside, saidOfOutside, withoutOutside } from '../base/outside.js';
import type { Turns } from '../base/turns.js';
import { kindName, type AtomicChange } from '../change/atomic-change.js';
import type { Matches } from '../change/edit.js';
import { childrenOf } from '../change/match-blocks.js';
import { placeOf, type AffectedBlock, type AffectedSite } from '../impact/affected.js';
import type { Impact } from '../impact/impact.js';
import type { Unlisted } from '../impact/unlisted.js';
import { type LanguageId, type Summary } from '../syntax/summary.js';
import { lineAt } from '../syntax/line-at.js';
import { Facts } from './fact.js';
import { spanOf } from './spans.js';
import type { WorkingTree } from './working-tree.js';

export interface ImpactDocumentParts {
  readonly root: string;
  readonly base: string;
  readonly before: WorkingTree;
  readonly tree: WorkingTree;
  readonly matches: Matches;
  readonly changes: readonly AtomicChange[];
  readonly impact: Impact;
  readonly problems: readonly Problem[];
  readonly certainOnly: boolean;
  readonly mentions?: ImpactReport['mentions'];
}

/** An affected block at a time: there may be thousands. */
export function* impactDocument({
  root,
  base,
  before,
  tree,
  matches,
  changes,
  impact,
  problems,
  certainOnly,
  mentions,
}: ImpactDocumentParts): Turns<ImpactReport> {
  const facts = new Facts();
  const listed = changes.filter((change) => !isOutside(change.file) || isCause(change, impact));
  const affected: Affected[] = [];
  for (const block of impact.affected) {
    if (!certainOnly || block.confidence === 'certain') affected.push(affectedEntry(tree, block, facts));
    yield;
  }
  const languages = new Set<LanguageId>();
  for (const change of listed) {
    const summary = tree.snapshot.summary(change.file);
    if (summary !== undefined) languages.add(summary.language);
  }
  return {
    schema: SCHEMA_VERSION,
    root,
    base,
    languages: [...languages].sort(),
    changes: listed.map((change) => changeEntry(tree, change, () => placeOfDeleted(change, before, tree, matches))),
    affected,
    undecided: undecidedEntries(tree, impact.undecided),
    ...unlistedEntries(impact.unlisted),
    ...(mentions === undefined ? {} : { mentions }),
    ...(listed.length === changes.length ? {} : { unused: changes.length - listed.length }),
    complete: problems.length === 0,
    problems: [...problems],
  };
}

/** Whether anything has to follow the change. */
const isCause = (change: AtomicChange, { affected }: Impact): boolean =>
  affected.some(({ sites }) => sites.some(({ cause }) => cause === change));

/** Where a reference may hide, as documents have it; the rows are of `tree`. */
export function undecidedEntries(tree: WorkingTree, undecided: Impact['undecided']): ImpactReport['undecided'] {
  const inside = undecided.filter(({ file }) => !isOutside(file));
  return inside.map(({ file, expr, start = 0, reason }) => {
    const summary = tree.resolver.summary(file);
    return { file, line: lineAt(summary, expr < 0 ? start : summary.exprs.startOf(expr)), reason };
  });
}

/** What is counted and not listed, as documents have it. */
export const unlistedEntries = ({ unsearched, offers }: Unlisted): Pick<ImpactReport, 'unsearched' | 'offers'> => ({
  ...(unsearched === undefined ? {} : { unsearched: { ...unsearched, names: [...unsearched.names] } }),
  ...(offers === undefined ? {} : { offers: [...offers] }),
});

function changeEntry(tree: WorkingTree, change: AtomicChange, stood: () => number | undefined): Change {
  const entry = {
    file: withoutOutside(change.file),
    block: change.block,
    kind: change.kind as BlockKind,
    label: change.label,
    detail: JSON.parse(JSON.stringify(change.detail)) as Record<string, never>,
  };
  if (change.after === undefined && change.before !== undefined && change.before.decl >= 0) {
    const startLine = stood();
    return startLine === undefined ? entry : { ...entry, startLine };
  }
  if (change.after === undefined || change.after.decl < 0) return entry;
  const summary = tree.resolver.summary(change.after.file);
  return { ...entry, startLine: lineAt(summary, summary.decls.startOf(change.after.decl)) };
}

/** The line behind what stood before it and is still there, else the line of what it stood in. */
function placeOfDeleted(
  { before: deleted }: AtomicChange,
  before: WorkingTree,
  after: WorkingTree,
  matches: Matches,
): number | undefined {
  const now = deleted === undefined ? undefined : after.snapshot.summary(deleted.file);
  const old = deleted === undefined ? undefined : before.snapshot.summary(deleted.file);
  if (deleted === undefined || now === undefined || old === undefined) return undefined;
  const kept = new Map(matches.of(deleted.file).pairs.map((pair) => [pair.before, pair.after]));
  const parent = old.decls.parentOf(deleted.decl);
  const above = childrenOf(old, parent)
    .filter((row) => old.decls.startOf(row) < old.decls.startOf(deleted.decl))
    .flatMap((row) => kept.get(row) ?? [])
    .at(-1);
  if (above !== undefined)
    return Math.min(lineAt(now, Math.max(now.decls.endOf(above) - 1, 0)) + 1, now.lineStarts.length);
  const owner = kept.get(parent);
  return owner === undefined ? 1 : lineAt(now, now.decls.startOf(owner));
}

function affectedEntry(tree: WorkingTree, block: AffectedBlock, facts: Facts): Affected {
  const summary = tree.resolver.summary(block.file);
  const first = strongest(block.sites);
  const [from, to] = block.decl >= 0 ? declSpan(summary, block.decl) : moduleSpan(summary, block);
  const isImport = block.decl < 0 && block.sites.every((site) => site.relation === 'ImportedBy');
  return {
    file: block.file,
    block: summary.decls.pathOf(block.decl),
    kind: (block.decl >= 0
      ? kindName(summary.decls.kindOf(block.decl))
      : isImport
        ? 'import'
        : 'statement') as BlockKind,
    startLine: lineAt(summary, from),
    endLine: lineAt(summary, to),
    tier: block.tier,
    confidence: block.confidence,
    relation: first.relation,
    depth: block.depth,
    cause: { file: withoutOutside(first.cause.file), block: first.cause.block, label: first.cause.label },
    rule: first.rule,
    reason: saidOfOutside(first.reason),
    fact: facts.of(first),
    sites: siteEntries(summary, block.sites, facts),
  };
}

/** The site that speaks for the block: one that breaks and is certain, if there is one. */
function strongest(sites: readonly AffectedSite[]): AffectedSite {
  let best = sites[0] as AffectedSite;
  for (const site of sites) if (rank(site) > rank(best)) best = site;
  return best;
}

const rank = (site: AffectedSite): number => (site.tier === 'breaks' ? 2 : 0) + (site.confidence === 'certain' ? 1 : 0);

function declSpan({ decls }: Summary, decl: number): [number, number] {
  const start = decls.startOf(decl);
  return [start, Math.max(decls.endOf(decl) - 1, start)];
}

function moduleSpan(summary: Summary, block: AffectedBlock): [number, number] {
  const starts = block.sites.flatMap((site) => placeOf(summary, site)?.start ?? []);
  return starts.length === 0 ? [0, 0] : [Math.min(...starts), Math.max(...starts)];
}

function siteEntries(summary: Summary, sites: readonly AffectedSite[], facts: Facts): Site[] {
  const out: Site[] = [];
  for (const site of sites) {
    const place = placeOf(summary, site);
    if (place === undefined) continue;
    const { startLine, startColumn, endLine, endColumn } = spanOf(summary, place.start, place.end);
    const { tier, confidence } = site;
    out.push({ startLine, startColumn, endLine, endColumn, tier, confidence, fact: facts.of(site) });
  }
  return out;
}
