/**
 * Imports that are written as strings: `{"Store": ".store"}` or `{".store": ["Store"]}`, as packages have them that
 * load their parts when these are asked for.
 *
 * Only where the module leads to a file and that file has the name is a pair one of imports: any other mapping says
 * nothing here.
 */
import type { Entity } from '../../languages/language.js';
import type { ExprRow } from '../../syntax/rows.js';
import { E, type Summary } from '../../syntax/summary.js';
import { moduleMembers } from './imports.js';
import type { Resolver } from './resolver.js';

/** A module's name in a string: its text without the quotes. */
export interface WrittenModule {
  readonly row: ExprRow;
  readonly module: string;
  readonly start: number;
  readonly end: number;
}

/** The module that a string names, by dots in front (`.store`) or within (`shop.store`); undefined for other rows. */
export function writtenModule({ exprs }: Summary, row: ExprRow): WrittenModule | undefined {
  const op = exprs.opOf(row);
  const last = op === E.string ? row : op === E.literal ? exprs.operandOf(row) : -1;
  const path = last < 0 ? -1 : exprs.operandOf(last);
  if (path < 0) return undefined;
  const folder = exprs.nameOf(path);
  return {
    row,
    module: `${folder}${folder.endsWith('.') ? '' : '.'}${exprs.nameOf(last)}`,
    start: exprs.startOf(path),
    end: exprs.endOf(last),
  };
}

/** A module beside a name in a mapping. */
interface Pair {
  readonly module: WrittenModule;
  /** Other names that the mapping has from it in the same entry. */
  readonly beside: readonly ExprRow[];
}

function pairsOf(summary: Summary, name: ExprRow): Pair[] {
  const { exprs } = summary;
  const modulesAt = (row: ExprRow | undefined): WrittenModule[] =>
    row === undefined || row < 0
      ? []
      : [row, ...(exprs.opOf(row) === E.list ? exprs.partsOf(row) : [])].flatMap(
          (part) => writtenModule(summary, part) ?? [],
        );
  /** Of an entry of the mapping, what stands on the other side. */
  const otherSide = (part: ExprRow, mapping: ExprRow, isKey: boolean): WrittenModule[] => {
    const keys = [...exprs.keysOf(mapping)];
    const values = [...exprs.partsOf(mapping)];
    return modulesAt(isKey ? values[keys.indexOf(part)] : keys[values.indexOf(part)]);
  };
  return exprs.usesOf(name).flatMap((use): Pair[] => {
    if (use.kind !== 'entry' && use.kind !== 'key') return [];
    if (exprs.opOf(use.row) === E.dict)
      return otherSide(name, use.row, use.kind === 'key').map((module) => ({ module, beside: [] }));
    const beside = [...exprs.partsOf(use.row)].filter((row) => row !== name);
    return exprs
      .usesOf(use.row)
      .flatMap((outer) =>
        outer.kind === 'entry' && exprs.opOf(outer.row) === E.dict
          ? otherSide(use.row, outer.row, false).map((module) => ({ module, beside }))
          : [],
      );
  });
}

/** What a string means as the name beside a module in such a mapping. */
export function tableEntities(resolver: Resolver, file: string, row: ExprRow): readonly Entity[] {
  return inTable(resolver, file, resolver.summary(file), row)?.entities ?? [];
}

/**
 * The pair of a name and the module that it is had from, and what it meant to `resolver`, which may be of an earlier
 * tree than the file's `summary`.
 */
export function inTable(
  resolver: Resolver,
  file: string,
  summary: Summary,
  row: ExprRow,
): (Pair & { readonly entities: readonly Entity[] }) | undefined {
  const { exprs } = summary;
  if (row < 0 || exprs.opOf(row) !== E.string || exprs.operandOf(row) >= 0) return undefined;
  for (const pair of pairsOf(summary, row)) {
    const entities = moduleMembers(resolver, file, pair.module.module, exprs.nameOf(row)).filter(
      ({ kind }) => kind !== 'external',
    );
    if (entities.length > 0) return { ...pair, entities };
  }
  return undefined;
}

/** Whether a string is the module of such a mapping. */
export function isTableModule(resolver: Resolver, file: string, summary: Summary, row: ExprRow): boolean {
  const { exprs } = summary;
  return exprs.usesOf(row).some((use) => {
    if (use.kind !== 'entry' && use.kind !== 'key') return false;
    const mappings =
      exprs.opOf(use.row) === E.dict
        ? [use.row]
        : exprs.usesOf(use.row).flatMap((outer) => ('row' in outer ? [outer.row] : []));
    return mappings.some(
      (mapping) =>
        exprs.opOf(mapping) === E.dict &&
        [...exprs.keysOf(mapping), ...exprs.partsOf(mapping)]
          .flatMap((part) => (part < 0 ? [] : exprs.opOf(part) === E.list ? [...exprs.partsOf(part)] : [part]))
          .some((part) => inTable(resolver, file, summary, part)?.module.row === row),
    );
  });
}
