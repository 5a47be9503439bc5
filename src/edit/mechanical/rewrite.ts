/**
 * A rewrite: how one kind of change turns one affected site into its new text.
 *
 * A rewrite sees one site and answers with edits of the site's file, with a reason why it cannot,
 * or with undefined when the site is not its business. It is all or nothing within a site, and
 * what it makes must be a fixed point: rewriting the result again changes nothing.
 */
import type { TextEdit } from '../../base/text-edit.js';
import type { AtomicChange } from '../../change/atomic-change.js';
import type { AffectedBlock, AffectedSite } from '../../impact/affected.js';
import type { Graphs } from '../../impact/graphs.js';
import type { DeclRef } from '../../languages/language.js';
import type { Acceptable } from '../../plan/plan-graph.js';
import type { Summary } from '../../syntax/summary.js';
import type { GivenValues } from './calls/given-values.js';

export interface RewriteSite {
  readonly graphs: Graphs;
  /** All changes that the round follows from. */
  readonly changes: readonly AtomicChange[];
  readonly block: AffectedBlock;
  readonly site: AffectedSite;
  /** Summary and text of the site's file in the edited tree. */
  readonly summary: Summary;
  readonly text: string;
  /** Texts of other files, on both sides of the change. */
  readonly texts: {
    readonly before: (file: string) => string | undefined;
    readonly after: (file: string) => string | undefined;
  };
  /** Whether the block was changed in this plan already, by the person or by an earlier round. */
  readonly isChanged: (block: DeclRef) => boolean;
  /** Summary of another text in the language of the site's file. */
  readonly summarise: (text: string) => Summary;
  /** Edits that other sites of the same block have given already. */
  readonly soFar: readonly TextEdit[];
  /** Expressions that the person gave for new parameters. */
  readonly values: GivenValues;
  /** What the person agreed to for the plan as a whole. */
  readonly accepted: ReadonlySet<Acceptable>;
  /** Whether a model is asked about what the rewrites leave. */
  readonly isAsked: boolean;
}

export type RewriteResult =
  /**
   * No edits: nothing has to be done here, since what else is rewritten makes the site right. `open`: what is left for
   * somebody. `stub`: the name of a member that was added to the block without a body of its own; with it, `open` is
   * about nothing but that body.
   */
  | {
      readonly edits: readonly TextEdit[];
      readonly open?: { readonly reason: string; readonly needs: 'model' | 'value' | 'person' };
      readonly stub?: string;
    }
  /** It is this rewrite's business, and it must not be done by rule. */
  | { readonly cannot: string; readonly needs: 'model' | 'person' }
  /** A rewrite could do it if the person agreed. */
  | { readonly cannot: string; readonly needs: 'person'; readonly accept: Acceptable }
  /** A person has to say what is passed for a new parameter. */
  | ValueNeeded;

export interface ValueNeeded {
  readonly cannot: string;
  readonly needs: 'value';
  /** The parameter's name. */
  readonly value: string;
  /** The key that gives it for this call alone. */
  readonly key: string;
  /** What would do here. */
  readonly choices: readonly string[];
}

export interface Rewrite {
  /** Recorded in the plan as the step's rule. */
  readonly id: string;
  /** One line: what it does. */
  readonly does: string;
  rewrite(site: RewriteSite): RewriteResult | undefined;
}
