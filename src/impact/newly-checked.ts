/**
 * Exceptions that have to be caught or declared now, by another base: who throws them, and who calls what declares them
 * (Java).
 *
 *     class Broken extends RuntimeException        class Broken extends Exception
 *
 * Errs towards missing: a function with a handler of any kind; and towards too many: an exception that is made, and
 * thrown elsewhere.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import { earlierIn } from './counterparts.js';
import type { Question } from './question.js';
import { escapesAt, exceptionOf, type Thrown } from './thrown-exceptions.js';

export function* newlyChecked({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  const earlier = earlierIn({ graphs, edit });
  for (const change of edit.changes) {
    const { after: is, detail } = change;
    const isAsked = detail.bases !== undefined && is !== undefined;
    if (!isAsked || after.language(is.file).library.checkedExceptions.size === 0) continue;
    for (const type of yield* piece(() => [is, ...descendantsOf(after, is)])) {
      const was = earlier(type);
      const thrown = exceptionOf(after, type);
      if (was === undefined || thrown.isChecked !== true || exceptionOf(before, was).isChecked !== false) continue;
      for (const site of yield* sitesInTurns(after, type)) {
        const summary = after.summary(site.file);
        if (site.expr < 0) continue;
        if (site.kind === 'instantiate' && escapesAt(thrown, summary, site.expr))
          add(out, after, site, { thrown, change, tier: 'may', does: 'may throw' });
        if (!isDeclared(summary, site)) continue;
        for (const call of yield* sitesInTurns(after, { file: site.file, decl: site.block }))
          if (call.expr >= 0 && call.kind === 'call' && escapesAt(thrown, after.summary(call.file), call.expr))
            add(out, after, call, { thrown, change, tier: 'breaks', does: 'calls what throws' });
      }
    }
  }
  return out.sorted();
}

/** Whether the class is named behind the parameters of a function. */
function isDeclared({ decls, exprs }: Summary, { expr, block }: Site): boolean {
  if (block < 0 || !isFunctionLike(decls.kindOf(block)) || exprs.roleOf(expr) !== R.type) return false;
  const last = Math.max(decls.nameStartOf(block), ...[...decls.paramsOf(block)].map((param) => decls.endOf(param)));
  return exprs.startOf(expr) >= last && exprs.startOf(expr) < decls.bodyStartOf(block);
}

interface Told {
  readonly thrown: Thrown;
  readonly change: AtomicChange;
  readonly tier: AffectedSite['tier'];
  readonly does: string;
}

function add(
  out: AffectedBlocks,
  after: Resolver,
  { file, expr, kind }: Site,
  { thrown, change, tier, does }: Told,
): void {
  const summary = after.summary(file);
  const block = blockOf(summary, expr);
  const path = block < 0 ? '<module>' : summary.decls.pathOf(block);
  out.addOnce(file, block, {
    expr,
    tier,
    confidence: 'certain',
    reason: `${path} ${does} ${thrown.name}, which has to be caught or declared now.`,
    fact: `${thrown.name} has to be caught or declared now`,
    rule: 'newly-checked',
    relation: kind === 'instantiate' ? 'InstantiatedBy' : 'CalledBy',
    cause: change,
  });
}
