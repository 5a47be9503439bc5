/**
 * The sites that a rule leads to: from which declarations its relation goes on, and in which graph.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { classOfMember, isAskedOf } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { primaryConstructorCalls } from '../graph/refer/constructor-sites.js';
import { callSignaturesOf, functionsGivenFor, takesFunctions } from '../graph/refer/function-values.js';
import { typesOn } from '../graph/refer/satisfied.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, F } from '../syntax/summary.js';
import type { Carrier } from './carrier.js';
import { usesOfExport } from './export-uses.js';
import { familyInTurns, familyOf } from './family.js';
import type { Graphs } from './graphs.js';
import { keylessLiterals, requiredBeside } from './judge-literal.js';
import { siblingsOf } from './judge-siblings.js';
import { madeWithoutName, unfinishedTypes } from './lacking-classes.js';
import type { NewUses } from './new-uses.js';
import { relatedIn, relatedInTurns, usesOfBinding, type Related } from './related.js';
import type { Rule } from './rules/rule.js';

/** Where the sites of rules are read. */
export interface Reading {
  readonly graphs: Graphs;
  readonly carry: Carrier;
  readonly newUses: NewUses;
  /** Blocks of D with changes of their own, but for those of a body alone. */
  readonly edited: ReadonlySet<string>;
  /** The question's. */
  readonly files: ReadonlySet<string> | undefined;
}

/** The rule's sites, in the edited tree. */
export function* sitesOfRule(rule: Rule, change: AtomicChange, reading: Reading): Turns<readonly Related[]> {
  const { graphs, carry } = reading;
  if (change.detail.export !== undefined)
    return rule.judge === 'unexported' && change.before !== undefined
      ? yield* carry.all(usesOfExport(graphs.before, change.before.file, change.detail.export.name), change)
      : [];
  if (change.kind === 'import')
    return rule.judge === 'unexported'
      ? []
      : yield* carry.all(usesOfBinding(graphs.before, change.file, change.detail.import?.binding ?? ''), change);
  if (rule.in !== 'both') return yield* sitesInGraph(rule, rule.in, change, reading);
  const now = yield* sitesInGraph(rule, 'after', change, reading);
  const placeOf = (site: Related): string => `${site.file}\0${site.expr}\0${site.block}`;
  const places = new Set(now.map(placeOf));
  const then = yield* sitesInGraph(rule, 'before', change, reading);
  return [...now, ...then.filter((site) => !places.has(placeOf(site)))];
}

function* sitesInGraph(
  rule: Rule,
  side: 'before' | 'after',
  change: AtomicChange,
  reading: Reading,
): Turns<readonly Related[]> {
  const resolver = reading.graphs[side];
  const { files } = reading;
  const ref = change[side];
  // So that it is known when it is asked for.
  if (rule.of === 'family' && ref !== undefined) yield* familyInTurns(resolver, ref);
  const starts = yield* piece(() => startsOf(rule, side, change, reading));
  const sites: Related[] = [];
  for (const from of starts) {
    if (files !== undefined) {
      sites.push(...(yield* piece(() => relatedIn(resolver, from, rule.follow, files))));
      continue;
    }
    sites.push(...(yield* relatedInTurns(resolver, from, rule.follow)));
    if (rule.of === 'class' && rule.when === 'MCC' && rule.follow === 'InstantiatedBy')
      sites.push(...(yield* piece(() => primaryConstructorCalls(resolver, from))));
    if (rule.judge !== 'lacksMember') continue;
    sites.push(...(yield* piece(() => madeWithoutName(resolver, from))));
    if (rule.follow === 'SatisfiedBy') sites.push(...(yield* piece(() => functionsLeft(reading, change, from))));
  }
  if (rule.of === 'required' && ref !== undefined) sites.push(...(yield* piece(() => keylessLiterals(resolver, ref))));
  if (side === 'after') return sites;
  const kept = yield* reading.carry.all(sites, change);
  if (rule.judge !== 'gone' || files !== undefined) return kept;
  const written = yield* pieces(starts, (from) => reading.newUses.of(from, rule.follow));
  return [...kept, ...written.flat()];
}

