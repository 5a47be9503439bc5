/**
 * Attributes: `[Foo(1, Name = x)]` is a call of `Foo`, whose row has the role `decorator`.
 *
 * The name is kept as written. It may mean the class `Foo` or `FooAttribute`; resolution, which
 * knows what there is, tries both for a decorator.
 */
import { E, R } from '../../syntax/summary.js';
import type { NewArgument } from '../../syntax/summary-builder.js';
import { T } from './kinds.js';
import { typeRow } from './types.js';
import type { Walk } from './walk.js';

/** Adds the attributes that are in `node` (a list of them, a declaration, a directive around lists) and gives their rows. */
export function attributesOf(w: Walk, node: number, scope: number): number[] {
  const rows: number[] = [];
  for (let c = w.first(node); c !== -1; c = w.next(node, c)) {
    switch (w.tag(c)) {
      case T.attribute:
        rows.push(attribute(w, c, scope));
        break;
      case T.attribute_list:
      case T.preproc_if:
      case T.preproc_elif:
      case T.preproc_else:
      case T.preproc_if_in_attribute_list:
      case T.preproc_elif_in_attribute_list:
      case T.preproc_else_in_attribute_list:
        rows.push(...attributesOf(w, c, scope));
        break;
      default:
    }
  }
  return rows;
}

function attribute(w: Walk, node: number, scope: number): number {
  const name = w.inField(node, w.kinds.fields.name);
  const type = name === -1 ? w.expr(E.other, node, scope) : typeRow(w, name, scope, R.decorator);
  const list = w.ofTag(node, T.attribute_argument_list);
  if (list === -1) return type;
  const args: NewArgument[] = [];
  for (let c = w.first(list); c !== -1; c = w.next(list, c)) {
    if (w.tag(c) !== T.attribute_argument) continue;
    const keyword = w.inField(c, w.kinds.fields.name);
    const value = w.lastNamed(c);
    if (value === -1) continue;
    if (keyword === -1 || keyword === value) args.push({ expr: w.value(value, scope), start: w.start(c) });
    else if (w.tree.text[w.start(w.tree.skip[keyword] as number)] === ':')
      args.push({ expr: w.value(value, scope), keyword: w.name(keyword), start: w.start(c) });
    else {
      // `Name = x` sets a property of the attribute.
      w.build.expr(E.initializer, w.nameStart(keyword), w.end(keyword), scope, w.name(keyword), type);
      w.value(value, scope);
    }
  }
  return w.expr(E.call, node, scope, '', type, w.build.argumentList(args));
}
