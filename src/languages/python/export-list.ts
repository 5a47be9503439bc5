/**
 * The names that a module puts into `__all__`, as `=`, `+=`, `extend` and `append` give them.
 *
 * What is not written out (`a.__all__ + [...]`) makes the list unknown: then there are no
 * entries, and every public name counts as exported.
 */
import { E } from '../../syntax/summary.js';
import { K } from './kinds.js';
import type { Walk } from './walk.js';

export class ExportList {
  private readonly entries: {
    readonly name: string;
    readonly expr: number;
    readonly start: number;
    readonly end: number;
  }[] = [];
  private unknown = false;

  /** Walks the value of `=`, `+=`, the arguments of `extend` and `append`. */
  add(w: Walk, node: number, scope: number): void {
    switch (w.kind(node)) {
      case K.list:
      case K.tuple:
      case K.set:
      case K.expression_list:
      case K.argument_list:
      case K.parenthesized_expression:
        for (let c = w.first(node); c !== -1; c = w.next(c)) this.add(w, c, scope);
        return;
      case K.string: {
        const expr = w.value(node, scope);
        const content = w.childOf(node, K.string_content);
        if (content === -1) return;
        this.entries.push({
          name: w.text.slice(w.start(content), w.end(content)),
          expr: w.build.exprOp(expr) === E.string ? expr : -1,
          start: w.start(node),
          end: w.end(node),
        });
        return;
      }
      case K.binary_operator:
        w.nested(node, scope, () => {
          for (let c = w.first(node); c !== -1; c = w.next(c)) this.add(w, c, scope);
          return -1;
        });
        return;
      default:
        w.value(node, scope);
        this.unknown = true;
    }
  }

  /** Starts over: `__all__ = ...`. */
  clear(): void {
    this.entries.length = 0;
    this.unknown = false;
  }

  finish(w: Walk): void {
    if (this.unknown) return;
    for (const { name, expr, start, end } of this.entries) w.build.export({ name, local: name, expr, start, end });
  }
}
