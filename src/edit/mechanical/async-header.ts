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
import type { TextEdit } from '../../base/text-edit.js';
import { isAwaitable } from '../../graph/resolve/signature.js';
import { argumentsOf, D, E, F, nameOf, type Summary } from '../../syntax/summary.js';
import { importEdits } from '../import-merge.js';
import type { RewriteSite } from './rewrite.js';
import { unseenCallerOf } from './unseen-callers.js';

export type AsyncHeader =
  { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' };

/** Functions of test runners that await what they are given. */
const RUNNERS: ReadonlySet<string> = new Set([
  'it',
  'test',
  'specify',
  'before',
  'after',
  'beforeEach',
  'afterEach',
  'beforeAll',
  'afterAll',
  'only',
  'skip',
  'each',
  'concurrent',
]);

export function asyncHeader(context: RewriteSite, decl: number): AsyncHeader {
  const { summary, text, graphs, block } = context;
  const { decls } = summary;
  const writing = graphs.after.language(block.file).writing.async;
  const against = writing === undefined ? 'the language has no async functions' : reasonAgainst(context, decl);
  if (against !== undefined || writing === undefined) return { cannot: against ?? '', needs: 'model' };
  const start = decls.start[decl] as number;
  const type = typeSpan(summary, text, decl);
  const edits: TextEdit[] = [];
  if (((decls.flags[decl] as number) & F.bodiless) === 0 || writing.returnType === undefined) {
    const name = decls.nameStart[decl] as number;
    const at =
      decls.kind[decl] === D.lambda
        ? 0
        : writing.keywordAt(
            text.slice(start, decls.bodyStart[decl]),
            name < 0 ? -1 : name - start,
            type === undefined ? -1 : type.start - start,
          );
    if (at === undefined)
      return { cannot: `where ${nameOf(summary, decl)} would say async cannot be told`, needs: 'model' };
    edits.push({ start: start + at, end: start + at, text: 'async ' });
  }
  if (type !== undefined && writing.returnType !== undefined && !isAwaitable(summary, decl)) {
    edits.push({ ...type, text: writing.returnType(text.slice(type.start, type.end)) });
    const imported =
      writing.space === undefined || text.includes(writing.space) ? [] : spaceImport(context, writing.space);
    edits.push(...imported);
  }
  return { edits };
}

function reasonAgainst({ graphs, block, summary }: RewriteSite, decl: number): string | undefined {
  const { decls } = summary;
  const name = nameOf(summary, decl);
  const flags = decls.flags[decl] as number;
  const kind = decls.kind[decl];
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
function isGivenToRunner(summary: Summary, decl: number): boolean {
  const { exprs } = summary;
  for (let expr = 0; expr < exprs.count; expr++) {
    if (exprs.op[expr] !== E.call) continue;
    const callee = exprs.a[expr] as number;
    if (callee < 0 || !RUNNERS.has(summary.names[exprs.name[callee] as number] as string)) continue;
    if (
      argumentsOf(summary, expr).some(
        (argument) => argument.expr >= 0 && exprs.op[argument.expr] === E.closure && exprs.a[argument.expr] === decl,
      )
    )
      return true;
  }
  return false;
}

/** The written result type: a qualified name with what it hangs on, and the marks of arrays and nullable types. */
function typeSpan(
  { decls, exprs }: Summary,
  text: string,
  decl: number,
): { readonly start: number; readonly end: number } | undefined {
  const type = decls.type[decl] as number;
  if (type < 0) return undefined;
  let first = type;
  while (exprs.op[first] === E.member && (exprs.a[first] as number) >= 0) first = exprs.a[first] as number;
  const end = exprs.end[type] as number;
  const marks = /^(?:\?|\[[,\s]*\])*/.exec(text.slice(end, decls.bodyStart[decl]));
  return { start: exprs.start[first] as number, end: end + (marks?.[0].length ?? 0) };
}

function spaceImport({ text, summary, graphs, block, summarise }: RewriteSite, space: string): readonly TextEdit[] {
  const statement = graphs.after.language(block.file).writing.importStatement(space, '', undefined, undefined);
  const result = importEdits(text, summary, `${statement}\n`, text.includes('\r\n') ? '\r\n' : '\n', summarise);
  return result.ok ? result.edits : [];
}
