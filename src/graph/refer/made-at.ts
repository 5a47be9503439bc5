/**
 * The call that made the object which a row gives, where it is in sight: the row is the call, or a name of the same
 * body, or of a module, that was given it last. Two rows whose calls differ give two objects, so that what is kept in
 * one is not in the other.
 */
import type { DeclRef } from '../../languages/language.js';
import type { DeclRow } from '../../syntax/rows.js';
import { D, E, F, R, type Summary } from '../../syntax/summary.js';
import type { CallPlace } from './flow-forward.js';
import { findMember, searchOrder } from '../resolve/hierarchy.js';
import { lastAssignments, leftAtEnd, sameNamed } from '../resolve/last-assignments.js';
import type { Resolver } from '../resolve/resolver.js';
import { writesTo } from './references.js';

/** How many names are followed, one given to another. */
const NAMES_MOST = 8;

export function madeAt(resolver: Resolver, file: string, expr: number): CallPlace | undefined {
  const call = callGiving(resolver, file, expr);
  if (call === undefined) return undefined;
  const { exprs } = resolver.summary(call.file);
  const [made, ...more] = resolver.typeOf(call.file, exprs.operandOf(call.expr)).values;
  return made?.kind === 'class' && more.length === 0 && isAlwaysNew(resolver, made) ? call : undefined;
}

/** The call whose result a row gives: the row itself, or what a name of the body or of a module was given last. */
export function callGiving(resolver: Resolver, file: string, expr: number): CallPlace | undefined {
  if (!resolver.language(file).ordersAssignments) return undefined;
  let at = { file, expr };
  for (let names = 0; names < NAMES_MOST; names++) {
    const summary = resolver.summary(at.file);
    const { decls, exprs } = summary;
    if (exprs.opOf(at.expr) !== E.name)
      return exprs.opOf(at.expr) === E.call && exprs.operandOf(at.expr) >= 0 ? at : undefined;
    const own = lastGiven(resolver, at.file, summary, at.expr);
    const given = own === undefined ? givenElsewhere(resolver, at) : { file: at.file, expr: decls.valueOf(own) };
    if (given === undefined || given.expr < 0) return undefined;
    at = given;
  }
  return undefined;
}

/** What another module's variable, to which no other file assigns, holds once the module was run. */
function givenElsewhere(resolver: Resolver, { file, expr }: CallPlace): CallPlace | undefined {
  const [target, ...others] = resolver.resolve(file, expr).targets;
  if (target === undefined || others.length > 0 || target.file === file || target.decl < 0) return undefined;
  const summary = resolver.summary(target.file);
  const [decl, ...more] = leftAtEnd(summary, sameNamed(summary, target.decl));
  if (decl === undefined || more.length > 0 || summary.decls.kindOf(decl) !== D.variable) return undefined;
  if (writesTo(resolver, target).some((site) => site.file !== target.file)) return undefined;
  return { file: target.file, expr: summary.decls.valueOf(decl) };
}

/** The assignment, to a variable or local of the file, that a name got its value by on every way that leads to it. */
export function lastGiven(resolver: Resolver, file: string, summary: Summary, row: number): DeclRow | undefined {
  const { decls } = summary;
  const [target, ...others] = resolver.resolve(file, row).targets;
  if (target === undefined || others.length > 0 || target.file !== file || target.decl < 0) return undefined;
  const [decl, ...more] = lastAssignments(summary, sameNamed(summary, target.decl), row);
  const kind = decl === undefined ? -1 : decls.kindOf(decl);
  return more.length === 0 && (kind === D.local || kind === D.variable) ? decl : undefined;
}

/** Whether each call of a class gives a new object: no allocator, metaclass or decorator hands one out again. */
function isAlwaysNew(resolver: Resolver, type: DeclRef): boolean {
  return resolver.answer('always new', type.file, type.decl, false, () => {
    const { allocator } = resolver.language(type.file);
    const search = findMember(resolver, type, allocator ?? '');
    return (
      search.found.length === 0 &&
      !search.outside &&
      searchOrder(resolver, type).every(({ file, decl }) => {
        const { decls, exprs } = resolver.summary(file);
        const isDecorated = decls.decoratorsOf(decl).length > 0 && !decls.has(decl, F.dataclass);
        // What a head reads besides its bases: `metaclass=Shared`.
        const header = exprs.within(decls.nameStartOf(decl), decls.bodyStartOf(decl));
        return !isDecorated && !header.some((row) => exprs.opOf(row) === E.name && exprs.roleOf(row) === R.read);
      })
    );
  });
}
