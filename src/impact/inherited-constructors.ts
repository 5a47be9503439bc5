/**
 * Objects that are made of classes which inherit other ways to be made now: no constructor any more, or other fields of
 * a data class.
 *
 *     class Row(Base): …     Row(1, 2)     class Row: …
 *
 * Where another constructor is inherited instead, `redirected.ts` tells of it. Errs towards missing: the class as a
 * value that something else makes objects of.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { blockOf } from '../graph/refer/site.js';
import { componentsOf } from '../graph/resolve/components.js';
import { findMember } from '../graph/resolve/hierarchy.js';
import { factOfCall, saidOfCall } from '../graph/resolve/misfit.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { fit } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import type { Argument } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { earlierIn } from './counterparts.js';
import type { Question } from './question.js';

export function* inheritedConstructors({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const earlier = earlierIn({ graphs, edit });
  for (const change of edit.changes) {
    const { after: is, detail } = change;
    if (detail.bases === undefined || is === undefined || after.language(is.file).overloads) continue;
    for (const type of yield* piece(() => [is, ...descendantsOf(after, is)])) {
      const was = earlier(type);
      if (was === undefined || hasOwnChange(edit.changes, type) || constructorsOf(after, type).length > 0) continue;
      if (!takesArguments(before, was) && !takesArguments(after, type)) continue;
      const { outside } = yield* piece(() => findMember(after, type, after.language(type.file).constructorName));
      for (const { file, expr, kind, confidence } of yield* sitesInTurns(after, type)) {
        const summary = after.summary(file);
        const call = kind === 'instantiate' && expr >= 0 ? summary.exprs.callOf(expr) : -1;
        if (call < 0) continue;
        const args = summary.exprs.argumentsOf(call);
        const result = fit(componentsOf(after, type), args, false);
        if (result.fits || isMisfit(before, was, args)) continue;
        const block = blockOf(summary, expr);
        out.addOnce(file, block, {
          expr,
          tier: outside ? 'may' : 'breaks',
          confidence,
          reason:
            `${summary.decls.pathOf(block)} makes an object of a class that is made otherwise now: ` +
            `${saidOfCall(result.misfit)}.`,
          fact: factOfCall(result.misfit),
          rule: 'inherited-constructor',
          relation: 'InstantiatedBy',
          cause: change,
        });
      }
    }
  }
  return out.sorted();
}

const takesArguments = (resolver: Resolver, type: DeclRef): boolean =>
  constructorsOf(resolver, type).length > 0 || componentsOf(resolver, type).params.length > 0;

/** Whether the fields of the class itself changed: who makes objects of it is told of that. */
const hasOwnChange = (changes: readonly AtomicChange[], type: DeclRef): boolean =>
  changes.some(({ label, after }) => label === 'MCC' && after !== undefined && sameDecl(after, type));

/** Whether the class was not made so before either. */
const isMisfit = (before: Resolver, was: DeclRef, args: readonly Argument[]): boolean =>
  constructorsOf(before, was).length === 0 && !fit(componentsOf(before, was), args, false).fits;
