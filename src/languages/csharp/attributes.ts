/**
 * Attributes: `[Foo(1, Name = x)]` is a call of `Foo`, whose row has the role `decorator`.
 *
 * The name is kept as written. It may mean the class `Foo` or `FooAttribute`; resolution, which
 * knows what there is, tries both for a decorator.
 */
import { E, R } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { FIELD, K } from './kinds.js';
import type { Walk } from './walk.js';

/**
 * Adds the attributes that are in `node` (a list of them, a declaration, a directive around lists) and gives their
 * rows.
 */
export function attributesOf(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.firstChild(node); c !== -1; c = w.nextChild(c)) {
    switch (w.kind(c)) {
      case K.attribute:
        rows.push(attribute(w, c, scope));
        break;
      case K.attribute_list:
      case K.preproc_if:
      case K.preproc_elif:
      case K.preproc_else:
      case K.preproc_if_in_attribute_list:
      case K.preproc_elif_in_attribute_list:
      case K.preproc_else_in_attribute_list:
        rows.push(...attributesOf(w, c, scope));
        break;
      default:
    }
  }
  return rows;
}

function attribute(w: Walk, node: number, scope: number): number {
  const name = w.child(node, FIELD.name);
  const type = name === -1 ? w.other(node, scope) : w.type(name, scope, R.decorator);
  const list = w.childOf(node, K.attribute_argument_list);
  if (list === -1) return type;
  const args: NewArgument[] = [];
  for (let c = w.firstChild(list); c !== -1; c = w.nextChild(c)) {
    if (w.kind(c) !== K.attribute_argument) continue;
    const keyword = w.child(c, FIELD.name);
    const value = w.last(c);
    if (value === -1) continue;
    if (keyword === -1 || keyword === value) args.push({ expr: w.value(value, scope), start: w.start(c) });
    else if (w.text[w.start(w.after(keyword))] === ':')
      args.push({ expr: w.value(value, scope), keyword: w.nameOf(keyword), start: w.start(c) });
    else {
      // `Name = x` sets a property of the attribute.
      w.keyRow(keyword, type, scope, R.write);
      w.value(value, scope);
    }
  }
  return w.expr(E.call, node, scope, '', type, w.build.argumentList(args));
}
