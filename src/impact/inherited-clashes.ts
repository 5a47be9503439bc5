/**
 * Types that inherit two members of one signature which no class can have both: two bodies of interfaces, a body and a
 * signature without one, results that differ, a member of a class that fewer may use than the interface asks for.
 *
 *     interface A { default String name() {…} }     interface B { String name(); }     class C implements A, B {}
 *
 * Who inherits says neither name. Errs towards missing: parameters that are written in other words.
 */
import { piece, pieces, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { classOfMember, isSubclass, ownMembers, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { isWithin } from '../graph/resolve/type-inclusion.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { D, E, F } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock, type AffectedSite } from './affected.js';
import { namedAlike } from './counterparts.js';
import type { Question } from './question.js';

export function* inheritedClashes({ graphs, edit }: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = graphs;
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    if (!(after.repo.hasFile(change.file) ? after : before).language(change.file).basesClash) continue;
    for (const { type, name } of yield* piece(() => inheriting(graphs, change)))
      for (const clash of (yield* pieces([type], (each) => newClashes(graphs, each, name))).flat())
        out.addOnce(type.file, type.decl, {
          expr: -1,
          tier: clash.tier,
          confidence: 'certain',
          reason: `${after.summary(type.file).decls.pathOf(type.decl)} inherits ${clash.words}.`,
          fact: `${name} of two bases`,
          rule: 'inherited-clash',
          relation: 'BaseClassOf',
          cause: change,
        });
  }
  return out.sorted();
}

interface Inheriting {
  readonly type: DeclRef;
  readonly name: string;
}

/** Types that inherit by a name which the change brought there, or took away from there. */
function inheriting({ before, after }: Question['graphs'], change: AtomicChange): readonly Inheriting[] {
  const { before: was, after: is, detail } = change;
  const nameIn = (resolver: Resolver, { file, decl }: DeclRef): string => resolver.summary(file).decls.nameOf(decl);
  const below = (type: DeclRef): readonly DeclRef[] => [type, ...descendantsOf(after, type)];
  if (change.kind === 'method') {
    const [side, member] = is === undefined ? [before, was] : [after, is];
    const owner = member === undefined ? undefined : classOfMember(side.summary(member.file), member.decl);
    if (member === undefined || owner === undefined) return [];
    const type = { file: member.file, decl: owner };
    const now = is === undefined ? namedAlike(before, type, after)[0] : type;
    return now === undefined ? [] : below(now).map((each) => ({ type: each, name: nameIn(side, member) }));
  }
  if (detail.bases === undefined || is === undefined) return [];
  const old = was === undefined ? [] : searchOrder(before, was).map((each) => nameIn(before, each));
  const names = searchOrder(after, is)
    .filter((each) => !sameDecl(each, is) && !old.includes(nameIn(after, each)))
    .flatMap((each) => methodsOf(after, each).map((member) => nameIn(after, member)));
  return below(is).flatMap((type) => [...new Set(names)].map((name) => ({ type, name })));
}

function methodsOf(resolver: Resolver, { file, decl }: DeclRef): readonly DeclRef[] {
  const { decls } = resolver.summary(file);
  const inner = decls.innerOf(decl);
  return inner < 0
    ? []
    : [...decls.allInScope(inner)].filter((row) => decls.kindOf(row) === D.method).map((row) => ({ file, decl: row }));
}

interface Clash {
  readonly key: string;
  readonly tier: AffectedSite['tier'];
  /** Completes "… inherits". */
  readonly words: string;
}

function newClashes({ before, after }: Question['graphs'], type: DeclRef, name: string): readonly Clash[] {
  const now = clashesIn(after, type, name);
  const was = now.length === 0 ? undefined : namedAlike(after, type, before)[0];
  const known = was === undefined ? [] : clashesIn(before, was, name).map(({ key }) => key);
  return now.filter(({ key }) => !known.includes(key));
}

function clashesIn(resolver: Resolver, type: DeclRef, name: string): readonly Clash[] {
  const members = searchOrder(resolver, type)
    .flatMap((each) => ownMembers(resolver, each, name))
    .filter(({ file, decl }) => {
      const { decls } = resolver.summary(file);
      return decls.kindOf(decl) === D.method && !decls.has(decl, F.static | F.private);
    });
  const out: Clash[] = [];
  members.forEach((one, i) => {
    for (const other of members.slice(i + 1)) {
      if (!takeAlike(resolver, one, other)) continue;
      const settled = members.some(
        (third) => takeAlike(resolver, one, third) && settles(resolver, third, [one, other]),
      );
      const clash = settled ? undefined : clashOf(resolver, type, one, other);
      if (clash !== undefined) out.push(clash);
    }
  });
  return out;
}

/**
 * Whether a member is what is meant of two: the one of them that stands below the other, one below both, or that of a
 * class beside two interfaces.
 */
function settles(resolver: Resolver, third: DeclRef, others: readonly DeclRef[]): boolean {
  const home = ownerOf(resolver, third);
  return others.every(
    (other) =>
      sameDecl(other, third) ||
      isSubclass(resolver, home, ownerOf(resolver, other)) ||
      (!isOfInterface(resolver, third) && others.every((each) => isOfInterface(resolver, each))),
  );
}

function isOfInterface(resolver: Resolver, ref: DeclRef): boolean {
  const { file, decl } = ownerOf(resolver, ref);
  return resolver.summary(file).decls.kindOf(decl) === D.interface;
}

const ownerOf = (resolver: Resolver, { file, decl }: DeclRef): DeclRef => ({
  file,
  decl: classOfMember(resolver.summary(file), decl) ?? -1,
});

function takeAlike(resolver: Resolver, one: DeclRef, other: DeclRef): boolean {
  const [a, b] = [resolver.summary(one.file), resolver.summary(other.file)];
  const [left, right] = [[...a.decls.paramsOf(one.decl)], [...b.decls.paramsOf(other.decl)]];
  return (
    left.length === right.length &&
    left.every((param, i) => sameWritten(a, a.decls.typeOf(param), b, b.decls.typeOf(right[i] as number)))
  );
}

function clashOf(resolver: Resolver, type: DeclRef, one: DeclRef, other: DeclRef): Clash | undefined {
  const has = ({ file, decl }: DeclRef, flag: number): boolean => resolver.summary(file).decls.has(decl, flag);
  const pathOf = ({ file, decl }: DeclRef): string => resolver.summary(file).decls.pathOf(decl);
  const both = `${pathOf(one)} and ${pathOf(other)}`;
  const clash = (tier: Clash['tier'], why: string): Clash => ({
    key: `${declKey(type).split('\0')[0]}\0${both}\0${why}`,
    tier,
    words: `${both}, ${why}`,
  });
  const results = resultsOf(resolver, one, other);
  if (results !== 'fit') return clash(results === 'apart' ? 'breaks' : 'may', 'whose results differ');
  const [above] = [one, other].filter((each) => isOfInterface(resolver, each));
  if (above === undefined) return undefined;
  const beside = sameDecl(above, one) ? other : one;
  if (isOfInterface(resolver, beside))
    return has(one, F.bodiless) && has(other, F.bodiless)
      ? undefined
      : clash('breaks', 'and does not say which of the two it has');
  return has(beside, F.public) || has(beside, F.abstract)
    ? undefined
    : clash('breaks', 'of which the one may be used by fewer than the other asks for');
}

/** Whether one of two results stands for the other; `unknown` where types are generic, or of outside. */
function resultsOf(resolver: Resolver, one: DeclRef, other: DeclRef): 'fit' | 'apart' | 'unknown' {
  const [a, b] = [resolver.summary(one.file), resolver.summary(other.file)];
  const [left, right] = [a.decls.typeOf(one.decl), b.decls.typeOf(other.decl)];
  if (sameWritten(a, left, b, right)) return 'fit';
  const [x, y] = [
    { resolver, file: one.file, row: left },
    { resolver, file: other.file, row: right },
  ];
  if (left < 0 || right < 0 || isWithin(x, y) || isWithin(y, x)) return 'fit';
  const areNames = a.exprs.opOf(left) === E.name && b.exprs.opOf(right) === E.name;
  const isSimple = (file: string, row: number): boolean => {
    const { literalTypes } = resolver.language(file);
    const [target] = resolver.resolve(file, row).targets;
    const { exprs } = resolver.summary(file);
    return target === undefined
      ? literalTypes?.has(exprs.nameOf(row)) === true || exprs.nameOf(row) === 'void'
      : resolver.summary(target.file).decls.kindOf(target.decl) !== D.typeParam;
  };
  return areNames && isSimple(one.file, left) && isSimple(other.file, right) ? 'apart' : 'unknown';
}
