/**
 * A function gets other parameters, or becomes async: its header, and nothing else. Calls, overrides
 * and the body's own uses of a renamed parameter follow by the plan.
 */
import type { TextEdit } from '../base/text-edit.js';
import { linesInWords } from '../base/counted.js';
import { NOTHING_TOLD } from '../change/version.js';
import { asyncWords, syncWords } from '../edit/mechanical/headers/async-header.js';
import { mentionsIn } from '../edit/mechanical/names/body-renames.js';
import { behindBracket, parameterSpans, type ItemSpan } from '../edit/mechanical/calls/argument-spans.js';
import { editList, type WantedItem } from '../edit/mechanical/calls/list-edit.js';
import { typeName } from '../graph/resolve/hierarchy.js';
import { constructorsOf } from '../graph/resolve/overloads.js';
import { isAwaitable } from '../graph/resolve/signature.js';
import type { DeclRef } from '../languages/language.js';
import { lineAt } from '../syntax/line-at.js';
import { blockPath, E, F, isClassLike, isFunctionLike, nameOf, type Summary } from '../syntax/summary.js';
import { checkName, checkOutside, checkWritten } from './new-name.js';
import { parseParameter, placeFor, writtenParameter, type NewParameter } from './parameter-list.js';
import { editedTexts, Refused, textOf, type Seed, type Sources } from './seed.js';

export interface SignatureWish {
  /** Each as `name: type = default`. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly rename: readonly { readonly from: string; readonly to: string }[];
  /** All names in their new order, without the receiver; undefined: as they are. */
  readonly order: readonly string[] | undefined;
  readonly async: boolean | undefined;
}

/** `found`: declarations of one function, or of a class, whose constructor is meant. */
export function signatureSeed(sources: Sources, found: readonly DeclRef[], wish: SignatureWish): Seed {
  const functions = functionsMeant(sources, found);
  const edits = new Map<string, readonly TextEdit[]>();
  const [first] = functions;
  const { language } = sources.resolver.summary(first.file);
  const added = wish.add.map((written) => parseParameter(language, written));
  for (const ref of functions) {
    checkWritten(sources, ref.file);
    checkOutside(sources, ref, 'signature');
    edits.set(ref.file, [...(edits.get(ref.file) ?? []), ...headerEdits(sources, ref, wish, added, ref === first)]);
  }
  if ([...edits.values()].every((list) => list.length === 0))
    throw new Refused(`${blockPath(sources.resolver.summary(first.file), first.decl)} has this signature already`);
  const texts = editedTexts(sources, edits);
  for (const [file, text] of texts) checkParses(sources, file, text ?? '');
  return {
    texts,
    renames: new Map(),
    title: `change the signature of ${blockPath(sources.resolver.summary(first.file), first.decl)}`,
    subjects: [],
    values: valuesOf(sources, first, added),
    told: toldOf(sources, functions, wish),
  };
}

/** Which parameters are which, where they get other names. */
function toldOf({ resolver }: Sources, functions: readonly DeclRef[], wish: SignatureWish): NonNullable<Seed['told']> {
  const told = new Map<string, Map<number, string>>();
  for (const { file, decl } of functions) {
    const { decls } = resolver.summary(file);
    const known = told.get(file) ?? new Map<number, string>();
    told.set(file, known);
    for (const row of decls.paramsOf(decl)) {
      const to = wish.rename.find(({ from }) => from === decls.nameOf(row))?.to;
      if (to !== undefined) known.set(decls.nameStartOf(row), to);
    }
  }
  return new Map([...told].map(([file, parameters]) => [file, { ...NOTHING_TOLD, parameters }]));
}

