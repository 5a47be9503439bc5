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
  | 'namesake'
  | 'fellow-caller'
  | 'documentation'
  | 'export-list'
  | 'unread-parameter'
  | 'import-circle'
  | 'shrunk-class'
  | 'unused-member'
  | 'lost-base'
  | 'implicit-base-call'
  | 'other-kind'
  | 'lost-accessor'
  | 'member-not-given'
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
  private readonly blocks = new Map<string, { file: string; decl: number; sites: AffectedSite[] }>();

  constructor(private readonly depth = 1) {}

  add(file: string, decl: number, ...sites: readonly AffectedSite[]): void {
    const key = `${file}\0${decl}`;
    const block = this.blocks.get(key);
    if (block === undefined) this.blocks.set(key, { file, decl, sites: [...sites] });
    else block.sites.push(...sites);
  }

  /** As `add`, but for a place that the block has already. */
  addOnce(file: string, decl: number, site: AffectedSite): void {
    const known = this.blocks.get(`${file}\0${decl}`)?.sites ?? [];
    if (!known.some((other) => other.expr === site.expr && other.place?.start === site.place?.start))
      this.add(file, decl, site);
  }

  /** As `add`, in place of the sites that the block has already. */
  put(file: string, decl: number, ...sites: readonly AffectedSite[]): void {
    this.blocks.set(`${file}\0${decl}`, { file, decl, sites: [...sites] });
  }

  has(file: string, decl: number): boolean {
    return this.blocks.has(`${file}\0${decl}`);
  }

  /** In the order in which they were found; without those that have no site. */
  found(): AffectedBlock[] {
    return [...this.blocks.values()].flatMap(({ file, decl, sites }): AffectedBlock[] =>
      sites.length === 0
        ? []
        : [
            {
              file,
              decl,
              depth: this.depth,
              tier: sites.some((site) => site.tier === 'breaks') ? 'breaks' : 'may',
              confidence: sites.some((site) => site.confidence === 'certain') ? 'certain' : 'possible',
              sites,
            },
          ],
    );
  }

  /** In order of file and position. */
  sorted(): AffectedBlock[] {
    return this.found().sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.decl - b.decl));
  }
}
