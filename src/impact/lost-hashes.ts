/**
 * Objects that cannot be keys any more, since their class says now when two of them are equal and no longer what their
 * hash is: Python takes the hash away where a class declares `__eq__` alone, or is a data class that is not frozen.
 *
 *     class Point:                                {Point(1): "a"}      hash(point)
 *         def __eq__(self, other): ...            seen[point] = 1      seen.add(point)
 *
 * Errs towards missing: objects in files that say neither the class nor one below it, and what outside code hashes.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { syntaxRuns } from '../graph/refer/implied-calls.js';
import { blockOf } from '../graph/refer/site.js';
import { descendantsOf, filesSaying } from '../graph/refer/sites-by-name.js';
import { classOfMember, ownMembers, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef, Language } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { D, E, F, isClassLike, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn, earlierIn } from './counterparts.js';
import type { Question } from './question.js';

export function* keysWithoutHash(question: Question): Turns<readonly AffectedBlock[]> {
  const { before, after } = question.graphs;
  const [now, earlier] = [counterpartsIn(question), earlierIn(question)];
  const out = new AffectedBlocks();
  const seen = new Set<string>();
  for (const cause of question.edit.changes) {
    const [was, is] = [classOf(before, cause.before), classOf(after, cause.after)];
    // A member that is new, or gone, stands on one side alone.
    const type = is ?? (was === undefined ? undefined : now(was));
    const old = was ?? (is === undefined ? undefined : earlier(is));
    if (type === undefined || old === undefined || seen.has(declKey(type))) continue;
    const { hashing } = after.language(type.file);
    if (hashing === undefined || !isHashed(before, old, hashing) || isHashed(after, type, hashing)) continue;
    seen.add(declKey(type));
    const types = [type, ...descendantsOf(after, type).filter((below) => !isHashed(after, below, hashing))];
    for (const file of filesSaying(after, types))
      for (const expr of keysIn(after.language(file), after.summary(file), hashing)) {
        const share = yield* piece(() => shareOf(after, file, expr, types));
        if (share === 'none') continue;
        const summary = after.summary(file);
        const block = blockOf(summary, expr);
        const name = summary.decls.pathOf(block);
        const has = share === 'all' ? 'has' : 'may have';
        out.addOnce(file, block, {
          expr,
          tier: share === 'all' ? 'breaks' : 'may',
          confidence: 'certain',
          reason: `${name} needs a hash of what ${has} none now: the class says what is equal, and not its hash.`,
          fact: `${after.summary(type.file).decls.nameOf(type.decl)} has no hash any more`,
          rule: 'lost-hash',
          relation: 'CalledBy',
          cause,
        });
      }
  }
  return out.sorted();
}

type Hashing = NonNullable<Language['hashing']>;

/** The class that changed, or of which a member did. */
function classOf(resolver: Resolver, ref: AtomicChange['before']): DeclRef | undefined {
  if (ref === undefined || ref.decl < 0) return undefined;
  const summary = resolver.summary(ref.file);
  if (isClassLike(summary.decls.kindOf(ref.decl))) return ref;
  const decl = classOfMember(summary, ref.decl);
  return decl === undefined ? undefined : { file: ref.file, decl };
}

/** Whether its objects have a hash: the nearest class that says anything of it decides. */
function isHashed(resolver: Resolver, type: DeclRef, { hash, equal }: Hashing): boolean {
  for (const each of searchOrder(resolver, type)) {
    const [own] = ownMembers(resolver, each, hash);
    if (own !== undefined) return !isNothing(resolver.summary(own.file), own.decl);
    if (ownMembers(resolver, each, equal).length > 0 || isComparedData(resolver, each)) return false;
  }
  return true;
}

const isNothing = ({ decls, exprs }: Summary, decl: number): boolean =>
  decls.kindOf(decl) !== D.method && decls.valueOf(decl) >= 0 && exprs.nameOf(decls.valueOf(decl)) === 'null';

/** A data class whose objects may change and are compared by their fields. */
function isComparedData(resolver: Resolver, { file, decl }: DeclRef): boolean {
  const { hashing } = resolver.language(file);
  const { decls, exprs } = resolver.summary(file);
  if (!decls.has(decl, F.dataclass) || decls.has(decl, F.readonly)) return false;
  return [...decls.decoratorsOf(decl)].some((row) => {
    const isCalled = exprs.opOf(row) === E.call;
    const name = exprs.nameOf(isCalled ? exprs.operandOf(row) : row);
    // What is said of equality and hash is left to who says it.
    return name === hashing?.data && (!isCalled || exprs.argumentsOf(row).every(({ keyword }) => !SAYS.has(keyword)));
  });
}

const SAYS: ReadonlySet<string> = new Set(['eq', 'unsafe_hash', 'frozen']);

/** Rows of what is hashed: keys, entries of sets, what members that take a key are given. */
function keysIn(language: Language, summary: Summary, { hash, members }: Hashing): readonly number[] {
  const { exprs } = summary;
  const bySyntax = syntaxRuns(language, summary).filter(({ names }) => names.includes(hash));
  return [
    ...bySyntax.flatMap(({ on }) => on),
    ...exprs.ofOp(E.index).flatMap((row) => [...exprs.partsOf(row)]),
    ...exprs.ofOp(E.list).flatMap((row) => (exprs.nameOf(row) === 'set' ? [...exprs.partsOf(row)] : [])),
    ...exprs.ofOp(E.call).flatMap((row) => {
      const callee = exprs.operandOf(row);
      const takesKey = callee >= 0 && exprs.opOf(callee) === E.member && members.has(exprs.nameOf(callee));
      const [first] = takesKey ? exprs.argumentsOf(row) : [];
      return first === undefined ? [] : [first.expr];
    }),
  ];
}

/** How much of what a row may hold are objects of these classes. */
function shareOf(after: Resolver, file: string, row: number, types: readonly DeclRef[]): 'all' | 'some' | 'none' {
  if (row < 0) return 'none';
  const { values, unknown } = after.typeOf(file, row);
  const lost = values.filter((value) => value.kind === 'instance' && types.some((type) => sameDecl(type, value)));
  return lost.length === 0 ? 'none' : lost.length < values.length || unknown ? 'some' : 'all';
}
