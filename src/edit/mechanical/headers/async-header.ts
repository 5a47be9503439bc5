/**
 * The header of a function that becomes async, with the result type that this asks for.
 *
 *     string Name(int id) => ...   ->   async Task<string> Name(int id) => ...
 *
 * Refused where somebody who does not await may call the function: constructors, properties and
 * generators, members that the language itself or a library's base class calls, functions that a
 * decorator got, tests that a runner finds by name, and functions without a name of their own,
 * save those that a test runner takes.
 */
import type { TextEdit } from '../../../base/text-edit.js';
import { isAwaitable } from '../../../graph/resolve/signature.js';
import { languageById } from '../../../languages/registry.js';
import { D, E, F, nameOf, type Summary } from '../../../syntax/summary.js';
import { importEdits, type Summarise } from '../../import-merge.js';
import type { RewriteSite } from '../rewrite.js';
import { unseenCallerOf } from './unseen-callers.js';

export type AsyncHeader =
  { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

export function asyncHeader(context: RewriteSite, decl: number): AsyncHeader {
  const { summary, text, graphs, block } = context;
  const writing = graphs.after.language(block.file).writing.async;
  const against = writing === undefined ? 'the language has no async functions' : reasonAgainst(context, decl);
  return against === undefined
    ? asyncWords(summary, text, decl, context.summarise)
    : { cannot: against, needs: 'model' };
}

/** The same without asking who calls the function. */
export function asyncWords(summary: Summary, text: string, decl: number, summarise: Summarise): AsyncHeader {
  const { decls } = summary;
  const writing = languageById(summary.language).writing.async;
  if (writing === undefined) return { cannot: 'the language has no async functions', needs: 'model' };
  const start = decls.startOf(decl);
  const type = typeSpan(summary, text, decl);
  const edits: TextEdit[] = [];
  if (!decls.has(decl, F.bodiless) || writing.returnType === undefined) {
    const name = decls.nameStartOf(decl);
    const at =
      decls.kindOf(decl) === D.lambda
        ? 0
        : writing.keywordAt(
            text.slice(start, decls.bodyStartOf(decl)),
            name < 0 ? -1 : name - start,
            type === undefined ? -1 : type.start - start,
          );
    if (at === undefined)
      return { cannot: `where ${nameOf(summary, decl)} would say async cannot be told`, needs: 'model' };
    edits.push({ start: start + at, end: start + at, text: 'async ' });
  }
  if (type !== undefined && writing.returnType !== undefined && !isAwaitable(summary, decl)) {
    edits.push({ ...type, text: writing.returnType(text.slice(type.start, type.end)) });
    if (writing.space !== undefined && !text.includes(writing.space))
      edits.push(...spaceImport(summary, text, writing.space, summarise));
  }
  return { edits };
}

/** The header of a function that is async no more; undefined where its words cannot be told apart. */
export function syncWords(summary: Summary, text: string, decl: number): readonly TextEdit[] | undefined {
  const { decls } = summary;
  const writing = languageById(summary.language).writing.async;
  const start = decls.startOf(decl);
  const keyword = /\basync\s+(?!.*\basync\b)/su.exec(text.slice(start, decls.nameStartOf(decl)));
  if (writing === undefined || keyword === null) return undefined;
  const edits: TextEdit[] = [
    { start: start + keyword.index, end: start + keyword.index + keyword[0].length, text: '' },
  ];
  const type = typeSpan(summary, text, decl);
  if (type === undefined || writing.returnType === undefined) return edits;
  const [, name = '', inner] = /^(?:\w+\.)*(\w+)\s*(?:<(.*)>)?$/su.exec(text.slice(type.start, type.end)) ?? [];
  return writing.awaitables.has(name) ? [...edits, { ...type, text: inner ?? 'void' }] : undefined;
}

function reasonAgainst({ graphs, block, summary }: RewriteSite, decl: number): string | undefined {
  const { decls } = summary;
  const name = nameOf(summary, decl);
  const flags = decls.flagsOf(decl);
  const kind = decls.kindOf(decl);
  if (kind === D.lambda)
    return isGivenToRunner(summary, decl)
      ? undefined
      : 'the function around it has no name, and who calls it is not known';
  if (kind === D.constructor) return 'a constructor cannot be async';
  if ((flags & (F.getter | F.setter)) !== 0 || (kind !== D.function && kind !== D.method))
    return `${name} is read, not called`;
  if ((flags & F.generator) !== 0) return `${name} is a generator`;
  return unseenCallerOf(graphs.after, { file: block.file, decl });
}

/** `it('loads', () => ...)`. */
function isGivenToRunner({ exprs, language }: Summary, decl: number): boolean {
  const runners = languageById(language).writing.async?.runners;
  const closure = exprs.rowOfClosure(decl);
  return (
    closure !== undefined &&
    exprs
      .usesOf(closure)
      .some(
        (use) =>
          use.kind === 'argument' &&
          exprs.opOf(use.row) === E.call &&
          exprs.calleeOf(use.row) >= 0 &&
          runners?.has(exprs.nameOf(exprs.calleeOf(use.row))) === true,
      )
  );
}

/** The written result type: a qualified name with what it hangs on, and the marks of arrays and nullable types. */
function typeSpan(
  { decls, exprs }: Summary,
  text: string,
  decl: number,
): { readonly start: number; readonly end: number } | undefined {
  const type = decls.typeOf(decl);
  if (type < 0) return undefined;
  let first = type;
  while (exprs.opOf(first) === E.member && exprs.baseOf(first) >= 0) first = exprs.operandOf(first);
  const end = exprs.endOf(type);
  const marks = /^(?:\?|\[[,\s]*\])*/.exec(text.slice(end, decls.bodyStartOf(decl)));
  return { start: exprs.startOf(first), end: end + (marks?.[0].length ?? 0) };
}

function spaceImport(summary: Summary, text: string, space: string, summarise: Summarise): readonly TextEdit[] {
  const statement = languageById(summary.language).writing.importStatement(space, '', undefined, undefined);
  const result = importEdits(text, summary, `${statement}\n`, text.includes('\r\n') ? '\r\n' : '\n', summarise);
  return result.ok ? result.edits : [];
}
