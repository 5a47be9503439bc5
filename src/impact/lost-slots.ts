/**
 * Assignments to a field that the class has no place for any more, since its `__slots__` do not say its name now:
 *
 *     __slots__ = ("name", "size")   ->   ("name",)         self.size = 1
 *
 * Errs towards missing: slots that are no list of plain strings, and classes above or below of which one gives objects
 * a dictionary, or of which it is not known.
 */
import { piece, type Turns } from '../base/turns.js';
import { sitesInTurns } from '../graph/refer/references.js';
import { descendantsOf } from '../graph/refer/sites-by-name.js';
import { blockOf, type Site } from '../graph/refer/site.js';
import { basesOf, classOfMember, ownMembers, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, R } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';

export function* assignmentsWithoutSlot({
  graphs: { before, after },
  edit,
}: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const cause of edit.changes) {
    const { before: was, after: is } = cause;
    if (is === undefined || is.decl < 0 || !isSlots(after, is)) continue;
    const owner = classOfMember(after.summary(is.file), is.decl);
    if (owner === undefined) continue;
    const type = { file: is.file, decl: owner };
    const places = yield* piece(() => placesOf(after, type));
    if (places === undefined) continue;
    const old = was === undefined || was.decl < 0 || !isSlots(before, was) ? undefined : stringsOf(before, was);
    for (const field of fieldsWithout(after, type, places)) {
      const { decls } = after.summary(field.file);
      const name = decls.nameOf(field.decl);
      if (old?.has(name) === false) continue;
      const assigned: readonly Assignment[] = [...declaredAt(after, field), ...(yield* sitesInTurns(after, field))];
      for (const site of assigned) {
        const { exprs, decls: around } = after.summary(site.file);
        const role = site.expr < 0 ? -1 : exprs.roleOf(site.expr);
        if (role !== R.declares && role !== R.write && role !== R.update) continue;
        const path = site.block < 0 ? '<module>' : around.pathOf(site.block);
        out.addOnce(site.file, site.block, {
          expr: site.expr,
          tier: 'breaks',
          confidence: site.confidence,
          reason: `${path} assigns ${name}, for which ${decls.pathOf(owner)} has no slot now.`,
          fact: `no slot: ${name}`,
          rule: 'lost-slot',
          relation: 'UsedBy',
          cause,
        });
      }
    }
  }
  return out.sorted();
}

function isSlots(resolver: Resolver, { file, decl }: DeclRef): boolean {
  return resolver.summary(file).decls.nameOf(decl) === resolver.language(file).slotsMember;
}

/** The names that a list of plain strings says; undefined for anything else, and for what asks for a dictionary. */
function stringsOf(resolver: Resolver, { file, decl }: DeclRef): ReadonlySet<string> | undefined {
  const { decls, exprs } = resolver.summary(file);
  const value = decls.valueOf(decl);
  if (value < 0) return undefined;
  const parts = exprs.opOf(value) === E.list ? [...exprs.partsOf(value)] : [value];
  const isPlain = parts.every((row) => exprs.opOf(row) === E.string && exprs.operandOf(row) < 0);
  const names = new Set(parts.map((row) => exprs.nameOf(row)));
  return isPlain && !names.has('__dict__') ? names : undefined;
}

/** All names that objects of the class, and of those below it, have a place for; undefined where that may be any. */
function placesOf(resolver: Resolver, type: DeclRef): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  const own = resolver.language(type.file).slotsMember;
  if (own === undefined) return undefined;
  for (const each of new Set([type, ...searchOrder(resolver, type), ...descendantsOf(resolver, type)])) {
    const { external, unknown } = basesOf(resolver, each);
    const isPlain = external.every(({ name }) => resolver.language(each.file).library.rootBases.has(name));
    const [slots] = ownMembers(resolver, each, own);
    const said = slots === undefined ? undefined : stringsOf(resolver, slots);
    if (said === undefined || unknown || !isPlain) return undefined;
    for (const name of said) names.add(name);
  }
  return names;
}

/** Fields of a class that methods assign first, and that it has no place for. */
function fieldsWithout(resolver: Resolver, { file, decl }: DeclRef, places: ReadonlySet<string>): readonly DeclRef[] {
  const { decls } = resolver.summary(file);
  const seen = new Set<string>();
  return [...decls.allInScope(decls.innerOf(decl))].flatMap((field) => {
    const name = decls.nameOf(field);
    // What a class says with two underscores has another name outside of it.
    if (decls.kindOf(field) !== D.field || places.has(name) || name.startsWith('__') || seen.has(name)) return [];
    seen.add(name);
    return declaredAt(resolver, { file, decl: field }).length > 0 ? [{ file, decl: field }] : [];
  });
}

type Assignment = Pick<Site, 'file' | 'expr' | 'block' | 'confidence'>;

/** The rows of a class's methods at which a field is declared by assignment: `self.size = 1`. */
function declaredAt(resolver: Resolver, { file, decl }: DeclRef): readonly Assignment[] {
  const summary = resolver.summary(file);
  const { decls, exprs } = summary;
  const end = decls.nameStartOf(decl) + decls.nameOf(decl).length;
  return [...exprs.named(decls.nameIdOf(decl))]
    .filter((row) => exprs.opOf(row) === E.member && exprs.roleOf(row) === R.declares && exprs.endOf(row) === end)
    .map((expr) => ({ file, expr, block: blockOf(summary, expr), confidence: 'certain' }));
}
