/**
 * Overridden signature: `Base.put(self, key, ttl)` became `Base.put(self, ttl, key)`, so
 * `Sub.put(self, key, ttl)` becomes `Sub.put(self, ttl, key)`; and upward, when the override was
 * edited, its base and through that its siblings. A function in an object literal that stands where
 * the member's type is expected counts as an override.
 *
 * Parameters that were removed go, new ones come with their type and default as written, order and
 * types follow, and where calls can name parameters so do their names, in the body too. Refused
 * where a body uses a removed parameter, where the override had other parameters than the base, or
 * where a new type is not known in the override's file.
 */
import { shownName } from '../../../base/shown.js';
import { applyEdits, type TextEdit } from '../../../base/text-edit.js';
import { isOnlyRenamed, type SignatureDelta } from '../../../change/signature-delta.js';
import { lookUp } from '../../../graph/resolve/names.js';
import { signatureOf, type Parameter } from '../../../graph/resolve/signature.js';
import type { DeclRef } from '../../../languages/language.js';
import { F, isClassLike, type Summary } from '../../../syntax/summary.js';
import { behindBracket, parameterSpans, writtenParameters } from '../calls/argument-spans.js';
import { bodyRenames, mentionsIn } from '../names/body-renames.js';
import { editList, type WantedItem } from '../calls/list-edit.js';
import { inSignature } from '../calls/parameter-text.js';
import type { Rewrite, RewriteResult, RewriteSite } from '../rewrite.js';
import { changedParameters } from '../calls/signature-sites.js';
import { outsideBaseAt } from '../headers/outside-member.js';
import { unknownName } from '../names/unknown-name.js';

export const overrideSignature: Rewrite = {
  id: 'override-signature',
  does: 'makes the same change to the parameters of overriding and overridden members',
  rewrite: (context: RewriteSite) =>
    changedParameters(context, 'override', isCarried, carry) ??
    changedParameters(context, 'call', isCarried, inLiteral),
};

/**
 * A function in an object literal, under the key of the changed member that the literal's place expects, or in a class
 * without a name.
 */
function inLiteral(context: RewriteSite): RewriteResult | undefined {
  const decl = context.summary.functionOfKey(context.site.expr);
  return decl === undefined ? undefined : carry({ ...context, block: { ...context.block, decl } });
}

const isCarried = (delta: SignatureDelta): boolean =>
  delta.removed.length +
    delta.added.length +
    delta.moved.length +
    delta.renamed.length +
    delta.retyped.length +
    delta.madeOptional.length >
    0 || delta.returnType !== undefined;

/**
 * An override below that takes what was added already, or need not take it since it stands behind its parameters; what
 * is above and goes on taking what the override has lost.
 */
function fitsAnyway({ graphs, block, site, summary }: RewriteSite): boolean {
  const delta = site.cause.detail.signature as SignatureDelta;
  const others = delta.moved.length + delta.renamed.length + delta.retyped.length;
  const own = signatureOf(summary, block.decl).params;
  if (!graphs.after.language(block.file).overridesTakeFewer || others > 0 || delta.returnType !== undefined)
    return false;
  // What is above may be given more than the override takes; others that stand for it may want that.
  if (site.relation === 'Overrides' || site.relation === 'Satisfies')
    return delta.added.length === 0 && delta.removed.length > 0 && site.tier === 'may';
  return (
    delta.removed.length === 0 &&
    delta.added.length > 0 &&
    delta.added.every((param) => param.index >= own.length || own[param.index]?.name === param.name)
  );
}

/** In words why the overridden member has to keep its parameters; undefined where it does not. */
function keptByOutside({ graphs, block, site, summary }: RewriteSite): string | undefined {
  if (isOnlyRenamed(site.cause.detail.signature as SignatureDelta)) return undefined;
  const base = outsideBaseAt(graphs.after, { file: block.file, decl: block.decl });
  return base === undefined
    ? undefined
    : `${summary.decls.nameOf(block.decl)} stands for a member of ${base}, which keeps its parameters`;
}

