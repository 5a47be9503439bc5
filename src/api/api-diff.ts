/**
 * What changed in an API: the atomic changes between its two trees, as far as somebody outside can name what changed,
 * paths that lead nowhere any more, and what new members ask of those who implement a type. Each with whether code
 * that used it still fits.
 */
import type { Edit } from '../change/edit.js';
import { kindName, type AtomicChange } from '../change/atomic-change.js';
import { inheritedInstead } from '../change/pulled-up.js';
import { isAbstractMember } from '../graph/resolve/abstract-member.js';
import { basesOf, findMember, isSubclass } from '../graph/resolve/hierarchy.js';
import type { Snapshot } from '../graph/files/snapshot.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import { D, isClassLike, WHOLE_MODULE } from '../syntax/summary.js';
import { publicNames, publicPaths, reachablePaths, topOf, type PublicPaths } from './public-names.js';
import { changedParts, type Parts } from './changed-parts.js';

export interface ApiChange {
  readonly change: AtomicChange;
  readonly name: string;
  readonly newName: string | undefined;
  readonly tier: 'breaks' | 'may';
  /** One sentence. */
  readonly reason: string;
}

/** One version, with what is public in it. */
export class ApiSide {
  private readonly names: ReadonlyMap<string, string>;
  private readonly kinds: ReadonlyMap<string, number>;
  readonly paths: PublicPaths;
  private reachable: PublicPaths | undefined;

  constructor(
    private readonly snapshot: Snapshot,
    readonly resolver: Resolver,
  ) {
    const names = publicNames(snapshot, resolver);
    this.names = new Map(names.map(({ file, decl, path }) => [keyOf({ file, decl }), path]));
    this.kinds = new Map(names.map(({ file, decl, path }) => [path, resolver.summary(file).decls.kindOf(decl)]));
    this.paths = publicPaths(snapshot, resolver, names);
  }

  /** The top-level declaration under a path, whether the path is meant for users or is only there. */
  under(path: string): DeclRef | undefined {
    this.reachable ??= reachablePaths(this.snapshot, this.resolver);
    return this.paths.get(path) ?? this.reachable.get(path);
  }

  /** The class under a path; `isAlias`: what stands there is a variable that is another name for it. */
  classUnder(path: string): { readonly type: DeclRef; readonly isAlias: boolean } | undefined {
    const there = this.under(path);
    if (there === undefined) return undefined;
    const { decls } = this.resolver.summary(there.file);
    if (isClassLike(decls.kindOf(there.decl))) return { type: there, isAlias: false };
    const { values, unknown } = this.resolver.typeOfDecl(there.file, there.decl);
    const [type, ...others] = values;
    return type?.kind !== 'class' || others.length > 0 || unknown
      ? undefined
      : { type: { file: type.file, decl: type.decl }, isAlias: true };
  }

  /** Whether a member is what users reach under a name, by a class that may be called otherwise where it stands. */
  isUnder(name: string, member: DeclRef): boolean {
    const owner = this.classUnder(name.slice(0, Math.max(0, name.lastIndexOf('.'))));
    const { decls } = this.resolver.summary(member.file);
    return (
      owner?.isAlias === true &&
      findMember(this.resolver, owner.type, decls.nameOf(member.decl)).found.some((each) => sameDecl(each, member))
    );
  }

  /** Undefined for what is not public. */
  nameOf(ref: DeclRef): string | undefined {
    return this.names.get(keyOf(ref));
  }

  /** Kind of what has the name; undefined for nothing. */
  kindOf(name: string): number | undefined {
    return this.kinds.get(name);
  }

  top({ file, decl }: DeclRef): DeclRef {
    return { file, decl: topOf(this.resolver.summary(file), decl) };
  }

