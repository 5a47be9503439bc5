/**
 * One TypeScript or JavaScript file's tree to its summary.
 *
 *     walk.ts            shared state and dispatch by kind number
 *     statements.ts      statements, declarations, variables     modules.ts        imports, exports
 *     functions.ts       functions and parameters                classes.ts        classes
 *     type-members.ts    interfaces, aliases, enums, object types
 *     expressions.ts     expressions      object-literals.ts     jsx.ts     types.ts
 *     patterns.ts        destructuring    narrowing.ts           names.ts   strings.ts
 *     modifiers.ts       modifiers and decorators                doc-comments.ts
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { Summary } from '../../syntax/summary.js';
import { EXPRESSION_HANDLERS } from './expressions.js';
import { JSX_HANDLERS } from './jsx.js';
import { OBJECT_HANDLERS } from './object-literals.js';
import { STATEMENT_HANDLERS } from './statements.js';
import { TYPE_HANDLERS } from './types.js';
import { tablesOf, Walk, type GrammarTables } from './walk.js';

const HANDLERS = {
  expressions: { ...EXPRESSION_HANDLERS, ...OBJECT_HANDLERS, ...JSX_HANDLERS },
  types: TYPE_HANDLERS,
  statements: STATEMENT_HANDLERS,
};

/** Tables by the grammar's list of kinds, of which there is one a grammar. */
const tables = new WeakMap<readonly string[], GrammarTables>();

function tablesFor(tree: FlatTree): GrammarTables {
  let found = tables.get(tree.kindNames);
  if (found === undefined) {
    found = tablesOf(tree.kindNames, tree.fieldNames, HANDLERS);
    tables.set(tree.kindNames, found);
  }
  return found;
}

export function extract(tree: FlatTree): Summary {
  const build = new SummaryBuilder(tree);
  const w = new Walk(tree, build, tablesFor(tree));
  build.isModule = importsOrExports(w);
  w.sloppy = w.tables.untyped && !build.isModule;
  w.statements(0, 0);
  return build.finish('typescript', ';');
}

/** Whether the file is a module by ECMAScript's rule; CommonJS is found out on the way. */
function importsOrExports(w: Walk): boolean {
  const stop = w.skip(0);
  for (let c = 1; c < stop; c = w.skip(c)) {
    const kind = w.kind(c);
    if (kind === 'import_statement' || kind === 'export_statement') return true;
  }
  return false;
}