type Parts = {
  readonly edits: readonly TextEdit[];
  readonly removed: readonly number[];
  readonly retyped: readonly number[];
  readonly renamed: readonly { readonly from: string; readonly to: string; readonly row: number }[];
};

function carry(context: RewriteSite): RewriteResult | undefined {
  const { site, block, summary } = context;
  const { before, after } = site.cause;
  if (before === undefined || after === undefined) return undefined;
  if (isClassLike(summary.decls.kindOf(block.decl)))
    return { cannot: 'what stands for it is declared in the header of its class', needs: 'model' };
  if (fitsAnyway(context)) return undefined;
  const outside = site.relation === 'Overrides' ? keptByOutside(context) : undefined;
  if (outside !== undefined) return { cannot: outside, needs: 'person' };
  const parts = parameterEdits(context, before, after);
  if (parts === undefined) return undefined;
  if ('cannot' in parts) return parts;
  const used = parts.removed.find((row) => usesOf(context, row).some((expr) => !isDropped(context, expr)));
  if (used !== undefined)
    return { cannot: `its body uses the parameter ${summary.decls.nameOf(used)}`, needs: 'model' };
  const edits: TextEdit[] = [...parts.edits];
  for (const names of parts.renamed) {
    const body = bodyRenames(
      summary,
      names,
      usesOf(context, names.row),
      mentionsIn(summary, block.decl, names.to).length > 0,
    );
    if ('cannot' in body) return body;
    edits.push(...body.edits);
  }
  const returned = returnTypeEdit(context);
  if (returned !== undefined) edits.push(returned);
  const missing =
    after.file === block.file
      ? undefined
      : unknownName(context.graphs.after, after, newWords(site.cause.detail.signature as SignatureDelta), {
          file: block.file,
          scope: summary.decls.scopeOf(block.decl),
        });
  if (missing !== undefined && edits.length > 0)
    return { cannot: `${missing} is not known in ${shownName(block.file)}`, needs: 'model' };
  if (edits.length === 0) return undefined;
  const retyped = parts.retyped.find((row) => usesOf(context, row).length > 0);
  const unfit =
    retyped !== undefined
      ? `its body uses ${summary.decls.nameOf(retyped)}, whose type changed`
      : returned !== undefined && !isBodiless(context)
        ? 'its body returns what was asked for before'
        : undefined;
  return { edits, ...(unfit === undefined ? {} : { open: { reason: unfit, needs: 'model' } }) };
}

/** The list of parameters that the override must have, or why it cannot be told. */
function parameterEdits(
  context: RewriteSite,
  before: DeclRef,
  after: DeclRef,
): Parts | (RewriteResult & { cannot: string }) | undefined {
  const { site, graphs, block, summary, text, texts } = context;
  const delta = site.cause.detail.signature as SignatureDelta;
  const old = signatureOf(graphs.before.summary(before.file), before.decl).params;
  const now = signatureOf(graphs.after.summary(after.file), after.decl).params;
  const own = signatureOf(summary, block.decl);
  const spans = parameterSpans(summary, text, block.decl);
  const oldTexts = writtenParameters(graphs.before.summary(before.file), texts.before(before.file), before.decl);
  const newTexts = writtenParameters(graphs.after.summary(after.file), texts.after(after.file), after.decl);
  if (spans === undefined || oldTexts === undefined || newTexts === undefined)
    return { cannot: 'its parameters cannot be told apart', needs: 'model' };
  const { takesAll, hasOthers, isRenamedHere, sourceOf, mineOf } = pairedParameters(context, old, own.params, delta);
  if (hasOthers) return renamedByName(context, own.params, delta) ?? DIFFERED;
  const items: WantedItem[] = own.receiver === undefined ? [] : [itemOf(spans, text, own.receiver.decl)];
  const renamed: Parts['renamed'][number][] = [];
  const kept = new Set<Parameter>();
  const retypedRows: number[] = [];
  const last = now.findLastIndex((param) => mineOf(param) !== undefined);
  for (const [place, param] of now.entries()) {
    const source = sourceOf(param);
    const mine = mineOf(param);
    if (mine === undefined || source === undefined) {
      if (!takesAll && place > last) continue;
      const there = addedText(context, after, param, newTexts.get(param.decl) ?? param.name);
      if (there === undefined) return { cannot: untyped(param, summary.decls.nameOf(block.decl)), needs: 'model' };
      items.push({ text: there });
      continue;
    }
    kept.add(mine);
    const isRenamed = source.name !== param.name && isRenamedHere(source, mine);
    if (isRenamed) renamed.push({ from: mine.name, to: param.name, row: mine.decl });
    const item = itemOf(spans, text, mine.decl);
    const isAlike = (isRenamed || source.name === param.name) && isSameText(item.text, oldTexts.get(source.decl));
    const retyped = delta.retyped.find((type) => type.name === param.name);
    if (retyped !== undefined) retypedRows.push(mine.decl);
    items.push({
      ...item,
      text: isAlike
        ? (newTexts.get(param.decl) ?? item.text)
        : adapted(summary, text, mine.decl, item.text, isRenamed ? param.name : mine.name, retyped),
    });
  }
  return {
    edits: editList(text, spans, items, spans[0]?.start ?? behindBracket(summary, text, block.decl)),
    removed: own.params.filter((param) => !kept.has(param)).map((param) => param.decl),
    retyped: retypedRows,
    renamed,
  };
}