  /** The name under which the declaration is reached, where its top-level declaration still is under the path. */
  nameBelow(path: string, ref: DeclRef): string | undefined {
    const top = this.top(ref);
    const there = this.under(path);
    if (there === undefined || keyOf(there) !== keyOf(top) || this.nameOf(ref) === undefined) return this.nameOf(ref);
    const { decls } = this.resolver.summary(ref.file);
    return path + decls.pathOf(ref.decl).slice(decls.pathOf(top.decl).length);
  }

  /**
   * What tells the declaration from others of its top-level declaration; that one's own name if it is one. A member
   * whose class is reached by another path is what it was: the path is told once, of the class.
   */
  inTop(ref: DeclRef): string | undefined {
    const top = this.topName(ref);
    const name = this.nameOf(ref);
    return top === undefined || name === undefined || top === name ? name : name.slice(top.length);
  }

  /** The path of the top-level declaration, as the name of what stands in it begins. */
  topName(ref: DeclRef): string | undefined {
    return this.nameOf(this.top(ref));
  }
}

const keyOf = ({ file, decl }: DeclRef): string => `${file}\0${decl}`;

/** In the order of the edit's changes, and then of names that lead nowhere. */
export function apiChanges(edit: Edit, before: ApiSide, after: ApiSide): ApiChange[] {
  const nowOf = placesNow(edit);
  const changes = edit.changes.flatMap((change): ApiChange[] => {
    if ((change.before?.decl ?? change.after?.decl ?? -1) < 0) return [];
    return change.before === undefined ? addition(change, before, after) : changed(change, before, after, nowOf);
  });
  // A declaration that is gone, renamed or hidden is told of once, whatever its paths were; one of whose name something
  // else is there may have lost another path.
  const told = new Set(
    changes.flatMap(({ change, name, newName, tier }) =>
      change.before !== undefined && newName !== name && tier === 'breaks' ? [keyOf(change.before)] : [],
    ),
  );
  return [...changes, ...lostPaths(nowOf, before, after, told), ...redirectedPaths(edit, before, after, told)];
}

/** Where declarations of the version before are now, as far as the edit says it. */
type PlacesNow = (ref: DeclRef) => DeclRef | undefined;

function placesNow(edit: Edit): PlacesNow {
  const moved = new Map(
    edit.changes.flatMap(({ before: was, after: is }) =>
      was === undefined || is === undefined ? [] : [[keyOf(was), is] as const],
    ),
  );
  return (ref) => {
    const pair = edit.matches.of(ref.file).pairs.find((each) => each.before === ref.decl);
    return moved.get(keyOf(ref)) ?? (pair === undefined ? undefined : { file: ref.file, decl: pair.after });
  };
}

/** Paths that lead to something else than before, which may be there still; each two once, by the shortest path. */
function redirectedPaths(edit: Edit, before: ApiSide, after: ApiSide, told: ReadonlySet<string>): ApiChange[] {
  const nowOf = placesNow(edit);
  const seen = new Set<string>();
  return [...before.paths]
    .sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1))
    .flatMap(([path, ref]) => {
      const there = after.paths.get(path);
      const now = nowOf(ref);
      const key = there === undefined ? '' : `${keyOf(ref)}\0${keyOf(there)}`;
      if (there === undefined || now === undefined || keyOf(now) === keyOf(there) || told.has(keyOf(ref))) return [];
      // Several stand under one path, told apart by their type parameters.
      if (after.nameOf(now) === path) return [];
      if (seen.has(key)) return [];
      seen.add(key);
      return edit.matches.replacing(ref, there).flatMap((change) => atPath(path, ref, change, before));
    });
}

function atPath(path: string, top: DeclRef, change: AtomicChange, before: ApiSide): ApiChange[] {
  if (change.before === undefined) return [];
  const { decls } = before.resolver.summary(top.file);
  const name = path + decls.pathOf(change.before.decl).slice(decls.pathOf(top.decl).length);
  const what = `${change.kind} ${name}`;
  const where = `leads to ${change.after?.file ?? 'another definition'} now`;
  if (change.after === undefined)
    return [{ change, name, newName: undefined, tier: 'breaks', reason: `${what} is gone: ${path} ${where}.` }];
  const { breaking, may } = changedParts(change, before.resolver.language(change.before.file));
  const said = sentence(`${what} ${where} and`, { breaking, may });
  return said === undefined ? [] : [{ change, name, newName: name, ...said }];
}

