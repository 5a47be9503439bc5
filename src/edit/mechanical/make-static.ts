/**
 * Member made static: `store.most(1)` becomes `Store.most(1)`; made one of instances again, what
 * names the class inside of it names it no more.
 *
 *     int area(int k)  ->  static int area(Box box, int k):     box.area(2)  ->  Box.area(box, 2)
 *
 * The parameter that takes the instance goes along, in both directions. Refused where a receiver
 * that is dropped may do something when it is evaluated, where the class's name is not known or
 * asks for type arguments, and where an instance would have to be found.
 */
import type { TextEdit } from '../../base/text-edit.js';
import type { ParameterNote } from '../../change/signature-delta.js';
import { classOfMember, isSubclass } from '../../graph/hierarchy.js';
import { callOf, lookUp } from '../../graph/names.js';
import { enclosingClass } from '../../graph/value.js';
import { isAboutTheName } from '../../impact/rules.js';
import type { DeclRef } from '../../languages/language.js';
import { E, F, isClassLike, isFunctionLike, listAt, nameOf, R } from '../../syntax/summary.js';
import { argumentSpans } from './argument-spans.js';
import { dropItems, editList, type WantedItem } from './list-edit.js';
import { nameFor } from './name-for.js';
import { isPlainRow, startOfRow } from './receiver.js';
import type { Rewrite, RewriteResult, RewriteSite } from './rewrite.js';

export const makeStatic: Rewrite = {
  id: 'make-static',
  does: 'names the class where a member became static, and an instance where it became one of instances',
  rewrite(context: RewriteSite): RewriteResult | undefined {
    const { site, graphs, summary } = context;
    const { after, detail } = site.cause;
    const isStatic = detail.modifiers?.added.includes('static') === true;
    if ((!isStatic && detail.modifiers?.removed.includes('static') !== true) || after === undefined || site.expr < 0 || isAboutTheName(site.rule)) return undefined;
    const role = summary.exprs.role[site.expr];
    const owner = classOfMember(graphs.after.summary(after.file), after.decl);
    if (owner === undefined || role === R.import || role === R.doc || graphs.after.language(context.block.file).instancesHaveStatics) return undefined;
    if (site.confidence !== 'certain') return { cannot: 'whether this is the changed member is not certain', needs: 'person' };
    const type = { file: after.file, decl: owner };
    const handed = handedInstance(context, type, isStatic);
    if (handed === 'others') return { cannot: 'its parameters changed too', needs: 'model' };
    return isStatic ? named(context, type, handed) : onInstance(context, type, handed);
  },
};

/** The parameter that takes the instance where the member is static; `others` where more of them changed. */
function handedInstance({ graphs, site }: RewriteSite, type: DeclRef, isStatic: boolean): ParameterNote | 'others' | undefined {
  const delta = site.cause.detail.signature;
  if (delta === undefined) return undefined;
  const [one, ...more] = isStatic ? delta.added : delta.removed;
  const others = isStatic ? delta.removed : delta.added;
  if (more.length + others.length + delta.moved.length > 0) return 'others';
  if (one === undefined) return undefined;
  return one.type.replace(/<.*>$/, '') === nameOf(graphs.after.summary(type.file), type.decl) ? one : 'others';
}

function named(context: RewriteSite, type: DeclRef, handed: ParameterNote | undefined): RewriteResult {
  const { graphs, site, summary, text } = context;
  const { exprs } = summary;
  const base = exprs.op[site.expr] === E.member ? (exprs.a[site.expr] as number) : -1;
  const isOnClass = base >= 0 && graphs.after.resolve(context.block.file, site.expr).self?.kind === 'class';
  if (handed === undefined && (base < 0 || isOnClass)) return { edits: [] };
  if (isOnClass || (handed !== undefined && base >= 0 && exprs.op[base] === E.super)) return { cannot: 'which instance it is about cannot be told', needs: 'person' };
  if (base < 0) return withInstance(context, handed as ParameterNote, 'this');
  if (handed === undefined && !isPlainRow(summary, base)) return { cannot: 'its receiver may do something when it is evaluated', needs: 'person' };
  const start = startOfRow(summary, base);
  const end = exprs.end[base] as number;
  const receiver = text.slice(start, end);
  const between = text.slice(end, exprs.start[site.expr]);
  if (!/^\s*(?:\.|::)\s*$/.test(between)) return { cannot: 'its receiver may be null, and then nothing is called', needs: 'person' };
  const qualifier = qualifierOf(context, type, exprs.op[base] === E.this);
  if ('cannot' in qualifier) return qualifier;
  const place: TextEdit = qualifier.text === '' ? { start, end: exprs.start[site.expr] as number, text: '' } : { start, end, text: qualifier.text };
  const given = handed === undefined ? { edits: [] } : withInstance(context, handed, receiver);
  return 'cannot' in given ? given : { edits: [place, ...given.edits, ...qualifier.edits] };
}

