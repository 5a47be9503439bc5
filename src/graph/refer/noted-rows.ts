/**
 * Rows of one file by the name that they say, as far as they lead to another name or to a class below: kept with the
 * file's summary.
 */
import { keptWith } from '../../base/turns.js';
import { D, E, F, KEY_OF, R, type Summary } from '../../syntax/summary.js';
import { heldBy } from './alias.js';

/** Rows of a file by the name that they say. */
interface NotedRows {
  /** In lists of bases, also as the first type argument of one: a part of it may be what is meant. */
  readonly bases: ReadonlyMap<number, readonly number[]>;
  /** Behind `new`, of a class without a name that is written there. */
  readonly made: ReadonlyMap<number, readonly number[]>;
  /** That are assigned to. */
  readonly writes: ReadonlyMap<number, readonly number[]>;
  /** Of imports, and of exports under another name, `export { a as b }`: the name may be another one from there on. */
  readonly listed: ReadonlyMap<number, readonly number[]>;
  /** Declarations whose whole value says it. */
  readonly wholes: ReadonlyMap<number, readonly number[]>;
  /** Other names that imports and exports give to a row. */
  readonly aliases: ReadonlyMap<number, readonly string[]>;
  /** Names whose definitions may have another one from there on. */
  readonly renamed: ReadonlySet<number>;
}

const notedRowsMemo = new WeakMap<Summary, NotedRows>();

/**
 * Kept with the summary: a class of a common name is looked for in every file that says it, once for each such class.
 */
export const notedRows = (summary: Summary): NotedRows => keptWith(notedRowsMemo, summary, findNotedRows);

function findNotedRows(summary: Summary): NotedRows {
  const { exprs } = summary;
  const bases = new Map<number, number[]>();
  const writes = new Map<number, number[]>();
  const listed = new Map<number, number[]>();
  const renamed = new Set(summary.exports.flatMap((entry) => (entry.name === entry.local ? [] : [entry.expr])));
  summary.names.forEach((_, name) => {
    for (const expr of exprs.named(name)) {
      const role = exprs.roleOf(expr);
      if (role === R.base) note(bases, name, expr);
      if (role === R.write) note(writes, name, expr);
      if (role === R.import || renamed.has(expr)) note(listed, name, expr);
    }
  });
  const wholes = new Map<number, number[]>();
  const made = new Map<number, number[]>();
  for (let decl = 0; decl < summary.decls.count; decl++) {
    if (summary.decls.kindOf(decl) === D.anonymousClass)
      for (const base of summary.decls.basesOf(decl))
        for (const row of [base, exprs.operandOf(base)])
          if (row >= 0 && exprs.roleOf(row) === R.newCallee) note(made, exprs.nameIdOf(row), row);
    for (const base of summary.decls.basesOf(decl)) {
      const [first] = exprs.opOf(base) === E.index ? exprs.partsOf(base) : [];
      if (first !== undefined && exprs.opOf(first) === E.name) note(bases, exprs.nameIdOf(first), first);
    }
    const held = heldBy(summary, decl);
    if (held >= 0) note(wholes, summary.idOf(exprs.nameOf(held)), decl);
  }
  const aliases = new Map<number, string[]>();
  for (const { expr, name } of otherNames(summary)) note(aliases, expr, name);
  const others = [...aliases.keys()].map((expr) => exprs.nameIdOf(expr));
  return { bases, made, writes, listed, wholes, aliases, renamed: new Set([...others, ...wholes.keys()]) };
}

const typePartsMemo = new WeakMap<Summary, ReadonlyMap<number, readonly number[]>>();

/**
 * Rows, by the name that they say, of types from which others are made: `keyof Row`, arguments of a type, sides of a
 * union, and all that an alias stands for. Kept with the summary.
 */
export const typeParts = (summary: Summary): ReadonlyMap<number, readonly number[]> =>
  keptWith(typePartsMemo, summary, findTypeParts);

function findTypeParts({ decls, exprs }: Summary): ReadonlyMap<number, readonly number[]> {
  const out = new Map<number, number[]>();
  const add = (row: number): void => {
    const op = row < 0 ? -1 : exprs.opOf(row);
    if (op === E.name || op === E.member) note(out, exprs.nameIdOf(row), row);
  };
  for (const row of exprs.ofOp(E.operator)) if (exprs.nameOf(row) === KEY_OF) add(exprs.operandOf(row));
  for (const op of [E.index, E.union])
    for (const row of exprs.ofOp(op))
      for (const part of exprs.partsOf(row)) if (exprs.roleOf(part) === R.type) add(part);
  for (let decl = 0; decl < decls.count; decl++) if (decls.kindOf(decl) === D.typeAlias) add(decls.typeOf(decl));
  return out;
}

function note<T>(rows: Map<number, T[]>, key: number, value: T): void {
  const known = rows.get(key);
  if (known === undefined) rows.set(key, [value]);
  else known.push(value);
}

/** Entries of imports and exports that give another name than the one that stands there. */
function* otherNames(summary: Summary): Generator<{ readonly expr: number; readonly name: string }> {
  const isOther = (expr: number, name: string): boolean =>
    expr >= 0 && name !== summary.exprs.nameOf(expr) && name !== 'default';
  for (const { expr, decl } of summary.imports)
    if (decl >= 0 && isOther(expr, summary.decls.nameOf(decl))) yield { expr, name: summary.decls.nameOf(decl) };
  for (const { expr, name } of summary.exports) if (name !== '*' && isOther(expr, name)) yield { expr, name };
}

interface DefaultEntry {
  /** The row that says `default`, or that is the module as a whole; -1 where a binding is that. */
  readonly expr: number;
  /** The binding; -1 for an export entry, and for a module as a value. */
  readonly decl: number;
  /** '' for a module as a value, which has none. */
  readonly name: string;
  readonly isModule: boolean;
}

const defaultEntriesMemo = new WeakMap<Summary, readonly DefaultEntry[]>();

/**
 * Entries that take another file's default export, or what it may be as a whole, with the name that they give it. Kept
 * with the summary: all files are gone through after each edit.
 */
export const defaultEntries = (summary: Summary): readonly DefaultEntry[] =>
  keptWith(defaultEntriesMemo, summary, findDefaultEntries);

function findDefaultEntries(summary: Summary): readonly DefaultEntry[] {
  return [
    ...summary.imports.flatMap(({ kind, name, expr, decl }) =>
      (kind === 'module' && (decl >= 0 || expr >= 0)) || (decl >= 0 && name === 'default' && expr >= 0)
        ? [{ expr, decl, name: decl < 0 ? '' : summary.decls.nameOf(decl), isModule: kind === 'module' }]
        : [],
    ),
    ...summary.exports.flatMap((entry) =>
      entry.local === 'default' && entry.expr >= 0 && entry.name !== 'default'
        ? [{ expr: entry.expr, decl: -1, name: entry.name, isModule: false }]
        : [],
    ),
  ];
}

/** Whether importers may name the declaration as they like. */
export function isDefaultExport(summary: Summary, decl: number): boolean {
  return summary.decls.has(decl, F.defaultExport) || summary.exports.some((entry) => entry.name === 'default');
}
