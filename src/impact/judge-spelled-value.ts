/**
 * Judges calls of an enumeration that take a member by its value, `Color("red")`, when no member has that value any
 * more.
 */
import type { AtomicChange } from '../change/atomic-change.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, type Summary } from '../syntax/summary.js';
import type { Graphs } from './graphs.js';
import { breaks, may, type JudgedSite, type Verdict } from './verdict.js';

/** Whether the change took a value away by which its enumeration can be called. */
export function isValueGone({ before: was, after: now }: AtomicChange, { before, after }: Graphs): boolean {
  if (was === undefined || was.decl < 0 || !before.language(was.file).callableClasses) return false;
  const old = valueOf(before, was);
  return old !== undefined && (now === undefined || old !== valueOf(after, now));
}

export function spelledValue(change: AtomicChange, site: JudgedSite, { before, after }: Graphs): Verdict {
  const summary = after.summary(site.file);
  const { exprs } = summary;
  const call = site.expr < 0 ? -1 : exprs.callOf(site.expr);
  const old = change.before === undefined ? undefined : valueOf(before, change.before);
  const [argument, ...others] = call < 0 ? [] : exprs.argumentsOf(call);
  if (old === undefined || argument === undefined || others.length > 0) return 'fine';
  const given = plainValue(summary, argument.expr);
  if (given === undefined || given === UNREAD || old === UNREAD)
    return given !== undefined && given !== UNREAD && old !== UNREAD && given !== old
      ? 'fine'
      : may('it may be given the value that no member has now');
  if (given !== old) return 'fine';
  const [other] = after
    .resolve(site.file, site.expr)
    .targets.flatMap((type) => (type.decl < 0 ? [] : membersOf(after, type)))
    .filter((member) => valueOf(after, member) === old);
  return other === undefined
    ? breaks('no member has the value that it is given now', 'no member of that value')
    : may(`the value that it is given is that of ${after.summary(other.file).decls.nameOf(other.decl)} now`);
}

const membersOf = (resolver: Resolver, { file, decl: type }: DeclRef): DeclRef[] => {
  const { decls } = resolver.summary(file);
  return Array.from({ length: decls.count }, (_, decl) => ({ file, decl })).filter(
    ({ decl }) => decls.parentOf(decl) === type && decls.kindOf(decl) === D.enumMember,
  );
};

/** A text that no row has in full. */
const UNREAD = 'a text';

/** What a member of an enumeration is made with, as far as it is written out; undefined for other members. */
function valueOf(resolver: Resolver, { file, decl }: DeclRef): string | undefined {
  const summary = resolver.summary(file);
  const row = summary.decls.kindOf(decl) === D.enumMember ? summary.decls.valueOf(decl) : -1;
  return row < 0 ? undefined : plainValue(summary, row);
}

function plainValue({ exprs }: Summary, row: number): string | undefined {
  const op = exprs.opOf(row);
  if (op === E.string && exprs.operandOf(row) < 0) return `"${exprs.nameOf(row)}"`;
  if (op !== E.literal) return undefined;
  if (exprs.nameOf(row) === 'int' && exprs.secondOf(row) >= 0) return `${exprs.secondOf(row)}`;
  return exprs.nameOf(row) === 'null' ? 'null' : UNREAD;
}