function changed(change: AtomicChange, before: ApiSide, after: ApiSide, nowOf: PlacesNow): ApiChange[] {
  const name = change.before === undefined ? undefined : before.nameOf(change.before);
  if (change.before === undefined || name === undefined) return [];
  const what = `${change.kind} ${name}`;
  const newName =
    change.after === undefined ? undefined : after.nameBelow(before.topName(change.before) ?? '', change.after);
  if (change.after === undefined || newName === undefined) {
    const type = classUnderName(change.before, before, after);
    const versions = { before: before.resolver, after: after.resolver };
    const inherited = inheritedInstead(versions, { before: change.before }, type);
    if (inherited === 'alike') return [];
    if (inherited === 'other') return [{ change, name, newName, ...inAnotherForm(what) }];
    if (change.after === undefined) return [{ change, name, newName, ...gone(what, name, change, after) }];
    return [{ change, name, newName, tier: 'breaks', reason: `${what} is not public any more.` }];
  }
  // A member that went to another type is told of, whatever it is called there.
  const [oldTop, newTop] = [before.top(change.before), after.top(change.after)];
  const isInSameTop = keyOf(nowOf(oldTop) ?? oldTop) === keyOf(newTop);
  const isAsItWas =
    newName === name ||
    (isInSameTop && before.inTop(change.before) === after.inTop(change.after)) ||
    after.isUnder(name, change.after);
  const renamed = isAsItWas ? [] : [`is ${newName} now`];
  const { breaking, may } = changedParts(
    withoutKeptBases(change, before, after),
    before.resolver.language(change.before.file),
  );
  const said = sentence(what, { breaking: [...renamed, ...breaking], may });
  return said === undefined ? [] : [{ change, name, newName, ...said }];
}

/**
 * Without bases that tell users nothing: the root of all, and one that is not written any more but is what the class is
 * still, by another base or itself, under the path of before.
 */
function withoutKeptBases(change: AtomicChange, before: ApiSide, after: ApiSide): AtomicChange {
  const { before: was, after: is, detail } = change;
  if (was === undefined || is === undefined || detail.bases === undefined) return change;
  const { classes } = basesOf(before.resolver, was);
  const isKept = (name: string): boolean =>
    classes.some((base) => {
      const path = before.nameOf(base);
      const now = path === undefined ? undefined : after.classUnder(path)?.type;
      const isMeant = before.resolver.summary(base.file).decls.nameOf(base.decl) === name;
      return isMeant && now !== undefined && isSubclass(after.resolver, is, now);
    });
  const { rootBases } = after.resolver.language(is.file).library;
  const bases = {
    added: detail.bases.added.filter((name) => !rootBases.has(name)),
    removed: detail.bases.removed.filter((name) => !rootBases.has(name) && !isKept(name)),
  };
  return { ...change, detail: { ...detail, bases } };
}

/** The type that users reach now where they reached the member's, whichever file it is in. */
function classUnderName(member: DeclRef, before: ApiSide, after: ApiSide): DeclRef | undefined {
  const { decls } = before.resolver.summary(member.file);
  const owner = decls.parentOf(member.decl);
  const name = owner < 0 ? undefined : before.nameOf({ ...member, decl: owner });
  const now = name === undefined ? undefined : after.classUnder(name);
  // A constructor is not inherited by its name, but is the same one for another name of its class.
  return now?.isAlias === false && decls.kindOf(member.decl) === D.constructor ? undefined : now?.type;
}