/** What callers pass where the language has no defaults. */
function valuesOf({ resolver }: Sources, { file }: DeclRef, added: readonly NewParameter[]): Record<string, string> {
  return resolver.language(file).writing.parameterDefaults !== false
    ? {}
    : Object.fromEntries(added.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

function functionsMeant({ resolver }: Sources, found: readonly DeclRef[]): readonly [DeclRef, ...DeclRef[]] {
  const functions = found.flatMap((ref): readonly DeclRef[] => {
    if (ref.decl < 0) return [];
    const { decls } = resolver.summary(ref.file);
    if (!isClassLike(decls.kindOf(ref.decl))) return [ref];
    const own = constructorsOf(resolver, ref).filter(
      (one) => one.file === ref.file && resolver.summary(one.file).decls.parentOf(one.decl) === ref.decl,
    );
    return own.length > 0 ? own : decls.hasParams(ref.decl) ? [ref] : [];
  });
  const [first, ...others] = functions.filter(({ file, decl }) => {
    const { decls } = resolver.summary(file);
    return isFunctionLike(decls.kindOf(decl)) || decls.hasParams(decl);
  });
  const asked = found[0];
  const path = asked === undefined ? '' : blockPath(resolver.summary(asked.file), asked.decl);
  if (first === undefined)
    throw new Refused(
      `${path} has no parameters: name a function, a method, or a class with a constructor of its own`,
      asked === undefined ? [] : [asked.file],
    );
  if (others.length === 0 || !resolver.language(first.file).overloads) {
    // Signatures without a body stand beside the one that has it, and follow it.
    const withBody = [first, ...others].filter(({ file, decl }) => !resolver.summary(file).decls.has(decl, F.bodiless));
    const [main = first] = withBody;
    return [main, ...[first, ...others].filter((ref) => ref !== main)];
  }
  throw new Refused(
    `${path} is declared ${others.length + 1} times; say which one`,
    [],
    [first, ...others].map(({ file, decl }) => {
      const of = resolver.summary(file);
      return `${file}:${lineAt(of, of.decls.nameStartOf(decl))}`;
    }),
  );
}

/** `isMain`: the declaration that must have every name which is asked for; overloads beside it may lack some. */
function headerEdits(
  sources: Sources,
  ref: DeclRef,
  wish: SignatureWish,
  added: readonly NewParameter[],
  isMain: boolean,
): TextEdit[] {
  const summary = sources.resolver.summary(ref.file);
  const text = textOf(sources, ref.file);
  const isListed = wish.add.length + wish.remove.length + wish.rename.length > 0 || wish.order !== undefined;
  return [
    ...(isListed ? listEdits(summary, text, ref, wish, added, isMain) : []),
    ...(wish.async === undefined ? [] : asyncEdits(sources, summary, text, ref, wish.async)),
  ];
}

interface Item extends WantedItem {
  readonly name: string;
  /** -1 for a new one. */
  readonly row: number;
  readonly type?: string;
  readonly isOptional: boolean;
}

function listEdits(
  summary: Summary,
  text: string,
  { file, decl }: DeclRef,
  wish: SignatureWish,
  added: readonly NewParameter[],
  isMain: boolean,
): TextEdit[] {
  const path = blockPath(summary, decl);
  const spans = parameterSpans(summary, text, decl);
  if (spans === undefined) throw new Refused(`the parameters of ${path} cannot be told apart`, [file]);
  const { decls } = summary;
  const known = spans.map(({ row }) => nameOf(summary, row));
  for (const name of [...wish.remove, ...wish.rename.map(({ from }) => from)])
    if (isMain && !known.includes(name))
      throw new Refused(`${path} has no parameter ${name}; it has ${known.join(', ') || 'none'}`, [file]);
  const items = spans.flatMap(({ row, start, end }, from): Item[] => {
    const name = nameOf(summary, row);
    if (wish.remove.includes(name)) {
      checkUnread(summary, decl, row, name, file);
      return [];
    }
    const to = wish.rename.find((pair) => pair.from === name)?.to;
    if (to !== undefined) checkNewLocal(summary, decl, to, file);
    const at = decls.nameStartOf(row) - start;
    const written = text.slice(start, end);
    const now = to === undefined ? written : written.slice(0, at) + to + written.slice(at + name.length);
    return [
      {
        from,
        text: now,
        name: to ?? name,
        row,
        type: typeName(summary, row) ?? '',
        isOptional: decls.has(row, F.optional | F.rest | F.keywordRest | F.keywordOnly),
      },
    ];
  });
  for (const param of added) {
    checkNewLocal(summary, decl, param.name, file);
    items.splice(placeFor(summary, items, param), 0, {
      text: writtenParameter(summary.language, param),
      name: param.name,
      row: -1,
      isOptional: param.value !== undefined,
    });
  }
  const wanted = wish.order === undefined ? items : inOrder(summary, items, wish.order, path, file);
  return withMarks(text, spans, wanted, behindBracket(summary, text, decl));
}

/** All that is asked for in its order, behind the receiver. */
function inOrder(
  summary: Summary,
  items: readonly Item[],
  order: readonly string[],
  path: string,
  file: string,
): readonly Item[] {
  const receivers = items.filter(({ row }) => row >= 0 && summary.decls.has(row, F.receiver));
  const others = items.filter((item) => !receivers.includes(item));
  const missing = others.filter(({ name }) => !order.includes(name)).map(({ name }) => name);
  const unknown = order.filter((name) => !others.some((item) => item.name === name));
  if (missing.length + unknown.length > 0 || new Set(order).size < order.length)
    throw new Refused(
      `the order must name each parameter of ${path} once: ${others.map(({ name }) => name).join(', ')}`,
      [file],
    );
  const sorted = order.flatMap((name) => others.filter((item) => item.name === name));
  const isTrailing = (row: number): boolean =>
    row >= 0 && summary.decls.has(row, F.rest | F.keywordRest | F.keywordOnly);
  const wrong = sorted.findIndex(
    (item, i) => !item.isOptional && sorted.slice(0, i).some((before) => before.isOptional),
  );
  const [early, late] = [sorted[sorted.findIndex((item) => item.isOptional)], sorted[wrong]];
  if (early !== undefined && late !== undefined)
    throw new Refused(`${late.name} has no default and would stand behind ${early.name}, which need not be given`, [
      file,
    ]);
  const trailing = others.filter(({ row }) => isTrailing(row)).map(({ name }) => name);
  if (trailing.some((name, i) => sorted.slice(-trailing.length)[i]?.name !== name))
    throw new Refused(`${trailing.join(', ')} must stay at the end, in this order`, [file]);
  return [...receivers, ...sorted];
}

/** As `editList`; what is put behind parameters that are given by position alone goes behind their mark. */
function withMarks(text: string, spans: readonly ItemSpan[], wanted: readonly Item[], open: number): TextEdit[] {
  const edits = editList(text, spans, wanted, open);
  const last = spans.at(-1);
  const mark = last === undefined ? null : /^\s*,\s*\/(?=\s*[,)])/.exec(text.slice(last.end));
  return last === undefined || mark === null
    ? edits
    : edits.map((edit) =>
        edit.start === last.end && edit.end === last.end
          ? { ...edit, start: last.end + mark[0].length, end: last.end + mark[0].length }
          : edit,
      );
}

/** Throws Refused where the body reads what is to go. */
function checkUnread(summary: Summary, decl: number, row: number, name: string, file: string): void {
  const { decls, exprs } = summary;
  if (decls.has(row, F.receiver)) throw new Refused(`${name} is what the function is called on, and stays`, [file]);
  if (decls.has(decl, F.bodiless)) return;
  const reads = mentionsIn(summary, decl, name).filter((expr) => exprs.startOf(expr) >= decls.bodyStartOf(decl));
  if (reads.length === 0) return;
  const lines = [...new Set(reads.map((expr) => lineAt(summary, exprs.startOf(expr))))];
  throw new Refused(`${blockPath(summary, decl)} uses ${name} on ${linesInWords(lines)}; take that out first`, [file]);
}

/** Throws Refused where the function says the name already. */
function checkNewLocal(summary: Summary, decl: number, name: string, file: string): void {
  checkName(summary.language, name);
  const { decls } = summary;
  if (decls.paramsOf(decl).some((row) => decls.nameOf(row) === name))
    throw new Refused(`${blockPath(summary, decl)} has a parameter ${name} already`, [file]);
  const said = mentionsIn(summary, decl, name)[0];
  if (said === undefined) return;
  throw new Refused(
    `${name} is taken: ${blockPath(summary, decl)} uses it for something else ` +
      `on line ${lineAt(summary, summary.exprs.startOf(said))}`,
    [file],
  );
}

function asyncEdits(
  sources: Sources,
  summary: Summary,
  text: string,
  { file, decl }: DeclRef,
  wanted: boolean,
): TextEdit[] {
  const path = blockPath(summary, decl);
  const isAsync =
    summary.decls.has(decl, F.async) || (summary.decls.has(decl, F.bodiless) && isAwaitable(summary, decl));
  if (isAsync === wanted) throw new Refused(`${path} is ${wanted ? 'async' : 'not async'} already`, [file]);
  if (wanted) {
    const parse = (other: string): Summary => sources.summarise(file, other) ?? summary;
    const words = asyncWords(summary, text, decl, parse);
    if ('cannot' in words) throw new Refused(`${path} cannot be async: ${words.cannot}`, [file]);
    return [...words.edits];
  }
  const awaited = summary.exprs.ofOp(E.await).find((row) => functionAt(summary, summary.exprs.scopeOf(row)) === decl);
  if (awaited !== undefined)
    throw new Refused(
      `${path} awaits on line ${lineAt(summary, summary.exprs.startOf(awaited))}; take that out first`,
      [file],
    );
  const words = syncWords(summary, text, decl);
  if (words === undefined) throw new Refused(`what makes ${path} async cannot be told from its header`, [file]);
  return [...words];
}

function functionAt({ scopes, decls }: Summary, scope: number): number {
  for (let s = scope; s >= 0; s = scopes.parentOf(s)) {
    const owner = scopes.ownerOf(s);
    if (owner >= 0 && isFunctionLike(decls.kindOf(owner))) return owner;
  }
  return -1;
}

/** Throws Refused where the header would not be one of the language. */
function checkParses(sources: Sources, file: string, text: string): void {
  const errors = (summary: Summary | undefined): number => summary?.errors.length ?? 0;
  if (errors(sources.summarise(file, text)) > errors(sources.resolver.summary(file)))
    throw new Refused('the new header would not parse; look at the types and defaults that you gave', [file]);
}
