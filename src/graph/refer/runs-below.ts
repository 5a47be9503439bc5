/**
 * What calls on the own object run where it is one of a class below: `self.step()` in a base, whose `step` a class
 * overrides of which objects are made, and `super().step()`, behind which such a class has another base first.
 *
 * For impact the family of an overridden member says as much; in the exported graph an edge of who runs whom is missing
 * without it. Always possible: which objects a method is called on is not followed.
 */
import type { DeclRef, Language } from '../../languages/language.js';
import { originsOf } from './flow-forward.js';
import { blockOf } from './site.js';
import { descendantsOf } from './sites-by-name.js';
import { classOfMember, findMember, ownMembers, searchOrder } from '../resolve/hierarchy.js';
import type { Resolver } from '../resolve/resolver.js';
import { sameDecl } from '../../syntax/rows.js';
import { E, F, isFunctionLike, type Summary } from '../../syntax/summary.js';

interface Run {
  readonly expr: number;
  readonly target: DeclRef;
}

export function runsBelow(resolver: Resolver, file: string): Run[] {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const language: Language = resolver.language(file);
  if (!language.followsValues) return [];
  return exprs.ofOp(E.call).flatMap((call) => {
    const callee = exprs.operandOf(call);
    const receiver = callee >= 0 && exprs.opOf(callee) === E.member ? exprs.operandOf(callee) : -1;
    if (receiver < 0) return [];
    const isSuper = exprs.opOf(receiver) === E.super;
    const method = methodAround(summary, callee);
    if (method === undefined || !(isSuper || isOwnObject(resolver, file, receiver))) return [];
    const [target, ...others] = resolver.resolve(file, callee).targets;
    if (target === undefined || others.length > 0 || target.decl < 0) return [];
    const { decls } = resolver.summary(target.file);
    if (!isFunctionLike(decls.kindOf(target.decl))) return [];
    const asked = { name: exprs.nameOf(callee), isSuper };
    return runIn(resolver, { file, ...method }, asked)
      .filter((run) => !sameDecl(run, target))
      .map((run) => ({ expr: callee, target: run }));
  });
}

interface Method {
  readonly decl: number;
  readonly type: number;
}

/** The method that a row stands in, and its class. */
function methodAround(summary: Summary, row: number): Method | undefined {
  const { decls } = summary;
  for (let decl = blockOf(summary, row); decl >= 0; decl = decls.parentOf(decl)) {
    const type = isFunctionLike(decls.kindOf(decl)) ? classOfMember(summary, decl) : undefined;
    if (type !== undefined) return { decl, type };
  }
  return undefined;
}

function isOwnObject(resolver: Resolver, file: string, row: number): boolean {
  if (resolver.summary(file).exprs.opOf(row) !== E.name) return false;
  const { targets } = resolver.resolve(file, row);
  return targets.some((target) => target.decl >= 0 && resolver.summary(target.file).decls.has(target.decl, F.receiver));
}

/** The members that the name means on objects of the classes below that run the method. */
function runIn(
  resolver: Resolver,
  { file, decl, type }: Method & { readonly file: string },
  { name, isSuper }: { readonly name: string; readonly isSuper: boolean },
): DeclRef[] {
  const own = resolver.summary(file).decls.nameOf(decl);
  const out: DeclRef[] = [];
  for (const below of descendantsOf(resolver, { file, decl: type })) {
    if (!isMade(resolver, below)) continue;
    const [run] = isSuper
      ? behind(resolver, below, { file, decl: type }, name)
      : findMember(resolver, below, name).found;
    const [inherited] = findMember(resolver, below, own).found;
    const isRun = isSuper || (inherited !== undefined && sameDecl(inherited, { file, decl }));
    if (run !== undefined && isRun && !out.some((known) => sameDecl(known, run))) out.push(run);
  }
  return out;
}

/** The member of the first class that stands behind another one in a class's search order. */
function behind(resolver: Resolver, below: DeclRef, type: DeclRef, name: string): readonly DeclRef[] {
  const order = searchOrder(resolver, below);
  const at = order.findIndex((side) => sameDecl(side, type));
  for (const side of at < 0 ? [] : order.slice(at + 1)) {
    const members = ownMembers(resolver, side, name);
    if (members.length > 0) return members;
  }
  return [];
}

const isMade = (resolver: Resolver, type: DeclRef): boolean =>
  originsOf(resolver, type).some(({ file, expr }) => resolver.summary(file).exprs.callOf(expr) >= 0);
