/**
 * From the tree of a C# file to its summary: one walk with a table of handlers by node kind.
 *
 * Kinds without a handler stand for nothing themselves; their children are walked.
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { Summary } from '../../syntax/summary.js';
import { handlersOf, TreeWalk } from '../../syntax/tree-walk.js';
import { DECLARATIONS } from './declarations.js';
import { EXPRESSIONS } from './expressions.js';
import { K, VOCABULARY } from './kinds.js';
import { NAMESPACES } from './namespaces.js';
import { QUERIES } from './queries.js';
import { STATEMENTS } from './statements.js';
import { TYPES } from './types.js';
import { CSharpState, type Walk } from './walk.js';

const HANDLERS = handlersOf(
  VOCABULARY,
  { ...QUERIES, ...EXPRESSIONS, ...STATEMENTS, ...DECLARATIONS, ...NAMESPACES },
  TYPES,
  (w: Walk, node, scope) => w.lastOf(node, scope),
);

/** Directives that change nothing in what the code means. */
const IDLE_DIRECTIVES = new Uint8Array(VOCABULARY.size);
for (const kind of [
  K.preproc_region,
  K.preproc_endregion,
  K.preproc_line,
  K.preproc_pragma,
  K.preproc_nullable,
  K.preproc_error,
  K.preproc_warning,
])
  IDLE_DIRECTIVES[kind] = 1;

export function extract(tree: FlatTree): Summary {
  const build = new SummaryBuilder(tree);
  const w = new TreeWalk(tree, build, HANDLERS, new CSharpState());
  w.visit(0, 0);
  w.unreached();
  if (tree.text.includes('#')) unhashDirectives(w);
  return build.finish('csharp');
}

function unhashDirectives(w: Walk): void {
  for (let node = 0; node < w.tree.length; node++)
    if (IDLE_DIRECTIVES[w.kind(node)] === 1) w.build.unhash(w.start(node), w.end(node));
}
