/**
 * Members that a use on a receiver of unknown type could mean: those of its name, by access, arity
 * and keywords.
 */
import { isOutside } from '../../base/outside.js';
import type { DeclRef } from '../../languages/language.js';
import { sameDecl } from '../../syntax/rows.js';
import { D, E, F, isFieldLike, isFunctionLike, R, type Argument, type Summary } from '../../syntax/summary.js';
import { classOfMember } from './hierarchy.js';
import { saidOfFunction } from './misfit.js';
import { isHidden, NOTHING_FOUND, type Resolution } from './names.js';
import type { Resolver } from './resolver.js';
import { fit, signatureOf, type Signature } from './signature.js';
import { enclosingClass } from './value.js';

/** A member that a class declares, or a function that is made one, with what decides whether a use could mean it. */
export interface NamedMember extends DeclRef {
  readonly flags: number;
  /** Name of its class, or of the type that it is called on. */
  readonly owner: string;
  /** Undefined for what is no function, or is used as if it were none. */
  readonly signature: Signature | undefined;
}

/** Every member of the name, in files of the language. */
export function membersNamed(resolver: Resolver, summary: Summary, name: string): readonly NamedMember[] {
  return resolver.answer<readonly NamedMember[]>('members named', '', `${summary.language}\0${name}`, [], () => {
    const out: NamedMember[] = [];
    for (const file of resolver.repo.filesDeclaring(summary.language, name)) {
      const of = resolver.summary(file);
      const row = of.idOf(name);
      for (const decl of of.decls.named(row)) {
        const kind = of.decls.kindOf(decl);
        const flags = of.decls.flagsOf(decl);
        if (!(isFunctionLike(kind) || isFieldLike(kind)) || kind === D.lambda || (flags & F.reassigned) !== 0) continue;
        const owner = ownerOf(of, decl);
        if (owner === undefined) continue;
        out.push({
          file,
          decl,
          flags,
          owner,
          signature: isFunctionLike(kind) && (flags & F.getter) === 0 ? signatureOf(of, decl) : undefined,
        });
      }
    }
    return out;
  });
}

/** Name of a member's class, or of the type that a function outside of all classes is called on: `size(this: Box)`. */
function ownerOf(of: Summary, decl: number): string | undefined {
  const { decls, exprs } = of;
  const owner = classOfMember(of, decl);
  if (owner !== undefined) return decls.nameOf(owner);
  const receiver = isFunctionLike(decls.kindOf(decl)) ? signatureOf(of, decl).receiver : undefined;
  const type = receiver === undefined ? -1 : decls.typeOf(receiver.decl);
  if (type < 0) return undefined;
  return exprs.nameOf(exprs.opOf(type) === E.index ? exprs.operandOf(type) : type);
}

/** Members of the name anywhere in the repository that this use could mean: access, arity and keywords allow it. */
export function possibleMembers(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  name: string,
): Resolution {
  const { library } = resolver.language(file);
  if (library.objectMembers.has(name))
    return { targets: [], external: true, confidence: 'possible', via: 'member of every object' };
  const { members, refs, somePrivate, someStatic } = membersFor(resolver, summary, name, argumentsAt(summary, expr));
  const bar =
    library.commonMembers.has(name) || somePrivate || someStatic
      ? barOfPlace(resolver, file, summary, expr, name)
      : undefined;
  const targets = bar === undefined ? refs : refs.filter((_, i) => bar(members[i] as NamedMember) === undefined);
  return targets.length === 0 ? NOTHING_FOUND : { targets, external: false, confidence: 'possible', via: 'name' };
}

/** The arguments of the call that a row is the callee of, if it is. */
function argumentsAt(summary: Summary, expr: number): readonly Argument[] | undefined {
  const call = summary.exprs.roleOf(expr) === R.callee ? summary.exprs.callOf(expr) : -1;
  return call < 0 ? undefined : summary.exprs.argumentsOf(call);
}

/** Members that a use could mean as far as its arguments tell, and the same in short. */
interface FittingMembers {
  readonly members: readonly NamedMember[];
  readonly refs: readonly DeclRef[];
  readonly somePrivate: boolean;
  /** Whether some can be named on their type alone. */
  readonly someStatic: boolean;
}

