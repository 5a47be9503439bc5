/**
 * From the tree of a C# file to its summary: one walk with a table of handlers by node kind.
 *
 * Kinds without a handler stand for nothing themselves; their children are walked. ERROR nodes are
 * among them, so that what is whole inside broken code is kept.
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import type { Summary } from '../../syntax/summary.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import { DECLARATION_HANDLERS } from './declarations.js';
import { EXPRESSION_HANDLERS } from './expressions.js';
import { T, TAG_COUNT } from './kinds.js';
import { compilationUnit, NAMESPACE_HANDLERS } from './namespaces.js';
import { QUERY_HANDLERS } from './queries.js';
import { STATEMENT_HANDLERS } from './statements.js';
import { Walk, type Handler } from './walk.js';

const children: Handler = (w, node, scope) => w.visitChildren(node, scope);

/** A file that could not be parsed at all is an ERROR at the root, with namespaces and types as far as they are whole. */
const error: Handler = (w, node, scope) =>
  node === 0 ? compilationUnit(w, node, scope) : w.visitChildren(node, scope);

const HANDLERS: readonly Handler[] = Array.from({ length: TAG_COUNT }, (_, tag) =>
  tag === T.ERROR
    ? error
    : (NAMESPACE_HANDLERS[tag] ??
      DECLARATION_HANDLERS[tag] ??
      STATEMENT_HANDLERS[tag] ??
      EXPRESSION_HANDLERS[tag] ??
      QUERY_HANDLERS[tag] ??
      children),
);

/** Directives that change nothing in what the code means. */
const FIRST_DIRECTIVE = T.preproc_region;
const LAST_DIRECTIVE = T.preproc_warning;

export function extract(tree: FlatTree): Summary {
  const build = new SummaryBuilder(tree);
  const walk = new Walk(tree, build, HANDLERS);
  walk.visit(0, 0);
  walk.visitErrors();
  if (tree.text.includes('#')) unhashDirectives(walk);
  return build.finish('csharp');
}

function unhashDirectives(walk: Walk): void {
  for (let i = 0; i < walk.tree.length; i++) {
    const tag = walk.tag(i);
    if (tag >= FIRST_DIRECTIVE && tag <= LAST_DIRECTIVE) walk.build.unhash(walk.start(i), walk.end(i));
  }
}
