/**
 * Judges writes of what can be set from fewer places than before, of a field, a property, an element that an indexer
 * gives; and reads of what can be read from fewer.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import { classOfMember } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, R } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { isReached } from './judge-access.js';
import { breaks, type JudgedSite, type Verdict } from './verdict.js';

export const isWritten = (role: number): boolean => role === R.write || role === R.update;

/** Undefined where it is no such write. */
export function setElsewhere(
  { detail, after: field }: AtomicChange,
  site: JudgedSite,
  { after }: Graphs,
): Verdict | undefined {
  const { exprs } = after.summary(site.file);
  if (field === undefined || !isWritten(exprs.roleOf(site.expr))) return undefined;
  const { added = [], removed = [] } = detail.modifiers ?? {};
  const to = detail.setFrom?.to;
  const isFixed = added.includes('readonly') || added.includes('final');
  if (!isFixed && !removed.includes('setter') && to === undefined) return undefined;
  if (isOfItsMaking(field, site, after)) return 'fine';
  if (isFixed) return breaks('it is read-only now');
  if (removed.includes('setter')) return breaks('it cannot be set any more');
  if (to === 'construction')
    return exprs.opOf(site.expr) === E.initializer ? 'fine' : breaks('it can be set only where an object is made now');
  const isReachable = to === undefined || isReached(after, site, field, to);
  return isReachable ? 'fine' : breaks(`only ${to === 'class' ? 'its class' : 'classes below it'} can set it now`);
}

/** The same of reads; undefined where nothing is read, or everybody can. */
export function readElsewhere(
  { detail: { readFrom }, after: field }: AtomicChange,
  site: JudgedSite,
  { after }: Graphs,
): Verdict | undefined {
  if (field === undefined || readFrom === undefined) return undefined;
  if (after.summary(site.file).exprs.roleOf(site.expr) === R.write || isReached(after, site, field, readFrom))
    return undefined;
  return breaks(`only ${readFrom === 'class' ? 'its class' : 'classes below it'} can read it now`);
}

/** Whether it is written where objects of its class are made: in a constructor, or an initializer of the class. */
function isOfItsMaking(field: DeclRef, { file, block }: JudgedSite, after: Resolver): boolean {
  const summary = after.summary(file);
  const { decls } = summary;
  if (file !== field.file || block < 0) return false;
  const type = classOfMember(summary, field.decl);
  return (
    block === type ||
    (decls.parentOf(block) === type &&
      (decls.kindOf(block) === D.constructor || decls.nameOf(block) === after.language(file).constructorName))
  );
}
