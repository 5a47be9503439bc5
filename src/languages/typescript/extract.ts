/**
 * One TypeScript or JavaScript file's tree to its summary.
 *
 *     statements.ts      statements, variables               modules.ts   imports, exports
 *     functions.ts       functions and parameters            classes.ts   classes
 *     type-members.ts    interfaces, aliases, enums, object types
 *     expressions.ts     expressions      object-literals.ts     jsx.ts     types.ts
 *     patterns.ts        destructuring    narrowing.ts           names.ts   strings.ts
 *     modifiers.ts       modifiers and decorators                doc-comments.ts
 *     put-on.ts          members that plain JavaScript puts on prototypes and objects
 */
import type { FlatTree } from '../../syntax/flat-tree.js';
import type { GrammarName } from '../../syntax/grammar.js';
import { SummaryBuilder } from '../../syntax/summary-builder.js';
import type { Summary } from '../../syntax/summary.js';
import { handlersOf, TreeWalk } from '../../syntax/tree-walk.js';
import { EXPRESSIONS } from './expressions.js';
import { JSX } from './jsx.js';
import { K, VOCABULARY } from './kinds.js';
import { OBJECTS } from './object-literals.js';
import { finishPutOn } from './put-on.js';
import { STATEMENTS } from './statements.js';
import { TYPES } from './types.js';
import { TypeScriptState, walkParts } from './walk.js';

const HANDLERS = handlersOf(
  VOCABULARY,
  { ...TYPES, ...EXPRESSIONS, ...OBJECTS, ...JSX, ...STATEMENTS },
  TYPES,
  walkParts,
);

export function extract(tree: FlatTree, grammar: GrammarName): Summary {
  const build = new SummaryBuilder(tree);
  const untyped = grammar === 'javascript';
  build.isModule = importsOrExports(tree);
  const w = new TreeWalk(tree, build, HANDLERS, new TypeScriptState(build, untyped, untyped && !build.isModule));
  w.children(0, 0);
  finishPutOn(w);
  w.unreached();
  return build.finish('typescript', ';');
}

/** Whether the file is a module by ECMAScript's rule; CommonJS is found out on the way. */
function importsOrExports(tree: FlatTree): boolean {
  const { kinds } = VOCABULARY.numbersOf(tree);
  for (let c = 1; c < tree.length; c = tree.skip[c] as number) {
    const kind = kinds[tree.kind[c] as number];
    if (kind === K.import_statement || kind === K.export_statement) return true;
  }
  return false;
}
