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
import { callOf } from '../../graph/resolve/names.js';
import { isAwaitable } from '../../graph/resolve/signature.js';
import type { TextEdit } from '../../base/text-edit.js';
import { argumentsOf, E, F, isFunctionLike, type Summary } from '../../syntax/summary.js';
import { asyncHeader } from './async-header.js';
import { bracesAround } from './braces.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';
import { changedParameters } from './signature-sites.js';

/** Functions that take an awaitable as it is. */
const TAKES_AWAITABLE: ReadonlySet<string> = new Set([
  'run',
  'create_task',
  'ensure_future',
  'gather',
  'wait',
  'wait_for',
  'shield',
  'run_until_complete',
  'all',
  'allSettled',
  'any',
  'race',
  'resolve',
  'WhenAll',
  'WhenAny',
  'Run',
]);
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
  const taker = takerOf(summary, call);
  if (taker !== undefined) return { cannot: `its result is handed to ${taker}`, needs: 'person' };
  const awaiting = awaitEdits(context, call);
  if ('cannot' in awaiting) return awaiting;
  if (around === undefined || ((summary.decls.flags[around] as number) & F.async) !== 0) return awaiting;
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
  const start = summary.exprs.start[call] as number;
  const end = summary.exprs.end[call] as number;
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
  const at = exprs.start[call] as number;
  for (let expr = call + 1; expr < exprs.count; expr++) {
    const start = exprs.start[expr] as number;
    if (
      exprs.op[expr] === E.list &&
      start < at &&
      (exprs.end[expr] as number) >= (exprs.end[call] as number) &&
      text[start] === '(' &&
      /\bfor\b/.test(text.slice(exprs.end[call], exprs.end[expr]))
    )
      return true;
  }
  return false;
}

/** Why the language does not allow to await at the call, though the function around it may be async. */
function barredBy({ graphs, block, summary, text }: RewriteSite, around: number, call: number): string | undefined {
  const from = summary.decls.bodyStart[around] as number;
  const at = summary.exprs.start[call] as number;
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
  for (let expr = call + 1; expr < exprs.count; expr++) {
    if (exprs.op[expr] !== E.await || exprs.a[expr] !== call) continue;
    const start = exprs.start[expr] as number;
    const inner = exprs.start[call] as number;
    const end = exprs.end[call] as number;
    const edits: TextEdit[] = [{ start, end: inner, text: '' }];
    if (text[start - 1] === '(' && text[end] === ')' && isBase(summary, expr))
      edits.push({ start: start - 1, end: start, text: '' }, { start: end, end: end + 1, text: '' });
    return { edits };
  }
  return undefined;
}

/** The innermost function or lambda around a row. */
function functionAround(summary: Summary, expr: number): number | undefined {
  for (let scope = summary.exprs.scope[expr] as number; scope >= 0; scope = summary.scopes.parent[scope] as number) {
    const owner = summary.scopes.owner[scope] as number;
    if (owner >= 0 && isFunctionLike(summary.decls.kind[owner] as number)) return owner;
  }
  return undefined;
}

/** Whether a member, an index or a call hangs on the row. */
function isBase({ exprs }: Summary, row: number): boolean {
  for (let expr = row + 1; expr < Math.min(exprs.count, row + 64); expr++) {
    const op = exprs.op[expr];
    if (exprs.a[expr] === row && (op === E.member || op === E.index || op === E.call)) return true;
  }
  return false;
}

/** Name of a function that gets the call's awaitable as an argument and expects one. */
function takerOf(summary: Summary, call: number): string | undefined {
  const { exprs } = summary;
  const at = exprs.start[call] as number;
  for (let expr = 0; expr < exprs.count; expr++) {
    if (
      exprs.op[expr] !== E.call ||
      (exprs.start[expr] as number) > at ||
      (exprs.end[expr] as number) < at ||
      expr === call
    )
      continue;
    const callee = exprs.a[expr] as number;
    const name = callee < 0 ? '' : (summary.names[exprs.name[callee] as number] as string);
    if (TAKES_AWAITABLE.has(name) && argumentsOf(summary, expr).some((argument) => argument.start <= at)) return name;
  }
  return undefined;
}
