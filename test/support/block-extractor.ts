/**
 * A small extractor for tests of what needs blocks, imports and errors but no references.
 *
 * One table row a language says which nodes are blocks and which are imports. With it a test of
 * merging depends on the grammars and on the summary's contract, not on the languages' extractors.
 */
import assert from 'node:assert/strict';
import { childByField, firstChild, kindOf, nextSibling, textOf, type FlatTree } from '#src/syntax/flat-tree.js';
import type { GrammarName, Grammars } from '#src/syntax/grammar.js';
import { SummaryBuilder } from '#src/syntax/summary-builder.js';
import { D, S, type DeclKind, type ImportEntry, type LanguageId, type Summary } from '#src/syntax/summary.js';

interface Blocks {
  readonly grammar: GrammarName;
  readonly kinds: Readonly<Record<string, DeclKind>>;
  /** Nodes that are part of the block below them. */
  readonly wrappers: readonly string[];
  /** Import statement to its entries. */
  imports(statement: string): Pick<ImportEntry, 'kind' | 'module' | 'name'>[];
  readonly importKinds: readonly string[];
}

const names = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

const BLOCKS: Readonly<Record<LanguageId, Blocks>> = {
  python: {
    grammar: 'python',
    wrappers: ['decorated_definition'],
    importKinds: ['import_from_statement', 'import_statement', 'future_import_statement'],
    kinds: { class_definition: D.class, function_definition: D.function },
    imports: (statement) => {
      const from = /^from\s+(\S+)\s+import\s+\(?([^)]*)\)?$/.exec(statement);
      if (from !== null)
        return names(from[2] as string).map((name) => ({ kind: 'name', module: from[1] as string, name }));
      return names(statement.replace(/^import\s+/, '')).map((module) => ({ kind: 'module', module, name: '' }));
    },
  },
  typescript: {
    grammar: 'typescript',
    wrappers: ['export_statement'],
    importKinds: ['import_statement'],
    kinds: {
      class_declaration: D.class,
      function_declaration: D.function,
      method_definition: D.method,
      public_field_definition: D.field,
    },
    imports: (statement) => {
      const module = (/from\s+['"](.*)['"]/.exec(statement) as RegExpExecArray)[1] as string;
      return names((/\{(.*)\}/.exec(statement) as RegExpExecArray)[1] as string).map((name) => ({
        kind: 'name',
        module,
        name,
      }));
    },
  },
  java: {
    grammar: 'java',
    wrappers: [],
    importKinds: ['import_declaration'],
    kinds: { class_declaration: D.class, method_declaration: D.method, constructor_declaration: D.constructor },
    imports: (statement) => {
      const path = statement.replace(/^import\s+|\s*;$/g, '');
      return [
        { kind: 'name', module: path.slice(0, path.lastIndexOf('.')), name: path.slice(path.lastIndexOf('.') + 1) },
      ];
    },
  },
  csharp: {
    grammar: 'csharp',
    wrappers: [],
    importKinds: ['using_directive'],
    kinds: { class_declaration: D.class, method_declaration: D.method, namespace_declaration: D.namespace },
    imports: (statement) => [{ kind: 'star', module: statement.replace(/^using\s+|\s*;$/g, ''), name: '' }],
  },
};

/** A function that summarises texts of the language. */
export function blockExtractor(grammars: Grammars, language: LanguageId): (text: string) => Summary {
  const blocks = BLOCKS[language];
  return (text) => {
    const tree = grammars.parse(blocks.grammar, text);
    const build = new SummaryBuilder(tree);
    walk(tree, 0, build, blocks, { scope: 0, parent: -1, start: -1 });
    return build.finish(language, language === 'typescript' ? ';' : '');
  };
}

interface Around {
  readonly scope: number;
  readonly parent: number;
  /** Start of the wrapper that the next block belongs to, -1 for none. */
  readonly start: number;
}

function walk(tree: FlatTree, node: number, build: SummaryBuilder, blocks: Blocks, around: Around): void {
  const name = kindOf(tree, node);
  if (blocks.importKinds.includes(name)) return addImports(tree, node, build, blocks, around.scope);
  const kind = blocks.kinds[name];
  const nameNode = kind === undefined ? -1 : childByField(tree, node, 'name');
  let inner: Around = { ...around, start: blocks.wrappers.includes(name) ? (tree.start[node] as number) : -1 };
  if (kind !== undefined && nameNode !== -1) {
    const start = around.start === -1 ? (tree.start[node] as number) : around.start;
    const body = childByField(tree, node, 'body');
    const decl = build.decl({
      kind,
      name: textOf(tree, nameNode),
      nameStart: tree.start[nameNode] as number,
      start,
      end: tree.end[node] as number,
      scope: around.scope,
      parent: around.parent,
      ...(body === -1 ? {} : { bodyStart: tree.start[body] as number }),
    });
    const own = kind === D.namespace ? around.parent : decl;
    const scope = build.scope(kind === D.class ? S.class : S.function, around.scope, decl, own);
    build.set(decl, 'inner', scope);
    inner = { scope, parent: own, start: -1 };
  }
  for (let child = firstChild(tree, node); child !== -1; child = nextSibling(tree, child))
    walk(tree, child, build, blocks, inner);
}

function addImports(tree: FlatTree, node: number, build: SummaryBuilder, blocks: Blocks, scope: number): void {
  const statementStart = tree.start[node] as number;
  const statementEnd = tree.end[node] as number;
  const text = textOf(tree, node);
  let from = 0;
  for (const entry of blocks.imports(text)) {
    const word = entry.name === '' ? entry.module : entry.name;
    const at =
      entry.name === ''
        ? text.indexOf(word, from)
        : findWord(text, word, Math.max(from, text.startsWith('from') ? text.indexOf('import') : 0));
    from = at + word.length;
    const start = statementStart + at;
    const end = start + word.length;
    const decl =
      entry.kind === 'star'
        ? -1
        : build.decl({ kind: D.importBinding, name: word, nameStart: start, start, end, scope, parent: -1 });
    build.import({
      ...entry,
      decl,
      expr: -1,
      start,
      end,
      statementStart,
      statementEnd,
      moduleStart: start,
      typeOnly: false,
      global: false,
    });
  }
}

function findWord(text: string, word: string, from: number): number {
  const found = new RegExp(`\\b${word}\\b`).exec(text.slice(from));
  assert.ok(found !== null, 'the word was taken from this text');
  return from + found.index;
}
