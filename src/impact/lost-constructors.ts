/**
 * Objects that are made with arguments of classes which inherited what takes them from a base that is not above them
 * any more: a constructor, or the fields of a data class.
 *
 *     class Row(Base): …     Row(1, 2)     class Row: …
 *
 * Where another constructor is inherited instead, `redirected.ts` tells of it. Errs towards missing: the class as a
 * value that something else makes objects of.
 */
import { piece, type Turns } from '../base/turns.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { blockOf } from '../graph/refer/site.js';
import { componentsOf, type Components } from '../graph/resolve/components.js';
import { findMember, searchOrder } from '../graph/resolve/hierarchy.js';
import { factOfCall, saidOfCall } from '../graph/resolve/misfit.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { F } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { earlierIn } from './counterparts.js';
import type { Question } from './question.js';

export function* lostConstructors({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const earlier = earlierIn({ graphs, edit });
  for (const change of edit.changes) {
    const { after: is, detail } = change;
    if (detail.bases === undefined || is === undefined || after.language(is.file).overloads) continue;
    for (const type of yield* piece(() => [is, ...descendantsOf(after, is)])) {
      const was = earlier(type);
      // What was made from its own fields has changes of these.
      if (was === undefined || isData(before, was) || !takesArguments(before, was)) continue;
      if (constructorsOf(after, type).length > 0) continue;
      const { outside } = yield* piece(() => findMember(after, type, after.language(type.file).constructorName));
      for (const { file, expr, kind, confidence } of yield* sitesInTurns(after, type)) {
        const summary = after.summary(file);
        const call = kind === 'instantiate' && expr >= 0 ? summary.exprs.callOf(expr) : -1;
        const args = call < 0 ? [] : summary.exprs.argumentsOf(call);
        const result = args.length === 0 ? undefined : fit(madeFrom(after, type), args, false);
        if (result?.fits !== false) continue;
        const block = blockOf(summary, expr);
        out.addOnce(file, block, {
          expr,
          tier: outside ? 'may' : 'breaks',
          confidence,
          reason:
            `${summary.decls.pathOf(block)} makes an object of a class that has no constructor for it any more: ` +
            `${saidOfCall(result.misfit)}.`,
          fact: factOfCall(result.misfit),
          rule: 'lost-constructor',
          relation: 'InstantiatedBy',
          cause: change,
        });
      }
    }
  }
  return out.sorted();
}

const takesArguments = (resolver: Resolver, type: DeclRef): boolean =>
  constructorsOf(resolver, type).length > 0 || madeFrom(resolver, type).params.length > 0;

/** What a class without a constructor is made from: its own components, or those of the nearest data class above. */
const madeFrom = (resolver: Resolver, type: DeclRef): Components =>
  componentsOf(resolver, searchOrder(resolver, type).find((each) => isData(resolver, each)) ?? type);

const isData = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  resolver.summary(file).decls.has(decl, F.dataclass);
