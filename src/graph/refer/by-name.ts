/** Attributes that nothing declares (`a.run = f`): where they are set and read, by their name alone. */
import { E, R, type Summary } from '../../syntax/summary.js';
import type { Resolver } from '../resolve/resolver.js';

/** Assignments to attributes of a name that stand for no declared one. */
export function storesOf(resolver: Resolver, name: string, near: string): readonly AnyRow[] {
  return byName(resolver, 'stores by name', name, near, (file, summary) => {
    const { exprs } = summary;
    const isSet = ofName(summary, name).some((row) => exprs.roleOf(row) === R.write);
    if (!isSet) return [];
    return exprs.stores.filter((row) => {
      const place = exprs.placeOf(row);
      return (
        exprs.opOf(place) === E.member &&
        exprs.nameOf(place) === name &&
        exprs.operandOf(place) >= 0 &&
        resolver.resolve(file, place).targets.length === 0
      );
    });
  });
}

/** Rows that read an attribute of a name which leads to no declaration. */
export function readsOf(resolver: Resolver, name: string, near: string): readonly AnyRow[] {
  return byName(resolver, 'reads by name', name, near, (file, summary) =>
    ofName(summary, name).filter((row) => isRead(summary, row) && resolver.resolve(file, row).targets.length === 0),
  );
}

interface AnyRow {
  readonly file: string;
  readonly row: number;
}

/** Rows in the files of one language that say a name. */
function byName(
  resolver: Resolver,
  kind: 'stores by name' | 'reads by name',
  name: string,
  near: string,
  rowsOf: (file: string, summary: Summary) => readonly number[],
): readonly AnyRow[] {
  const { id } = resolver.language(near);
  return resolver.answer(kind, '', `${id}\0${name}`, [], () =>
    resolver.repo
      .filesMentioning(name)
      .filter((file) => resolver.language(file).id === id)
      .flatMap((file) => rowsOf(file, resolver.summary(file)).map((row) => ({ file, row }))),
  );
}

/** Where a member of the name is taken, for whatever. */
const ofName = (summary: Summary, name: string): number[] =>
  [...summary.exprs.named(summary.idOf(name))].filter((row) => summary.exprs.opOf(row) === E.member);

/** Whether the value of a name or an attribute is taken. */
export function isRead(summary: Summary, row: number): boolean {
  const op = summary.exprs.opOf(row);
  const role = summary.exprs.roleOf(row);
  return (
    (op === E.name || op === E.member) &&
    (role === R.read || role === R.callee || role === R.newCallee || role === R.decorator || role === R.update)
  );
}
