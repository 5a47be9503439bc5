/**
 * From a Java syntax tree to the summary of its file: the handlers put together, run once over
 * the tree, and what can only be done at the end (`case` labels, documentation).
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { Summary } from '../../syntax/summary.js';
import { handlersOf, TreeWalk } from '../../syntax/tree-walk.js';
import { ANNOTATIONS } from './annotations.js';
import { DECLARATIONS } from './declarations.js';
import { documentation } from './doc-comments.js';
import { EXPRESSIONS } from './expressions.js';
import { FUNCTIONS } from './functions.js';
import { IMPORTS } from './imports.js';
import { VOCABULARY } from './kinds.js';
import { OBJECT_CREATION } from './object-creation.js';
import { bindingTests, PATTERNS } from './patterns.js';
import { settleCaseLabels, STATEMENTS } from './statements.js';
import { TYPES } from './types.js';
import { JavaState, type Handler } from './walk.js';

/** Statements, bodies, ERROR nodes and what a newer grammar may bring: together their parts are no value. */
const parts: Handler = (w, node, scope) => {
  w.children(node, scope);
  return -1;
};

const HANDLERS = handlersOf(
  VOCABULARY,
  {
    ...TYPES,
    ...EXPRESSIONS,
    ...OBJECT_CREATION,
    ...ANNOTATIONS,
    ...PATTERNS,
    ...FUNCTIONS,
    ...DECLARATIONS,
    ...STATEMENTS,
    ...IMPORTS,
  },
  TYPES,
  parts,
);

/**
 * The summary of a file. A `;` counts for no hash: where one may be left out it says nothing, and elsewhere the tree's
 * shape says it.
 */
export function extract(tree: FlatTree): Summary {
  const build = new SummaryBuilder(tree);
  const state = new JavaState(tree, build);
  const w = new TreeWalk(tree, build, HANDLERS, state);
  state.bindings = bindingTests(w);
  w.visit(0, 0);
  w.unreached();
  settleCaseLabels(w);
  documentation(w);
  return build.finish('java', ';');
}
