/**
 * Removed parameter: `def put(self, key, ttl)` became `def put(self, key)`, so `s.put(k, 60)`
 * becomes `s.put(k)`, and overrides lose the parameter too.
 *
 * The argument goes whether it is positional or a keyword. An argument whose evaluation could do
 * something (a call, an assignment, an await) is left to a person; so is a call that did not fit
 * the old signature, and an override whose body uses the parameter.
 */
import { passesReceiver } from '../../graph/overloads.js';
import { callOf } from '../../graph/names.js';
import { fit, signatureOf } from '../../graph/signature.js';
import type { TextEdit } from '../../base/text-edit.js';
import { argumentsOf, E, F, listAt, nameOf, R, type Summary } from '../../syntax/summary.js';
import { argumentSpans, dropItem, endOfItem, type ArgumentSpan } from './argument-spans.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';

export const removeParameter: Rewrite = {
  id: 'remove-parameter',
  does: 'drops the argument of a removed parameter at calls, and the parameter in overrides',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site } = context;
    const delta = site.cause.detail.signature;
    if (delta === undefined || delta.removed.length === 0 || delta.added.length + delta.moved.length + delta.renamed.length > 0) return undefined;
    if (site.confidence !== 'certain') return { cannot: 'whether this calls the changed function is not certain', needs: 'person' };
    return site.expr < 0 ? inOverride(context) : atCall(context);
  },
};

function atCall({ graphs, block, site, summary, text }: RewriteSite): RewriteResult | undefined {
  const { cause } = site;
  const call = callOf(summary, site.expr);
  if (call < 0 || cause.before === undefined) return undefined;
  const old = graphs.before.summary(cause.before.file);
  const args = argumentsOf(summary, call);
  const receiver = graphs.after.resolve(block.file, site.expr).self;
  const fitted = fit(signatureOf(old, cause.before.decl), args, passesReceiver(old, { ...cause.before, self: receiver }));
  if (!fitted.fits) return { cannot: `the call ${fitted.reason} in the old signature already`, needs: 'person' };
  const removed = new Set(cause.detail.signature?.removed.map((param) => param.name));
  const gone = fitted.pairs.filter(({ param }) => removed.has(param.name));
  if (gone.length === 0) return args.some((argument) => argument.spread !== 'none') ? { cannot: 'the call spreads its arguments', needs: 'person' } : undefined;
  const spans = argumentSpans(summary, text, call);
  if (spans === undefined) return { cannot: 'the arguments cannot be told apart', needs: 'person' };
  const acting = gone.find(({ argument }) => hasEffect(summary, spans.find((span) => span.argument.start === argument.start)));
  if (acting !== undefined) return { cannot: `the argument for ${acting.param.name} may do something when it is evaluated`, needs: 'person' };
  return { edits: dropItems(text, spans, gone.map(({ argument }) => spans.findIndex((span) => span.argument.start === argument.start))) };
}

/** Drops several items of one list; neighbours are dropped as one span. */
function dropItems(text: string, spans: readonly { readonly start: number; readonly end: number }[], indexes: readonly number[]): TextEdit[] {
  if (indexes.length === 1) return [dropItem(text, spans, indexes[0] as number)];
  const first = spans[0] as { start: number };
  const last = spans[spans.length - 1] as { end: number };
  const kept = spans.filter((_, i) => !indexes.includes(i)).map((span) => text.slice(span.start, span.end));
  return [{ start: first.start, end: last.end, text: kept.join(', ') }];
}

/** Whether the argument holds anything but names, members, literals and operators. */
function hasEffect(summary: Summary, span: ArgumentSpan | undefined): boolean {
  if (span === undefined) return true;
  const { exprs } = summary;
  for (let expr = 0; expr < exprs.count; expr++) {
    const start = exprs.start[expr] as number;
    if (start < span.start || start >= span.end) continue;
    const op = exprs.op[expr];
    const role = exprs.role[expr];
    if (op === E.call || op === E.new || op === E.await || role === R.write || role === R.update) return true;
  }
  return false;
}

function inOverride({ graphs, block, site, summary, text, soFar }: RewriteSite): RewriteResult | undefined {
  const params = listAt(summary, summary.decls.params[block.decl] as number);
  const removed = site.cause.detail.signature?.removed ?? [];
  const before = site.cause.before;
  if (before === undefined || params.length === 0) return undefined;
  const written = [...params].filter((param) => (summary.decls.start[param] as number) >= 0);
  const own = signatureOf(summary, block.decl);
  const byName = graphs.after.language(block.file).overloads ? undefined : removed.map((param) => written.find((row) => nameOf(summary, row) === param.name));
  const rows = byName ?? removed.map((param) => own.params[param.index]?.decl);
  if (rows.some((row) => row === undefined)) return undefined;
  const found = rows as number[];
  const used = found.find((row) => isUsed(summary, row, soFar));
  if (used !== undefined) return { cannot: `its body uses the parameter ${nameOf(summary, used)}`, needs: 'model' };
  const spans = written.map((row, i) => ({ start: summary.decls.start[row] as number, end: endOfItem(text, summary.decls.start[row] as number, i + 1 < written.length ? (summary.decls.start[written[i + 1] as number] as number) : (summary.decls.bodyStart[block.decl] as number)) ?? (summary.decls.end[row] as number) }));
  if (found.some((row) => ((summary.decls.flags[row] as number) & F.receiver) !== 0)) return undefined;
  return { edits: dropItems(text, spans, found.map((row) => written.indexOf(row))) };
}

/** Whether the body mentions the parameter outside of what is dropped anyway. */
function isUsed(summary: Summary, param: number, dropped: readonly TextEdit[]): boolean {
  const name = summary.decls.name[param] as number;
  const inner = summary.scopes.owner[summary.decls.scope[param] as number] as number;
  const from = inner < 0 ? 0 : (summary.decls.bodyStart[inner] as number);
  const to = inner < 0 ? summary.textLength : (summary.decls.end[inner] as number);
  for (let i = summary.refStart[name] as number; i < (summary.refStart[name + 1] as number); i++) {
    const expr = summary.refs[i] as number;
    const at = summary.exprs.start[expr] as number;
    if (summary.exprs.op[expr] === E.name && at >= from && at < to && !dropped.some((edit) => edit.start <= at && at < edit.end)) return true;
  }
  return false;
}
