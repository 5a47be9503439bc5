/**
 * What a move puts out of reach: what a moved definition uses that only its old class or package can use, and what
 * still stands there and uses such things of it.
 *
 * Errs towards missing: what a moved definition uses by another name than before.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { sitesIn } from '../graph/refer/sites-in.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import type { DeclRef, Reach } from '../languages/language.js';
import { declKey } from '../syntax/rows.js';
import { F, isBlockKind, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { Carrier } from './carrier.js';
import { counterpartsIn, type Counterpart } from './counterparts.js';
import { isReached, reachOf } from './judge-access.js';
import { movedFiles } from './moved-files.js';
import type { Question } from './question.js';
import type { Related } from './related.js';

export function* outOfReachByMove(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const moves = edit.changes.flatMap((change) => movedBy(change) ?? []);
  const moved = new Set(moves.map(({ was }) => declKey(was)));
  const finder = new MovedAccess(question);
  for (const move of moves) {
    const { file, decl } = move.was;
    // What is in it goes along.
    if (moved.has(declKey({ file, decl: graphs.before.summary(file).decls.parentOf(decl) }))) continue;
    yield* finder.outward(move);
    yield* finder.inward(move);
  }
  return finder.out.sorted();
}

interface Move {
  readonly change: AtomicChange;
  readonly was: DeclRef;
  readonly is: DeclRef;
}

function movedBy(change: AtomicChange): Move | undefined {
  const { before: was, after: is, detail } = change;
  const isMoved = detail.move !== undefined && was !== undefined && is !== undefined && was.decl >= 0 && is.decl >= 0;
  return isMoved ? { change, was, is } : undefined;
}

class MovedAccess {
  readonly out = new AffectedBlocks();
  private readonly graphs: Question['graphs'];
  private readonly now: Counterpart;
  private readonly carry: Carrier;

  constructor({ graphs, edit }: Question) {
    this.graphs = graphs;
    this.now = counterpartsIn({ graphs, edit });
    this.carry = new Carrier(graphs, edit.matches, movedFiles(graphs, edit.changes), edit.changes);
  }

  /** What the moved definition uses of others. */
  *outward(move: Move): Turns<void> {
    const { was, is, change } = move;
    if (!this.isNarrow(was)) return;
    for (const site of yield* piece(() => sitesIn(this.graphs.before, was.file))) {
      if (site.expr < 0 || !this.isWithin(site.file, site.expr, was) || this.holds(was, site.target)) continue;
      const reach = this.reachBefore(site.target);
      if (reach === undefined) continue;
      const target = this.now(site.target);
      const row = target === undefined ? undefined : this.rowSaying(site, is);
      if (target !== undefined && row !== undefined) yield* this.judge(row, site, target, change);
    }
  }

  /** What others use of the moved definition. */
  *inward({ was, change }: Move): Turns<void> {
    for (const member of this.within(was)) {
      const target = this.reachBefore(member) === undefined ? undefined : this.now(member);
      if (target === undefined) continue;
      for (const site of yield* sitesInTurns(this.graphs.before, member)) {
        if (site.expr < 0 || this.isWithin(site.file, site.expr, was)) continue;
        for (const carried of yield* this.carry.all([site], change)) yield* this.judge(carried, site, target, change);
      }
    }
  }

  /** Whether the language keeps anything to a class or package. */
  private isNarrow({ file }: DeclRef): boolean {
    return this.graphs.before.language(file).reach(F.private, undefined) !== 'everywhere';
  }

  private reachBefore(target: DeclRef): Reach | undefined {
    if (target.decl < 0 || !isBlockKind(this.graphs.before.summary(target.file).decls.kindOf(target.decl)))
      return undefined;
    const reach = reachOf(this.graphs.before, target);
    return reach === 'everywhere' ? undefined : reach;
  }

  private isWithin(file: string, expr: number, { file: inFile, decl }: DeclRef): boolean {
    if (file !== inFile) return false;
    const { decls, exprs } = this.graphs.before.summary(file);
    const at = exprs.startOf(expr);
    return at >= decls.startOf(decl) && at < decls.endOf(decl);
  }

  private holds(outer: DeclRef, { file, decl }: DeclRef): boolean {
    if (file !== outer.file || decl < 0) return false;
    const { decls } = this.graphs.before.summary(file);
    return decls.startOf(decl) >= decls.startOf(outer.decl) && decls.endOf(decl) <= decls.endOf(outer.decl);
  }

  private within(outer: DeclRef): readonly DeclRef[] {
    const { decls } = this.graphs.before.summary(outer.file);
    return Array.from({ length: decls.count }, (_, decl) => ({ file: outer.file, decl })).filter((each) =>
      this.holds(outer, each),
    );
  }

  /** The first row of the moved definition that says the name in the same way. */
  private rowSaying({ file, expr }: Site, { file: to, decl }: DeclRef): Related | undefined {
    const old = this.graphs.before.summary(file);
    const now = this.graphs.after.summary(to);
    const [from, end] = [now.decls.startOf(decl), now.decls.endOf(decl)];
    const row = [...now.exprs.named(now.idOf(old.exprs.nameOf(expr)))].find(
      (each) =>
        now.exprs.opOf(each) === old.exprs.opOf(expr) &&
        now.exprs.roleOf(each) === old.exprs.roleOf(expr) &&
        now.exprs.startOf(each) >= from &&
        now.exprs.startOf(each) < end,
    );
    return row === undefined ? undefined : { file: to, expr: row, block: blockOf(now, row), confidence: 'certain' };
  }

  private *judge(at: Related, site: Site, target: DeclRef, cause: AtomicChange): Turns<void> {
    const { after } = this.graphs;
    const summary = after.summary(at.file);
    const role = at.expr < 0 ? R.doc : summary.exprs.roleOf(at.expr);
    const reach = reachOf(after, target);
    if (role === R.doc || (yield* piece(() => isReached(after, at, target, reach)))) return;
    const name = after.summary(target.file).decls.pathOf(target.decl);
    this.out.addOnce(at.file, at.block, {
      expr: at.expr,
      tier: 'breaks',
      confidence: site.confidence,
      reason: `${summary.decls.pathOf(at.block)} uses ${name}, ${WORDS[reach]}.`,
      fact: `${name} is out of reach`,
      rule: 'moved-out-of-reach',
      relation: RELATION_OF_EDGE[site.kind],
      cause,
    });
  }
}

const WORDS: Readonly<Record<Reach, string>> = {
  class: 'which is private to its class',
  subclasses: 'which only classes below its own can use',
  package: 'which only its package can use',
  'package and subclasses': 'which only its package and classes below its own can use',
  everywhere: '',
};
