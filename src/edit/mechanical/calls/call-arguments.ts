/**
 * How the arguments of one call must read after the parameters of what it calls changed.
 *
 *     def put(self, key, ttl)  ->  def put(self, ttl, key, *, force):   put(k, 60)  ->  put(60, k, force=True)
 *
 * Each argument is followed from the parameter that took it to where that parameter is now. A
 * call that did not fit the old signature is not touched, nor one that spreads its arguments, nor
 * one that would lose an argument whose evaluation can do something. Values of new parameters
 * come from the person, or from a variable of that name at the call; where the person gives the
 * parameter's own name and there is no such variable, the caller gets it as a parameter.
 */
import { applyEdits, type TextEdit } from '../../../base/text-edit.js';
import type { DeclRef } from '../../../languages/language.js';
import { parameterWords, saidOfFunction } from '../../../graph/resolve/misfit.js';
import { componentsOf } from '../../../graph/resolve/components.js';
import { callOf, lookUp } from '../../../graph/resolve/names.js';
import { contradicts, passesReceiver } from '../../../graph/resolve/overloads.js';
import {
  fit,
  parametersInFull,
  signatureOf,
  type Fit,
  type Parameter,
  type Signature,
} from '../../../graph/resolve/signature.js';
import type { SourceWriting } from '../../../languages/writing.js';
import { sameDecl } from '../../../syntax/rows.js';
import { E, isClassLike, isFunctionLike, R, type Argument, type Summary } from '../../../syntax/summary.js';
import { argumentSpans, type ArgumentSpan, type ItemSpan } from './argument-spans.js';
import { keyFor, type CallPlace } from './given-values.js';
import { isFollowed } from './followed-call.js';
import { editList, type WantedItem } from './list-edit.js';
import { possibleValues } from './possible-values.js';
import { calledOn } from './receiver.js';
import type { RewriteResult, RewriteSite } from '../rewrite.js';
import { threaded, type Thread } from './thread-parameter.js';
import { valueInScope } from './value-in-scope.js';

/**
 * A value that does not tell by itself what it is for: where it may be left out, it is said by name, and at the calls
 * beside it too.
 */
