/**
 * A Python tree to its summary: the module's own statements, then the bodies of functions in the
 * order in which they stand.
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { Summary } from '../../syntax/summary.js';
import { handlersOf, TreeWalk } from '../../syntax/tree-walk.js';
import { documentation, isDocumentation } from './doc-comments.js';
import { EXPRESSIONS, pieces } from './expressions.js';
import { VOCABULARY } from './kinds.js';
import { STATEMENTS } from './statements.js';
import { TYPES } from './types.js';
import { PythonState } from './walk.js';

const HANDLERS = handlersOf(VOCABULARY, { ...EXPRESSIONS, ...STATEMENTS }, TYPES, pieces);
/** `;` separates statements and changes nothing. */
const INSIGNIFICANT = ';';

export function extract(tree: FlatTree): Summary {
  const build = new SummaryBuilder(tree);
  const state = new PythonState(build);
  const w = new TreeWalk(tree, build, HANDLERS, state);
  const first = w.first(0);
  if (first !== -1 && isDocumentation(w, first)) documentation(w, first, 0, state.frame);
  w.visit(0, 0);
  state.runJobs();
  state.exports.finish(w);
  w.unreached((scope) => state.enterFrameOf(scope));
  return build.finish('python', INSIGNIFICANT);
}