const DIFFERED = { cannot: 'its parameters differed from those of the changed one already', needs: 'model' } as const;

/**
 * Parameters of an override that has others too, under the names that those of the same name have now; undefined where
 * calls say no names of parameters, more than names changed, or not all are its own.
 */
function renamedByName(
  { graphs, block, summary }: RewriteSite,
  own: readonly Parameter[],
  delta: SignatureDelta,
): Parts | undefined {
  const { renamed } = delta;
  if (!isOnlyRenamed(delta)) return undefined;
  if (graphs.after.language(block.file).writing.keywordArgument === undefined) return undefined;
  const rows = renamed.flatMap(({ from, to }) => {
    const mine = own.find(({ name }) => name === from);
    return mine === undefined || own.some(({ name }) => name === to) ? [] : [{ from, to, row: mine.decl }];
  });
  if (rows.length < renamed.length) return undefined;
  const edits = rows.map(({ from, to, row }): TextEdit => {
    const start = summary.decls.nameStartOf(row);
    return { start, end: start + from.length, text: to };
  });
  return { edits, removed: [], retyped: [], renamed: rows };
}

/** How the override's parameters belong to those of the changed member. */
interface PairedParameters {
  readonly takesAll: boolean;
  readonly hasOthers: boolean;
  /** Whether an old parameter's new name is one for the override's own, too. */
  readonly isRenamedHere: (old: Parameter, mine: Parameter) => boolean;
  /** The old parameter that a new one was, and the override's own for it. */
  readonly sourceOf: (now: Parameter) => Parameter | undefined;
  readonly mineOf: (now: Parameter) => Parameter | undefined;
}

function pairedParameters(
  { graphs, block }: RewriteSite,
  old: readonly Parameter[],
  own: readonly Parameter[],
  delta: SignatureDelta,
): PairedParameters {
  const { overloads, overridesTakeFewer, writing } = graphs.after.language(block.file);
  const byPlace = overloads || writing.keywordArgument === undefined;
  const takesAll = own.length === old.length;
  const ownOf = (param: Parameter): Parameter | undefined =>
    byPlace ? own[old.indexOf(param)] : own.find((candidate) => candidate.name === param.name);
  const oldName = new Map(delta.renamed.map(({ from, to }) => [to, from]));
  const sourceOf = (param: Parameter): Parameter | undefined =>
    old.find((candidate) => candidate.name === (oldName.get(param.name) ?? param.name));
  return {
    takesAll,
    hasOthers:
      byPlace && overridesTakeFewer
        ? own.length > old.length
        : !takesAll || old.some((param) => ownOf(param) === undefined),
    isRenamedHere: (source, mine) => !byPlace || (!overloads && mine.name === source.name),
    sourceOf,
    mineOf: (param) => {
      const source = sourceOf(param);
      return source === undefined ? undefined : ownOf(source);
    },
  };
}

