/**
 * What assigns a field of a class whose objects stay as they are made now. The fields read as before, so that no rule
 * about changed fields hears of it.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf } from '../graph/refer/site.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import { searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { E, F, isFieldLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* settersOfFrozen({ graphs: { after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const type = frozenBy(cause, after);
    if (type === undefined) continue;
    for (const field of yield* piece(() => fieldsOf(after, type)))
      for (const site of yield* sitesInTurns(after, field)) {
        const summary = after.summary(site.file);
        const expr = site.expr < 0 ? declaredAt(summary, site.block) : site.expr;
        const role = expr < 0 ? R.doc : summary.exprs.roleOf(expr);
        if (role !== R.write && role !== R.update && (site.expr >= 0 || role !== R.declares)) continue;
        const name = after.summary(field.file).decls.nameOf(field.decl);
        const block = site.expr < 0 ? blockOf(summary, expr) : site.block;
        out.addOnce(site.file, block, {
          expr,
          tier: 'breaks',
          confidence: site.confidence,
          reason: `${summary.decls.pathOf(block)} sets ${name} of ${cause.block}, which is frozen now.`,
          fact: `${cause.block} is frozen now`,
          rule: 'became-frozen',
          relation: RELATION_OF_EDGE[site.kind],
          cause,
        });
      }
  }
  return out.sorted();
}

/** The row by which a method of a class below declares the field by assigning it; -1 for any other declaration. */
function declaredAt({ decls, exprs }: Summary, field: number): number {
  const at = field < 0 ? -1 : decls.nameStartOf(field);
  return at < 0
    ? -1
    : ([...exprs.named(decls.nameIdOf(field))].find(
        (row) =>
          exprs.opOf(row) === E.member &&
          exprs.roleOf(row) === R.declares &&
          exprs.startOf(row) <= at &&
          at < exprs.endOf(row),
      ) ?? -1);
}

/** The data class that the change freezes. */
function frozenBy({ label, after: type, detail }: AtomicChange, after: Resolver): DeclRef | undefined {
  const isFrozen = label === 'MC' && detail.modifiers?.added.includes('readonly') === true;
  return isFrozen && type !== undefined && after.summary(type.file).decls.has(type.decl, F.dataclass)
    ? type
    : undefined;
}

/** Its fields, and those of the classes above it. */
const fieldsOf = (after: Resolver, type: DeclRef): readonly DeclRef[] =>
  searchOrder(after, type).flatMap(({ file, decl }) => {
    const { decls } = after.summary(file);
    const inner = decls.innerOf(decl);
    return (inner < 0 ? [] : [...decls.allInScope(inner)])
      .filter((row) => isFieldLike(decls.kindOf(row)) && !decls.has(row, F.static))
      .map((row) => ({ file, decl: row }));
  });