/** Functions that are given for a type, or for one made of it, which took them before a member was added. */
function functionsLeft({ graphs }: Reading, change: AtomicChange, type: DeclRef): readonly Related[] {
  const was = ownerElsewhere(change, graphs, 'before');
  const takes = was !== undefined && takesFunctions(graphs.before, was);
  if (!takes || change.after === undefined) return [];
  const { after } = graphs;
  const name = after.summary(change.after.file).decls.nameOf(change.after.decl);
  const below = typesOn(after, type).filter((made) => isAskedOf(after, made, type, name));
  return [type, ...below].flatMap((each) => functionsGivenFor(after, each));
}

/** The declarations from which the rule's relation leads on. */
function startsOf(
  rule: Rule,
  side: 'before' | 'after',
  change: AtomicChange,
  { graphs, edited }: Reading,
): readonly DeclRef[] {
  const ref = change[side];
  // A relative that the person edited has sites of its own.
  if (rule.of === 'family')
    return ref === undefined
      ? []
      : familyOf(graphs[side], ref).filter((member) => !edited.has(`${member.file}\0${member.decl}`));
  if (rule.of === 'required') return ref === undefined ? [] : requiredBeside(graphs, ref);
  if (rule.of === 'signature') return ref === undefined ? [] : callSignaturesOf(graphs[side], ref);
  if (rule.of === 'siblings') return ref === undefined ? [] : siblingsOf(graphs[side], ref);
  // Where constructors are told apart by their parameters, only calls of the changed one are concerned.
  if (rule.of === 'class' && rule.when === 'MCC' && ref !== undefined && isOneOfSeveral(graphs[side], ref))
    return [ref];
  const from =
    rule.of === 'self' ? ref : ref === undefined ? ownerElsewhere(change, graphs, side) : ownerOf(graphs[side], ref);
  if (from === undefined) return [];
  if (rule.of === 'class' && rule.when === 'MCC') return [from, ...takingFieldsOver(graphs[side], from)];
  return rule.judge === 'lacksMember' && rule.follow === 'BaseClassOf' ? unfinishedTypes(graphs[side], from) : [from];
}

/** Classes below a data class that are such, or write no constructor: theirs are made with its fields as well. */
function takingFieldsOver(resolver: Resolver, type: DeclRef): readonly DeclRef[] {
  const isData = ({ file, decl }: DeclRef): boolean => resolver.summary(file).decls.has(decl, F.dataclass);
  return isData(type)
    ? descendantsOf(resolver, type).filter((below) => isData(below) || constructorsOf(resolver, below).length === 0)
    : [];
}

function isOneOfSeveral(resolver: Resolver, ref: DeclRef): boolean {
  const owner =
    resolver.summary(ref.file).decls.kindOf(ref.decl) === D.constructor ? ownerOf(resolver, ref) : undefined;
  return owner !== undefined && resolver.language(ref.file).overloads && constructorsOf(resolver, owner).length > 1;
}

function ownerOf(resolver: Resolver, ref: DeclRef): DeclRef | undefined {
  const summary = resolver.summary(ref.file);
  const kind = summary.decls.kindOf(ref.decl);
  if (kind <= D.delegate) return ref;
  const owner = classOfMember(summary, ref.decl);
  return owner === undefined ? undefined : { file: ref.file, decl: owner };
}

/** The owner of an added member in D, of a deleted one in D': the class of the same path. */
function ownerElsewhere(change: AtomicChange, graphs: Graphs, side: 'before' | 'after'): DeclRef | undefined {
  const [here, there, ref] =
    side === 'before'
      ? ([graphs.after, graphs.before, change.after] as const)
      : ([graphs.before, graphs.after, change.before] as const);
  const owner = ref === undefined ? undefined : ownerOf(here, ref);
  if (owner === undefined) return undefined;
  const path = here.summary(owner.file).decls.pathOf(owner.decl);
  const other = there.repo.summary(owner.file);
  if (other === undefined) return undefined;
  const row = other.idOf(here.summary(owner.file).decls.nameOf(owner.decl));
  if (row < 0) return undefined;
  for (const decl of other.decls.named(row)) {
    if (other.decls.pathOf(decl) === path && other.decls.kindOf(decl) <= D.delegate) return { file: owner.file, decl };
  }
  return undefined;
}
