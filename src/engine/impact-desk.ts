/**
 * The desk at which one client asks what its edits affect: the whole answer, or soon that of the files it has open.
 */
import type { ImpactParams, ImpactReport } from '#protocol/impact.js';
import type { MentionEntry } from '#protocol/mentions.js';
import { usesOf } from '../api/dependence.js';
import { inTurns, type Turns } from '../base/turns.js';
import type { Edit } from '../change/edit.js';
import { foundOn } from '../impact/finders.js';
import { DEPTH_MOST } from '../impact/forecast.js';
import { impactOf, type Impact } from '../impact/impact.js';
import { questionAbout, type Question } from '../impact/question.js';
import { AskedAgain } from './asked-again.js';
import { editInTurns } from './edit-between.js';
import type { Effects } from './effects.js';
import { impactDocument } from './impact-document.js';
import { impactNear, reachesFar } from './impact-near.js';
import { withoutMade } from './made-blocks.js';
import { dependencyEntry } from './manifest-follow.js';
import { ServiceError, SETTLED_BASE, type Call } from './service.js';
import type { TreePair, Trees } from './trees.js';

/** How often an answer is begun whose files are written meanwhile. */
const ATTEMPTS_MOST = 4;

const NO_IMPACT: Impact = { affected: [], undecided: [], unlisted: {} };

/** What is affected in the open files alone, before all is known. */
export interface NearImpact {
  readonly report: ImpactReport;
  readonly share: { readonly files: number; readonly of: number };
}

export class ImpactDesk {
  private readonly last = new AskedAgain<ImpactReport>();

  constructor(
    private readonly trees: Trees,
    private readonly effects: Effects,
  ) {}

  /** Again, where a file is written while it is being answered: nothing but time is lost by it. */
  async impact(params: ImpactParams, call: Call): Promise<ImpactReport> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(params, call);
      } catch (error) {
        if (!(error instanceof ServiceError && error.kind === 'textMovedOn') || attempt === ATTEMPTS_MOST) throw error;
        this.effects.lookAt(error.files);
      }
    }
  }

  /**
   * What the latest edits affect in the open files; undefined where none is open, or all is known, or is found as soon.
   * What is open is asked for once the texts of this moment are taken in.
   */
  async near(open: () => readonly string[], call: Call): Promise<NearImpact | undefined> {
    const params = { base: SETTLED_BASE };
    const trees = await this.trees.around(params, call);
    const files = new Set(open());
    if (files.size === 0 || this.last.to(this.madeFrom(params, trees)) !== undefined) return undefined;
    const whole = await inTurns(editInTurns(trees.before, trees.after, trees.renames), call.signal);
    if (!reachesFar(whole, trees)) return undefined;
    const { root, left, configuration } = this.effects;
    const edit = withoutMade(whole, trees.after, left.read().made);
    const impact = await inTurns(impactNear({ trees, edit, files }), call.signal);
    const { before, after: tree, name: base, problems } = trees;
    const { matches, changes } = whole;
    const certainOnly = configuration.strict;
    const parts = { root, base, before, tree, matches, changes, impact, problems, certainOnly };
    return {
      report: await inTurns(impactDocument(parts), call.signal),
      share: { files: files.size, of: tree.snapshot.files.size },
    };
  }

  /** Of what an impact is found. */
  private madeFrom(params: ImpactParams, { before, after, name, renames, problems }: TreePair): readonly unknown[] {
    const { left, configuration } = this.effects;
    const certainOnly = params.certain ?? configuration.strict;
    return [before, after, JSON.stringify([params, certainOnly, name, [...renames], problems, left.read().made])];
  }

  private async once(params: ImpactParams, call: Call): Promise<ImpactReport> {
    const trees = await this.trees.around(params, call);
    const { before, after, name, renames, problems } = trees;
    const { made } = this.effects.left.read();
    const certainOnly = params.certain ?? this.effects.configuration.strict;
    const from = this.madeFrom(params, trees);
    // What lies outside of the two trees may have changed since.
    const isOfTrees = params.mentions !== true && params.change === undefined;
    const known = isOfTrees ? this.last.to(from) : undefined;
    if (known !== undefined) return known;
    const whole = await inTurns(editInTurns(before, after, renames), call.signal);
    const edit = withoutMade(whole, after, made);
    const question: Question = {
      ...questionAbout({ before: before.resolver, after: after.resolver }, edit),
      profile: params.strict === true ? 'strict' : 'precise',
      depthMost: params.all === true ? DEPTH_MOST : (params.depth ?? 1),
    };
    const impact = await inTurns(
      (function* (): Turns<Impact> {
        if (trees.isClosed === true) return NO_IMPACT;
        const direct = yield* impactOf(question);
        const further = { ...question, known: direct.affected };
        const beside = yield* foundOn('beside', further);
        const later = yield* foundOn('forecast', further);
        return { ...direct, affected: [...direct.affected, ...beside, ...later] };
      })(),
      call.signal,
    );
    const isMentioned = params.mentions === true && trees.isClosed !== true;
    const mentions = isMentioned
      ? await this.mentionsOf(trees, edit, impact, call)
      : params.mentions === true
        ? []
        : undefined;
    const document = await inTurns(
      impactDocument({
        ...(mentions === undefined ? {} : { mentions }),
        root: this.effects.root,
        base: name,
        before,
        tree: after,
        matches: edit.matches,
        changes: whole.changes,
        impact,
        problems,
        certainOnly,
      }),
      call.signal,
    );
    if (isOfTrees) this.last.keep(from, document);
    const { change } = trees;
    if (change === undefined) return document;
    const uses = trees.uses ?? usesOf(await this.effects.manifests(call.signal), change.packages);
    return {
      ...document,
      ...(trees.isClosed === true && change.changes.length > 0 ? { unused: change.changes.length } : {}),
      dependencies: uses.map(dependencyEntry),
    };
  }

  /** Where the names that an edit took away are mentioned outside of code. */
  private async mentionsOf(trees: TreePair, edit: Edit, { affected }: Impact, call: Call): Promise<MentionEntry[]> {
    const { changesSpokenOf, mentionEntries, mentionsOf, wantedNames } = await import('./mentions.js');
    const changes = changesSpokenOf(
      edit.changes,
      affected.flatMap(({ sites }) => sites.map(({ cause }) => cause)),
    );
    const found = await mentionsOf(wantedNames(trees, trees.after, changes), trees.after, this.effects, call);
    return mentionEntries(
      found,
      changes.map(({ file }) => file),
    );
  }
}
