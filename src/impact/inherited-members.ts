/**
 * Classes that have a member by one base for another one, which asks for it: `class Row extends Cell implements Sized`,
 * where `Cell` has the `size()` that `Sized` asks for and knows nothing of `Sized`. Who edits `Cell.size` sees neither.
 *
 * The class that is nearest to both is listed, not those below it. Errs towards missing: what a language with overloads
 * tells apart by more than the number of parameters and their types as written.
 */
import { piece, type Turns } from '../base/turns.js';
import type { AtomicChange } from '../change/atomic-change.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { classOfMember, findMember, isSubclass, ownMembers, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import { instanceOf } from '../graph/resolve/written-types.js';
import type { DeclRef } from '../languages/language.js';
import { declKey, sameDecl } from '../syntax/rows.js';
import { D, F, isFieldLike, isFunctionLike } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import { counterpartsIn, type Counterpart } from './counterparts.js';
import type { Graphs } from './graphs.js';
import { reachOf } from './judge-access.js';
import { mayLack } from './lacking-classes.js';
import type { Question } from './question.js';
import type { Tier } from './verdict.js';

export function* inheritedMembers(question: Question): Turns<readonly AffectedBlock[]> {
  const { graphs, edit } = question;
  const out = new AffectedBlocks();
  const counterpart = counterpartsIn(question);
  for (const cause of edit.changes) {
    const was = cause.before;
    const owner = was === undefined ? undefined : ownerOf(graphs.before, was);
    if (was === undefined || owner === undefined || !mayMatter(cause)) continue;
    const unmet: (Unmet & { readonly was: DeclRef })[] = [];
    for (const type of yield* piece(() => descendantsOf(graphs.before, owner))) {
      const asked = yield* piece(() => askedOf(graphs.before, type, owner, was));
      const found =
        asked === undefined ? undefined : yield* piece(() => unmetIn(graphs, cause, counterpart, type, asked));
      if (found !== undefined) unmet.push({ ...found, was: type });
    }
    const types = new Set(unmet.map((each) => declKey(each.was)));
    const isBelowOther = ({ was: type }: { readonly was: DeclRef }): boolean =>
      searchOrder(graphs.before, type).some((above) => !sameDecl(above, type) && types.has(declKey(above)));
    for (const each of unmet) if (!isBelowOther(each)) add(graphs.after, cause, each, out);
  }
  return out.sorted();
}

/** The class of a member that others may have by it; undefined for what no other base asks for. */
function ownerOf(resolver: Resolver, { file, decl }: DeclRef): DeclRef | undefined {
  if (decl < 0) return undefined;
  const summary = resolver.summary(file);
  const { decls } = summary;
  const owner = classOfMember(summary, decl);
  const kind = decls.kindOf(decl);
  const isMember = kind !== D.constructor && (isFunctionLike(kind) || isFieldLike(kind));
  if (owner === undefined || !isMember || decls.has(decl, F.static | F.private)) return undefined;
  return decls.kindOf(owner) === D.interface ? undefined : { file, decl: owner };
}

/** A new body, or a value, is as good to who asks for the member. */
const mayMatter = ({ label, detail }: AtomicChange): boolean =>
  label !== 'MMB' && !(label === 'MF' && detail.valueOnly === true);

/** The member that another base of the class asks for, and that it has by the given one. */
function askedOf(before: Resolver, type: DeclRef, owner: DeclRef, was: DeclRef): DeclRef | undefined {
  const name = before.summary(was.file).decls.nameOf(was.decl);
  const { found } = findMember(before, type, name);
  if (!found.some((member) => sameDecl(member, was))) return undefined;
  return searchOrder(before, type)
    .filter((above) => !sameDecl(above, owner) && !isSubclass(before, owner, above))
    .flatMap((above) => ownMembers(before, above, name).filter((member) => asksFor(before, above, member)))
    .find((member) => !found.some((other) => sameDecl(member, other)));
}

/** Whether a class below has to have the member. */
function asksFor(resolver: Resolver, type: DeclRef, { file, decl }: DeclRef): boolean {
  const { decls } = resolver.summary(file);
  if (decls.has(decl, F.static | F.optional)) return false;
  if (decls.has(decl, F.abstract)) return true;
  const isInterface = decls.kindOf(type.decl) === D.interface;
  return isInterface && (decls.has(decl, F.bodiless) || isFieldLike(decls.kindOf(decl)));
}

interface Unmet {
  /** In the edited tree. */
  readonly type: DeclRef;
  readonly asked: DeclRef;
  readonly tier: Tier;
  readonly fact: string;
}

function unmetIn(
  { before, after }: Graphs,
  cause: AtomicChange,
  counterpart: Counterpart,
  was: DeclRef,
  wasAsked: DeclRef,
): Unmet | undefined {
  const [type, asked] = [counterpart(was), counterpart(wasAsked)];
  if (type === undefined || asked === undefined || mayLack(after, type)) return undefined;
  const askedOwner = classOfMember(before.summary(wasAsked.file), wasAsked.decl);
  const by = askedOwner === undefined ? undefined : counterpart({ file: wasAsked.file, decl: askedOwner });
  if (by === undefined || !isSubclass(after, type, by)) return undefined;
  const { decls } = after.summary(asked.file);
  const name = decls.nameOf(asked.decl);
  const fact = `${after.summary(by.file).decls.nameOf(by.decl)} asks for ${name}`;
  const { found } = findMember(after, type, name);
  const told = { type, asked, fact, tier: 'breaks' as const };
  if (found.some((member) => sameDecl(member, asked))) return told;
  const now = cause.after;
  if (now === undefined || !found.some((member) => sameDecl(member, now))) return undefined;
  if (after.summary(now.file).decls.has(now.decl, F.static) || isLessSeen({ before, after }, cause)) return told;
  const { signature, type: retyped } = cause.detail;
  const isOther =
    retyped !== undefined ||
    (signature !== undefined &&
      (signature.returnType !== undefined || signature.added.length + signature.retyped.length > 0));
  return isOther && after.language(now.file).structural ? { ...told, tier: 'may' } : undefined;
}

function isLessSeen({ before, after }: Graphs, { before: was, after: now }: AtomicChange): boolean {
  if (was === undefined || now === undefined || !after.language(now.file).checksTypes) return false;
  return reachOf(before, was) === 'everywhere' && reachOf(after, now) !== 'everywhere';
}

function add(after: Resolver, cause: AtomicChange, { type, asked, tier, fact }: Unmet, out: AffectedBlocks): void {
  const { decls } = after.summary(type.file);
  const owner = classOfMember(after.summary(asked.file), asked.decl);
  const expr = decls
    .basesOf(type.decl)
    .find((row) =>
      instanceOf(after, type.file, row).values.some(
        (value) => value.kind === 'instance' && value.file === asked.file && value.decl === owner,
      ),
    );
  out.add(type.file, type.decl, {
    expr: expr ?? -1,
    tier,
    confidence: 'certain',
    reason: `${decls.pathOf(type.decl)} has ${cause.block} for another base: ${fact}.`,
    fact,
    rule: 'inherited-member',
    relation: 'BaseClassOf',
    cause,
  });
}