const inAnotherForm = (what: string): TierWithReason => ({
  tier: 'breaks',
  reason: `${what} is inherited now, and in another form.`,
});

/** Another thing may have taken the name. */
function gone(what: string, name: string, change: AtomicChange, after: ApiSide): TierWithReason {
  const kind = after.kindOf(name);
  const alias = after.classUnder(name);
  if (alias?.isAlias === true)
    return { tier: 'may', reason: `${what} is another name for ${after.nameOf(alias.type) ?? 'another class'} now.` };
  if (kind === undefined) return { tier: 'breaks', reason: `${what} is gone.` };
  const now = kindName(kind);
  if (now === change.kind) return { tier: 'may', reason: `${what} is defined anew.` };
  const isCalledAlike = CALLED.has(now) && CALLED.has(change.kind);
  return { tier: isCalledAlike ? 'may' : 'breaks', reason: `${what} is a ${now} now.` };
}

/** A function that became a variable may be called as before. */
const CALLED: ReadonlySet<string> = new Set([kindName(D.function), kindName(D.variable)]);

/** Nobody used what is new; but a type's new member may have to be written by others, or be met by them. */
function addition(change: AtomicChange, before: ApiSide, after: ApiSide): ApiChange[] {
  const name = change.after === undefined ? undefined : after.nameOf(change.after);
  if (change.after === undefined || name === undefined || name.lastIndexOf('.') < 0) return [];
  const owner = name.slice(0, name.lastIndexOf('.'));
  const { file, decl } = change.after;
  const isOverload = before.kindOf(name) !== undefined;
  if (before.kindOf(owner) === undefined || (isOverload && !after.resolver.language(file).overloads)) return [];
  const summary = after.resolver.summary(file);
  const what = `${change.kind} ${name}`;
  if (isAbstractMember(summary, decl)) {
    const reason = `${what} is new${isOverload ? ' in another form' : ''} and has to be implemented.`;
    return [{ change, name, newName: name, tier: 'breaks', reason }];
  }
  if (isOverload) return [];
  if (summary.decls.kindOf(decl) === D.enumMember)
    return [{ change, name, newName: name, tier: 'may', reason: `${what} is new.` }];
  return [];
}

/** Paths under which a top-level name was reached and is not any more, though itself it may be as it was. */
function lostPaths(nowOf: PlacesNow, before: ApiSide, after: ApiSide, told: ReadonlySet<string>): ApiChange[] {
  return [...before.paths].flatMap(([path, ref]): ApiChange[] => {
    if (after.under(path) !== undefined || told.has(keyOf(ref))) return [];
    const { decls } = before.resolver.summary(ref.file);
    const kind = kindName(decls.kindOf(ref.decl));
    const now = nowOf(ref);
    const newName = now === undefined ? undefined : after.nameOf(now);
    const lost = newName === undefined ? 'is not public' : 'cannot be reached under this name';
    const what = path === WHOLE_MODULE ? `${kind} that the module is as a whole (export =)` : `${kind} ${path}`;
    const elsewhere = newName === undefined ? '' : `; it is ${newName}`;
    const change: AtomicChange = {
      label: 'DI',
      before: ref,
      ...(now === undefined ? {} : { after: now }),
      file: ref.file,
      block: decls.pathOf(ref.decl),
      kind,
      detail: { export: { name: path } },
    };
    return [{ change, name: path, newName, tier: 'breaks', reason: `${what} ${lost} any more${elsewhere}.` }];
  });
}

interface TierWithReason {
  readonly tier: 'breaks' | 'may';
  readonly reason: string;
}

/** Undefined where users see no difference. */
function sentence(what: string, { breaking, may }: Parts): TierWithReason | undefined {
  const parts = [...breaking, ...may];
  if (parts.length === 0) return undefined;
  return { tier: breaking.length > 0 ? 'breaks' : 'may', reason: `${what} ${parts.join('; ')}.` };
}
