/**
 * What reads or writes a property that lost its getter or its setter. The name still leads to the other one, so that
 * no rule about deleted members hears of it.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import { ownMembers } from '../graph/resolve/hierarchy.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { F, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn, type Counterpart } from './counterparts.js';
import type { Graphs } from './graphs.js';
import type { Question } from './question.js';

export function* usesOfLostAccessors({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  const counterpart = counterpartsIn({ graphs, edit });
  const { after } = graphs;
  for (const cause of edit.changes) {
    const lost = yield* piece(() => lostAccessor(cause, graphs, counterpart));
    if (lost === undefined) continue;
    for (const site of yield* sitesInTurns(after, lost.left)) {
      const role = site.expr < 0 ? R.doc : after.summary(site.file).exprs.roleOf(site.expr);
      const isWritten = role === R.write || role === R.update;
      const isLost = lost.accessor === F.setter ? isWritten : role !== R.write;
      if (role === R.doc || role === R.declares || role === R.import || !isLost) continue;
      const [does, misses] = lost.accessor === F.setter ? ['writes', 'setter'] : ['reads', 'getter'];
      const path = after.summary(site.file).decls.pathOf(site.block);
      out.addOnce(site.file, site.block, {
        expr: site.expr,
        tier: 'breaks',
        confidence: site.confidence,
        reason: `${path} ${does} ${cause.block}, which has no ${misses} now.`,
        fact: `${cause.block} has no ${misses} now`,
        rule: 'lost-accessor',
        relation: RELATION_OF_EDGE[site.kind],
        cause,
      });
    }
  }
  return out.sorted();
}

/** Which accessor is deleted (`F.getter` or `F.setter`), and the other one of the same property that stays. */
function lostAccessor(
  { before: ref, after: now }: AtomicChange,
  { before, after }: Graphs,
  counterpart: Counterpart,
): { readonly accessor: number; readonly left: DeclRef } | undefined {
  if (ref === undefined || ref.decl < 0 || now !== undefined) return undefined;
  const { decls } = before.summary(ref.file);
  const accessor = decls.flagsOf(ref.decl) & (F.getter | F.setter);
  const type = { file: ref.file, decl: decls.parentOf(ref.decl) };
  if (type.decl < 0 || (accessor !== F.getter && accessor !== F.setter)) return undefined;
  const name = decls.nameOf(ref.decl);
  const other = ownMembers(before, type, name).find((member) => !sameDecl(member, ref));
  const left = other === undefined ? undefined : counterpart(other);
  const typeNow = counterpart(type);
  const isBack =
    typeNow === undefined ||
    ownMembers(after, typeNow, name).some(({ file, decl }) => after.summary(file).decls.has(decl, accessor));
  return left === undefined || isBack ? undefined : { accessor, left };
}
