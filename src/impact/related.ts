/**
 * Reads a relation of the graph: from a declaration to the sites and blocks related to it.
 */
import { piece, type Turns } from '../base/turns.js';
import type { DeclRef } from '../languages/language.js';
import { basesOf, classOfMember, overriddenBy, partialFellows, partsOfFunction } from '../graph/resolve/hierarchy.js';
import { declarationsOfName, type Confidence } from '../graph/resolve/names.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { overridersOf, overridersWithoutName } from '../graph/refer/overriders.js';
import { sitesInTurns, sitesOf, sitesSaidIn } from '../graph/refer/references.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { derivedFrom } from '../graph/refer/sites-by-name.js';
import {
  callsOfHeld,
  functionsGivenFor,
  functionTypeOf,
  valuesOfFunctionType,
} from '../graph/refer/function-values.js';
import type { EdgeKind, Relation } from '../graph/refer/relation.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { Way } from '../graph/resolve/ways.js';
import {
  findingSatisfied,
  satisfiedMembers,
  satisfiersOf,
  satisfyingMembers,
  typesOn,
} from '../graph/refer/satisfied.js';
import { sameDecl } from '../syntax/rows.js';
import { D, E, F, isBlockKind, isClassLike, isFunctionLike, R } from '../syntax/summary.js';

/** One site, or with expr -1 one block, related to a declaration. */
export interface Related {
  readonly file: string;
  readonly expr: number;
  readonly block: number;
  readonly confidence: Confidence;
  /** The row holds the declaration as a value, and does not name it. */
  readonly followed?: true;
}

const EDGE_OF: Partial<Record<Relation, EdgeKind>> = {
  CalledBy: 'call',
  InstantiatedBy: 'instantiate',
  UsedBy: 'use',
  ImportedBy: 'import',
};

/** `related`, a row that says the name at a time, or a type for which something is given. */
export function* relatedInTurns(resolver: Resolver, ref: DeclRef, relation: Relation): Turns<readonly Related[]> {
  if (EDGE_OF[relation] !== undefined) yield* sitesInTurns(resolver, ref);
  if (relation === 'Satisfies' || relation === 'SatisfiedBy') yield* findingSatisfied(resolver, ref);
  return yield* piece(() => related(resolver, ref, relation));
}

/** Relations that are read where a block stands and above it, so that nothing is searched for. */
const AT_THE_BLOCK: ReadonlySet<Relation> = new Set<Relation>([
  'Uses',
  'ParentOf',
  'ConstructedBy',
  'ChildOf',
  'Overrides',
]);

/** Whether what stands in the relation says a name, or is read at the block, so that a few files can be searched. */
export const isOfFiles = (relation: Relation): boolean => EDGE_OF[relation] !== undefined || AT_THE_BLOCK.has(relation);

/** What stands in a relation of that kind, in a few files. */
export function relatedIn(
  resolver: Resolver,
  ref: DeclRef,
  relation: Relation,
  files: ReadonlySet<string>,
): readonly Related[] {
  const edge = EDGE_OF[relation];
  if (edge !== undefined) return ofEdge(resolver, sitesSaidIn(resolver, ref, files), edge);
  return AT_THE_BLOCK.has(relation) ? related(resolver, ref, relation).filter(({ file }) => files.has(file)) : [];
}

/** Everything that stands in `relation` to `ref`. Empty for relations that the declaration's kind does not have. */
export function related(resolver: Resolver, ref: DeclRef, relation: Relation): readonly Related[] {
  const edge = EDGE_OF[relation];
  return edge === undefined
    ? (READERS[relation]?.(resolver, ref) ?? [])
    : ofEdge(resolver, sitesOf(resolver, ref), edge);
}

const ofEdge = (resolver: Resolver, sites: readonly Site[], edge: EdgeKind): readonly Related[] =>
  sites
    .filter((site) => site.kind === edge || (edge === 'instantiate' && isAttribute(resolver, site)))
    .map((site) => (NAMELESS.has(site.via) ? { ...site, followed: true } : site));

/** Ways to call something without saying its name. */
const NAMELESS: ReadonlySet<Way> = new Set<Way>(['flow', 'alias', 'class value']);

/** Whether a site is an attribute, where that is an object which its arguments construct. */
function isAttribute(resolver: Resolver, { file, expr }: { readonly file: string; readonly expr: number }): boolean {
  return (
    expr >= 0 &&
    resolver.language(file).attributesConstruct &&
    resolver.summary(file).exprs.roleOf(expr) === R.decorator
  );
}