/** Calls with arguments of one shape have the same answer, which is remembered: a name may have a thousand calls. */
function membersFor(
  resolver: Resolver,
  summary: Summary,
  name: string,
  args: readonly Argument[] | undefined,
): FittingMembers {
  const shape =
    args === undefined
      ? 'any'
      : args.map((arg) => (arg.spread === 'none' ? `${arg.keyword},` : `*${arg.spread},`)).join('');
  return resolver.answer<FittingMembers>(
    'fitting members',
    '',
    `${summary.language}\0${name}\0${shape}`,
    { members: [], refs: [], somePrivate: false, someStatic: false },
    () => {
      const members = membersNamed(resolver, summary, name).filter(
        (member) => barOfArguments(member, args) === undefined,
      );
      return {
        members,
        refs: members.map(({ file, decl }) => ({ file, decl })),
        somePrivate: members.some((member) => resolver.language(member.file).isPrivate(name, member.flags)),
        someStatic: members.some((member) => isOfTypeAlone(resolver, member)),
      };
    },
  );
}

/** What keeps a use with these arguments from meaning a member of its name, in words; undefined: nothing. */
function barOfArguments(member: NamedMember, args: readonly Argument[] | undefined): string | undefined {
  // What has no body here may have one that takes more; of a library all bodies are left out.
  const isOpen = (member.flags & F.bodiless) !== 0 && !isOutside(member.file);
  if (args === undefined || member.signature === undefined || isOpen) return undefined;
  const fitting = fit(member.signature, args, false);
  return fitting.fits ? undefined : saidOfFunction(fitting.misfit);
}

/** Whether the member can be named on its type alone, never on a value. An extension method is called on one. */
const isOfTypeAlone = (resolver: Resolver, { file, flags }: NamedMember): boolean =>
  (flags & (F.static | F.extension)) === F.static && !resolver.language(file).staticsOnValues;

/** Whether the use cannot mean a static member, since it stands on a value. */
export const excludesStatics = (resolver: Resolver, file: string, expr: number): boolean =>
  !resolver.language(file).staticsOnValues && isUsedOnValue(resolver, file, resolver.summary(file), expr);

/** Whether what a row is used on is a value for sure: a name or path that leads nowhere may be a type. */
function isUsedOnValue(resolver: Resolver, file: string, summary: Summary, expr: number): boolean {
  const on = summary.exprs.operandOf(expr);
  if (on < 0) return false;
  const op = summary.exprs.opOf(on);
  if (op !== E.name && op !== E.member) return true;
  const { targets } = resolver.resolve(file, on);
  return (
    targets.length > 0 &&
    targets.every((target) => {
      const kind = target.decl < 0 ? D.namespace : resolver.summary(target.file).decls.kindOf(target.decl);
      return isFieldLike(kind) || isFunctionLike(kind) || kind === D.param || kind === D.local;
    })
  );
}

/** As `barOfArguments`, for where the use stands. */
function barOfPlace(
  resolver: Resolver,
  file: string,
  summary: Summary,
  expr: number,
  name: string,
): (member: NamedMember) => string | undefined {
  const language = resolver.language(file);
  const isCommon = language.library.commonMembers.has(name);
  const here = enclosingClass(summary, summary.exprs.scopeOf(expr), (kind) => kind <= D.delegate, isFunctionLike).decl;
  let onValue: boolean | undefined;
  return (member) => {
    if (isOfTypeAlone(resolver, member) && (onValue ??= isUsedOnValue(resolver, file, summary, expr)))
      return 'is static, and it is used on a value';
    if (here < 0 ? language.isPrivate(name, member.flags) : isHidden(resolver, file, name, member))
      return 'is private, and the use stands elsewhere';
    if (isCommon && member.file !== file && summary.idOf(member.owner) < 0)
      return `has a name that library types have too, and the file does not say ${member.owner}`;
    return undefined;
  };
}

/**
 * Why a use that was resolved by its name alone does not mean a certain member of that name; undefined if nothing
 * speaks against it.
 */
export function whyNotPossible(resolver: Resolver, file: string, expr: number, member: DeclRef): string | undefined {
  const summary = resolver.summary(file);
  const name = summary.exprs.nameOf(expr);
  const named = membersNamed(resolver, summary, name).find((candidate) => sameDecl(candidate, member));
  return named === undefined
    ? undefined
    : (barOfPlace(resolver, file, summary, expr, name)(named) ?? barOfArguments(named, argumentsAt(summary, expr)));
}
