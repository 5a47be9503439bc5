/**
 * From a Java syntax tree to the summary of its file: the handlers put together, run once over
 * the tree, and what can only be done at the end (documentation, `case` labels, what handlers
 * left of ERROR nodes).
 */
import { ERROR_KIND, type FlatTree } from '../../syntax/flat-tree.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { Summary } from '../../syntax/summary.js';
import { ANNOTATIONS } from './annotations.js';
import { DECLARATIONS } from './declarations.js';
import { documentation } from './doc-comments.js';
import { EXPRESSIONS } from './expressions.js';
import { FUNCTIONS } from './functions.js';
import { IMPORTS } from './imports.js';
import { readNodeKinds, type NodeKinds } from './node-kinds.js';
import { OBJECT_CREATION } from './object-creation.js';
import { PATTERNS } from './patterns.js';
import { settleCaseLabels, STATEMENTS } from './statements.js';
import { Walk, type Handler } from './walk.js';

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ...EXPRESSIONS,
  ...OBJECT_CREATION,
  ...ANNOTATIONS,
  ...PATTERNS,
  ...FUNCTIONS,
  ...DECLARATIONS,
  ...STATEMENTS,
  ...IMPORTS,
]);

interface GrammarTables {
  readonly kinds: NodeKinds;
  /** By kind number. */
  readonly handlers: readonly (Handler | undefined)[];
}

/** One entry a loaded grammar: its name table stands for it. */
const tablesOf = new WeakMap<readonly string[], GrammarTables>();

function grammarTables(tree: FlatTree): GrammarTables {
  let tables = tablesOf.get(tree.kindNames);
  if (tables === undefined) {
    tables = { kinds: readNodeKinds(tree), handlers: tree.kindNames.map((name) => HANDLERS.get(name)) };
    tablesOf.set(tree.kindNames, tables);
  }
  return tables;
}

/** The summary of a file. A `;` counts for no hash: where one may be left out it says nothing, and elsewhere the tree's shape says it. */
export function extract(tree: FlatTree): Summary {
  const { kinds, handlers } = grammarTables(tree);
  const build = new SummaryBuilder(tree);
  const x = new Walk(tree, build, kinds, handlers);
  x.parts(0, 0);
  walkUnseenErrors(x);
  settleCaseLabels(x);
  documentation(x);
  return build.finish('java', ';');
}

/** A handler that knows its children passes over an ERROR among them; it is walked here, in the scope where it stands. */
function walkUnseenErrors(x: Walk): void {
  const { tree } = x;
  for (let n = 1; n < tree.length; n++) {
    if (tree.kind[n] === ERROR_KIND && !x.seenErrors.has(n)) x.walk(n, innermostScope(x, x.start(n)));
  }
}

/** Inner scope of the smallest declaration around an offset. */
function innermostScope({ build }: Walk, offset: number): number {
  let scope = 0;
  let width = Infinity;
  for (let d = 0; d < build.declCount(); d++) {
    const start = build.get(d, 'start');
    const end = build.get(d, 'end');
    if (build.get(d, 'inner') === -1 || start > offset || end <= offset || end - start >= width) continue;
    scope = build.get(d, 'inner');
    width = end - start;
  }
  return scope;
}
