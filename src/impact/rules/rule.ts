/**
 * A row of the rule table, and the sources that several rows give.
 *
 * A condition is a predicate that is named here and defined in `predicates.ts`; a site's tier is decided by the row's
 * judge in `judge.ts`.
 */
import type { Label } from '../../change/atomic-change.js';
import type { Relation } from '../../graph/refer/relation.js';
import type { Judge } from '../judge.js';
import type { Predicate } from '../predicates.js';

export interface Rule {
  readonly id: `${Label}/${string}`;
  readonly when: Label;
  /**
   * Follow the relation from the changed block, from the class that owns it, from the members that override it or that
   * it overrides, from the other members of its enum, from another member that objects of its class must have, or from
   * what makes its values callable.
   */
  readonly of: 'self' | 'class' | 'family' | 'siblings' | 'required' | 'signature';
  readonly follow: Relation;
  /**
   * The graph in which the relation is read: D before the edit, D' after it. `both`: a call of unknown
   * receiver that fits the old signature alone is known only to D, one that was written since only to D'.
   */
  readonly in: 'before' | 'after' | 'both';
  readonly profile: 'paper' | 'precise';
  readonly only?: Predicate;
  readonly judge: Judge;
  /** Completes "`block` …": the sentence that a person reads. */
  readonly why: Clause;
  readonly source: string;
}

/** Words around the place where what changed is named; a single piece names it nowhere. */
export type Clause = readonly [before: string, after?: string];

/** Behind this, a reason says what an edit of a body does to callers, where that is known. */
export const BEHAVIOUR_CHANGED = ', and what it does to callers changed';
/** A row of the default profile, before it is said that it is one. */
export type PreciseRow = Omit<Rule, 'profile'>;

export const PAPER = 'CodePlan, arXiv 2309.12499, Table 4';

export const GONE = 'A name that is gone leaves every mention of it wrong.';

export const FAMILY = 'A method, and what it overrides or is overridden by, are called through each other.';

export const NAMELESS = 'What values of a type can be called, made or indexed with has no name to follow.';

export const STRUCTURE = 'Where types are structural, a class satisfies an interface that it does not name.';

/** Relations of a mention. Classes have no `CalledBy`: calling one makes an instance. */
export const MENTIONS = ['CalledBy', 'UsedBy', 'InstantiatedBy', 'ImportedBy', 'BaseClassOf'] as const;

/** What a block that mentions another does with it. */
export const MENTIONED: Readonly<Record<(typeof MENTIONS)[number], string>> = {
  CalledBy: 'calls ',
  UsedBy: 'uses ',
  InstantiatedBy: 'makes an instance of ',
  ImportedBy: 'imports ',
  BaseClassOf: 'derives from ',
};
