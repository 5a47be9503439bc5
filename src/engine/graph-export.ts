/**
 * The whole graph as a list of edges.
 */
import type { GraphExport } from '#protocol/graph.js';
import { SCHEMA_VERSION } from '#protocol/words.js';
import { heldBy } from '../graph/refer/flow-sites.js';
import { isPlace } from '../graph/refer/held.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { runsBelow } from '../graph/refer/runs-below.js';
import { sitesIn } from '../graph/refer/sites-in.js';
import type { EdgeKind } from '../graph/refer/relation.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { D, E, isFieldLike, R, type Summary } from '../syntax/summary.js';
import { filesInTurns } from './files-in-turns.js';
import { lambdaAround, lambdaPath, runningBlock } from './running-code.js';
import type { GraphQuestion } from './graph-entries.js';
import type { Call } from './service.js';

export async function exportGraph(
  { resolver, problems }: Pick<GraphQuestion, 'resolver' | 'problems'>,
  confidence: 'certain' | 'all',
  call: Call,
): Promise<GraphExport> {
  const edges: GraphExport['edges'] = [];
  const seen = new Set<string>();
  for await (const file of filesInTurns(resolver, call, 'resolving references')) {
    const summary = resolver.summary(file);
    for (const site of sitesIn(resolver, file)) {
      // Operators and `with`, lists of exported names, calls by another name and of a class that is not named are
      // followed by impact; here an edge is a name's, a followed value's, or an iteration's.
      if (
        site.via === 'export list' ||
        site.via === 'import table' ||
        site.via === 'alias' ||
        site.via === 'class value' ||
        (site.via === 'syntax' && !isExported(resolver, summary, site))
      )
        continue;
      if (confidence === 'certain' && site.confidence !== 'certain') continue;
      const kind = edgeKind(resolver, summary, site);
      const from = { file, block: blockOfEdge(resolver, summary, site, kind) };
      const to = { file: site.target.file, block: nameOfTarget(resolver, site) };
      const key = `${file}\0${from.block}\0${to.file}\0${to.block}\0${kind}\0${site.confidence}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push({ from, to, kind, confidence: site.confidence });
    }
    const below = runsBelow(resolver, file).map((run) => ({ ...run, confidence: 'possible' as const }));
    for (const { expr, target, confidence: known } of [...impliedCalls(resolver, file), ...below]) {
      if (confidence === 'certain' && known !== 'certain') continue;
      const from = { file, block: runningBlock(resolver.language(file), summary, expr, blockOf(summary, expr)) };
      const to = { file: target.file, block: nameOfTarget(resolver, { target }) };
      const key = `${file}\0${from.block}\0${to.file}\0${to.block}\0call\0${known}`;
      if (seen.has(key)) continue;
      seen.add(key);
      edges.push({ from, to, kind: 'call', confidence: known });
    }
  }
  return { schema: SCHEMA_VERSION, edges, complete: problems.length === 0, problems: [...problems] };
}

/**
 * Of the calls that syntax makes without a name: those of an object, and iterations over objects of one known class.
 */
function isExported(resolver: Resolver, summary: Summary, site: Site): boolean {
  const op = summary.exprs.opOf(site.expr);
  return (
    op === E.call ||
    (op === E.element &&
      site.confidence === 'certain' &&
      resolver.typeOf(site.file, summary.exprs.operandOf(site.expr)).values.length < 2)
  );
}

/** A call of a variable whose values are known is theirs: of the variable it is a use. */
function edgeKind(resolver: Resolver, summary: Summary, site: Site): EdgeKind {
  if (site.kind !== 'call' || site.via === 'syntax' || site.target.decl < 0) return site.kind;
  const isVariable = isFieldLike(resolver.summary(site.target.file).decls.kindOf(site.target.decl));
  return isVariable &&
    site.via !== 'flow' &&
    summary.exprs.roleOf(site.expr) === R.callee &&
    heldBy(resolver, site.file, site.expr).values.size > 0
    ? 'use'
    : 'call';
}

/** An object type among other sides of an alias is no level of names: what it says the alias says. */
function namedLevel({ decls }: Summary, block: number): number {
  const around = block < 0 ? -1 : decls.parentOf(block);
  const isSide = around >= 0 && decls.kindOf(around) === D.typeAlias && decls.basesOf(around).length > 0;
  return isSide ? around : block;
}

/** Who makes a call; for other edges the block in which they are written. */
function blockOfEdge(resolver: Resolver, summary: Summary, site: Site, kind: EdgeKind): string {
  if (site.expr < 0 || (kind !== 'call' && kind !== 'instantiate'))
    return summary.decls.pathOf(namedLevel(summary, site.block));
  const lambda = site.via === 'flow' ? lambdaAround(summary, summary.exprs.scopeOf(site.expr)) : undefined;
  return lambda ?? runningBlock(resolver.language(site.file), summary, site.expr, site.block);
}

/**
 * What builtins call of what they are passed, `sorted(xs, key=f)`, and calls that give what is left of the arguments:
 * `partial(f, 1)(2)`. For impact these are uses of `f`: no call of it as it is declared is written there.
 */
function impliedCalls(resolver: Resolver, file: string): Pick<Site, 'expr' | 'target' | 'confidence'>[] {
  const { exprs } = resolver.summary(file);
  if (!resolver.language(file).followsValues) return [];
  return exprs.ofOp(E.call).flatMap((call) => {
    const callee = exprs.operandOf(call);
    if (callee < 0 || exprs.roleOf(callee) === R.decorator) return [];
    const isWritten = exprs.roleOf(callee) === R.callee;
    if (isWritten && !isOfPlace(resolver, file, callee)) return [];
    const answer = heldBy(resolver, file, callee);
    const confidence = !answer.open && answer.values.size === 1 ? 'certain' : 'possible';
    return [...answer.values.values()].flatMap((value) =>
      value.kind === 'function' && (!isWritten || value.isBound === true)
        ? [{ expr: callee, target: { file: value.file, decl: value.decl }, confidence }]
        : [],
    );
  });
}

/** Whether a callee names what values are put into. */
function isOfPlace(resolver: Resolver, file: string, callee: number): boolean {
  const { exprs } = resolver.summary(file);
  if (exprs.opOf(callee) !== E.name && exprs.opOf(callee) !== E.member) return true;
  return resolver
    .resolve(file, callee)
    .targets.some((target) => target.decl >= 0 && isPlace(resolver.summary(target.file), target.decl));
}

function nameOfTarget(resolver: Resolver, { target }: Pick<Site, 'target'>): string {
  const summary = resolver.summary(target.file);
  return target.decl >= 0 && summary.decls.kindOf(target.decl) === D.lambda
    ? lambdaPath(summary, target.decl)
    : summary.decls.pathOf(target.decl);
}
