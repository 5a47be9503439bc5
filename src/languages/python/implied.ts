/**
 * Rows for what Python runs on an object without an operator that says so: whether it is true (`if x`), its text in a
 * format (`f"{x}"`, `"{}".format(x)`, `"%s" % x`), its hash as a key (`{x: 1}`), the order of elements (`sorted(xs)`).
 * Each is an `operator` row over the object's own span, named as in the table of `index.ts`.
 *
 * Format strings say attributes of what they are given as well: `"{p.name}".format(p=p)`.
 */
import { E } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

type Implied = 'truth' | 'text' | 'hash';

/** What may be an object of the repository; literals, comparisons and what else is made in place are not. */
const OBJECTS: ReadonlySet<number> = new Set([
  K.identifier,
  K.attribute,
  K.subscript,
  K.call,
  K.await,
  K.named_expression,
]);

/** Says that the object at `node`, whose row is given, is asked for it; gives the row back. */
export function implied(w: Walk, what: Implied, node: number, scope: number, row: number): number {
  if (row !== -1 && OBJECTS.has(w.kind(node))) w.expr(E.operator, node, scope, what, row);
  return row;
}

/** Elements are compared with each other. */
export function ordered(
  w: Walk,
  { start, end, scope }: { readonly start: number; readonly end: number; readonly scope: number },
  one: number,
): void {
  if (one !== -1) w.build.expr(E.operator, start, end, scope, '<', one, one);
}

/** `"…" % x`, `"…" % (x, y)`: what stands on the right is said as a text. */
export function percentFormat(w: Walk, left: number, right: number, scope: number, row: number): void {
  if (w.kind(left) !== K.string && w.kind(left) !== K.concatenated_string) return;
  if (w.kind(right) === K.tuple) w.expr(E.operator, right, scope, 'text', w.expr(E.element, right, scope, '', row));
  else implied(w, 'text', right, scope, row);
}

/** A field of a format string as far as it names: `{`, then `0`, `name` or nothing, attributes and indices. */
const FORMAT_FIELD = /\{\{|\{([\p{L}_][\p{L}\p{N}_]*|\d*)((?:\.[\p{L}_][\p{L}\p{N}_]*|\[[^\]{}]*\])*)(?=[!:}])/gu;
const STEP = /\.([\p{L}_][\p{L}\p{N}_]*)|\[[^\]]*\]/gu;

/** The string of `"…".format(…)`, or -1. */
export function formatOf(w: Walk, callee: number): number {
  if (w.kind(callee) !== K.attribute) return -1;
  const name = w.child(callee, FIELD.attribute);
  const object = w.child(callee, FIELD.object);
  const isFormat = object !== -1 && w.kind(object) === K.string && name !== -1 && w.textOf(name) === 'format';
  return isFormat ? object : -1;
}

/** Attributes that the fields of a format string take of what it is given, and what is said as a text. */
export function formatFields(w: Walk, string: number, args: readonly NewArgument[], scope: number): void {
  let next = 0;
  const isCounted = args.every(({ spread }) => spread === undefined);
  const start = w.start(string);
  for (const field of w.textOf(string).matchAll(FORMAT_FIELD)) {
    const [, given, steps = ''] = field;
    if (given === undefined) continue;
    const at = start + field.index + 1 + given.length;
    const place = given === '' ? next++ : /^\d/.test(given) ? Number(given) : -1;
    const argument =
      place >= 0
        ? isCounted
          ? args.filter(({ keyword }) => keyword === undefined)[place]
          : undefined
        : args.find(({ keyword }) => keyword === given);
    let row = argument?.expr ?? w.build.expr(E.other, at - given.length, at, scope);
    for (const step of steps.matchAll(STEP)) {
      const [whole, name] = step;
      const end = at + step.index + whole.length;
      row =
        name === undefined
          ? w.build.expr(E.index, at + step.index, end, scope, '', row)
          : w.build.expr(E.member, end - name.length, end, scope, name, row);
    }
    w.build.expr(E.operator, at - given.length, at + steps.length, scope, 'text', row);
  }
}