/** How the relations between whole blocks are read. */
const READERS: Partial<Record<Relation, (resolver: Resolver, ref: DeclRef) => readonly Related[]>> = {
  BaseClassOf: (resolver, ref) =>
    derivedFrom(resolver, ref).map(({ file, expr, decl }) => ({ file, expr, block: decl, confidence: 'certain' })),
  ChildOf: (resolver, ref) => {
    const owner = classOfMember(resolver.summary(ref.file), ref.decl);
    return owner === undefined ? [] : [whole({ file: ref.file, decl: owner })];
  },
  DerivedClassOf: (resolver, ref) => basesOf(resolver, ref).classes.map(whole),
  Overrides: (resolver, ref) => overriddenBy(resolver, ref).map((target) => whole(inHeader(resolver, target))),
  OverriddenBy: (resolver, ref) => [
    ...overridersOf(resolver, ref).map(({ file, block, confidence }) => ({
      file,
      expr: -1,
      block: inHeader(resolver, { file, decl: block }).decl,
      confidence,
    })),
    ...overridersWithoutName(resolver, ref),
  ],
  SatisfiedBy: (resolver, ref) => [
    ...(isClassLike(resolver.summary(ref.file).decls.kindOf(ref.decl))
      ? satisfiersOf(resolver, ref)
      : satisfyingMembers(resolver, ref)
    ).map((target) => ofBlock(resolver, target)),
    ...functionValues(resolver, ref),
  ],
  Satisfies: (resolver, ref) => satisfiedMembers(resolver, ref).map(whole),
  Uses: bareNamesIn,
  ParentOf: (resolver, ref) =>
    resolver.bodies(ref).flatMap(({ file, decl: part }) => {
      const { decls } = resolver.summary(file);
      const inner = decls.innerOf(part);
      const members = inner < 0 ? [] : [...decls.allInScope(inner)];
      return members.filter((decl) => isBlockKind(decls.kindOf(decl))).map((decl) => whole({ file, decl }));
    }),
  ConstructedBy: (resolver, ref) =>
    isFunctionLike(resolver.summary(ref.file).decls.kindOf(ref.decl))
      ? [...partsOfFunction(resolver, ref), ...partialFellows(resolver, ref)].map(whole)
      : constructing(resolver, ref),
};

/**
 * Functions that are given for a function type, and where such are called; for a type with one method its own callers
 * say that.
 */
function functionValues(resolver: Resolver, ref: DeclRef): readonly Related[] {
  const type = functionTypeOf(resolver, ref);
  if (type === undefined) return [];
  const given = [type, ...typesOn(resolver, type)].flatMap((each) => [
    ...functionsGivenFor(resolver, each),
    ...callsOfHeld(resolver, each),
  ]);
  return sameDecl(type, ref) ? [...given, ...valuesOfFunctionType(resolver, type)] : given;
}

const whole = ({ file, decl }: DeclRef): Related => ({ file, expr: -1, block: decl, confidence: 'certain' });

/** The constructors that a class has itself, or the class where it has none, and its other parts. */
function constructing(resolver: Resolver, type: DeclRef): readonly Related[] {
  const bodies = resolver.bodies(type);
  const own = constructorsOf(resolver, type).filter(({ file, decl }) =>
    bodies.some((part) => part.file === file && resolver.summary(file).decls.parentOf(decl) === part.decl),
  );
  return [...(own.length > 0 ? own : [type]), ...bodies.filter((part) => !sameDecl(part, type))].map(whole);
}

/** The class, for a member that its header declares: a component of a record. */
function inHeader(resolver: Resolver, { file, decl }: DeclRef): DeclRef {
  const { decls } = resolver.summary(file);
  return { file, decl: decls.has(decl, F.parameterField) ? decls.parentOf(decl) : decl };
}

/**
 * A declaration as a block; a member of an object literal stands for the block around, which says its name in more
 * places than one.
 */
function ofBlock(resolver: Resolver, { file, decl }: DeclRef): Related {
  const { decls, scopes } = resolver.summary(file);
  return isBlockKind(decls.kindOf(decl))
    ? { file, expr: -1, block: decl, confidence: 'certain' }
    : { file, expr: -1, block: scopes.blockOf(decls.scopeOf(decl)), confidence: 'possible' };
}

/** Bare names in a block's own text. */
function bareNamesIn(resolver: Resolver, ref: DeclRef): Related[] {
  const summary = resolver.summary(ref.file);
  const out: Related[] = [];
  for (let expr = 0; expr < summary.exprs.count; expr++) {
    const at = summary.exprs.startOf(expr);
    if (
      summary.exprs.opOf(expr) !== E.name ||
      at < summary.decls.startOf(ref.decl) ||
      at >= summary.decls.endOf(ref.decl)
    )
      continue;
    out.push({ file: ref.file, expr, block: blockOf(summary, expr), confidence: 'certain' });
  }
  return out;
}

/**
 * Rows of a file that use a name which an import of that file bound: resolved in a tree where the import still stands.
 */
export function usesOfBinding(resolver: Resolver, file: string, binding: string): readonly Related[] {
  const summary = resolver.repo.summary(file);
  const row = summary === undefined ? -1 : summary.idOf(binding);
  if (summary === undefined || row < 0) return [];
  const out: Related[] = [];
  for (const expr of summary.exprs.named(row)) {
    if (summary.exprs.opOf(expr) !== E.name || !isBoundByImport(resolver, file, expr)) continue;
    out.push({ file, expr, block: blockOf(summary, expr), confidence: 'certain' });
  }
  return out;
}

function isBoundByImport(resolver: Resolver, file: string, expr: number): boolean {
  const { decls, exprs } = resolver.summary(file);
  return (
    exprs.roleOf(expr) === R.import ||
    declarationsOfName(resolver, file, expr).some((decl) => decls.kindOf(decl) === D.importBinding)
  );
}
