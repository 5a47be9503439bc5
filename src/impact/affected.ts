/**
 * Affected blocks: each with the sites in it that may have to follow, and why.
 */
import type { AtomicChange, Label } from '../change/atomic-change.js';
import type { Confidence } from '../graph/resolve/names.js';
import type { Relation } from '../graph/refer/relation.js';
import type { Summary } from '../syntax/summary.js';
import type { Tier } from './verdict.js';

/** What led to a site without a relation of the graph; `finders.ts` says of each what it leads to. */
export type FinderId =
  | 'moved-file/ImportedBy'
  | 'deleted-file/ImportedBy'
  | 'moved-type/ImportedBy'
  | 'moved-definition/Uses'
  | 'moved-definition/Imports'
  | 'moved-out-of-reach'
  | 'handed-arguments'
  | 'namesake'
  | 'fellow-caller'
  | 'documentation'
  | 'export-list'
  | 'unread-parameter'
  | 'import-circle'
  | 'shrunk-class'
  | 'unused-member'
  | 'lost-base'
  | 'inherited-constructor'
  | 'inherited-member'
  | 'unfinished-class'
  | 'exposed-type'
  | 'lost-name-maker'
  | 'newly-checked'
  | 'lost-outside-base'
  | 'shifted-type'
  | 'misfit-object'
  | 'changed-union'
  | 'whole-module'
  | 'implicit-base-call'
  | 'inherited-clash'
  | 'default-order'
  | 'lacking-mapping'
  | 'key-of-type'
  | 'unpacked-key'
  | 'given-constructor'
  | 'taken-by-place'
  | 'taken-name'
  | 'type-of-value'
  | 'variant-member'
  | 'other-kind'
  | 'lost-accessor'
  | 'unmet-interface'
  | 'lost-import'
  | 'alias-in-header'
  | 'became-frozen'
  | 'lost-hash'
  | 'lost-literal'
  | 'lost-slot'
  | 'member-not-given'
  | 'used-before'
  | 'stub-name'
  | 'stub-definition'
  | 'misplaced-type'
  | 'forecast';

/** A row of the rule table, or a finder. */
export type RuleId = FinderId | `${Label}/${string}`;

export interface AffectedSite {
  /** Named row in the edited tree; -1: the block as a whole, or `place`. */
  readonly expr: number;
  /** Offsets of a place that has no row: where a module is named. */
  readonly place?: { readonly start: number; readonly end: number };
  readonly tier: Tier;
  readonly confidence: Confidence;
  readonly reason: string;
  /** What is wrong, at a glance; absent where what changed says it. */
  readonly fact?: string;
  readonly rule: RuleId;
  readonly relation: Relation;
  readonly cause: AtomicChange;
  /** Its text fits, and does something else now. */
  readonly behaves?: true;
  /** It fits, and could give a new parameter that the person has a value for. */
  readonly isWanted?: true;
  /** The new parameter that it could give, where nothing else changed for it. */
  readonly offers?: string;
  /** What it `offers` is no new parameter, but a type parameter that is inferred in another way now. */
  readonly infers?: true;
  /** What it `offers` is no new parameter, but one of another type now, which takes what is given. */
  readonly widens?: true;
  /** What it `offers` is no parameter, but a type that is written otherwise, while what runs is what it was. */
  readonly retold?: true;
}

export interface AffectedBlock {
  readonly file: string;
  /** Row in the edited tree; -1: module level. */
  readonly decl: number;
  readonly tier: Tier;
  readonly confidence: Confidence;
  /** How many blocks lie between it and the edit, 1 for none; beyond 1 it is a forecast. */
  readonly depth: number;
  readonly sites: readonly AffectedSite[];
}

/** A place that may refer to the change and that no analysis can decide. */
export interface Undecided {
  readonly file: string;
  /** -1 where no row says it: then it is at `start`. */
  readonly expr: number;
  readonly start?: number;
  readonly reason: string;
}

/** Where a site stands; undefined for one that is its whole block. */
export function placeOf(summary: Summary, { expr, place }: AffectedSite): AffectedSite['place'] {
  return expr < 0 ? place : { start: summary.exprs.startOf(expr), end: summary.exprs.endOf(expr) };
}

/** Sites as they are found, by block. */
export class AffectedBlocks {
  /** By file and row: a key made of both would be hashed once a site. */
  private readonly byFile = new Map<string, Map<number, SitesOfBlock>>();
  private readonly inOrder: SitesOfBlock[] = [];

  constructor(private readonly depth = 1) {}

  add(file: string, decl: number, ...sites: readonly AffectedSite[]): void {
    const block = this.block(file, decl);
    if (block === undefined) this.begin(file, decl, [...sites]);
    else block.sites.push(...sites);
  }

  /** As `add`, but for a place that the block has already. */
  addOnce(file: string, decl: number, site: AffectedSite): void {
    const known = this.block(file, decl)?.sites ?? [];
    if (!known.some((other) => other.expr === site.expr && other.place?.start === site.place?.start))
      this.add(file, decl, site);
  }

  /** As `add`, in place of the sites that the block has already. */
  put(file: string, decl: number, ...sites: readonly AffectedSite[]): void {
    const block = this.block(file, decl);
    if (block === undefined) this.begin(file, decl, [...sites]);
    else block.sites = [...sites];
  }

  has(file: string, decl: number): boolean {
    return this.block(file, decl) !== undefined;
  }

  /** In the order in which they were found; without those that have no site. */
  found(): AffectedBlock[] {
    const out: AffectedBlock[] = [];
    for (const { file, decl, sites } of this.inOrder)
      if (sites.length > 0)
        out.push({
          file,
          decl,
          depth: this.depth,
          tier: sites.some((site) => site.tier === 'breaks') ? 'breaks' : 'may',
          confidence: sites.some((site) => site.confidence === 'certain') ? 'certain' : 'possible',
          sites,
        });
    return out;
  }

  /** In order of file and position. */
  sorted(): AffectedBlock[] {
    return this.found().sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl));
  }

  private block(file: string, decl: number): SitesOfBlock | undefined {
    return this.byFile.get(file)?.get(decl);
  }

  private begin(file: string, decl: number, sites: AffectedSite[]): void {
    let blocks = this.byFile.get(file);
    if (blocks === undefined) this.byFile.set(file, (blocks = new Map<number, SitesOfBlock>()));
    const block = { file, decl, sites };
    blocks.set(decl, block);
    this.inOrder.push(block);
  }
}

interface SitesOfBlock {
  readonly file: string;
  readonly decl: number;
  sites: AffectedSite[];
}
