/**
 * Declarations that everybody sees and that say a type which is not public any more, where the language lets them say
 * only what is as public as they are: parameters, results, fields, and the class that one derives from (C#).
 *
 *     internal class Options { }       public class Job { public void Run(Options o) { } }
 *
 * Errs towards missing: a type in several parts, one that is hidden further than what is not public itself, bounds of
 * type parameters.
 */
import { piece, type Turns } from '../base/turns.js';
import { sitesInTurns } from '../graph/refer/references.js';
import type { Site } from '../graph/refer/site.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl, type DeclRow, type ExprRow } from '../syntax/rows.js';
import { D, E, isClassLike, isFieldLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { isPublishedWhole } from './hidden-from-users.js';
import type { Question } from './question.js';

export function* exposedTypes({ graphs: { before, after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const { before: was, after: is } = cause;
    if (was === undefined || is === undefined || was.decl < 0 || is.decl < 0) continue;
    const isHidden = after.language(is.file).publishesWhole === true && isType(after, is) && !isPublished(after, is);
    if (!isHidden || !isPublished(before, was)) continue;
    for (const site of yield* sitesInTurns(after, is)) {
      if (site.expr < 0 || !sameDecl(site.target, is)) continue;
      const seen = yield* piece(() => exposing(after, site));
      if (seen === undefined) continue;
      out.addOnce(site.file, seen, {
        expr: site.expr,
        tier: 'breaks',
        confidence: site.confidence,
        reason: `${after.summary(site.file).decls.pathOf(seen)} is public and says ${cause.block}, which is not now.`,
        fact: `${cause.block} is not public any more`,
        rule: 'exposed-type',
        relation: 'UsedBy',
        cause,
      });
    }
  }
  return out.sorted();
}

const isType = (resolver: Resolver, { file, decl }: DeclRef): boolean =>
  isClassLike(resolver.summary(file).decls.kindOf(decl));

function isPublished(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { publishedBy } = resolver.language(file);
  return publishedBy !== undefined && isPublishedWhole(resolver.summary(file), decl, publishedBy);
}

/** The public declaration whose header says the type at a row. */
function exposing(resolver: Resolver, { file, expr }: Site): DeclRow | undefined {
  const summary = resolver.summary(file);
  return saidIn(summary, expr)
    .filter(({ decl, base }) => base === undefined || !isImplemented(resolver, file, base, decl))
    .map(({ decl }) => ownerOfHeader(summary, decl))
    .find((decl) => decl !== undefined && isPublished(resolver, { file, decl }));
}

/** Whether a base is an interface that a class or structure stands for, which may be as hidden as it likes. */
function isImplemented(resolver: Resolver, file: string, base: ExprRow, by: DeclRow): boolean {
  const { decls, exprs } = resolver.summary(file);
  if (decls.kindOf(by) === D.interface) return false;
  const [target] = resolver.resolve(file, base).targets;
  return target === undefined || target.decl < 0
    ? resolver.language(file).interfaceName?.test(exprs.nameOf(base)) === true
    : resolver.summary(target.file).decls.kindOf(target.decl) === D.interface;
}

interface InHeader {
  readonly decl: DeclRow;
  /** Of a base: the row that names it. */
  readonly base: ExprRow | undefined;
}

/** Declarations of which the row is the type or a base, or a part of it. */
function saidIn(summary: Summary, row: ExprRow): readonly InHeader[] {
  const { exprs } = summary;
  return exprs.usesOf(row).flatMap((use): readonly InHeader[] => {
    if (use.kind === 'type') return [{ decl: use.decl, base: undefined }];
    if (use.kind === 'base')
      return [{ decl: use.decl, base: exprs.opOf(row) === E.index ? exprs.operandOf(row) : row }];
    const role = 'row' in use ? exprs.roleOf(use.row) : -1;
    return 'row' in use && (role === R.type || role === R.base) ? saidIn(summary, use.row) : [];
  });
}

/** What has the declaration in its header: a parameter's function; undefined for what stands in a body. */
function ownerOfHeader({ decls }: Summary, decl: DeclRow): DeclRow | undefined {
  const owner = decls.kindOf(decl) === D.param ? decls.parentOf(decl) : decl;
  const kind = owner < 0 ? D.local : decls.kindOf(owner);
  const isHeaded =
    kind === D.method || kind === D.constructor || kind === D.delegate || isFieldLike(kind) || isClassLike(kind);
  return isHeaded ? owner : undefined;
}
