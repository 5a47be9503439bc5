/**
 * Rename: `def put` became `def store`, so `s.put(k)` becomes `s.store(k)`.
 *
 * Rewrites every certain mention: uses, imports and re-exports, and the declaration of overriding
 * and overridden members. A binding that must keep its own name (a destructured or shorthand
 * property) is spelled out. Refused where the new name already means something at the site.
 */
import { overriddenBy } from '../../graph/hierarchy.js';
import { lookUp } from '../../graph/names.js';
import type { Resolver } from '../../graph/resolver.js';
import type { DeclRef } from '../../languages/language.js';
import { D, declsInScope, E, isClassLike, nameId, nameOf, R, type Summary } from '../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';

export const rename: Rewrite = {
  id: 'rename',
  does: 'writes the new name of a renamed declaration wherever the old one is meant',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary } = context;
    const names = site.cause.detail.rename;
    if (names === undefined || site.tier !== 'breaks') return undefined;
    if (site.confidence !== 'certain') return { cannot: `whether this ${names.from} is the renamed one is not certain`, needs: 'person' };
    if (site.expr < 0) return renameDeclaration(context, names);
    if (summary.names[summary.exprs.name[site.expr] as number] !== names.from) return undefined;
    return renameMention(context, names);
  },
};

function renameMention({ graphs, block, site, summary, text }: RewriteSite, names: { from: string; to: string }): RewriteResult {
  const { exprs } = summary;
  const start = exprs.start[site.expr] as number;
  const end = exprs.end[site.expr] as number;
  if (text.slice(start, end) !== names.from) return { cannot: `${names.from} is written in another way here`, needs: 'person' };
  const role = exprs.role[site.expr];
  if (exprs.op[site.expr] === E.name && role !== R.import) {
    const collision = lookUp(graphs.after, block.file, summary, exprs.scope[site.expr] as number, names.to, exprs.role[site.expr] as number);
    const meansNew = collision.targets.some((target) => isFamily(graphs.after, target, site.cause.after));
    if (!meansNew && collision.targets.length > 0 && !bindsTheOldName(summary, names.from)) return { cannot: `${names.to} already means something else here`, needs: 'person' };
  }
  const shorthand = shorthandAt(summary, start, names.from);
  if (shorthand !== undefined) return { edits: [{ start, end, text: shorthand === 'pattern' ? `${names.to}: ${names.from}` : `${names.from}: ${names.to}` }] };
  return { edits: [{ start, end, text: names.to }] };
}

/** The renamed declaration itself, or a member that overrides it or is overridden by it. */
function isFamily(resolver: Resolver, target: DeclRef, renamed: DeclRef | undefined): boolean {
  if (renamed === undefined) return false;
  const same = (a: DeclRef, b: DeclRef): boolean => a.file === b.file && a.decl === b.decl;
  return same(target, renamed) || (target.decl >= 0 && overriddenBy(resolver, target).some((base) => same(base, renamed))) || overriddenBy(resolver, renamed).some((base) => same(base, target));
}

/** Whether the file has the old name through an import that is itself rewritten. */
function bindsTheOldName(summary: Summary, name: string): boolean {
  const row = nameId(summary, name);
  return row >= 0 && [...declsInScope(summary, 0, row)].some((decl) => summary.decls.kind[decl] === D.importBinding);
}

/** `{name}`: one token that is both a property and a binding (pattern) or a value (literal). */
function shorthandAt(summary: Summary, offset: number, name: string): 'pattern' | 'literal' | undefined {
  const row = nameId(summary, name);
  for (let i = summary.declStart[row] as number; i < (summary.declStart[row + 1] as number); i++) {
    const decl = summary.declsByName[i] as number;
    if (summary.decls.nameStart[decl] !== offset) continue;
    const owner = summary.scopes.owner[summary.decls.scope[decl] as number] as number;
    if (owner >= 0 && summary.decls.kind[owner] === D.anonymousClass) return 'literal';
    if (summary.decls.kind[decl] === D.local || summary.decls.kind[decl] === D.param || summary.decls.kind[decl] === D.variable) return 'pattern';
  }
  return undefined;
}

/** A member that overrides the renamed one, or is overridden by it, follows its name. */
function renameDeclaration({ graphs, block, summary, text }: RewriteSite, names: { from: string; to: string }): RewriteResult | undefined {
  if (block.decl < 0 || (nameOf(summary, block.decl) !== names.from && summary.decls.kind[block.decl] !== D.constructor)) return undefined;
  const start = summary.decls.nameStart[block.decl] as number;
  if (start < 0 || !text.startsWith(names.from, start)) return { cannot: `the declaration of ${names.from} is not written as a plain name`, needs: 'person' };
  const scope = summary.decls.scope[block.decl] as number;
  const row = nameId(summary, names.to);
  if (row >= 0 && !isClassLike(summary.decls.kind[block.decl] as number) && declsInScope(summary, scope, row).length > 0 && !graphs.after.language(block.file).overloads) return { cannot: `${names.to} is declared beside it already`, needs: 'person' };
  return { edits: [{ start, end: start + names.from.length, text: names.to }] };
}
