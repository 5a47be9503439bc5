/**
 * How a function is called, and what becomes of its object when that changes.
 *
 *     total(cart, 2)        function
 *     Cart.total(cart, 2)   static
 *     cart.total(2)         method, or an extension method that is none any more
 */
import type { AtomicChange } from '../../../change/atomic-change.js';
import { classNow } from '../../../change/pulled-up.js';
import { classOfMember } from '../../../graph/resolve/hierarchy.js';
import { mayBeGiven } from '../../../graph/resolve/overloads.js';
import { signatureOf, type Parameter } from '../../../graph/resolve/signature.js';
import { just } from '../../../graph/resolve/value.js';
import type { DeclRef } from '../../../languages/language.js';
import type { Graphs } from '../../../impact/graphs.js';
import { D, F, type Summary } from '../../../syntax/summary.js';

export type CallingForm = 'function' | 'static' | 'method';

export interface Turn {
  readonly from: CallingForm;
  readonly to: CallingForm;
  /** The declaration as it is now, and the class around it, if there is one. */
  readonly now: DeclRef;
  readonly owner: DeclRef | undefined;
  /** The old parameter whose argument is the object now. */
  readonly object: Parameter | undefined;
  /** The new parameter that takes what was the object, with its place. */
  readonly taker: { readonly name: string; readonly index: number } | undefined;
  /** Why calls cannot follow by rule. */
  readonly against: string | undefined;
}

/** Undefined if the function is called as before, or its name or its arguments alone changed. */
export function turnOf({ before, after }: Graphs, change: AtomicChange): Turn | undefined {
  const delta = change.detail.signature;
  if (
    change.label !== 'MMS' ||
    change.before === undefined ||
    change.after === undefined ||
    delta === undefined ||
    change.detail.rename !== undefined
  )
    return undefined;
  const old = before.summary(change.before.file);
  const summary = after.summary(change.after.file);
  const from = delta.extension === false ? 'method' : formOf(old, change.before.decl);
  const to = formOf(summary, change.after.decl);
  if (
    from === undefined ||
    to === undefined ||
    (from === to && !isInOtherClass(old, change.before.decl, summary, change.after.decl, from))
  )
    return undefined;
  const removed = delta.removed.map((param) =>
    signatureOf(old, (change.before as DeclRef).decl).params.find((own) => own.name === param.name),
  );
  const takes = to === 'method' && from !== 'method' ? removed[0] : undefined;
  const given = from === 'method' && to !== 'method' ? delta.added[0] : undefined;
  const turned = [takes, given].filter((param) => param !== undefined).length;
  const others = removed.length + delta.added.length + delta.moved.length + delta.renamed.length - turned;
  const owner = classOfMember(summary, change.after.decl);
  const self = delta.extension === false ? signatureOf(summary, change.after.decl).params[0] : undefined;
  const passed = given === undefined || given.rest ? undefined : { name: given.name, index: given.index };
  return {
    from,
    to,
    now: change.after,
    owner: owner === undefined ? undefined : { file: change.after.file, decl: owner },
    object: takes,
    taker: self === undefined ? passed : { name: self.name, index: 0 },
    against: againstTurn({ before, after }, change.before, change.after, { to, takes, given, others }),
  };
}

/** Why calls cannot follow: what they give and what is asked for does not go together. */
function againstTurn(
  graphs: Graphs,
  was: DeclRef,
  now: DeclRef,
  turn: {
    readonly to: CallingForm;
    readonly takes: Parameter | undefined;
    readonly given: { readonly name: string; readonly rest: boolean } | undefined;
    readonly others: number;
  },
): string | undefined {
  const { to, takes, given, others } = turn;
  if (others > 0 || given?.rest === true) return 'its other parameters changed too';
  if (given !== undefined && !mayTakeObject(graphs, was, now, given.name))
    return `its new parameter ${given.name} takes something else than what it was called on`;
  const name = graphs.after.summary(now.file).decls.nameOf(now.decl);
  return to === 'method' && takes === undefined
    ? `${name} needs an object now, and none of its arguments became it`
    : undefined;
}

/** Whether the parameter of the name takes what the method was called on. */
function mayTakeObject(versions: Graphs, was: DeclRef, now: DeclRef, name: string): boolean {
  const owner = classNow(versions, was);
  const taken = signatureOf(versions.after.summary(now.file), now.decl).params.find((param) => param.name === name);
  return (
    owner === undefined ||
    taken === undefined ||
    mayBeGiven(
      versions.after,
      versions.after.language(now.file),
      versions.after.typeOfDecl(now.file, taken.decl),
      just({ kind: 'instance', ...owner, args: [] }),
    )
  );
}

/** A static method that is a member of another class now. */
function isInOtherClass(old: Summary, before: number, now: Summary, after: number, form: CallingForm): boolean {
  const [was, is] = [classOfMember(old, before), classOfMember(now, after)];
  return form === 'static' && was !== undefined && is !== undefined && old.decls.nameOf(was) !== now.decls.nameOf(is);
}

function formOf(summary: Summary, decl: number): CallingForm | undefined {
  const { decls } = summary;
  const flags = decls.flagsOf(decl);
  if (
    (decls.kindOf(decl) !== D.function && decls.kindOf(decl) !== D.method) ||
    (flags & (F.getter | F.setter | F.extension)) !== 0
  )
    return undefined;
  if (classOfMember(summary, decl) !== undefined)
    return (flags & (F.static | F.classMethod)) !== 0 ? 'static' : 'method';
  return decls.parentOf(decl) < 0 ? 'function' : undefined;
}
