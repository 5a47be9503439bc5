/**
 * A value that the caller has to get from its own callers: the function around the call takes the
 * new parameter too, and the next round sees to those who call it.
 *
 *     def page(key): put(key)   ->   def page(key, ttl): put(key, ttl)      (--value ttl=ttl)
 *
 * The parameter comes as it is written where it was added, behind those that must be given, or, with
 * a default, behind all; in front of the one that by the language's convention stands last.
 * Refused at the top of a module, where a base class from outside may be the caller, and where the
 * parameter's type is not known. A test takes nothing from callers: there the value is passed as it
 * is given, and what it means stays open.
 */
import { shownName } from '../../../base/shown.js';
import type { TextEdit } from '../../../base/text-edit.js';
import { signatureOf, type Parameter } from '../../../graph/resolve/signature.js';
import type { Resolver } from '../../../graph/resolve/resolver.js';
import type { DeclRef } from '../../../languages/language.js';
import { D, isFunctionLike, type Summary } from '../../../syntax/summary.js';
import { behindBracket, parameterSpans, writtenParameters } from './argument-spans.js';
import { editList, type WantedItem } from './list-edit.js';
import { mayServeOutside } from '../headers/outside-member.js';
import { asPlainParameter, withoutDefault } from './parameter-text.js';
import type { RewriteSite } from '../rewrite.js';
import { isTestName } from '../../../languages/test-name.js';
import { unknownName } from '../names/unknown-name.js';
import { writtenType } from './value-in-scope.js';

export type Threaded =
  | { readonly edits: readonly TextEdit[]; readonly open?: { readonly reason: string; readonly needs: 'person' } }
  | { readonly cannot: string };

export interface Thread {
  readonly param: Parameter;
  /** Asked for at this place, and not wherever the parameter is missing. */
  readonly isForPlace: boolean;
  /** The arguments between which it is passed, as written. */
  readonly behind: string | undefined;
  readonly before: string | undefined;
}

/** `added`: the function that has the parameter. */
export function threaded(
  { graphs, block, summary, text, texts }: RewriteSite,
  call: number,
  added: DeclRef,
  thread: Thread,
): Threaded {
  const { param } = thread;
  const cannot = (reason: string): Threaded =>
    thread.isForPlace
      ? { edits: [], open: { reason: `${reason}, and ${param.name} means nothing there yet`, needs: 'person' } }
      : { cannot: reason };
  const around = namedFunctionAround(summary, call);
  if (around === undefined) return cannot(`no function around the call can take ${param.name}`);
  if (isTestName(summary.decls.nameOf(around)))
    return {
      edits: [],
      open: {
        reason: `a test runner calls ${summary.decls.nameOf(around)}, and ${param.name} means nothing there yet`,
        needs: 'person',
      },
    };
  if (mayServeOutside(graphs.after, { file: block.file, decl: around }))
    return cannot(`${summary.decls.nameOf(around)} may be what a base class from outside calls, without ${param.name}`);
  const of = graphs.after.summary(added.file);
  const own = writtenParameters(of, texts.after(added.file), added.decl)?.get(param.decl);
  const written = own === undefined ? undefined : asPlainParameter(of, param, own);
  const spans = parameterSpans(summary, text, around);
  if (written === undefined || spans === undefined)
    return cannot(`the parameters of ${summary.decls.nameOf(around)} cannot be told apart`);
  const words = new Set(written.match(/[A-Za-z_$][\w$]*/g) ?? []);
  const unknown =
    added.file === block.file
      ? undefined
      : unknownName(graphs.after, added, words, { file: block.file, scope: summary.decls.scopeOf(around) });
  if (unknown !== undefined) return cannot(`${unknown} is not known in ${shownName(block.file)}`);
  const place = placeFor(graphs.after, { file: block.file, decl: around }, thread);
  const items = spans.map((span, from): WantedItem => ({ from, text: text.slice(span.start, span.end) }));
  items.splice(place.behind === undefined ? 0 : spans.findIndex((span) => span.row === place.behind) + 1, 0, {
    text: place.isBare ? withoutDefault(of, param, written) : written,
  });
  return { edits: editList(text, spans, items, spans[0]?.start ?? behindBracket(summary, text, around)) };
}

/**
 * Where a new parameter goes: one that must be given behind the others that must, or between the two
 * that it is passed between; one that need not be at the end, so that calls by place stay right.
 * `behind`: the row in front of it, undefined for the first place. `isBare`: what follows must be
 * given, so it can have no default.
 */
function placeFor(
  after: Resolver,
  { file, decl }: DeclRef,
  { param, ...thread }: Thread,
): { readonly behind: number | undefined; readonly isBare: boolean } {
  const { params, receiver } = signatureOf(after.summary(file), decl);
  const byKeyword = params.filter((own) => own.keywordOnly && !own.keywordRest);
  if (param.keywordOnly && byKeyword.length > 0) return { behind: byKeyword.at(-1)?.decl, isBare: false };
  const byPlace = params.filter((own) => !own.keywordOnly && !own.keywordRest && !own.rest);
  const last = byPlace.at(-1);
  const [left, right] = [thread.behind, thread.before].map((name) => byPlace.findIndex((own) => own.name === name)) as [
    number,
    number,
  ];
  if (!param.optional && left >= 0 && right > left && !(byPlace[left] as Parameter).optional)
    return { behind: byPlace[left]?.decl, isBare: false };
  const closing =
    last !== undefined && writtenType(after, { file, decl: last.decl }) === after.language(file).writing.lastParameter
      ? last
      : undefined;
  const isBare = param.optional && closing?.optional === false;
  const inFront = byPlace.filter((own) => own !== closing && ((param.optional && !isBare) || !own.optional));
  return { behind: (inFront.at(-1) ?? receiver)?.decl, isBare };
}

/** The innermost function around a row that its callers know by name. */
function namedFunctionAround(summary: Summary, expr: number): number | undefined {
  for (let scope = summary.exprs.scopeOf(expr); scope >= 0; scope = summary.scopes.parentOf(scope)) {
    const owner = summary.scopes.ownerOf(scope);
    if (owner >= 0 && isFunctionLike(summary.decls.kindOf(owner)) && summary.decls.kindOf(owner) !== D.lambda)
      return owner;
  }
  return undefined;
}
