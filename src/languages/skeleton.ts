/**
 * The skeleton of a source file: its text without function bodies, private functions and comments.
 *
 * What is left says all that code elsewhere can see of the file, in the file's own language, so that it can be read
 * as any source can. Of a body stays what is seen from outside: fields of the class that it declares, and, where no
 * type of the result is declared, an object that it makes or hands on.
 */
import { applyEdits, type TextEdit } from '../base/text-edit.js';
import { EXTRA, kindOf, textOf, type FlatTree } from '../syntax/flat-tree.js';
import type { Grammars } from '../syntax/grammar.js';
import { D, isBlockKind, isClassLike, isFieldLike, isFunctionLike, type Summary } from '../syntax/summary.js';
import type { Language } from './language.js';
import { read } from './summarise.js';
import type { BodyText } from './writing.js';

/** Undefined for a file of no known language. Texts with syntax errors are cut as far as they could be read. */
export function skeletonOf(grammars: Grammars, file: string, text: string): string | undefined {
  const reading = read(grammars, file, text);
  if (reading === undefined) return undefined;
  const { language, tree, summary } = reading;
  const cuts = [
    ...hiddenDeclarations(language, summary, text),
    ...bodyCuts(language, summary, tree),
    ...commentCuts(tree, text),
    ...(language.offside ? docstringCuts(tree) : []),
  ];
  return applyEdits(text, outermost(cuts));
}

/** Those that begin in no other one; of two that begin together the longer. */
function outermost(cuts: readonly TextEdit[]): TextEdit[] {
  let reached = 0;
  return [...cuts]
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ start, end }) => {
      if (start < reached) return false;
      reached = Math.max(reached, end);
      return true;
    });
}

/** With their line, where nothing else stands on it. */
function commentCuts(tree: FlatTree, text: string): TextEdit[] {
  const out: TextEdit[] = [];
  for (let node = 0; node < tree.length; node++) {
    if (((tree.flags[node] as number) & EXTRA) === 0 || !kindOf(tree, node).includes('comment')) continue;
    out.push(withItsLine(text, tree.start[node] as number, tree.end[node] as number));
  }
  return out;
}

/** Statements that are nothing but a string. Something has to stay where they are all that a block holds. */
function docstringCuts(tree: FlatTree): TextEdit[] {
  const out: TextEdit[] = [];
  for (let node = 0; node < tree.length; node++) {
    if (kindOf(tree, node) !== 'expression_statement' || kindOf(tree, node + 1) !== 'string') continue;
    if (tree.skip[node + 1] !== tree.skip[node]) continue;
    out.push({ start: tree.start[node] as number, end: tree.end[node] as number, text: '...' });
  }
  return out;
}

function withItsLine(text: string, start: number, end: number): TextEdit {
  const before = /[ \t]*$/u.exec(text.slice(Math.max(0, start - 400), start))?.[0] ?? '';
  const from = start - before.length;
  const after = /^[ \t]*\r?\n/u.exec(text.slice(end, end + 400))?.[0];
  const isAlone = from === 0 || text[from - 1] === '\n';
  return { start: from, end: isAlone && after !== undefined ? end + after.length : end, text: '' };
}

/** Functions that no other code than that of their class can use. */
function hiddenDeclarations(language: Language, { decls }: Summary, text: string): TextEdit[] {
  const out: TextEdit[] = [];
  for (let decl = 0; decl < decls.count; decl++) {
    const owner = decls.parentOf(decl);
    if (decls.kindOf(decl) !== D.method || owner < 0 || !isClassLike(decls.kindOf(owner))) continue;
    const isHidden =
      language.reach(decls.flagsOf(decl), decls.kindOf(owner)) === 'class' ||
      language.isPrivate(decls.nameOf(decl), decls.flagsOf(decl));
    if (isHidden && !language.offside) out.push(withItsLine(text, decls.startOf(decl), decls.endOf(decl)));
  }
  return out;
}

/** Bodies of the outermost functions. */
function bodyCuts(language: Language, { decls }: Summary, tree: FlatTree): TextEdit[] {
  const out: TextEdit[] = [];
  let reached = 0;
  const functions = [];
  for (let decl = 0; decl < decls.count; decl++)
    if (isFunctionLike(decls.kindOf(decl)) && decls.bodyStartOf(decl) < decls.endOf(decl)) functions.push(decl);
  functions.sort((a, b) => decls.startOf(a) - decls.startOf(b));
  for (const decl of functions) {
    const [start, end] = [decls.bodyStartOf(decl), decls.endOf(decl)];
    if (start < reached) continue;
    reached = end;
    const written = tree.text.slice(start, end);
    const line = tree.text.lastIndexOf('\n', start - 1) + 1;
    const lead = tree.text.slice(line, start);
    const body: BodyText = {
      text: written,
      fields: fieldsWithin(decls, decl, tree.text),
      results: decls.typeOf(decl) < 0 ? resultsWithin(tree, start, end) : [],
      indent: /^[ \t]*$/u.test(lead) ? lead : undefined,
    };
    const text = language.writing.emptied(body);
    if (text !== undefined && text !== written) out.push({ start, end, text });
  }
  return out;
}

/** Statements within the body that declare fields of the class around it, each once. */
function fieldsWithin(decls: Summary['decls'], owner: number, text: string): BodyText['fields'] {
  const out = new Map<string, BodyText['fields'][number]>();
  for (let decl = 0; decl < decls.count; decl++) {
    if (!isBlockKind(decls.kindOf(decl)) || !isFieldLike(decls.kindOf(decl))) continue;
    if (decls.startOf(decl) < decls.bodyStartOf(owner) || decls.endOf(decl) > decls.endOf(owner)) continue;
    if (decls.parentOf(decl) === owner) continue;
    const head = text.slice(decls.startOf(decl), decls.bodyStartOf(decl));
    const value = text.slice(decls.bodyStartOf(decl), decls.endOf(decl));
    if (!head.includes('\n')) out.set(head + value, { head, value: value.includes('\n') ? undefined : value });
  }
  return [...out.values()];
}

/** An object that is made, or handed on: its maker's name says its type. */
const TELLING = /^return\s+(?:(self|cls|this)\s*;?$|((?:new\s+)?(?:\w+\.)*[A-Z]\w*)\s*(?:<[^()]*>)?\()/u;
const FUNCTION_KIND = /function|lambda|method_definition|class_definition|class_declaration/u;

/** What a body returns, as far as the text tells its type: `return Store()`, `return self`. */
function resultsWithin(tree: FlatTree, from: number, to: number): string[] {
  const out = new Set<string>();
  for (let node = 0; node < tree.length;) {
    const [start, end] = [tree.start[node] as number, tree.end[node] as number];
    const kind = kindOf(tree, node);
    if (start >= to || end <= from || (start > from && FUNCTION_KIND.test(kind))) {
      node = tree.skip[node] as number;
      continue;
    }
    if (start >= from && kind === 'return_statement') {
      const [, itself, made] = TELLING.exec(textOf(tree, node)) ?? [];
      if (itself !== undefined) out.add(`return ${itself}`);
      else if (made !== undefined) out.add(`return ${made}()`);
    }
    node++;
  }
  return [...out];
}
