/**
 * Strings that stand for the key of a type, as the type of their place says: `keyof T`, a type parameter that extends
 * one, and what takes some of a type's members by their names.
 *
 *     function get<K extends keyof Config>(key: K)      get('port')      of Config
 *     const first: keyof Config = 'port'                                of Config
 *     type Where = Pick<Config, 'host' | 'port'>                        of Config
 *
 * Errs towards none: a place without a declared type, a `keyof` behind a computed type.
 */
import { D, E, KEY_OF } from '../../syntax/summary.js';
import { sameDecl } from '../../syntax/rows.js';
import { NO_BINDINGS } from './bindings.js';
import type { Resolver } from './resolver.js';
import { placesOf, type Written } from './string-places.js';
import type { Value } from './value.js';
import { instanceOf } from './written-types.js';

/** Aliases, bounds, lists and alternatives that are looked through. */
const STEPS_MOST = 6;

/** The objects a member of which the string names. */
export function objectsOfKey(resolver: Resolver, file: string, string: number): readonly Value[] {
  const selected = selectedFrom(resolver, file, string);
  if (selected === undefined) {
    const keyed = keyedByConstant(resolver, file, string);
    if (keyed.length > 0) return keyed;
  }
  // Most parameters take any string: what their type parameters stand for need not be known for that.
  const isKeyed = (type: Written): boolean => keyedBy(resolver, type, STEPS_MOST).length > 0;
  const types =
    selected ?? placesOf(resolver, file, string, isKeyed).flatMap((type) => keyedBy(resolver, type, STEPS_MOST));
  return types.flatMap((type) => instanceOf(resolver, type.file, type.row, type.bindings).values);
}

/** `const KEY = 'port'`, and `config[KEY]` anywhere: the objects of which the constant takes a member. */
function keyedByConstant(resolver: Resolver, file: string, string: number): readonly Value[] {
  const { exprs, decls } = resolver.summary(file);
  const holders = [string, ...exprs.wholesOf(string).filter((row) => exprs.opOf(row) === E.cast)];
  const [held] = holders.flatMap((row) => exprs.usesOf(row).flatMap((use) => (use.kind === 'value' ? [use.decl] : [])));
  if (held === undefined || decls.typeOf(held) >= 0 || decls.kindOf(held) === D.field) return [];
  const name = decls.nameOf(held);
  const files = decls.kindOf(held) === D.local ? [file] : resolver.repo.filesMentioning(name);
  return files.flatMap((where) => {
    const of = resolver.summary(where);
    return [...of.exprs.named(of.idOf(name))].flatMap((row) => {
      const keyed = of.exprs.usesOf(row).flatMap((use) => (use.kind === 'subscript' ? [use.row] : []));
      const isMeant =
        keyed.length > 0 &&
        resolver.resolve(where, row).targets.some((target) => sameDecl(target, { file, decl: held }));
      return isMeant ? keyed.flatMap((index) => resolver.typeOf(where, of.exprs.operandOf(index)).values) : [];
    });
  });
}

/** `Pick<T, 'a' | 'b'>`: T; undefined where the string stands in no such type. */
function selectedFrom(resolver: Resolver, file: string, string: number): readonly Written[] | undefined {
  const { exprs } = resolver.summary(file);
  const { parts } = resolver.language(file).library;
  const wholes = exprs.wholesOf(string);
  const around = [
    ...wholes,
    ...wholes.filter((row) => exprs.opOf(row) === E.union).flatMap((row) => exprs.wholesOf(row)),
  ];
  const generic = around.find((row) => exprs.opOf(row) === E.index && parts.has(exprs.nameOf(exprs.operandOf(row))));
  const [of] = generic === undefined ? [] : exprs.partsOf(generic);
  return of === undefined ? undefined : [{ file, row: of, bindings: NO_BINDINGS }];
}

/** Types whose keys a type is made of. */
function keyedBy(resolver: Resolver, { file, row, bindings }: Written, steps: number): readonly Written[] {
  if (row < 0 || steps === 0) return [];
  const { exprs } = resolver.summary(file);
  const inner = (part: number): readonly Written[] => keyedBy(resolver, { file, row: part, bindings }, steps - 1);
  switch (exprs.opOf(row)) {
    case E.operator:
      return exprs.nameOf(row) === KEY_OF ? [{ file, row: exprs.operandOf(row), bindings }] : [];
    case E.union:
    case E.list:
    case E.index:
      return [...exprs.partsOf(row)].flatMap(inner);
    case E.array:
      return inner(exprs.operandOf(row));
    case E.name:
      return resolver.resolve(file, row).targets.flatMap((target) => {
        // A type parameter leads to what it extends, an alias to what it stands for.
        if (target.decl < 0) return [];
        const { decls } = resolver.summary(target.file);
        const kind = decls.kindOf(target.decl);
        return kind === D.typeParam || kind === D.typeAlias
          ? keyedBy(resolver, { file: target.file, row: decls.typeOf(target.decl), bindings }, steps - 1)
          : [];
      });
    default:
      return [];
  }
}
