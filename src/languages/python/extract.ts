/**
 * A Python tree to its summary.
 *
 * The module's own statements are walked first, then the bodies of functions in the order in
 * which they stand. In a tree with errors a last sweep gives every identifier that no handler
 * reached a row, in the scope of the innermost function or class around it.
 */
import { R, type Summary } from '../../syntax/summary.js';
import type { FlatTree } from '../../syntax/flat-tree.js';
import { documentation, isDocumentation } from './doc-comments.js';
import { K } from './kinds.js';
import { block } from './statements.js';
import { Walk } from './walk.js';

/** `;` separates statements and changes nothing. */
const INSIGNIFICANT = ';';

export function extract(tree: FlatTree): Summary {
  const w = new Walk(tree);
  const first = w.first(0);
  if (first !== -1 && isDocumentation(w, first)) documentation(w, first, 0, w.frame);
  block(w, 0, 0);
  w.runJobs();
  w.exports.finish(w);
  if (w.covered !== undefined) sweep(w, w.covered);
  return w.build.finish('python', INSIGNIFICANT);
}

function sweep(w: Walk, covered: ReadonlySet<number>): void {
  for (let node = 0; node < w.tree.length; node++) {
    if (w.kind(node) !== K.identifier || w.isEmpty(node) || covered.has(w.start(node))) continue;
    w.nameRow(node, scopeAt(w, w.start(node)), R.read);
  }
}

/** Scope of the innermost function or class body around an offset. */
function scopeAt(w: Walk, offset: number): number {
  let best = -1;
  for (let decl = 0; decl < w.build.declCount(); decl++) {
    if (w.build.get(decl, 'inner') < 0 || w.build.get(decl, 'start') > offset || w.build.get(decl, 'end') <= offset)
      continue;
    if (best < 0 || w.build.get(decl, 'start') >= w.build.get(best, 'start')) best = decl;
  }
  return best < 0 ? 0 : w.build.get(best, 'inner');
}
