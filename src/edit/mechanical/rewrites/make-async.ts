/**
 * Function made async: `def load()` became `async def load()`, so `load().name` in a caller becomes
 * `(await load()).name`, the caller becomes async with it, and in the next round its own callers;
 * what overrides a function or is overridden by it follows too. Made sync again, the await goes.
 *
 * Obligations stay where the keyword alone does not do it: at the top of a module, in callbacks and
 * generator expressions, in constructors, properties and whatever else somebody calls who does not
 * await (see async-header.ts), and where the result is handed on to something that takes the
 * awaitable (`gather(load())`). A caller that need not be async any more stays so.
 */
import { callOf } from '../../../graph/resolve/names.js';
import { isAwaitable } from '../../../graph/resolve/signature.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { E, F, isFunctionLike, type Summary } from '../../../syntax/summary.js';
import { bracesAround } from '../../../languages/braces.js';
import { asyncHeader } from '../headers/async-header.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';

export const makeAsync: Rewrite = {
  id: 'make-async',
  does: 'awaits calls of a function that became async, and stops where it became sync',
  rewrite: (context: RewriteSite) =>
    changedParameters(context, 'call', (delta) => delta.async !== undefined, follow) ??
    changedParameters(context, 'override', (delta) => delta.async === true, followOverride),
};

function follow(context: RewriteSite): RewriteResult | undefined {
  const { site, summary, text } = context;
  const delta = site.cause.detail.signature;
  const call = callOf(summary, site.expr);
  if (call < 0 || delta === undefined || site.tier !== 'breaks') return undefined;
  if (delta.added.length + delta.removed.length + delta.moved.length > 0)
    return { cannot: 'its parameters changed too', needs: 'model' };
  if (delta.async !== true) return withoutAwait(summary, text, call);
  const around = functionAround(summary, call);
  const isAtTop =
    around === undefined &&
    context.block.decl < 0 &&
    context.graphs.after.language(context.block.file).writing.async?.awaitsAtTop === true;
  if (around === undefined && !isAtTop) return { cannot: 'the call is not in a function', needs: 'model' };
  if (isInGenerator(summary, text, call)) return { cannot: 'the call is in a generator expression', needs: 'model' };
  const barred = around === undefined ? undefined : barredBy(context, around, call);
  if (barred !== undefined) return { cannot: barred, needs: 'model' };
  const taker = takerOf(context, call);
  if (taker !== undefined) return { cannot: `its result is handed to ${taker}`, needs: 'person' };
  const awaiting = awaitEdits(context, call);
  if ('cannot' in awaiting) return awaiting;
  if (around === undefined || summary.decls.has(around, F.async)) return awaiting;
  const header = asyncHeader(context, around);
  return 'cannot' in header ? header : { edits: [...header.edits, ...awaiting.edits] };
}

/** A member that overrides the one that became async, or is overridden by it. */
function followOverride(context: RewriteSite): RewriteResult | undefined {
  const { site, summary, block } = context;
  const delta = site.cause.detail.signature;
  if (delta === undefined || isAwaitable(summary, block.decl)) return undefined;
  if (delta.added.length + delta.removed.length + delta.moved.length > 0)
    return { cannot: 'its parameters changed too', needs: 'model' };
  return asyncHeader(context, block.decl);
}

function awaitEdits(
  { graphs, block, summary, text }: RewriteSite,
  call: number,
): { readonly edits: readonly TextEdit[] } | { readonly cannot: string; readonly needs: 'model' } {
  const start = summary.exprs.startOf(call);
  const end = summary.exprs.endOf(call);
  if (!isBase(summary, call)) return { edits: [{ start, end: start, text: 'await ' }] };
  const before = /[\w)\]'"`]\s*\n\s*$/.test(text.slice(Math.max(0, start - 200), start));
  if (before && graphs.after.language(block.file).writing.async?.joinsLines === true)
    return { cannot: 'a bracket at the start of its line would join it to the line before', needs: 'model' };
  return {
    edits: [
      { start, end: start, text: '(await ' },
      { start: end, end, text: ')' },
    ],
  };
}

/** Whether the call runs when a generator is iterated, by whoever gets it. */
function isInGenerator({ exprs }: Summary, text: string, call: number): boolean {
  const at = exprs.startOf(call);
  for (let expr = call + 1; expr < exprs.count; expr++) {
    const start = exprs.startOf(expr);
    if (
      exprs.opOf(expr) === E.list &&
      start < at &&
      exprs.endOf(expr) >= exprs.endOf(call) &&
      text[start] === '(' &&
      /\bfor\b/.test(text.slice(exprs.endOf(call), exprs.endOf(expr)))
    )
      return true;
  }
  return false;
}

/** Why the language does not allow to await at the call, though the function around it may be async. */
function barredBy({ graphs, block, summary, text }: RewriteSite, around: number, call: number): string | undefined {
  const from = summary.decls.bodyStartOf(around);
  const at = summary.exprs.startOf(call);
  const body = text.slice(from, at);
  const statement = body.slice(Math.max(...[';', '{', '}'].map((mark) => body.lastIndexOf(mark))) + 1);
  const heads = bracesAround(text, from, at).map((brace) => text.slice(from, brace).trimEnd());
  return graphs.after
    .language(block.file)
    .writing.async?.barred.find(
      ({ block: head, within }) =>
        within.test(statement) || (head !== undefined && heads.some((before) => head.test(before))),
    )?.reason;
}

function withoutAwait(summary: Summary, text: string, call: number): RewriteResult | undefined {
  const { exprs } = summary;
  const awaited = exprs.wholeBy(call, E.await);
  if (awaited < 0) return undefined;
  const start = exprs.startOf(awaited);
  const inner = exprs.startOf(call);
  const end = exprs.endOf(call);
  const edits: TextEdit[] = [{ start, end: inner, text: '' }];
  if (text[start - 1] === '(' && text[end] === ')' && isBase(summary, awaited))
    edits.push({ start: start - 1, end: start, text: '' }, { start: end, end: end + 1, text: '' });
  return { edits };
}

/** The innermost function or lambda around a row. */
function functionAround(summary: Summary, expr: number): number | undefined {
  for (let scope = summary.exprs.scopeOf(expr); scope >= 0; scope = summary.scopes.parentOf(scope)) {
    const owner = summary.scopes.ownerOf(scope);
    if (owner >= 0 && isFunctionLike(summary.decls.kindOf(owner))) return owner;
  }
  return undefined;
}

/** Whether a member, an index or a call hangs on the row. */
function isBase({ exprs }: Summary, row: number): boolean {
  return [E.member, E.index, E.call].some((op) => exprs.wholeBy(row, op) >= 0);
}

/** Name of a function that gets the call's awaitable as an argument and expects one. */
function takerOf({ graphs, block, summary }: RewriteSite, call: number): string | undefined {
  const { exprs } = summary;
  const takers = graphs.after.language(block.file).writing.async?.takers;
  const at = exprs.startOf(call);
  const taker = exprs
    .ofOp(E.call)
    .find(
      (row) =>
        row !== call &&
        exprs.startOf(row) <= at &&
        exprs.endOf(row) >= at &&
        takers?.has(calledName(summary, row)) === true &&
        exprs.argumentsOf(row).some((argument) => argument.start <= at),
    );
  return taker === undefined ? undefined : calledName(summary, taker);
}

function calledName({ exprs }: Summary, call: number): string {
  const callee = exprs.calleeOf(call);
  return callee < 0 ? '' : exprs.nameOf(callee);
}
