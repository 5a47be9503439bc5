/**
 * Annotations: `@A` is the name with role `decorator`, `@A(v, k = w)` a call of it.
 *
 * A key is an argument's keyword and, as it names a method of the annotation type, an
 * `initializer` row on that type.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import type { Handler, Walk } from './walk.js';

/** `a.b.C` where no type is expected: annotations, imports, modules. The last part takes the role. */
export function qualifiedName(x: Walk, node: number, scope: number, role: Role, outerRole: Role): number {
  const { kinds } = x;
  if (x.kind(node) !== kinds.scopedIdentifier) return x.name(node, scope, role);
  const stop = x.skip(node);
  let last = -1;
  let row = -1;
  for (let n = node; n < stop; n++) {
    if (x.kind(n) !== kinds.identifier || !x.present(n)) continue;
    if (last !== -1) row = part(x, row, last, scope, outerRole);
    last = n;
  }
  return last === -1 ? x.build.expr(E.other, x.start(node), x.end(node), scope) : part(x, row, last, scope, role);
}

const part = (x: Walk, base: number, node: number, scope: number, role: Role): number =>
  base === -1 ? x.name(node, scope, role) : x.member(base, node, scope, role);

/** `@A(v, k = w)`: a call of `A`; `@A`: its name. Elements named by a key are members of `A`. */
const annotation: Handler = (x, node, scope) => {
  const { build, kinds } = x;
  const name = x.child(node, kinds.nameField);
  if (name === -1) return x.parts(node, scope);
  const named = qualifiedName(x, name, scope, R.decorator, R.read);
  const list = x.child(node, kinds.argumentsField);
  if (list === -1) return named;
  const args: NewArgument[] = [];
  const stop = x.skip(list);
  for (let c = list + 1; c < stop; c = x.skip(c)) {
    if (!x.proper(c)) continue;
    const key = x.kind(c) === kinds.elementValuePair ? x.child(c, kinds.keyField) : -1;
    const value = key === -1 ? c : x.child(c, kinds.valueField);
    if (value === -1) continue;
    if (x.present(key)) {
      build.expr(E.initializer, x.start(key), x.end(key), scope, x.text(key), named, -1, R.write);
      args.push({ expr: x.value(value, scope), keyword: x.text(key), start: x.start(c) });
    } else args.push({ expr: x.value(value, scope), start: x.start(c) });
  }
  return build.expr(E.call, x.start(node), x.end(node), scope, '', named, build.argumentList(args));
};

/** `{a, b}` of arrays and annotations. */
const elements: Handler = (x, node, scope) => {
  const rows: number[] = [];
  const stop = x.skip(node);
  for (let c = node + 1; c < stop; c = x.skip(c)) if (x.proper(c)) rows.push(x.value(c, scope));
  return x.build.expr(E.list, x.start(node), x.end(node), scope, 'list', -1, x.build.list(rows));
};

export const ANNOTATIONS: readonly (readonly [string, Handler])[] = [
  ['annotation', annotation],
  ['marker_annotation', annotation],
  ['array_initializer', elements],
  ['element_value_array_initializer', elements],
  ['scoped_identifier', (x, node, scope) => qualifiedName(x, node, scope, R.read, R.read)],
];