/** A new parameter as this override says it; undefined where it can say it in no way. */
const addedText = (context: RewriteSite, after: DeclRef, param: Parameter, written: string): string | undefined => {
  const { graphs, block } = context;
  const { writing } = graphs.after.language(block.file);
  return isBodiless(context) ? inSignature(graphs.after.summary(after.file), param, written, writing) : written;
};

const isBodiless = ({ summary, block }: RewriteSite): boolean => summary.decls.has(block.decl, F.bodiless | F.abstract);

const untyped = (param: Parameter, name: string): string =>
  `the type of ${param.name} is not written, and ${name} can have no default`;

const isSameText = (text: string, other: string | undefined): boolean => oneLine(text) === oneLine(other ?? '');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');

function itemOf(
  spans: readonly { readonly row: number; readonly start: number; readonly end: number }[],
  text: string,
  row: number,
): WantedItem {
  const index = spans.findIndex((span) => span.row === row);
  const span = spans[index];
  return span === undefined ? { text: '' } : { from: index, text: text.slice(span.start, span.end) };
}

/**
 * A parameter that is written in the override's own way, with the new name, and the new type where it had the old one.
 */
function adapted(
  summary: Summary,
  text: string,
  row: number,
  written: string,
  name: string,
  retyped: { readonly from: string; readonly to: string } | undefined,
): string {
  const start = summary.decls.startOf(row);
  const edits: TextEdit[] = [];
  const nameStart = summary.decls.nameStartOf(row) - start;
  const old = summary.decls.nameOf(row);
  if (old !== name && nameStart >= 0) edits.push({ start: nameStart, end: nameStart + old.length, text: name });
  const type = summary.decls.typeOf(row);
  if (retyped !== undefined && type >= 0) {
    const from = summary.exprs.startOf(type) - start;
    const to = summary.exprs.endOf(type) - start;
    if (from >= 0 && oneLine(text.slice(start + from, start + to)) === retyped.from)
      edits.push({ start: from, end: to, text: retyped.to });
  }
  return applyEdits(written, edits);
}

/** Mentions in the body that mean the override's own parameter. */
function usesOf({ graphs, block, summary }: RewriteSite, row: number): number[] {
  const name = summary.decls.nameOf(row);
  return mentionsIn(summary, block.decl, name).filter((expr) =>
    lookUp(
      graphs.after,
      block.file,
      summary,
      summary.exprs.scopeOf(expr),
      name,
      summary.exprs.roleOf(expr),
    ).targets.some((target) => target.file === block.file && target.decl === row),
  );
}

/** Whether the mention goes with an argument that another rewrite drops. */
function isDropped({ summary, soFar }: RewriteSite, expr: number): boolean {
  const at = summary.exprs.startOf(expr);
  return soFar.some((edit) => edit.start <= at && at < edit.end);
}

/** The new return type, where the override had the old one as written. */
function returnTypeEdit({ site, block, summary, text }: RewriteSite): TextEdit | undefined {
  const change = site.cause.detail.signature?.returnType;
  const type = summary.decls.typeOf(block.decl);
  if (change === undefined || change.from === '' || change.to === '' || type < 0) return undefined;
  const start = summary.exprs.startOf(type);
  const end = summary.exprs.endOf(type);
  return oneLine(text.slice(start, end)) === change.from ? { start, end, text: change.to } : undefined;
}

/** Identifiers that the change brought into the header. */
function newWords(delta: SignatureDelta): ReadonlySet<string> {
  const written = [
    ...delta.added.flatMap((param) => [param.type, param.value]),
    ...delta.retyped.map((type) => type.to),
    delta.returnType?.to ?? '',
  ];
  return new Set(written.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
}
