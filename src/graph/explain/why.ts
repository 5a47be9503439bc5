/**
 * Why one place refers to a declaration, or why it does not.
 *
 * For every site in the place its path of resolution; for every row that says the name and is no
 * such site what it means instead, or where the search for its meaning ended.
 */
import type { DeclRef } from '../../languages/language.js';
import { E, R, type Summary } from '../../syntax/summary.js';
import { namesMember } from '../../syntax/strings-as-members.js';
import { classOfMember, overriddenBy } from '../resolve/hierarchy.js';
import { whyNotPossible } from '../resolve/possible-members.js';
import { endOf } from './end-of-resolution.js';
import type { Fact } from './facts.js';
import { pathOf } from './path-of-resolution.js';
import { sitesOf } from '../refer/references.js';
import { blockOf, type Site } from '../refer/site.js';
import type { Resolver } from '../resolve/resolver.js';
import { TracingResolver } from '../resolve/trace.js';

/** A stretch of one file: a block, or a line. */
export interface Place {
  readonly file: string;
  readonly start: number;
  readonly end: number;
}

/** A site and how it leads to its target. */
export interface Explained {
  readonly site: Site;
  readonly path: readonly Fact[];
}

/** A row that says the name and does not lead to the declaration. */
export interface OtherMeaning {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  /** What it means instead. */
  readonly targets: readonly DeclRef[];
  readonly outcome: 'other' | 'external' | 'unresolved' | 'excluded' | 'string';
  readonly path: readonly Fact[];
}

export interface Why {
  readonly edges: readonly Explained[];
  readonly others: readonly OtherMeaning[];
}

/** `targets`: the declarations that make up what was asked for. */
export function why(resolver: Resolver, targets: readonly DeclRef[], place: Place): Why {
  const trace = new TracingResolver(resolver.repo.snapshot);
  const sites = targets.flatMap((target) => sitesOf(resolver, target)).filter((site) => isIn(resolver, site, place));
  const edges = sites.map((site) => ({ site, path: pathOf(trace, site) }));
  const known = new Set(sites.map((site) => site.expr));
  const others = rowsSaying(resolver.summary(place.file), namesOf(resolver, targets), place)
    .filter((expr) => !known.has(expr) && !mentionsClassOf(resolver, place.file, expr, targets))
    .map((expr) => otherMeaning(trace, place.file, expr, targets));
  return { edges, others };
}

function isIn(resolver: Resolver, site: Site, place: Place): boolean {
  if (site.file !== place.file) return false;
  const summary = resolver.summary(site.file);
  // An override stands where its name does: annotations may lie lines above.
  const at =
    site.expr < 0
      ? Math.max(summary.decls.nameStartOf(site.block), summary.decls.startOf(site.block))
      : summary.exprs.startOf(site.expr);
  return at >= place.start && at < place.end;
}

/** The declarations' own names; for a constructor also its class's. */
function namesOf(resolver: Resolver, targets: readonly DeclRef[]): Set<string> {
  const names = new Set<string>();
  for (const { file, decl } of targets) {
    const summary = resolver.summary(file);
    if (decl < 0) continue;
    names.add(summary.decls.nameOf(decl));
    const owner = classOfMember(summary, decl);
    if (owner !== undefined && summary.decls.nameOf(decl) === resolver.language(file).constructorName)
      names.add(summary.decls.nameOf(owner));
  }
  return names;
}

/** Whether a row means the class of a constructor that was asked for, and does not make an object. */
function mentionsClassOf(resolver: Resolver, file: string, expr: number, targets: readonly DeclRef[]): boolean {
  return targets.some(
    (target) =>
      target.decl >= 0 &&
      resolver
        .resolve(file, expr)
        .targets.some(
          (meant) =>
            meant.file === target.file && meant.decl === classOfMember(resolver.summary(target.file), target.decl),
        ),
  );
}

function rowsSaying(summary: Summary, names: ReadonlySet<string>, place: Place): number[] {
  const out: number[] = [];
  for (const name of names) {
    const row = summary.idOf(name);
    if (row < 0) continue;
    for (const expr of summary.exprs.named(row)) {
      const at = summary.exprs.startOf(expr);
      const role = summary.exprs.roleOf(expr);
      if (at >= place.start && at < place.end && role !== R.declares && role !== R.doc && !namesMember(summary, expr))
        out.push(expr);
    }
  }
  return out.sort((a, b) => summary.exprs.startOf(a) - summary.exprs.startOf(b));
}

function otherMeaning(trace: TracingResolver, file: string, expr: number, wanted: readonly DeclRef[]): OtherMeaning {
  const summary = trace.summary(file);
  const block = blockOf(summary, expr);
  const resolution = trace.resolve(file, expr);
  const at = summary.exprs.startOf(expr);
  const row = { file, expr, block, targets: resolution.targets };
  if (summary.exprs.opOf(expr) === E.string)
    return {
      ...row,
      targets: [],
      outcome: 'string',
      path: [{ file, at, words: 'a string spells the name; what is done with it is not followed' }],
    };
  const bars =
    resolution.confidence === 'possible' && !resolution.external
      ? wanted.flatMap((target) => barred(trace, file, expr, target))
      : [];
  if (bars.length > 0) return { ...row, outcome: 'excluded', path: [...endOf(trace, file, expr), ...bars] };
  const [target] = resolution.targets;
  if (target === undefined)
    return { ...row, outcome: resolution.external ? 'external' : 'unresolved', path: endOf(trace, file, expr) };
  const path = pathOf(trace, { ...row, target, kind: 'use', confidence: resolution.confidence, via: resolution.via });
  return {
    ...row,
    outcome: 'other',
    path: [...path, ...wanted.flatMap((member) => akin(trace, member, resolution.targets))],
  };
}

function barred(trace: TracingResolver, file: string, expr: number, target: DeclRef): Fact[] {
  const bar = target.decl < 0 ? undefined : whyNotPossible(trace, file, expr, target);
  if (bar === undefined) return [];
  const summary = trace.summary(target.file);
  return [
    { file: target.file, at: summary.decls.startOf(target.decl), words: `${summary.decls.nameOf(target.decl)} ${bar}` },
  ];
}

/**
 * What binds the member to what is meant instead: a use of a member may run one that overrides it, and of overloads one
 * is chosen.
 */
function akin(trace: TracingResolver, member: DeclRef, targets: readonly DeclRef[]): Fact[] {
  if (member.decl < 0) return [];
  const fact = ({ file, decl }: DeclRef, words: string): Fact => ({
    file,
    at: trace.summary(file).decls.startOf(decl),
    words: `${trace.summary(file).decls.nameOf(decl)} ${words}`,
  });
  const isOne = (of: readonly DeclRef[], one: DeclRef): boolean =>
    of.some(({ file, decl }) => file === one.file && decl === one.decl);
  const { decls } = trace.summary(member.file);
  return targets
    .filter((target) => target.decl >= 0)
    .flatMap((target) => {
      if (isOne(overriddenBy(trace, member), target))
        return [fact(member, 'overrides it, so the call may run this one')];
      if (isOne(overriddenBy(trace, target), member)) return [fact(member, 'is what it overrides')];
      const isOverload =
        target.file === member.file &&
        target.decl !== member.decl &&
        decls.scopeOf(target.decl) === decls.scopeOf(member.decl) &&
        decls.nameIdOf(target.decl) === decls.nameIdOf(member.decl);
      return isOverload ? [fact(target, 'here is the one of that name that the arguments fit')] : [];
    });
}
