/**
 * Code that takes an object apart by place, or asks for a part by its number, where the fields that its places stand
 * for changed: `x, y = point`, `point[1]` of a Python `NamedTuple`, `var (x, y) = point` of a C# record.
 *
 *     class Point(NamedTuple): x; y; +z      x, y = point      for x, y in points()      point[1]
 *
 * Who does that says neither the class nor a field. Errs towards missing: objects in files that say neither the class
 * nor what gives one.
 */
import { pieces, type Turns } from '../base/turns.js';
import type { SignatureDelta } from '../change/signature-delta.js';
import { blockOf } from '../graph/refer/site.js';
import { filesAround } from '../graph/refer/special-sites.js';
import { componentsOf } from '../graph/resolve/components.js';
import { basesOf, isSubclass, searchOrder } from '../graph/resolve/hierarchy.js';
import type { Resolver } from '../graph/resolve/resolver.js';
import type { DeclRef } from '../languages/language.js';
import { D, E, R, type Summary } from '../syntax/summary.js';
import { AffectedBlocks, type AffectedBlock } from './affected.js';
import type { Question } from './question.js';
import { breaks, may, type Verdict } from './verdict.js';

export function* takenByPlace({ graphs: { after }, edit }: Question): Turns<readonly AffectedBlock[]> {
  const out = new AffectedBlocks();
  for (const change of edit.changes) {
    const { label, after: type, detail } = change;
    if (label !== 'MCC' || type === undefined || detail.signature === undefined || !isTuple(after, type)) continue;
    const fields: Fields = { count: componentsOf(after, type).params.length, kept: placesKept(detail.signature) };
    for (const found of (yield* pieces(filesAround(after, type), (file) =>
      takenIn(after, file, type, fields),
    )).flat()) {
      const { decls } = after.summary(found.file);
      const block = blockOf(after.summary(found.file), found.expr);
      out.addOnce(found.file, block, {
        expr: found.expr,
        tier: found.verdict.tier,
        confidence: found.isSure ? 'certain' : 'possible',
        reason: `${block < 0 ? '<module>' : decls.pathOf(block)} ${found.verdict.detail ?? ''} (${change.block}).`,
        fact: `fields of ${change.block}`,
        rule: 'taken-by-place',
        relation: 'UsedBy',
        cause: change,
      });
    }
  }
  return out.sorted();
}

interface Fields {
  /** How many there are now. */
  readonly count: number;
  /** So many at the front are the ones that they were. */
  readonly kept: number;
}

interface TakenPart {
  readonly file: string;
  readonly expr: number;
  readonly isSure: boolean;
  readonly verdict: Exclude<Verdict, 'fine'>;
}

/** Whether objects of the class come apart into their fields by place. */
const isTuple = (resolver: Resolver, type: DeclRef): boolean =>
  (resolver.language(type.file).unpacksWhole && kindOf(resolver, type) === D.record) ||
  searchOrder(resolver, type).some((each) =>
    basesOf(resolver, each).external.some(({ name }) => resolver.language(type.file).library.tupleBases.has(name)),
  );

const kindOf = (resolver: Resolver, { file, decl }: DeclRef): number => resolver.summary(file).decls.kindOf(decl);

/** So many fields at the front stand where they stood. */
const placesKept = ({ added, removed, moved }: SignatureDelta): number =>
  Math.min(
    Infinity,
    ...[...added, ...removed].map(({ index }) => index),
    ...moved.map(({ from, to }) => Math.min(from, to)),
  );

function takenIn(resolver: Resolver, file: string, type: DeclRef, fields: Fields): readonly TakenPart[] {
  const summary = resolver.summary(file);
  const { exprs } = summary;
  const wholes = new Set([...exprs.ofOp(E.nth), ...exprs.ofOp(E.index)].map((row) => exprs.operandOf(row)));
  return [...wholes].flatMap((row): readonly TakenPart[] => {
    // A pattern that names the class is judged where the class is named.
    const verdict = row < 0 || exprs.opOf(row) === E.cast ? undefined : judged(summary, row, fields);
    if (verdict === undefined || verdict === 'fine' || exprs.roleOf(row) === R.type) return [];
    const { values, unknown } = resolver.typeOf(file, row);
    const isOne = values.some((value) => value.kind === 'instance' && isSubclass(resolver, value, type));
    return isOne ? [{ file, expr: row, isSure: values.length === 1 && !unknown, verdict }] : [];
  });
}

/** What is taken of a row by place, against the fields of now. */
function judged({ exprs }: Summary, row: number, { count, kept }: Fields): Verdict {
  const wholes = exprs.wholesOf(row);
  const parts = wholes.filter((whole) => exprs.operandOf(whole) === row);
  const apart = parts.filter((whole) => exprs.opOf(whole) === E.nth);
  const places = parts.flatMap((whole) => {
    const [by, ...others] = exprs.opOf(whole) === E.index ? [...exprs.partsOf(whole)] : [];
    const isNumber =
      by !== undefined && others.length === 0 && exprs.opOf(by) === E.literal && exprs.nameOf(by) === 'int';
    return isNumber && exprs.numberOf(by) >= 0 ? [exprs.numberOf(by)] : [];
  });
  const taken = apart.reduce((most, whole) => Math.max(most, exprs.numberOf(whole) + 1), 0);
  // What gathers the rest takes any number.
  const isOpen =
    parts.some((whole) => exprs.opOf(whole) === E.element) || wholes.some((whole) => exprs.opOf(whole) === E.union);
  const has = `and its class has ${count} ${count === 1 ? 'field' : 'fields'} now`;
  if (taken > count || (taken > 0 && taken !== count && !isOpen))
    return breaks(`takes an object apart into ${taken}, ${has}`);
  const last = Math.max(-1, ...places);
  if (last >= count) return breaks(`asks an object for the part at ${last}, ${has}`);
  return Math.max(taken - 1, last) >= kept ? may('takes parts by places that stand for other fields now') : 'fine';
}