const LITERAL = /^(?:true|false|none|null|undefined|[-+]?\d[\w.]*|(["'`]).*\1)$/i;

/** Undefined when the site is no call, or the call needs no other arguments. */
export function rearrangeCall(context: RewriteSite): RewriteResult | undefined {
  const { graphs, site, summary, text } = context;
  const { before, after, detail } = site.cause;
  const call = callOf(summary, site.expr);
  if (call < 0 || before === undefined || after === undefined) return undefined;
  const old = graphs.before.summary(before.file);
  const args = summary.exprs.argumentsOf(call);
  if (args.some((argument) => argument.spread !== 'none')) return SPREADS;
  const onClass = passesReceiver(old, { ...before, self: calledOn(context) });
  const turned = detail.signature?.extension;
  // What was called on its first argument is the business of turn-method.ts.
  if (turned === false && !onClass) return undefined;
  const explicit = onClass && turned === undefined;
  const compared = signaturesOf(context, before, after);
  if (compared.isOpen && args.some((argument) => argument.keyword === ''))
    return { cannot: 'a base class from outside may have fields in front', needs: 'model' };
  const { old: oldSignature, now: signature } = compared;
  const fitted = fit(oldSignature, args, explicit);
  const renamed = new Map(detail.signature?.renamed.map(({ from, to }) => [from, to]));
  const keptAs = (name: string): string | undefined =>
    signature.params.find((param) => param.name === (renamed.get(name) ?? name))?.name;
  if (
    isWrittenForAnother(context, signature, args) ||
    isFollowed(context, {
      call,
      keptAs,
      fitOf: (given) => ({ old: fit(oldSignature, given, explicit), now: fit(signature, given, explicit) }),
    })
  )
    return { edits: [] };
  if (!fitted.fits)
    return fit(signature, args, explicit).fits
      ? undefined
      : { cannot: `the call ${saidOfFunction(fitted.misfit)} in the old signature already`, needs: 'person' };
  const misfit = misfitByType(context, fitted.pairs, signature, keptAs);
  if (misfit !== undefined) return { cannot: misfit, needs: 'model' };
  const spans = argumentSpans(summary, text, call);
  if (spans === undefined) return { cannot: 'the arguments cannot be told apart', needs: 'person' };
  const given: Given[] = spans.map((span, index) => {
    const param = fitted.pairs.find((pair) => pair.argument.start === span.argument.start)?.param as Parameter;
    const target =
      param === oldSignature.receiver || (explicit && index === 0)
        ? 'receiver'
        : signature.params.find((candidate) => candidate.name === (renamed.get(param.name) ?? param.name));
    return { index, span, old: param, now: target };
  });
  const refusal = reasonToKeep(context, call, signature, given);
  if (refusal !== undefined) return { cannot: refusal, needs: 'person' };
  const written = writtenAnew(context, call, { after, params: signature.params }, spans, given);
  return 'cannot' in written || written.edits.length > 0 || concernsParametersAlone(context) ? written : undefined;
}

/** The list of a call's arguments as a function's parameters ask for it, and what that takes around the call. */
function writtenAnew(
  context: RewriteSite,
  call: number,
  { after, params }: { readonly after: DeclRef; readonly params: readonly Parameter[] },
  spans: readonly ArgumentSpan[],
  given: readonly Given[],
): RewriteResult {
  const { graphs, block, summary, text } = context;
  const laid = layOut(context, call, params, given, graphs.after.language(block.file).writing);
  if ('cannot' in laid) return laid;
  const around = headerEdits(context, call, after, laid.threads);
  if ('cannot' in around) return around;
  const { open } = around;
  const edits = [...editList(text, spans, laid.items, openOf(text, summary, call, spans)), ...around.edits];
  return { edits, ...(open === undefined ? {} : { open }) };
}

/**
 * A call that gives too little to a function that is new: what it gives stays with the parameters that take it, and the
 * others get theirs. Undefined where it lacks nothing alone.
 */
export function completeCall(context: RewriteSite): RewriteResult | undefined {
  const { graphs, site, summary, text } = context;
  const { after } = site.cause;
  const call = callOf(summary, site.expr);
  if (call < 0 || after === undefined) return undefined;
  const args = summary.exprs.argumentsOf(call);
  if (args.some((argument) => argument.spread !== 'none')) return SPREADS;
  const there = graphs.after.summary(after.file);
  const signature = signatureOf(there, after.decl);
  const explicit = passesReceiver(there, { ...after, self: calledOn(context) });
  const taken = fit(askingForNothing(signature), args, explicit);
  const spans = argumentSpans(summary, text, call);
  if (!taken.fits || spans === undefined) return undefined;
  const given = spans.flatMap((span, index): Given[] => {
    const param = taken.pairs.find((pair) => pair.argument.start === span.argument.start)?.param;
    const own = signature.params.find(({ decl }) => decl === param?.decl) ?? signature.receiver;
    return own === undefined ? [] : [{ index, span, old: own, now: own === signature.receiver ? 'receiver' : own }];
  });
  if (given.length < spans.length) return undefined;
  return writtenAnew(context, call, { after, params: signature.params }, spans, given);
}

/** The same parameters, none of which has to be given. */
const askingForNothing = ({ params, receiver }: Signature): Signature => ({
  params: params.map((param) => ({ ...param, optional: true })),
  receiver,
});

const SPREADS = { cannot: 'the call spreads its arguments', needs: 'model' } as const;

/**
 * Whether the call may also mean another function that an earlier round gave the new signature: of two classes that
 * both have the method, one was changed first, and the call followed it then.
 */
function isWrittenForAnother(
  { graphs, block, site, changes, isChanged }: RewriteSite,
  now: Signature,
  args: readonly Argument[],
): boolean {
  const isOfRound = (target: DeclRef): boolean =>
    changes.some(({ after }) => after !== undefined && sameDecl(after, target));
  return graphs.after.resolve(block.file, site.expr).targets.some((target) => {
    if (target.decl < 0 || isOfRound(target) || !isChanged(target)) return false;
    const summary = graphs.after.summary(target.file);
    if (!isFunctionLike(summary.decls.kindOf(target.decl))) return false;
    const other = signatureOf(summary, target.decl);
    return other.params.length === now.params.length && fit(other, args, false).fits;
  });
}

/** What a call has to fit before and after: a function's parameters, or the components of a class. */
function signaturesOf(
  { graphs, site }: RewriteSite,
  before: DeclRef,
  after: DeclRef,
): { readonly old: Signature; readonly now: Signature; readonly isOpen: boolean } {
  const [old, now] = [graphs.before.summary(before.file), graphs.after.summary(after.file)];
  if (isClassLike(now.decls.kindOf(after.decl))) {
    const components = componentsOf(graphs.after, after);
    return { old: componentsOf(graphs.before, before), now: components, isOpen: components.isOpen };
  }
  const turned = site.cause.detail.signature?.extension;
  const signatureIn = (of: Summary, decl: number): Signature =>
    turned === undefined ? signatureOf(of, decl) : { params: parametersInFull(of, decl), receiver: undefined };
  return { old: signatureIn(old, before.decl), now: signatureIn(now, after.decl), isOpen: false };
}

/**
 * Why the call did not fit the old signature, by its arguments' types; undefined where it may have. With overloads, one
 * that none took may have been written for the new signature, or for another one.
 */
function misfitByType(
  { graphs, block, site }: RewriteSite,
  pairs: (Fit & { fits: true })['pairs'],
  { params }: Signature,
  keptAs: (name: string) => string | undefined,
): string | undefined {
  const { after, detail } = site.cause;
  if (after === undefined || !graphs.before.language(block.file).overloads) return undefined;
  const misfit = pairs.find(({ param, argument }) => {
    const kept = params.find(({ name }) => name === keptAs(param.name));
    return (
      kept !== undefined &&
      !param.rest &&
      detail.signature?.retyped.every(({ name }) => name !== kept.name) !== false &&
      contradicts(graphs.after, { file: after.file, param: kept.decl }, { file: block.file, argument: argument.expr })
    );
  });
  return misfit === undefined
    ? undefined
    : `what the call gives for ${misfit.param.name} is not of its type, so it did not fit the old signature already`;
}

/** Why arguments of the call have to stay as they are; undefined for no reason. */
function reasonToKeep(
  { summary, site }: RewriteSite,
  call: number,
  { params }: Signature,
  given: readonly Given[],
): string | undefined {
  const taken = given.find(
    ({ now, span }) =>
      now !== undefined &&
      now !== 'receiver' &&
      now.keywordRest &&
      params.some((own) => own.name === span.argument.keyword && !own.keywordRest && !own.positionalOnly),
  );
  if (taken !== undefined) return `${taken.span.argument.keyword} is passed already, among the further keywords`;
  const lost = given.find(
    (argument) => argument.now === undefined && hasEffect(summary, argument.span, site.expr, call),
  );
  return lost === undefined ? undefined : `the argument for ${lost.old.name} may do something when it is evaluated`;
}

/** What the functions around the call have to take, so that it can hand it on. */
function headerEdits(
  context: RewriteSite,
  call: number,
  after: DeclRef,
  threads: readonly Thread[],
):
  | { edits: readonly TextEdit[]; open: { readonly reason: string; readonly needs: 'person' } | undefined }
  | (RewriteResult & { cannot: string }) {
  const edits: TextEdit[] = [];
  let open: { readonly reason: string; readonly needs: 'person' } | undefined;
  for (const thread of threads) {
    const { name } = thread.param;
    const header = threaded(context, call, after, thread);
    if ('cannot' in header)
      return {
        cannot: header.cannot,
        needs: 'value',
        value: name,
        key: keyFor(name, placeOfCall(context)),
        choices: [],
      };
    edits.push(...header.edits);
    open ??= header.open;
  }
  return { edits, open };
}

/** Then a call that needs no other arguments needs nothing. */
function concernsParametersAlone({ site }: RewriteSite): boolean {
  const delta = site.cause.detail.signature;
  return (
    delta !== undefined &&
    delta.added.length + delta.retyped.length + delta.defaultChanged.length === 0 &&
    delta.returnType === undefined &&
    delta.async === undefined &&
    delta.static === undefined
  );
}

interface Given {
  readonly index: number;
  readonly span: ArgumentSpan;
  readonly old: Parameter;
  /** The parameter that must take it; undefined: none does. */
  readonly now: Parameter | 'receiver' | undefined;
}

/** The arguments in their new order: positional ones as long as no parameter is left out, then by keyword. */
function layOut(
  context: RewriteSite,
  call: number,
  params: readonly Parameter[],
  given: readonly Given[],
  writing: SourceWriting,
): { items: WantedItem[]; threads: Thread[] } | (RewriteResult & { cannot: string }) {
  const { text, soFar } = context;
  const body = (argument: Given): string => editedSpan(text, argument.span, soFar);
  const items: WantedItem[] = given
    .filter((argument) => argument.now === 'receiver' && !isKeyword(argument))
    .map((argument) => ({ from: argument.index, text: body(argument) }));
  const named: Ordered[] = [];
  const threads: Thread[] = [];
  const argumentFor = (param: Parameter | undefined): string | undefined =>
    given.filter((argument) => argument.now === param).map(body)[0];
  const byKeyword = given.length > 0 && given.every(isKeyword);
  let gap = given.some((argument) => argument.now === 'receiver' && isKeyword(argument));
  const keptByName = (argument: Given): Ordered => underItsName(argument, params, body(argument), soFar);
  const add = (param: Parameter, value: WantedItem): string | undefined => {
    if (!gap && !param.keywordOnly) items.push(value);
    else if (writing.keywordArgument === undefined)
      return `${param.name} cannot be passed without what stands before it`;
    else
      named.push({
        item: { ...value, text: writing.keywordArgument(param.name, value.text) },
        order: params.indexOf(param),
      });
    return undefined;
  };
  for (const param of params) {
    if (param.keywordRest) continue;
    const own = given.filter((argument) => argument.now === param);
    const positional = own.filter((argument) => !isKeyword(argument));
    let problem: string | undefined;
    const [byName] = own.filter(isKeyword);
    // A name at its own place (C#): arguments by place follow it.
    if (byName !== undefined && !gap && given.some((other) => other.index > byName.index && !isKeyword(other)))
      items.push(keptByName(byName).item);
    else if (byName !== undefined) gap = true;
    else if (positional.length > 0)
      for (const argument of positional) problem ??= add(param, { from: argument.index, text: body(argument) });
    else if (param.optional && !isGiven(context, param.name)) gap ||= !param.rest;
    else {
      const { text: value, isToBeTaken, isForPlace } = newValue(context, call, param);
      if (isToBeTaken)
        threads.push({
          param,
          isForPlace,
          behind: argumentFor(params[params.indexOf(param) - 1]),
          before: argumentFor(params[params.indexOf(param) + 1]),
        });
      if (value === undefined) return lacksValue(context, call, param);
      const isLast = !given.some(
        (argument) => !isKeyword(argument) && orderOf(argument, params) > params.indexOf(param),
      );
      gap ||=
        (byKeyword || (param.optional && isLast && isSaidByName(context, param.name, value))) &&
        writing.keywordArgument !== undefined &&
        !param.positionalOnly;
      problem = add(param, { text: value });
    }
    if (problem !== undefined) return { cannot: problem, needs: 'model' };
  }
  const kept = given
    .filter(isKeyword)
    .filter(({ index, now }) => now !== undefined && !items.some(({ from }) => from === index))
    .map(keptByName);
  return { items: [...items, ...merged(named, kept)], threads };
}

const isKeyword = (argument: Given): boolean => argument.span.argument.keyword !== '';

/** Place of the parameter that takes it, among all of them; -1 where none of them does. */
const orderOf = ({ now }: Given, params: readonly Parameter[]): number =>
  now === undefined || now === 'receiver' ? -1 : params.indexOf(now);

function underItsName(
  argument: Given,
  params: readonly Parameter[],
  text: string,
  soFar: readonly TextEdit[],
): Ordered {
  const { index, span } = argument;
  return {
    item: {
      from: index,
      text: renamedKeyword(text, argument),
      isPlain: !soFar.some((edit) => edit.start >= span.start && edit.end <= span.end),
    },
    order: Math.max(orderOf(argument, params), 0),
  };
}

/** What a call hands to a parameter that it has no argument for. */
interface NewValue {
  /** Undefined where nobody knows one. */
  readonly text: string | undefined;
  /** The function around the call has to take it as a parameter of its own. */
  readonly isToBeTaken: boolean;
  /** The person said it for this very place. */
  readonly isForPlace: boolean;
}

function newValue(context: RewriteSite, call: number, param: Parameter): NewValue {
  const { summary, block, site, graphs, values } = context;
  const target = { file: site.cause.after?.file ?? '', decl: param.decl };
  const inScope = valueInScope(graphs.after, block.file, summary, call, target);
  // An override that calls what it overrides hands its own parameter on.
  const handedOn = isOnSuper(summary, site.expr) ? (inScope ?? (takesIt(context) ? param.name : undefined)) : undefined;
  const told = handedOn === undefined ? values.at(param.name, placeOfCall(context)) : undefined;
  const text = handedOn ?? told?.text ?? inScope;
  return {
    text,
    isToBeTaken:
      text === param.name && inScope === undefined && handedOn === undefined && !isKnown(context, call, param.name),
    isForPlace: told?.isForPlace === true,
  };
}

function lacksValue(context: RewriteSite, call: number, param: Parameter): RewriteResult & { cannot: string } {
  return {
    cannot: `it needs a value for ${parameterWords(param.name)}`,
    needs: 'value',
    value: param.name,
    key: keyFor(param.name, placeOfCall(context)),
    choices: possibleValues(context, call, param),
  };
}

/** Whether a reader could not tell from the value alone what it is: it is said by name then. */
const isSaidByName = (context: RewriteSite, name: string, value: string): boolean =>
  [value, ...context.values.beside(name, placeOfCall(context))].some((text) => LITERAL.test(text));

/** Whether a bare name means anything at the call: a field of the class, say. */
function isKnown({ graphs, block, summary }: RewriteSite, call: number, name: string): boolean {
  return lookUp(graphs.after, block.file, summary, summary.exprs.scopeOf(call), name, R.read).targets.length > 0;
}

const isOnSuper = ({ exprs }: Summary, callee: number): boolean =>
  exprs.opOf(callee) === E.member && exprs.opOf(exprs.operandOf(callee)) === E.super;

/** Whether the function around the call overrides the changed one, and gets its new parameters in the same round. */
const takesIt = ({ block, site, graphs }: RewriteSite): boolean =>
  !graphs.after.language(block.file).overridesTakeFewer &&
  block.sites.some((other) => other.expr < 0 && other.relation === 'OverriddenBy' && other.cause === site.cause);

/** Whether the person gave a value for a parameter that the change added, for the call at the site. */
export function isGiven(context: RewriteSite, name: string): boolean {
  return (
    context.site.cause.detail.signature?.added.some((param) => param.name === name && !param.rest) === true &&
    context.values.at(name, placeOfCall(context)) !== undefined
  );
}

/** The call that a site is the callee of. */
export const placeOfCall = ({ block, site, summary }: RewriteSite): CallPlace => ({
  file: block.file,
  summary,
  callee: site.expr,
});

/** A piece of the text with the edits that were made inside of it. */
export function editedSpan(text: string, { start, end }: ItemSpan, edits: readonly TextEdit[]): string {
  const inside = edits.filter((edit) => edit.start >= start && edit.end <= end);
  return applyEdits(
    text.slice(start, end),
    inside.map((edit) => ({ ...edit, start: edit.start - start, end: edit.end - start })),
  );
}

interface Ordered {
  readonly item: WantedItem;
  /** Place of its parameter. */
  readonly order: number;
}

/** Arguments that were there keep their order; a new one stands where its parameter does among theirs. */
function merged(named: readonly Ordered[], kept: readonly Ordered[]): WantedItem[] {
  const out = [...kept];
  for (const added of named) {
    const { from } = added.item;
    const next = out.findIndex((other) =>
      from === undefined ? other.order > added.order : other.item.from !== undefined && other.item.from > from,
    );
    out.splice(next === -1 ? out.length : next, 0, added);
  }
  return out.map(({ item }) => item);
}

function renamedKeyword(written: string, { span, now }: Given): string {
  const { keyword } = span.argument;
  return now === undefined ||
    now === 'receiver' ||
    now.keywordRest ||
    now.name === keyword ||
    !written.startsWith(keyword)
    ? written
    : now.name + written.slice(keyword.length);
}

/** Behind the bracket that opens the argument list. */
export function openOf(text: string, summary: Summary, call: number, spans: readonly ArgumentSpan[]): number {
  const first = spans[0];
  if (first !== undefined) return first.start;
  const end = summary.exprs.endOf(call);
  return text.lastIndexOf('(', end - 1) + 1;
}

/**
 * Whether a piece of a call holds anything but names, members, literals, operators and functions, whose
 * bodies do not run there. Its rows lie between `after` and the call's.
 */
export function hasEffect(summary: Summary, span: ItemSpan, after: number, call: number): boolean {
  const { exprs } = summary;
  const rows = Array.from({ length: Math.max(0, call - after - 1) }, (_, i) => after + 1 + i).filter(
    (expr) => exprs.startOf(expr) >= span.start && exprs.startOf(expr) < span.end,
  );
  const closures = rows.filter(
    (expr) => exprs.opOf(expr) === E.closure && isFunctionLike(summary.decls.kindOf(exprs.closureOf(expr))),
  );
  const runs = (expr: number): boolean =>
    !closures.some(
      (closure) => exprs.startOf(closure) <= exprs.startOf(expr) && exprs.endOf(expr) <= exprs.endOf(closure),
    );
  return rows.some((expr) => {
    const op = exprs.opOf(expr);
    const role = exprs.roleOf(expr);
    // The key of a literal is written to what the literal makes.
    return (
      (op === E.call ||
        op === E.new ||
        op === E.await ||
        (op !== E.initializer && (role === R.write || role === R.update))) &&
      runs(expr)
    );
  });
}