/** The class as it can be said at the site; '' where the bare member will do. */
function qualifierOf(context: RewriteSite, type: DeclRef, isOnThis: boolean): { readonly text: string; readonly edits: readonly TextEdit[] } | (RewriteResult & { cannot: string }) {
  const of = context.graphs.after.summary(type.file);
  if (isOnThis && meansBare(context)) return { text: '', edits: [] };
  const name = nameOf(of, type.decl);
  if (listAt(of, of.decls.typeParams[type.decl] as number).length > 0) return { cannot: `${name} has type parameters to be filled in`, needs: 'model' };
  return nameFor(context, type);
}

/** Whether the member's bare name means it at the site. */
function meansBare({ graphs, site, summary, block: { file } }: RewriteSite): boolean {
  const { after } = site.cause;
  const name = summary.names[summary.exprs.name[site.expr] as number] as string;
  return graphs.after.language(file).bareMembers && lookUp(graphs.after, file, summary, summary.exprs.scope[site.expr] as number, name, summary.exprs.role[site.expr] as number).targets.some((target) => target.file === after?.file && target.decl === after.decl);
}

/** The call with the instance as one of its arguments. */
function withInstance(context: RewriteSite, param: ParameterNote, instance: string): RewriteResult {
  const { site, summary, text } = context;
  if (instance === 'this' && instanceAround(context) === undefined) return { cannot: 'there is no instance here', needs: 'person' };
  const call = callOf(summary, site.expr);
  const spans = call < 0 ? undefined : argumentSpans(summary, text, call);
  if (spans === undefined || spans.some(({ argument }) => argument.keyword !== '' || argument.spread !== 'none')) return { cannot: 'its arguments cannot be told apart', needs: 'model' };
  const items = spans.map((span, from): WantedItem => ({ from, text: text.slice(span.start, span.end), isPlain: true }));
  items.splice(param.index, 0, { text: instance });
  return { edits: editList(text, spans, items, text.lastIndexOf('(', (summary.exprs.end[call] as number) - 1) + 1) };
}

function onInstance(context: RewriteSite, type: DeclRef, handed: ParameterNote | undefined): RewriteResult {
  const { graphs, site, summary, text } = context;
  const { exprs } = summary;
  const base = exprs.op[site.expr] === E.member ? (exprs.a[site.expr] as number) : -1;
  if (handed !== undefined) return onArgument(context, base, handed);
  if (base >= 0 && graphs.after.resolve(context.block.file, site.expr).self?.kind === 'instance') return { edits: [] };
  const around = instanceAround(context);
  const isOwn = around !== undefined && (isSame(around, type) || isSubclass(graphs.after, around, type));
  if (!isOwn) return { cannot: `it needs an instance of ${nameOf(graphs.after.summary(type.file), type.decl)}`, needs: 'person' };
  if (base < 0) return { edits: [] };
  const start = startOfRow(summary, base);
  const at = exprs.start[site.expr] as number;
  if (meansBare(context)) return { edits: [{ start, end: at, text: '' }] };
  const end = exprs.end[base] as number;
  return text.slice(start, end) === nameOf(graphs.after.summary(type.file), type.decl) ? { edits: [{ start, end, text: 'this' }] } : { cannot: 'how it is named here cannot be told', needs: 'model' };
}

/** `Box.area(box, 2)`: the argument is the receiver now. */
function onArgument(context: RewriteSite, base: number, handed: ParameterNote): RewriteResult {
  const { site, summary, text } = context;
  const { exprs } = summary;
  const call = callOf(summary, site.expr);
  const spans = call < 0 ? undefined : argumentSpans(summary, text, call);
  const index = spans?.findIndex(({ argument }, i) => argument.keyword === handed.name || (argument.keyword === '' && i === handed.index)) ?? -1;
  const span = spans?.[index];
  if (spans === undefined || span === undefined || spans.some(({ argument }) => argument.spread !== 'none')) return { cannot: 'which argument is the instance cannot be told', needs: 'model' };
  const written = text.slice(span.start, span.end).replace(span.argument.keyword === '' ? '' : /^\w+\s*[:=]\s*/, '');
  if (written === 'null') return { cannot: 'it is called without an instance', needs: 'person' };
  const receiver = /^[\w$.]+$/.test(written) || isCallOrMember(context, span.argument.expr) ? written : `(${written})`;
  const at = exprs.start[site.expr] as number;
  const front: TextEdit = base < 0 ? { start: at, end: at, text: `${receiver}.` } : { start: startOfRow(summary, base), end: exprs.end[base] as number, text: receiver };
  return { edits: [front, ...dropItems(text, spans, [index])] };
}

const isCallOrMember = ({ summary: { exprs } }: RewriteSite, row: number): boolean => row >= 0 && (exprs.op[row] === E.call || exprs.op[row] === E.member || exprs.op[row] === E.index);

/** The class of whose instances the code around the site is. */
function instanceAround({ site, summary, block: { file } }: RewriteSite): DeclRef | undefined {
  const { decls } = summary;
  const { decl, functionDecl } = enclosingClass(summary, summary.exprs.scope[site.expr] as number, isClassLike, isFunctionLike);
  return decl < 0 || functionDecl < 0 || ((decls.flags[functionDecl] as number) & F.static) !== 0 ? undefined : { file, decl };
}

const isSame = (a: DeclRef, b: DeclRef): boolean => a.file === b.file && a.decl === b.decl;
