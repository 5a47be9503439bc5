/**
 * Whether two types are written alike, perhaps in different files: by the names and the structure
 * of their rows. Qualifiers do not count, nor does the order of an object type's members, and nothing is resolved.
 */
import type { RowList } from '../../syntax/rows.js';
import { E, F, type Summary } from '../../syntax/summary.js';

/** -1 for no type: alike only with another missing one. */
export function sameWritten(a: Summary, rowA: number, b: Summary, rowB: number): boolean {
  if (rowA < 0 || rowB < 0) return rowA < 0 && rowB < 0;
  const op = operatorOf(a, rowA);
  if (op !== operatorOf(b, rowB)) return false;
  if (op === E.closure) return sameMembers(a, a.exprs.closureOf(rowA), b, b.exprs.closureOf(rowB));
  if (nameAt(a, rowA) !== nameAt(b, rowB)) return false;
  if (ON_ONE.has(op) && !sameWritten(a, a.exprs.operandOf(rowA), b, b.exprs.operandOf(rowB))) return false;
  if (ON_TWO.has(op) && !sameWritten(a, a.exprs.secondOf(rowA), b, b.exprs.secondOf(rowB))) return false;
  return !OF_PARTS.has(op) || sameRows(a, a.exprs.partsOf(rowA), b, b.exprs.partsOf(rowB));
}

const ON_TWO: ReadonlySet<number> = new Set([E.operator, E.cast]);
const ON_ONE: ReadonlySet<number> = new Set([
  ...ON_TWO,
  // A literal that hangs on a type is a predicate of it: `x is T`.
  ...[E.literal, E.index, E.array, E.functionType, E.classOf, E.element, E.nth, E.await],
]);
const OF_PARTS: ReadonlySet<number> = new Set([E.index, E.union, E.list, E.functionType]);

type Rows = RowList<number>;

const sameRows = (a: Summary, rowsA: Rows, b: Summary, rowsB: Rows): boolean =>
  rowsA.length === rowsB.length && rowsA.every((row, i) => sameWritten(a, row, b, rowsB[i] as number));

/** The members of two types that are written out in place. */
function sameMembers(a: Summary, typeA: number, b: Summary, typeB: number): boolean {
  const [all, others] = [membersOf(a, typeA), membersOf(b, typeB)];
  return all.length === others.length && all.every((decl, i) => sameWrittenMember(a, decl, b, others[i] as number));
}

function membersOf({ decls }: Summary, type: number): number[] {
  const inner = decls.innerOf(type);
  return inner < 0
    ? []
    : [...decls.allInScope(inner)].sort((x, y) => (decls.nameOf(x) < decls.nameOf(y) ? -1 : x === y ? 0 : 1));
}

/** The same of two members. */
export function sameWrittenMember(a: Summary, declA: number, b: Summary, declB: number): boolean {
  const { decls } = a;
  return (
    decls.kindOf(declA) === b.decls.kindOf(declB) &&
    decls.nameOf(declA) === b.decls.nameOf(declB) &&
    (decls.flagsOf(declA) & SHOWN) === (b.decls.flagsOf(declB) & SHOWN) &&
    sameWritten(a, decls.typeOf(declA), b, b.decls.typeOf(declB)) &&
    sameParams(a, decls.paramsOf(declA), b, b.decls.paramsOf(declB))
  );
}

/** Names of parameters are nobody else's. */
const sameParams = (a: Summary, of: Rows, b: Summary, others: Rows): boolean =>
  of.length === others.length &&
  of.every((param, i) => {
    const other = others[i] as number;
    return (
      (a.decls.flagsOf(param) & SHOWN) === (b.decls.flagsOf(other) & SHOWN) &&
      sameWritten(a, a.decls.typeOf(param), b, b.decls.typeOf(other))
    );
  });

/** What of a member or parameter makes it another one. */
const SHOWN = F.optional | F.rest | F.readonly;

/** A qualified name is its last part. */
const operatorOf = ({ exprs }: Summary, row: number): number =>
  exprs.opOf(row) === E.member ? E.name : exprs.opOf(row);

const nameAt = (summary: Summary, row: number): string => summary.exprs.nameOf(row);
