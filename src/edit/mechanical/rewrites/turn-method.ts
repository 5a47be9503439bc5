/**
 * Function turned into a method, static or not, and back: with `total(cart, rate)` moved into
 * `class Cart`, `total(c, 2)` becomes `c.total(2)`; made a function again, `total(c, 2)`.
 *
 * Imports of the function go with it or name its class, and what a file does not know yet is
 * imported. Refused where the object may be something else than what has the method, where the
 * object would be lost or its own code is rewritten too, and where the other parameters changed.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { saidOfFunction } from '../../../graph/resolve/misfit.js';
import { isSubclass } from '../../../graph/resolve/hierarchy.js';
import { callOf, lookUp } from '../../../graph/resolve/names.js';
import { passesReceiver } from '../../../graph/resolve/overloads.js';
import { fit, signatureOf, type Parameter } from '../../../graph/resolve/signature.js';
import type { DeclRef } from '../../../languages/language.js';
import { E, R } from '../../../syntax/summary.js';
import { argumentSpans, type ArgumentSpan } from '../calls/argument-spans.js';
import { editedSpan, hasEffect, openOf } from '../calls/call-arguments.js';
import { turnOf, type Turn } from '../calls/calling-form.js';
import {
  alikeTo,
  importBelow,
  importInto,
  importStatements,
  withModule,
  withoutNames,
  type ListedName,
} from '../imports/import-statement.js';
import { editList, type WantedItem } from '../calls/list-edit.js';
import { moduleNameOf } from '../imports/module-name.js';
import { nameFor } from '../names/name-for.js';
import { calledOn } from '../calls/receiver.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { sameDecl } from '../../../syntax/rows.js';

export const turnMethod: Rewrite = {
  id: 'turn-method',
  does: 'calls a function that became a method on its object, and back',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, summary, graphs, block, text } = context;
    const turn = turnOf(graphs, site.cause);
    const role = summary.exprs.roleOf(site.expr);
    if (turn === undefined || site.expr < 0 || role === R.doc || role === R.type) return undefined;
    const name = graphs.after.summary(turn.now.file).decls.nameOf(turn.now.decl);
    if (site.confidence !== 'certain')
      return site.tier === 'breaks'
        ? { cannot: `whether this ${name} is the one that changed is not certain`, needs: 'person' }
        : undefined;
    if (role === R.import) return importSite(context, turn);
    const isLeft =
      site.tier !== 'breaks' &&
      graphs.after.resolve(block.file, site.expr).targets.some((target) => sameDecl(target, turn.now));
    const call = callOf(summary, site.expr);
    if (isLeft && call >= 0) return undefined;
    if (call < 0 || summary.exprs.opOf(call) !== E.call || !/^\s*[(<]/.test(text.slice(summary.exprs.endOf(site.expr))))
      return { cannot: `${name} is handed on here, not called`, needs: 'model' };
    return turn.against === undefined ? callSite(context, turn, call, name) : { cannot: turn.against, needs: 'model' };
  },
};

const cannot = (reason: string): RewriteResult & { cannot: string } => ({ cannot: reason, needs: 'model' });

// ---- calls

function callSite(context: RewriteSite, turn: Turn, call: number, name: string): RewriteResult | undefined {
  const { graphs, site, summary, text } = context;
  const { before } = site.cause;
  const old = graphs.before.summary(before?.file ?? '');
  const args = summary.exprs.argumentsOf(call);
  const spans = argumentSpans(summary, text, call);
  if (before === undefined || spans === undefined) return cannot('the arguments cannot be told apart');
  const isObjectless = turn.from !== 'method' && turn.to !== 'method';
  if (!isObjectless && args.some((argument) => argument.spread !== 'none'))
    return cannot('the call spreads its arguments');
  const explicit = turn.from === 'method' && passesReceiver(old, { ...before, self: calledOn(context) });
  if (explicit)
    return site.cause.detail.signature?.extension === false
      ? undefined
      : cannot('the call names the class and passes the object already');
  const fitted = fit(signatureOf(old, before.decl), args, false);
  if (!fitted.fits)
    return { cannot: `the call ${saidOfFunction(fitted.misfit)} in the old signature already`, needs: 'person' };
  const callee = { start: summary.exprs.startOf(call), end: summary.exprs.endOf(site.expr) };
  // A call may be listed twice: by its name, and by its arguments.
  if (context.soFar.some((edit) => edit.start === callee.start && edit.end === callee.end)) return { edits: [] };
  const items = spans.map((span, from): WantedItem => ({ from, text: editedSpan(text, span, context.soFar) }));
  const written: WrittenCall = { call, callee, spans, items };
  if (turn.to !== 'method') return calledWithoutObject(context, turn, written, name);
  const given = spans.find((span) =>
    fitted.pairs.some((pair) => pair.param === turn.object && pair.argument.start === span.argument.start),
  );
  return calledOnArgument(context, turn, written, given, name);
}

/** A call as it is written. */
interface WrittenCall {
  readonly call: number;
  /** Characters of what is called. */
  readonly callee: { readonly start: number; readonly end: number };
  readonly spans: readonly ArgumentSpan[];
  readonly items: readonly WantedItem[];
}

