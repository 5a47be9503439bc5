/**
 * Function made async: `def load()` became `async def load()`, so in a caller that is async itself
 * `load().name` becomes `(await load()).name`; made sync again, the await goes.
 *
 * A caller that is not async becomes an obligation: whether to make it async too, and with it its
 * own callers, is a decision. So is a call inside a lambda or comprehension of such a caller, and one
 * whose result is handed on to something that takes the awaitable (`gather(load())`).
 */
import { callOf } from '../../graph/names.js';
import type { TextEdit } from '../../base/text-edit.js';
import { argumentsOf, E, F, isFunctionLike, nameOf, type Summary } from '../../syntax/summary.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';
import { changedParameters } from './signature-sites.js';

/** Functions that take an awaitable as it is. */
const TAKES_AWAITABLE: ReadonlySet<string> = new Set(['run', 'create_task', 'ensure_future', 'gather', 'wait', 'wait_for', 'shield', 'run_until_complete', 'all', 'allSettled', 'any', 'race', 'resolve', 'WhenAll', 'WhenAny', 'Run']);
/** Return types whose callers awaited before already. */
const AWAITABLE = /^(?:Promise|PromiseLike|Task|ValueTask|Awaitable|Coroutine|Future)\b/;

export const makeAsync: Rewrite = {
  id: 'make-async',
  does: 'awaits calls of a function that became async, and stops where it became sync',
  rewrite: (context: RewriteSite) => changedParameters(context, 'call', (delta) => delta.async !== undefined, follow),
};

function follow(context: RewriteSite): RewriteResult | undefined {
  const { site, summary, text } = context;
  const delta = site.cause.detail.signature;
  const call = callOf(summary, site.expr);
  if (call < 0 || delta === undefined || site.tier !== 'breaks') return undefined;
  if (delta.added.length + delta.removed.length + delta.moved.length > 0) return { cannot: 'its parameters changed too', needs: 'model' };
  if (delta.async !== true) return withoutAwait(summary, text, call);
  if (returnedAwaitable(context)) return { edits: [] };
  const around = functionAround(summary, call);
  if (around === undefined) return { cannot: 'the call is not in a function', needs: 'model' };
  if (((summary.decls.flags[around] as number) & F.async) === 0) return { cannot: `${nameOf(summary, around) || 'the function around it'} is not async`, needs: 'model' };
  const taker = takerOf(summary, call);
  if (taker !== undefined) return { cannot: `its result is handed to ${taker}`, needs: 'person' };
  const start = summary.exprs.start[call] as number;
  const end = summary.exprs.end[call] as number;
  return { edits: isBase(summary, call) ? [{ start, end: start, text: '(await ' }, { start: end, end, text: ')' }] : [{ start, end: start, text: 'await ' }] };
}

/** Whether the function gave an awaitable before it became async: then callers await it, or have their reasons. */
function returnedAwaitable({ site, graphs, texts }: RewriteSite): boolean {
  const { before } = site.cause;
  const text = before === undefined ? undefined : texts.before(before.file);
  if (before === undefined || text === undefined) return false;
  const summary = graphs.before.summary(before.file);
  const type = summary.decls.type[before.decl] as number;
  return type >= 0 && AWAITABLE.test(text.slice(summary.exprs.start[type], summary.exprs.end[type]));
}

function withoutAwait(summary: Summary, text: string, call: number): RewriteResult | undefined {
  const { exprs } = summary;
  for (let expr = call + 1; expr < exprs.count; expr++) {
    if (exprs.op[expr] !== E.await || exprs.a[expr] !== call) continue;
    const start = exprs.start[expr] as number;
    const inner = exprs.start[call] as number;
    const end = exprs.end[call] as number;
    const edits: TextEdit[] = [{ start, end: inner, text: '' }];
    if (text[start - 1] === '(' && text[end] === ')' && isBase(summary, expr)) edits.push({ start: start - 1, end: start, text: '' }, { start: end, end: end + 1, text: '' });
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
    if (exprs.op[expr] !== E.call || (exprs.start[expr] as number) > at || (exprs.end[expr] as number) < at || expr === call) continue;
    const callee = exprs.a[expr] as number;
    const name = callee < 0 ? '' : (summary.names[exprs.name[callee] as number] as string);
    if (TAKES_AWAITABLE.has(name) && argumentsOf(summary, expr).some((argument) => argument.start <= at)) return name;
  }
  return undefined;
}
