/**
 * Uses that the edit itself wrote, of names that it took away: a new file that imports a function
 * by the name it had, a call added elsewhere in the same edit.
 *
 * They stand in neither graph: D does not have them, and in D' they lead nowhere. They are read in
 * D with the edited files put in, all but those whose own declarations changed.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Relation } from '../graph/refer/relation.js';
import { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { related, type Related } from './related.js';

export class NewUses {
  private readonly edited: ReadonlyMap<string, Summary>;
  private resolver: Resolver | undefined;

  constructor(
    private readonly graphs: Graphs,
    changes: readonly AtomicChange[],
  ) {
    const { before, after } = graphs;
    const declaring = new Set(
      changes.flatMap((change) =>
        change.before === undefined || change.before.decl < 0 || change.label === 'MMB' ? [] : [change.before.file],
      ),
    );
    const written = new Set(changes.flatMap((change) => (change.after === undefined ? [] : [change.after.file])));
    this.edited = new Map(
      [...written]
        .filter((file) => !declaring.has(file) && after.repo.summary(file) !== before.repo.summary(file))
        .map((file) => [file, after.summary(file)]),
    );
  }

  /** Sites in edited files that stand in the relation to a declaration of D; their rows are those of D'. */
  of(ref: DeclRef, relation: Relation): readonly Related[] {
    const name = this.graphs.before.summary(ref.file).decls.nameOf(ref.decl);
    if (ref.decl < 0 || !this.graphs.after.repo.filesMentioning(name).some((file) => this.edited.has(file))) return [];
    this.resolver ??= new Resolver(this.graphs.before.repo.snapshot.with(this.edited));
    return related(this.resolver, ref, relation).filter((site) => this.edited.has(site.file));
  }
}