/** `f(x, 1)` becomes `x.f(1)`. */
function calledOnArgument(
  context: RewriteSite,
  turn: Turn,
  { call, callee, spans, items }: WrittenCall,
  given: ArgumentSpan | undefined,
  name: string,
): RewriteResult {
  if (given === undefined) return cannot('the call gives no object');
  const object = objectOf(context, turn, given);
  if (typeof object !== 'string') return object;
  const { text, summary } = context;
  const others = items.filter((_, i) => spans[i] !== given);
  const list = editList(text, spans, others, openOf(text, summary, call, spans));
  return { edits: [{ ...callee, text: `${object}.${name}` }, ...list] };
}

/** `x.f(1)` becomes `f(x, 1)` or `C.f(x, 1)`, or one of the two the other. */
function calledWithoutObject(
  context: RewriteSite,
  turn: Turn,
  { call, callee, spans, items }: WrittenCall,
  name: string,
): RewriteResult {
  const { graphs, block, site, summary, text } = context;
  const target = turn.to === 'static' ? turn.owner : turn.now;
  if (target === undefined) return cannot('its class is not known');
  const named = bringsClass(context, turn)
    ? { text: graphs.after.summary(target.file).decls.nameOf(target.decl), edits: [] }
    : nameFor(context, target);
  if ('cannot' in named) return named;
  const calleeEdit: TextEdit = { ...callee, text: turn.to === 'static' ? `${named.text}.${name}` : named.text };
  if (turn.from !== 'method') return { edits: [calleeEdit, ...named.edits] };
  const object = formerObject(context, call);
  if (typeof object !== 'string') return object;
  if (turn.taker === undefined)
    return hasEffect(summary, callee, -1, site.expr)
      ? cannot('what the method was called on may do something when it is evaluated')
      : { edits: [calleeEdit, ...named.edits] };
  const positional = summary.exprs.argumentsOf(call).filter((argument) => argument.keyword === '').length;
  const keyword = graphs.after.language(block.file).writing.keywordArgument;
  const { name: taker, index } = turn.taker;
  if (index > positional && keyword === undefined)
    return cannot(`${taker} cannot be passed without what stands before it`);
  const isByName = index > positional && keyword !== undefined;
  const all = items.toSpliced(isByName ? items.length : index, 0, { text: isByName ? keyword(taker, object) : object });
  const list = editList(text, spans, all, openOf(text, summary, call, spans));
  return { edits: [calleeEdit, ...list, ...named.edits] };
}

/** The argument that becomes the object, as it is written in front of a dot. */
function objectOf(context: RewriteSite, turn: Turn, span: ArgumentSpan): string | (RewriteResult & { cannot: string }) {
  const { summary, text, soFar } = context;
  const { expr, keyword } = span.argument;
  const written = editedSpan(text, span, soFar);
  const value = keyword === '' ? written : written.replace(/^\w+\s*[=:]\s*/, '');
  if (!isOfClass(context, turn, expr))
    return { cannot: `whether ${value} is what has the method is not known`, needs: 'person' };
  const op = summary.exprs.opOf(expr);
  const isPlain = op === E.name || op === E.this || op === E.call || op === E.index || op === E.member;
  return isPlain && !value.includes('\n') ? value : `(${value})`;
}

/**
 * Whether the argument is an instance of the class that has the method now: as far as it can be seen, or because the
 * parameter asked for one.
 */
function isOfClass({ graphs, block, site }: RewriteSite, { owner, object }: Turn, expr: number): boolean {
  if (owner === undefined || object === undefined || expr < 0) return false;
  const isOwner = (type: { readonly kind: string } & Partial<DeclRef>): boolean =>
    type.kind === 'instance' &&
    type.file !== undefined &&
    type.decl !== undefined &&
    isSubclass(graphs.after, { file: type.file, decl: type.decl }, owner);
  const seen = graphs.after.typeOf(block.file, expr).values;
  if (seen.length > 0) return seen.every(isOwner);
  const { before } = site.cause;
  return (
    before !== undefined &&
    asksFor(graphs.before, before.file, object, graphs.after.summary(owner.file).decls.nameOf(owner.decl))
  );
}

/** Whether a parameter is declared with a class of the name. */
function asksFor(resolver: RewriteSite['graphs']['before'], file: string, param: Parameter, name: string): boolean {
  const { values } = resolver.typeOfDecl(file, param.decl);
  return (
    values.length > 0 &&
    values.every((type) => type.kind === 'instance' && resolver.summary(type.file).decls.nameOf(type.decl) === name)
  );
}

