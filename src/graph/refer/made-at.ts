/**
 * The call that made the object which a row gives, where it is in sight: the row is the call, or a name of the same
 * body that was given it last. Two rows whose calls differ give two objects, so that what is kept in one is not in the
 * other.
 */
import type { DeclRef } from '../../languages/language.js';
import type { DeclRow } from '../../syntax/rows.js';
import { D, E, F, R, type Summary } from '../../syntax/summary.js';
import type { CallPlace } from './flow-forward.js';
import { findMember, searchOrder } from '../resolve/hierarchy.js';
import { lastAssignments, sameNamed } from '../resolve/last-assignments.js';
import type { Resolver } from '../resolve/resolver.js';

/** How many names are followed, one given to another. */
const NAMES_MOST = 8;

export function madeAt(resolver: Resolver, file: string, expr: number): CallPlace | undefined {
  const call = callGiving(resolver, file, expr);
  if (call === undefined) return undefined;
  const { exprs } = resolver.summary(file);
  const [made, ...more] = resolver.typeOf(file, exprs.operandOf(call.expr)).values;
  return made?.kind === 'class' && more.length === 0 && isAlwaysNew(resolver, made) ? call : undefined;
}

/** The call whose result a row gives: the row itself, or what a name of the same body was given last. */
export function callGiving(resolver: Resolver, file: string, expr: number): CallPlace | undefined {
  const summary = resolver.summary(file);
  const { decls, exprs } = summary;
  if (!resolver.language(file).ordersAssignments) return undefined;
  let row = expr;
  for (let names = 0; names < NAMES_MOST && exprs.opOf(row) === E.name; names++) {
    const decl = lastGiven(resolver, file, summary, row);
    row = decl === undefined ? -1 : decls.valueOf(decl);
    if (row < 0) return undefined;
  }
  return exprs.opOf(row) === E.call && exprs.operandOf(row) >= 0 ? { file, expr: row } : undefined;
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
