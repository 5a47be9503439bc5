/** What a row that says a name refers to, as sites. */
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, isClassLike, isFunctionLike, R, type Summary } from '../../syntax/summary.js';
import { classOfMember } from '../resolve/hierarchy.js';
import { aliasedBy } from './alias.js';
import type { Resolver } from '../resolve/resolver.js';
import { calledConstructors } from './class-values.js';
import { instanceOf } from '../resolve/written-types.js';
import { blockOf, edgeKind, type Site } from './site.js';

/** What is part of a block, so that no edge leads to it. */
const WITHIN_BLOCKS: ReadonlySet<number> = new Set([
  D.param,
  D.local,
  D.typeParam,
  D.lambda,
  D.anonymousClass,
  D.importBinding,
]);

/**
 * Members of what is written in place, keys of a literal or of a type, are part of a block as well, and can be asked
 * about.
 */
function isWithinBlock(summary: Summary, decl: number, only: DeclRef | undefined): boolean {
  const kind = summary.decls.kindOf(decl);
  if (!WITHIN_BLOCKS.has(kind)) return false;
  const isMember = kind === D.lambda || (kind === D.local && classOfMember(summary, decl) !== undefined);
  return only === undefined || !isMember;
}

/** With `only`, those of that target alone: a row may be able to mean hundreds. */
export function sitesOfRow(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  out: Site[],
  only?: DeclRef,
): void {
  const role = summary.exprs.roleOf(expr);
  if (role === R.declares || role === R.doc) return;
  const { targets, confidence, via } = resolver.resolve(file, expr);
  // Edges lead from block to block, and an override from the overriding member.
  if (via === 'overrides') return;
  const block = blockOf(summary, expr);
  out.push(...sitesByAlias(resolver, { file, expr, block, confidence }, targets, only));
  // Who makes an instance is a site of the constructors too.
  const constructors =
    makesInstances(resolver, file, role) &&
    (only === undefined || isFunctionLike(resolver.summary(only.file).decls.kindOf(only.decl)));
  for (const target of targets) {
    const wanted = only === undefined || sameDecl(target, only);
    if (!wanted && !constructors) continue;
    if (target.decl < 0) {
      if (wanted) out.push({ file, expr, block, target, kind: role === R.import ? 'import' : 'use', confidence, via });
      continue;
    }
    const of = resolver.summary(target.file);
    const kind = of.decls.kindOf(target.decl);
    if (isWithinBlock(of, target.decl, only)) continue;
    const edge = via === 'export list' || via === 'import table' ? 'import' : edgeKind(resolver, file, role, kind);
    if (wanted) out.push({ file, expr, block, target, kind: edge, confidence, via });
    if (constructors && (edge === 'instantiate' || role === R.decorator) && isClassLike(kind)) {
      for (const made of calledConstructors(resolver, file, expr, target))
        if (only === undefined || sameDecl(made, only))
          out.push({
            file,
            expr,
            block,
            target: made,
            kind: edge === 'instantiate' ? edge : 'use',
            confidence,
            via: 'constructor',
          });
    }
  }
}

/** What a call of these definitions runs since it is their whole value; what a base is that was put on a function. */
function sitesByAlias(
  resolver: Resolver,
  at: Pick<Site, 'file' | 'expr' | 'block' | 'confidence'>,
  targets: readonly DeclRef[],
  only: DeclRef | undefined,
): Site[] {
  const role = resolver.summary(at.file).exprs.roleOf(at.expr);
  if (role === R.base && targets.length === 0) return basesPutOnFunction(resolver, at, only);
  if ((role !== R.callee && role !== R.newCallee) || resolver.language(at.file).followsValues) return [];
  return targets
    .flatMap((target) => (target.decl < 0 ? [] : aliasedBy(resolver, target)))
    .flatMap((target): Site[] => {
      const of = resolver.summary(target.file).decls.kindOf(target.decl);
      const kind = edgeKind(resolver, at.file, role, of);
      const made =
        kind === 'instantiate' && isClassLike(of) ? calledConstructors(resolver, at.file, at.expr, target) : [];
      return [target, ...made].map((one) => ({ ...at, target: one, kind, via: 'alias' }));
    })
    .filter((site) => only === undefined || sameDecl(site.target, only));
}

/** `class A extends parse.Parser`, where the base was put on a function. */
function basesPutOnFunction(
  resolver: Resolver,
  at: Pick<Site, 'file' | 'expr' | 'block'>,
  only: DeclRef | undefined,
): Site[] {
  if (resolver.summary(at.file).exprs.opOf(at.expr) !== E.member) return [];
  return instanceOf(resolver, at.file, at.expr).values.flatMap((value): Site[] => {
    if (value.kind !== 'instance' || (only !== undefined && !sameDecl(value, only))) return [];
    const target = { file: value.file, decl: value.decl };
    const kind = edgeKind(resolver, at.file, R.base, resolver.summary(target.file).decls.kindOf(target.decl));
    return [{ ...at, target, kind, confidence: 'certain', via: 'class value' }];
  });
}

/** Whether a row with this role can make an instance of a class that it names. */
function makesInstances(resolver: Resolver, file: string, role: number): boolean {
  const { callableClasses, attributesConstruct } = resolver.language(file);
  return (
    role === R.newCallee ||
    ((role === R.callee || role === R.decorator) && callableClasses) ||
    (role === R.decorator && attributesConstruct)
  );
}