/** What a method was called on, as it is passed for a parameter. */
function formerObject(
  { graphs, block, site, summary, text, soFar }: RewriteSite,
  call: number,
): string | (RewriteResult & { cannot: string }) {
  const { exprs } = summary;
  if (exprs.opOf(site.expr) === E.name && graphs.after.language(block.file).bareMembers) return 'this';
  const base = exprs.operandOf(site.expr);
  if (exprs.opOf(site.expr) !== E.member || base < 0 || exprs.opOf(base) === E.super)
    return cannot('what the method is called on has no name');
  const before = text.slice(exprs.startOf(call), exprs.startOf(site.expr));
  const dot = /\s*\.\s*$/.exec(before);
  if (dot === null || before.slice(0, dot.index).endsWith('?'))
    return cannot('the call is made only if there is an object');
  const end = exprs.startOf(call) + dot.index;
  const isTouched = block.sites.some(
    (other) =>
      other.expr >= 0 &&
      other.expr !== site.expr &&
      exprs.startOf(other.expr) >= exprs.startOf(call) &&
      exprs.startOf(other.expr) < end,
  );
  if (isTouched || soFar.some((edit) => edit.start >= exprs.startOf(call) && edit.end <= end))
    return cannot('what the method is called on has to be edited too');
  return text.slice(exprs.startOf(call), end);
}

// ---- imports

/** Whether the site's file imports the function by name: then that import is made one of the class. */
function bringsClass({ site, summary, block }: RewriteSite, turn: Turn): boolean {
  const name = summary.exprs.nameOf(site.expr);
  return (
    turn.from === 'function' &&
    turn.to === 'static' &&
    site.cause.before?.file !== block.file &&
    summary.exprs.opOf(site.expr) === E.name &&
    summary.imports.some(
      (entry) => entry.kind === 'name' && entry.decl >= 0 && summary.decls.nameOf(entry.decl) === name,
    )
  );
}

/**
 * All names of the statement that are functions no more; a class in which they are static methods takes the place of
 * the first.
 */
function importSite(context: RewriteSite, own: Turn): RewriteResult | undefined {
  const { graphs, block, site, summary, text } = context;
  const statements = importStatements(summary, text);
  const statement = statements.find((candidate) => candidate.names.some((name) => name.expr === site.expr));
  if (statement === undefined || own.from !== 'function') return undefined;
  if (statement.isExport || summary.exports.some((entry) => entry.local === summary.exprs.nameOf(site.expr)))
    return { cannot: `${shownName(block.file)} offers it to others`, needs: 'person' };
  const turns = new Map(
    block.sites.flatMap((other) => {
      const turn = other.expr >= 0 && other.confidence === 'certain' ? turnOf(graphs, other.cause) : undefined;
      return turn === undefined ? [] : [[other.expr, turn] as const];
    }),
  );
  const gone = statement.names.filter((name) => turns.has(name.expr));
  const wanted = [...turns].flatMap(([expr, { to, owner }]) =>
    to === 'static' && owner !== undefined && !isKnown(context, owner) ? [{ expr, owner }] : [],
  );
  const classes = wanted
    .filter(
      ({ expr, owner }, i) =>
        gone.some((name) => name.expr === expr) && wanted.findIndex((other) => sameDecl(other.owner, owner)) === i,
    )
    .map(({ owner }) => owner);
  const [owner, ...others] = classes;
  if (owner === undefined) return dropped(withoutNames(text, statement, gone), []);
  const module = moduleNameOf(graphs, block.file, block.file, owner, statement.module);
  if (others.length > 0 || module === undefined) return cannot('what takes the place of the import cannot be told');
  const name = graphs.after.summary(owner.file).decls.nameOf(owner.decl);
  if (module !== statement.module && gone.length < statement.names.length) {
    const added =
      importInto(text, alikeTo(text, statements, statement), [name], module) ??
      importBelow(text, statement, [name], module, graphs.after.language(block.file).writing);
    return dropped(withoutNames(text, statement, gone), added);
  }
  const [first, ...rest] = gone as [ListedName, ...ListedName[]];
  return dropped(rest.length === 0 ? [] : withoutNames(text, statement, rest), [
    { start: first.start, end: first.end, text: name },
    ...(module === statement.module ? [] : [withModule(statement, module)]),
  ]);
}

function dropped(edits: readonly TextEdit[] | undefined, added: readonly TextEdit[] | undefined): RewriteResult {
  return edits === undefined || added === undefined
    ? cannot('the import shares its line or its braces with something else')
    : { edits: [...edits, ...added] };
}

/** Whether the file's head knows the class by its name. */
function isKnown({ graphs, block, summary }: RewriteSite, owner: DeclRef): boolean {
  return lookUp(
    graphs.after,
    block.file,
    summary,
    0,
    graphs.after.summary(owner.file).decls.nameOf(owner.decl),
    R.read,
  ).targets.some((target) => sameDecl(target, owner));
}
