/**
 * What runs while its file is loaded and uses a definition that moved to a place further down in that file: the name
 * stands for nothing yet.
 *
 *     class Timed(Signer): …          Signer moved here, behind its use
 *     class Signer: …
 *
 * Errs towards missing: what a call at the margin runs, annotations, and a definition that only changed its place in
 * the file.
 */
import type { Turns } from '../base/turns.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { RELATION_OF_EDGE } from '../graph/refer/relation.js';
import { blockOf } from '../graph/refer/site.js';
import type { Language } from '../languages/language.js';
import { D, E, F, isFunctionLike, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* usedBeforeDefined({ graphs: { after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const { after: is, detail } = cause;
    if (detail.move === undefined || is === undefined || is.decl < 0 || detail.move.from === is.file) continue;
    const summary = after.summary(is.file);
    const language = after.language(is.file);
    if (!isDefinedInOrder(language, summary, is.decl)) continue;
    for (const site of yield* sitesInTurns(after, is)) {
      if (site.file !== is.file || site.expr < 0 || !runsAtLoad(language, summary, site.expr)) continue;
      if (summary.exprs.startOf(site.expr) >= summary.decls.startOf(is.decl)) continue;
      const block = blockOf(summary, site.expr);
      const path = block < 0 ? '<module>' : summary.decls.pathOf(block);
      out.addOnce(site.file, block, {
        expr: site.expr,
        tier: 'breaks',
        confidence: site.confidence,
        reason: `${path} uses ${cause.block} before it is defined: it stands further down in the file now.`,
        fact: `${cause.block} is defined behind it`,
        rule: 'used-before',
        relation: RELATION_OF_EDGE[site.kind],
        cause,
      });
    }
  }
  return out.sorted();
}

/** Whether a definition at the top of a file is there from where it stands on alone. */
function isDefinedInOrder({ importsFiles, headersRunOutside }: Language, { decls }: Summary, decl: number): boolean {
  if (!importsFiles || decls.parentOf(decl) >= 0) return false;
  const kind = decls.kindOf(decl);
  // Where a definition is no statement that runs, functions are there from the start, and types are nowhere.
  return headersRunOutside || !(isFunctionLike(kind) || kind === D.interface || kind === D.typeAlias);
}

/** Whether the row is run when its file is, and not when somebody calls what is around it. */
function runsAtLoad({ headersRunOutside }: Language, summary: Summary, expr: number): boolean {
  const { exprs, scopes, decls } = summary;
  const role = exprs.roleOf(expr);
  // A string that spells the name asks for no value.
  if (role === R.type || role === R.import || role === R.doc || exprs.opOf(expr) === E.string) return false;
  for (let scope = exprs.scopeOf(expr); scope > 0; scope = scopes.parentOf(scope)) {
    const owner = scopes.ownerOf(scope);
    if (owner >= 0 && isFunctionLike(decls.kindOf(owner))) return false;
  }
  // Where a class is no code that runs, what its fields begin with runs when an object is made.
  const block = blockOf(summary, expr);
  const isOfObjects = block >= 0 && decls.kindOf(block) === D.field && !decls.has(block, F.static);
  return headersRunOutside || !isOfObjects;
}
