/**
 * Constructions that mean another constructor than the changed one, as their arguments show.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { constructorsOf, takesExactly, type CallSite } from '../graph/resolve/overloads.js';
import { sameWritten } from '../graph/resolve/written-form.js';
import type { DeclRef } from '../languages/language.js';
import { sameDecl } from '../syntax/rows.js';
import type { Graphs } from './graphs.js';

/**
 * Whether one of the class's constructors that the edit left as it was takes exactly the types of what is given: then
 * it was meant before, and is now. Errs towards no: a base's type, or one that nobody knows, proves nothing.
 */
export function meansOtherConstructor(
  change: AtomicChange,
  functions: readonly DeclRef[],
  call: CallSite,
  { before, after }: Graphs,
): boolean {
  const { before: old } = change;
  if (change.label !== 'MCC' || old === undefined || !after.language(call.file).overloads) return false;
  const owner = { file: old.file, decl: before.summary(old.file).decls.parentOf(old.decl) };
  if (owner.decl < 0) return false;
  const others = constructorsOf(before, owner).filter((one) => !sameDecl(one, old));
  return functions.some(
    (target) =>
      !(change.after !== undefined && sameDecl(target, change.after)) &&
      takesExactly(after, target, call) &&
      others.some((one) => takeTheSame({ before, after }, one, target)),
  );
}

/** Whether the parameters of the two are written alike. */
export function takeTheSame({ before, after }: Graphs, old: DeclRef, now: DeclRef): boolean {
  const [from, to] = [before.summary(old.file), after.summary(now.file)];
  const [was, is] = [[...from.decls.paramsOf(old.decl)], [...to.decls.paramsOf(now.decl)]];
  return (
    was.length === is.length &&
    was.every((param, i) => sameWritten(from, from.decls.typeOf(param), to, to.decls.typeOf(is[i] as number)))
  );
}
