/**
 * Annotations: `@A` is the name with role `decorator`, `@A(v, k = w)` a call of it.
 *
 * A key is an argument's keyword and, as it names a method of the annotation type, an
 * `initializer` row on that type.
 */
import { E, R, type Role } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { FIELD, K } from './kinds.js';
import type { Handler, Table, Walk } from './walk.js';

/** `a.b.C` where no type is expected: annotations, imports, modules. The last part takes the role. */
export function qualifiedName(w: Walk, node: number, scope: number, role: Role, outerRole: Role): number {
  if (w.kind(node) !== K.scoped_identifier) return w.nameRow(node, scope, role);
  const stop = w.after(node);
  let last = -1;
  let row = -1;
  for (let n = node; n < stop; n++) {
    if (w.kind(n) !== K.identifier || !w.isPresent(n)) continue;
    if (last !== -1) row = part(w, row, last, scope, outerRole);
    last = n;
  }
  return last === -1 ? w.other(node, scope) : part(w, row, last, scope, role);
}

const part = (w: Walk, base: number, node: number, scope: number, role: Role): number =>
  base === -1 ? w.nameRow(node, scope, role) : w.memberRow(node, base, scope, role);

/** `@A(v, k = w)`: a call of `A`; `@A`: its name. Elements named by a key are members of `A`. */
const annotation: Handler = (w, node, scope) => {
  const { build } = w;
  const name = w.child(node, FIELD.name);
  if (name === -1) return w.children(node, scope);
  const named = qualifiedName(w, name, scope, R.decorator, R.read);
  const list = w.child(node, FIELD.arguments);
  if (list === -1) return named;
  const args: NewArgument[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(c)) {
    const key = w.kind(c) === K.element_value_pair ? w.child(c, FIELD.key) : -1;
    const value = key === -1 ? c : w.child(c, FIELD.value);
    if (value === -1) continue;
    if (w.isPresent(key)) {
      w.keyRow(key, named, scope, R.write);
      args.push({ expr: w.value(value, scope), keyword: w.textOf(key), start: w.start(c) });
    } else args.push({ expr: w.value(value, scope), start: w.start(c) });
  }
  return w.expr(E.call, node, scope, '', named, build.argumentList(args));
};

/** `{a, b}` of arrays and annotations. */
const elements: Handler = (w, node, scope) => {
  return w.list(node, scope, 'list', w.values(node, scope));
};

export const ANNOTATIONS: Table = {
  annotation,
  marker_annotation: annotation,
  array_initializer: elements,
  element_value_array_initializer: elements,
  scoped_identifier: (w, node, scope) => qualifiedName(w, node, scope, R.read, R.read),
};
