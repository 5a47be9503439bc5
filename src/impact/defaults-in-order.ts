/**
 * Fields of data classes that must be given behind one that need not be: such a class cannot be made at all.
 *
 *     @dataclass class Point: x: int = 0; y: int      # x got its default, and y was left alone
 *
 * Nothing there says the field that changed: what stands behind it is only placed so, in a class below too.
 */
import { pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { componentsOf } from '../graph/resolve/components.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, F } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* defaultsOutOfOrder({ graphs: { after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  const changed = edit.changes.filter(({ label, kind }) => (label === 'MF' || label === 'AF') && kind === 'field');
  for (const found of yield* pieces(changed, (change) => behindDefault(after, change)))
    for (const { change, type, field } of found) {
      const { decls } = after.summary(type.file);
      const block = field < 0 ? type.decl : field;
      out.addOnce(type.file, block, {
        expr: -1,
        tier: 'breaks',
        confidence: 'certain',
        reason: `${decls.pathOf(block)} has a field without a default behind ${change.block}, which has one now.`,
        fact: 'no default behind one',
        rule: 'default-order',
        relation: field < 0 ? 'BaseClassOf' : 'UsedBy',
        cause: change,
      });
    }
  return out.sorted();
}

interface Behind {
  readonly change: AtomicChange;
  readonly type: DeclRef;
  /** The first field behind the changed one that must be given; -1 where another class declares it. */
  readonly field: number;
}

function behindDefault(after: Resolver, change: AtomicChange): readonly Behind[] {
  const { after: is } = change;
  const owner = is === undefined ? undefined : classOfMember(after.summary(is.file), is.decl);
  if (is === undefined || owner === undefined) return [];
  const type = { file: is.file, decl: owner };
  const name = after.summary(is.file).decls.nameOf(is.decl);
  return [type, ...descendantsOf(after, type)].flatMap((each) => {
    if (!after.summary(each.file).decls.has(each.decl, F.dataclass)) return [];
    const placed = componentsOf(after, each).params.filter((param) => !param.keywordOnly && !param.keywordRest);
    const at = placed.findIndex((param) => param.name === name);
    const behind = placed[at]?.optional === true ? placed.slice(at + 1).find((param) => !param.optional) : undefined;
    return behind === undefined ? [] : [{ change, type: each, field: ownField(after, each, behind.name) }];
  });
}

/** The row of a field where the class itself declares it. */
function ownField(after: Resolver, type: DeclRef, name: string): number {
  const { decls } = after.summary(type.file);
  const inner = decls.innerOf(type.decl);
  if (inner < 0) return -1;
  return [...decls.allInScope(inner)].find((row) => decls.kindOf(row) === D.field && decls.nameOf(row) === name) ?? -1;
}
